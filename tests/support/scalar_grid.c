#include "tests/support/scalar_grid.h"

#include <string.h>

#include "isa/bytecode/opcode.h"
#include "tests/support/scalar_memory.h"
#include "tests/support/scalar_step.h"

enum { BARRIERS = 16 };

typedef enum { RUNS, AT_BARRIER, AT_WARPSYNC, AT_EXCHANGE, ENDED } State;

typedef struct {
    State state;
    guint32 pc;
    guint64 group; /* lanes of its warp that it exchanges values with */
    guint64 mask;  /* AT_WARPSYNC: lanes waited for */
    guint barrier; /* AT_BARRIER */
    guint32 uniform[64];
    gboolean uniform_predicates[8];
} Thread;

typedef struct {
    gboolean *arrived; /* by thread */
    guint32 expected;  /* threads, 0 = all */
} Barrier;

typedef struct {
    const WsJob *job;
    const WsLaunch *launch;
    const WsInstruction *code;
    ScalarMemory memory;
    guint warp_size, threads, warps;
    Thread *thread;
    ScalarWarp *warp;
    ScalarWarp *before;
    Barrier barriers[BARRIERS];
    guint8 *banks[WS_CONSTANT_BANKS];
    guint64 steps, step_limit;
    char *problem;
} Grid;

static void fail(Grid *grid, guint thread, const char *what)
{
    if (grid->problem == NULL) {
        grid->problem =
            g_strdup_printf("thread %u, instruction %u: %s", thread, grid->thread[thread].pc, what);
    }
}

static ScalarWarp *warp_of(const Grid *grid, guint thread)
{
    return &grid->warp[thread / grid->warp_size];
}

static ScalarLane *lane_of(const Grid *grid, guint thread)
{
    return &warp_of(grid, thread)->lane[thread % grid->warp_size];
}

/* Operands of one instruction in one thread. */
static ScalarStep step_of(const Grid *grid, guint thread)
{
    return (ScalarStep){.instruction = &grid->code[grid->thread[thread].pc],
                        .before = warp_of(grid, thread),
                        .after = warp_of(grid, thread),
                        .lane = thread % grid->warp_size,
                        .mask = (guint64)1 << thread % grid->warp_size};
}

static gboolean guard_holds(const Grid *grid, guint thread)
{
    const WsInstruction *instruction = &grid->code[grid->thread[thread].pc];
    gboolean holds =
        ws_is_guarded_uniformly(instruction)
            ? warp_of(grid, thread)->uniform_predicates[instruction->guard - WS_GUARD_UNIFORM]
            : lane_of(grid, thread)->predicates[instruction->guard] != 0;
    return holds != (gboolean)instruction->guard_negated;
}

/* ---- control flow and memory in one thread ------------------------------------------------------
 */

static void branch(Grid *grid, guint thread)
{
    Thread *t = &grid->thread[thread];
    ScalarStep step = step_of(grid, thread);
    const WsInstruction *instruction = step.instruction;
    gint target = scalar_find(&step, WS_SLOT_Tg);
    guint32 to = target >= 0 ? instruction->operand[target].value : 0, next = t->pc + 1;
    switch (instruction->opcode) {
    case WS_OP_BRA:
        next = scalar_predicate_operand(&step, WS_SLOT_Pp) ? to : next;
        break;
    case WS_OP_CALL:
        scalar_put(&step, next * WS_INSTRUCTION_BYTES);
        next = to;
        break;
    default: /* BRX, RET */
        next = to + (guint32)scalar_plain(&step, 'a') / WS_INSTRUCTION_BYTES;
        break;
    }
    t->pc = next;
    if (next >= grid->job->program->instruction_count) {
        fail(grid, thread, "jump out of the program");
    }
}

static void use_memory(Grid *grid, guint thread)
{
    ScalarStep step = step_of(grid, thread);
    grid->memory.thread = thread;
    if (!scalar_access(&step, &grid->memory)) {
        fail(grid, thread, "access outside of memory");
    }
}

/* ---- block barriers -----------------------------------------------------------------------------
 */

