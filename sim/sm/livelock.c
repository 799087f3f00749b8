#include "sim/sm/livelock.h"

#include <string.h>

enum { WATCH_CYCLES = 8192 };

void ws_livelock_init(WsLivelock *ret, WsStateArena *arena, guint64 limit, guint32 sm_count)
{
    *ret = (WsLivelock){
        .arena = arena, .limit = limit, .watch_cycles = WATCH_CYCLES, .sm_count = sm_count};
    ret->marks = ws_state_alloc(arena, sm_count, sizeof *ret->marks);
}

void ws_livelock_clear(WsLivelock *livelock)
{
    ws_state_free(livelock->arena, livelock->marks);
}

/* One step of FNV-1a (Fowler, Noll, Vo) on 64 bits at a time. */
static guint64 mix(guint64 hash, guint64 value)
{
    hash = (hash ^ value) * G_GUINT64_CONSTANT(0x100000001b3);
    return hash ^ hash >> 29;
}

/* Lanes set aside, and how far it is to their turn: until then, a repetition proves nothing. */
static guint64 hash_paths(guint64 hash, const WsSm *sm, guint32 slot)
{
    const WsDivergenceModel *model = sm->context->divergence;
    const void *state = ws_sm_path_state(sm, slot);
    WsLanesAt lanes[WS_MAX_PATHS];
    guint count = model->waiting(state, &sm->state->warps[slot].path, lanes);

    for (guint i = 0; i < count; i++)
        hash = mix(mix(hash, lanes[i].lanes), lanes[i].pc);
    if (model->turns != NULL && sm->context->device->progress_after != 0)
        hash = mix(hash, model->turns(state));
    return hash;
}

static guint64 hash_warp(const WsSm *sm, guint32 slot)
{
    const WsWarpRegisters *registers = &sm->state->registers[slot];
    gsize count = (gsize)sm->context->kernel->registers * sm->context->decoded->warp_size;
    guint64 hash = mix(G_GUINT64_CONSTANT(0xcbf29ce484222325), sm->state->warps[slot].path.active);

    for (gsize i = 0; i < count; i++)
        hash = mix(hash, registers->registers[i]);
    for (guint i = 0; i < G_N_ELEMENTS(registers->predicates); i++)
        hash = mix(hash, registers->predicates[i]);
    for (guint i = 0; i < G_N_ELEMENTS(registers->uniform); i++)
        hash = mix(hash, registers->uniform[i]);
    return hash_paths(mix(hash, registers->uniform_predicates), sm, slot);
}

/* The warp is about to issue at path.pc: the same state as at the mark is a repetition. */
static void visit(WsLivelockMark *mark, const WsSm *sm, guint32 slot)
{
    guint32 pc = sm->state->warps[slot].path.pc;
    guint64 hash;

    if (mark->repeated || (mark->visits != 0 && mark->pc != pc))
        return;
    hash = hash_warp(sm, slot);
    if (mark->visits != 0 && mark->hash == hash) {
        mark->repeated = TRUE;
        return;
    }
    /* The first visits may be the way into the loop: mark again after 1, 2, 4, 8 ... of them. */
    if ((mark->visits & (mark->visits - 1)) == 0 || mark->visits == 0) {
        mark->hash = hash;
        mark->pc = pc;
    }
    mark->visits++;
}

void ws_livelock_watch(WsLivelock *livelock, const WsSm *sm, guint64 cycle)
{
    for (guint32 i = 0; i < sm->context->sub_cores; i++) {
        guint8 last = sm->state->sub_cores[i].view.last;
        guint32 slot = last != WS_NO_WARP ? ws_slot_of(sm, i, last) : 0;
        const WsWarp *warp = &sm->state->warps[slot];

        if (last != WS_NO_WARP && warp->last_issue + 1 == cycle &&
            (warp->state == WS_WARP_TIMED || warp->state == WS_WARP_RESPONSE))
            visit(&livelock->marks[sm->index][slot], sm, slot);
    }
}

static gboolean has_waiting_lanes(const WsSm *sm, guint32 slot)
{
    WsLanesAt lanes[WS_MAX_PATHS];

    return sm->context->divergence->waiting(ws_sm_path_state(sm, slot),
                                            &sm->state->warps[slot].path, lanes) != 0;
}

static gboolean all_repeat(const WsLivelock *livelock, WsSm *const *sms)
{
    gboolean waiting = FALSE;

    for (guint32 i = 0; i < livelock->sm_count; i++)
        for (guint64 m = sms[i]->state->resident; m != 0; m &= m - 1) {
            guint32 slot = (guint32)__builtin_ctzll(m);
            const WsWarp *warp = &sms[i]->state->warps[slot];

            waiting = waiting || ws_warp_is_at_barrier(warp);
            if (warp->state == WS_WARP_DRAIN || ws_warp_is_at_barrier(warp))
                continue;
            if (!livelock->marks[i][slot].repeated)
                return FALSE;
            waiting = waiting || has_waiting_lanes(sms[i], slot);
        }
    return waiting;
}

gboolean ws_livelock_look(WsLivelock *livelock, WsSm *const *sms, guint64 cycle)
{
    guint64 progress = 0;

    for (guint32 i = 0; i < livelock->sm_count; i++)
        progress += sms[i]->state->progress;
    if (progress != livelock->progress) {
        livelock->progress = progress;
        livelock->since = cycle;
        livelock->watching = FALSE;
    } else if (livelock->watching) {
        if (all_repeat(livelock, sms))
            return TRUE;
        if (cycle >= livelock->watch_until) {
            livelock->watching = FALSE;
            livelock->since = cycle;
            livelock->limit *= 2;
            livelock->watch_cycles *= 2;
        }
    } else if (cycle - livelock->since >= livelock->limit) {
        memset(livelock->marks, 0, livelock->sm_count * sizeof *livelock->marks);
        livelock->watching = TRUE;
        livelock->watch_until = cycle + livelock->watch_cycles;
    }
    return FALSE;
}
