/* Dependences by control fields: what is waited for, and what is noticed when it is not. */
#include "tests/support/suite.h"
#include <string.h>

#include "tests/support/engine_fixture.h"

static Engine *run(const char *device, const char *text)
{
    const char *settings[] = {"dependences=control", "sms=1", NULL};
    Engine *e = engine_new(device, settings, text, 1, 32, 64);

    engine_run(e);
    ck_assert_int_eq(e->result->status, WS_STATUS_OK);
    return e;
}

/* Each cycle of a warp has one reason. */
static void check_charges(const Engine *e)
{
    const WsCounters *total = &e->result->total;
    guint64 sum = 0;

    for (guint i = 0; i < WS_STALL_COUNT; i++) {
        ck_assert_uint_le(total->stalls[i], total->warp_cycles);
        sum += total->stalls[i];
    }
    ck_assert_uint_eq(sum, total->warp_cycles);
}

/* A stall count of s is exactly s cycles to the next issue. */
START_TEST(stall_count)
{
    Engine *e = run("textbook", "FFMA R0, R1, R2, R0 {stall=4} ;\n"
                                "FFMA R0, R1, R2, R0 {stall=7} ;\n"
                                "NOP {yield} ;\n"
                                "EXIT ;\n");

    ck_assert_uint_eq(engine_issue_cycle(e, 0, 1), 4);
    ck_assert_uint_eq(engine_issue_cycle(e, 0, 2), 11);
    ck_assert_uint_eq(engine_issue_cycle(e, 0, 3), 13);
    ck_assert_ptr_null(e->result->warnings[0]);
    engine_free(e);
}
END_TEST

/* Too short a stall count: the value is right, and the run says where. */
START_TEST(hazard)
{
    Engine *e = run("textbook", "MOV R2, c[x] ;\nMOV R1, 7 {stall=4} ;\n"
                                "FFMA R0, R1, RZ, R1 {stall=1} ;\n"
                                "MOV R3, R0 {stall=4} ;\n"
                                "STG [R2], R3 {stall=2} ;\n"
                                "EXIT ;\n");

    ck_assert_uint_eq(engine_words(e)[0], 7);
    ck_assert_ptr_nonnull(e->result->warnings[0]);
    ck_assert_ptr_nonnull(strstr(e->result->warnings[0],
                                 "test.wsasm:6 (MOV): its control fields let it issue up to 3"));
    ck_assert_ptr_null(e->result->warnings[1]);
    engine_free(e);
}
END_TEST

/* Dependence barriers: a load and its consumer, with the wait and without it. */
START_TEST(dependence_barriers)
{
    Engine *good = run("h200", "MOV R2, c[x] {stall=6} ;\nMOV R3, c[x+4] {stall=6} ;\n"
                               "LDG.E R4, [R2] {wr=0} ;\nLDG.E R5, [R2+4] {wr=0} ;\n"
                               "IADD3 R6, R4, R5, RZ {wait=1 stall=5} ;\n"
                               "IADD3 R6, R6, 1, RZ {stall=8} ;\n"
                               "STG.E [R2+8], R6 ;\nEXIT {stall=5} ;\n");
    Engine *bad = run("h200", "MOV R2, c[x] {stall=6} ;\nMOV R3, c[x+4] {stall=6} ;\n"
                              "LDG.E R4, [R2] {wr=0} ;\n"
                              "IADD3 R6, R4, 1, RZ {stall=6} ;\n"
                              "STG.E [R2+8], R6 ;\nEXIT {stall=5} ;\n");

    ck_assert_msg(good->result->warnings[0] == NULL, "%s", good->result->warnings[0]);
    ck_assert_uint_eq(engine_words(good)[2], 1);
    ck_assert_uint_gt(engine_issue_cycle(good, 0, 4), engine_issue_cycle(good, 0, 3) + 20);
    ck_assert_ptr_nonnull(bad->result->warnings[0]);
    ck_assert_ptr_nonnull(strstr(bad->result->warnings[0], "hazard at test.wsasm:6"));
    ck_assert_uint_eq(engine_words(bad)[2], 1);
    check_charges(good);
    check_charges(bad);
    engine_free(good);
    engine_free(bad);
}
END_TEST

