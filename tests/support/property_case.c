#include "tests/support/property_case.h"

#include <string.h>

#include "isa/bytecode/opcode.h"
#include "isa/text/assembler.h"
#include "sim/device/settings.h"
#include "sim/interpreter/interpreter.h"
#include "tests/support/scalar_grid.h"
#include "tests/support/tiling.h"

enum { BUFFERS = 4, STEP_LIMIT = 4000000, MAX_CYCLES = 20000000 };

/* ---- the machine --------------------------------------------------------------------------------
 */

static const char *const devices[] = {"h200", "a100", "v100", "textbook"};
static const guint warp_sizes[] = {8, 16, 32, 64};

static const char *const *names_of(const char *path)
{
    return ws_setting_at((guint)ws_setting_find(path))->names;
}

guint property_axis_count(PropertyAxis axis)
{
    switch (axis) {
    case PROPERTY_MODEL:
        return g_strv_length((char **)names_of("divergence.model"));
    case PROPERTY_POLICY:
        return g_strv_length((char **)names_of("policy"));
    case PROPERTY_WARP_SIZE:
        return G_N_ELEMENTS(warp_sizes);
    case PROPERTY_SUB_CORES:
        return 8;
    case PROPERTY_DEPENDENCES:
        return g_strv_length((char **)names_of("dependences"));
    case PROPERTY_DEVICE:
        return G_N_ELEMENTS(devices);
    default:
        return 2;
    }
}

static void choose_values(PropertyCase *this)
{
    guint64 total = 1, number;
    for (guint axis = 0; axis < PROPERTY_AXES; axis++) {
        total *= property_axis_count(axis);
    }
    number = this->seed * 1000003 % total;
    for (guint axis = 0; axis < PROPERTY_AXES; axis++) {
        guint count = property_axis_count(axis);
        this->value[axis] = (guint)(number % count);
        number /= count;
    }
}

static void set(PropertyCase *this, guint n, const char *path, const char *value)
{
    this->settings[n] = g_strdup_printf("%s=%s", path, value);
}

static void set_number(PropertyCase *this, guint n, const char *path, guint value)
{
    this->settings[n] = g_strdup_printf("%s=%u", path, value);
}

/* What makes one part of a machine tight, or out of the ordinary. */
static const char *const stress[] = {
    "memory.l1.mshrs=1",
    "memory.l1.mshrs=5",
    "memory.l1.ways=1",
    "memory.l1.tags_per_cycle=1",
    "memory.l2.bytes=4096",
    "memory.l2.ways=1",
    "memory.l2.slices=1",
    "memory.l2.store_queue=0",
    "memory.l2.sm_bytes_per_cycle=1",
    "memory.l2.near_latency=2",
    "memory.l2.slice_interval=50",
    "memory.dram.channels=1",
    "memory.dram.refresh_interval=100",
    "memory.dram.latency=2000",
    "memory.lsu.queue=1",
    "memory.lsu.sub_core_interval=9",
    "memory.lsu.source_latency=0",
    "memory.lsu.source_latency=300",
    "memory.shared.banks=1",
    "memory.shared.wavefront_interval=7",
    "launch.turnover=0",
    "launch.drain=0",
    "launch.drain=900",
    "launch.store_drain=500",
    "launch.latency=0",
    "launch.interval=0",
    "gpc.tpcs=[]",
    "gpc.sms_per_tpc=3",
    "gpc.far=[]",
    "gpc.far_latency=10000",
    "launch.outside_turns=1",
    "launch.block_interval_milli=90000",
    "launch.parameters=sent",
    "constant.queue=1",
    "launch.queued_warps=1",
    "launch.gap=1000",
    "launch.early_warps=off",
    "launch.refill_interval_milli=1000000",
    "membar.window=3000",
    "fetch.sm_latency_milli=1000000",
    "fetch.l15.sm_interval_milli=1000000",
    "constant.sm_latency_milli=1000000",
    "memory.l2.sectors_latency=900",
    "limits.warps_per_sm=17",
    "branch.taken_cost=0",
    "branch.switch_cost=100",
    "branch.convergence_cost=1",
    "nanosleep.minimum=0",
    "barrier.per_warp=0",
    "barrier.per_warp=50",
    "membar.gpu=0",
    "fetch.l0.bytes=128",
    "fetch.l1.bytes=128",
    "fetch.buffer=0",
    "fetch.prefetch_lines=0",
    "constant.l0.bytes=64",
    "constant.ways=1",
    "classes.global_atomic.interval=40",
    "classes.shared_load.latency=500",
    "classes.int.latency=1",
    "classes.imad.warp_interval=60",
    "classes.shuffle.sm_interval=30",
    "lower.schedule=off",
    "policies.two_level.active_warps=1",
    "policies.two_level.longest_wait=1",
    "policies.ccws.throttle=1000",
    "policies.ccws.base_score=1",
    "policies.ccws.decay=0",
    "barrier.lazy=off",
    "barrier.register_latency=300",
    "membar.overlap=90",
    "barrier.open_interval_milli=33300",
    "registers.read_cycles=16",
    "classes.int.passes_barrier=1",
    "classes.vote.passes_barrier=1",
    "classes.special_register.passes_barrier=1",
    "classes.convergence.passes_barrier=1",
    "classes.branch.passes_barrier=1",
    "classes.shared_load.passes_barrier=1",
};

