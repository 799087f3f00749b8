/* Textbook examples on scheduling and latency hiding. Figures: docs/learn/textbook.md. */
#include "tests/support/suite.h"

#include "isa/bytecode/opcode.h"
#include "tests/support/golden_trace.h"

/* ---- golden traces ------------------------------------------------------------------------------
 */

#define EIGHT_WARPS "workloads/scheduling_example/launch.yaml"
#define VECTOR_ADD  "workloads/vecadd/launch-bytecode.yaml"
#define PRIORITY    "workloads/policies/priority.yaml"

typedef struct {
    const char *path, *setting, *golden;
} Trace;

static const Trace traces[] = {
    {EIGHT_WARPS, "policy=longest-wait-first", "eight_warps_longest_wait_first"},
    {EIGHT_WARPS, "policy=lrr", "eight_warps_lrr"},
    {EIGHT_WARPS, "policy=oldest", "eight_warps_oldest"},
    {PRIORITY, "policy=textbook-priority", "priority_memory_last"},
    {PRIORITY, "policy=longest-wait-first", "priority_equal"},
    {VECTOR_ADD, NULL, "vector_add_blocking"},
    {VECTOR_ADD, "dependences=scoreboard", "vector_add_scoreboard"},
};

START_TEST(golden)
{
    const Trace *trace = &traces[_i];
    const char *settings[] = {trace->setting, NULL};
    Engine *e = engine_load(trace->path, settings, NULL);

    engine_run(e);
    ck_assert_int_eq(e->result->status, WS_STATUS_OK);
    golden_trace_check(e, g_array_index(e->issues, Issue, 0).instruction, trace->golden);
    engine_free(e);
}
END_TEST

/* c0 w0 FMA, c1 w1 FMA, c2 w3 ADD, c3 w2 MUL, then w0 again, or w3 where the order is strict. */
START_TEST(eight_warps)
{
    static const WsOpcode opcodes[] = {WS_OP_FFMA, WS_OP_FFMA, WS_OP_FADD, WS_OP_FMUL};
    const char *settings[] = {_i ? "policy=lrr" : "policy=longest-wait-first", NULL};
    Engine *e = engine_load(EIGHT_WARPS, settings, NULL);
    g_autofree char *order = NULL;

    engine_run(e);
    order = engine_issue_order(e, 5);
    ck_assert_str_eq(order, _i ? "w0 w1 w3 w2 w3" : "w0 w1 w3 w2 w0");
    for (guint i = 0; i < G_N_ELEMENTS(opcodes); i++)
        ck_assert_uint_eq(
            e->job->program->instructions[g_array_index(e->issues, Issue, i).instruction].opcode,
            opcodes[i]);
    engine_free(e);
}
END_TEST

/* Each policy that texts name can be chosen, and does with the eight warps what its name says. */
static const char *const orders[][2] = {
    {"lrr", "w0 w1 w3 w2 w3 w0"},
    {"longest-wait-first", "w0 w1 w3 w2 w0 w1"},
    {"textbook-priority", "w0 w1 w3 w2 w0 w1"}, /* nobody is at a memory instruction */
    {"oldest", "w0 w1 w3 w2 w0 w0"},
    {"gto", "w0 w1 w3 w3 w3 w0"},
    {"greedy-then-least-recent", "w0 w1 w3 w3 w3 w2"},
    {"greedy-then-youngest", "w3 w3 w3 w2 w2 w2"},
    {"two-level", "w0 w1 w3 w2 w3 w0"}, /* all eight are active */
    {"ccws", "w0 w1 w3 w3 w3 w0"},      /* no cache to save */
};

START_TEST(named_policies)
{
    g_autofree char *setting = g_strconcat("policy=", orders[_i][0], NULL), *order = NULL;
    const char *settings[] = {setting, NULL};
    Engine *e = engine_load(EIGHT_WARPS, settings, NULL);

    engine_run(e);
    order = engine_issue_order(e, 6);
    ck_assert_str_eq(order, orders[_i][1]);
    engine_free(e);
}
END_TEST

