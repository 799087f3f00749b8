/* One warp of the functional interpreter: which lanes run, control flow, waiting. */
#include "isa/bytecode/opcode.h"
#include "sim/interpreter/private.h"
#include "sim/lanes/exchange.h"

enum { TURNS = 4 };

typedef struct {
    guint32 pc;
    guint32 limit; /* lowest counter above pc of other runnable lanes */
    guint64 lanes;
} Path;

static void set_pc(WsInterpretedWarp *warp, guint64 lanes, guint32 pc)
{
    for (; lanes; lanes &= lanes - 1) {
        warp->pc[__builtin_ctzll(lanes)] = pc;
    }
}

/* ---- telling the watcher -----------------------------------------------------------------------
 */

static guint32 warp_number(const WsInterpreter *interpreter, const WsInterpretedWarp *warp)
{
    return (guint32)(warp - interpreter->block->warps);
}

static void emit_meeting(const WsInterpreter *interpreter, const WsInterpretedWarp *warp,
                         guint64 lanes)
{
    const WsInterpretWatcher *watcher = interpreter->watcher;
    if (watcher != NULL) {
        watcher->lanes_meet(watcher->data, interpreter->block->slot, warp_number(interpreter, warp),
                            lanes, (warp->alive & ~lanes) == 0);
    }
}

static void emit_arrival(const WsInterpreter *interpreter, const WsInterpretedWarp *warp,
                         const WsDecoded *instruction, guint64 lanes, guint number, gboolean waits)
{
    const WsInterpretWatcher *watcher = interpreter->watcher;
    if (watcher != NULL) {
        watcher->barrier_arrive(
            watcher->data, interpreter->block->slot, warp_number(interpreter, warp), lanes,
            (guint32)(instruction - interpreter->program->instructions), number, waits);
    }
}

static void emit_fence(const WsInterpreter *interpreter, const WsInterpretedWarp *warp,
                       const WsDecoded *instruction, guint64 lanes)
{
    const WsInterpretWatcher *watcher = interpreter->watcher;
    if (watcher != NULL) {
        watcher->fence(watcher->data, interpreter->block->slot, warp_number(interpreter, warp),
                       lanes, (guint8)ws_decoded_modifier(instruction, SCOPE));
    }
}

static void emit_issue(const WsInterpreter *interpreter, const WsInterpretedWarp *warp,
                       const Path *path)
{
    const WsInterpretWatcher *watcher = interpreter->watcher;
    const WsInterpretedBlock *block = interpreter->block;
    const WsWatchedIssue issue = {.slot = block->slot,
                                  .warp = warp_number(interpreter, warp),
                                  .instruction = path->pc,
                                  .lanes = path->lanes,
                                  .warp_size = interpreter->program->warp_size,
                                  .registers = &warp->registers,
                                  .shared = block->shared,
                                  .local = block->local +
                                           warp->context.first_thread * interpreter->local_bytes,
                                  .shared_bytes = interpreter->shared_bytes,
                                  .local_bytes = interpreter->local_bytes};
    if (watcher->issue != NULL)
        watcher->issue(watcher->data, &issue);
}

/* An instruction that lanes carry out together, as its .sync says, apart from memory. */
static gboolean is_meeting(const WsDecoded *instruction)
{
    const WsOpcodeInfo *info = ws_opcode_info(instruction->opcode);
    /* A vote on what is always true only asks who is there: __activemask(). */
    gboolean asks = ws_opcode_has_modifier(instruction->opcode, WS_MOD_VOTE) &&
                    (instruction->predicate_in & 15) == WS_PT;
    return (info->flags & WS_FLAG_WARP_WIDE) != 0 && !asks;
}

/* ---- waiting inside the warp -------------------------------------------------------------------
 */

/*
 * Lanes leave the group that they are in at a convergence barrier, for one of their own: `group`,
 * or 0 for none.
 */
static void change_group(WsInterpretedWarp *warp, guint number, guint64 lanes, guint64 group)
{
    guint64 *of_lane = warp->group[number];
    for (guint64 rest = warp->alive & ~lanes; rest; rest &= rest - 1) {
        of_lane[__builtin_ctzll(rest)] &= ~lanes;
    }
    for (guint64 rest = lanes; rest; rest &= rest - 1) {
        of_lane[__builtin_ctzll(rest)] = group;
    }
}

static void release(WsInterpretedWarp *warp, guint64 lanes)
{
    warp->waiting &= ~lanes;
    warp->at_bsync &= ~lanes;
    warp->at_warpsync &= ~lanes;
}

