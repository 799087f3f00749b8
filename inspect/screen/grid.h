/*
 * A screen as rows of characters with styles: what is drawn here is the same on any terminal and in
 * a test. Only the columns of a rectangle are drawn to, whatever a text holds: control characters
 * are drawn as escapes, characters of two columns are never cut in half, and those that take none
 * are left out.
 */
#ifndef WS_INSPECT_SCREEN_GRID_H
#define WS_INSPECT_SCREEN_GRID_H

#include <glib.h>

/* What a text is, not how it looks: cli/terminal_screen.c says that. */
typedef enum {
#define STYLE(name, ...) WS_LOOK_##name,
#include "inspect/screen/looks.def"
#undef STYLE
    WS_LOOK_COUNT
} WsLook;

typedef struct {
    gunichar character; /* 0: the right half of the one before */
    guint8 look;        /* WsLook */
} WsCell;

typedef struct {
    guint row, column, rows, columns;
} WsRectangle;

/* Some columns of a row that stand for something, for a mouse. */
typedef struct {
    guint row, column, columns;
    guint32 value; /* a line, a lane, a warp slot: as the pane has it */
} WsTarget;

typedef struct {
    guint rows, columns;
    WsCell *cells;   /* rows x columns */
    GArray *targets; /* of WsTarget */
} WsGrid;

/* All blank. */
WsGrid *ws_grid_new(guint rows, guint columns);
void ws_grid_free(WsGrid *grid);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(WsGrid, ws_grid_free)

static inline WsCell *ws_grid_cell(const WsGrid *grid, guint row, guint column)
{
    return &grid->cells[(gsize)row * grid->columns + column];
}

/*
 * Draws UTF-8 text at a place of a rectangle, up to the end of its row; nothing if the place lies
 * outside. Returns the column in the rectangle behind the text.
 */
guint ws_grid_put(WsGrid *grid, const WsRectangle *in, guint row, guint column, WsLook look,
                  const char *text);
guint ws_grid_printf(WsGrid *grid, const WsRectangle *in, guint row, guint column, WsLook look,
                     const char *format, ...) G_GNUC_PRINTF(6, 7);
/* A row of the rectangle, blank, in a style. */
void ws_grid_fill(WsGrid *grid, const WsRectangle *in, guint row, WsLook look);
/* What is drawn in a row of the rectangle so far is given a style. */
void ws_grid_restyle(WsGrid *grid, const WsRectangle *in, guint row, WsLook look);

/* Some columns of a row of the rectangle stand for `value`. */
void ws_grid_target(WsGrid *grid, const WsRectangle *in, guint row, guint column, guint columns,
                    guint32 value);

/* Columns that a text takes. */
guint ws_text_columns(const char *text);
/* All rows as UTF-8 text, without blanks at their ends. g_free. */
char *ws_grid_text(const WsGrid *grid);

#endif