static void come_to_barrier(Grid *grid, guint thread)
{
    ScalarStep step = step_of(grid, thread);
    Thread *t = &grid->thread[thread];
    guint number = (guint)scalar_plain(&step, 'b') % BARRIERS;
    Barrier *barrier = &grid->barriers[number];
    barrier->arrived[thread] = TRUE;
    barrier->expected = (guint32)scalar_plain(&step, 'c');
    t->barrier = number;
    if (MOD(&step, BARRIER) == WS_BAR_ARRIVE) {
        t->pc++;
    } else {
        t->state = AT_BARRIER;
    }
}

/* Warps of which all threads that have not ended are there; `ret_all` says if that is all. */
static guint warps_arrived(const Grid *grid, const Barrier *barrier, gboolean *ret_all)
{
    guint count = 0;
    *ret_all = TRUE;
    for (guint w = 0; w < grid->warps; w++) {
        guint alive = 0, there = 0;
        for (guint k = 0; k < grid->warp_size && w * grid->warp_size + k < grid->threads; k++) {
            guint thread = w * grid->warp_size + k;
            alive += grid->thread[thread].state != ENDED;
            there += grid->thread[thread].state != ENDED && barrier->arrived[thread];
        }
        count += there == alive && alive > 0;
        *ret_all = *ret_all && there == alive;
    }
    return count;
}

/* Results of BAR.RED. */
static void write_reductions(Grid *grid, guint number)
{
    guint32 holds = 0, all = 0;
    for (guint thread = 0; thread < grid->threads; thread++) {
        const Thread *t = &grid->thread[thread];
        if (t->state == AT_BARRIER && t->barrier == number) {
            ScalarStep step = step_of(grid, thread);
            holds += scalar_predicate_operand(&step, WS_SLOT_Pp) != 0;
            all++;
        }
    }
    for (guint thread = 0; thread < grid->threads; thread++) {
        const Thread *t = &grid->thread[thread];
        ScalarStep step = step_of(grid, thread);
        if (t->state == AT_BARRIER && t->barrier == number &&
            MOD(&step, BARRIER) >= WS_BAR_RED_POPC) {
            gboolean is_and = MOD(&step, BARRIER) == WS_BAR_RED_AND;
            scalar_put(&step, holds);
            scalar_put_predicate(&step, WS_SLOT_Pd, is_and ? holds == all : holds != 0);
        }
    }
}

static gboolean open_barrier(Grid *grid, guint number)
{
    Barrier *barrier = &grid->barriers[number];
    gboolean all, waits = FALSE;
    guint count = warps_arrived(grid, barrier, &all);
    guint expected = (barrier->expected + grid->warp_size - 1) / grid->warp_size;
    for (guint thread = 0; thread < grid->threads; thread++) {
        waits = waits || (grid->thread[thread].state == AT_BARRIER &&
                          grid->thread[thread].barrier == number);
    }
    if (!waits || (barrier->expected == 0 ? !all : count < expected)) {
        return FALSE;
    }
    write_reductions(grid, number);
    for (guint thread = 0; thread < grid->threads; thread++) {
        Thread *t = &grid->thread[thread];
        barrier->arrived[thread] = FALSE;
        if (t->state == AT_BARRIER && t->barrier == number) {
            t->state = RUNS;
            t->pc++;
        }
    }
    return TRUE;
}

/* ---- lanes that meet ----------------------------------------------------------------------------
 */

static guint64 alive_lanes(const Grid *grid, guint warp)
{
    guint64 alive = 0;
    for (guint k = 0; k < grid->warp_size && warp * grid->warp_size + k < grid->threads; k++) {
        if (grid->thread[warp * grid->warp_size + k].state != ENDED) {
            alive |= (guint64)1 << k;
        }
    }
    return alive;
}

/* TRUE if all lanes of `wanted` are in that state at the same instruction. */
static gboolean are_together(const Grid *grid, guint warp, guint64 wanted, State state, guint32 pc)
{
    for (guint64 m = wanted; m != 0; m &= m - 1) {
        const Thread *t = &grid->thread[warp * grid->warp_size + (guint)__builtin_ctzll(m)];
        if (t->state != state || t->pc != pc) {
            return FALSE;
        }
    }
    return TRUE;
}