static void choose_stress(PropertyCase *this, GRand *random, guint n)
{
    for (guint i = 0; i < 2; i++) {
        this->settings[n + i] = g_strdup(stress[g_rand_int_range(random, 0, G_N_ELEMENTS(stress))]);
    }
}

static void choose_settings(PropertyCase *this, GRand *random)
{
    static const guint turns[] = {0, 1, 3, 1000};
    const char *const *sides = names_of("divergence.first_side");
    gboolean textbook = g_str_equal(devices[this->value[PROPERTY_DEVICE]], "textbook");
    set(this, 0, "divergence.model", names_of("divergence.model")[this->value[PROPERTY_MODEL]]);
    set(this, 1, "policy", names_of("policy")[this->value[PROPERTY_POLICY]]);
    set(this, 2, "dependences", names_of("dependences")[this->value[PROPERTY_DEPENDENCES]]);
    set_number(this, 3, "warp_size", warp_sizes[this->value[PROPERTY_WARP_SIZE]]);
    set_number(this, 4, "sub_cores", 1 + this->value[PROPERTY_SUB_CORES]);
    set(this, 5, "divergence.first_side",
        sides[g_rand_int_range(random, 0, (gint32)g_strv_length((char **)sides))]);
    set_number(this, 6, "divergence.progress_after",
               turns[g_rand_int_range(random, 0, G_N_ELEMENTS(turns))]);
    set_number(this, 7, "sms", textbook ? 1 : (guint)g_rand_int_range(random, 1, 4));
    set_number(this, 8, "switch_cost", g_rand_boolean(random) ? 0 : 3);
    set(this, 9, "fetch.model", g_rand_boolean(random) ? "ideal" : "cached");
    set_number(this, 10, "limits.blocks_per_sm", g_rand_boolean(random) ? 1 : 16);
    set_number(this, 11, "registers.banks", g_rand_boolean(random) ? 0 : 2);
    if (g_rand_boolean(random)) {
        choose_stress(this, random, 12);
    }
}

static void choose_shape(PropertyCase *this, GRand *random)
{
    static const guint8 blocks[][3] = {{32, 1, 1}, {64, 1, 1}, {33, 1, 1}, {1, 1, 1},  {7, 1, 1},
                                       {48, 1, 1}, {8, 8, 1},  {5, 7, 1},  {4, 4, 3},  {3, 5, 2},
                                       {70, 1, 1}, {96, 1, 1}, {16, 2, 2}, {2, 3, 11}, {31, 1, 1},
                                       {1, 20, 2}, {1, 1, 40}, {129, 1, 1}};
    static const guint8 grids[][3] = {{1, 1, 1}, {1, 1, 1}, {2, 1, 1}, {3, 1, 1},
                                      {2, 2, 1}, {1, 2, 2}, {1, 1, 3}};
    static const guint8 strides[] = {32, 48, 128};
    const guint8 *block = blocks[g_rand_int_range(random, 0, G_N_ELEMENTS(blocks))];
    const guint8 *grid = grids[g_rand_int_range(random, 0, G_N_ELEMENTS(grids))];
    for (guint i = 0; i < 3; i++) {
        this->block[i] = block[i];
        this->grid[i] = grid[i];
    }
    this->own_stride = strides[g_rand_int_range(random, 0, G_N_ELEMENTS(strides))];
    this->statements = (guint)g_rand_int_range(random, 4, 14);
    this->launches = g_rand_int_range(random, 0, 4) == 0 ? 3 : 1;
    this->keep_caches = g_rand_boolean(random);
}

PropertyCase *property_case_new(guint64 seed)
{
    PropertyCase *this = g_new0(PropertyCase, 1);
    const guint32 key[] = {(guint32)seed, (guint32)(seed >> 32), 1};
    GRand *random = g_rand_new_with_seed_array(key, G_N_ELEMENTS(key));
    this->seed = seed;
    choose_values(this);
    choose_settings(this, random);
    choose_shape(this, random);
    g_rand_free(random);
    return this;
}

