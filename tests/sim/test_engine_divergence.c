/* The reconvergence stack: what runs, with which lanes, and what counts as divergence. */
#include <check.h>

#include "tests/support/engine_fixture.h"

static void check_lanes(const Engine *e, guint32 instruction, guint64 times, guint64 lanes)
{
    const WsInstructionCounters *c = &e->result->launches[0].instructions[instruction];

    ck_assert_uint_eq(c->issued, times);
    ck_assert_uint_eq(c->lanes, lanes);
}

#define HEAD ".reconvergence manual\nS2R R0, SR_LANEID ;\n"

/* 24 lanes take one side, 8 the other: each side once, then all together. */
START_TEST(two_sides)
{
    static const char *const sides[] = {
        "divergence.first_side=taken", "divergence.first_side=fall_through",
        "divergence.first_side=fewer_lanes", "divergence.first_side=more_lanes"};
    static const gboolean taken_first[] = {TRUE, FALSE, FALSE, TRUE};
    Engine *e = engine_plain_with(sides[_i],
                                  HEAD "ISETP.LT P0, R0, 24 ;\n"
                                       "@P0 BRA then ;\n"
                                       "MOV R1, 1 ;\n"
                                       "BRA join ;\n"
                                       "then: MOV R1, 2 ;\n"
                                       "join: MOV R2, 3 ;\n"
                                       "EXIT ;\n",
                                  1, 32, 1);

    engine_run(e);
    check_lanes(e, 3, 1, 8);
    check_lanes(e, 5, 1, 24);
    check_lanes(e, 6, 1, 32);
    ck_assert_uint_eq(e->result->total.branches_executed, 2);
    ck_assert_uint_eq(e->result->total.branches_divergent, 1);
    ck_assert_uint_eq(e->result->total.warps_diverged, 1);
    ck_assert_int_eq(g_array_index(e->issues, Issue, 3).instruction, taken_first[_i] ? 5 : 3);
    engine_free(e);
}
END_TEST

/* Lane l goes round 4 + l/8 times: the loop runs as often as its longest lane. */
START_TEST(loop_trips)
{
    Engine *e = engine_plain(HEAD "SHF.R.U32 R1, R0, 3, RZ ;\n"
                                  "IADD3 R1, R1, 4, RZ ;\n"
                                  "loop: IADD3 R2, R2, 1, RZ ;\n"
                                  "ISETP.LT P0, R2, R1 ;\n"
                                  "@P0 BRA loop ;\n"
                                  "MOV R3, R2 ;\n"
                                  "EXIT ;\n",
                             1, 32, 1);

    engine_run(e);
    check_lanes(e, 3, 7, 8 * (4 + 5 + 6 + 7));
    check_lanes(e, 6, 1, 32);
    ck_assert_uint_eq(e->result->total.branches_divergent, 3);
    engine_free(e);
}
END_TEST

/* An if inside both sides of an if: four paths, joined in pairs. */
START_TEST(nested)
{
    Engine *e = engine_plain(HEAD "LOP3.LUT R1, R0, 0x1, RZ, 0xc0 ;\n"
                                  "ISETP.LT P0, R0, 10 ;\n"
                                  "ISETP.NE P1, R1, RZ ;\n"
                                  "@P0 BRA a ;\n"
                                  "@P1 BRA right ;\n"
                                  "MOV R2, 1 ;\n"
                                  "right: MOV R3, 1 ;\n"
                                  "BRA join ;\n"
                                  "a: @P1 BRA left ;\n"
                                  "MOV R4, 1 ;\n"
                                  "left: MOV R5, 1 ;\n"
                                  "join: MOV R6, 1 ;\n"
                                  "EXIT ;\n",
                             1, 32, 1);

    engine_run(e);
    check_lanes(e, 6, 1, 11);
    check_lanes(e, 7, 1, 22);
    check_lanes(e, 10, 1, 5);
    check_lanes(e, 11, 1, 10);
    check_lanes(e, 12, 1, 32);
    ck_assert_uint_eq(e->result->total.branches_divergent, 3);
    engine_free(e);
}
END_TEST

/* A branch to an endless loop that no lane takes changes nothing: all meet before the barrier. */
START_TEST(untaken_endless_loop)
{
    Engine *e = engine_plain(HEAD "ISETP.LT P0, R0, 16 ;\n"
                                  "ISETP.LT P1, R0, -1 ;\n"
                                  "@P0 BRA join ;\n"
                                  "@P1 BRA endless ;\n"
                                  "MOV R1, 1 ;\n"
                                  "join: BAR.SYNC 0 ;\n"
                                  "EXIT ;\n"
                                  "endless: BRA endless ;\n",
                             1, 64, 1);

    engine_run(e);
    ck_assert_int_eq(e->result->status, WS_STATUS_OK);
    check_lanes(e, 5, 2, 32);
    check_lanes(e, 6, 2, 64);
    engine_free(e);
}
END_TEST