/* The exchange of the lanes of `group`, all at the same instruction. */
static void exchange(Grid *grid, guint warp, guint64 group)
{
    ScalarWarp *w = &grid->warp[warp];
    Thread *first = &grid->thread[warp * grid->warp_size];
    guint64 mask = 0;
    guint32 pc = first[__builtin_ctzll(group)].pc;
    memcpy(w->uniform, first[__builtin_ctzll(group)].uniform, sizeof w->uniform);
    for (guint64 m = group; m != 0; m &= m - 1) {
        guint lane = (guint)__builtin_ctzll(m);
        mask |= guard_holds(grid, warp * grid->warp_size + lane) ? (guint64)1 << lane : 0;
    }
    if (mask != 0) {
        scalar_execute(&grid->code[pc], w, mask);
    }
    for (guint64 m = group; m != 0; m &= m - 1) {
        Thread *t = &first[__builtin_ctzll(m)];
        memcpy(t->uniform, w->uniform, sizeof w->uniform);
        t->state = RUNS;
        t->pc = pc + 1;
    }
}

static gboolean meet(Grid *grid, guint thread)
{
    Thread *t = &grid->thread[thread];
    guint warp = thread / grid->warp_size;
    guint64 own = (guint64)1 << thread % grid->warp_size, alive = alive_lanes(grid, warp), lanes;
    if (t->state == AT_EXCHANGE) {
        lanes = (t->group & alive) | own;
        if (!are_together(grid, warp, lanes, AT_EXCHANGE, t->pc)) {
            return FALSE;
        }
        exchange(grid, warp, lanes);
        return TRUE;
    }
    lanes = (t->mask & alive) | own;
    if (t->state != AT_WARPSYNC || !are_together(grid, warp, lanes, AT_WARPSYNC, t->pc)) {
        return FALSE;
    }
    for (guint64 m = lanes; m != 0; m &= m - 1) {
        Thread *other = &grid->thread[warp * grid->warp_size + (guint)__builtin_ctzll(m)];
        other->group = lanes;
        other->state = RUNS;
        other->pc++;
    }
    return TRUE;
}

/* ---- one thread ---------------------------------------------------------------------------------
 */

/* An instruction that computes in the lane alone. */
static void compute(Grid *grid, guint thread)
{
    ScalarWarp *warp = warp_of(grid, thread), *before = grid->before;
    const WsInstruction *instruction = &grid->code[grid->thread[thread].pc];
    guint lane = thread % grid->warp_size;
    if (!scalar_covers(instruction->opcode)) {
        fail(grid, thread, "an instruction that the reference does not know");
        return;
    }
    warp->context.active = grid->thread[thread].group;
    before->lanes = warp->lanes;
    before->lane[lane] = warp->lane[lane];
    memcpy(before->uniform, warp->uniform, sizeof warp->uniform);
    memcpy(before->uniform_predicates, warp->uniform_predicates, sizeof warp->uniform_predicates);
    before->context = warp->context;
    memcpy(before->block, warp->block, sizeof warp->block);
    before->constants = warp->constants;
    before->clock_khz = warp->clock_khz;
    before->slots = warp->slots;
    before->sms = warp->sms;
    before->dynamic_shared_bytes = warp->dynamic_shared_bytes;
    before->total_shared_bytes = warp->total_shared_bytes;
    scalar_execute_lane(instruction, before, warp, lane);
}

