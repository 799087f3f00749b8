/*
 * Speed, by `meson test --benchmark -v`.
 *
 * Rows of one SM: warp instructions and cycles a second of the timing model on one host thread,
 * beside the functional interpreter (lane bodies and control flow, no time) on the same kernel, for
 * kernels bound by arithmetic, by memory and by waiting. "of compute" is a row's rate over the
 * interpreter's rate on arithmetic, "of own" over the interpreter's on the same kernel.
 *
 * Rows of a whole GPU: an H200 of 132 SMs with every warp slot in use, on 1, 2 and 4 host threads,
 * and what the second and the others gain. They say little on a machine that has other work.
 *
 * Medians of some rounds; a round runs every row once, so that a slow spell of the machine falls on
 * all of them. Arguments name the rows to run.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "isa/text/assembler.h"
#include "sim/gpu/simulation.h"
#include "sim/interpreter/interpreter.h"
#include "sim/lanes/lanes.h"

enum { ROUNDS = 5, MODES = 4, INTERPRETER = 0, TIMING = 1, GPU_ROUNDS = 3, GPU_SMS = 132 };

static const guint gpu_threads[MODES - TIMING] = {1, 2, 4};

typedef struct {
    const char *name;
    const char *head, *body, *tail; /* body is repeated `repeats` times */
    guint repeats;
    guint32 blocks, threads, words;
    gboolean gpu; /* of the whole GPU: `blocks` an SM */
} Kernel;

#define POINTER "MOV R2, c[x] ;\nMOV R3, c[x+4] ;\n"

/* Operands are kept from one instruction to the next, as compilers have it. */
#define ARITHMETIC                                                                                 \
    "FFMA R6, R4.reuse, R5.reuse, R6 ;\nFFMA R7, R4.reuse, R5.reuse, R7 ;\n"                       \
    "IADD3 R8, R8, R0.reuse, R1.reuse ;\nFFMA R9, R4.reuse, R5.reuse, R9 ;\n"                      \
    "FFMA R10, R4.reuse, R5.reuse, R10 ;\nIADD3 R11, R11, R0.reuse, R1.reuse ;\n"
#define ARITHMETIC_BEGIN(times)                                                                    \
    "S2R R0, SR_TID.X ;\nMOV R1, " times " ;\nMOV R4, 0x3f800000 ;\nMOV R5, 0x3f000000 ;\nloop:\n"
#define END "IADD3 R1, R1, -1, RZ ;\nISETP.GT P0, R1, 0 ;\n@P0 BRA loop ;\nEXIT ;\n"

static const Kernel kernels[] = {
    {"compute", ARITHMETIC_BEGIN("1000"), ARITHMETIC, END, 10, 2, 1024, 1, FALSE},
    {"memory", POINTER "S2R R0, SR_TID.X ;\nMOV R1, 256 ;\nIMAD.WIDE.U32 R2, R0, 4, R2 ;\nloop:\n",
     "LDG.E R4, [R2] ;\nLDG.E R5, [R2+0x1000] ;\nIADD3 R6, R4, R5, R6 ;\n"
     "STG.E [R2+0x2000], R6 ;\nIADD3 R7, R7, R6, R1 ;\n",
     END, 4, 2, 1024, 4096, FALSE},
    /* Each load's result is the next address: 4 KB apart, so that every one goes to DRAM. */
    {"idle", POINTER "MOV R1, 20000 ;\nMOV R6, 0x1000 ;\nloop:\n",
     "LDG.E R4, [R2] ;\nIADD3 R5, R4, R6, RZ ;\nIMAD.WIDE.U32 R2, R5, 1, R2 ;\n", END, 1, 1, 32,
     20000 * 0x400 + 64, FALSE},
    {"GPU compute", ARITHMETIC_BEGIN("30"), ARITHMETIC, END, 10, 2, 1024, 1, TRUE},
    /* Every thread adds two elements of arrays that are read once: all of it comes from DRAM. */
    {"GPU stream",
     POINTER "S2R R0, SR_TID.X ;\nS2R R9, SR_CTAID.X ;\nMOV R1, 7 ;\nMOV R12, 0x108000 ;\n"
             "IMAD R0, R9, 1024, R0 ;\nIMAD.WIDE.U32 R2, R0, 4, R2 ;\nloop:\n",
     "LDG.E R4, [R2] ;\nLDG.E R5, [R2+0x739000] ;\nFFMA R6, R4, R5, R6 ;\n"
     "STG.E [R2+0x739000], R6 ;\nIADD3 R7, R7, R6, R1 ;\nIADD3 R2, R2, R12, RZ ;\n",
     END, 1, 2, 1024, 0x739000 * 2 / 4, TRUE},
};