void property_case_free(PropertyCase *this)
{
    for (guint i = 0; this->settings[i] != NULL; i++) {
        g_free(this->settings[i]);
    }
    g_free(this);
}

char *property_case_describe(const PropertyCase *this)
{
    g_autofree char *settings = g_strjoinv(" ", (char **)this->settings);
    return g_strdup_printf("seed %" G_GUINT64_FORMAT
                           ": %s %s, host threads %u, grid %ux%ux%u, block %ux%ux%u%s",
                           this->seed, devices[this->value[PROPERTY_DEVICE]], settings,
                           1 + this->value[PROPERTY_THREADS], this->grid[0], this->grid[1],
                           this->grid[2], this->block[0], this->block[1], this->block[2],
                           this->launches == 1 ? ""
                           : this->keep_caches ? ", three times, cache: keep"
                                               : ", three times");
}

/* ---- the program --------------------------------------------------------------------------------
 */

static guint block_threads(const PropertyCase *this)
{
    return this->block[0] * this->block[1] * this->block[2];
}

static guint grid_blocks(const PropertyCase *this)
{
    return this->grid[0] * this->grid[1] * this->grid[2];
}

char *property_case_text(const PropertyCase *this, const guint8 *dropped, guint dropped_count,
                         guint *ret_statements)
{
    RandomProgramOptions options = {
        .seed = this->seed,
        .threads = block_threads(this),
        .blocks = grid_blocks(this),
        .warp_size = warp_sizes[this->value[PROPERTY_WARP_SIZE]],
        .own_stride = this->own_stride,
        .statements = this->statements,
        .independent =
            g_str_equal(names_of("divergence.model")[this->value[PROPERTY_MODEL]], "its"),
        .dropped = dropped,
        .dropped_count = dropped_count,
    };
    g_autofree char *body = random_program(&options, ret_statements);
    return g_strconcat(random_program_constants, ".kernel random\n", random_program_parameters,
                       body, NULL);
}

static void add_buffer(WsJob *job, guint n, const char *name, guint64 bytes)
{
    guint64 address = WS_BUFFER_BASE;
    if (n > 0) {
        const WsBuffer *last = &job->buffers[n - 1];
        address = (last->address + last->bytes + 65536 + 511) / 512 * 512;
    }
    job->buffers[n] = (WsBuffer){.name = g_strdup(name),
                                 .type = WS_TYPE_U32,
                                 .count = bytes / 4,
                                 .bytes = bytes,
                                 .address = address,
                                 .data = g_malloc0(bytes)};
}

/* Random words; zero where floats and locks begin with zero
 * (tests/support/random_program_memory.c). */
static void fill_buffers(const PropertyCase *this, WsJob *job)
{
    const guint32 key[] = {(guint32)this->seed, (guint32)(this->seed >> 32), 2};
    GRand *random = g_rand_new_with_seed_array(key, G_N_ELEMENTS(key));
    for (guint n = 0; n < 3; n++) {
        guint32 *words = (guint32 *)(void *)job->buffers[n].data;
        for (guint64 i = 0; i < job->buffers[n].count; i++) {
            guint column = (guint)(i / 2 % 16);
            gboolean zero = n == 2 && (column == 0 || column >= 12);
            guint32 word = g_rand_int(random);
            words[i] = zero ? 0 : word;
        }
    }
    g_rand_free(random);
}

static void fill_launch(const PropertyCase *this, WsJob *job, WsLaunch *launch)
{
    const guint32 seven = 7;
    launch->keep_caches = this->keep_caches;
    launch->kernel = &job->program->kernels[0];
    memcpy(launch->grid, this->grid, sizeof launch->grid);
    memcpy(launch->block, this->block, sizeof launch->block);
    launch->carveout = -1;
    launch->parameters = g_malloc0(launch->kernel->parameter_bytes);
    for (guint n = 0; n < BUFFERS; n++) {
        memcpy(launch->parameters + 8 * n, &job->buffers[n].address, 8);
    }
    memcpy(launch->parameters + 8 * BUFFERS, &seven, sizeof seven);
}

