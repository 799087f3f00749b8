/* Blocks, SMs, barriers and launches. */
#include <check.h>
#include <string.h>

#include "isa/bytecode/opcode.h"
#include "tests/support/engine_fixture.h"
#include "tests/support/random_kernel.h"

/* Every thread of a 3D grid of 3D blocks writes its own word. */
START_TEST(three_dimensions)
{
    const char *settings[] = {"sms=3", NULL};
    Engine *e = engine_new("h200", settings,
                           "S2R R0, SR_TID.X ;\nS2R R1, SR_TID.Y ;\nS2R R2, SR_TID.Z ;\n"
                           "S2R R3, SR_CTAID.X ;\nS2R R4, SR_CTAID.Y ;\nS2R R5, SR_CTAID.Z ;\n"
                           "IMAD R0, R1, 5, R0 ;\nIMAD R0, R2, 15, R0 ;\n"
                           "IMAD R3, R4, 2, R3 ;\nIMAD R3, R5, 6, R3 ;\n"
                           "IMAD R0, R3, 60, R0 ;\n"
                           "MOV R8, c[x] ;\nMOV R9, c[x+4] ;\nIMAD.WIDE.U32 R8, R0, 4, R8 ;\n"
                           "IADD3 R0, R0, 1, RZ ;\nSTG.E [R8], R0 ;\nEXIT ;\n",
                           1, 1, 60 * 12);
    static const guint32 grid[3] = {2, 3, 2}, block[3] = {5, 3, 4};

    memcpy(e->job->launches[0].grid, grid, sizeof grid);
    memcpy(e->job->launches[0].block, block, sizeof block);
    engine_run(e);
    for (guint i = 0; i < 60 * 12; i++)
        ck_assert_uint_eq(engine_words(e)[i], i + 1);
    ck_assert_uint_eq(e->result->total.blocks_launched, 12);
    ck_assert_uint_eq(e->result->total.warps_launched, 24);
    ck_assert_uint_eq(e->result->launches[0].occupancy.sm_count, 3);
    engine_free(e);
}
END_TEST

static guint64 first_issue(const Engine *e, guint warps, guint n)
{
    guint64 first = G_MAXUINT64;

    for (guint w = 0; w < warps; w++)
        first = MIN(first, engine_issue_cycle(e, w, n));
    return first;
}

/* Back to back, a barrier of W warps takes 12 + 2 W cycles (measured on an H200: 13.8 to 75.4). */
START_TEST(barrier_cost)
{
    const char *settings[] = {"sms=1", NULL};
    guint warps = 1u << _i;
    Engine *e = engine_new("h200", settings,
                           "BAR.SYNC 0 ;\nBAR.SYNC 0 ;\nBAR.SYNC 0 ;\nBAR.SYNC 0 ;\nEXIT ;\n", 1,
                           32 * warps, 1);

    engine_run(e);
    ck_assert_uint_eq(first_issue(e, warps, 3) - first_issue(e, warps, 2), 12 + 2 * warps);
    engine_free(e);
}
END_TEST

/* Nobody passes before the slowest warp has arrived. */
START_TEST(barrier_waits)
{
    Engine *e = engine_plain("S2R R0, SR_TID.X ;\n"
                             "ISETP.LT P0, R0, 32 ;\n"
                             "@!P0 BRA arrive ;\n"
                             "MOV R1, 50 ;\n"
                             "spin: IADD3 R1, R1, -1, RZ ;\n"
                             "ISETP.GT P1, R1, RZ ;\n"
                             "@P1 BRA spin ;\n"
                             "arrive: BAR.SYNC 0 ;\n"
                             "NOP ;\n"
                             "EXIT ;\n",
                             1, 128, 1);
    guint64 last = 0;

    engine_run(e);
    for (guint i = 0; i < e->issues->len; i++) {
        const Issue *issue = &g_array_index(e->issues, Issue, i);
        if (strstr(
                "BAR.SYNC",
                ws_opcode_info(e->job->program->instructions[issue->instruction].opcode)->mnemonic))
            last = issue->cycle;
        if (e->job->program->instructions[issue->instruction].opcode == WS_OP_NOP &&
            issue->instruction == e->job->program->instruction_count - 2)
            ck_assert_uint_gt(issue->cycle, last);
    }
    ck_assert_uint_gt(last, 150);
    ck_assert_uint_gt(e->result->total.stalls[WS_STALL_BARRIER], 3 * 100);
    engine_free(e);
}
END_TEST

/* Warp 0 waits at barrier 1 for warp 1, which only arrives; exited warps are not waited for. */
START_TEST(named_barriers)
{
    Engine *e = engine_plain("S2R R0, SR_TID.X ;\n"
                             "MOV R4, 64 ;\n"
                             "SHF.R.U32 R0, R0, 5, RZ ;\n"
                             "ISETP.EQ P0, R0, 1 ;\n"
                             "ISETP.GT P1, R0, 1 ;\n"
                             "@P1 EXIT ;\n"
                             "@P0 BRA one ;\n"
                             "BAR.SYNC 1, R4 ;\n"
                             "BRA join ;\n"
                             "one: BAR.ARV 1, R4 ;\n"
                             "join: BAR.SYNC 0 ;\n"
                             "EXIT ;\n",
                             1, 128, 1);

    engine_run(e);
    ck_assert_int_eq(e->result->status, WS_STATUS_OK);
    engine_free(e);
}
END_TEST

