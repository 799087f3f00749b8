/* Block barriers: what issues while one is closed, and that nothing else does. */
#include <check.h>
#include <string.h>

#include "tests/support/engine_fixture.h"

enum { LATENCY = 20 };

#define SETTINGS "dependences=scoreboard", "barrier.latency=20", "barrier.per_warp=0"

static Engine *run(const char *device, const char *const *settings, const char *text,
                   guint32 threads, guint32 words)
{
    Engine *e = engine_new(device, settings, text, 1, threads, words);

    e->options.max_cycles = 1000000;
    engine_run(e);
    ck_assert_msg(e->result->status == WS_STATUS_OK, "%s", e->result->stop.message);
    return e;
}

/* First issue of an instruction by a warp of SM 0. */
static guint64 issue_of(const Engine *e, guint32 warp, guint32 instruction)
{
    for (guint i = 0; i < e->issues->len; i++) {
        const Issue *issue = &g_array_index(e->issues, Issue, i);
        if (issue->warp == warp && issue->instruction == instruction)
            return issue->cycle;
    }
    ck_abort_msg("warp %u never issues instruction %u", warp, instruction);
    return 0;
}

typedef struct {
    const char *class, *text;
    gboolean can_pass; /* if its class says so */
    gboolean on_h200;  /* measured on an H200, or of the pipe of one that was */
} Passer;

static const Passer passers[] = {
    {"fp32", "FADD R4, R2, R3 ;\n", TRUE, TRUE},
    {"fp32_fma", "FFMA R4, R2, R3, R4 ;\n", TRUE, TRUE},
    {"imad", "IMAD R4, R2, R3, R4 ;\n", TRUE, TRUE},
    {"imad_wide", "IMAD.HI R4, R2, R3, RZ ;\n", TRUE, TRUE},
    {"int", "LOP3.LUT R4, R2, R3, RZ, 0xc0 ;\n", TRUE, TRUE},
    {"compare", "ISETP.LT P0, R2, R3 ;\n", TRUE, TRUE},
    {"move", "CS2R.64 R4, SR_CLOCKLO ;\n", TRUE, TRUE},
    {"fp16", "HFMA2 R4, R2, R3, R4 ;\n", TRUE, TRUE},
    {"fp64", "DADD R4, R2, R4 ;\n", TRUE, TRUE},
    {"vote", "VOTE.ALL R4, P0, PT ;\n", TRUE, TRUE},
    {"redux", "REDUX.SUM UR4, R2 ;\n", TRUE, TRUE},
    {"special_register", "S2R R4, SR_CTAID.X ;\n", TRUE, TRUE},
    {"nop", "NOP ;\n", TRUE, TRUE},
    {"mufu", "MUFU.RCP R4, R2 ;\n", TRUE, FALSE},
    {"xu", "POPC R4, R2 ;\n", TRUE, FALSE},
    {"shuffle", "SHFL.BFLY R4, R2, 1, 31 ;\n", TRUE, FALSE},
    {"match", "MATCH.ANY R4, R2 ;\n", TRUE, FALSE},
    {"constant_load", "LDC R4, c[x] ;\n", TRUE, FALSE},
    /* memory, and what moves the path: never, or programs would come out wrong */
    {"shared_load", "LDS R4, [RZ] ;\n", FALSE, FALSE},
    {"shared_store", "STS [RZ], R4 ;\n", FALSE, FALSE},
    {"shared_atomic", "ATOMS.ADD R4, [RZ], R2 ;\n", FALSE, FALSE},
    {"global_load", "LDG.E R4, [R6] ;\n", FALSE, FALSE},
    {"global_store", "STG.E [R6], R4 ;\n", FALSE, FALSE},
    {"local_store", "STL [RZ], R4 ;\n", FALSE, FALSE},
    {"memory_barrier", "MEMBAR.CTA ;\n", FALSE, FALSE},
    {"branch", "BRA next ;\n", FALSE, FALSE},
    {"convergence", "BSSY B0, next ;\n", FALSE, FALSE},
    {"sleep", "NANOSLEEP 0 ;\n", FALSE, FALSE},
    {"barrier", "BAR.SYNC 0 ;\n", FALSE, FALSE},
    {"exit", "EXIT ;\n", FALSE, FALSE},
};

