/* Grids on the whole device: how blocks start, replace one another and run in waves. */
#include <stdlib.h>
#include <string.h>

#include "grid.h"
#include "isa/text/assembler.h"

enum { STAMP_WORDS = 8, LEAST_WORDS = 1024, ONE_AN_SM = 200 * 1024 };

/* What launch_stamps leaves for a block. */
typedef struct {
    guint64 start, end, timer;
    guint32 sm, block;
} Stamp;

G_STATIC_ASSERT(sizeof(Stamp) == STAMP_WORDS * 4);

static void give_up(const Grid *grid, const char *why)
{
    g_printerr("%s, %u blocks: %s\n", grid->loop, grid->blocks, why);
    exit(1);
}

static WsJob *make_job(const Grid *grid)
{
    WsJob *job = g_new0(WsJob, 1);
    g_autofree char *text = grid->text != NULL ? g_strdup(grid->text) : row_loop(grid->loop);
    g_autofree char *sms = g_strdup_printf("sms=%u", grid->sms);
    const char *settings[] = {sms, "launch.parameters=ready", grid->setting, NULL};
    gsize words = MAX((gsize)grid->blocks * STAMP_WORDS, LEAST_WORDS);
    WsCompileOptions options;
    GError *error = NULL;

    job->device = ws_device_load("h200", settings, &error);
    if (job->device == NULL)
        give_up(grid, error->message);
    ws_compile_options_init(&options);
    options.parameter_base = (guint32)job->device->parameter_base;
    job->program = ws_assemble(grid->loop, text, strlen(text), &options, &error);
    if (job->program == NULL)
        give_up(grid, error->message);
    job->path = g_strdup("grid");
    job->buffers = g_new0(WsBuffer, 1);
    job->buffer_count = 1;
    job->buffers[0] = (WsBuffer){.name = g_strdup("stamps"),
                                 .type = WS_TYPE_U32,
                                 .count = words,
                                 .bytes = 4 * words,
                                 .address = WS_BUFFER_BASE,
                                 .data = g_malloc0(4 * words)};
    return job;
}

static void add_launch(WsJob *job, const Grid *grid, guint n)
{
    WsLaunch *launch = &job->launches[n];

    launch->kernel = &job->program->kernels[0];
    for (guint i = 0; i < 3; i++)
        launch->grid[i] = launch->block[i] = 1;
    launch->grid[0] = n == 0 ? MIN(grid->blocks, grid->sms) : grid->blocks;
    launch->block[0] = 32 * grid->warps;
    launch->dynamic_shared_bytes = grid->dynamic_shared;
    launch->carveout = -1;
    launch->keep_caches = n > 0;
    launch->parameters = g_malloc0(16);
    memcpy(launch->parameters, &job->buffers[0].address, 8);
    memcpy(launch->parameters + 8, &grid->first, 4);
    memcpy(launch->parameters + 12, &grid->second, 4);
}

/* Runs it; the stamps by block go to `ret`, or NULL. */
static WsCounters run_stamps(const Grid *grid, Stamp **ret)
{
    g_autoptr(WsJob) job = make_job(grid);
    g_autoptr(WsResult) result = NULL;
    GError *error = NULL;
    WsRunOptions options;

    job->launch_count = 2;
    job->launches = g_new0(WsLaunch, 2);
    for (guint n = 0; n < 2; n++)
        add_launch(job, grid, n);
    ws_run_options_init(&options);
    options.threads = 1; /* two take more of the processor, and tests run side by side */
    result = ws_simulation_run(job, &options, &error);
    if (result == NULL || result->status != WS_STATUS_OK)
        give_up(grid, result ? result->stop.message : error->message);
    if (ret != NULL)
        *ret = g_memdup2(job->buffers[0].data, job->buffers[0].bytes);
    return result->launches[1].counters;
}

WsCounters run_grid(const Grid *grid)
{
    return run_stamps(grid, NULL);
}

/* ---- starts and turnover ------------------------------------------------------------------------
 */

static int compare_numbers(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;

    return x < y ? -1 : x > y;
}

static double part_of(GArray *numbers, double part)
{
    g_array_sort(numbers, compare_numbers);
    return g_array_index(numbers, double, MIN((guint)(part * numbers->len), numbers->len - 1));
}