/* Index 0, load of a 1 to 4, load of b 5 to 8, addition 9, store 10 to 13. */
START_TEST(vector_add_timeline)
{
    static const guint64 cycles[] = {0, 1, 5, 9, 10, 14};
    static const char *const scoreboard[] = {"dependences=scoreboard", NULL};
    Engine *e = engine_load(VECTOR_ADD, NULL, NULL);

    engine_run(e);
    for (guint i = 0; i < G_N_ELEMENTS(cycles); i++)
        ck_assert_uint_eq(engine_issue_cycle(e, 0, i), cycles[i]);
    engine_free(e);
    e = engine_load(VECTOR_ADD, scoreboard, NULL);
    engine_run(e); /* the loads overlap */
    ck_assert_uint_eq(engine_issue_cycle(e, 0, 2), 2);
    ck_assert_uint_eq(engine_issue_cycle(e, 0, 3), 6);
    engine_free(e);
}
END_TEST

/*
 * A warp of 32 threads takes the same cycles, as its index at 0, and every issue is one for all
 * lanes. The listing is shown in workloads/vecadd/notes.md (tests/textbook/test_textbook_lessons.py
 * compares the two).
 */
START_TEST(vector_add_of_a_warp)
{
    static const guint64 cycles[] = {0, 1, 5, 9, 10, 14};
    Engine *e = engine_load("workloads/vecadd/bytecode-warp.yaml", NULL, NULL);
    guint64 index;

    engine_run(e);
    ck_assert_int_eq(e->result->status, WS_STATUS_OK);
    index = engine_issue_cycle(e, 0, 1); /* behind S2R */
    for (guint i = 0; i < G_N_ELEMENTS(cycles); i++) {
        ck_assert_uint_eq(engine_issue_cycle(e, 0, 1 + i) - index, cycles[i]);
        ck_assert_uint_eq(g_array_index(e->issues, Issue, 1 + i).executed, G_MAXUINT32);
    }
    golden_trace_check(e, engine_label(e, "index"), "vector_add_warp");
    engine_free(e);
}
END_TEST

/* ---- hiding latency
 * ------------------------------------------------------------------------------ */

/* `kernel` of tests/textbook/latency.wsasm with so many warps, in blocks of one, on one scheduler.
 */
static Engine *with_warps(const char *kernel, guint warps, guint latency, const char *more)
{
    g_autofree char *path = g_strdup_printf("tests/textbook/latency_%s.yaml", kernel);
    g_autofree char *grid = g_strdup_printf("grid=%u", warps);
    g_autofree char *setting = g_strdup_printf("classes.global_load.latency=%u", latency);
    const char *settings[] = {"policy=gto", "limits.blocks_per_sm=64", setting, more, NULL};
    const char *values[] = {grid, NULL};
    Engine *e = engine_load(path, settings, values);

    engine_run(e);
    ck_assert_int_eq(e->result->status, WS_STATUS_OK);
    return e;
}

/* Issues from cycle `from` on, for `cycles` cycles; of loads too, or not. */
static guint issues_in(const Engine *e, guint64 from, guint64 cycles, gboolean loads)
{
    guint count = 0;

    for (guint i = 0; i < e->issues->len; i++) {
        const Issue *issue = &g_array_index(e->issues, Issue, i);
        WsOpcode opcode = e->job->program->instructions[issue->instruction].opcode;

        if (issue->cycle >= from && issue->cycle < from + cycles)
            count += loads || opcode != WS_OP_LDG;
    }
    return count;
}