enum { BAR = 42 }; /* its place in the kernel */

/* Behind these, operands are there and pipes free. */
#define FOUR_NOPS "NOP ;\nNOP ;\nNOP ;\nNOP ;\n"
#define NOPS      FOUR_NOPS FOUR_NOPS FOUR_NOPS FOUR_NOPS FOUR_NOPS

static guint64 delay(const char *device, const char *const *settings, const Passer *p)
{
    g_autofree char *text = g_strdup_printf(".shared 64\n.local 64\n.reconvergence manual\n"
                                            "LDC.64 R6, c[x] ;\nMOV R3, 3 ;\n" NOPS NOPS
                                            "BAR.SYNC 0 ;\n%snext: NOP ;\nEXIT ;\n",
                                            p->text);
    Engine *e = run(device, settings, text, 32, 4);
    guint64 cycles = issue_of(e, 0, BAR + 1) - issue_of(e, 0, BAR);

    engine_free(e);
    return cycles;
}

/* What a class says holds for its instructions, unless they touch memory or move the path. */
START_TEST(classes)
{
    const Passer *p = &passers[_i];
    g_autofree char *passes = g_strdup_printf("classes.%s.passes_barrier=1", p->class);
    const char *plain[] = {SETTINGS, NULL}, *lazy[] = {SETTINGS, passes, NULL};
    const char *off[] = {SETTINGS, passes, "barrier.lazy=off", NULL};

    ck_assert_uint_eq(delay("textbook", plain, p), LATENCY);
    ck_assert_uint_eq(delay("textbook", lazy, p), p->can_pass ? 1 : LATENCY);
    ck_assert_uint_eq(delay("textbook", off, p), LATENCY);
}
END_TEST

/* Cycles of the H200: a barrier of one warp takes 12 and 2. */
START_TEST(classes_of_h200)
{
    const Passer *p = &passers[_i];
    const char *settings[] = {"fetch.model=ideal", NULL};
    guint64 cycles = delay("h200", settings, p);

    if (p->on_h200) /* 2: NOP shares its pipe with BAR */
        ck_assert_uint_le(cycles, 2);
    else
        ck_assert_uint_eq(cycles, 14);
}
END_TEST

#define LATE                                                                                       \
    ".shared 64\n.reconvergence manual\nS2R R0, SR_TID.X ;\nISETP.LT P0, R0, 32 ;\n"               \
    "@P0 BRA early ;\nNANOSLEEP 100 ;\nearly: BAR.SYNC 0 ;\n"

/* Warp 0 waits long; a chain of FFMAs behind its barrier runs meanwhile, then the load waits. */
START_TEST(chain_passes)
{
    const char *settings[] = {SETTINGS, "classes.fp32_fma.passes_barrier=1", NULL};
    Engine *e = run("textbook", settings,
                    LATE "FFMA R4, R2, R3, R4 ;\nFFMA R4, R2, R3, R4 ;\nFFMA R4, R2, R3, R4 ;\n"
                         "LDS R5, [RZ] ;\nFFMA R4, R2, R3, R4 ;\nEXIT ;\n",
                    64, 1);
    guint64 first = issue_of(e, 0, 5), opened = issue_of(e, 1, 4) + LATENCY;
    const WsInstructionCounters *counters = e->result->launches[0].instructions;

    ck_assert_uint_le(first, issue_of(e, 0, 4) + 2); /* warp 1 issues as well */
    ck_assert_uint_eq(issue_of(e, 0, 6), first + 4);
    ck_assert_uint_eq(issue_of(e, 0, 7), first + 8);
    ck_assert_uint_eq(issue_of(e, 0, 8), opened);
    ck_assert_uint_gt(opened, first + 100);
    /* The load is what waits for the barrier: both warps, from the last FFMA on. */
    ck_assert_uint_eq(counters[8].stalls[WS_STALL_BARRIER],
                      opened - (first + 9) + opened - (issue_of(e, 1, 7) + 1));
    ck_assert_uint_eq(e->result->total.stalls[WS_STALL_BARRIER],
                      counters[8].stalls[WS_STALL_BARRIER]);
    engine_free(e);
}
END_TEST