/* One instruction whose guard holds. */
static void execute(Grid *grid, guint thread)
{
    Thread *t = &grid->thread[thread];
    ScalarStep step = step_of(grid, thread);
    switch (step.instruction->opcode) {
    case WS_OP_EXIT:
        t->state = scalar_predicate_operand(&step, WS_SLOT_Pp) ? ENDED : t->state;
        break;
    case WS_OP_BRA:
    case WS_OP_BRX:
    case WS_OP_CALL:
    case WS_OP_RET:
        branch(grid, thread);
        return;
    case WS_OP_BAR:
        come_to_barrier(grid, thread);
        return;
    case WS_OP_WARPSYNC:
        t->mask = scalar_plain(&step, 'b');
        t->state = AT_WARPSYNC;
        return;
    case WS_OP_WARPSYNC_ALL:
        t->mask = G_MAXUINT64;
        t->state = AT_WARPSYNC;
        return;
    case WS_OP_BSSY:
    case WS_OP_BSYNC:
    case WS_OP_BREAK:
    case WS_OP_YIELD:
    case WS_OP_NANOSLEEP:
    case WS_OP_MEMBAR:
    case WS_OP_NOP:
    case WS_OP_MUFU: /* programs discard its result */
        break;
    default:
        if (scalar_find(&step, WS_SLOT_Ma) >= 0) {
            use_memory(grid, thread);
        } else {
            compute(grid, thread);
        }
        break;
    }
    t->pc++;
}

static gboolean is_exchange(WsOpcode opcode)
{
    return opcode == WS_OP_SHFL || opcode == WS_OP_VOTE || opcode == WS_OP_VOTEU ||
           opcode == WS_OP_MATCH || opcode == WS_OP_REDUX;
}

static void run_thread(Grid *grid, guint thread)
{
    Thread *t = &grid->thread[thread];
    ScalarWarp *warp = warp_of(grid, thread);
    memcpy(warp->uniform, t->uniform, sizeof t->uniform);
    memcpy(warp->uniform_predicates, t->uniform_predicates, sizeof t->uniform_predicates);
    while (t->state == RUNS && grid->problem == NULL) {
        if (grid->steps++ == grid->step_limit) {
            fail(grid, thread, "too many instructions");
        } else if (is_exchange(grid->code[t->pc].opcode)) {
            t->state = AT_EXCHANGE;
        } else if (!guard_holds(grid, thread)) {
            t->pc++;
        } else {
            execute(grid, thread);
        }
    }
    memcpy(t->uniform, warp->uniform, sizeof t->uniform);
    memcpy(t->uniform_predicates, warp->uniform_predicates, sizeof t->uniform_predicates);
}

/* ---- blocks -------------------------------------------------------------------------------------
 */

static gboolean go_on(Grid *grid)
{
    gboolean any = FALSE;
    for (guint thread = 0; thread < grid->threads && grid->problem == NULL; thread++) {
        if (grid->thread[thread].state == RUNS) {
            run_thread(grid, thread);
            any = TRUE;
        }
    }
    for (guint thread = 0; thread < grid->threads && !any; thread++) {
        any = meet(grid, thread);
    }
    for (guint number = 0; number < BARRIERS && !any; number++) {
        any = open_barrier(grid, number);
    }
    return any && grid->problem == NULL;
}

static void begin_block(Grid *grid, const guint32 block[3])
{
    const WsLaunch *launch = grid->launch;
    const WsDevice *device = grid->job->device;
    memset(grid->thread, 0, grid->threads * sizeof *grid->thread);
    memset(grid->warp, 0, grid->warps * sizeof *grid->warp);
    scalar_memory_begin_block(&grid->memory);
    for (guint number = 0; number < BARRIERS; number++) {
        memset(grid->barriers[number].arrived, 0, grid->threads * sizeof(gboolean));
    }
    for (guint w = 0; w < grid->warps; w++) {
        ScalarWarp *warp = &grid->warp[w];
        warp->lanes = grid->warp_size;
        warp->constants = (const guint8 *const *)grid->banks;
        memcpy(warp->context.block_index, block, sizeof warp->context.block_index);
        warp->context.first_thread = w * grid->warp_size;
        warp->context.launch = (guint32)(launch - grid->job->launches);
        memcpy(warp->block, launch->block, sizeof warp->block);
        warp->clock_khz = device->clock_khz;
        warp->slots = (guint32)device->max_warps_per_sm;
        warp->sms = (guint32)device->sms;
        warp->dynamic_shared_bytes = launch->dynamic_shared_bytes;
        warp->total_shared_bytes =
            launch->kernel->static_shared_bytes + launch->dynamic_shared_bytes;
        for (guint lane = 0; lane < WS_MAX_WARP_SIZE; lane++) {
            warp->lane[lane].predicates[WS_PT] = TRUE;
        }
    }
    for (guint thread = 0; thread < grid->threads; thread++) {
        Thread *t = &grid->thread[thread];
        t->pc = launch->kernel->first;
        t->group = (guint64)1 << thread % grid->warp_size;
        t->uniform_predicates[WS_PT] = TRUE;
    }
}