/* Starts, or ends, of the blocks of an SM, earliest first. */
static GArray *times_of_sm(const Stamp *stamps, guint blocks, guint sm, gboolean ends)
{
    GArray *times = g_array_new(FALSE, FALSE, sizeof(double));

    for (guint i = 0; i < blocks; i++)
        if (stamps[i].sm == sm) {
            double time = (double)(ends ? stamps[i].end : stamps[i].start);
            g_array_append_val(times, time);
        }
    g_array_sort(times, compare_numbers);
    return times;
}

/* Median distance of the starts of successive blocks on an SM; `a` blocks for each of 8. */
static double between_starts(const Row *row)
{
    enum { SMS = 8 };
    Grid grid = {"launch_stamps",         NULL, SMS, SMS * row->a, row->warps, 0, 6000, 0,
                 "launch.parameters=sent"};
    g_autofree Stamp *stamps = NULL;
    g_autoptr(GArray) gaps = g_array_new(FALSE, FALSE, sizeof(double));

    run_stamps(&grid, &stamps);
    for (guint sm = 0; sm < SMS; sm++) {
        g_autoptr(GArray) starts = times_of_sm(stamps, grid.blocks, sm, FALSE);

        for (guint i = 1; i < starts->len; i++) {
            double gap = g_array_index(starts, double, i) - g_array_index(starts, double, i - 1);
            g_array_append_val(gaps, gap);
        }
    }
    return part_of(gaps, 0.5);
}

/* Cycles from the k-th end on an SM to the start of the block in its place, over the GPU. */
static GArray *turnovers(const Row *row)
{
    guint resident = MAX(row->a, 1), extra = row->b;
    Grid grid = {row->text,
                 NULL,
                 132,
                 132 * resident * (resident == 1 ? 3 : 2),
                 row->warps,
                 resident == 1 ? ONE_AN_SM : 0,
                 resident > 1 ? 6000 : 2000,
                 extra,
                 NULL};
    g_autofree Stamp *stamps = NULL;
    GArray *gaps = g_array_new(FALSE, FALSE, sizeof(double));

    run_stamps(&grid, &stamps);
    for (guint sm = 0; sm < grid.sms; sm++) {
        g_autoptr(GArray) starts = times_of_sm(stamps, grid.blocks, sm, FALSE);
        g_autoptr(GArray) ends = times_of_sm(stamps, grid.blocks, sm, TRUE);

        for (guint i = resident; i < starts->len; i++) {
            double gap = g_array_index(starts, double, i) -
                         g_array_index(ends, double, i - resident) - extra;
            g_array_append_val(gaps, gap);
        }
    }
    return gaps;
}

static double turnover(const Row *row)
{
    g_autoptr(GArray) gaps = turnovers(row);

    return part_of(gaps, 0.5);
}

static double least_turnover(const Row *row)
{
    g_autoptr(GArray) gaps = turnovers(row);

    return part_of(gaps, 0);
}

/* Cycles from the first start of a block to the last. */
static double span_of_starts(const Grid *grid)
{
    g_autofree Stamp *stamps = NULL;
    guint64 first = G_MAXUINT64, last = 0;

    run_stamps(grid, &stamps);
    for (guint i = 0; i < grid->blocks; i++) {
        first = MIN(first, stamps[i].start);
        last = MAX(last, stamps[i].start);
    }
    return (double)(last - first);
}

/* Nanoseconds from the first start to the last one of the first wave; `a` blocks an SM. */
static double first_wave(const Row *row)
{
    Grid grid = {"launch_stamps",
                 NULL,
                 132,
                 132 * row->a,
                 row->warps,
                 row->a == 1 ? ONE_AN_SM : 0,
                 6000,
                 0,
                 "launch.parameters=sent"};

    return span_of_starts(&grid) / 1.98;
}

/* Microseconds from the first start to the last of `a` empty blocks. */
static double all_starts(const Row *row)
{
    Grid grid = {"empty_stamps", NULL, 132, row->a, row->warps, 0, 0, 0, NULL};

    return span_of_starts(&grid) / 1980;
}

/* Microseconds of a grid of `a` empty blocks over one of `b`. */
static double more_blocks(const Row *row)
{
    Grid grid = {"empty_stamps", NULL, 132, row->a, row->warps, 0, 0, 0, NULL}, less = grid;

    less.blocks = row->b;
    return (double)(run_grid(&grid).elapsed_cycles - run_grid(&less).elapsed_cycles) / 1980;
}

