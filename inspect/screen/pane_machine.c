/*
 * The machine of an SM, drawn: each sub-core as a box with its units in the order in which an
 * instruction passes them, and at each unit the warps that wait there, under the name of their
 * stall reason.
 */
#include <string.h>

#include "inspect/screen/view.h"
#include "sim/sm/eligibility.h"

enum { LEAST_BOX = 36, MOST_REASONS = 4, NO_MORE = WS_STALL_COUNT };

/* Units with the reasons that they are to blame for. */
static const struct {
    const char *name;
    guint reasons[MOST_REASONS];
} units[] = {
    {"instruction caches", {WS_STALL_NO_INSTRUCTION, WS_STALL_IMC_MISS, NO_MORE}},
    {"branch unit", {WS_STALL_BRANCH_RESOLVING, NO_MORE}},
    {"scheduler", {WS_STALL_SELECTED, WS_STALL_NOT_SELECTED, NO_MORE}},
    {"dispatch", {WS_STALL_DISPATCH_STALL, NO_MORE}},
    {"pipes", {WS_STALL_MATH_PIPE_THROTTLE, NO_MORE}},
    {"queues", {WS_STALL_LG_THROTTLE, WS_STALL_MIO_THROTTLE, NO_MORE}},
    {"results", {WS_STALL_WAIT, WS_STALL_SHORT_SCOREBOARD, WS_STALL_LONG_SCOREBOARD, NO_MORE}},
    {"barriers", {WS_STALL_BARRIER, WS_STALL_MEMBAR, WS_STALL_SLEEPING, WS_STALL_DRAIN}},
};

/* What is busy in a unit, by the resource that warps contend for. */
static const struct {
    const char *unit, *name;
    WsResource resource;
} resources[] = {
    {"pipes", "fma", WS_RESOURCE_FMA},         {"pipes", "alu", WS_RESOURCE_ALU},
    {"pipes", "fp16", WS_RESOURCE_FP16},       {"pipes", "fp64", WS_RESOURCE_FP64},
    {"pipes", "tensor", WS_RESOURCE_TENSOR},   {"pipes", "xu", WS_RESOURCE_XU},
    {"pipes", "uniform", WS_RESOURCE_UNIFORM}, {"queues", "lg", WS_RESOURCE_LG},
    {"queues", "mio", WS_RESOURCE_MIO},
};

/* "fma 2": busy, that is it takes nothing, for 2 cycles more. */
static void draw_busy(const WsView *view, const WsSubCore *sub_core, const char *unit, WsGrid *grid,
                      const WsRectangle *in, guint row, guint column)
{
    guint64 cycle = ws_timeline_cycle(view->timeline);
    gboolean any = FALSE;

    for (guint i = 0; i < G_N_ELEMENTS(resources); i++) {
        guint64 free = sub_core->pipes.free[resources[i].resource];

        if (!g_str_equal(resources[i].unit, unit) || free <= cycle)
            continue;
        column = ws_grid_put(grid, in, row, column, WS_LOOK_DIM, any ? ", " : ": busy ");
        if (free < WS_NEVER)
            column = ws_grid_printf(grid, in, row, column, WS_LOOK_HERE,
                                    "%s for %" G_GUINT64_FORMAT, resources[i].name, free - cycle);
        else
            column = ws_grid_put(grid, in, row, column, WS_LOOK_HERE, resources[i].name);
        any = TRUE;
    }
}

/* Returns the row behind: the slots of the sub-core that are there for the reason, if there are
 * any. */
