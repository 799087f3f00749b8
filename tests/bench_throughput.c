/*
 * Speed, by `meson test --benchmark -v`: warp instructions and cycles a second of the timing model
 * beside the bare functional interpreter, on one host thread. Kernels bound by arithmetic, by
 * memory and by waiting; the ratio is to the interpreter's speed on arithmetic. Medians of five
 * rounds; a round runs every row once, so that a slow spell of the machine falls on all of them.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "isa/assembler.h"
#include "sim/interpreter.h"
#include "sim/lanes.h"
#include "sim/simulation.h"

enum { ROUNDS = 5, MODES = 2, INTERPRETER = 0, TIMING = 1 };

typedef struct {
    const char *name;
    const char *head, *body, *tail; /* body is repeated `repeats` times */
    guint repeats;
    guint32 blocks, threads, words;
} Kernel;

#define POINTER "MOV R2, c[x] ;\nMOV R3, c[x+4] ;\n"

static const Kernel kernels[] = {
    {"compute",
     "S2R R0, SR_TID.X ;\nMOV R1, 1000 ;\nMOV R4, 0x3f800000 ;\nMOV R5, 0x3f000000 ;\nloop:\n",
     "FFMA R6, R4, R5, R6 ;\nFFMA R7, R4, R5, R7 ;\nIADD3 R8, R8, R0, R1 ;\n"
     "FFMA R9, R4, R5, R9 ;\nFFMA R10, R4, R5, R10 ;\nIADD3 R11, R11, R0, R1 ;\n",
     "IADD3 R1, R1, -1, RZ ;\nISETP.GT P0, R1, 0 ;\n@P0 BRA loop ;\nEXIT ;\n", 10, 2, 1024, 1},
    {"memory", POINTER "S2R R0, SR_TID.X ;\nMOV R1, 64 ;\nIMAD.WIDE.U32 R2, R0, 4, R2 ;\nloop:\n",
     "LDG.E R4, [R2] ;\nLDG.E R5, [R2+0x1000] ;\nIADD3 R6, R4, R5, R6 ;\n"
     "STG.E [R2+0x2000], R6 ;\nIADD3 R7, R7, R6, R1 ;\n",
     "IADD3 R1, R1, -1, RZ ;\nISETP.GT P0, R1, 0 ;\n@P0 BRA loop ;\nEXIT ;\n", 4, 2, 1024, 4096},
    /* Each load's result is the next address: 4 KB apart, so that every one goes to DRAM. */
    {"idle", POINTER "MOV R1, 20000 ;\nMOV R6, 0x1000 ;\nloop:\n",
     "LDG.E R4, [R2] ;\nIADD3 R5, R4, R6, RZ ;\nIMAD.WIDE.U32 R2, R5, 1, R2 ;\n",
     "IADD3 R1, R1, -1, RZ ;\nISETP.GT P0, R1, 0 ;\n@P0 BRA loop ;\nEXIT ;\n", 1, 1, 32,
     20000 * 0x400 + 64},
};

typedef struct {
    double seconds[ROUNDS];
    guint64 instructions, cycles;
} Row;

static void stop(const char *what, const GError *error)
{
    fprintf(stderr, "%s: %s\n", what, error ? error->message : "failed");
    exit(1);
}

static char *source_of(const Kernel *kernel)
{
    GString *text = g_string_new(".kernel k\n.param u64 x\n");
    g_string_append(text, kernel->head);
    for (guint n = 0; n < kernel->repeats; n++) {
        g_string_append(text, kernel->body);
    }
    g_string_append(text, kernel->tail);
    return g_string_free(text, FALSE);
}

static WsJob *job_of(const Kernel *kernel)
{
    const char *settings[] = {"sms=1", NULL};
    g_autofree char *text = source_of(kernel);
    WsCompileOptions options;
    GError *error = NULL;
    WsJob *job = g_new0(WsJob, 1);
    job->device = ws_device_load("h200", settings, &error);
    if (!job->device) {
        stop(kernel->name, error);
    }
    ws_compile_options_init(&options);
    options.parameter_base = (guint32)job->device->parameter_base;
    job->program = ws_assemble(kernel->name, text, strlen(text), &options, &error);
    if (!job->program) {
        stop(kernel->name, error);
    }
    job->path = g_strdup(kernel->name);
    job->buffers = g_new0(WsBuffer, 1);
    job->buffer_count = 1;
    job->buffers[0] = (WsBuffer){.name = g_strdup("x"),
                                 .type = WS_TYPE_U32,
                                 .count = kernel->words,
                                 .bytes = 4 * (guint64)kernel->words,
                                 .address = WS_BUFFER_BASE,
                                 .data = g_malloc0(4 * (gsize)kernel->words)};
    job->launches = g_new0(WsLaunch, 1);
    job->launch_count = 1;
    job->launches[0] = (WsLaunch){.kernel = &job->program->kernels[0],
                                  .grid = {kernel->blocks, 1, 1},
                                  .block = {kernel->threads, 1, 1},
                                  .carveout = -1,
                                  .parameters = g_memdup2(&job->buffers[0].address, 8)};
    return job;
}

static void run_row(const Kernel *kernel, guint mode, guint round, Row *row)
{
    GError *error = NULL;
    g_autoptr(WsJob) job = job_of(kernel);
    gint64 start = g_get_monotonic_time();
    if (mode == INTERPRETER) {
        WsInterpretCounts counts;
        if (!ws_interpret(job, 0, NULL, &counts, &error)) {
            stop(kernel->name, error);
        }
        row->instructions = counts.warp_instructions;
    } else {
        WsRunOptions options;
        ws_run_options_init(&options);
        g_autoptr(WsResult) result = ws_simulation_run(job, &options, &error);
        if (!result || result->status != WS_STATUS_OK) {
            stop(kernel->name, error);
        }
        row->instructions = result->total.warp_instructions;
        row->cycles = result->total.cycles;
    }
    row->seconds[round] = (double)(g_get_monotonic_time() - start) * 1e-6;
}

static int compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return x < y ? -1 : x > y;
}

static double median(Row *row)
{
    qsort(row->seconds, ROUNDS, sizeof row->seconds[0], compare);
    return row->seconds[ROUNDS / 2];
}

int main(void)
{
    static const char *const modes[MODES] = {"interpreter", "timing"};
    Row rows[G_N_ELEMENTS(kernels)][MODES] = {0};
    for (guint round = 0; round < ROUNDS; round++) {
        for (guint k = 0; k < G_N_ELEMENTS(kernels); k++) {
            for (guint mode = 0; mode < MODES; mode++) {
                run_row(&kernels[k], mode, round, &rows[k][mode]);
            }
        }
    }
    printf("lane bodies: %s; medians of %d runs, one thread\n", ws_lanes_host_level(), ROUNDS);
    printf("%-10s %-12s %14s %14s %8s\n", "kernel", "mode", "M warp-inst/s", "M cycles/s", "ratio");
    double bare = 0; /* the first row's rate */
    for (guint k = 0; k < G_N_ELEMENTS(kernels); k++) {
        for (guint mode = 0; mode < MODES; mode++) {
            Row *row = &rows[k][mode];
            double seconds = median(row), rate = (double)row->instructions / seconds * 1e-6;
            bare = bare > 0 ? bare : rate;
            printf("%-10s %-12s %14.2f %14.2f %8.3f\n", kernels[k].name, modes[mode], rate,
                   (double)row->cycles / seconds * 1e-6, rate / bare);
        }
    }
    return 0;
}