/* An FFMA that waits for a load passes the barrier once the load is there, and not before. */
START_TEST(operands_are_waited_for)
{
    const char *settings[] = {SETTINGS, "classes.fp32_fma.passes_barrier=1",
                              "classes.global_load.latency=50", NULL};
    Engine *e = run("textbook", settings,
                    "LDC.64 R6, c[x] ;\nS2R R0, SR_TID.X ;\nISETP.LT P0, R0, 32 ;\n"
                    "@!P0 NANOSLEEP 200 ;\nLDG.E R2, [R6] ;\nBAR.SYNC 0 ;\n"
                    "FFMA R4, R2, R3, R4 ;\nSTG.E [R6], R4 ;\nEXIT ;\n",
                    64, 4);
    guint64 opened = issue_of(e, 1, 5) + LATENCY;

    ck_assert_uint_eq(issue_of(e, 0, 6), issue_of(e, 0, 4) + 50);
    ck_assert_uint_lt(issue_of(e, 0, 6), opened);
    ck_assert_uint_eq(issue_of(e, 0, 7), opened);
    engine_free(e);
}
END_TEST

/* A second barrier waits for the first; work in between hides the first. */
START_TEST(second_barrier_waits)
{
    const char *settings[] = {SETTINGS, "classes.fp32_fma.passes_barrier=1", NULL};
    Engine *e = run("textbook", settings,
                    "BAR.SYNC 0 ;\nFFMA R4, R2, R3, R4 ;\nBAR.SYNC 0 ;\n"
                    "FFMA R4, R2, R3, R4 ;\nFFMA R4, R2, R3, R4 ;\nFFMA R4, R2, R3, R4 ;\n"
                    "FFMA R4, R2, R3, R4 ;\nFFMA R4, R2, R3, R4 ;\nFFMA R4, R2, R3, R4 ;\n"
                    "BAR.SYNC 0 ;\nEXIT ;\n",
                    32, 1);
    guint64 first = issue_of(e, 0, 0);

    ck_assert_uint_eq(issue_of(e, 0, 1), first + 1);
    ck_assert_uint_eq(issue_of(e, 0, 2), first + LATENCY);
    ck_assert_uint_eq(issue_of(e, 0, 9), first + LATENCY + 22); /* FFMAs: 1, 5, 9, 13, 17, 21 */
    engine_free(e);
}
END_TEST

/* The result of a reduction is there when the barrier opens, and nothing goes before it. */
START_TEST(reduction_holds)
{
    const char *settings[] = {SETTINGS, "classes.fp32_fma.passes_barrier=1",
                              "classes.int.passes_barrier=1", NULL};
    Engine *e = run("textbook", settings,
                    "LDC.64 R6, c[x] ;\nS2R R0, SR_TID.X ;\nISETP.LT P0, R0, 40 ;\n"
                    "@!P0 NANOSLEEP 100 ;\nBAR.RED.POPC R4, PT, 0, RZ, P0 ;\n"
                    "FFMA R2, R2, R3, R2 ;\nIADD3 R4, R4, 1, RZ ;\nIMAD.WIDE.U32 R6, R0, 4, R6 ;\n"
                    "STG.E [R6], R4 ;\nEXIT ;\n",
                    64, 64);
    guint64 last = MAX(issue_of(e, 0, 4), issue_of(e, 1, 4));

    ck_assert_uint_ge(issue_of(e, 0, 5), last + LATENCY);
    for (guint i = 0; i < 64; i++)
        ck_assert_uint_eq(engine_words(e)[i], 41);
    engine_free(e);
}
END_TEST

