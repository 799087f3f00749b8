/*
 * Cold and warm starts against an H200: instructions, parameters and constants that come from far
 * away at first.
 *
 * data/h200_cold.csv, of one block, and data/h200_cold_grids.csv, of grids on 132 SMs:
 * sm__cycles_active.max on an H200 (driver 580.159.04, CUDA 13.0), median of five launches, by
 * Nsight Compute with --cache-control all ("cold": caches flushed before every launch) and none
 * ("warm"). The kernels here are what nvcc 13.0 made of the measured
 * ones (-arch=sm_90), instruction for instruction.
 */
#include "tests/support/suite.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/engine_fixture.h"

/* Parameters of every kernel: a pointer, then so many words (those of param16). */
enum { WORDS = 15 };

#define BAR_4 "BAR.SYNC 0 ;\nBAR.SYNC 0 ;\nBAR.SYNC 0 ;\nBAR.SYNC 0 ;\n"

static const struct {
    const char *name, *text;
} kernels[] = {
    {"empty", "LDC R1, c[0][0x28] ;\nEXIT ;\n"},
    {"param1", "LDC R1, c[0][0x28] ;\nLDC R0, c[0][0x218] ;\nISETP.NE P0, R0, 0x3039 ;\n"
               "@P0 EXIT ;\nLDC.64 R2, c[0][0x210] ;\nMOV R5, 0x3039 ;\n"
               "ULDC.64 UR4, c[0][0x208] ;\nSTG.E [R2], R5 ;\nEXIT ;\n"},
    {"param16",
     "LDC R1, c[0][0x28] ;\nLDC.64 R2, c[0][0x218] ;\nLDC.64 R4, c[0][0x220] ;\n"
     "LDC.64 R6, c[0][0x228] ;\nLDC.64 R8, c[0][0x230] ;\nLDC.64 R10, c[0][0x238] ;\n"
     "LOP3.LUT R3, R4, R3, R2, 0x96 ;\nLDC.64 R12, c[0][0x240] ;\nLOP3.LUT R3, R6, R3, R5, 0x96 ;\n"
     "LDC.64 R14, c[0][0x248] ;\nLOP3.LUT R3, R8, R3, R7, 0x96 ;\nLDC R4, c[0][0x250] ;\n"
     "LOP3.LUT R3, R10, R3, R9, 0x96 ;\nLOP3.LUT R3, R12, R3, R11, 0x96 ;\n"
     "LOP3.LUT R0, R14, R3, R13, 0x96 ;\nLOP3.LUT R0, R4, R0, R15, 0x96 ;\nISETP.NE P0, R0, 0x3039 "
     ";\n"
     "@P0 EXIT ;\nLDC.64 R4, c[0][0x210] ;\nULDC.64 UR4, c[0][0x208] ;\nSTG.E [R4], R2 ;\n"
     "EXIT ;\n"},
    {"tid_store", "LDC R1, c[0][0x28] ;\nS2R R7, SR_TID.X ;\nS2UR UR4, SR_CTAID.X ;\n"
                  "LDC R0, c[0][0] ;\nLDC.64 R2, c[0][0x210] ;\nIMAD R5, R0, UR4, R7 ;\n"
                  "ULDC.64 UR4, c[0][0x208] ;\nIMAD.WIDE.U32 R2, R5, 4, R2 ;\n"
                  "STG.E [R2], R7 ;\nEXIT ;\n"},
    {"load_store",
     "LDC R1, c[0][0x28] ;\nS2R R0, SR_TID.X ;\nS2UR UR4, SR_CTAID.X ;\nLDC R7, c[0][0] ;\n"
     "LDC.64 R2, c[0][0x218] ;\nLDC.64 R4, c[0][0x210] ;\nIMAD R7, R7, UR4, R0 ;\n"
     "ULDC.64 UR4, c[0][0x208] ;\nIMAD.WIDE R2, R7, 4, R2 ;\nLDG.E R2, [R2] ;\n"
     "IMAD.WIDE R4, R7, 4, R4 ;\nIADD3 R7, R2, 1, RZ ;\nSTG.E [R4], R7 ;\nEXIT ;\n"},
    {"barrier_only",
     "LDC R1, c[0][0x28] ;\nBAR.SYNC 0 ;\nULDC.64 UR4, c[0][0x210] ;\nBAR.SYNC 0 ;\n"
     "BAR.SYNC 0 ;\nBAR.SYNC 0 ;\n" BAR_4 BAR_4 BAR_4 "ISETP.NE.U32 P0, RZ, UR4 ;\n"
     "ISETP.NE P0, RZ, UR4, P0 ;\n@P0 EXIT ;\nMOV R5, 1 ;\nMOV R2, RZ ;\n"
     "ULDC.64 UR4, c[0][0x208] ;\nSTG.E [R2], R5 ;\nEXIT ;\n"},
    {"const_walk",
     "LDC R1, c[0][0x28] ;\nLDC R5, c[0][0x218] ;\nULDC.64 UR4, c[0][0x208] ;\nMOV R0, RZ ;\n"
     "ISETP.GE P0, R5, 1 ;\n@!P0 BRA done ;\nIADD3 R0, R5, -1, RZ ;\n"
     "LOP3.LUT R2, R5, 3, RZ, 0xc0 ;\nMOV R3, RZ ;\nISETP.GE.U32 P1, R0, 3 ;\n"
     "HFMA2 R0, RZ, RZ, RZ ;\nISETP.NE P0, R2, RZ ;\n@!P1 BRA rest ;\nIADD3 R12, R2, -R5, RZ ;\n"
     "MOV R3, RZ ;\nMOV R4, 0x30 ;\n"
     "four: SHF.L.U32 R5, R4, 2, RZ ;\nIADD3 R4, R4, 0x40, RZ ;\nIADD3 R3, R3, 4, RZ ;\n"
     "LOP3.LUT R10, R5, 0x3fc0, RZ, 0xc0 ;\nIADD3 R6, R5, -0xc0, RZ ;\nIADD3 R7, R5, -0x80, RZ ;\n"
     "IADD3 R8, R5, -0x40, RZ ;\nLOP3.LUT R11, R6, 0x3f00, RZ, 0xc0 ;\nIMAD R9, R12, 1, R3 ;\n"
     "LOP3.LUT R6, R7, 0x3f40, RZ, 0xc0 ;\nLOP3.LUT R7, R8, 0x3f80, RZ, 0xc0 ;\nLDC R5, c[3][R11] "
     ";\n"
     "ISETP.NE P1, R9, RZ ;\nLDC R6, c[3][R6] ;\nLDC R8, c[3][R10] ;\nLDC R7, c[3][R7] ;\n"
     "IADD3 R0, R6, R5, R0 ;\nIADD3 R0, R8, R7, R0 ;\n@P1 BRA four ;\n"
     "rest: @!P0 BRA done ;\nSHF.L.U32 R3, R3, 4, RZ ;\n"
     "one: IMAD R4, R3, 4, RZ ;\nIADD3 R3, R3, 0x10, RZ ;\nIADD3 R2, R2, -1, RZ ;\n"
     "LOP3.LUT R4, R4, 0x3fc0, RZ, 0xc0 ;\nISETP.NE P0, R2, RZ ;\nLDC R5, c[3][R4] ;\n"
     "IMAD R0, R5, 1, R0 ;\n@P0 BRA one ;\n"
     "done: S2R R5, SR_CTAID.X ;\nLDC.64 R2, c[0][0x210] ;\nULDC UR6, c[0][0] ;\n"
     "S2R R4, SR_TID.X ;\nIMAD R5, R5, UR6, R4 ;\nIMAD.WIDE.U32 R2, R5, 4, R2 ;\n"
     "STG.E [R2], R0 ;\nEXIT ;\n"},
};