static guint draw_reason(const WsView *view, const WsSm *sm, guint sub_core, WsStall reason,
                         WsGrid *grid, const WsRectangle *in, guint row)
{
    const WsHistoryCycle *now = ws_history_at(view->history, ws_timeline_cycle(view->timeline));
    g_autofree char *count = NULL;
    guint64 slots = 0;
    guint column;

    for (guint64 rest = sm->state->resident; rest != 0; rest &= rest - 1) {
        guint32 slot = (guint32)__builtin_ctzll(rest);

        if (sm->state->warps[slot].sub_core == sub_core && ws_view_stall(view, sm, slot) == reason)
            slots |= (guint64)1 << slot;
    }
    if (slots == 0)
        return row;
    column = ws_grid_printf(grid, in, row, 3, ws_look_of_stall(reason), "%s",
                            reason == WS_STALL_SELECTED ? "issues" : ws_stall_name(reason));
    /* No number is cut. */
    count = g_strdup_printf(" .. %d", __builtin_popcountll(slots));
    for (guint64 rest = slots; rest != 0; rest &= rest - 1) {
        if (column + strlen(count) + 3 > in->columns && (rest & (rest - 1)) != 0) {
            ws_grid_put(grid, in, row, column, WS_LOOK_DIM, count);
            return row + 1;
        }
        column = ws_grid_printf(grid, in, row, column, WS_LOOK_PLAIN, " %d", __builtin_ctzll(rest));
    }
    if (reason == WS_STALL_SELECTED && now != NULL && now->issued[sub_core] != WS_NO_INSTRUCTION) {
        g_autofree char *line = ws_instruction_line(view->listings, now->issued[sub_core]);

        ws_grid_printf(grid, in, row, column, WS_LOOK_PLAIN, ": %s", line);
    }
    return row + 1;
}

static void draw_box(const WsView *view, const WsSm *sm, guint sub_core, WsGrid *grid,
                     const WsRectangle *in)
{
    guint row = 0, warps = 0;

    for (guint64 rest = sm->state->resident; rest != 0; rest &= rest - 1)
        warps += sm->state->warps[__builtin_ctzll(rest)].sub_core == sub_core;
    ws_grid_printf(grid, in, row++, 0, WS_LOOK_STRONG, "+- sub-core %u, %u warp%s ", sub_core,
                   warps, warps == 1 ? "" : "s");
    for (guint unit = 0; unit < G_N_ELEMENTS(units) && row < in->rows; unit++) {
        guint column = ws_grid_printf(grid, in, row, 0, WS_LOOK_DIM, "| %s", units[unit].name);

        draw_busy(view, &sm->state->sub_cores[sub_core], units[unit].name, grid, in, row++, column);
        for (guint i = 0; i < MOST_REASONS && units[unit].reasons[i] != NO_MORE; i++) {
            guint from = row;

            row = draw_reason(view, sm, sub_core, (WsStall)units[unit].reasons[i], grid, in, row);
            if (row > from)
                ws_grid_put(grid, in, from, 0, WS_LOOK_DIM, "|");
        }
    }
}

/* What the SM has for all sub-cores. */
static void draw_shared(const WsView *view, const WsSm *sm, WsGrid *grid, const WsRectangle *in,
                        guint row)
{
    guint under_way = 0, column;

    for (guint32 i = 0; i < sm->pending.count; i++)
        under_way += ws_state_array_index(&sm->pending, WsSmAccess, i).under_way;
    column = ws_grid_printf(grid, in, row, 0, WS_LOOK_STRONG,
                            "load-store unit, L1, L2, DRAM: %u access%s in flight", under_way,
                            under_way == 1 ? "" : "es");
    for (guint i = 0; i < WS_MAX_BLOCK_SLOTS; i++) {
        const WsBlockState *block = &sm->state->blocks[i];

        if (block->used && block->waiting != 0)
            column = ws_grid_printf(grid, in, row, column, WS_LOOK_SYNC,
                                    "   block %u: %d of %d warps at a barrier", block->linear,
                                    __builtin_popcountll(block->waiting),
                                    __builtin_popcountll(block->alive));
    }
}

void ws_draw_machine(const WsView *view, WsPane pane, WsGrid *grid, const WsRectangle *in)
{
    const WsSm *sm = ws_view_sm(view);
    guint count, across, rows, height;

    if (sm == NULL) {
        ws_grid_printf(grid, in, 0, 1, WS_LOOK_DIM, "SM %u is not used by this launch.", view->sm);
        return;
    }
    count = sm->context->sub_cores;
    across = CLAMP(in->columns / LEAST_BOX, 1, count);
    rows = (count + across - 1) / across;
    height = MAX((in->rows - 1) / rows, 1);
    for (guint i = 0; i < count; i++) {
        WsRectangle box = {in->row + i / across * height,
                           in->column + i % across * (in->columns / across), height,
                           in->columns / across - 1};

        if (box.row + box.rows <= in->row + in->rows)
            draw_box(view, sm, i, grid, &box);
    }
    draw_shared(view, sm, grid, in, in->rows - 1);
}
