/*
 * Control fields: what a machine that obeys them (dependences = control) needs to be right.
 *
 * Results of fixed latency are waited for with stall counts, inside a basic block; the last
 * instruction of a block stalls until all of them are there. Results of variable latency, and
 * registers that memory instructions have yet to read, are guarded by the six barriers. A barrier
 * counts, so several instructions may share one. Which instruction uses which barrier is fixed
 * first; then what is pending on each barrier is followed through the control-flow graph, and every
 * instruction that touches something pending waits.
 */
#include "isa/bytecode/opcode.h"
#include "isa/codegen/code_generation.h"
#include "isa/codegen/latency.h"
#include "isa/flow/control_flow.h"

#include <string.h>

enum {
    BARRIERS = 6,
    NO_BARRIER = 7,
    MAX_STALL = 15,
    /* bits of a set of places */
    REGISTERS = 256,
    PREDICATES = 8,
    UNIFORMS = 64,
    UNIFORM_PREDICATES = 8,
    PLACES = REGISTERS + PREDICATES + UNIFORMS + UNIFORM_PREDICATES,
    SET_WORDS = (PLACES + 63) / 64,
    /* without a target */
    H200_XU_SPACING = 8,
    H200_OVERWRITE = 6,
    H200_JOIN_BEHIND = 3
};

typedef struct {
    guint64 bits[SET_WORDS];
} Places;

/* Per barrier: places being written, and places still to be read. */
typedef struct {
    Places written[BARRIERS];
    Places read[BARRIERS];
} Pending;

typedef struct {
    WsInstruction *instructions;
    guint32 count;
    const WsCompileOptions *options;
    WsControlFlow *flow;
    Pending *entry; /* per block */
    Places factors; /* registers that some block multiplies by 64 bits before it writes them */
} Controller;

static guint first_place(const WsRegisterAccess *access)
{
    switch (access->file) {
    case WS_FILE_REGISTER:
        return access->index;
    case WS_FILE_PREDICATE:
        return REGISTERS + access->index;
    case WS_FILE_UNIFORM:
        return REGISTERS + PREDICATES + access->index;
    case WS_FILE_UNIFORM_PREDICATE:
        return REGISTERS + PREDICATES + UNIFORMS + access->index;
    default:
        return PLACES;
    }
}

static void places_of(const WsInstruction *instruction, Places *ret_read, Places *ret_written)
{
    memset(ret_read, 0, sizeof(*ret_read));
    memset(ret_written, 0, sizeof(*ret_written));
    WsRegisterAccess accesses[WS_MAX_ACCESSES];
    guint count = ws_instruction_accesses(instruction, accesses);
    for (guint a = 0; a < count; a++) {
        guint first = first_place(&accesses[a]);
        Places *to = accesses[a].write ? ret_written : ret_read;
        for (guint place = first; place < PLACES && place < first + accesses[a].words; place++)
            to->bits[place / 64] |= G_GUINT64_CONSTANT(1) << (place % 64);
    }
}

static gboolean is_empty(const Places *places)
{
    guint64 any = 0;
    for (guint w = 0; w < SET_WORDS; w++)
        any |= places->bits[w];
    return any == 0;
}

static gboolean meet(const Places *a, const Places *b)
{
    guint64 any = 0;
    for (guint w = 0; w < SET_WORDS; w++)
        any |= a->bits[w] & b->bits[w];
    return any != 0;
}

static gboolean add(Places *to, const Places *from)
{
    guint64 fresh = 0;
    for (guint w = 0; w < SET_WORDS; w++) {
        fresh |= from->bits[w] & ~to->bits[w];
        to->bits[w] |= from->bits[w];
    }
    return fresh != 0;
}

/* At once, and not behind the low word of a 64-bit product. */
static gboolean is_low(const WsInstruction *producer, guint place)
{
    return (producer->opcode == WS_OP_IMAD_WIDE || producer->opcode == WS_OP_IMAD_WIDE_X) &&
           place == producer->operand[0].index;
}

/* Some use of a result is too far away for the stall count of one instruction. */
static gboolean is_too_far(const Controller *controller, const WsInstruction *instruction,
                           const Places *written)
{
    const WsCodeTarget *target = controller->options->target;
    gboolean too_far = FALSE;
    for (guint p = 0; target != NULL && p < PLACES && !too_far; p++) {
        gboolean predicate = (p >= REGISTERS && p < REGISTERS + PREDICATES) ||
                             p >= REGISTERS + PREDICATES + UNIFORMS;
        if (written->bits[p / 64] >> (p % 64) & 1)
            too_far =
                MAX_STALL <
                MAX(ws_code_target_longest(target, instruction, is_low(instruction, p), predicate),
                    ws_code_target_distance(target, instruction, is_low(instruction, p),
                                            WS_RELATION_FACTOR));
    }
    return too_far;
}