/* Lanes of the other side of a branch load the register: those of this one do not read it early. */
START_TEST(registers_of_other_lanes)
{
    Engine *e = run("h200", ".reconvergence manual\n"
                            "S2R R0, SR_LANEID {wr=0 stall=2} ;\n"
                            "MOV R2, c[x] {stall=6} ;\nMOV R3, c[x+4] {stall=6} ;\n"
                            "MOV R4, 5 {stall=6} ;\n"
                            "ISETP.LT P0, R0, 8 {wait=1 stall=13} ;\n"
                            "BSSY B0, join {stall=12} ;\n"
                            "@P0 BRA side {stall=5} ;\n"
                            "IADD3 R4, R4, 1, RZ {stall=6} ;\n"
                            "BRA join {stall=5} ;\n"
                            "side: LDG.E R4, [R2] {wr=1 stall=2} ;\n"
                            "join: BSYNC B0 {stall=5} ;\n"
                            "@!P0 STG.E [R2+4], R4 {wait=2 stall=2} ;\nEXIT {stall=5} ;\n");

    ck_assert_msg(e->result->warnings[0] == NULL, "%s", e->result->warnings[0]);
    ck_assert_uint_eq(engine_words(e)[1], 6);
    check_charges(e);
    engine_free(e);
}
END_TEST

/* A load whose register is written before it is back does not write over what came later. */
START_TEST(late_result)
{
    Engine *e = run("h200", "MOV R2, c[x] {stall=6} ;\nMOV R3, c[x+4] {stall=6} ;\n"
                            "LDG.E R4, [R2] {wr=0} ;\nMOV R4, 7 {stall=6} ;\n"
                            "STG.E [R2+4], R4 ;\nEXIT {stall=5} ;\n");

    ck_assert_uint_eq(engine_words(e)[1], 7);
    ck_assert_ptr_nonnull(e->result->warnings[0]);
    ck_assert_ptr_nonnull(strstr(e->result->warnings[0], "hazard at test.wsasm:6"));
    ck_assert_ptr_null(e->result->warnings[1]);
    check_charges(e);
    engine_free(e);
}
END_TEST

/* A dependence barrier opens when the result is there for users on any pipe. */
START_TEST(barrier_across_pipes)
{
    Engine *e = run("h200", "MUFU.RCP R0, R1 {wr=0 stall=2} ;\n"
                            "LOP3.LUT R2, R0, 1, RZ, 0xc0 {wait=1 stall=5} ;\n"
                            "EXIT {stall=5} ;\n");

    ck_assert_msg(e->result->warnings[0] == NULL, "%s", e->result->warnings[0]);
    engine_free(e);
}
END_TEST

/* The result of a barrier reduction opens its dependence barrier, later than the block barrier. */
START_TEST(reduction)
{
    Engine *e = run("h200", "MOV R2, c[x] {stall=6} ;\nMOV R3, c[x+4] {stall=6} ;\n"
                            "BAR.RED.POPC R4, PT, 0, RZ, PT {wr=0 stall=2} ;\n"
                            "IADD3 R4, R4, 1, RZ {wait=1 stall=8} ;\n"
                            "STG.E [R2], R4 ;\nEXIT {stall=5} ;\n");

    ck_assert_msg(e->result->warnings[0] == NULL, "%s", e->result->warnings[0]);
    ck_assert_uint_eq(engine_words(e)[0], 33);
    ck_assert_uint_ge(engine_issue_cycle(e, 0, 3), engine_issue_cycle(e, 0, 2) + 50);
    engine_free(e);
}
END_TEST

static void add_tests(TCase *cases)
{
    tcase_add_test(cases, stall_count);
    tcase_add_test(cases, hazard);
    tcase_add_test(cases, reduction);
    tcase_add_test(cases, dependence_barriers);
    tcase_add_test(cases, registers_of_other_lanes);
    tcase_add_test(cases, late_result);
    tcase_add_test(cases, barrier_across_pipes);
}

int main(void)
{
    return run_suite("engine_control", add_tests);
}
