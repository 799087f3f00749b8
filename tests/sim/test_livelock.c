/* Runs that never end: which are told apart from those that take long, and who waits for whom. */
#include <check.h>
#include <string.h>

#include "sim/report/waits.h"
#include "tests/support/engine_fixture.h"

enum { SPIN_LIMIT = 5000, MOST_CYCLES = 400000, WORDS = 32768 };

static Engine *run_on(const char *device, const char *const *settings, guint threads,
                      const char *text, guint blocks, guint block)
{
    Engine *e = engine_new(device, settings, text, blocks, block, WORDS);

    e->options.spin_limit = SPIN_LIMIT;
    e->options.max_cycles = MOST_CYCLES;
    e->options.threads = threads;
    e->options.observers = NULL;
    e->result = ws_simulation_run(e->job, &e->options, NULL);
    return e;
}

static Engine *run(const char *text, guint blocks, guint block)
{
    return run_on("h200", NULL, 1, text, blocks, block);
}

/* Block i takes lock i, then lock i + 1 of `blocks`. `tries` stands in the second loop. */
static char *ring(guint blocks, const char *tries)
{
    return g_strdup_printf(
        "S2R R0, SR_CTAID.X ;\nLDC.64 R2, c[x] ;\nMOV R9, 1 ;\nMOV R12, RZ ;\n"
        "IMAD R4, R0, 4, R2 ;\nMOV R5, R3 ;\n"
        "IADD3 R10, R0, 1, RZ ;\nISETP.EQ P1, R10, %u ;\nSEL R10, RZ, R10, P1 ;\n"
        "IMAD R6, R10, 4, R2 ;\nMOV R7, R3 ;\n"
        "one: ATOMG.CAS.E.U32.GPU R8, [R4], RZ, R9 ;\nISETP.NE P0, R8, RZ ;\n"
        "@P0 BRA one ;\n"
        "MOV R11, 50 ;\n"
        "rest: IADD3 R11, R11, -1, RZ ;\nISETP.GT P0, R11, RZ ;\n@P0 BRA rest ;\n"
        "two: %sATOMG.CAS.E.U32.GPU R8, [R6], RZ, R9 ;\nISETP.NE P0, R8, RZ ;\n"
        "@P0 BRA two ;\n"
        "STG.E [R4], RZ ;\nSTG.E [R6], RZ ;\nEXIT ;\n",
        blocks, tries);
}

static const WsWaiting *wait_at(const Engine *e, guint i)
{
    ck_assert_ptr_nonnull(e->result->stop.waits);
    ck_assert_uint_lt(i, e->result->stop.waits->len);
    return g_ptr_array_index(e->result->stop.waits, i);
}

/* Locks taken in opposite order, over any number of blocks; one block waits for itself. */
START_TEST(locks_in_a_ring)
{
    static const guint counts[] = {1, 2, 5};
    guint blocks = counts[_i];
    g_autofree char *text = ring(blocks, "");
    Engine *e = run(text, blocks, 1), *many = run_on("h200", NULL, 4, text, blocks, 1);

    ck_assert_int_eq(e->result->status, WS_STATUS_LIVELOCK);
    ck_assert_uint_lt(e->result->stop.cycle, 30000);
    ck_assert_msg(strstr(e->result->stop.message, "warps wait for each other for ever") != NULL,
                  "%s", e->result->stop.message);
    ck_assert_uint_eq(e->result->stop.waits->len, blocks);
    for (guint i = 0; i < blocks; i++) {
        const WsWaiting *waiting = wait_at(e, i), *next = wait_at(e, (i + 1) % blocks);
        g_autofree char *place = g_strdup_printf("x[%u]", (waiting->block[0] + 1) % blocks);

        ck_assert(waiting->in_circle);
        ck_assert_int_eq(waiting->kind, WS_WAITS_FOR_VALUE);
        ck_assert_str_eq(waiting->place, place);
        ck_assert_uint_eq(waiting->value, 1);
        ck_assert_uint_eq(waiting->lanes, 1);
        ck_assert(waiting->writer.known && !waiting->writer_left);
        ck_assert_uint_eq(waiting->writer_block[0], (waiting->block[0] + 1) % blocks);
        ck_assert_uint_eq(waiting->writer_block[0], next->block[0]);
    }
    ck_assert_uint_eq(many->result->stop.cycle, e->result->stop.cycle);
    ck_assert_str_eq(many->result->stop.details, e->result->stop.details);
    engine_free(e);
    engine_free(many);
}
END_TEST