/*
 * Lanes of a BSYNC or WARPSYNC, as `at_bsync` says, go on together when all that they wait for are
 * there or gone. BSYNC does not wait for lanes in WARPSYNC.
 */
static void release_at(const WsInterpreter *interpreter, WsInterpretedWarp *warp, gboolean at_bsync)
{
    for (guint64 rest = at_bsync ? warp->at_bsync : warp->at_warpsync; rest; rest &= rest - 1) {
        guint lane = (guint)__builtin_ctzll(rest);
        guint number = warp->wait_number[lane];
        guint64 wanted =
            at_bsync ? warp->group[number][lane] & ~warp->at_warpsync : warp->sync_mask[lane];
        guint64 there = 0;
        for (guint64 other = at_bsync ? warp->at_bsync : warp->at_warpsync; other;
             other &= other - 1) {
            guint peer = (guint)__builtin_ctzll(other);
            gboolean alike = at_bsync ? warp->wait_number[peer] == number
                                      : ((warp->sync_mask[peer] ^ wanted) & warp->alive) == 0 &&
                                            warp->sync_place[peer] == warp->sync_place[lane];
            there |= (guint64)alike << peer;
        }
        if ((wanted & warp->alive & ~there) == 0) {
            guint64 lanes = (wanted | (guint64)1 << lane) & there;
            if (at_bsync) {
                change_group(warp, number, lanes, 0);
            } else {
                emit_meeting(interpreter, warp, lanes);
                ws_exchange_meet(interpreter->program, &warp->registers, lanes, warp->pc);
            }
            release(warp, lanes);
            rest &= ~lanes | (rest & -rest);
        }
    }
}

static void release_syncs(const WsInterpreter *interpreter, WsInterpretedWarp *warp)
{
    release_at(interpreter, warp, FALSE);
    release_at(interpreter, warp, TRUE);
}

static void wait_at(WsInterpretedWarp *warp, guint64 lanes, guint number, guint64 *kind)
{
    warp->waiting |= lanes;
    *kind |= lanes;
    for (guint64 rest = lanes; rest; rest &= rest - 1) {
        warp->wait_number[__builtin_ctzll(rest)] = (guint8)number;
    }
}

static void execute_convergence(WsInterpreter *interpreter, WsInterpretedWarp *warp,
                                const WsDecoded *instruction, guint64 mask)
{
    const WsDecodedProgram *program = interpreter->program;
    guint64 leaving = mask & ws_predicate_operand(instruction, &warp->registers);
    guint number = (guint)instruction->d & (WS_CONVERGENCE_BARRIERS - 1);
    if (instruction->kind == WS_KIND_BSSY) {
        change_group(warp, number, mask, mask);
        return;
    }
    if (instruction->kind == WS_KIND_BREAK) {
        change_group(warp, number, leaving, 0);
    }
    for (guint64 rest = mask; rest; rest &= rest - 1) {
        guint lane = (guint)__builtin_ctzll(rest);
        switch (instruction->kind) {
        case WS_KIND_BMOV_TO:
            warp->group[number][lane] =
                ws_row_value(program, &warp->registers, instruction->a, lane);
            break;
        case WS_KIND_BMOV_FROM:
            if (instruction->d >= 0) {
                warp->registers.registers[(gsize)instruction->d * program->warp_size + lane] =
                    (guint32)warp->group[instruction->a][lane];
            }
            break;
        case WS_KIND_WARPSYNC:
            warp->sync_mask[lane] = ws_row_value(program, &warp->registers, instruction->b, lane);
            warp->sync_place[lane] = 0;
            break;
        case WS_KIND_WARPSYNC_ALL:
            warp->sync_mask[lane] = program->all_lanes;
            warp->sync_place[lane] = warp->pc[lane] + 1;
            break;
        default:
            break;
        }
    }
    if (instruction->kind == WS_KIND_BSYNC) {
        wait_at(warp, mask, number, &warp->at_bsync);
    } else if (instruction->kind == WS_KIND_WARPSYNC || instruction->kind == WS_KIND_WARPSYNC_ALL) {
        wait_at(warp, mask, 0, &warp->at_warpsync);
    }
    if (instruction->kind != WS_KIND_YIELD) {
        release_syncs(interpreter, warp);
    }
}

/* ---- barriers of the block ---------------------------------------------------------------------
 */