WsJob *property_case_job(const PropertyCase *this, const char *text, GError **error)
{
    g_autoptr(WsJob) job = g_new0(WsJob, 1);
    guint64 threads = (guint64)block_threads(this) * grid_blocks(this);
    WsCompileOptions options;
    job->device = ws_device_load(devices[this->value[PROPERTY_DEVICE]],
                                 (const char *const *)this->settings, error);
    if (job->device == NULL) {
        return NULL;
    }
    ws_compile_options_init(&options);
    options.parameter_base = (guint32)job->device->parameter_base;
    job->program = ws_assemble("random.wsasm", text, strlen(text), &options, error);
    if (job->program == NULL) {
        return NULL;
    }
    job->path = g_strdup("random");
    job->constant_data = g_memdup2(job->program->constants, job->program->constant_bytes);
    job->buffers = g_new0(WsBuffer, BUFFERS);
    job->buffer_count = BUFFERS;
    add_buffer(job, 0, "own", threads * this->own_stride);
    add_buffer(job, 1, "input", RANDOM_PROGRAM_INPUT_BYTES);
    add_buffer(job, 2, "sums", RANDOM_PROGRAM_SUMS_BYTES);
    add_buffer(job, 3, "out", threads * 4 * RANDOM_PROGRAM_OUT_WORDS);
    fill_buffers(this, job);
    job->launches = g_new0(WsLaunch, this->launches);
    job->launch_count = this->launches;
    for (guint i = 0; i < this->launches; i++) {
        fill_launch(this, job, &job->launches[i]);
    }
    return g_steal_pointer(&job);
}

/* ---- what must hold -----------------------------------------------------------------------------
 */

typedef struct {
    const PropertyCase *this;
    WsJob *job;
    guint8 *initial[BUFFERS], *expected[BUFFERS];
    guint64 issued, lanes, lanes_on; /* seen by the observer */
    gboolean waits;                  /* by its control fields for all results */
    gboolean strange;                /* an issue of lanes that are not active */
} Checker;

static void see_issue(void *data, const WsTraceEvent *event)
{
    Checker *checker = data;
    guint64 active = event->issue.active, executed = event->issue.executed;
    checker->issued++;
    checker->lanes += (guint)__builtin_popcountll(active);
    checker->lanes_on += (guint)__builtin_popcountll(executed);
    checker->strange = checker->strange || active == 0 || (executed & ~active) != 0;
}

static char *check_memory(const Checker *checker)
{
    for (guint n = 0; n < BUFFERS; n++) {
        const WsBuffer *buffer = &checker->job->buffers[n];
        for (guint64 i = 0; i < buffer->bytes; i++) {
            if (buffer->data[i] != checker->expected[n][i]) {
                guint64 threads =
                    (guint64)block_threads(checker->this) * grid_blocks(checker->this);
                return g_strdup_printf("%s[%" G_GUINT64_FORMAT "] is %02x, not %02x%s (word "
                                       "%" G_GUINT64_FORMAT " of thread %" G_GUINT64_FORMAT ")",
                                       buffer->name, i, buffer->data[i], checker->expected[n][i],
                                       n == 3 ? "" : ", not out", n == 3 ? i / 4 / threads : 0,
                                       n == 3   ? i / 4 % threads
                                       : n == 0 ? i / checker->this->own_stride
                                                : 0);
            }
        }
    }
    return NULL;
}

static char *check_status(const WsResult *result)
{
    if (result->status == WS_STATUS_OK) {
        return NULL;
    }
    return g_strdup_printf("%s: %s, instruction %" G_GINT64_FORMAT "\n%s",
                           ws_status_name(result->status), result->stop.message,
                           result->stop.instruction,
                           result->stop.details ? result->stop.details : "");
}

/* Takes `problem`. */
static char *prefixed(const char *prefix, char *problem)
{
    char *whole = g_strconcat(prefix, problem, NULL);
    g_free(problem);
    return whole;
}

static void reset_memory(Checker *checker)
{
    for (guint n = 0; n < BUFFERS; n++) {
        memcpy(checker->job->buffers[n].data, checker->initial[n], checker->job->buffers[n].bytes);
    }
}

/* One run from the initial memory. */
static WsResult *run(Checker *checker, const WsObserver *observer, guint threads,
                     char **ret_problem)
{
    g_autoptr(GError) error = NULL;
    WsRunOptions options;
    WsResult *result;
    ws_run_options_init(&options);
    options.max_cycles = MAX_CYCLES;
    options.threads = threads;
    options.observers = (const WsObserver *const[]){observer, NULL};
    reset_memory(checker);
    result = ws_simulation_run(checker->job, &options, &error);
    *ret_problem = result == NULL ? g_strdup(error->message) : check_status(result);
    if (*ret_problem == NULL) {
        *ret_problem = tiling_problem(checker->job->program, result);
    }
    if (*ret_problem == NULL) {
        *ret_problem = check_memory(checker);
    }
    return result;
}