START_TEST(words_of_a_ring)
{
    g_autofree char *text = ring(2, "");
    Engine *e = run(text, 2, 1);

    ck_assert_msg(
        g_str_has_prefix(
            e->result->stop.details,
            "who waits for whom (circular wait):\n"
            "  block (0,0,0) warp 0, lane 0 at test.wsasm:21 (ATOMG.CAS): waits for x[1] to change "
            "from 1, last changed by block (1,0,0) warp 0, lane 0 at test.wsasm:14 (ATOMG.CAS)\n"
            "  block (1,0,0) warp 0, lane 0 at test.wsasm:21 (ATOMG.CAS): waits for x[0] to change "
            "from 1, last changed by block (0,0,0) warp 0, lane 0 at test.wsasm:14 (ATOMG.CAS)\n"
            "block (0,0,0) on SM "),
        "%s", e->result->stop.details);
    engine_free(e);
}
END_TEST

/* Whoever counts or reads the clock while he spins ends at the limit, and waits for the same. */
START_TEST(ring_that_counts)
{
    static const char *const counts[] = {"IADD3 R12, R12, 1, RZ ;\n", "CS2R R12, SR_CLOCKLO ;\n"};
    g_autofree char *text = ring(2, counts[_i]), *plain = ring(2, "");
    Engine *e = run(text, 2, 1), *repeats = run(plain, 2, 1);

    ck_assert_int_eq(e->result->status, WS_STATUS_LIMIT);
    ck_assert_uint_eq(e->result->stop.cycle, MOST_CYCLES);
    ck_assert_uint_eq(e->result->stop.waits->len, 2);
    for (guint i = 0; i < 2; i++) {
        ck_assert(wait_at(e, i)->in_circle);
        ck_assert_str_eq(wait_at(e, i)->place, wait_at(repeats, i)->place);
        ck_assert_uint_eq(wait_at(e, i)->writer.block, wait_at(repeats, i)->writer.block);
        ck_assert_uint_eq(wait_at(e, i)->writer.pc, wait_at(repeats, i)->writer.pc);
    }
    ck_assert(g_str_has_prefix(e->result->stop.details, "who waits for whom (circular wait):\n"));
    engine_free(e);
    engine_free(repeats);
}
END_TEST

/* Endless, each in a way of its own. */
static const struct {
    const char *text;
    guint blocks, block;
    const char *message;
} endless[] = {
    /* nothing but a loop */
    {"loop: NOP ;\n@P0 EXIT ;\nBRA loop ;\nEXIT ;\n", 1, 32, "a warp repeats itself for ever"},
    /* a flag that nobody sets, in 300 blocks more than fit: the rest never starts */
    {"LDC.64 R2, c[x] ;\nwait: LDG.E.STRONG.GPU R4, [R2] ;\nISETP.EQ P0, R4, RZ ;\n"
     "@P0 BRA wait ;\nEXIT ;\n",
     132 * 2 + 300, 1024, "a warp waits for ever for a value that nothing will change"},
    /* a rest between two looks that stores the same again and counts in registers */
    {"LDC.64 R2, c[x] ;\nwait: MOV R11, 30 ;\nrest: IADD3 R11, R11, -1, RZ ;\n"
     "STG.E [R2+8], RZ ;\nISETP.GT P1, R11, RZ ;\n@P1 BRA rest ;\n"
     "LDG.E.STRONG.GPU R4, [R2] ;\nISETP.EQ P0, R4, RZ ;\n@P0 BRA wait ;\nEXIT ;\n",
     1, 32, "a warp waits for ever for a value that nothing will change"},
    /* the same in local memory, where it does change */
    {".local 16\nLDC.64 R2, c[x] ;\nwait: MOV R11, 9 ;\nrest: STL [RZ], R11 ;\n"
     "LDL R12, [RZ] ;\nIADD3 R11, R12, -1, RZ ;\nISETP.GT P1, R11, RZ ;\n@P1 BRA rest ;\n"
     "LDG.E.STRONG.GPU R4, [R2] ;\nISETP.EQ P0, R4, RZ ;\n@P0 BRA wait ;\nEXIT ;\n",
     1, 32, "a warp waits for ever for a value that nothing will change"},
    /* all warps of the block ask together */
    {"LDC.64 R2, c[x] ;\nwait: LDG.E.STRONG.GPU R4, [R2] ;\nBAR.SYNC 0 ;\n"
     "ISETP.EQ P0, R4, RZ ;\n@P0 BRA wait ;\nEXIT ;\n",
     2, 96, "for ever"},
};