/* Its result is waited for with a barrier. */
static gboolean has_barrier(const Controller *controller, const WsInstruction *instruction)
{
    Places read;
    Places written;
    if (ws_is_variable_latency(instruction, controller->options))
        return TRUE;
    if (ws_class_pipe(ws_instruction_class(instruction)) == WS_PIPE_CONTROL)
        return FALSE;
    places_of(instruction, &read, &written);
    return is_too_far(controller, instruction, &written);
}

/* Only the load-store unit reads its operands late. */
static gboolean reads_late(const WsInstruction *instruction)
{
    return ws_class_pipe(ws_instruction_class(instruction)) == WS_PIPE_LSU;
}

/*
 * Barriers in turn: consecutive producers get different ones, so that a consumer waits for what it
 * needs. Four for results, two for operands that are read late.
 */
static void assign_barriers(Controller *controller)
{
    enum { WRITE_BARRIERS = 4, READ_BARRIERS = BARRIERS - WRITE_BARRIERS };
    guint next_write = 0;
    guint next_read = 0;
    for (guint32 i = 0; i < controller->count; i++) {
        WsInstruction *instruction = &controller->instructions[i];
        Places read;
        Places written;
        instruction->control =
            (WsControl){.stall = 1, .write_barrier = NO_BARRIER, .read_barrier = NO_BARRIER};
        if (!has_barrier(controller, instruction))
            continue;
        places_of(instruction, &read, &written);
        if (!is_empty(&written)) {
            instruction->control.write_barrier = (guint8)next_write;
            next_write = (next_write + 1) % WRITE_BARRIERS;
        }
        if (reads_late(instruction) && !is_empty(&read)) {
            instruction->control.read_barrier = (guint8)(WRITE_BARRIERS + next_read);
            next_read = (next_read + 1) % READ_BARRIERS;
        }
    }
}

/* What `instruction` waits for; then what is pending behind it. */
static guint8 step(const WsInstruction *instruction, Pending *pending)
{
    Places read;
    Places written;
    places_of(instruction, &read, &written);
    guint8 wait = 0;
    /* What is called, and what is returned to, knows of nothing pending. */
    gboolean all = instruction->opcode == WS_OP_CALL || instruction->opcode == WS_OP_RET;
    for (guint b = 0; b < BARRIERS; b++) {
        gboolean pends = !is_empty(&pending->written[b]) || !is_empty(&pending->read[b]);
        if (!(all && pends) && !meet(&pending->written[b], &read) &&
            !meet(&pending->written[b], &written) && !meet(&pending->read[b], &written))
            continue;
        wait |= (guint8)(1u << b);
        memset(&pending->written[b], 0, sizeof(Places));
        memset(&pending->read[b], 0, sizeof(Places));
    }
    guint write_barrier = instruction->control.write_barrier;
    guint read_barrier = instruction->control.read_barrier;
    if (write_barrier < BARRIERS)
        add(&pending->written[write_barrier], &written);
    if (read_barrier < BARRIERS)
        add(&pending->read[read_barrier], &read);
    return wait;
}

static gboolean join(Pending *to, const Pending *from)
{
    gboolean changed = FALSE;
    for (guint b = 0; b < BARRIERS; b++) {
        changed |= add(&to->written[b], &from->written[b]);
        changed |= add(&to->read[b], &from->read[b]);
    }
    return changed;
}

static void solve_pending(Controller *controller)
{
    const WsControlFlow *flow = controller->flow;
    const WsGraph *graph = flow->graph;
    g_autofree guint8 *dirty = g_malloc(flow->block_count + 1);
    memset(dirty, TRUE, flow->block_count);
    gboolean changed = TRUE;
    while (changed) {
        changed = FALSE;
        for (guint32 b = 0; b < flow->block_count; b++) {
            if (!dirty[b])
                continue;
            dirty[b] = FALSE;
            Pending pending = controller->entry[b];
            for (guint32 i = 0; i < flow->blocks[b].count; i++)
                step(&controller->instructions[flow->blocks[b].first + i], &pending);
            for (guint32 e = graph->first[b]; e < graph->first[b + 1]; e++) {
                guint32 to = graph->successors[e];
                if (join(&controller->entry[to], &pending)) {
                    dirty[to] = TRUE;
                    changed = TRUE;
                }
            }
        }
    }
}

static void set_waits(Controller *controller)
{
    for (guint32 b = 0; b < controller->flow->block_count; b++) {
        const WsBlock *block = &controller->flow->blocks[b];
        Pending pending = controller->entry[b];
        for (guint32 i = 0; i < block->count; i++) {
            WsInstruction *instruction = &controller->instructions[block->first + i];
            instruction->control.wait_mask = step(instruction, &pending);
        }
    }
}