/* n FFMAs in four chains, as line16384 has them, with what nvcc puts around them. */
static void put_line(GString *text, guint n)
{
    g_string_append(text, "LDC R1, c[0][0x28] ;\nLDC R0, c[0][0x218] ;\nFADD R2, RZ, R0 ;\n"
                          "FADD R3, R0, 1.0 ;\nFADD R4, R0, 2.0 ;\nFADD R5, R0, 3.0 ;\n");
    for (guint i = 0; i < n; i++)
        g_string_append_printf(text, "FFMA R%u, R%u, R%u, R%u ;\n", 2 + i % 4, 2 + i % 4, 2 + i % 4,
                               2 + i % 4);
    for (guint i = 0; i < 4; i++)
        g_string_append_printf(text, "FADD R%u, R0, %u.0 ;\n", 6 + i, 4 + i);
    for (guint i = 0; i < 7; i++)
        g_string_append_printf(text, "FADD R2, R2, R%u ;\n", 3 + i);
    g_string_append(text, "FSETP.NEU P0, R2, 12345.0 ;\n@P0 EXIT ;\nLDC.64 R4, c[0][0x210] ;\n"
                          "ULDC.64 UR4, c[0][0x208] ;\nSTG.E [R4], R2 ;\nEXIT ;\n");
}

