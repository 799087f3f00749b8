/* Where panes lie on a screen of a size. */
#ifndef WS_INSPECT_SCREEN_LAYOUT_H
#define WS_INSPECT_SCREEN_LAYOUT_H

#include "inspect/screen/grid.h"

typedef enum {
#define PANE(name, ...) WS_PANE_##name,
#include "inspect/screen/panes.def"
#undef PANE
    WS_PANE_COUNT
} WsPane;

enum { WS_LEAST_ROWS = 14, WS_LEAST_COLUMNS = 60 };

typedef struct {
    gboolean fits;                    /* FALSE: the screen is too small, nothing else is set */
    gboolean shown[WS_PANE_COUNT];    /* others are hidden behind those of their area */
    WsRectangle panes[WS_PANE_COUNT]; /* of those shown, title included */
} WsLayout;

const char *ws_pane_title(WsPane pane);
/* What the pane is, for who sees it for the first time. */
const char *ws_pane_hint(WsPane pane);
guint ws_pane_area(WsPane pane);

/*
 * The first row and the last one are the screen's own. `active` is always shown, alone if `zoomed`.
 * `warps`: how many there are to show; `source`: columns that the source needs; `missing`: a bit a
 * pane that has nothing to show.
 */
void ws_layout(guint rows, guint columns, WsPane active, gboolean zoomed, guint warps, guint source,
               guint missing, WsLayout *ret);

#endif
