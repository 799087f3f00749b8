/* Other shapes of the machine, several launches, and instructions that wait for time to pass. */
#include <check.h>
#include <string.h>

#include "tests/support/engine_fixture.h"
#include "tests/support/random_kernel.h"

/* BAR.RED counts and combines over all threads of the block. */
START_TEST(barrier_reduction)
{
    static const char *const models[] = {"divergence.model=stack", "divergence.model=its"};
    Engine *e = engine_plain_with(models[_i],
                                  "S2R R0, SR_TID.X ;\n"
                                  "MOV R2, c[x] ;\nMOV R3, c[x+4] ;\n"
                                  "IMAD.WIDE.U32 R2, R0, 4, R2 ;\n"
                                  "ISETP.LT P0, R0, 37 ;\n"
                                  "BAR.RED.POPC R4, PT, 0, RZ, P0 ;\n"
                                  "BAR.RED.AND RZ, P1, 0, RZ, P0 ;\n"
                                  "BAR.RED.OR RZ, P2, 0, RZ, P0 ;\n"
                                  "@P1 IADD3 R4, R4, 1000, RZ ;\n"
                                  "@P2 IADD3 R4, R4, 2000, RZ ;\n"
                                  "STG.E [R2], R4 ;\n"
                                  "EXIT ;\n",
                                  1, 100, 100);

    engine_run(e);
    ck_assert_int_eq(e->result->status, WS_STATUS_OK);
    for (guint i = 0; i < 100; i++)
        ck_assert_uint_eq(engine_words(e)[i], 2037);
    engine_free(e);
}
END_TEST

typedef struct {
    const char *setting, *text;
    guint64 cycles;
    WsStall stall;
} Case;

static const Case waits[] = {
    {"nanosleep.minimum=74", "NANOSLEEP 0 ;\nNOP ;\nEXIT ;\n", 74, WS_STALL_SLEEPING},
    {"nanosleep.minimum=74", "NANOSLEEP 100 ;\nNOP ;\nEXIT ;\n", 174, WS_STALL_SLEEPING},
    {"nanosleep.timer=power_of_two", "NANOSLEEP 100 ;\nNOP ;\nEXIT ;\n", 128, WS_STALL_SLEEPING},
    {"nanosleep.timer=power_of_two", "NANOSLEEP 128 ;\nNOP ;\nEXIT ;\n", 256, WS_STALL_SLEEPING},
    {"membar.cta=8", "MEMBAR.CTA ;\nNOP ;\nEXIT ;\n", 8, WS_STALL_MEMBAR},
    {"membar.gpu=263", "MEMBAR.GPU ;\nNOP ;\nEXIT ;\n", 263, WS_STALL_MEMBAR},
};

START_TEST(waits_for_time)
{
    const Case *c = &waits[_i];
    Engine *e = engine_plain_with(c->setting, c->text, 1, 32, 1);

    engine_run(e);
    ck_assert_uint_eq(engine_issue_cycle(e, 0, 1), c->cycles);
    ck_assert_uint_eq(e->result->total.stalls[c->stall], c->cycles - 1);
    engine_free(e);
}
END_TEST

/* Warp size and number of schedulers change the time, never the memory. */
START_TEST(shapes)
{
    static const char *const sizes[] = {"warp_size=32", "warp_size=8", "warp_size=16",
                                        "warp_size=64"};
    static const char *const sub_cores[] = {"sub_cores=4", "sub_cores=1", "sub_cores=8",
                                            "sub_cores=3"};
    guint threads = 70 + 13 * ((guint)_i % 5), blocks = 2;
    guint words = threads * blocks * RANDOM_KERNEL_WORDS;
    g_autofree char *text = random_kernel((guint64)_i + 9000, threads, blocks);
    g_autofree guint32 *first = NULL;

    for (guint m = 0; m < G_N_ELEMENTS(sizes); m++) {
        const char *settings[] = {"sms=2", sizes[m], sub_cores[m], NULL};
        Engine *e = engine_new("h200", settings, text, blocks, threads, words);

        e->options.max_cycles = 2000000;
        engine_run(e);
        ck_assert_int_eq(e->result->status, WS_STATUS_OK);
        if (first == NULL)
            first = g_memdup2(engine_words(e), words * sizeof *first);
        else
            ck_assert_mem_eq(first, engine_words(e), words * sizeof *first);
        engine_free(e);
    }
}
END_TEST