/* Lanes at one barrier, which wait for the same number of threads. */
static void arrive(WsInterpreter *interpreter, WsInterpretedWarp *warp,
                   const WsDecoded *instruction, guint64 lanes, gboolean waits)
{
    const WsDecodedProgram *program = interpreter->program;
    guint first = (guint)__builtin_ctzll(lanes), count = (guint)__builtin_popcountll(lanes);
    guint number =
        ws_row_value(program, &warp->registers, instruction->b, first) % WS_NAMED_BARRIERS;
    WsNamedBarrier *barrier = &interpreter->block->barriers[number];
    barrier->arrived += count;
    barrier->counted += count;
    if (warp->alive & -warp->alive & lanes) { /* warps count as a whole */
        barrier->counted += (guint)__builtin_popcountll(program->all_lanes & ~warp->alive);
    }
    barrier->holds +=
        (guint)__builtin_popcountll(ws_predicate_operand(instruction, &warp->registers) & lanes);
    barrier->wanted = ws_row_value(program, &warp->registers, instruction->c, first);
    barrier->waiting += waits ? count : 0;
    emit_arrival(interpreter, warp, instruction, lanes, number, waits);
    if (waits) {
        wait_at(warp, lanes, number, &warp->at_barrier);
    }
}

/* Lane by lane where they may be at different barriers, and for a watcher. */
static void execute_barrier(WsInterpreter *interpreter, WsInterpretedWarp *warp,
                            const WsDecoded *instruction, guint64 mask)
{
    gboolean waits = ws_decoded_modifier(instruction, BARRIER) != WS_BAR_ARRIVE;
    gboolean together = interpreter->watcher == NULL && ws_row_is_shared(instruction->b) &&
                        ws_row_is_shared(instruction->c);
    interpreter->changes++;
    for (guint64 rest = mask; rest;) {
        guint64 lanes = together ? rest : rest & -rest;
        arrive(interpreter, warp, instruction, lanes, waits);
        rest &= ~lanes;
    }
}

/* Result of BAR.RED for one lane that waited at instruction pc - 1. */
static void put_reduction(const WsInterpreter *interpreter, WsInterpretedWarp *warp, guint lane,
                          const WsNamedBarrier *barrier)
{
    const WsDecoded *instruction = &interpreter->program->instructions[warp->pc[lane] - 1];
    guint mode = ws_decoded_modifier(instruction, BARRIER);
    gboolean value = mode == WS_BAR_RED_AND ? barrier->holds == barrier->arrived : barrier->holds;
    guint target = instruction->predicate_out & 7;
    guint64 bit = (guint64)1 << lane;
    if (mode < WS_BAR_RED_POPC) {
        return;
    }
    if (instruction->d >= 0) {
        warp->registers.registers[(gsize)instruction->d * interpreter->program->warp_size + lane] =
            barrier->holds;
    }
    if (target != WS_PT) {
        warp->registers.predicates[target] =
            (warp->registers.predicates[target] & ~bit) | (value ? bit : 0);
    }
}

void ws_interpret_release_barriers(WsInterpreter *interpreter)
{
    guint alive = 0;
    for (guint n = 0; n < interpreter->warp_count; n++) {
        alive += (guint)__builtin_popcountll(interpreter->block->warps[n].alive);
    }
    for (guint number = 0; number < WS_NAMED_BARRIERS; number++) {
        WsNamedBarrier *barrier = &interpreter->block->barriers[number];
        gboolean complete =
            barrier->wanted ? barrier->counted >= barrier->wanted : barrier->arrived >= alive;
        if (barrier->arrived == 0 || !complete) {
            continue;
        }
        for (guint n = 0; n < interpreter->warp_count; n++) {
            WsInterpretedWarp *warp = &interpreter->block->warps[n];
            for (guint64 rest = warp->at_barrier; rest; rest &= rest - 1) {
                guint lane = (guint)__builtin_ctzll(rest);
                if (warp->wait_number[lane] == number) {
                    put_reduction(interpreter, warp, lane, barrier);
                    warp->at_barrier &= ~((guint64)1 << lane);
                    warp->waiting &= ~((guint64)1 << lane);
                }
            }
        }
        if (interpreter->watcher != NULL) {
            interpreter->watcher->barrier_release(
                interpreter->watcher->data, interpreter->block->slot, number,
                barrier->waiting >= alive && barrier->waiting == barrier->arrived);
        }
        *barrier = (WsNamedBarrier){0};
    }
}

/* ---- control flow ------------------------------------------------------------------------------
 */

/* Lanes that take a BRA; a BRA.DIV is taken by all or by none. */
static guint64 takers(const WsDecodedProgram *program, const WsInterpretedWarp *warp,
                      const WsDecoded *instruction, guint64 mask)
{
    if (G_LIKELY(instruction->opcode != WS_OP_BRA_DIV))
        return mask & ws_predicate_operand(instruction, &warp->registers);
    guint32 meant = ws_row_value(program, &warp->registers, instruction->a, 0);
    return meant & warp->alive & ~mask ? mask : 0;
}