/* One warp: 4 arithmetic cycles and a load of 400 take 404 cycles, round after round. */
START_TEST(one_warp)
{
    Engine *e = with_warps("beside", 1, 400, NULL);

    for (guint round = 1; round < 10; round++)
        ck_assert_uint_eq(engine_issue_cycle(e, 0, 1 + 5 * round) -
                              engine_issue_cycle(e, 0, 1 + 5 * (round - 1)),
                          404);
    ck_assert_uint_eq(issues_in(e, 404, 404 * 5, FALSE), 4 * 5);
    engine_free(e);
}
END_TEST

/* 64 warps keep the arithmetic busy for 256 of 404 cycles, 32 warps for 128. */
START_TEST(many_warps)
{
    static const guint warps[] = {1, 2, 8, 16, 32, 48, 64};
    static const char *const kernels[] = {"beside", "among"};

    for (guint k = 0; k < G_N_ELEMENTS(kernels); k++) {
        Engine *e = with_warps(kernels[k], warps[_i], 400 + k, NULL);

        ck_assert_uint_eq(issues_in(e, 404 * 4, 404 * 4, k == 1), 4 * 4 * warps[_i]);
        engine_free(e);
    }
}
END_TEST

/* Issues in a stretch of the run in which all warps are at work: of 1 to 64 warps. */
static guint among_issues(guint warps, guint idle, guint64 cycles)
{
    Engine *e = with_warps("among", warps, idle + 1, NULL);
    guint issues = issues_in(e, cycles, cycles, TRUE);

    engine_free(e);
    return issues;
}

/*
 * A warp that issues 4 times and then waits L cycles: 1 + L/4 warps fill the scheduler, and one
 * fewer does not.
 */
static const guint idle[] = {40, 100, 200, 252};

START_TEST(warps_to_hide)
{
    guint cycles = 4 * (idle[_i] + 4), needed = 1 + idle[_i] / 4;

    ck_assert_uint_eq(among_issues(needed, idle[_i], cycles), cycles);
    ck_assert_uint_eq(among_issues(needed - 1, idle[_i], cycles), cycles - 4 * 4);
}
END_TEST

/*
 * For 400 cycles that is 101 warps, more than the 64 slots. The curve is a straight line up to
 * there, and meets 100 % at 101.
 */
START_TEST(hundred_and_one_warps)
{
    guint cycles = 4 * 404, one = among_issues(1, 400, cycles), needed;

    for (guint warps = 2; warps <= 64; warps += warps < 8 ? 1 : 7)
        ck_assert_uint_eq(among_issues(warps, 400, cycles), warps * one);
    for (needed = 1; needed * one < cycles; needed++) {
    }
    ck_assert_uint_eq(needed, 101);
}
END_TEST

/*
 * The whole curve: n warps are at work in 4 n cycles of each L + 4, until the scheduler is full.
 * With L = 400 that is a straight line to the last slot, with 200 there is a knee at 51 warps.
 */
static const guint curves[] = {200, 252, 400};

START_TEST(utilisation_curve)
{
    guint latency = curves[_i], cycles = 4 * (latency + 4);

    for (guint warps = 1; warps <= 64; warps++)
        ck_assert_uint_eq(among_issues(warps, latency, cycles), MIN(4 * 4 * warps, cycles));
}
END_TEST

/* The same over memory of 400 to 800 cycles, with arithmetic of one cycle. */
START_TEST(utilisation_by_latency)
{
    guint latency = 400 + 100 * (guint)_i;

    for (guint warps = 1; warps <= 64; warps *= 2) {
        Engine *e = with_warps("beside", warps, latency, NULL);

        ck_assert_uint_eq(issues_in(e, (latency + 4) * 4, (latency + 4) * 4, FALSE), 4 * 4 * warps);
        engine_free(e);
    }
}
END_TEST

/* With round robin a round of n warps takes 400 + 4 n cycles: they wait together. */
START_TEST(turns_bunch_warps)
{
    Engine *turns = with_warps("beside", 32, 400, "policy=lrr");
    Engine *greedy = with_warps("beside", 32, 400, NULL);

    ck_assert_uint_eq(engine_issue_cycle(turns, 0, 26) - engine_issue_cycle(turns, 0, 21),
                      400 + 4 * 32);
    ck_assert_uint_eq(engine_issue_cycle(greedy, 0, 26) - engine_issue_cycle(greedy, 0, 21), 404);
    engine_free(turns);
    engine_free(greedy);
}
END_TEST

