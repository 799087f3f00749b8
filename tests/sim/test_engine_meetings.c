/* Lanes that wait in WARPSYNC while others wait at BSYNC, or come to it from several places. */
#include "tests/support/engine_fixture.h"
#include "tests/support/suite.h"

static Engine *run(const char *text, guint words)
{
    const char *settings[] = {"dependences=scoreboard", "divergence.model=its",
                              "divergence.first_side=fewer_lanes", "divergence.progress_after=1000",
                              NULL};
    Engine *e = engine_new("textbook", settings, text, 1, 32, words);

    e->options.max_cycles = 200000;
    engine_run(e);
    return e;
}

#define HEAD ".reconvergence manual\nS2R R0, SR_LANEID ;\n"

/*
 * Lanes 0-7 wait in WARPSYNC for all; lanes 8-15 meet at the inner BSYNC without them, and with the
 * rest at the outer one. A lane that is not there gives 0. So on an H200.
 */
START_TEST(bsync_does_not_wait_for_warpsync)
{
    for (guint all = 0; all < 2; all++) {
        g_autofree char *text = g_strdup_printf(
            HEAD "LDC.64 R8, c[x] ;\nISETP.LT P0, R0, 8 ;\nISETP.LT P1, R0, 16 ;\nMOV R4, -1 ;\n"
                 "MOV R6, RZ ;\nIADD3 R3, R0, 100, RZ ;\n"
                 "BSSY B0, outer ;\n@!P1 BRA outer ;\n"
                 "BSSY B1, inner ;\n@!P0 BRA inner ;\n"
                 "%s ;\nSHFL.BFLY P2, R4, R3, 16, 0x1f ;\nSHFL.BFLY P2, R5, R3, 1, 0x1f ;\n"
                 "IADD3 R4, R4, R5, RZ ;\n"
                 "inner: BSYNC B1 ;\nVOTE.ANY R6, PT, PT ;\n"
                 "outer: BSYNC B0 ;\nVOTE.ANY R7, PT, PT ;\n"
                 "IMAD.WIDE R8, R0, 12, R8 ;\nSTG [R8], R4 ;\nSTG [R8+4], R6 ;\n"
                 "STG [R8+8], R7 ;\nEXIT ;\n",
            all ? "WARPSYNC.ALL" : "WARPSYNC 0xffffffff");
        Engine *e = run(text, 96);

        ck_assert_int_eq(e->result->status, WS_STATUS_OK);
        for (guint lane = 0; lane < 32; lane++) {
            const guint32 *row = engine_words(e) + 3 * (gsize)lane;

            ck_assert_uint_eq(row[0], lane < 8 ? (lane ^ 1) + 100 : G_MAXUINT32);
            ck_assert_uint_eq(row[1], lane < 8 ? 0xff : lane < 16 ? 0xff00 : 0);
            ck_assert_uint_eq(row[2], lane < 8 ? 0xff : 0xffffff00);
        }
        engine_free(e);
    }
}
END_TEST

/* Lanes of both sides meet in WARPSYNC and shuffle together, each with its own operands. */
START_TEST(sides_exchange)
{
    Engine *e = run(HEAD "LDC.64 R8, c[x] ;\nISETP.LT P0, R0, 10 ;\nBSSY B0, join ;\n"
                         "@P0 BRA low ;\n"
                         "IADD3 R3, R0, 200, RZ ;\nMOV R5, 3 ;\nWARPSYNC 0xffffffff ;\n"
                         "SHFL.IDX P2, R3, R3, R5, 0x1f ;\nISETP.LT P3, R0, 20 ;\n"
                         "WARPSYNC 0xffffffff ;\nVOTE.ANY R6, PT, P3 ;\nBRA join ;\n"
                         "low: IADD3 R4, R0, 100, RZ ;\nISETP.EQ P4, R0, 2 ;\n"
                         "WARPSYNC 0xffffffff ;\nSHFL.IDX P2, R3, R4, 0x1f, 0x1f ;\n"
                         "WARPSYNC 0xffffffff ;\nVOTE.ANY R6, PT, P4 ;\n"
                         "join: BSYNC B0 ;\nIMAD.WIDE R8, R0, 8, R8 ;\nSTG [R8], R3 ;\n"
                         "STG [R8+4], R6 ;\nEXIT ;\n",
                    64);

    ck_assert_int_eq(e->result->status, WS_STATUS_OK);
    for (guint lane = 0; lane < 32; lane++) {
        ck_assert_uint_eq(engine_words(e)[2 * lane], lane < 10 ? 231 : 103);
        ck_assert_uint_eq(engine_words(e)[2 * lane + 1], 0xffc04);
    }
    engine_free(e);
}
END_TEST

static void add_tests(TCase *tests)
{
    tcase_add_test(tests, bsync_does_not_wait_for_warpsync);
    tcase_add_test(tests, sides_exchange);
}

int main(void)
{
    return run_suite("engine_meetings", add_tests);
}