/* Cycle in the block at which each place was written, by which instruction. */
typedef struct {
    guint32 cycle[PLACES];
    guint32 writer[PLACES];
    guint32 next_xu; /* from here on the XU pipe takes another instruction of the warp */
} Clock;

/* Compiled code keeps instructions of the XU pipe apart, and those that overwrite what they read.
 */
static guint distance_on_xu(const Clock *clock, const WsInstruction *consumer, guint32 now,
                            const WsCompileOptions *options)
{
    const WsCodeTarget *target = options->target;
    guint overwrite = target != NULL ? target->xu_overwrite : H200_OVERWRITE;
    guint needed = clock->next_xu > now ? clock->next_xu - now : 0;
    Places read;
    Places written;
    places_of(consumer, &read, &written);
    for (guint p = 0; p < REGISTERS; p++) {
        if ((read.bits[p / 64] & written.bits[p / 64]) >> (p % 64) & 1 &&
            clock->writer[p] != G_MAXUINT32 && clock->cycle[p] + overwrite > now)
            needed = MAX(needed, clock->cycle[p] + overwrite - now);
    }
    return needed;
}

static guint distance_needed(const Controller *controller, const Clock *clock,
                             const WsInstruction *consumer, guint32 now)
{
    WsRegisterAccess accesses[WS_MAX_ACCESSES];
    guint count = ws_instruction_accesses(consumer, accesses);
    guint needed = 0;
    for (guint a = 0; a < count; a++) {
        guint first = first_place(&accesses[a]);
        for (guint p = first; p < PLACES && p < first + accesses[a].words; p++) {
            if (clock->writer[p] == G_MAXUINT32)
                continue;
            const WsInstruction *producer = &controller->instructions[clock->writer[p]];
            guint latency = ws_dependence_latency(producer, consumer, ws_read_kind(&accesses[a]),
                                                  controller->options);
            /* A later write must not overtake: it takes its own latency, at least one cycle. */
            if (accesses[a].write) {
                guint own =
                    ws_is_variable_latency(consumer, controller->options)
                        ? 1
                        : ws_class_latency(ws_instruction_class(consumer), controller->options);
                latency = latency > own ? latency - own + 1 : 1;
            } else if (controller->options->target != NULL) {
                latency =
                    MAX(latency, ws_code_target_distance(
                                     controller->options->target, producer, is_low(producer, p),
                                     ws_relation_of_access(consumer, &accesses[a])));
            }
            if (clock->cycle[p] + latency > now)
                needed = MAX(needed, clock->cycle[p] + latency - now);
        }
    }
    if (ws_class_pipe(ws_instruction_class(consumer)) == WS_PIPE_XU)
        needed = MAX(needed, distance_on_xu(clock, consumer, now, controller->options));
    return needed;
}

/* What the target says of uses of a place in other blocks. */
static guint longest_use(const Controller *controller, const WsInstruction *producer, guint p)
{
    const WsCodeTarget *target = controller->options->target;
    gboolean low = is_low(producer, p);
    gboolean predicate =
        (p >= REGISTERS && p < REGISTERS + PREDICATES) || p >= REGISTERS + PREDICATES + UNIFORMS;
    if (target == NULL)
        return 0;
    guint longest = ws_code_target_longest(target, producer, low, predicate);
    return controller->factors.bits[p / 64] >> (p % 64) & 1
               ? MAX(longest, ws_code_target_distance(target, producer, low, WS_RELATION_FACTOR))
               : longest;
}

/*
 * Cycles until every fixed-latency result of the block is there, for any consumer; BSYNC and
 * CALL stand further behind registers.
 */
static guint tail_needed(const Controller *controller, const Clock *clock, guint32 now,
                         gboolean longer)
{
    const WsCodeTarget *target = controller->options->target;
    guint behind = target != NULL ? target->join_behind : H200_JOIN_BEHIND;
    WsInstruction branch;
    WsInstruction load;
    ws_instruction_init(&branch, WS_OP_BRA);
    ws_instruction_init(&load, WS_OP_LDG);
    guint needed = 0;
    for (guint p = 0; p < PLACES; p++) {
        if (clock->writer[p] == G_MAXUINT32)
            continue;
        const WsInstruction *producer = &controller->instructions[clock->writer[p]];
        gboolean predicate = p >= REGISTERS && p < REGISTERS + PREDICATES;
        guint latency =
            ws_dependence_latency(producer, predicate ? &branch : &load,
                                  predicate ? WS_READ_GUARD : WS_READ_VALUE, controller->options);
        latency = MAX(latency, longest_use(controller, producer, p));
        if (longer && p < REGISTERS)
            latency =
                behind + ws_class_latency(ws_instruction_class(producer), controller->options);
        if (clock->cycle[p] + latency > now)
            needed = MAX(needed, clock->cycle[p] + latency - now);
    }
    return needed;
}

