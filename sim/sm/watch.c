#include "sim/sm/watch.h"

#include <string.h>

#include "sim/sm/eligibility.h"

static guint64 hash_paths(const WsLanesAt *paths, guint count)
{
    const guint64 factor = G_GUINT64_CONSTANT(0x9e3779b97f4a7c15);
    guint64 hash = count;

    for (guint i = 0; i < count; i++) {
        hash = (hash ^ paths[i].lanes) * factor;
        hash = (hash ^ (hash >> 29) ^ paths[i].pc) * factor;
        hash = (hash ^ (hash >> 32) ^ g_str_hash(paths[i].how)) * factor;
    }
    return hash;
}

/* What there is to know of a warp that was there before somebody watched. */
static void know_warp(WsSm *sm, guint32 slot)
{
    const WsLaunchContext *context = sm->context;
    const WsPath *path = &sm->state->warps[slot].path;
    guint32 size = context->decoded->warp_size;
    guint32 first_thread = sm->state->warps[slot].warp_in_block * size;
    guint32 lanes = MIN(size, context->threads_per_block - first_thread);
    WsLanesAt paths[WS_MAX_PATHS];
    guint count = context->divergence->waiting(ws_sm_path_state(sm, slot), path, paths);

    sm->watch->launched[slot] = lanes >= 64 ? G_MAXUINT64 : ((guint64)1 << lanes) - 1;
    sm->watch->alive[slot] = path->active;
    for (guint i = 0; i < count; i++)
        sm->watch->alive[slot] |= paths[i].lanes;
    sm->watch->paths[slot] = hash_paths(paths, count);
    sm->watch->told[slot] = (guint8)ws_warp_stall(sm, slot, sm->state->now);
}

void ws_sm_watch(WsSm *sm, WsEventStream *stream)
{
    WsSmWatch *watch = g_new0(WsSmWatch, 1);

    watch->stream = stream;
    watch->next = sm->state->now;
    sm->watch = watch;
    for (guint64 m = sm->state->resident; m != 0; m &= m - 1)
        know_warp(sm, (guint32)__builtin_ctzll(m));
}

void ws_sm_watch_free(WsSmWatch *watch)
{
    if (watch == NULL)
        return;
    g_free(watch);
}

static gboolean wants(const WsSm *sm, guint64 kinds)
{
    return sm->watch != NULL && ws_event_stream_wants(sm->watch->stream, kinds);
}

/* An event about a warp, with its kind's member still to be filled in. */
static WsTraceEvent event_of(const WsSm *sm, guint32 slot, WsTraceKind kind, guint64 cycle)
{
    const WsWarp *warp = &sm->state->warps[slot];
    WsTraceEvent event;

    memset(&event, 0, sizeof event); /* events are compared byte by byte */
    event.cycle = cycle;
    event.kind = (guint8)kind;
    event.sub_core = warp->sub_core;
    event.warp = (guint16)slot;
    event.sm = sm->number;
    event.block = sm->state->blocks[warp->block_slot].linear;
    event.warp_in_block = warp->warp_in_block;
    event.instruction = WS_NO_INSTRUCTION;
    return event;
}

static WsTraceEvent event_at(const WsSm *sm, guint32 slot, WsTraceKind kind, guint64 cycle,
                             guint32 pc)
{
    WsTraceEvent event = event_of(sm, slot, kind, cycle);

    event.instruction = pc;
    return event;
}

static void put(WsSm *sm, const WsTraceEvent *event)
{
    ws_event_stream_put(sm->watch->stream, event, sm->state->now);
}

/* ---- blocks and warps ---------------------------------------------------------------------------
 */

void ws_emit_block_begin(WsSm *sm, guint64 resident, guint32 warps, guint64 since)
{
    WsTraceEvent event;

    if (sm->watch == NULL)
        return;
    event = event_of(sm, (guint32)__builtin_ctzll(resident), WS_TRACE_BLOCK_BEGIN, sm->state->now);
    event.block_begin.since = since;
    event.block_begin.warps = warps;
    put(sm, &event);
    for (guint64 m = resident; m != 0; m &= m - 1) {
        guint32 slot = (guint32)__builtin_ctzll(m);
        guint64 lanes = sm->state->warps[slot].path.active;

        sm->watch->told[slot] = WS_STALL_SELECTED;
        sm->watch->alive[slot] = sm->watch->launched[slot] = lanes;
        sm->watch->paths[slot] = 0;
        event = event_of(sm, slot, WS_TRACE_WARP_BEGIN, sm->state->now);
        event.warp_begin.launched = lanes;
        put(sm, &event);
    }
}

