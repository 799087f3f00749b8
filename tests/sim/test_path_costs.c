/* What it costs to take up another path of a warp. */
#include "tests/support/engine_fixture.h"
#include "tests/support/suite.h"

/*
 * A tree of two levels, 8 lanes a leaf: the second leaf is the other side of the last split, the
 * second half of the tree was set aside before.
 */
START_TEST(switch_costs)
{
    const char *settings[] = {"dependences=scoreboard",
                              "divergence.model=its",
                              "divergence.first_side=fall_through",
                              "branch.taken_cost=5",
                              "branch.fall_through_cost=2",
                              "branch.divergent_cost=4",
                              "branch.convergence_cost=7",
                              "branch.switch_cost=20",
                              "branch.recall_cost=50",
                              NULL};
    Engine *e = engine_new("textbook", settings,
                           ".reconvergence manual\nS2R R0, SR_LANEID ;\nISETP.GE P0, R0, 16 ;\n"
                           "LOP3.LUT R1, R0, 8, RZ, 0xc0 ;\nISETP.NE P1, R1, RZ ;\n"
                           "BSSY B0, meet ;\n"
                           "@P0 BRA upper ;\n@P1 BRA b ;\nNOP ;\nBRA meet ;\n"
                           "b: NOP ;\nBRA meet ;\n"
                           "upper: @P1 BRA d ;\nNOP ;\nBRA meet ;\nd: NOP ;\n"
                           "meet: BSYNC B0 ;\nNOP ;\nEXIT ;\n",
                           1, 32, 1);
    /* from the first branch on: instruction and cycles to the one before */
    static const guint32 order[][2] = {{5, 0},  {6, 4},  {7, 4},   {8, 1},   {15, 5},
                                       {9, 20}, {10, 1}, {15, 5},  {11, 50}, {12, 4},
                                       {13, 1}, {15, 5}, {14, 20}, {15, 1},  {16, 7}};
    guint64 before;

    engine_run(e);
    before = engine_issue_cycle(e, 0, 5);

    for (guint i = 0; i < G_N_ELEMENTS(order); i++) {
        const Issue *issue = &g_array_index(e->issues, Issue, 5 + i);

        ck_assert_uint_eq(issue->instruction, order[i][0]);
        ck_assert_uint_eq(issue->cycle - before, order[i][1]);
        before = issue->cycle;
    }
    engine_free(e);
}
END_TEST

/* RET takes indirect_cost, or taken_cost if that is more. */
START_TEST(indirect_cost)
{
    static const guint costs[][3] = {{5, 30, 30}, {40, 30, 40}, {5, 0, 5}};
    g_autofree char *taken = g_strdup_printf("branch.taken_cost=%u", costs[_i][0]);
    g_autofree char *indirect = g_strdup_printf("branch.indirect_cost=%u", costs[_i][1]);
    const char *settings[] = {"dependences=scoreboard", taken, indirect, NULL};
    Engine *e = engine_new("textbook", settings,
                           ".reconvergence manual\nCALL.REL R2, f ;\nNOP ;\nEXIT ;\n"
                           "f: NOP ;\nRET.REL R2 ;\n",
                           1, 32, 1);

    engine_run(e);
    ck_assert_int_eq(e->result->status, WS_STATUS_OK);
    ck_assert_uint_eq(engine_issue_cycle(e, 0, 3) - engine_issue_cycle(e, 0, 2), costs[_i][2]);
    engine_free(e);
}
END_TEST

static void add_tests(TCase *cases)
{
    tcase_set_timeout(cases, 60);
    tcase_add_test(cases, switch_costs);
    tcase_add_loop_test(cases, indirect_cost, 0, 3);
}

int main(void)
{
    return run_suite("path_costs", add_tests);
}
