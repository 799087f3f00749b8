#include "inspect/session/focus.h"

WsWarpPlace ws_find_warp(const WsTimeline *timeline, guint32 block, guint32 warp)
{
    guint32 count;
    WsSm *const *sms = ws_simulation_sms(ws_timeline_simulation(timeline), &count);

    for (guint32 i = 0; i < count; i++) {
        const WsSmState *state = sms[i]->state;

        for (guint64 rest = state->resident; rest != 0; rest &= rest - 1) {
            guint32 slot = (guint32)__builtin_ctzll(rest);

            if (state->warps[slot].warp_in_block == warp &&
                state->blocks[state->warps[slot].block_slot].linear == block)
                return (WsWarpPlace){sms[i], slot};
        }
    }
    return (WsWarpPlace){NULL, 0};
}

WsFocus ws_focus_of(const WsSm *sm, guint32 slot)
{
    const WsWarp *warp = &sm->state->warps[slot];

    return (WsFocus){.block = sm->state->blocks[warp->block_slot].linear,
                     .warp = warp->warp_in_block};
}

/* ---- lanes --------------------------------------------------------------------------------------
 */

static guint64 first_lanes(guint32 count)
{
    return count >= 64 ? G_MAXUINT64 : ((guint64)1 << count) - 1;
}

guint64 ws_launched_lanes(const WsSm *sm, guint32 slot)
{
    guint32 size = sm->context->decoded->warp_size;

    return first_lanes(
        MIN(size, sm->context->threads_per_block - sm->state->warps[slot].warp_in_block * size));
}

void ws_lane_states(const WsSm *sm, guint32 slot, WsLaneStates *ret)
{
    const WsLaunchContext *context = sm->context;
    const WsWarp *warp = &sm->state->warps[slot];
    const WsDecoded *next = &sm->instructions[warp->path.pc];
    WsLanesAt others[WS_MAX_PATHS];
    guint count = context->divergence->waiting(ws_sm_path_state(sm, slot), &warp->path, others);

    *ret = (WsLaneStates){.active = warp->state == WS_WARP_DRAIN ? 0 : warp->path.active};
    ret->launched = ws_launched_lanes(sm, slot);
    for (guint i = 0; i < count; i++)
        ret->waiting |= others[i].lanes & ~ret->active;
    if (ret->active != 0 && next->guard != WS_PT)
        ret->guarded = ret->active & ~ws_guard_mask(next, &sm->state->registers[slot], ret->active);
    ret->exited = ret->launched & ~(ret->active | ret->waiting);
}

char ws_lane_glyph(const WsLaneStates *states, guint lane)
{
    guint64 bit = (guint64)1 << lane;

    if (!(states->launched & bit))
        return '.';
    if (states->exited & bit)
        return 'x';
    if (states->waiting & bit)
        return 'd';
    return states->guarded & bit ? 'p' : '#';
}

void ws_lane_glyphs(const WsLaneStates *states, guint warp_size, char *ret)
{
    for (guint lane = 0; lane < warp_size; lane++)
        ret[lane] = ws_lane_glyph(states, lane);
    ret[warp_size] = '\0';
}

void ws_lane_set(guint64 lanes, guint size, char *ret)
{
    for (guint lane = 0; lane < size; lane++)
        ret[lane] = lanes >> lane & 1 ? '#' : '-';
    ret[size] = '\0';
}

char *ws_lane_count_text(guint64 lanes)
{
    guint count = (guint)__builtin_popcountll(lanes);

    return g_strdup_printf("%u lane%s", count, count == 1 ? "" : "s");
}

/* ---- names --------------------------------------------------------------------------------------
 */

char *ws_warp_name(const WsSm *sm, guint32 slot)
{
    const WsWarp *warp = &sm->state->warps[slot];
    const guint32 *index = sm->state->blocks[warp->block_slot].index;

    return g_strdup_printf("block (%u,%u,%u) warp %u, on sm %u sub-core %u slot %u", index[0],
                           index[1], index[2], warp->warp_in_block, sm->number, warp->sub_core,
                           slot);
}

void ws_scoreboard_entry_name(const WsIssueTable *table, guint32 entry, char *ret, gsize bytes)
{
    if (entry < table->first_predicate)
        g_snprintf(ret, bytes, "R%u", entry);
    else if (entry < table->first_uniform)
        g_snprintf(ret, bytes, "P%u", entry - table->first_predicate);
    else if (entry < table->first_uniform_predicate)
        g_snprintf(ret, bytes, "UR%u", entry - table->first_uniform);
    else if (entry < table->first_barrier)
        g_snprintf(ret, bytes, "UP%u", entry - table->first_uniform_predicate);
    else
        *ret = '\0';
}

void ws_thread_of(const WsSm *sm, guint32 slot, guint32 lane, guint32 ret[3])
{
    const guint32 *size = sm->context->launch->block;
    guint32 thread = sm->state->warps[slot].warp_in_block * sm->context->decoded->warp_size + lane;

    ret[0] = thread % size[0];
    ret[1] = thread / size[0] % size[1];
    ret[2] = thread / size[0] / size[1];
}