static gboolean execute_branch(WsInterpreter *interpreter, WsInterpretedWarp *warp,
                               const WsDecoded *instruction, guint64 mask, GError **error)
{
    const WsDecodedProgram *program = interpreter->program;
    guint32 next = (guint32)(instruction - program->instructions) + 1;
    guint32 target[WS_MAX_WARP_SIZE];
    if (instruction->kind == WS_KIND_BRA) {
        set_pc(warp, takers(program, warp, instruction, mask), instruction->immediate);
        return TRUE;
    }
    if (instruction->kind == WS_KIND_CALL) {
        for (guint64 rest = instruction->d >= 0 ? mask : 0; rest; rest &= rest - 1) {
            guint lane = (guint)__builtin_ctzll(rest);
            warp->registers.registers[(gsize)instruction->d * program->warp_size + lane] =
                next * WS_INSTRUCTION_BYTES;
        }
        set_pc(warp, mask, instruction->immediate);
        return TRUE;
    }
    ws_lane_targets(program, instruction, &warp->registers, mask, target);
    for (guint64 rest = mask; rest; rest &= rest - 1) {
        guint lane = (guint)__builtin_ctzll(rest);
        if (target[lane] == G_MAXUINT32) {
            ws_interpret_fault(interpreter, warp, lane, error, "jump to an impossible address");
            return FALSE;
        }
        warp->pc[lane] = target[lane];
    }
    return TRUE;
}

static gboolean execute_matrix(WsInterpreter *interpreter, WsInterpretedWarp *warp,
                               const WsDecoded *instruction, guint64 mask, GError **error)
{
    if (mask != 0 && mask != interpreter->program->all_lanes) {
        ws_interpret_fault(interpreter, warp, (guint)__builtin_ctzll(mask), error,
                           WS_LANES_MISSING);
        return FALSE;
    }
    if (mask != 0) {
        instruction->body(interpreter->program, instruction, &warp->registers, &warp->context,
                          mask);
    }
    return TRUE;
}

/* One instruction that is not plain computing; the lanes' counters already stand after it. */
static gboolean execute_control(WsInterpreter *interpreter, WsInterpretedWarp *warp,
                                const WsDecoded *instruction, guint64 mask, GError **error)
{
    switch (instruction->kind) {
    case WS_KIND_BRA ... WS_KIND_RET:
        return execute_branch(interpreter, warp, instruction, mask, error);
    case WS_KIND_EXIT:
        warp->alive &= ~(mask & ws_predicate_operand(instruction, &warp->registers));
        interpreter->changes++;
        release_syncs(interpreter, warp);
        break;
    case WS_KIND_BPT ... WS_KIND_ASSERTFAIL:
        if (mask) {
            ws_interpret_trap(interpreter, warp, instruction, (guint)__builtin_ctzll(mask), error);
            return FALSE;
        }
        break;
    case WS_KIND_MATRIX:
        return execute_matrix(interpreter, warp, instruction, mask, error);
    case WS_KIND_MEMBAR:
        emit_fence(interpreter, warp, instruction, mask);
        break;
    case WS_KIND_BARRIER:
        execute_barrier(interpreter, warp, instruction, mask);
        break;
    case WS_KIND_SYSTEM:
        return ws_interpret_system(interpreter, warp, instruction, mask, error);
    case WS_KIND_BSSY ... WS_KIND_YIELD:
        execute_convergence(interpreter, warp, instruction, mask);
        break;
    default:
        break;
    }
    return TRUE;
}

/* ---- choice of lanes ---------------------------------------------------------------------------
 */

/* The lowest counter of the lanes that is at least `least`; G_MAXUINT32 if there is none. */
static guint32 lowest_pc(const WsInterpretedWarp *warp, guint64 lanes, guint32 least)
{
    guint32 lowest = G_MAXUINT32;
    for (; lanes; lanes &= lanes - 1) {
        guint32 pc = warp->pc[__builtin_ctzll(lanes)];
        lowest = pc >= least ? MIN(lowest, pc) : lowest;
    }
    return lowest;
}

/* TRUE if all lanes of `lanes` have the counter `pc`. */
static gboolean all_at(const WsInterpretedWarp *warp, guint64 lanes, guint32 pc)
{
    guint32 differs = 0;
    for (guint lane = 0; lane < WS_MAX_WARP_SIZE; lane++) {
        guint32 is_on = -(guint32)(lanes >> lane & 1);
        differs |= (warp->pc[lane] ^ pc) & is_on;
    }
    return differs == 0;
}

