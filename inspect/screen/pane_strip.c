/* The last cycles of each warp of an SM, one letter a cycle: why it did not issue, or I. */
#include "inspect/screen/view.h"

#include <string.h>

enum { LABEL_COLUMNS = 4, TICK_COLUMNS = 10 };

guint ws_strip_cycles(guint columns)
{
    return columns - MIN(columns, LABEL_COLUMNS);
}

/* The first cycle of a column; FALSE: it lies before the run. The last one ends with this cycle. */
static gboolean cycle_of(const WsView *view, guint columns, guint column, guint64 *ret)
{
    guint64 behind = (guint64)(columns - column) * view->per_column;
    guint64 end = ws_timeline_cycle(view->timeline) + 1;

    *ret = end - MIN(end, behind);
    return end >= behind;
}

gboolean ws_strip_cycle(const WsView *view, guint columns, guint column, guint64 *ret)
{
    return column >= LABEL_COLUMNS && column < columns &&
           cycle_of(view, ws_strip_cycles(columns), column - LABEL_COLUMNS, ret);
}

/* What stands for some cycles: I if it issued in any, else the reason of most of them. */
static guint reason_of(const WsView *view, guint64 cycle, guint slot)
{
    guint counts[WS_STALL_COUNT] = {0}, best = WS_NO_REASON, most = 0;

    for (guint64 i = cycle; i < cycle + view->per_column; i++) {
        const WsHistoryCycle *known = ws_history_at(view->history, i);

        if (known != NULL && known->reasons[slot] < WS_STALL_COUNT)
            counts[known->reasons[slot]]++;
    }
    if (counts[WS_STALL_SELECTED] != 0)
        return WS_STALL_SELECTED;
    for (guint i = 0; i < WS_STALL_COUNT; i++)
        if (counts[i] > most) {
            best = i;
            most = counts[i];
        }
    return best;
}

static void draw_axis(const WsView *view, WsGrid *grid, const WsRectangle *in)
{
    guint columns = ws_strip_cycles(in->columns);
    guint64 cycle;

    ws_grid_printf(grid, in, 0, 0, WS_LOOK_DIM, view->per_column == 1 ? " sl" : "x%-3u",
                   (guint)view->per_column);
    for (guint i = 0; i < columns; i++) {
        g_autofree char *label = NULL;

        if (!cycle_of(view, columns, i, &cycle) || cycle / view->per_column % TICK_COLUMNS != 0)
            continue;
        label = g_strdup_printf("'%" G_GUINT64_FORMAT, cycle);
        if (i + strlen(label) < columns)
            ws_grid_put(grid, in, 0, LABEL_COLUMNS + i, WS_LOOK_DIM, label);
    }
    ws_grid_put(grid, in, 0, in->columns - 1, WS_LOOK_HERE, "v");
}

static void draw_warp(const WsView *view, guint32 slot, gboolean focused, WsGrid *grid,
                      const WsRectangle *in, guint row)
{
    guint columns = ws_strip_cycles(in->columns);
    guint64 cycle;

    ws_grid_printf(grid, in, row, 0, focused ? WS_LOOK_FOCUS : WS_LOOK_PLAIN, "%c%2u",
                   focused ? '>' : ' ', slot);
    for (guint i = 0; i < columns; i++) {
        guint reason;

        if (!cycle_of(view, columns, i, &cycle) ||
            (reason = reason_of(view, cycle, slot)) == WS_NO_REASON)
            continue;
        ws_grid_put(grid, in, row, LABEL_COLUMNS + i, ws_look_of_stall(reason),
                    ws_stall_letter((WsStall)reason));
    }
}

/* The letters that occur, from a row on as far as there is room. Returns how many rows they take;
 * `grid` NULL: draws none. */
static guint draw_legend(const gboolean *seen, WsGrid *grid, const WsRectangle *in, guint row)
{
    guint column = 0, rows = 0;

    for (guint i = 0; i < WS_STALL_COUNT; i++) {
        const char *name = ws_stall_name((WsStall)i);
        guint width = (guint)strlen(name) + 2;

        if (!seen[i])
            continue;
        if (rows == 0 || column + width > in->columns) {
            rows++;
            column = 0;
        }
        if (grid != NULL) {
            ws_grid_put(grid, in, row + rows - 1, column, ws_look_of_stall(i),
                        ws_stall_letter((WsStall)i));
            ws_grid_put(grid, in, row + rows - 1, column + 2, WS_LOOK_DIM, name);
        }
        column += width + 2;
    }
    return rows;
}

static void look_for_letters(const WsView *view, guint32 slot, guint columns, gboolean *seen)
{
    for (guint i = 0; i < columns; i++) {
        guint64 cycle;
        guint reason;

        if (cycle_of(view, columns, i, &cycle) &&
            (reason = reason_of(view, cycle, slot)) != WS_NO_REASON)
            seen[reason] = TRUE;
    }
}

void ws_draw_strip(const WsView *view, WsPane pane, WsGrid *grid, const WsRectangle *in)
{
    const WsSm *sm = ws_view_sm(view);
    guint32 slots[WS_MAX_WARP_SLOTS];
    guint focus, count = ws_view_warps(view, slots, &focus), first, rows, legend;
    gboolean seen[WS_STALL_COUNT] = {FALSE};
    gboolean focused = ws_session_place(view->session).sm == sm;

    if (count == 0) {
        ws_grid_printf(grid, in, 0, 1, WS_LOOK_DIM, "No warp is on SM %u at this cycle.", view->sm);
        return;
    }
    draw_axis(view, grid, in);
    for (guint i = 0; i < count; i++)
        look_for_letters(view, slots[i], ws_strip_cycles(in->columns), seen);
    legend = MIN(draw_legend(seen, NULL, in, 0), MAX(in->rows / 3, 1));
    rows = in->rows - 1 - (in->rows > 2 ? legend : 0);
    first = ws_first_row(focus, count, rows);
    for (guint row = 0; row < rows && first + row < count; row++) {
        draw_warp(view, slots[first + row], focused && first + row == focus, grid, in, row + 1);
        ws_grid_target(grid, in, row + 1, 0, in->columns, slots[first + row]);
    }
    draw_legend(seen, grid, in, MIN(rows, count) + 1);
}