/* Half of the lanes leave early: the rest goes on, and nothing waits for them. */
START_TEST(early_exit)
{
    Engine *e = engine_plain(HEAD "ISETP.LT P0, R0, 16 ;\n"
                                  "@P0 EXIT ;\n"
                                  "MOV R1, 1 ;\n"
                                  "BAR.SYNC 0 ;\n"
                                  "EXIT ;\n",
                             1, 64, 1);

    engine_run(e);
    ck_assert_int_eq(e->result->status, WS_STATUS_OK);
    check_lanes(e, 3, 2, 32);
    ck_assert_uint_eq(e->result->total.warps_diverged, 2);
    ck_assert_uint_eq(e->result->total.branches_divergent, 0);
    engine_free(e);
}
END_TEST

/* A guard that is false for some lanes is no divergence. */
START_TEST(predication)
{
    Engine *e = engine_plain(HEAD "ISETP.LT P0, R0, 16 ;\n"
                                  "@P0 MOV R1, 1 ;\n"
                                  "EXIT ;\n",
                             1, 32, 1);

    engine_run(e);
    ck_assert_uint_eq(e->result->total.warps_diverged, 0);
    ck_assert_uint_eq(e->result->total.thread_instructions, 128);
    ck_assert_uint_eq(e->result->total.thread_instructions_pred_on, 112);
    engine_free(e);
}
END_TEST

/* 40 threads are a full and a partial warp; lanes that are not there never run. */
START_TEST(partial_warp)
{
    Engine *e = engine_plain(HEAD "EXIT ;\n", 1, 40, 1);

    engine_run(e);
    check_lanes(e, 0, 2, 40);
    ck_assert_uint_eq(e->result->total.warps_launched, 2);
    ck_assert_uint_eq(e->result->total.warps_diverged, 0);
    engine_free(e);
}
END_TEST

/* Lanes that call from two places return to where they came from. */
START_TEST(call_and_return)
{
    Engine *e = engine_plain(HEAD "MOV R2, c[x] ;\n"
                                  "MOV R3, c[x+4] ;\n"
                                  "IMAD.WIDE.U32 R2, R0, 4, R2 ;\n"
                                  "ISETP.LT P0, R0, 16 ;\n"
                                  "@P0 BRA other ;\n"
                                  "MOV R5, 100 ;\n"
                                  "CALL.REL R6, f ;\n"
                                  "IADD3 R5, R5, 1, RZ ;\n"
                                  "BRA join ;\n"
                                  "other: MOV R5, 200 ;\n"
                                  "CALL.REL R6, f ;\n"
                                  "IADD3 R5, R5, 2, RZ ;\n"
                                  "join: STG.E [R2], R5 ;\n"
                                  "EXIT ;\n"
                                  "f: IADD3 R5, R5, 1000, RZ ;\n"
                                  "RET.REL R6 ;\n",
                             1, 32, 32);

    engine_run(e);
    ck_assert_int_eq(e->result->status, WS_STATUS_OK);
    for (guint i = 0; i < 32; i++)
        ck_assert_uint_eq(engine_words(e)[i], i < 16 ? 1202 : 1101);
    check_lanes(e, 13, 1, 32);
    engine_free(e);
}
END_TEST

/* A jump table with four rows: each row once, with its own lanes. */
START_TEST(jump_table)
{
    Engine *e = engine_plain(HEAD "LOP3.LUT R1, R0, 0x3, RZ, 0xc0 ;\n"
                                  "SHF.L.U32 R1, R1, 4, RZ ;\n"
                                  "BRX R1, table ;\n"
                                  "table: BRA row0 ;\nBRA row1 ;\nBRA row2 ;\nBRA row3 ;\n"
                                  "row0: MOV R2, 10 ;\nBRA join ;\n"
                                  "row1: MOV R2, 11 ;\nBRA join ;\n"
                                  "row2: MOV R2, 12 ;\nBRA join ;\n"
                                  "row3: MOV R2, 13 ;\n"
                                  "join: NOP ;\n"
                                  "EXIT ;\n",
                             1, 32, 1);

    engine_run(e);
    ck_assert_int_eq(e->result->status, WS_STATUS_OK);
    for (guint i = 0; i < 4; i++) {
        check_lanes(e, 4 + i, 1, 8);
        check_lanes(e, 8 + 2 * i, 1, 8);
    }
    check_lanes(e, 15, 1, 32);
    engine_free(e);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("engine_divergence");
    TCase *tcase = tcase_create("engine_divergence");
    SRunner *runner;
    int failed;

    tcase_add_loop_test(tcase, two_sides, 0, 4);
    tcase_add_test(tcase, loop_trips);
    tcase_add_test(tcase, nested);
    tcase_add_test(tcase, early_exit);
    tcase_add_test(tcase, untaken_endless_loop);
    tcase_add_test(tcase, predication);
    tcase_add_test(tcase, partial_warp);
    tcase_add_test(tcase, call_and_return);
    tcase_add_test(tcase, jump_table);
    suite_add_tcase(suite, tcase);
    runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? 0 : 1;
}