/* Two blocks at a time on one SM: the third starts when the first is gone. */
START_TEST(waves)
{
    const char *settings[] = {"sms=1", "limits.blocks_per_sm=2", "fetch.model=ideal", NULL};
    Engine *e = engine_new("h200", settings, "NOP ;\nEXIT ;\n", 3, 32, 1);
    guint64 first_exit, third;

    engine_run(e);
    first_exit = engine_issue_cycle(e, 0, 1);
    third = g_array_index(e->issues, Issue, e->issues->len - 2).cycle;
    ck_assert_uint_eq(third - first_exit, e->job->device->block_turnover);
    ck_assert_uint_eq(engine_issue_cycle(e, 1, 0) - engine_issue_cycle(e, 0, 0), 24);
    /* the slot cursor goes on over blocks */
    ck_assert_uint_eq(g_array_index(e->issues, Issue, e->issues->len - 1).warp, 2);
    ck_assert_uint_eq(e->result->launches[0].occupancy.blocks_per_sm, 2);
    engine_free(e);
}
END_TEST

/* Two runs give the same bytes, and so do runs of different length in one process. */
START_TEST(same_bytes)
{
    const char *settings[] = {"sms=4", NULL};
    const char *text = "S2R R0, SR_TID.X ;\nMOV R2, c[x] ;\nMOV R3, c[x+4] ;\n"
                       "IMAD.WIDE.U32 R2, R0, 4, R2 ;\nLDG.E R4, [R2] ;\nIADD3 R4, R4, 1, RZ ;\n"
                       "STG.E [R2], R4 ;\nEXIT ;\n";
    Engine *a = engine_new("h200", settings, text, 30, 100, 128);
    Engine *b = engine_new("h200", settings, text, 30, 100, 128);

    engine_run(a);
    engine_run(b);
    ck_assert_mem_eq(&a->result->total, &b->result->total, sizeof a->result->total);
    ck_assert_uint_eq(a->issues->len, b->issues->len);
    ck_assert_mem_eq(a->issues->data, b->issues->data, a->issues->len * sizeof(Issue));
    engine_free(a);
    engine_free(b);
}
END_TEST

/* One, two and four host threads give the same bytes, faults included. */
START_TEST(threads_do_not_show)
{
    static const char *const models[] = {"divergence.model=stack", "divergence.model=its"};
    const char *settings[] = {"sms=9", models[_i % 2], NULL};
    guint blocks = 40, threads = 72, words = blocks * threads * RANDOM_KERNEL_WORDS;
    g_autofree char *text = random_kernel((guint64)_i + 5000, threads, blocks);
    /* some runs end in a fault: the buffer is too short for the last blocks */
    Engine *e =
        engine_new("h200", settings, text, blocks, threads, _i % 4 == 3 ? words / 2 : words);
    g_autofree guint32 *memory = NULL;
    WsResult *first = NULL;

    e->options.observers = NULL;
    for (guint n = 1; n <= 4; n *= 2) {
        gsize bytes = e->job->buffers[0].bytes;

        e->options.threads = n;
        memset(engine_words(e), 0, bytes);
        engine_run(e);
        if (first == NULL) {
            first = g_steal_pointer(&e->result);
            memory = g_memdup2(engine_words(e), bytes);
            continue;
        }
        ck_assert_mem_eq(memory, engine_words(e), bytes);
        ck_assert_int_eq(first->status, e->result->status);
        ck_assert_mem_eq(&first->total, &e->result->total, sizeof first->total);
        ck_assert_mem_eq(first->launches[0].instructions, e->result->launches[0].instructions,
                         e->job->program->instruction_count * sizeof(WsInstructionCounters));
        ck_assert_pstr_eq(first->stop.message, e->result->stop.message);
    }
    ck_assert_int_eq(first->status, _i % 4 == 3 ? WS_STATUS_FAULT : WS_STATUS_OK);
    ws_result_free(first);
    engine_free(e);
}
END_TEST

/*
 * Warps of the same number do not share a sub-core: by how many sub-cores a block begins behind the
 * one before, measured on an H200 by %warpid.
 */
static const struct {
    guint warps, step;
} starts[] = {{1, 1}, {2, 2}, {3, 3},  {4, 1},  {5, 1},  {6, 2},  {7, 3},
              {8, 1}, {9, 1}, {10, 2}, {12, 1}, {13, 1}, {16, 1}, {32, 1}};

START_TEST(blocks_begin_on_other_sub_cores)
{
    static const char *const settings[] = {"sms=1", NULL};
    guint blocks = MIN(64 / starts[_i].warps, 32);
    Engine *e = engine_new("h200", settings, "EXIT ;\n", blocks, 32 * starts[_i].warps, 1);

    engine_run(e);
    ck_assert_uint_eq(e->issues->len, blocks * starts[_i].warps);
    for (guint i = 0; i < e->issues->len; i++) {
        const Issue *issue = &g_array_index(e->issues, Issue, i);

        ck_assert_uint_eq(issue->sub_core, issue->warp % 4);
        ck_assert_uint_eq(issue->sub_core,
                          (issue->block * starts[_i].step + issue->warp_in_block) % 4);
    }
    engine_free(e);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("engine_blocks");
    TCase *tcase = tcase_create("engine_blocks");
    SRunner *runner;
    int failed;

    tcase_add_loop_test(tcase, blocks_begin_on_other_sub_cores, 0, G_N_ELEMENTS(starts));
    tcase_add_test(tcase, three_dimensions);
    tcase_add_loop_test(tcase, barrier_cost, 0, 6);
    tcase_add_test(tcase, barrier_waits);
    tcase_add_test(tcase, named_barriers);
    tcase_add_test(tcase, waves);
    tcase_add_test(tcase, same_bytes);
    tcase_add_loop_test(tcase, threads_do_not_show, 0, 12);
    suite_add_tcase(suite, tcase);
    runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? 0 : 1;
}