/*
 * A thread reads back what it has stored, wherever its warp's words begin in a sector that warps
 * share: the sector of the first lanes and that of the last ones come one after the other.
 */
START_TEST(own_stores_are_read)
{
    static const char *const sizes[] = {"warp_size=8", "warp_size=16", "warp_size=32",
                                        "warp_size=64"};
    static const char *const sub_cores[] = {"sub_cores=1", "sub_cores=4"};
    guint threads = 109, blocks = 2, all = threads * blocks;
    g_autofree char *text = g_strdup_printf(
        "S2R R0, SR_TID.X ;\nS2R R4, SR_CTAID.X ;\nIMAD R4, R4, %u, R0 ;\nMOV R2, c[x] ;\n"
        "MOV R3, c[x+4] ;\nIMAD.WIDE.U32 R2, R4, 4, R2 ;\nIADD3 R7, R4, 1000, RZ ;\n"
        "STG.E [R2+%u], R7 ;\nLDG.E R5, [R2+%u] ;\nSTG.E [R2+%u], R5 ;\nEXIT ;\n",
        threads, 4 * (guint)_i, 4 * (guint)_i, 4 * (all + 8));

    for (guint m = 0; m < G_N_ELEMENTS(sizes) * G_N_ELEMENTS(sub_cores); m++) {
        const char *settings[] = {"sms=2", sizes[m / 2], sub_cores[m % 2], NULL};
        Engine *e = engine_new("h200", settings, text, blocks, threads, 2 * all + 8);

        engine_run(e);
        for (guint thread = 0; thread < all; thread++)
            ck_assert_uint_eq(engine_words(e)[all + 8 + thread], thread + 1000);
        engine_free(e);
    }
}
END_TEST

/* A second launch begins where the first ended and finds its results; totals are sums. */
START_TEST(launches_follow)
{
    Engine *e = engine_new("h200", NULL,
                           "S2R R0, SR_TID.X ;\nMOV R2, c[x] ;\nMOV R3, c[x+4] ;\n"
                           "IMAD.WIDE.U32 R2, R0, 4, R2 ;\nLDG.E R4, [R2] ;\n"
                           "IADD3 R4, R4, 5, RZ ;\nSTG.E [R2], R4 ;\nEXIT ;\n",
                           1, 64, 64);
    WsJob *job = e->job;

    job->launches = g_renew(WsLaunch, job->launches, 2);
    job->launches[1] = job->launches[0];
    job->launches[1].parameters = g_memdup2(job->launches[0].parameters, 8);
    job->launch_count = 2;
    engine_run(e);
    ck_assert_uint_eq(e->result->launch_count, 2);
    ck_assert_uint_eq(engine_words(e)[63], 10);
    ck_assert_uint_eq(e->result->total.cycles, e->result->launches[0].counters.cycles +
                                                   e->result->launches[1].counters.cycles);
    ck_assert_uint_eq(e->result->total.warp_instructions, 2 * 2 * 8);
    engine_free(e);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("engine_machine");
    TCase *tcase = tcase_create("engine_machine");
    SRunner *runner;
    int failed;

    tcase_set_timeout(tcase, 60);
    tcase_add_loop_test(tcase, barrier_reduction, 0, 2);
    tcase_add_loop_test(tcase, waits_for_time, 0, G_N_ELEMENTS(waits));
    tcase_add_loop_test(tcase, shapes, 0, 30);
    tcase_add_loop_test(tcase, own_stores_are_read, 0, 8);
    tcase_add_test(tcase, launches_follow);
    suite_add_tcase(suite, tcase);
    runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? 0 : 1;
}
