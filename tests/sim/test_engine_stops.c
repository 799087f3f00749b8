/* Runs that do not complete: faults, deadlock, limits, and what is said of them. */
#include <check.h>
#include <string.h>

#include "tests/support/engine_fixture.h"

typedef struct {
    const char *text;
    guint threads;
    WsStatus status;
    const char *message, *details; /* parts of the text */
    gint lane;
} Case;

#define ADDRESS                                                                                    \
    "S2R R0, SR_TID.X ;\nMOV R2, c[x] ;\nMOV R3, c[x+4] ;\nIMAD.WIDE.U32 R2, R0, 4, R2 ;\n"

static const Case cases[] = {
    {ADDRESS "STG.E [R2], R0 ;\nEXIT ;\n", 64, WS_STATUS_FAULT, "thread (40,0,0), at test.wsasm:7",
     NULL, 8},
    {ADDRESS "STG.E [R2+2], R0 ;\nEXIT ;\n", 32, WS_STATUS_FAULT, "misaligned", NULL, 0},
    {"S2R R0, SR_TID.X ;\nISETP.EQ P0, R0, 5 ;\n@P0 BPT.TRAP ;\nEXIT ;\n", 32, WS_STATUS_FAULT,
     "trap, in kernel 'k', block (0,0,0), thread (5,0,0), at test.wsasm:5", NULL, 5},
    {"BPT.ASSERT ;\nEXIT ;\n", 32, WS_STATUS_FAULT, "assertion failed", NULL, 0},
    {"MOV R1, 4096 ;\nBRX R1, table ;\ntable: BRA x ;\nx: EXIT ;\n", 32, WS_STATUS_FAULT,
     "jump to an address outside the kernel", NULL, 0},
    {"MOV R1, 16 ;\nBAR.SYNC R1 ;\nEXIT ;\n", 32, WS_STATUS_FAULT, "barrier number", NULL, 0},
    {".reconvergence manual\nS2R R0, SR_TID.X ;\nISETP.LT P0, R0, 8 ;\n@P0 BRA x ;\n"
     "BAR.SYNC 0 ;\nBRA y ;\nx: NOP ;\ny: NOP ;\nEXIT ;\n",
     32, WS_STATUS_FAULT, "inside divergent code", NULL, 8},
    {"S2R R0, SR_TID.X ;\nISETP.LT P0, R0, 32 ;\n@P0 BRA a ;\nBAR.SYNC 0 ;\nEXIT ;\n"
     "a: BAR.SYNC 1 ;\nEXIT ;\n",
     64, WS_STATUS_DEADLOCK, "can never complete",
     "block (0,0,0) on SM 0:\n"
     "  barrier 0: 1 of 2 warps has arrived: warp 1; missing: warp 0\n"
     "  barrier 1: 1 of 2 warps has arrived: warp 0; missing: warp 1\n"
     "  warp 0, lanes 0-31: waits at barrier 1, test.wsasm:8 (BAR.SYNC)\n"
     "  warp 1, lanes 0-31: waits at barrier 0, test.wsasm:6 (BAR.SYNC)\n",
     -1},
    {"MOV R1, 96 ;\nBAR.SYNC 2, R1 ;\nEXIT ;\n", 64, WS_STATUS_DEADLOCK, "can never complete",
     "barrier 2: 2 of 3 warps have arrived: warps 0-1\n", -1},
    /* Warp 3 exits early, warp 0 names another number of threads; what passes a barrier is no place
     * to wait at. */
    {"S2R R0, SR_TID.X ;\nISETP.LT P0, R0, 32 ;\nISETP.GE P1, R0, 96 ;\n@P1 EXIT ;\n"
     "@P0 BRA a ;\nBAR.SYNC 1, 160 ;\nMOV R1, 1 ;\nEXIT ;\na: BAR.SYNC 1, 192 ;\nEXIT ;\n",
     128, WS_STATUS_DEADLOCK, "can never complete",
     "  barrier 1: 3 of 5 warps have arrived: warps 0-2\n"
     "  barrier 1: its instructions name different numbers of threads\n"
     "  warp 3 has exited\n"
     "  warp 0, lanes 0-31: waits at barrier 1, test.wsasm:11 (BAR.SYNC)\n"
     "  warp 1, lanes 0-31: waits at barrier 1, test.wsasm:8 (BAR.SYNC)\n"
     "  warp 2, lanes 0-31: waits at barrier 1, test.wsasm:8 (BAR.SYNC)\n",
     -1},
    {"loop: IADD3 R0, R0, 1, RZ ;\n@P0 EXIT ;\nBRA loop ;\nEXIT ;\n", 32, WS_STATUS_LIMIT,
     "the limit of 5000 cycles was reached", NULL, -1},
};