static Path choose_path(WsInterpretedWarp *warp)
{
    guint64 runnable = warp->alive & ~warp->waiting;
    guint32 first = warp->pc[__builtin_ctzll(runnable)];
    Path path = {G_MAXUINT32, G_MAXUINT32, 0};
    if (all_at(warp, runnable, first)) {
        return (Path){first, G_MAXUINT32, runnable};
    }
    if (++warp->slices % TURNS == 0) {
        path.pc = lowest_pc(warp, runnable, warp->turn);
        warp->turn = path.pc == G_MAXUINT32 ? 0 : path.pc + 1;
    }
    if (path.pc == G_MAXUINT32) {
        path.pc = lowest_pc(warp, runnable, 0);
    }
    for (guint64 rest = runnable; rest; rest &= rest - 1) {
        guint lane = (guint)__builtin_ctzll(rest);
        path.lanes |= (guint64)(warp->pc[lane] == path.pc) << lane;
        if (warp->pc[lane] > path.pc) {
            path.limit = MIN(path.limit, warp->pc[lane]);
        }
    }
    return path;
}

/* Runs one path as far as it stays one and meets no other, at most `budget` instructions. */
static gboolean run_path(WsInterpreter *interpreter, WsInterpretedWarp *warp, Path path,
                         guint budget, GError **error)
{
    const WsDecodedProgram *program = interpreter->program;
    gboolean alone = path.lanes == (warp->alive & ~warp->waiting);
    guint64 issued = 0;
    gboolean fine = TRUE, together = TRUE;
    const gboolean watched = interpreter->watcher != NULL;
    guint8 *reached = interpreter->options != NULL ? interpreter->options->reached : NULL;
    warp->context.active = path.lanes;
    for (; issued < budget && path.pc < path.limit && together && fine; issued++) {
        const WsDecoded *instruction = &program->instructions[path.pc];
        guint64 mask = ws_guard_mask(instruction, &warp->registers, path.lanes);
        if (G_UNLIKELY(reached != NULL)) {
            reached[path.pc] |= mask != 0 ? WS_REACHED_COME | WS_REACHED_DONE : WS_REACHED_COME;
        }
        if (G_UNLIKELY(watched)) {
            emit_issue(interpreter, warp, &path);
        }
        path.pc++;
        if (G_UNLIKELY(watched) && is_meeting(instruction)) {
            emit_meeting(interpreter, warp, mask);
        }
        if (G_LIKELY(instruction->kind == WS_KIND_LANES)) {
            warp->context.cycle++;
            instruction->body(program, instruction, &warp->registers, &warp->context, mask);
        } else if (ws_kind_is_memory(instruction->kind)) {
            interpreter->at = path.pc - 1;
            fine = ws_interpret_memory(interpreter, warp, instruction, mask, error);
        } else if (instruction->kind == WS_KIND_BRA && alone) {
            guint64 taken = takers(program, warp, instruction, mask);
            if (taken == path.lanes) {
                path.pc = instruction->immediate;
            } else if (taken) {
                set_pc(warp, path.lanes & ~taken, path.pc);
                set_pc(warp, taken, instruction->immediate);
                together = FALSE;
            }
        } else {
            set_pc(warp, path.lanes, path.pc);
            interpreter->at = path.pc - 1;
            fine = execute_control(interpreter, warp, instruction, mask, error);
            together = alone && !ws_kind_is_branch(instruction->kind) &&
                       (warp->alive & ~warp->waiting) == path.lanes;
        }
    }
    if (together) {
        set_pc(warp, path.lanes, path.pc);
    }
    interpreter->counts.warp_instructions += issued;
    interpreter->counts.thread_instructions += issued * (guint)__builtin_popcountll(path.lanes);
    return fine;
}

gboolean ws_interpret_warp(WsInterpreter *interpreter, WsInterpretedWarp *warp, GError **error)
{
    guint64 end = interpreter->counts.warp_instructions + interpreter->slice;
    while (warp->alive & ~warp->waiting && interpreter->counts.warp_instructions < end) {
        Path path = choose_path(warp);
        if (path.pc >= interpreter->program->program->instruction_count) {
            interpreter->at = G_MAXUINT32;
            ws_interpret_fault(interpreter, warp, (guint)__builtin_ctzll(path.lanes), error,
                               "ran past the end of the program");
            return FALSE;
        }
        guint32 length = interpreter->program->program->instruction_count;
        path.limit = MIN(path.limit, length);
        if (!run_path(interpreter, warp, path, interpreter->slice, error)) {
            return FALSE;
        }
    }
    return TRUE;
}
