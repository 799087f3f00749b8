#include "inspect/screen/grid.h"

#include <stdarg.h>

#include "isa/base/escape.h"

WsGrid *ws_grid_new(guint rows, guint columns)
{
    WsGrid *grid = g_new(WsGrid, 1);

    *grid = (WsGrid){rows, columns, g_new(WsCell, MAX((gsize)rows * columns, 1)),
                     g_array_new(FALSE, FALSE, sizeof(WsTarget))};
    for (gsize i = 0; i < (gsize)rows * columns; i++)
        grid->cells[i] = (WsCell){' ', WS_LOOK_PLAIN};
    return grid;
}

void ws_grid_free(WsGrid *grid)
{
    if (grid == NULL)
        return;
    g_array_unref(grid->targets);
    g_free(grid->cells);
    g_free(grid);
}

static guint columns_of(gunichar c)
{
    if (g_unichar_iszerowidth(c))
        return 0;
    return g_unichar_iswide(c) ? 2 : 1;
}

/* One cell takes the place of half a character: the other half becomes blank. */
static void cut(WsGrid *grid, guint row, guint column)
{
    if (ws_grid_cell(grid, row, column)->character == 0 && column > 0)
        ws_grid_cell(grid, row, column - 1)->character = ' ';
    if (column + 1 < grid->columns && ws_grid_cell(grid, row, column + 1)->character == 0)
        ws_grid_cell(grid, row, column + 1)->character = ' ';
}

guint ws_grid_put(WsGrid *grid, const WsRectangle *in, guint row, guint column, WsLook look,
                  const char *text)
{
    g_autofree char *shown = ws_escape_controls(text, -1, "");
    guint end = MIN(in->columns, grid->columns - MIN(grid->columns, in->column));

    if (row >= in->rows || in->row + row >= grid->rows)
        return column;
    for (const char *at = shown; *at != '\0' && column < end; at = g_utf8_next_char(at)) {
        gunichar c = g_utf8_get_char(at);
        guint width = columns_of(c);

        if (width == 0)
            continue;
        if (column + width > end) {
            c = ' ';
            width = 1;
        }
        for (guint i = 0; i < width; i++) {
            cut(grid, in->row + row, in->column + column + i);
            *ws_grid_cell(grid, in->row + row, in->column + column + i) =
                (WsCell){i == 0 ? c : 0, (guint8)look};
        }
        column += width;
    }
    return column;
}

guint ws_grid_printf(WsGrid *grid, const WsRectangle *in, guint row, guint column, WsLook look,
                     const char *format, ...)
{
    g_autofree char *text = NULL;
    va_list arguments;

    va_start(arguments, format);
    text = g_strdup_vprintf(format, arguments);
    va_end(arguments);
    return ws_grid_put(grid, in, row, column, look, text);
}

void ws_grid_fill(WsGrid *grid, const WsRectangle *in, guint row, WsLook look)
{
    if (row >= in->rows || in->row + row >= grid->rows)
        return;
    for (guint i = in->column; i < MIN(in->column + in->columns, grid->columns); i++) {
        cut(grid, in->row + row, i);
        *ws_grid_cell(grid, in->row + row, i) = (WsCell){' ', (guint8)look};
    }
}

void ws_grid_restyle(WsGrid *grid, const WsRectangle *in, guint row, WsLook look)
{
    if (row >= in->rows || in->row + row >= grid->rows)
        return;
    for (guint i = in->column; i < MIN(in->column + in->columns, grid->columns); i++)
        ws_grid_cell(grid, in->row + row, i)->look = (guint8)look;
}

void ws_grid_target(WsGrid *grid, const WsRectangle *in, guint row, guint column, guint columns,
                    guint32 value)
{
    WsTarget target = {in->row + row, in->column + column, columns, value};

    g_array_append_val(grid->targets, target);
}

guint ws_text_columns(const char *text)
{
    g_autofree char *shown = ws_escape_controls(text, -1, "");
    guint columns = 0;

    for (const char *at = shown; *at != '\0'; at = g_utf8_next_char(at))
        columns += columns_of(g_utf8_get_char(at));
    return columns;
}

char *ws_grid_text(const WsGrid *grid)
{
    GString *out = g_string_new(NULL);

    for (guint row = 0; row < grid->rows; row++) {
        gsize end = out->len;

        for (guint column = 0; column < grid->columns; column++) {
            gunichar c = ws_grid_cell(grid, row, column)->character;

            if (c == 0)
                continue;
            g_string_append_unichar(out, c);
            if (c != ' ')
                end = out->len;
        }
        g_string_truncate(out, end);
        g_string_append_c(out, '\n');
    }
    return g_string_free(out, FALSE);
}
