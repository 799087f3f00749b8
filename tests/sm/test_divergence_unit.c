#include "sim/sm/divergence_unit.h"
#include "tests/sm/units.h"
#include "tests/support/engine_fixture.h"

/*
 * From a branch to the warp's next issue, by who takes it: branch.taken_cost 5, fall_through_cost
 * 2, divergent_cost 4, indirect_cost 6, return_cost 9, and one cycle at least. Instruction 3 is the
 * branch, `next` the one that issues behind it.
 */
static const struct {
    const char *name, *code, *setting;
    guint32 next;
    guint64 cycles;
} branches[] = {
    {"all lanes take it", "BRA there ;\nNOP ;\nthere: NOP ;\nEXIT ;\n", NULL, 5, 5},
    {"it costs nothing: a cycle", "BRA there ;\nNOP ;\nthere: NOP ;\nEXIT ;\n",
     "branch.taken_cost=0", 5, 1},
    {"no lane takes it", "@!PT BRA there ;\nNOP ;\nthere: NOP ;\nEXIT ;\n", NULL, 4, 2},
    {"half, fall-through first", "@P0 BRA there ;\nNOP ;\nEXIT ;\nthere: NOP ;\nEXIT ;\n",
     "divergence.first_side=fall_through", 4, 4},
    {"half, fall-through first, which costs more than a split",
     "@P0 BRA there ;\nNOP ;\nEXIT ;\nthere: NOP ;\nEXIT ;\n", "branch.fall_through_cost=7", 4, 7},
    {"half, taken first", "@P0 BRA there ;\nNOP ;\nEXIT ;\nthere: NOP ;\nEXIT ;\n",
     "divergence.first_side=taken", 6, 5},
    {"a call", "CALL.REL R8, there ;\nEXIT ;\nthere: RET.REL R8 ;\n", NULL, 5, 5},
};

static Engine *run_branch(const char *code, const char *setting)
{
    g_autofree char *text = g_strconcat(
        ".reconvergence manual\nS2R R0, SR_LANEID ;\nISETP.GE P0, R0, 16 ;\nNOP ;\n", code, NULL);
    const char *settings[] = {"dependences=scoreboard",
                              "divergence.model=stack",
                              "divergence.first_side=fall_through",
                              "branch.taken_cost=5",
                              "branch.fall_through_cost=2",
                              "branch.divergent_cost=4",
                              "branch.indirect_cost=6",
                              "branch.return_cost=9",
                              "branch.convergence_cost=3",
                              setting,
                              NULL};
    Engine *e = engine_new("textbook", settings, text, 1, 32, 1);

    engine_run(e);
    return e;
}

START_TEST(costs)
{
    Engine *e = run_branch(branches[_i].code, branches[_i].setting);
    const Issue *branch = &g_array_index(e->issues, Issue, 3);
    const Issue *next = &g_array_index(e->issues, Issue, 4);

    ck_assert_uint_eq(branch->instruction, 3);
    ck_assert_msg(next->instruction == branches[_i].next &&
                      next->cycle - branch->cycle == branches[_i].cycles,
                  "%s: instruction %u after %u cycles", branches[_i].name, next->instruction,
                  (guint)(next->cycle - branch->cycle));
    engine_free(e);
}
END_TEST

/* RET costs indirect_cost, return_cost or taken_cost, whichever is most. */
static const struct {
    const char *setting;
    guint64 cycles;
} returns[] = {{NULL, 9},
               {"branch.return_cost=0", 6},
               {"branch.indirect_cost=20", 20},
               {"branch.taken_cost=30", 30}};

START_TEST(returning)
{
    Engine *e = run_branch("CALL.REL R8, there ;\nEXIT ;\nthere: NOP ;\nRET.REL R8 ;\n",
                           returns[_i].setting);
    const Issue *issue = &g_array_index(e->issues, Issue, 5);

    ck_assert_uint_eq(issue[0].instruction, 6);
    ck_assert_uint_eq(issue[1].instruction, 4);
    ck_assert_uint_eq(issue[1].cycle - issue[0].cycle, returns[_i].cycles);
    engine_free(e);
}
END_TEST

/* What is counted: branches, those that split, warps that were split once. */
START_TEST(counts)
{
    Engine *e =
        run_branch("@P0 BRA there ;\nNOP ;\nBRA meet ;\nthere: NOP ;\nmeet: NOP ;\nEXIT ;\n", NULL);

    ck_assert_uint_eq(e->result->total.branches_executed, 2);
    ck_assert_uint_eq(e->result->total.branches_divergent, 1);
    ck_assert_uint_eq(e->result->total.warps_diverged, 1);
    engine_free(e);
}
END_TEST

/*
 * Whatever makes another path run, what is counted are its lanes: the sum over all issues. Lanes 12
 * and up take the second side.
 */
static const char *const switches[] = {
    "NANOSLEEP 20 ;\nNOP ;\n",        "YIELD ;\nNOP ;\n", "BSYNC B0 ;\nNOP ;\n",
    "WARPSYNC 0xffffffff ;\nNOP ;\n", "EXIT ;\n",         "BAR.SYNC 0 ;\nNOP ;\n"};

START_TEST(lanes_of_paths)
{
    g_autofree char *text = g_strdup_printf(
        ".reconvergence manual\nS2R R0, SR_LANEID ;\nISETP.GE P0, R0, 12 ;\nBSSY B0, there ;\n"
        "@P0 BRA there ;\n%sEXIT ;\nthere: %sEXIT ;\n",
        switches[_i], switches[_i]);
    const char *settings[] = {"dependences=scoreboard", "divergence.model=its", NULL};
    Engine *e = engine_new("textbook", settings, text, 1, 32, 1);
    guint64 lanes = 0;

    engine_run(e);
    ck_assert_msg(e->result->status == WS_STATUS_OK, "%s", e->result->stop.message);
    for (guint i = 0; i < e->issues->len; i++)
        lanes += (guint)__builtin_popcountll(g_array_index(e->issues, Issue, i).active);
    ck_assert_uint_eq(e->result->total.thread_instructions, lanes);
    engine_free(e);
}
END_TEST

/* The lanes of a path are counted anew, and its line is lost. */
START_TEST(path_changed)
{
    WsWarp warp = {.path = {.active = 0xf0f}, .front_end = {.line = 3, .ahead_line = 4}};

    ws_warp_path_changed(&warp);
    ck_assert_uint_eq(warp.lanes, 8);
    ck_assert_uint_eq(warp.front_end.line, WS_NO_LINE);
    ck_assert_uint_eq(warp.front_end.ahead_line, WS_NO_LINE);
}
END_TEST

void add_divergence_unit(TCase *cases)
{
    tcase_add_loop_test(cases, costs, 0, G_N_ELEMENTS(branches));
    tcase_add_loop_test(cases, returning, 0, G_N_ELEMENTS(returns));
    tcase_add_test(cases, counts);
    tcase_add_loop_test(cases, lanes_of_paths, 0, G_N_ELEMENTS(switches));
    tcase_add_test(cases, path_changed);
}