START_TEST(endless_loops)
{
    Engine *e = run(endless[_i].text, endless[_i].blocks, endless[_i].block);
    Engine *many = run_on("h200", NULL, 4, endless[_i].text, endless[_i].blocks, endless[_i].block);

    ck_assert_int_eq(e->result->status, WS_STATUS_LIVELOCK);
    ck_assert_msg(strstr(e->result->stop.message, endless[_i].message) != NULL, "%s",
                  e->result->stop.message);
    if (endless[_i].blocks > 300)
        ck_assert_msg(strstr(e->result->stop.details, "300 blocks have not started") != NULL, "%s",
                      e->result->stop.details);
    ck_assert_uint_eq(many->result->stop.cycle, e->result->stop.cycle);
    ck_assert_str_eq(many->result->stop.details, e->result->stop.details);
    engine_free(e);
    engine_free(many);
}
END_TEST

/* Long, but with an end; or endless, and always in another state. */
static const struct {
    const char *text;
    guint blocks, block;
    WsStatus status;
} others[] = {
    /* until a bit of the clock is set: values alone repeat */
    {"loop: CS2R R1, SR_CLOCKLO ;\nLOP3.LUT R1, R1, 0x20000, RZ, 0xc0 ;\n"
     "ISETP.EQ P0, R1, RZ ;\n@P0 BRA loop ;\nEXIT ;\n",
     1, 32, WS_STATUS_OK},
    /* one lane counts, the first does not */
    {"S2R R0, SR_LANEID ;\nISETP.EQ P5, R0, 5 ;\nMOV R1, RZ ;\n@P5 MOV R1, 3000 ;\n"
     "loop: @P5 IADD3 R1, R1, -1, RZ ;\nISETP.GT P0, R1, RZ ;\nVOTE.ANY R3, P0, P0 ;\n"
     "ISETP.NE P1, R3, RZ ;\n@P1 BRA loop ;\nEXIT ;\n",
     1, 32, WS_STATUS_OK},
    /* one block counts, then lets the other go */
    {"S2R R0, SR_CTAID.X ;\nLDC.64 R2, c[x] ;\nISETP.EQ P0, R0, RZ ;\n@P0 BRA wait ;\n"
     "MOV R1, 3000 ;\nloop: IADD3 R1, R1, -1, RZ ;\nISETP.GT P1, R1, RZ ;\n@P1 BRA loop ;\n"
     "MOV R1, 1 ;\nSTG.E [R2], R1 ;\nEXIT ;\n"
     "wait: LDG.E.STRONG.GPU R4, [R2] ;\nISETP.EQ P0, R4, RZ ;\n@P0 BRA wait ;\nEXIT ;\n",
     2, 32, WS_STATUS_OK},
    /* additions that the loop does not wait for change memory when it is long in the next turn */
    {"LDC.64 R2, c[x] ;\nMOV R5, 1 ;\nloop: RED.E.ADD.U32.GPU [R2], R5 ;\n@P0 EXIT ;\n"
     "BRA loop ;\nEXIT ;\n",
     1, 32, WS_STATUS_LIMIT},
    /* a shared word that changes to and fro */
    {".shared 16\nMOV R5, RZ ;\nloop: LOP3.LUT R5, R5, 0x1, RZ, 0x3c ;\nSTS [RZ], R5 ;\n@P0 EXIT "
     ";\n"
     "BRA loop ;\nEXIT ;\n",
     1, 32, WS_STATUS_LIMIT},
};