/* The stall of the instruction in front holds the next one back. */
static void stall_before(Controller *controller, guint32 first, guint32 at, guint needed,
                         guint32 *now)
{
    if (needed == 0 || at == first)
        return;
    WsControl *control = &controller->instructions[at - 1].control;
    guint more = MIN(needed, (guint)(MAX_STALL - control->stall));
    control->stall = (guint8)(control->stall + more);
    *now += more;
}

/* What waits for a barrier stands two cycles behind the instruction that takes it, as in compiled
 * code. */
static gboolean waits_for(const WsInstruction *instruction, const WsControl *before)
{
    guint barriers = 0;
    if (before->write_barrier < BARRIERS)
        barriers |= 1u << before->write_barrier;
    if (before->read_barrier < BARRIERS)
        barriers |= 1u << before->read_barrier;
    return (instruction->control.wait_mask & barriers) != 0;
}

static gboolean waits_longer(const Controller *controller, guint32 n)
{
    return n < controller->count && ws_stands_behind_results(&controller->instructions[n]);
}

static void note_writes(Clock *clock, const WsInstruction *instruction, guint32 writer,
                        guint32 cycle)
{
    WsRegisterAccess accesses[WS_MAX_ACCESSES];
    guint count = ws_instruction_accesses(instruction, accesses);
    for (guint a = 0; a < count; a++) {
        guint first = first_place(&accesses[a]);
        for (guint p = first; accesses[a].write && p < PLACES && p < first + accesses[a].words;
             p++) {
            clock->writer[p] = writer;
            clock->cycle[p] = cycle;
        }
    }
}

static void set_stalls(Controller *controller, const WsBlock *block)
{
    const WsCodeTarget *target = controller->options->target;
    guint spacing = target != NULL ? target->xu_spacing : H200_XU_SPACING;
    Clock clock = {.next_xu = 0};
    memset(clock.writer, 0xff, sizeof(clock.writer));
    memset(clock.cycle, 0, sizeof(clock.cycle));
    guint32 now = 0;
    for (guint32 i = block->first; i < block->first + block->count; i++) {
        WsInstruction *instruction = &controller->instructions[i];
        if (i > block->first && waits_for(instruction, &instruction[-1].control))
            stall_before(controller, block->first, i, 1, &now);
        guint needed = waits_longer(controller, i)
                           ? tail_needed(controller, &clock, now, TRUE)
                           : distance_needed(controller, &clock, instruction, now);
        stall_before(controller, block->first, i, needed, &now);
        if (ws_class_pipe(ws_instruction_class(instruction)) == WS_PIPE_XU)
            clock.next_xu = now + spacing;
        gboolean fixed = !has_barrier(controller, instruction);
        note_writes(&clock, instruction, fixed ? i : G_MAXUINT32, now);
        now += 1;
    }
    guint32 end = block->first + block->count;
    guint needed = tail_needed(controller, &clock, now, waits_longer(controller, end));
    stall_before(controller, block->first, end, needed, &now);
}

/* Registers that a block has from others and takes as factors of 64-bit products at its start. */
static void find_factors(Controller *controller)
{
    for (guint32 b = 0; b < controller->flow->block_count; b++) {
        const WsBlock *block = &controller->flow->blocks[b];
        Places made = {0};
        for (guint32 i = 0; i < MIN(block->count, (guint32)MAX_STALL); i++) {
            const WsInstruction *instruction = &controller->instructions[block->first + i];
            Places read;
            Places written;
            places_of(instruction, &read, &written);
            for (guint w = 0; w < SET_WORDS; w++)
                if (ws_instruction_class(instruction) == WS_CLASS_IMAD_WIDE)
                    controller->factors.bits[w] |= read.bits[w] & ~made.bits[w];
            add(&made, &written);
        }
    }
}

void ws_set_control(WsInstruction *instructions, guint32 count, const WsCompileOptions *options)
{
    Controller controller = {.instructions = instructions, .count = count, .options = options};
    controller.flow = ws_control_flow_new(instructions, 0, count);
    controller.entry = g_new0(Pending, controller.flow->block_count + 1);
    find_factors(&controller);
    assign_barriers(&controller);
    solve_pending(&controller);
    set_waits(&controller);
    for (guint32 b = 0; b < controller.flow->block_count; b++)
        set_stalls(&controller, &controller.flow->blocks[b]);
    ws_control_flow_free(controller.flow);
    g_free(controller.entry);
}