/* While lanes of the warp are elsewhere the path gives way at the barrier, as ever. */
START_TEST(other_lanes_go_first)
{
    const char *settings[] = {SETTINGS, "classes.fp32_fma.passes_barrier=1", "divergence.model=its",
                              "divergence.first_side=fall_through", NULL};
    Engine *e = run("textbook", settings,
                    ".reconvergence manual\nS2R R0, SR_TID.X ;\nISETP.LT P0, R0, 7 ;\n"
                    "@P0 BRA some ;\n"
                    "BAR.SYNC 0 ;\nFFMA R4, R2, R3, R4 ;\nEXIT ;\n"
                    "some: MOV R5, 1 ;\nBAR.SYNC 0 ;\nFFMA R4, R2, R3, R4 ;\nEXIT ;\n",
                    32, 1);
    guint64 last = issue_of(e, 0, 7);

    ck_assert_uint_gt(last, issue_of(e, 0, 3));
    ck_assert_uint_ge(issue_of(e, 0, 4), last + LATENCY);
    ck_assert_uint_ge(issue_of(e, 0, 8), last + LATENCY);
    engine_free(e);
}
END_TEST

/*
 * Every thread passes values on to its neighbour through shared memory, with two barriers a round
 * and arithmetic behind each: right on every machine, under every policy.
 */
#define ROUNDS                                                                                     \
    ".shared 512\nS2R R0, SR_TID.X ;\nLDC.64 R6, c[x] ;\nIMAD.WIDE.U32 R6, R0, 4, R6 ;\n"          \
    "SHF.L.U32 R1, R0, 2 ;\nIADD3 R2, R0, 33, RZ ;\nLOP3.LUT R2, R2, 127, RZ, 0xc0 ;\n"            \
    "SHF.L.U32 R2, R2, 2 ;\nMOV R3, R0 ;\nMOV R5, RZ ;\n"                                          \
    "round: STS [R1], R3 ;\nBAR.SYNC 0 ;\nIMAD R8, R0, 5, R5 ;\nIADD3 R8, R8, 7, RZ ;\n"           \
    "LDS R4, [R2] ;\nIMAD R3, R4, 3, R8 ;\nBAR.SYNC 0 ;\nIADD3 R5, R5, 1, RZ ;\n"                  \
    "ISETP.LT P0, R5, 9 ;\n@P0 BRA round ;\nSTG.E [R6], R3 ;\nEXIT ;\n"

static void expected_rounds(guint32 values[128])
{
    for (guint i = 0; i < 128; i++)
        values[i] = i;
    for (guint round = 0; round < 9; round++) {
        guint32 before[128];

        memcpy(before, values, sizeof before);
        for (guint i = 0; i < 128; i++)
            values[i] = before[(i + 33) % 128] * 3 + i * 5 + round + 7;
    }
}

static const char *const policies[] = {WS_POLICIES(WS_POLICY_SETTING) NULL};

START_TEST(shared_memory_is_right)
{
    g_autofree char *policy = g_strdup_printf("policy=%s", policies[_i]);
    static const char *const more[] = {"divergence.model=its", "divergence.model=stack",
                                       "dependences=control",  "dependences=blocking",
                                       "barrier.lazy=off",     "sub_cores=1"};
    guint32 values[128];

    expected_rounds(values);
    for (guint m = 0; m < G_N_ELEMENTS(more); m++) {
        const char *settings[] = {policy, more[m], NULL};
        Engine *e = run("h200", settings, ROUNDS, 128, 128);

        for (guint i = 0; i < 128; i++)
            ck_assert_uint_eq(engine_words(e)[i], values[i]);
        engine_free(e);
    }
}
END_TEST