static char *compare_runs(const Checker *checker, const WsResult *a, const WsResult *b)
{
    const WsCounters *counters = &a->total;
    for (guint32 i = 0; i < a->launch_count; i++) {
        if (memcmp(a->launches[i].instructions, b->launches[i].instructions,
                   checker->job->program->instruction_count * sizeof(WsInstructionCounters)) != 0) {
            return g_strdup("two runs differ");
        }
    }
    if (memcmp(&a->total, &b->total, sizeof a->total) != 0) {
        return g_strdup("two runs differ");
    }
    if (checker->strange || checker->issued != counters->warp_instructions ||
        checker->lanes != counters->thread_instructions ||
        checker->lanes_on != counters->thread_instructions_pred_on) {
        return g_strdup("the observer saw other issues than were counted");
    }
    return NULL;
}

/* Control fields that wait for everything leave no hazard. */
static char *check_hazards(const Checker *checker, const WsResult *result)
{
    for (guint i = 0; checker->waits && result->warnings[i] != NULL; i++) {
        if (strstr(result->warnings[i], "hazard") != NULL) {
            return g_strdup(result->warnings[i]);
        }
    }
    return NULL;
}

/* The warps came to the end of the program's body as one path each, where they have to. */
static char *check_joined(const Checker *checker, const WsResult *result)
{
    const WsProgram *program = checker->job->program;
    guint32 at = 0;
    if (checker->job->device->divergence == WS_DIVERGENCE_NONE) {
        return NULL;
    }
    while (at < program->instruction_count &&
           g_strcmp0(program->labels[at], RANDOM_PROGRAM_JOINED) != 0) {
        at++;
    }
    while (at < program->instruction_count && program->instructions[at].opcode == WS_OP_BSYNC) {
        at++;
    }
    if (at < program->instruction_count &&
        result->launches[0].instructions[at].issued > result->launches[0].counters.warps_launched) {
        return g_strdup_printf(
            "instruction %u was issued %" G_GUINT64_FORMAT " times by %" G_GUINT64_FORMAT " warps",
            at, result->launches[0].instructions[at].issued, result->total.warps_launched);
    }
    return NULL;
}

/* An observed run and a plain one, on one host thread and on two. */
static char *check_runs(Checker *checker)
{
    WsObserver observer = {.data = checker, .kinds = WS_TRACE_BIT(ISSUE), .event = see_issue};
    guint threads = 1 + checker->this->value[PROPERTY_THREADS];
    char *problem = NULL;
    g_autoptr(WsResult) plain = run(checker, NULL, threads, &problem);
    if (problem == NULL) {
        problem = check_joined(checker, plain);
    }
    if (problem == NULL) {
        problem = check_hazards(checker, plain);
    }
    if (problem == NULL) {
        g_autoptr(WsResult) observed = run(checker, &observer, 3 - threads, &problem);
        if (problem != NULL) {
            return prefixed("observed: ", problem);
        }
        problem = compare_runs(checker, plain, observed);
    }
    return problem;
}

/* The interpreter without time comes to the same memory. */
static char *check_interpreter(Checker *checker)
{
    g_autoptr(GError) error = NULL;
    char *problem;
    reset_memory(checker);
    for (guint32 i = 0; i < checker->job->launch_count; i++) {
        if (!ws_interpret(checker->job, i, NULL, NULL, &error)) {
            return g_strdup_printf("interpreter: %s", error->message);
        }
    }
    problem = check_memory(checker);
    return problem == NULL ? NULL : prefixed("interpreter: ", problem);
}

char *property_case_check(const PropertyCase *this, const char *text)
{
    g_autoptr(GError) error = NULL;
    g_autoptr(WsJob) job = property_case_job(this, text, &error);
    Checker checker = {
        .this = this, .job = job, .waits = strstr(text, RANDOM_PROGRAM_WAITS) != NULL};
    char *problem;
    if (job == NULL) {
        return g_strdup_printf("the program is refused: %s", error->message);
    }
    for (guint n = 0; n < BUFFERS; n++) {
        checker.initial[n] = g_memdup2(job->buffers[n].data, job->buffers[n].bytes);
        checker.expected[n] = g_memdup2(job->buffers[n].data, job->buffers[n].bytes);
    }
    problem = scalar_grid_run(job, checker.expected, STEP_LIMIT);
    if (problem != NULL) {
        problem = prefixed("reference: ", problem);
    } else {
        problem = check_runs(&checker);
    }
    if (problem == NULL) {
        problem = check_interpreter(&checker);
    }
    for (guint n = 0; n < BUFFERS; n++) {
        g_free(checker.initial[n]);
        g_free(checker.expected[n]);
    }
    return problem;
}