START_TEST(stop)
{
    const Case *c = &cases[_i];
    Engine *e = engine_plain(c->text, 1, c->threads, 40);
    const WsStop *s;

    e->options.max_cycles = 5000;
    engine_run(e);
    s = &e->result->stop;
    ck_assert_int_eq(e->result->status, c->status);
    ck_assert_ptr_nonnull(s->message);
    ck_assert_msg(strstr(s->message, c->message) != NULL, "%s", s->message);
    if (c->details != NULL)
        ck_assert_msg(s->details != NULL && strstr(s->details, c->details) != NULL, "%s",
                      s->details);
    ck_assert_int_eq(s->lane, c->lane);
    ck_assert_uint_gt(e->result->total.warp_cycles, 0);
    ck_assert_uint_eq(e->result->launch_count, 1);
    engine_free(e);
}
END_TEST

/* Of several SMs that fault the one that did so first is reported, whatever runs first. */
START_TEST(first_fault_wins)
{
    const char *settings[] = {"sms=4", NULL};
    Engine *e = engine_new("h200", settings,
                           "S2R R0, SR_CTAID.X ;\n"
                           "MOV R1, 4 ;\n"
                           "IADD3 R1, R1, -R0, RZ ;\n"
                           "loop: IADD3 R1, R1, -1, RZ ;\n"
                           "ISETP.GT P0, R1, RZ ;\n"
                           "@P0 BRA loop ;\n"
                           "BPT.TRAP ;\nEXIT ;\n",
                           4, 32, 1);

    engine_run(e);
    ck_assert_int_eq(e->result->status, WS_STATUS_FAULT);
    ck_assert_uint_eq(e->result->stop.block[0], 3);
    ck_assert_int_eq(e->result->stop.sm, 3);
    engine_free(e);
}
END_TEST

/*
 * A fault in the first sub-core ends the cycle before the others have seen which of their warps
 * became ready in it: their stalls must tile all the same, none below zero.
 */
START_TEST(stalls_at_a_fault)
{
    const char *settings[] = {"sms=2", NULL};
    for (guint32 words = 1; words < 256; words += 3) {
        Engine *e = engine_new("h200", settings,
                               ADDRESS "STG.E [R2], R0 ;\nLDG.E R4, [R2] ;\nSTG.E [R2+64], R4 ;\n"
                                       "STG.E [R2+128], R0 ;\nEXIT ;\n",
                               3, 256, words);
        engine_run(e);
        ck_assert_int_eq(e->result->status, WS_STATUS_FAULT);
        guint64 sum = 0;
        for (guint i = 0; i < WS_STALL_COUNT; i++) {
            guint64 stall = e->result->total.stalls[i];
            ck_assert_msg(stall <= e->result->total.warp_cycles, "%s with %u words",
                          ws_stall_name(i), words);
            sum += stall;
        }
        ck_assert_uint_eq(sum, e->result->total.warp_cycles);
        engine_free(e);
    }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("engine_stops");
    TCase *tcase = tcase_create("engine_stops");
    SRunner *runner;
    int failed;

    tcase_add_loop_test(tcase, stop, 0, G_N_ELEMENTS(cases));
    tcase_add_test(tcase, first_fault_wins);
    tcase_add_test(tcase, stalls_at_a_fault);
    suite_add_tcase(suite, tcase);
    runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? 0 : 1;
}