/* A count in a register is read first. */
START_TEST(register_count)
{
    const char *settings[] = {SETTINGS, "barrier.register_latency=9", NULL};
    Engine *e = run("textbook", settings,
                    "MOV R1, 32 ;\nBAR.SYNC 1, R1 ;\nBAR.SYNC 1, 32 ;\nEXIT ;\n", 32, 1);

    ck_assert_uint_eq(issue_of(e, 0, 2), issue_of(e, 0, 1) + 9 + LATENCY);
    ck_assert_uint_eq(issue_of(e, 0, 3), issue_of(e, 0, 2) + LATENCY);
    engine_free(e);
}
END_TEST

/* Warps 0 and 1 at barriers of their own: the SM opens one in 30.5 cycles. */
START_TEST(openings_in_turn)
{
    const char *settings[] = {"dependences=scoreboard",
                              "sub_cores=1",
                              "barrier.latency=20",
                              "barrier.per_warp=2",
                              "barrier.open_interval_milli=30500",
                              NULL};
    Engine *e = run("textbook", settings,
                    "S2R R0, SR_TID.X ;\nISETP.GE P0, R0, 32 ;\n@P0 BRA second ;\n"
                    "BAR.SYNC 1, 32 ;\nEXIT ;\nsecond: BAR.SYNC 2, 32 ;\nEXIT ;\n",
                    64, 1);
    guint64 first = MIN(issue_of(e, 0, 3), issue_of(e, 1, 5));
    guint64 last = MAX(issue_of(e, 0, 3), issue_of(e, 1, 5));

    ck_assert_uint_lt(last, first + 28);
    ck_assert_uint_eq(MIN(issue_of(e, 0, 4), issue_of(e, 1, 6)), first + 2 + 20);
    ck_assert_uint_eq(MAX(issue_of(e, 0, 4), issue_of(e, 1, 6)), first + 2 + 31 + 20);
    engine_free(e);
}
END_TEST

/* Results of a reduction come one warp after the other. */
START_TEST(reduction_results)
{
    const char *settings[] = {"dependences=scoreboard", "barrier.latency=20", "barrier.per_warp=3",
                              "barrier.reduction_latency=30", NULL};
    Engine *e = run("textbook", settings,
                    "BAR.RED.OR RZ, P0, 0, RZ, P0 ;\nNOP ;\nSEL R1, RZ, 1, P0 ;\nEXIT ;\n", 64, 1);
    guint64 opened = issue_of(e, 0, 0) + 3 + 3 + 20;

    ck_assert_uint_le(issue_of(e, 0, 1), opened + 1);
    ck_assert_uint_eq(issue_of(e, 0, 2), opened + 3 + 30);
    ck_assert_uint_eq(issue_of(e, 1, 2), opened + 3 + 3 + 30);
    ck_assert_uint_ne(e->result->launches[0].instructions[2].stalls[WS_STALL_SHORT_SCOREBOARD], 0);
    engine_free(e);
}
END_TEST

/* What a reduction reads is read before it arrives, and before its result is handed out. */
START_TEST(reduction_reads)
{
    const char *settings[] = {"dependences=scoreboard",     "barrier.latency=20",
                              "barrier.per_warp=3",         "barrier.reduction_latency=30",
                              "barrier.register_latency=7", NULL};
    Engine *e = run("textbook", settings,
                    "BAR.RED.OR RZ, P0, 0, RZ, P0 ;\nSEL R1, RZ, 1, P0 ;\nEXIT ;\n", 64, 1);
    guint64 opened = MAX(issue_of(e, 0, 0) + 7 + 3 + 3, issue_of(e, 1, 0) + 7 + 3) + 20;

    ck_assert_uint_eq(issue_of(e, 0, 1), opened + 7 + 3 + 30);
    ck_assert_uint_eq(issue_of(e, 1, 1), opened + 7 + 3 + 3 + 30);
    engine_free(e);
}
END_TEST

