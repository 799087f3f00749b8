#include "sim/sm/livelock.h"

#include <string.h>

#include "sim/memory/change_watch.h"

enum { WATCH_CYCLES = 8192, MOST_VISITS = 64, LONG_LOOP = 256 /* instructions */ };

void ws_livelock_init(WsLivelock *ret, WsStateArena *arena, WsMemorySystem *system, guint64 limit,
                      guint32 sm_count)
{
    *ret = (WsLivelock){.arena = arena,
                        .system = system,
                        .limit = limit,
                        .watch_cycles = WATCH_CYCLES,
                        .most_visits = MOST_VISITS,
                        .sm_count = sm_count};
    ret->marks = ws_state_alloc(arena, sm_count, sizeof *ret->marks);
    ws_memory_system_watch(system, FALSE);
}

static void forget_marks(WsLivelock *livelock)
{
    for (guint32 i = 0; i < livelock->sm_count; i++)
        for (guint32 slot = 0; slot < WS_MAX_WARP_SLOTS; slot++)
            ws_state_free(livelock->arena, livelock->marks[i][slot].state);
    memset(livelock->marks, 0, livelock->sm_count * sizeof *livelock->marks);
}

void ws_livelock_clear(WsLivelock *livelock)
{
    forget_marks(livelock);
    ws_state_free(livelock->arena, livelock->marks);
}

/* ---- the state of a warp ------------------------------------------------------------------------
 */

/* One step of FNV-1a (Fowler, Noll, Vo) on 64 bits at a time. */
static guint64 mix(guint64 hash, guint64 value)
{
    hash = (hash ^ value) * G_GUINT64_CONSTANT(0x100000001b3);
    return hash ^ hash >> 29;
}

/* How far it is to the turn of lanes set aside: until then, a repetition proves nothing. */
static guint64 turns_of(const WsSm *sm, guint32 slot)
{
    const WsDivergenceModel *model = sm->context->divergence;

    return model->turns != NULL && sm->context->device->progress_after != 0
               ? model->turns(ws_sm_path_state(sm, slot))
               : 0;
}

/* Registers of the first lane that runs, and where lanes are. */
static guint64 hash_warp(const WsSm *sm, guint32 slot)
{
    const WsWarpRegisters *registers = &sm->state->registers[slot];
    const WsPath *path = &sm->state->warps[slot].path;
    guint32 size = sm->context->decoded->warp_size;
    guint lane = (guint)__builtin_ctzll(path->active);
    guint64 hash = mix(G_GUINT64_CONSTANT(0xcbf29ce484222325), path->active);

    for (guint32 i = 0; i < sm->context->kernel->registers; i++)
        hash = mix(hash, registers->registers[(gsize)i * size + lane]);
    for (guint i = 0; i < WS_PT; i++)
        hash = mix(hash, registers->predicates[i]);
    return mix(hash, turns_of(sm, slot));
}

/* What of a warp decides what it does, one part after the other. */
typedef struct {
    const void *data;
    gsize bytes;
} Part;

enum { PATHS, REST, REGISTERS, LOCAL, PART_COUNT };

typedef struct {
    guint64 turns;
    WsPath path;
    guint64 predicates[WS_GUARD_UNIFORM];
    guint32 uniform[64];
    guint8 uniform_predicates;
} Rest;

static void find_parts(const WsSm *sm, guint32 slot, Rest *rest, Part ret[PART_COUNT])
{
    const WsWarpRegisters *registers = &sm->state->registers[slot];
    gsize words;
    const guint32 *local = ws_sm_memory_local(sm->memory, slot, &words);

    G_STATIC_ASSERT(sizeof rest->predicates == sizeof registers->predicates);
    G_STATIC_ASSERT(sizeof rest->uniform == sizeof registers->uniform);
    memset(rest, 0, sizeof *rest); /* gaps too */
    rest->turns = turns_of(sm, slot);
    rest->path.active = sm->state->warps[slot].path.active;
    rest->path.pc = sm->state->warps[slot].path.pc;
    rest->path.stop = sm->state->warps[slot].path.stop;
    memcpy(rest->predicates, registers->predicates, sizeof rest->predicates);
    memcpy(rest->uniform, registers->uniform, sizeof rest->uniform);
    rest->uniform_predicates = registers->uniform_predicates;
    ret[REGISTERS] =
        (Part){registers->registers, (gsize)sm->context->kernel->registers *
                                         sm->context->decoded->warp_size * sizeof(guint32)};
    ret[REST] = (Part){rest, sizeof *rest};
    ret[LOCAL] = (Part){local, words * sizeof *local};
    ret[PATHS] = (Part){ws_sm_path_state(sm, slot), sm->context->path_bytes};
}