static void run_block(Grid *grid, const guint32 block[3])
{
    begin_block(grid, block);
    while (go_on(grid)) {
    }
    for (guint thread = 0; thread < grid->threads; thread++) {
        if (grid->thread[thread].state != ENDED) {
            fail(grid, thread, "never goes on");
        }
    }
}

static void put_word(guint8 *bank, guint32 at, guint32 word)
{
    memcpy(bank + at, &word, sizeof word);
}

static void fill_banks(Grid *grid)
{
    const WsLaunch *launch = grid->launch;
    const WsProgram *program = grid->job->program;
    guint8 *bank = grid->banks[0];
    memset(bank, 0, WS_CONSTANT_BANK_BYTES);
    for (guint i = 0; i < 3; i++) {
        put_word(bank, WS_CONSTANT_BLOCK_DIM + 4 * i, launch->block[i]);
        put_word(bank, WS_CONSTANT_GRID_DIM + 4 * i, launch->grid[i]);
    }
    put_word(bank, WS_CONSTANT_SHARED_WINDOW, (guint32)WS_SHARED_WINDOW);
    put_word(bank, WS_CONSTANT_LOCAL_WINDOW, (guint32)WS_LOCAL_WINDOW);
    put_word(bank, WS_CONSTANT_DYNAMIC_SHARED, launch->kernel->static_shared_bytes);
    memcpy(bank + program->parameter_base, launch->parameters, launch->kernel->parameter_bytes);
    if (program->constant_bytes > 0) {
        memcpy(grid->banks[3], program->constants, program->constant_bytes);
    }
}

static void run_launch(Grid *grid, const WsLaunch *launch)
{
    grid->launch = launch;
    grid->threads = launch->block[0] * launch->block[1] * launch->block[2];
    grid->warps = (grid->threads + grid->warp_size - 1) / grid->warp_size;
    grid->thread = g_new0(Thread, grid->threads);
    grid->warp = g_new0(ScalarWarp, grid->warps);
    for (guint number = 0; number < BARRIERS; number++) {
        grid->barriers[number].arrived = g_new0(gboolean, grid->threads);
    }
    fill_banks(grid);
    scalar_memory_begin_launch(&grid->memory, launch, grid->threads);
    for (guint32 z = 0; z < launch->grid[2]; z++) {
        for (guint32 y = 0; y < launch->grid[1]; y++) {
            for (guint32 x = 0; x < launch->grid[0] && grid->problem == NULL; x++) {
                run_block(grid, (const guint32[3]){x, y, z});
            }
        }
    }
    scalar_memory_end_launch(&grid->memory);
    for (guint number = 0; number < BARRIERS; number++) {
        g_free(grid->barriers[number].arrived);
    }
    g_free(grid->thread);
    g_free(grid->warp);
}

char *scalar_grid_run(const WsJob *job, guint8 *const *memory, guint64 step_limit)
{
    Grid grid = {.job = job,
                 .code = job->program->instructions,
                 .warp_size = (guint)job->device->warp_size,
                 .before = g_new0(ScalarWarp, 1),
                 .step_limit = step_limit};
    grid.memory = (ScalarMemory){.job = job, .buffers = memory};
    for (guint bank = 0; bank < WS_CONSTANT_BANKS; bank++) {
        grid.banks[bank] = g_malloc0(WS_CONSTANT_BANK_BYTES);
    }
    for (guint32 i = 0; i < job->launch_count && grid.problem == NULL; i++) {
        run_launch(&grid, &job->launches[i]);
    }
    for (guint bank = 0; bank < WS_CONSTANT_BANKS; bank++) {
        g_free(grid.banks[bank]);
    }
    g_free(grid.before);
    return grid.problem;
}