void ws_emit_block_end(WsSm *sm, guint32 slot, guint64 now)
{
    WsTraceEvent event;

    if (!wants(sm, WS_TRACE_BIT(BLOCK_END)))
        return;
    event = event_of(sm, slot, WS_TRACE_BLOCK_END, now);
    put(sm, &event);
}

void ws_emit_warp(WsSm *sm, guint32 slot, WsTraceKind kind, guint64 now)
{
    WsTraceEvent event;

    if (sm->watch == NULL)
        return;
    event = event_of(sm, slot, kind, now);
    put(sm, &event);
    if (kind == WS_TRACE_WARP_END)
        ws_event_stream_forget(sm->watch->stream, slot);
}

void ws_emit_stop(WsSm *sm, guint32 slot)
{
    const WsSmStop *stop = &sm->state->stop;
    WsTraceEvent event;

    if (!wants(sm, WS_TRACE_BIT(STOP)))
        return;
    event = event_at(sm, slot, WS_TRACE_STOP, stop->cycle, stop->pc);
    event.stop.what = stop->what;
    event.stop.lane = stop->lane;
    put(sm, &event);
}

/* ---- issue --------------------------------------------------------------------------------------
 */

/* Warps of a sub-core, by number, as a mask of slots. */
static guint64 slots_of(const WsSm *sm, guint32 sub_core, guint64 warps)
{
    guint64 slots = 0;

    for (; warps != 0; warps &= warps - 1)
        slots |= (guint64)1 << ws_slot_of(sm, sub_core, (guint)__builtin_ctzll(warps));
    return slots;
}

void ws_emit_choice(WsSm *sm, guint32 slot, guint64 eligible, guint64 admitted, guint64 now)
{
    WsTraceEvent event;

    if (!wants(sm, WS_TRACE_BIT(CHOICE)))
        return;
    event = event_at(sm, slot, WS_TRACE_CHOICE, now, sm->state->warps[slot].path.pc);
    event.choice.eligible = slots_of(sm, event.sub_core, eligible);
    event.choice.admitted = slots_of(sm, event.sub_core, admitted);
    put(sm, &event);
}

void ws_emit_issue(WsSm *sm, guint32 slot, guint32 pc, guint64 mask, guint64 now)
{
    WsTraceEvent event;

    if (!wants(sm, WS_TRACE_BIT(ISSUE)))
        return;
    event = event_at(sm, slot, WS_TRACE_ISSUE, now, pc);
    event.issue.active = sm->state->warps[slot].path.active;
    event.issue.executed = mask;
    event.issue.alive = sm->watch->alive[slot];
    event.issue.launched = sm->watch->launched[slot];
    put(sm, &event);
}

static void add_to(guint8 *first, guint8 *count, guint32 index)
{
    guint32 low = *count == 0 ? index : MIN(*first, index);
    guint32 high = *count == 0 ? index : MAX(*first + *count - 1u, index);

    *first = (guint8)low;
    *count = (guint8)(high - low + 1);
}

/* What the instruction writes; FALSE if that is nothing. `ret_ready` is when, by the scoreboard. */
static gboolean find_outputs(const WsSm *sm, guint32 slot, guint32 pc, WsRegisterSet *ret,
                             guint64 *ret_ready)
{
    const WsIssueTable *table = sm->table;
    const WsIssueInfo *issue = &table->issues[pc];
    const WsDependence *output = &table->dependences[issue->first + issue->inputs];
    const guint64 *entries = ws_sm_entries(sm, &sm->state->warps[slot]);

    *ret = (WsRegisterSet){0};
    *ret_ready = 0;
    for (guint i = 0; i < issue->outputs; i++) {
        guint32 entry = output[i].entry;

        *ret_ready = MAX(*ret_ready, ws_entry_cycle(entries[entry]));
        if (entry < table->first_predicate)
            add_to(&ret->first, &ret->count, entry);
        else if (entry < table->first_uniform)
            ret->predicates |= (guint8)(1u << (entry - table->first_predicate));
        else if (entry < table->first_uniform_predicate)
            add_to(&ret->uniform_first, &ret->uniform_count, entry - table->first_uniform);
        else if (entry < table->first_barrier)
            ret->uniform_predicates |= (guint8)(1u << (entry - table->first_uniform_predicate));
    }
    return ret->count != 0 || ret->predicates != 0 || ret->uniform_count != 0 ||
           ret->uniform_predicates != 0;
}