static void keep_state(WsLivelock *livelock, WsLivelockMark *mark, const WsSm *sm, guint32 slot)
{
    Rest rest;
    Part parts[PART_COUNT];
    gsize bytes = 0;
    guint8 *place;

    find_parts(sm, slot, &rest, parts);
    for (guint i = 0; i < PART_COUNT; i++)
        bytes += parts[i].bytes;
    if (bytes != mark->bytes) { /* local memory is there when it is first touched */
        ws_state_free(livelock->arena, mark->state);
        mark->state = ws_state_alloc(livelock->arena, bytes, 1);
        mark->bytes = bytes;
    }
    place = mark->state;
    for (guint i = 0; i < PART_COUNT; place += parts[i++].bytes)
        if (parts[i].bytes != 0)
            memcpy(place, parts[i].data, parts[i].bytes);
    mark->kept = TRUE;
}

static gboolean is_in_state(const WsLivelockMark *mark, const WsSm *sm, guint32 slot)
{
    Rest rest;
    Part parts[PART_COUNT];
    const guint8 *place = mark->state;
    gsize bytes = 0;

    find_parts(sm, slot, &rest, parts);
    for (guint i = 0; i < PART_COUNT; i++)
        bytes += parts[i].bytes;
    if (bytes != mark->bytes)
        return FALSE;
    if (!sm->context->divergence->same(place, parts[PATHS].data))
        return FALSE;
    for (guint i = PATHS + 1; i < PART_COUNT; i++) {
        place += parts[i - 1].bytes;
        if (parts[i].bytes != 0 && memcmp(place, parts[i].data, parts[i].bytes) != 0)
            return FALSE;
    }
    return TRUE;
}

/* ---- watching -----------------------------------------------------------------------------------
 */

/* What an instruction does is decided by more than the warp's state and memory. */
static gboolean depends_on_time(const WsSm *sm, guint32 pc)
{
    const WsProgram *program = sm->context->program;
    const WsInstruction *instruction = &program->instructions[pc];

    if (pc >= program->instruction_count) /* a warp that has come to its end */
        return FALSE;
    if (ws_is_kind(instruction, WS_KIND_BARRIER))
        return instruction->mod[WS_MOD_BARRIER] >= WS_BAR_RED_POPC;
    for (guint i = 0; i < WS_MAX_OPERANDS; i++)
        if (instruction->operand[i].kind == WS_OPERAND_SPECIAL)
            switch (instruction->operand[i].value) {
            case WS_SR_CLOCK_LO:
            case WS_SR_CLOCK_HI:
            case WS_SR_GLOBALTIMER_LO:
            case WS_SR_GLOBALTIMER_HI:
                return TRUE;
            default:
                break;
            }
    return FALSE;
}

/* Any of the lanes of the warp comes to such an instruction next. */
static gboolean comes_to_time(const WsSm *sm, guint32 slot)
{
    const WsWarp *warp = &sm->state->warps[slot];
    WsLanesAt lanes[WS_MAX_PATHS];
    guint count;

    if (warp->state == WS_WARP_TIMED || warp->state == WS_WARP_RESPONSE)
        return depends_on_time(sm, warp->path.pc);
    /* Which path goes on when the wait is over is not known yet. */
    count = sm->context->divergence->waiting(ws_sm_path_state(sm, slot), &warp->path, lanes);
    for (guint i = 0; i < count; i++)
        if (depends_on_time(sm, lanes[i].pc) || depends_on_time(sm, lanes[i].pc + 1))
            return TRUE;
    return depends_on_time(sm, warp->path.pc);
}

/* The warp is about to issue at path.pc: the same state as at the mark is a repetition. */
static void visit(WsLivelock *livelock, WsLivelockMark *mark, const WsSm *sm, guint32 slot)
{
    guint32 pc = sm->state->warps[slot].path.pc;
    guint64 hash;

    /* A load under way would be a part of the state. */
    if (mark->repeated || ws_sm_memory_warp_busy(sm->memory, slot))
        return;
    if (mark->visits != 0 && mark->pc != pc) {
        if (++mark->elsewhere < mark->patience)
            return;
        mark->visits = mark->elsewhere = 0; /* the mark is outside of the loop */
        mark->patience *= 2;
    }
    hash = hash_warp(sm, slot);
    if (mark->visits != 0 && mark->hash == hash) {
        if (mark->kept && is_in_state(mark, sm, slot)) {
            mark->repeated = TRUE;
            return;
        }
        if (!mark->kept)
            keep_state(livelock, mark, sm, slot);
    }
    /* The first visits may be the way into the loop: mark again after 1, 2, 4, 8 ... of them. */
    if ((mark->visits & (mark->visits - 1)) == 0) {
        mark->hash = hash;
        mark->pc = pc;
        mark->kept = FALSE;
    }
    mark->visits++;
    mark->elsewhere = 0;
    mark->patience = MAX(mark->patience, LONG_LOOP);
}