START_TEST(no_endless_loops)
{
    Engine *e = run(others[_i].text, others[_i].blocks, others[_i].block);

    ck_assert_int_eq(e->result->status, others[_i].status);
    if (others[_i].status == WS_STATUS_OK) /* it was watched on the way */
        ck_assert_uint_gt(e->result->total.elapsed_cycles, 2 * SPIN_LIMIT);
    engine_free(e);
}
END_TEST

/* Block 1 sets a flag that L1 of block 0 holds in its old state; warp 1 of block 0 does `other`. */
static Engine *run_stale(const char *other)
{
    const char *settings[] = {"memory.l1.unified_bytes=65536", "limits.shared_carveouts=[0, 8192]",
                              NULL};
    g_autofree char *text =
        g_strdup_printf("S2R R0, SR_CTAID.X ;\nS2R R1, SR_TID.X ;\nLDC.64 R2, c[x] ;\nMOV R5, 1 ;\n"
                        "ISETP.EQ P0, R0, RZ ;\n@P0 BRA first ;\n"
                        "ISETP.GE P1, R1, 32 ;\n@P1 EXIT ;\nMOV R6, 100 ;\n"
                        "loop: IADD3 R6, R6, -1, RZ ;\nISETP.GT P1, R6, RZ ;\n@P1 BRA loop ;\n"
                        "STG.E [R2], R5 ;\nEXIT ;\n"
                        "first: ISETP.GE P1, R1, 32 ;\n@P1 BRA other ;\n"
                        "wait: LDG.E R4, [R2] ;\nISETP.EQ P0, R4, RZ ;\n@P0 BRA wait ;\n"
                        "STG.E [R2+4], R5 ;\nEXIT ;\n"
                        "other: %sEXIT ;\n",
                        other);

    return run_on("h200", settings, 1, text, 2, 64);
}

/* Nothing would take the old line out of L1: it stays for ever, and says who wrote the new value.
 */
START_TEST(stale_line)
{
    Engine *e = run_stale("");

    ck_assert_int_eq(e->result->status, WS_STATUS_LIVELOCK);
    ck_assert_str_eq(wait_at(e, 0)->place, "x[0]");
    ck_assert_uint_eq(wait_at(e, 0)->value, 1);
    ck_assert(wait_at(e, 0)->writer.known && wait_at(e, 0)->writer_left);
    engine_free(e);
}
END_TEST

/* Another warp, which repeats itself too, brings lines into L1: that may end it one day. */
START_TEST(stale_line_among_others)
{
    Engine *e = run_stale("MOV R8, 768 ;\nIADD3 R6, R2, 1024, RZ ;\nMOV R7, R3 ;\n"
                          "sweep: LDG.E RZ, [R6] ;\nIADD3 R6, R6, 128, RZ ;\n"
                          "IADD3 R8, R8, -1, RZ ;\nISETP.GT P2, R8, RZ ;\n@P2 BRA sweep ;\n"
                          "LDG.E.STRONG.GPU R9, [R2+4] ;\nISETP.EQ P2, R9, RZ ;\n"
                          "@P2 BRA other ;\n");

    ck_assert_int_eq(e->result->status, WS_STATUS_OK);
    engine_free(e);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("livelock");
    TCase *cases = tcase_create("livelock");
    SRunner *runner;
    int failed;

    tcase_set_timeout(cases, 120);
    tcase_add_loop_test(cases, locks_in_a_ring, 0, 3);
    tcase_add_test(cases, words_of_a_ring);
    tcase_add_loop_test(cases, ring_that_counts, 0, 2);
    tcase_add_loop_test(cases, endless_loops, 0, G_N_ELEMENTS(endless));
    tcase_add_loop_test(cases, no_endless_loops, 0, G_N_ELEMENTS(others));
    tcase_add_test(cases, stale_line);
    tcase_add_test(cases, stale_line_among_others);
    suite_add_tcase(suite, cases);
    runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? 0 : 1;
}