/* A kernel by its name in the table, and its first word. */
static char *text_of(const char *name, guint32 *n)
{
    GString *text = g_string_new(NULL);

    for (guint i = 0; i < WORDS; i++)
        g_string_append_printf(text, ".param u32 word%u\n", i);
    *n = 0;
    if (g_str_has_prefix(name, "line")) {
        put_line(text, (guint)atoi(name + 4));
        return g_string_free(text, FALSE);
    }
    if (g_str_has_prefix(name, "const_walk_n"))
        *n = (guint32)atoi(name + 12);
    for (guint i = 0; i < G_N_ELEMENTS(kernels); i++)
        if (g_str_has_prefix(name, kernels[i].name) &&
            (strlen(name) == strlen(kernels[i].name) || *n != 0))
            g_string_append(text, kernels[i].text);
    return g_string_free(text, FALSE);
}

/* Two launches, the second with the caches as they are. */
static void measure(const char *name, guint32 blocks, guint32 threads, guint64 *cold, guint64 *warm)
{
    guint32 n, words = MAX(blocks * threads, 1024);
    g_autofree char *text = text_of(name, &n);
    /* Counters were read in several passes, which launch a kernel again as it was. */
    const char *settings[] = {"launch.parameters=ready", NULL};
    Engine *e = engine_new("h200", settings, text, blocks, threads, 2 * words);
    WsJob *job = e->job;
    guint8 *parameters = g_malloc0(8 + 4 * WORDS);

    memcpy(parameters, job->launches[0].parameters, 8);
    if (strcmp(name, "load_store") == 0) { /* reads the second half of the buffer */
        guint64 q = job->buffers[0].address + 4 * words;
        memcpy(parameters + 8, &q, 8);
    } else {
        memcpy(parameters + 8, &n, 4);
    }
    job->launches = g_renew(WsLaunch, job->launches, 2);
    job->launch_count = 2;
    g_free(job->launches[0].parameters);
    job->launches[0].parameters = parameters;
    job->launches[1] = job->launches[0];
    job->launches[1].parameters = g_memdup2(parameters, 8 + 4 * WORDS);
    job->launches[1].keep_caches = TRUE;
    engine_run(e);
    ck_assert_int_eq(e->result->status, WS_STATUS_OK);
    *cold = e->result->launches[0].counters.cycles;
    *warm = e->result->launches[1].counters.cycles;
    engine_free(e);
}

static double error_of(guint64 simulated, double measured)
{
    return (double)simulated / measured - 1;
}

/* Cycles of a launch of one block on one SM. */
static guint64 cycles_with(const char *text, guint32 threads, const char *first, const char *second)
{
    const char *settings[] = {"sms=1", first, second, NULL};
    Engine *e = engine_new("h200", settings, text, 1, threads, 1);
    guint64 cycles;

    engine_run(e);
    ck_assert_int_eq(e->result->status, WS_STATUS_OK);
    cycles = e->result->launches[0].counters.cycles;
    engine_free(e);
    return cycles;
}

/*
 * Bank 0 on its way: the first operand from a line comes 59 cycles late, not 25, the first LDC 69,
 * not 15. Other offsets of the line are there then, for the same kind of instruction. The same on
 * an H200: ULDC 89, 30 and LDC 117, 49 cycles with what is around them.
 */
START_TEST(sent_parameters)
{
    static const struct {
        const char *text;
        guint64 later;
    } cases[] = {
        {"LDC R1, c[0][0x28] ;\nEXIT ;\n", 54},
        {"ULDC UR4, c[0][0x210] ;\nMOV R0, UR4 ;\nEXIT ;\n", 34},
        {"ULDC UR4, c[0][0x210] ;\nULDC UR5, c[0][0x214] ;\nMOV R0, UR5 ;\nEXIT ;\n", 34},
        {"LDC R1, c[0][0x210] ;\nIADD3 R1, R1, 1, RZ ;\nULDC UR4, c[0][0x210] ;\n"
         "MOV R0, UR4 ;\nEXIT ;\n",
         54 + 59 - 10},
    };

    ck_assert_uint_eq(cycles_with(cases[_i].text, 32, "launch.parameters=sent", NULL),
                      cycles_with(cases[_i].text, 32, "launch.parameters=ready", NULL) +
                          cases[_i].later);
}
END_TEST