static void emit_release(WsSm *sm, guint32 slot, guint32 pc, const WsRegisterSet *registers,
                         guint64 ready, guint64 mask)
{
    WsTraceEvent event = event_at(sm, slot, WS_TRACE_SCOREBOARD_RELEASE, ready, pc);

    event.scoreboard.until = ready;
    event.scoreboard.registers = *registers;
    put(sm, &event);
    if (mask == 0)
        return;
    event = event_at(sm, slot, WS_TRACE_WRITE, ready, pc);
    event.write.lanes = mask;
    event.write.registers = *registers;
    put(sm, &event);
}

#define RESULTS                                                                                    \
    (WS_TRACE_BIT(SCOREBOARD_SET) | WS_TRACE_BIT(SCOREBOARD_RELEASE) | WS_TRACE_BIT(WRITE))

void ws_emit_result(WsSm *sm, guint32 slot, guint32 pc, guint64 ready, guint64 mask, guint64 now)
{
    WsRegisterSet registers;
    WsTraceEvent event;
    guint64 entry;

    if (!wants(sm, RESULTS) || !find_outputs(sm, slot, pc, &registers, &entry))
        return;
    event = event_at(sm, slot, WS_TRACE_SCOREBOARD_SET, now, pc);
    event.scoreboard.until = ready < WS_NEVER ? ready : WS_UNKNOWN_CYCLE;
    event.scoreboard.registers = registers;
    put(sm, &event);
    if (ready < WS_NEVER)
        emit_release(sm, slot, pc, &registers, ready, mask);
}

/* A register of a convergence barrier, as the running path has it. */
static void emit_convergence(WsSm *sm, guint32 slot, guint32 pc, guint number, guint64 now)
{
    const WsDivergenceModel *model = sm->context->divergence;
    const WsPath *path = &sm->state->warps[slot].path;
    WsTraceEvent event;

    if (model->get == NULL || path->active == 0)
        return;
    event = event_at(sm, slot, WS_TRACE_CONVERGENCE, now, pc);
    event.convergence.number = (guint8)number;
    event.convergence.lanes = model->get(ws_sm_path_state(sm, slot), path, number);
    put(sm, &event);
}

static void emit_convergence_of(WsSm *sm, guint32 slot, guint32 pc, guint64 active, guint64 now)
{
    const WsInstruction *instruction = &sm->context->program->instructions[pc];

    switch (ws_instruction_kind(instruction)) {
    case WS_KIND_BSYNC:
        if ((sm->state->warps[slot].path.active & active) != active)
            break; /* the lanes wait: the register is as it was */
        emit_convergence(sm, slot, pc, instruction->operand[0].index & 15, now);
        break;
    case WS_KIND_BSSY:
    case WS_KIND_BMOV_TO:
        emit_convergence(sm, slot, pc, instruction->operand[0].index & 15, now);
        break;
    case WS_KIND_BREAK:
        emit_convergence(sm, slot, pc, instruction->operand[1].index & 15, now);
        break;
    default:
        break;
    }
}

void ws_emit_issued(WsSm *sm, guint32 slot, guint32 pc, guint64 active, guint64 mask, guint64 now)
{
    const WsIssueInfo *issue = &sm->issues[pc];
    WsKind kind = (WsKind)sm->instructions[pc].kind;
    WsRegisterSet registers;
    guint64 ready;

    /* What a barrier's reduction writes is told when it opens. */
    if (issue->outputs != 0 && kind != WS_KIND_BARRIER && (issue->plain || mask != 0) &&
        wants(sm, RESULTS) && find_outputs(sm, slot, pc, &registers, &ready))
        ws_emit_result(sm, slot, pc, ready, mask, now);
    if (ws_kind_is_convergence(kind) && mask != 0 && wants(sm, WS_TRACE_BIT(CONVERGENCE)))
        emit_convergence_of(sm, slot, pc, active, now);
    if (ws_kind_is_branch(kind) || kind == WS_KIND_EXIT || ws_kind_is_convergence(kind) ||
        kind == WS_KIND_BARRIER || kind == WS_KIND_SLEEP ||
        sm->state->warps[slot].path.active != active)
        ws_emit_paths(sm, slot, pc);
}