/*
 * Warps 0 and 1 at barriers of their own, on an SM that serves an arrival in 10 cycles: opening
 * takes the unit if the number was in a register, so that the arrival behind it comes later.
 */
START_TEST(opening_takes_the_unit)
{
    static const char *const numbers[] = {"R1, 32", "1, 32"};
    const char *settings[] = {"dependences=scoreboard",     "sub_cores=1",
                              "barrier.latency=20",         "barrier.per_warp=10",
                              "barrier.register_latency=5", NULL};
    guint64 times[2];

    for (guint i = 0; i < 2; i++) {
        g_autofree char *text = g_strdup_printf(
            "S2R R0, SR_TID.X ;\nMOV R1, 1 ;\nISETP.GE P0, R0, 32 ;\n@P0 BRA second ;\n"
            "BAR.SYNC %s ;\nEXIT ;\nsecond: BAR.SYNC 2, 32 ;\nEXIT ;\n",
            numbers[i]);
        Engine *e = run("textbook", settings, text, 64, 1);
        guint64 first = issue_of(e, 0, 4) + (i == 0 ? 5 : 0), second = issue_of(e, 1, 6);

        ck_assert_uint_le(second, first + 10);
        ck_assert_uint_eq(issue_of(e, 0, 5), first + 10 + 20);
        times[i] = issue_of(e, 1, 7) - first;
        engine_free(e);
    }
    ck_assert_uint_eq(times[0], 10 + 10 + 10 + 20);
    ck_assert_uint_eq(times[1], 10 + 10 + 20);
}
END_TEST

/* PTX: arrive, sync and red, numbers and counts in registers or not. */
START_TEST(from_ptx)
{
    static const char *const models[] = {"divergence.model=its", "divergence.model=stack",
                                         "barrier.lazy=off", "dependences=control"};
    const char *settings[] = {models[_i], NULL};
    Engine *e = engine_load("tests/ptx/barriers.yaml", settings, NULL);

    engine_run(e);
    ck_assert_msg(e->result->status == WS_STATUS_OK, "%s", e->result->stop.message);
    for (guint i = 0; i < 64; i++) {
        ck_assert_uint_eq(engine_words(e)[2 * i], i < 32 ? 0 : 3 * (i - 32) + 5);
        ck_assert_uint_eq(engine_words(e)[2 * i + 1], 57 * 10000 + 1000 + 7);
    }
    engine_free(e);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("engine_barriers");
    TCase *tcase = tcase_create("passing");
    SRunner *runner = srunner_create(suite);
    int failed;

    tcase_set_timeout(tcase, 60);
    tcase_add_loop_test(tcase, classes, 0, G_N_ELEMENTS(passers));
    tcase_add_loop_test(tcase, classes_of_h200, 0, G_N_ELEMENTS(passers));
    tcase_add_test(tcase, chain_passes);
    tcase_add_test(tcase, operands_are_waited_for);
    tcase_add_test(tcase, second_barrier_waits);
    tcase_add_test(tcase, reduction_holds);
    tcase_add_test(tcase, other_lanes_go_first);
    tcase_add_loop_test(tcase, shared_memory_is_right, 0, G_N_ELEMENTS(policies) - 1);
    tcase_add_test(tcase, register_count);
    tcase_add_test(tcase, openings_in_turn);
    tcase_add_test(tcase, reduction_results);
    tcase_add_test(tcase, reduction_reads);
    tcase_add_test(tcase, opening_takes_the_unit);
    tcase_add_loop_test(tcase, from_ptx, 0, 4);
    suite_add_tcase(suite, tcase);
    srunner_run_all(runner, CK_ENV);
    failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? 0 : 1;
}