#define STARTS(w, n, measured, tolerance)                                                          \
    ROW("between starts, " #w " warps", measured, tolerance, between_starts, NULL, w, n, 0)
#define TURNOVER(w, n, measured, tolerance)                                                        \
    ROW("turnover, " #n " blocks of " #w " warps an SM", measured, tolerance, turnover,            \
        "launch_stamps", w, n, 0)
#define ONE_SPINS(w, n, measured, tolerance)                                                       \
    ROW("turnover, " #n " blocks of " #w " warps, one spins", measured, tolerance, turnover,       \
        "launch_stamps_one", w, n, 0)
#define FIRST(w, n, measured, tolerance)                                                           \
    ROW("first wave, " #n " blocks of " #w " warps an SM, ns", measured, tolerance, first_wave,    \
        NULL, w, n, 0)

static const Row block_rows[] = {
    STARTS(1, 8, 24, 2),
    STARTS(2, 8, 25, 2),
    STARTS(4, 8, 27, 4),
    STARTS(8, 8, 31, 2),
    STARTS(12, 2, 38, 2),
    STARTS(16, 2, 46, 2),
    STARTS(20, 2, 54, 2),
    STARTS(24, 2, 66, 2),
    STARTS(32, 2, 98, 3),
    {"turnover, 1 warp, store in flight", 398, 5, turnover, "launch_stamps", 1, 1, 0},
    {"turnover, 4 warps, store in flight", 400, 5, turnover, "launch_stamps", 4, 1, 0},
    {"turnover, 32 warps, store in flight", 399, 5, turnover, "launch_stamps", 32, 1, 0},
    {"turnover, 32 warps, store in flight, smallest", 305, 10, least_turnover, "launch_stamps", 32,
     1, 0},
    {"turnover, 1 warp", 343, 5, turnover, "launch_stamps", 1, 1, 3000},
    {"turnover, 32 warps", 332, 8, turnover, "launch_stamps", 32, 1, 3000},
    {"turnover, 32 warps, smallest", 267, 8, least_turnover, "launch_stamps", 32, 1, 3000},
    TURNOVER(8, 8, 586, 12),
    TURNOVER(4, 16, 1046, 5),
    TURNOVER(1, 32, 2424, 4),
    ONE_SPINS(32, 2, 459, 8),
    ONE_SPINS(16, 4, 485.5, 5),
    ONE_SPINS(8, 8, 554, 5),
    ONE_SPINS(6, 10, 666.5, 8),
    ONE_SPINS(5, 12, 777.5, 8),
    ONE_SPINS(4, 16, 1049, 5),
    ONE_SPINS(3, 21, 1318, 8),
    ONE_SPINS(1, 32, 2491, 3),
    FIRST(1, 1, 31, 5),
    FIRST(32, 2, 103, 5),
    FIRST(8, 8, 196, 8),
    FIRST(4, 16, 245, 5),
    FIRST(1, 32, 417, 4),
    {"65535 blocks, one store each, first start to last, us", 37.152, 2, all_starts, NULL, 1, 65535,
     0},
    {"65535 blocks minus 8448 blocks, us", 34.36, 2, more_blocks, NULL, 1, 65535, 8448},
};

const Group block_group = {
    "Starts and turnover of blocks",
    "Thread 0 of a block reads the clock at its first instruction, and at its last one before it "
    "stores both values. Turnover is the time from the end of a block to the start of the block in "
    "its place: the median over 132 SMs, with one block per SM unless the row says otherwise; the "
    "blocks of a wave end together. In rows that end in `one spins`, only warp 0 of a block spins "
    "and the others wait at a barrier; in the rows before them, all warps spin. A first wave is "
    "from its first start to its last; on the H200 it is measured with a timer over 150 launches. "
    "First waves, and times between starts, are simulated with `launch.parameters: sent`. The "
    "first start to the last of 65535 blocks is measured with the timer.",
    block_rows, G_N_ELEMENTS(block_rows)};

/* ---- blocks that keep a unit busy ---------------------------------------------------------------
 */

static int compare_starts(const void *a, const void *b)
{
    const Stamp *x = a, *y = b;

    if (x->sm != y->sm)
        return x->sm < y->sm ? -1 : 1;
    return x->start < y->start ? -1 : x->start > y->start;
}

/* Trips in 6000 cycles of the first warp of the `b`-th of `a` blocks that share an SM. */
static double trips(const Row *row)
{
    enum { SMS = 4 };
    Grid grid = {
        "spin_trips", NULL, SMS, SMS * row->a, row->warps, 0, 6000, 0, "launch.parameters=sent"};
    g_autofree Stamp *stamps = NULL;
    double sum = 0;

    run_stamps(&grid, &stamps);
    qsort(stamps, grid.blocks, sizeof stamps[0], compare_starts);
    for (guint sm = 0; sm < SMS; sm++)
        sum += (double)stamps[sm * row->a + row->b - 1].end;
    return sum / SMS;
}

#define TRIPS(n, w, block, measured, tolerance)                                                    \
    ROW("block " #block " of " #n ", " #w " warps", measured, tolerance, trips, NULL, w, n, block)

static const Row spinning_rows[] = {
    TRIPS(16, 4, 1, 128.4, 8), TRIPS(16, 4, 2, 128.5, 8), TRIPS(16, 4, 3, 128, 5),
    TRIPS(16, 4, 4, 66.4, 5),  TRIPS(16, 4, 5, 25.2, 35), TRIPS(16, 4, 16, 1, 0),
    TRIPS(8, 8, 1, 127.5, 10), TRIPS(8, 8, 2, 94.5, 5),   TRIPS(8, 8, 3, 20.6, 60),
    TRIPS(4, 16, 1, 103.3, 5), TRIPS(4, 16, 2, 18.7, 30), TRIPS(4, 16, 4, 1, 0),
    TRIPS(2, 32, 1, 61.6, 5),  TRIPS(2, 32, 2, 1, 0),
};

const Group spinning_group = {
    "Blocks that keep the ALU busy",
    "Warps of several blocks spin on the clock of an SM for 6000 cycles and count their "
    "iterations. The blocks are in the order in which they started. The H200 figure is the mean "
    "over all warps of the block, three SMs and two launches.",
    spinning_rows, G_N_ELEMENTS(spinning_rows)};

/* ---- waves --------------------------------------------------------------------------------------
 */

/* `a` blocks of 8 warps, one an SM; `b` trips of 32 FFMAs. */
static WsCounters waves(const Row *row, guint sms, guint blocks)
{
    Grid grid = {"fixed_work", NULL, sms, blocks, 8, ONE_AN_SM, row->b, 0, NULL};

    return run_grid(&grid);
}

static double wave_cycles(const Row *row)
{
    return (double)waves(row, 132, row->a).cycles;
}

/* Events around one block of 1500 trips read 57.44 us; it is active for 105418 cycles, 53.24 us. */
#define EVENTS 4.2

/* The last wave has one block, so 4 SMs show the same as 132. */
static double wave_microseconds(const Row *row)
{
    enum { SMS = 4 };
    guint full = (row->a - 1) / 132, rest = row->a == 132 ? SMS : 1;

    return (double)waves(row, SMS, full * SMS + rest).elapsed_cycles / 1980 + EVENTS;
}

#define CYCLES(n, measured, tolerance)                                                             \
    ROW(#n " blocks, 100 trips", measured, tolerance, wave_cycles, NULL, 8, n, 100)
#define MICROSECONDS(n, measured, tolerance)                                                       \
    ROW(#n " blocks, 1500 trips, us", measured, tolerance, wave_microseconds, NULL, 8, n, 1500)

static const Row wave_rows[] = {
    CYCLES(1, 7250, 5),          CYCLES(132, 7287, 5),        CYCLES(133, 14411, 5),
    CYCLES(264, 14456, 5),       CYCLES(265, 21585, 5),       CYCLES(397, 28759, 5),
    CYCLES(529, 35933, 5),       MICROSECONDS(132, 57.6, 5),  MICROSECONDS(133, 110.7, 5),
    MICROSECONDS(265, 164.0, 5), MICROSECONDS(397, 217.3, 5), MICROSECONDS(529, 270.3, 5),
};

const Group wave_group = {
    "Waves",
    "Blocks of 8 warps use 200 KiB of shared memory, so an SM holds one; an iteration has 32 "
    "FFMAs. Cycles: sm__cycles_active.max with caches kept and 132 SMs. Microseconds: CUDA events "
    "around the launch. These read 4.2 us more than the active cycles of a single block, which is "
    "added to the simulated time too; 4 SMs are simulated in place of 132 (the last wave is one "
    "block on either).",
    wave_rows, G_N_ELEMENTS(wave_rows)};