/* ---- stalls -------------------------------------------------------------------------------------
 */

#define NEXT(field, reason)                                                                        \
    if (warp->field > cycle)                                                                       \
        next = MIN(next, warp->field);

/* First cycle after `cycle` at which the warp may be held for another reason, as things are. */
static guint64 next_change(const WsSm *sm, const WsWarp *warp, guint64 cycle)
{
    const WsSubCore *sub_core = &sm->state->sub_cores[warp->sub_core];
    guint64 next = G_MAXUINT64, fixed;

    if (warp->state == WS_WARP_DRAIN)
        return next;
    WS_HOLDS(NEXT)
    fixed = warp->operands.until[WS_WAIT_FIXED] + ws_held_since(sub_core, warp);
    if (fixed > cycle)
        next = MIN(next, fixed);
    if (sub_core->dispatch.free > cycle)
        next = MIN(next, sub_core->dispatch.free);
    if (sub_core->pipes.free[warp->resource] > cycle)
        next = MIN(next, sub_core->pipes.free[warp->resource]);
    return next;
}

static void emit_stall(WsSm *sm, guint32 slot, WsStall reason, guint64 cycle)
{
    const WsWarp *warp = &sm->state->warps[slot];
    WsTraceEvent event;

    sm->watch->told[slot] = (guint8)reason;
    event = event_at(sm, slot, WS_TRACE_STALL, cycle,
                     warp->state == WS_WARP_DRAIN ? warp->wait_pc : warp->path.pc);
    event.stall.reason = (guint8)reason;
    put(sm, &event);
}

void ws_emit_stalls_until(WsSm *sm, guint64 end)
{
    WsSmWatch *watch = sm->watch;

    if (!wants(sm, WS_TRACE_BIT(STALL)))
        return;
    while (watch->next < end) {
        guint64 cycle = watch->next, next = end;

        for (guint64 m = sm->state->resident; m != 0; m &= m - 1) {
            guint32 slot = (guint32)__builtin_ctzll(m);
            const WsWarp *warp = &sm->state->warps[slot];
            WsStall reason = ws_warp_stall(sm, slot, cycle);

            if (reason != watch->told[slot])
                emit_stall(sm, slot, reason, cycle);
            next = MIN(next, next_change(sm, warp, cycle));
        }
        watch->next = next;
    }
}

void ws_find_stalls(WsSm *sm, guint64 now)
{
    if (!wants(sm, WS_TRACE_BIT(STALL)))
        return;
    for (guint64 m = sm->state->resident; m != 0; m &= m - 1) {
        guint32 slot = (guint32)__builtin_ctzll(m);

        sm->watch->found[slot] = (guint8)ws_warp_stall(sm, slot, now);
    }
}

void ws_emit_found_stalls(WsSm *sm, guint64 now)
{
    WsSmWatch *watch = sm->watch;

    if (!wants(sm, WS_TRACE_BIT(STALL)))
        return;
    for (guint64 m = sm->state->resident; m != 0; m &= m - 1) {
        guint32 slot = (guint32)__builtin_ctzll(m);

        if (sm->state->warps[slot].last_issue == now)
            watch->told[slot] = WS_STALL_SELECTED;
        else if (watch->found[slot] != watch->told[slot])
            emit_stall(sm, slot, (WsStall)watch->found[slot], now);
    }
    watch->next = now + 1;
}

/* ---- paths and barriers -------------------------------------------------------------------------
 */

void ws_emit_split(WsSm *sm, guint32 slot, guint32 pc, guint64 a, guint64 b)
{
    WsTraceEvent event;

    if (!wants(sm, WS_TRACE_BIT(DIVERGE)))
        return;
    event = event_at(sm, slot, WS_TRACE_DIVERGE, sm->state->now, pc);
    event.split.taken = a;
    event.split.not_taken = b;
    put(sm, &event);
}

