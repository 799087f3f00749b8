#include "sim/sm/policy_sight.h"

#include "sim/sm/eligibility.h"

/* ---- sets of warps ------------------------------------------------------------------------------
 */

/* The warp waits for something that takes long, or nobody knows how long. */
static gboolean waits_long(const WsWarp *warp, guint64 now)
{
    if (warp->state != WS_WARP_TIMED || warp->operands.until[WS_WAIT_LONG] > now)
        return TRUE;
    return warp->hold.until > now &&
           (warp->hold.reason == WS_STALL_BARRIER || warp->hold.reason == WS_STALL_MEMBAR ||
            warp->hold.reason == WS_STALL_SLEEPING);
}

static gboolean loads_through_l1(const WsSm *sm, const WsWarp *warp)
{
    guint8 execution_class = sm->issues[warp->path.pc].execution_class;

    return execution_class == WS_CLASS_GLOBAL_LOAD || execution_class == WS_CLASS_LOCAL_LOAD ||
           execution_class == WS_CLASS_TEXTURE;
}

static guint64 resident_warps(const WsSm *sm, guint32 number)
{
    return ws_block_age_warps(&sm->state->sub_cores[number].view.blocks);
}

static const WsWarp *warp_of(const WsSm *sm, guint32 number, guint64 warps)
{
    return &sm->state->warps[ws_slot_of(sm, number, ws_lowest_warp(warps))];
}

void ws_sm_policy_warps(const WsSm *sm, guint32 number, guint64 eligible, guint64 now,
                        WsPolicyWarps *ret)
{
    const WsSubCore *sub_core = &sm->state->sub_cores[number];
    const WsWarpOrder *age = &sub_core->view.age;

    *ret = (WsPolicyWarps){.sub_core = number, .eligible = eligible};
    ret->memory = sub_core->pipes.want[WS_RESOURCE_LG] | sub_core->pipes.want[WS_RESOURCE_MIO];
    for (guint i = age->next[WS_ORDER_HEAD]; i != WS_ORDER_HEAD; i = age->next[i]) {
        const WsWarp *warp = &sm->state->warps[ws_slot_of(sm, number, i)];
        guint64 bit = (guint64)1 << i;

        if (eligible & bit)
            ret->loads |= loads_through_l1(sm, warp) ? bit : 0;
        else
            ret->waiting |= waits_long(warp, now) ? bit : 0;
    }
}

static guint64 barrier_warps(const WsSm *sm, guint32 number)
{
    guint64 warps = 0;

    for (guint64 rest = resident_warps(sm, number); rest != 0; rest &= rest - 1)
        if (ws_warp_is_at_barrier(warp_of(sm, number, rest)))
            warps |= rest & -rest;
    return warps;
}

/* ---- what a policy reads ------------------------------------------------------------------------
 */

static const WsPolicyView *view_of(const void *data, guint32 sub_core)
{
    const WsSm *sm = data;

    return &sm->state->sub_cores[sub_core].view;
}

static void show_sets(const void *data, ws_view *ret)
{
    const WsSm *sm = data;
    guint32 number = (guint32)ret->sub_core;
    WsPolicyWarps warps;

    ws_sm_policy_warps(sm, number, ret->eligible, ret->cycle, &warps);
    ret->memory = warps.memory;
    ret->loads = warps.loads;
    ret->waiting = warps.waiting;
    ret->resident = resident_warps(sm, number);
    ret->barrier = barrier_warps(sm, number);
}

/* NULL: no warp has the number. */
static const WsWarp *resident_warp(const WsSm *sm, const ws_view *view, guint number)
{
    if (number >= WS_SUB_CORE_WARPS || !(resident_warps(sm, (guint32)view->sub_core) >> number & 1))
        return NULL;
    return &sm->state->warps[ws_slot_of(sm, (guint)view->sub_core, number)];
}

static void show_warp(const void *data, const ws_view *view, guint number, ws_warp *ret)
{
    const WsSm *sm = data;
    const WsWarp *warp = resident_warp(sm, view, number);
    const WsBlockState *block;

    if (warp == NULL)
        return;
    block = &sm->state->blocks[warp->block_slot];
    *ret = (ws_warp){.lanes = warp->path.active,
                     .since = warp->resident_since,
                     .last_cycle = warp->last_issue == WS_NEVER ? UINT64_MAX : warp->last_issue,
                     .pc = warp->path.pc - sm->context->kernel->first,
                     .next = sm->issues[warp->path.pc].execution_class,
                     .block = block->linear,
                     .in_block = warp->warp_in_block,
                     .pending = ws_sm_memory_pending(sm->memory, warp->slot),
                     .slot = (guint8)warp->slot,
                     .block_slot = (guint8)warp->block_slot,
                     .block_warps = (guint8)__builtin_popcountll(block->alive),
                     .arrived = (guint8)__builtin_popcountll(block->waiting)};
}

static gboolean has_operands(const WsWarp *warp, guint64 cycle)
{
    if (warp->state != WS_WARP_TIMED)
        return FALSE;
    for (guint i = 0; i < G_N_ELEMENTS(warp->operands.until); i++)
        if (warp->operands.until[i] > cycle)
            return FALSE;
    return TRUE;
}

/* Loads, stores and atomics of global memory, or of generic addresses. */
static void show_access(const void *data, const ws_view *view, guint number, ws_access *ret)
{
    const WsSm *sm = data;
    const WsWarp *warp = resident_warp(sm, view, number);
    const WsDecoded *decoded = warp == NULL ? NULL : &sm->instructions[warp->path.pc];
    guint64 address[WS_MAX_WARP_SIZE], mask;
    WsAddressSpan span;

    if (warp == NULL || decoded->kind != WS_KIND_MEMORY ||
        decoded->operation.space == WS_SPACE_SHARED || decoded->operation.space == WS_SPACE_LOCAL ||
        !has_operands(warp, view->cycle))
        return;
    mask = ws_guard_mask(decoded, &sm->state->registers[warp->slot], warp->path.active);
    if (mask == 0)
        return;
    ws_lane_addresses(sm->decoded, decoded, &sm->state->registers[warp->slot], mask,
                      decoded->operation.bytes, address, &span);
    ret->low = span.low;
    ret->high = span.high;
    ret->lanes = ws_count_lanes(mask);
    ret->lines = ws_sm_memory_lines(sm->memory, address, mask, decoded->operation.bytes);
}

static void show_memory(const void *data, const ws_view *view, ws_memory *ret)
{
    const WsSm *sm = data;
    WsSmMemoryUse use;

    ws_sm_memory_use(sm->memory, (guint32)view->sub_core, view->cycle, &use);
    *ret = (ws_memory){.l1_hits = use.l1_hits,
                       .l1_lookups = use.l1_lookups,
                       .sectors = use.sectors,
                       .most_sectors = use.most_sectors,
                       .lines = use.lines,
                       .most_lines = use.most_lines,
                       .waiting = use.waiting,
                       .most_waiting = use.most_waiting,
                       .queue = use.queue};
}

const WsPolicySight ws_policy_sight = {.view = view_of,
                                       .sets = show_sets,
                                       .warp = show_warp,
                                       .access = show_access,
                                       .memory = show_memory};