typedef struct {
    double seconds[ROUNDS];
    guint count; /* of seconds[] */
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
    const char *settings[] = {kernel->gpu ? NULL : "sms=1", NULL};
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
                                 .data = g_malloc(4 * (gsize)kernel->words)};
    /* Written once, so that the host does not find its pages while time runs. */
    memset(job->buffers[0].data, 0, job->buffers[0].bytes);
    job->launches = g_new0(WsLaunch, 1);
    job->launch_count = 1;
    job->launches[0] = (WsLaunch){.kernel = &job->program->kernels[0],
                                  .grid = {kernel->blocks * (kernel->gpu ? GPU_SMS : 1), 1, 1},
                                  .block = {kernel->threads, 1, 1},
                                  .carveout = -1,
                                  .parameters = g_memdup2(&job->buffers[0].address, 8)};
    return job;
}

static void run_row(const Kernel *kernel, guint mode, Row *row)
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
        options.threads = gpu_threads[mode - TIMING];
        g_autoptr(WsResult) result = ws_simulation_run(job, &options, &error);
        if (!result || result->status != WS_STATUS_OK) {
            stop(kernel->name, error);
        }
        row->instructions = result->total.warp_instructions;
        row->cycles = result->total.cycles;
    }
    row->seconds[row->count++] = (double)(g_get_monotonic_time() - start) * 1e-6;
}

static int compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return x < y ? -1 : x > y;
}

/* Million warp instructions a second; 0 if the row was not run. */
static double rate_of(Row *row)
{
    if (row->count == 0) {
        return 0;
    }
    qsort(row->seconds, row->count, sizeof row->seconds[0], compare);
    return (double)row->instructions / row->seconds[row->count / 2] * 1e-6;
}

static void print_sm_rows(Row rows[][MODES])
{
    double bare = rate_of(&rows[0][INTERPRETER]);
    printf("%-12s %-12s %14s %14s %12s %8s\n", "one SM", "", "M warp-inst/s", "M cycles/s",
           "of compute", "of own");
    for (guint k = 0; k < G_N_ELEMENTS(kernels); k++) {
        double interpreter = rate_of(&rows[k][INTERPRETER]), timing = rate_of(&rows[k][TIMING]);
        if (kernels[k].gpu || timing == 0) {
            continue;
        }
        printf("%-12s %-12s %14.2f %14s %12s\n", kernels[k].name, "interpreter", interpreter, "",
               "");
        printf("%-12s %-12s %14.2f %14.2f ", kernels[k].name, "timing", timing,
               timing * (double)rows[k][TIMING].cycles / (double)rows[k][TIMING].instructions);
        if (bare > 0) {
            printf("%12.3f %8.3f\n", timing / bare, timing / interpreter);
        } else {
            printf("%12s %8.3f\n", "", timing / interpreter);
        }
    }
}

static void print_gpu_rows(Row rows[][MODES])
{
    printf("%-12s %-12s %14s %14s %12s\n", "whole GPU", "", "M warp-inst/s", "k cycles/s", "gain");
    for (guint k = 0; k < G_N_ELEMENTS(kernels); k++) {
        double one = rate_of(&rows[k][TIMING]);
        for (guint mode = TIMING; kernels[k].gpu && one > 0 && mode < MODES; mode++) {
            Row *row = &rows[k][mode];
            double rate = rate_of(row);
            g_autofree char *threads = g_strdup_printf("%u thread%s", gpu_threads[mode - TIMING],
                                                       mode == TIMING ? "" : "s");
            printf("%-12s %-12s %14.2f %14.2f %12.2f\n", kernels[k].name, threads, rate,
                   rate * (double)row->cycles / (double)row->instructions * 1e3, rate / one);
        }
    }
}

static gboolean is_wanted(const Kernel *kernel, int argc, char **argv)
{
    for (int i = 1; i < argc; i++) {
        if (g_str_equal(argv[i], kernel->name)) {
            return TRUE;
        }
    }
    return argc == 1;
}

int main(int argc, char **argv)
{
    Row rows[G_N_ELEMENTS(kernels)][MODES] = {0};
    for (guint round = 0; round < ROUNDS; round++) {
        for (guint k = 0; k < G_N_ELEMENTS(kernels); k++) {
            guint first = kernels[k].gpu ? TIMING : INTERPRETER;
            guint end = kernels[k].gpu ? MODES : TIMING + 1;
            gboolean wanted =
                is_wanted(&kernels[k], argc, argv) && (!kernels[k].gpu || round < GPU_ROUNDS);
            for (guint mode = first; wanted && mode < end; mode++) {
                run_row(&kernels[k], mode, &rows[k][mode]);
            }
        }
    }
    printf("lane bodies: %s; medians of %d runs, of the whole GPU %d\n", ws_lanes_host_level(),
           ROUNDS, GPU_ROUNDS);
    print_sm_rows(rows);
    print_gpu_rows(rows);
    return 0;
}
