/* The schedulers of an SM: what each takes in this cycle, from how many, and what it took last. */
#include "inspect/screen/view.h"

static guint64 slots_of(const WsSm *sm, guint sub_core)
{
    guint64 slots = 0;

    for (guint64 rest = sm->state->resident; rest != 0; rest &= rest - 1) {
        guint32 slot = (guint32)__builtin_ctzll(rest);

        if (sm->state->warps[slot].sub_core == sub_core)
            slots |= (guint64)1 << slot;
    }
    return slots;
}

static guint count_ready(const WsView *view, const WsSm *sm, guint64 slots)
{
    guint count = 0;

    for (; slots != 0; slots &= slots - 1) {
        WsStall reason = ws_view_stall(view, sm, (guint32)__builtin_ctzll(slots));

        count += reason == WS_STALL_SELECTED || reason == WS_STALL_NOT_SELECTED;
    }
    return count;
}

/* The last issue before the cycle, where it is known. */
static const WsHistoryCycle *last_issue(const WsView *view, guint sub_core, guint64 *ret_cycle)
{
    const WsHistoryCycle *known;

    for (guint64 i = ws_timeline_cycle(view->timeline); i-- > 0;) {
        known = ws_history_at(view->history, i);
        if (known == NULL)
            return NULL;
        *ret_cycle = i;
        if (known->issued[sub_core] != WS_NO_INSTRUCTION)
            return known;
    }
    return NULL;
}

static void draw_issue(const WsView *view, const WsHistoryCycle *known, guint sub_core,
                       const char *label, WsGrid *grid, const WsRectangle *in, guint row)
{
    g_autofree char *line = ws_instruction_line(view->listings, known->issued[sub_core]);

    ws_grid_printf(grid, in, row, 0, WS_LOOK_PLAIN, "%sslot %2u %s", label,
                   known->issued_slot[sub_core], line);
}

/* Returns the row behind. */
static guint draw_sub_core(const WsView *view, const WsSm *sm, guint sub_core, WsGrid *grid,
                           const WsRectangle *in, guint row)
{
    guint64 cycle = ws_timeline_cycle(view->timeline), last;
    guint64 slots = slots_of(sm, sub_core);
    const WsHistoryCycle *now = ws_history_at(view->history, cycle);
    const WsHistoryCycle *before = last_issue(view, sub_core, &last);

    if (slots == 0)
        ws_grid_printf(grid, in, row++, 0, WS_LOOK_STRONG, "%u: no warps", sub_core);
    else
        ws_grid_printf(grid, in, row++, 0, WS_LOOK_STRONG, "%u: %u of %u warps are eligible",
                       sub_core, count_ready(view, sm, slots), (guint)__builtin_popcountll(slots));
    if (now != NULL && now->issued[sub_core] != WS_NO_INSTRUCTION)
        draw_issue(view, now, sub_core, "   takes now ", grid, in, row++);
    else if (slots != 0)
        ws_grid_put(grid, in, row++, 0, WS_LOOK_DIM, "   issues nothing now");
    if (before != NULL) {
        g_autofree char *label = g_strdup_printf("%4" G_GUINT64_FORMAT " cyc. ago ", cycle - last);

        draw_issue(view, before, sub_core, label, grid, in, row++);
    } else if (slots != 0) {
        ws_grid_put(grid, in, row++, 0, WS_LOOK_DIM, "   issued nothing in the known cycles");
    }
    return row;
}

void ws_draw_sub_cores(const WsView *view, WsPane pane, WsGrid *grid, const WsRectangle *in)
{
    const WsSm *sm = ws_view_sm(view);
    WsWarpPlace place = ws_session_place(view->session);
    guint count, row = 0, focus = 0;

    if (sm == NULL) {
        ws_grid_printf(grid, in, 0, 1, WS_LOOK_DIM, "SM %u is not used by this launch.", view->sm);
        return;
    }
    count = sm->context->sub_cores;
    if (place.sm == sm)
        focus = sm->state->warps[place.slot].sub_core;
    for (guint i = ws_first_row(focus, count, MAX((in->rows + 1) / 3, 1)); i < count; i++)
        row = draw_sub_core(view, sm, i, grid, in, row);
}