void ws_emit_join(WsSm *sm, guint32 slot, guint32 pc, guint64 a)
{
    WsTraceEvent event;

    if (!wants(sm, WS_TRACE_BIT(RECONVERGE)))
        return;
    event = event_at(sm, slot, WS_TRACE_RECONVERGE, sm->state->now, pc);
    event.joined.lanes = a;
    put(sm, &event);
}

void ws_emit_paths(WsSm *sm, guint32 slot, guint32 pc)
{
    WsLanesAt paths[WS_MAX_PATHS];
    const WsPath *path;
    WsTraceEvent event;
    guint64 hash, alive;
    guint count;

    if (sm->watch == NULL)
        return;
    path = &sm->state->warps[slot].path;
    count = sm->context->divergence->waiting(ws_sm_path_state(sm, slot), path, paths);
    alive = path->active;
    for (guint i = 0; i < count; i++)
        alive |= paths[i].lanes;
    sm->watch->alive[slot] = alive;
    hash = hash_paths(paths, count);
    if (hash == sm->watch->paths[slot])
        return;
    sm->watch->paths[slot] = hash;
    for (guint i = 0; i < MAX(count, 1); i++) {
        event = event_at(sm, slot, WS_TRACE_PATH, sm->state->now, pc);
        event.path.index = (guint16)i;
        event.path.count = (guint16)count;
        if (count != 0) {
            event.path.lanes = paths[i].lanes;
            event.path.pc = paths[i].pc;
            event.path.how = paths[i].how;
        }
        put(sm, &event);
    }
}

void ws_emit_barrier(WsSm *sm, guint32 slot, WsTraceKind kind, guint32 number, guint64 cycle)
{
    WsTraceEvent event;

    if (sm->watch == NULL)
        return;
    event = event_at(sm, slot, kind, cycle, sm->state->warps[slot].wait_pc);
    event.barrier.number = number;
    put(sm, &event);
}

/* ---- memory -------------------------------------------------------------------------------------
 */

#define ACCESSES (WS_TRACE_BIT(REQUEST) | WS_TRACE_BIT(RESPONSE))

static void emit_answer(WsSm *sm, guint32 slot, guint32 pc, guint64 mask, guint64 since,
                        guint64 ready, WsMemoryLevel level)
{
    WsTraceEvent event = event_at(sm, slot, WS_TRACE_RESPONSE, ready, pc);

    event.response.lanes = mask;
    event.response.latency = (guint32)MIN(ready - since, G_MAXUINT32);
    event.response.level = (guint8)level;
    put(sm, &event);
}

static void emit_request(WsSm *sm, guint32 slot, guint32 pc, guint64 mask, guint32 sectors,
                         guint32 wavefronts, guint64 now)
{
    WsTraceEvent event = event_at(sm, slot, WS_TRACE_REQUEST, now, pc);

    event.request.lanes = mask;
    event.request.sectors = sectors;
    event.request.wavefronts = wavefronts;
    put(sm, &event);
}

void ws_emit_request(WsSm *sm, guint32 slot, guint32 pc, const WsMemoryAccess *access, guint64 mask,
                     guint64 now)
{
    if (sm->watch == NULL)
        return;
    emit_request(sm, slot, pc, mask, access->sectors, access->wavefronts, now);
    if (access->outcome != WS_ACCESS_PENDING && sm->issues[pc].outputs != 0)
        emit_answer(sm, slot, pc, mask, now, access->ready_cycle, access->level);
}

void ws_emit_response(WsSm *sm, guint32 slot, guint32 pc, const WsResponse *response, guint64 ready)
{
    WsRegisterSet registers;
    const WsSmAccess *access = &ws_state_array_index(&sm->pending, WsSmAccess, response->token);
    guint64 entry;

    if (!wants(sm, RESULTS | ACCESSES))
        return;
    emit_answer(sm, slot, pc, access->lanes, access->cycle, ready, response->level);
    if (find_outputs(sm, slot, pc, &registers, &entry))
        emit_release(sm, slot, pc, &registers, ready, access->lanes);
}

void ws_emit_constant_load(WsSm *sm, guint32 slot, guint32 pc, guint64 mask, guint64 now,
                           guint64 ready)
{
    if (!wants(sm, ACCESSES))
        return;
    emit_request(sm, slot, pc, mask, 0, 0, now);
    emit_answer(sm, slot, pc, mask, now, ready, WS_LEVEL_CONSTANT);
}