void ws_livelock_watch(WsLivelock *livelock, const WsSm *sm, guint64 cycle)
{
    for (guint32 i = 0; i < sm->context->sub_cores; i++) {
        guint8 last = sm->state->sub_cores[i].view.last;
        guint32 slot = last != WS_NO_WARP ? ws_slot_of(sm, i, last) : 0;
        const WsWarp *warp = &sm->state->warps[slot];
        WsLivelockMark *mark = &livelock->marks[sm->index][slot];

        if (last == WS_NO_WARP || warp->last_issue + 1 != cycle || warp->state == WS_WARP_DRAIN)
            continue;
        mark->timed = mark->timed || comes_to_time(sm, slot);
        if (warp->path.active != 0 &&
            (warp->state == WS_WARP_TIMED || warp->state == WS_WARP_RESPONSE))
            visit(livelock, mark, sm, slot);
    }
}

/* ---- judging ------------------------------------------------------------------------------------
 */

typedef enum { SOME_GO_ON, ALL_REPEAT, SOME_COUNT } Finding;

/* How the warps of one SM have done so far; SOME_COUNT: no use to go on. */
static Finding judge_sm(const WsLivelock *livelock, const WsSm *sm, gboolean *any)
{
    Finding found =
        sm->state->start_count == 0 && sm->state->draining == 0 ? ALL_REPEAT : SOME_GO_ON;

    for (guint64 m = sm->state->resident; m != 0; m &= m - 1) {
        guint32 slot = (guint32)__builtin_ctzll(m);
        const WsLivelockMark *mark = &livelock->marks[sm->index][slot];

        if (mark->timed || (!mark->repeated && mark->visits >= livelock->most_visits))
            return SOME_COUNT;
        *any = *any || mark->repeated;
        if (ws_warp_is_at_barrier(&sm->state->warps[slot])
                ? ws_sm_memory_warp_busy(sm->memory, slot)
                : !mark->repeated)
            found = SOME_GO_ON;
    }
    return found;
}

static Finding judge(const WsLivelock *livelock, WsSm *const *sms)
{
    Finding all = ALL_REPEAT;
    gboolean any = FALSE;

    for (guint32 i = 0; i < livelock->sm_count; i++) {
        Finding found = judge_sm(livelock, sms[i], &any);

        if (found == SOME_COUNT)
            return SOME_COUNT;
        if (found == SOME_GO_ON)
            all = SOME_GO_ON;
    }
    return any ? all : SOME_GO_ON;
}

static void end_watch(WsLivelock *livelock, guint64 cycle)
{
    livelock->watching = FALSE;
    livelock->since = cycle;
    ws_memory_system_watch(livelock->system, FALSE);
    forget_marks(livelock);
}

/* What was found is no endless loop, or not yet: the next watch comes later and takes longer. */
static void give_up(WsLivelock *livelock, guint64 cycle)
{
    end_watch(livelock, cycle);
    livelock->limit *= 2;
    livelock->watch_cycles *= 2;
    livelock->most_visits *= 4;
}

/* Stores under way when the last warp repeated itself may change something yet. */
static gboolean has_settled(WsLivelock *livelock, guint64 cycle)
{
    if (livelock->settled == 0) {
        guint64 applied = ws_memory_system_applied(livelock->system);

        livelock->settled = applied == G_MAXUINT64 ? 0 : MAX(applied, cycle + 1);
    }
    return livelock->settled != 0 && cycle >= livelock->settled;
}

/* One more window of the watch; TRUE: this is an endless loop. */
static gboolean go_on_watching(WsLivelock *livelock, WsSm *const *sms, guint64 cycle)
{
    Finding found = judge(livelock, sms);

    if (ws_memory_system_changes(livelock->system) != 0 || found == SOME_COUNT ||
        (cycle >= livelock->watch_until && livelock->settled == 0)) {
        give_up(livelock, cycle);
        return FALSE;
    }
    if (found != ALL_REPEAT || !has_settled(livelock, cycle))
        return FALSE;
    if (!ws_memory_system_is_stale(livelock->system))
        return TRUE;
    give_up(livelock, cycle);
    return FALSE;
}

gboolean ws_livelock_look(WsLivelock *livelock, WsSm *const *sms, guint64 cycle)
{
    guint64 progress = 0;

    for (guint32 i = 0; i < livelock->sm_count; i++)
        progress += sms[i]->state->progress;
    if (progress != livelock->progress) {
        livelock->progress = progress;
        if (livelock->watching)
            end_watch(livelock, cycle);
        livelock->since = cycle;
    } else if (livelock->watching) {
        return go_on_watching(livelock, sms, cycle);
    } else if (cycle - livelock->since >= livelock->limit) {
        ws_memory_system_watch(livelock->system, TRUE);
        livelock->settled = 0;
        livelock->watching = TRUE;
        livelock->watch_until = cycle + livelock->watch_cycles;
    }
    return FALSE;
}