/* Warps whose LDC finds no place in the queue do not begin. */
START_TEST(constant_queue)
{
    const char *text = "LDC R1, c[0][0x28] ;\nEXIT ;\n";
    guint64 room = cycles_with(text, 1024, "launch.parameters=sent", NULL);

    ck_assert_uint_eq(cycles_with(text, 1024, "launch.parameters=sent", "constant.queue=64"), room);
    ck_assert_uint_gt(cycles_with(text, 1024, "launch.parameters=sent", "constant.queue=2"), room);
}
END_TEST

/* Errors of all figures of a table. */
typedef struct {
    guint figures, not_colder;
    double sum[2], largest; /* cold, warm */
} Errors;

static double mean(const Errors *errors)
{
    return (errors->sum[0] + errors->sum[1]) / errors->figures;
}

static Errors compare(const char *file)
{
    g_autofree char *path = g_build_filename(g_getenv("WS_TEST_DATA"), file, NULL);
    g_autofree char *table = NULL;
    g_auto(GStrv) lines = NULL;
    Errors ret = {0};

    ck_assert(g_file_get_contents(path, &table, NULL, NULL));
    lines = g_strsplit(table, "\n", -1);
    printf("# %-16s %5s %5s %19s %19s\n", "", "", "", "cold", "warm");
    printf("# %-16s %5s %5s %7s %7s %5s %7s %7s %5s\n", "kernel", "grid", "block", "H200", "here",
           "%", "H200", "here", "%");
    for (guint i = 1; lines[i] != NULL && lines[i][0] != '\0'; i++) {
        g_auto(GStrv) fields = g_strsplit(lines[i], ",", 5);
        double measured[2] = {atof(fields[3]), atof(fields[4])}, error[2];
        guint64 cycles[2];

        measure(fields[0], (guint32)atoi(fields[1]), (guint32)atoi(fields[2]), &cycles[0],
                &cycles[1]);
        for (guint k = 0; k < 2; k++) {
            error[k] = error_of(cycles[k], measured[k]);
            ret.sum[k] += fabs(error[k]);
            ret.largest = MAX(ret.largest, fabs(error[k]));
            ret.figures++;
        }
        ret.not_colder += cycles[0] <= cycles[1];
        printf("# %-16s %5s %5s %7.0f %7u %+5.0f %7.0f %7u %+5.0f\n", fields[0], fields[1],
               fields[2], measured[0], (guint)cycles[0], 100 * error[0], measured[1],
               (guint)cycles[1], 100 * error[1]);
    }
    printf("# %u figures: mean error %.1f %% (cold %.1f, warm %.1f), largest %.1f %%\n",
           ret.figures, 100 * mean(&ret), 200 * ret.sum[0] / ret.figures,
           200 * ret.sum[1] / ret.figures, 100 * ret.largest);
    fflush(stdout);
    return ret;
}

START_TEST(starts_as_measured)
{
    Errors errors = compare("h200_cold.csv");

    ck_assert_uint_eq(errors.figures, 74);
    ck_assert_uint_eq(errors.not_colder, 0);
    ck_assert_msg(mean(&errors) < 0.10, "mean error %.1f %%", 100 * mean(&errors));
}
END_TEST

/*
 * One block an SM on all SMs, two, and eight: the SM that takes longest. Warm blocks of 8 and 32
 * warps come out too short; read in one pass instead of several, with nothing between the launches,
 * the counter has 188 cycles for an empty kernel of 132 blocks of 32 warps, not 476, and 828 for
 * load_store, not 1712.
 */
START_TEST(grids_start_as_measured)
{
    Errors errors = compare("h200_cold_grids.csv");

    ck_assert_uint_eq(errors.figures, 70);
    ck_assert_msg(mean(&errors) < 0.14, "mean error %.1f %%", 100 * mean(&errors));
    ck_assert_double_lt(errors.sum[0] / (errors.figures / 2), 0.10);
}
END_TEST

static void add_tests(TCase *cases)
{
    tcase_set_timeout(cases, 300);
    tcase_add_test(cases, starts_as_measured);
    tcase_add_test(cases, grids_start_as_measured);
    tcase_add_loop_test(cases, sent_parameters, 0, 4);
    tcase_add_test(cases, constant_queue);
}

int main(void)
{
    return run_suite("cold_start", add_tests);
}