/* Memory of 400 to 800 cycles, arithmetic of 4 to 8: the round of one warp is their sum. */
START_TEST(latency_ranges)
{
    guint memory = 400 + 100 * (guint)_i;

    for (guint arithmetic = 4; arithmetic <= 8; arithmetic++) {
        g_autofree char *setting = g_strdup_printf("classes.fp32.latency=%u", arithmetic);
        Engine *e = with_warps("beside", 1, memory, setting);

        ck_assert_uint_eq(engine_issue_cycle(e, 0, 11) - engine_issue_cycle(e, 0, 6),
                          memory + 4 * arithmetic);
        engine_free(e);
    }
}
END_TEST

/* ---- switching between warps
 * --------------------------------------------------------------------- */

/* Four warps with results after four cycles: one issues in every cycle, each time another warp. */
static Engine *switching(const char *cost)
{
    const char *settings[] = {"classes.fp32.latency=4", cost, NULL};
    g_autoptr(GString) text = g_string_new(NULL);
    Engine *e;

    for (guint i = 0; i < 100; i++)
        g_string_append(text, "FADD R0, R0, 1.0 ;\n");
    g_string_append(text, "EXIT ;\n");
    e = engine_new("textbook", settings, text->str, 1, 128, 1);
    engine_run(e);
    return e;
}

START_TEST(switching_costs_nothing)
{
    Engine *e = switching("switch_cost=0");

    for (guint i = 0; i < 400; i++) {
        const Issue *issue = &g_array_index(e->issues, Issue, i);

        ck_assert_uint_eq(issue->cycle, i);
        ck_assert_uint_eq(issue->warp, i % 4);
    }
    engine_free(e);
}
END_TEST

/*
 * The curve over the cost: what saving and restoring registers would do. There are 404 issues, and
 * each but the first is a switch.
 */
START_TEST(switching_that_costs)
{
    static const guint costs[] = {0, 1, 2, 5, 10, 50, 100};

    for (guint i = 0; i < G_N_ELEMENTS(costs); i++) {
        g_autofree char *cost = g_strdup_printf("switch_cost=%u", costs[i]);
        Engine *e = switching(cost);

        ck_assert_uint_eq(e->result->total.cycles, 404 + 403 * costs[i]);
        engine_free(e);
    }
}
END_TEST

static void add_tests(TCase *cases)
{
    tcase_add_loop_test(cases, golden, 0, G_N_ELEMENTS(traces));
    tcase_add_loop_test(cases, eight_warps, 0, 2);
    tcase_add_loop_test(cases, named_policies, 0, G_N_ELEMENTS(orders));
    tcase_add_test(cases, vector_add_timeline);
    tcase_add_test(cases, vector_add_of_a_warp);
    tcase_add_test(cases, one_warp);
    tcase_add_loop_test(cases, many_warps, 0, 7);
    tcase_add_loop_test(cases, warps_to_hide, 0, G_N_ELEMENTS(idle));
    tcase_add_test(cases, hundred_and_one_warps);
    tcase_add_loop_test(cases, utilisation_curve, 0, G_N_ELEMENTS(curves));
    tcase_add_loop_test(cases, utilisation_by_latency, 0, 5);
    tcase_add_test(cases, turns_bunch_warps);
    tcase_add_loop_test(cases, latency_ranges, 0, 5);
    tcase_add_test(cases, switching_costs_nothing);
    tcase_add_test(cases, switching_that_costs);
}

int main(int argc, char **argv)
{
    golden_trace_begin(argc, argv);
    return run_suite("textbook_scheduling", add_tests);
}
