/* When instructions issue: latencies, intervals, policies, the textbook's examples. */
#include <check.h>

#include "tests/support/engine_fixture.h"

/* A dependent FFMA issues at its producer's latency, an independent one in the next cycle. */
START_TEST(latency_is_exact)
{
    Engine *e = engine_plain("FFMA R0, R1, R2, R0 ;\n"
                             "FFMA R0, R1, R2, R0 ;\n"
                             "FFMA R3, R1, R2, R3 ;\n"
                             "FADD R0, R3, R0 ;\n"
                             "EXIT ;\n",
                             1, 32, 1);
    engine_run(e);
    ck_assert_uint_eq(engine_issue_cycle(e, 0, 0), 0);
    ck_assert_uint_eq(engine_issue_cycle(e, 0, 1), 4);
    ck_assert_uint_eq(engine_issue_cycle(e, 0, 2), 5);
    ck_assert_uint_eq(engine_issue_cycle(e, 0, 3), 9);
    ck_assert_uint_eq(engine_issue_cycle(e, 0, 4), 10);
    ck_assert_uint_eq(e->result->total.cycles, 11);
    ck_assert_uint_eq(e->result->total.stalls[WS_STALL_WAIT], 6);
    engine_free(e);
}
END_TEST

static void add_stall(void *data, const WsTraceEvent *event)
{
    gboolean issue = event->kind == WS_TRACE_ISSUE;

    g_string_append_printf(
        data, "%" G_GUINT64_FORMAT ":%s ", event->cycle,
        ws_stall_letter(issue ? WS_STALL_SELECTED : (WsStall)event->stall.reason));
}

/* An observer is told each change of what a warp waits for. */
START_TEST(stall_changes)
{
    Engine *e = engine_plain("FFMA R0, R1, R2, R0 ;\nLDG R4, [R2] ;\n"
                             "FADD R0, R4, R0 ;\nEXIT ;\n",
                             1, 32, 1);
    GString *text = g_string_new(NULL);

    e->job->launches[0].initial = g_new0(WsInitialWarp, 1);
    e->job->launches[0].initial_count = 1;
    e->job->launches[0].initial[0] = (WsInitialWarp){.register_count = 1,
                                                     .ready_cycle = 2,
                                                     .stall_reason = WS_STALL_LONG_SCOREBOARD,
                                                     .registers = {{2, (guint32)WS_BUFFER_BASE}}};
    e->observer = (WsObserver){
        .data = text, .kinds = WS_TRACE_BIT(STALL) | WS_TRACE_BIT(ISSUE), .event = add_stall};
    engine_run(e);
    ck_assert_str_eq(text->str, "0:L 2:I 3:I 4:L 7:I 8:I ");
    g_string_free(text, TRUE);
    engine_free(e);
}
END_TEST

typedef struct {
    const char *setting, *text;
    guint issue, cycle;
} Case;

static const Case relations[] = {
    /* predicate to a branch, to a guard, to another pipe, to an address */
    {"classes.compare.branch_latency=13", "ISETP.EQ P0, R1, R2 ;\n@P0 BRA x ;\nx: EXIT ;\n", 1, 13},
    {"classes.compare.predicate_latency=7", "ISETP.EQ P0, R1, R2 ;\n@P0 MOV R1, 1 ;\nEXIT ;\n", 1,
     7},
    {"classes.compare.predicate_latency=7", "ISETP.EQ P0, R1, R2 ;\nSEL R3, R1, R2, P0 ;\nEXIT ;\n",
     1, 7},
    {"classes.fp32.cross_latency=5", "FADD R1, R2, R3 ;\nLOP3.LUT R4, R1, R1, R1, 0x80 ;\nEXIT ;\n",
     1, 5},
    {"classes.fp32.cross_latency=5", "FADD R1, R2, R3 ;\nFADD R4, R1, R1 ;\nEXIT ;\n", 1, 1},
    {"classes.int.address_latency=9",
     "IADD3 R2, R2, 1, RZ ;\nMOV R0, RZ ;\nLDS R3, [R2] ;\nEXIT ;\n", 2, 9},
    /* intervals of the pipe and of the warp */
    {"classes.imad_wide.interval=4",
     "IMAD.WIDE R2, R1, R1, RZ ;\nIMAD.WIDE R4, R1, R1, RZ ;\nEXIT ;\n", 1, 4},
    {"classes.imad_wide.warp_interval=6",
     "IMAD.WIDE R2, R1, R1, RZ ;\nIMAD.WIDE R4, R1, R1, RZ ;\nEXIT ;\n", 1, 6},
    /* a later write does not overtake an earlier one */
    {"classes.mufu.latency=17", "MUFU.RCP R1, R2 ;\nMOV R1, R3 ;\nEXIT ;\n", 1, 17},
    {"branch.taken_cost=9", "BRA x ;\nx: EXIT ;\n", 1, 9},
    {"branch.fall_through_cost=2", "@!PT BRA x ;\nNOP ;\nx: EXIT ;\n", 1, 2},
    {"launch.latency=160", "NOP ;\nEXIT ;\n", 0, 160},
};

START_TEST(relation_is_exact)
{
    const Case *c = &relations[_i];
    Engine *e = engine_plain_with(c->setting, c->text, 1, 32, 1);

    engine_run(e);
    ck_assert_uint_eq(engine_issue_cycle(e, 0, c->issue), c->cycle);
    engine_free(e);
}
END_TEST

/* One chain of FADDs a warp: n warps of a sub-core give n/4 instructions a cycle. */
START_TEST(warps_hide_latency)
{
    const char *settings[] = {"sms=1", NULL};
    GString *text = g_string_new(NULL);
    guint warps = (guint)_i;
    Engine *e;

    for (guint i = 0; i < 200; i++)
        g_string_append(text, "FADD R0, R0, 1.0 ;\n");
    g_string_append(text, "EXIT ;\n");
    e = engine_new("h200", settings, text->str, 1, 128 * warps, 1);
    engine_run(e);
    for (guint n = 1; n < 200; n++)
        ck_assert_uint_eq(engine_issue_cycle(e, 0, n) - engine_issue_cycle(e, 0, n - 1), 4);
    ck_assert_uint_eq(e->result->total.stalls[WS_STALL_NOT_SELECTED] == 0, warps == 1);
    engine_free(e);
    g_string_free(text, TRUE);
}
END_TEST

/* An empty kernel of one warp, from cold caches: launch, fetch and drain (297 on an H200). */
START_TEST(empty_kernel)
{
    /* Read in several passes: parameters were where they are. */
    const char *settings[] = {"launch.parameters=ready", NULL};
    Engine *e = engine_new("h200", settings, "LDC R1, c[0][0x18] ;\nEXIT ;\n", 1, 32, 1);

    engine_run(e);
    ck_assert_uint_ge(e->result->total.cycles, 287);
    ck_assert_uint_le(e->result->total.cycles, 307);
    engine_free(e);
}
END_TEST

typedef struct {
    const char *policy, *order;
} PolicyCase;

/* Three warps with two independent instructions, each pair a cycle apart from the next by latency.
 */
static const PolicyCase policies[] = {
    {"policy=lrr", "w0 w1 w2 w0 w1 w2 w0 w1 w2"},
    {"policy=gto", "w0 w0 w1 w1 w0 w0 w1 w1 w2"},
    {"policy=greedy-then-least-recent", "w0 w0 w1 w1 w2 w2 w0 w0 w1"},
    {"policy=longest-wait-first", "w0 w1 w2 w0 w1 w2 w0 w1 w2"},
};

START_TEST(policy_order)
{
    const PolicyCase *c = &policies[_i];
    Engine *e = engine_plain_with(c->policy,
                                  "FFMA R0, R1, R2, R0 ;\n"
                                  "FADD R3, R1, R2 ;\n"
                                  "FADD R0, R0, R0 ;\n"
                                  "EXIT ;\n",
                                  1, 96, 1);
    g_autofree char *order = NULL;

    engine_run(e);
    order = engine_issue_order(e, 9);
    ck_assert_str_eq(order, c->order);
    engine_free(e);
}
END_TEST

/* Eight warps, one scheduler, in mid-flight: warps 0, 1 and 3 ready, 2 at cycle 3, the rest later.
 */
static Engine *eight_warps(const char *policy)
{
    static const guint32 ready[8] = {0, 0, 3, 0, 50, 50, 50, 50};
    static const guint32 start[8] = {0, 0, 4, 2, 0, 0, 0, 0};
    const char *settings[] = {policy, NULL};
    Engine *e = engine_new("textbook", settings,
                           "FFMA R0, R1, R2, R0 ;\nEXIT ;\n"
                           "FADD R0, R1, R2 ;\nEXIT ;\n"
                           "FMUL R0, R1, R2 ;\nEXIT ;\n",
                           1, 256, 1);
    WsLaunch *launch = &e->job->launches[0];

    launch->initial = g_new0(WsInitialWarp, 8);
    launch->initial_count = 8;
    for (guint i = 0; i < 8; i++)
        launch->initial[i] = (WsInitialWarp){.warp = i,
                                             .has_start = TRUE,
                                             .start = start[i],
                                             .ready_cycle = ready[i],
                                             .stall_reason = WS_STALL_LONG_SCOREBOARD};
    engine_run(e);
    ck_assert_uint_eq(e->result->total.stalls[WS_STALL_LONG_SCOREBOARD], 3 + 4 * 50);
    return e;
}

START_TEST(eight_warp_example)
{
    Engine *e = eight_warps("policy=longest-wait-first");
    g_autofree char *order = engine_issue_order(e, 5), *strict = NULL;

    ck_assert_str_eq(order, "w0 w1 w3 w2 w0");
    engine_free(e);
    e = eight_warps("policy=lrr");
    strict = engine_issue_order(e, 5);
    ck_assert_str_eq(strict, "w0 w1 w3 w2 w3");
    engine_free(e);
}
END_TEST

/* Index, two loads, add, store on the machine that overlaps nothing inside a warp. */
START_TEST(vector_add_timeline)
{
    static const guint64 cycles[] = {0, 1, 5, 9, 10, 14};
    Engine *e = engine_new("textbook", NULL,
                           "MOV R2, c[x] ;\n"
                           "LDG R4, [R2] ;\n"
                           "LDG R5, [R2+4] ;\n"
                           "FADD R6, R4, R5 ;\n"
                           "STG [R2+8], R6 ;\n"
                           "EXIT ;\n",
                           1, 32, 16);

    engine_run(e);
    for (guint i = 0; i < G_N_ELEMENTS(cycles); i++)
        ck_assert_uint_eq(engine_issue_cycle(e, 0, i), cycles[i]);
    engine_free(e);
}
END_TEST

/* ---- register ports -----------------------------------------------------------------------------
 */

#define BANKS "registers.banks=2"

static Engine *with_ports(const char *setting, const char *text)
{
    const char *settings[] = {"dependences=scoreboard", setting, NULL};

    return engine_new(MACHINE_WITH_CACHES, settings, text, 1, 32, 1);
}

/* Instruction 3 issues at `cycle`; one behind it waits `stall` cycles for the dispatcher. */
typedef struct {
    const char *setting, *text;
    guint64 cycle, stall;
} PortCase;

static const PortCase ports[] = {
    /* an even and an odd register; one register; RZ, an immediate, a constant, a uniform one */
    {BANKS, "FFMA R20, R2, R3, RZ ;\nFFMA R22, R2, R3, RZ ;\nFFMA R24, R2, R3, RZ ;\nEXIT ;\n", 3,
     0},
    {BANKS, "FFMA R20, R2, R2, R2 ;\nFFMA R22, R2, R2, R2 ;\nFFMA R24, R2, R2, R2 ;\nEXIT ;\n", 3,
     0},
    {BANKS,
     "FFMA R20, R2, 0.5, R3 ;\nFFMA R22, R2, c[0][0x10], R3 ;\nFFMA R24, R2, UR4, R3 ;\nEXIT ;\n",
     3, 0},
    /* two of one bank take two cycles each, behind the first, of which one is free once */
    {BANKS, "FFMA R20, R2, R4, RZ ;\nFFMA R22, R2, R4, RZ ;\nFFMA R24, R2, R4, RZ ;\nEXIT ;\n", 5,
     2},
    {BANKS, "FFMA R20, R3, R5, RZ ;\nFFMA R22, R3, R5, RZ ;\nFFMA R24, R3, R5, RZ ;\nEXIT ;\n", 5,
     2},
    {BANKS, "FFMA R20, R2, R4, R3 ;\nFFMA R22, R2, R4, R3 ;\nFFMA R24, R2, R4, R3 ;\nEXIT ;\n", 5,
     2},
    {BANKS, "FFMA R20, R2, R4, RZ ;\nFFMA R22, R3, R5, RZ ;\nFFMA R24, R2, R4, RZ ;\nEXIT ;\n", 3,
     0},
    {BANKS, "FFMA R20, R2, R4, RZ ;\nNOP ;\nFFMA R24, R2, R4, RZ ;\nEXIT ;\n", 3, 0},
    /* three take three, and leave room for one */
    {BANKS, "FFMA R20, R2, R4, R6 ;\nFFMA R22, R2, R4, R6 ;\nFFMA R24, R2, R4, R6 ;\nEXIT ;\n", 7,
     4},
    {BANKS, "FFMA R20, R2, R4, R6 ;\nFFMA R22, R2, RZ, RZ ;\nFFMA R24, R3, RZ, RZ ;\nEXIT ;\n", 3,
     0},
    /* 64-bit operands have one word in each bank */
    {BANKS, "DADD R20, R2, R4 ;\nDADD R22, R2, R4 ;\nDADD R24, R2, R4 ;\nEXIT ;\n", 5, 2},
    /* in the operand cache: only of the next one of the same pipe, in the same slot */
    {BANKS,
     "FFMA R20, R2.reuse, R4, RZ ;\nFFMA R22, R2.reuse, R6, RZ ;\nFFMA R24, R2, R6, RZ ;\nEXIT ;\n",
     3, 0},
    {BANKS,
     "FFMA R20, R2.reuse, R4, RZ ;\nFFMA R22, R4, R2, RZ ;\nFFMA R24, R2, R4, RZ ;\nEXIT ;\n", 5,
     2},
    {BANKS,
     "FFMA R20, R2.reuse, R4, RZ ;\nFFMA R22, R2, R4, RZ ;\nFFMA R24, R2, R4, RZ ;\nEXIT ;\n", 4,
     1},
    {BANKS,
     "FFMA R20, R2.reuse, R4, RZ ;\nLOP3.LUT R22, R4, R6, RZ, 0x3c ;\nFFMA R24, R2, R3, RZ ;\n"
     "EXIT ;\n",
     4, 1},
    /* other ways of the setting */
    {"registers.banks=0",
     "FFMA R20, R2, R4, R6 ;\nFFMA R22, R2, R4, R6 ;\nFFMA R24, R2, R4, R6 ;\nEXIT ;\n", 3, 0},
    {"registers.banks=1",
     "FFMA R20, R2, R3, RZ ;\nFFMA R22, R2, R3, RZ ;\nFFMA R24, R2, R3, RZ ;\nEXIT ;\n", 5, 2},
};

START_TEST(register_ports)
{
    const PortCase *c = &ports[_i];
    Engine *e = with_ports(c->setting, c->text);

    engine_run(e);
    ck_assert_uint_eq(engine_issue_cycle(e, 0, 3), c->cycle);
    ck_assert_uint_eq(e->result->total.stalls[WS_STALL_DISPATCH_STALL], c->stall);
    engine_free(e);
}
END_TEST

/* What another warp's reads hold up comes later; its own reads are part of its latency. */
START_TEST(ports_delay_results)
{
    Engine *e =
        with_ports(BANKS, "FFMA R20, R2, R4, R6 ;\nFADD R21, R20, 1.0 ;\nFFMA R22, R2, R4, R6 "
                          ";\nFFMA R23, R2, R4, RZ ;\nFADD R24, R23, 1.0 ;\nEXIT ;\n");

    engine_run(e);
    ck_assert_uint_eq(engine_issue_cycle(e, 0, 1), 4);
    ck_assert_uint_eq(engine_issue_cycle(e, 0, 2), 5);
    ck_assert_uint_eq(engine_issue_cycle(e, 0, 3), 6);
    ck_assert_uint_eq(engine_issue_cycle(e, 0, 4), 6 + 4 + 1);
    engine_free(e);
}
END_TEST

/* Of results that the register file does not have yet, a bank takes one straight from the pipe. */
START_TEST(results_of_one_bank)
{
    static const struct {
        const char *text;
        guint64 next, stall;
    } cases[] = {
        {"FFMA R20, RZ, RZ, RZ ;\nFFMA R22, RZ, RZ, RZ ;\nFFMA R24, R20, R22, RZ ;\n", 9, 3},
        {"FFMA R20, RZ, RZ, RZ ;\nFFMA R23, RZ, RZ, RZ ;\nFFMA R24, R20, R23, RZ ;\n", 6, 0},
        {"FFMA R22, RZ, RZ, RZ ;\nFFMA R24, R20, R22, RZ ;\nNOP ;\n", 6, 0},
    };
    const char *settings[] = {"dependences=scoreboard", BANKS, "classes.fp32_fma.written_latency=7",
                              NULL};
    g_autofree char *text = g_strconcat(cases[_i].text, "NOP ;\nEXIT ;\n", NULL);
    Engine *e = engine_new(MACHINE_WITH_CACHES, settings, text, 1, 32, 1);

    engine_run(e);
    ck_assert_uint_eq(engine_issue_cycle(e, 0, 3), cases[_i].next);
    ck_assert_uint_eq(e->result->total.stalls[WS_STALL_DISPATCH_STALL], cases[_i].stall);
    engine_free(e);
}
END_TEST

/* A result of the XU pipe is written 16 cycles behind its issue; one of the same bank waits. */
START_TEST(results_written_together)
{
    static const struct {
        const char *writer;
        guint stall;
        guint64 next;
    } cases[] = {
        {"FADD R24, RZ, RZ", 9, 11}, {"FADD R25, RZ, RZ", 9, 10}, {"FADD R24, RZ, RZ", 8, 9}};
    const char *settings[] = {"dependences=control",
                              BANKS,
                              "classes.fp32.latency=4",
                              "classes.fp32.written_latency=7",
                              "classes.mufu.latency=17",
                              "classes.mufu.interval=8",
                              NULL};
    g_autofree char *text = g_strdup_printf("MUFU.RCP R20, RZ {stall=%u wr=0} ;\n%s {stall=1} ;\n"
                                            "NOP ;\nEXIT ;\n",
                                            cases[_i].stall, cases[_i].writer);
    Engine *e = engine_new(MACHINE_WITH_CACHES, settings, text, 1, 32, 1);

    engine_run(e);
    ck_assert_uint_eq(engine_issue_cycle(e, 0, 2) - engine_issue_cycle(e, 0, 0), cases[_i].next);
    engine_free(e);
}
END_TEST

/* Additions take the half of the FMA pipe that makes no products, or else the other one. */
START_TEST(halves_of_fma_pipe)
{
    static const struct {
        const char *setting;
        guint64 cycles[4], stall;
    } cases[] = {{"classes.fp32.half_interval=2", {0, 1, 2, 4}, 1},
                 {"classes.fp32.half_interval=3", {0, 1, 2, 5}, 2},
                 {"classes.fp32.half_interval=0", {0, 2, 3, 4}, 1}};
    const char *settings[] = {"dependences=scoreboard", "classes.imad.interval=2",
                              cases[_i].setting, NULL};
    Engine *e = engine_new(MACHINE_WITH_CACHES, settings,
                           "IMAD R20, RZ, RZ, RZ ;\nFADD R21, RZ, RZ ;\nFADD R22, RZ, RZ ;\n"
                           "IMAD R23, RZ, RZ, RZ ;\nEXIT ;\n",
                           1, 32, 1);

    engine_run(e);
    for (guint i = 0; i < 4; i++)
        ck_assert_uint_eq(engine_issue_cycle(e, 0, i), cases[_i].cycles[i]);
    ck_assert_uint_eq(e->result->total.stalls[WS_STALL_MATH_PIPE_THROTTLE], cases[_i].stall);
    engine_free(e);
}
END_TEST

/* Another warp's issue empties the operand cache: FFMAs that alternate read it all again. */
START_TEST(warps_lose_reuse)
{
    static const struct {
        const char *policy;
        guint64 cycles;
    } cases[] = {{"policy=gto", 16}, {"policy=lrr", 29}};
    const char *settings[] = {"dependences=scoreboard", BANKS, cases[_i].policy, NULL};
    GString *text = g_string_new(NULL);
    Engine *e;

    for (guint i = 0; i < 8; i++)
        g_string_append_printf(text, "FFMA R%u, R2.reuse, R%u, R3.reuse ;\n", 20 + 2 * i,
                               4 + 2 * i);
    g_string_append(text, "EXIT ;\n");
    e = engine_new(MACHINE_WITH_CACHES, settings, text->str, 1, 64, 1);
    engine_run(e);
    ck_assert_uint_eq(MAX(engine_issue_cycle(e, 0, 7), engine_issue_cycle(e, 1, 7)),
                      cases[_i].cycles);
    engine_free(e);
    g_string_free(text, TRUE);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("engine_issue");
    TCase *tcase = tcase_create("engine_issue");
    SRunner *runner;
    int failed;

    tcase_add_test(tcase, latency_is_exact);
    tcase_add_test(tcase, stall_changes);
    tcase_add_loop_test(tcase, relation_is_exact, 0, G_N_ELEMENTS(relations));
    tcase_add_loop_test(tcase, warps_hide_latency, 1, 5);
    tcase_add_test(tcase, empty_kernel);
    tcase_add_loop_test(tcase, policy_order, 0, G_N_ELEMENTS(policies));
    tcase_add_test(tcase, eight_warp_example);
    tcase_add_test(tcase, vector_add_timeline);
    tcase_add_loop_test(tcase, register_ports, 0, G_N_ELEMENTS(ports));
    tcase_add_loop_test(tcase, results_of_one_bank, 0, 3);
    tcase_add_loop_test(tcase, results_written_together, 0, 3);
    tcase_add_loop_test(tcase, halves_of_fma_pipe, 0, 3);
    tcase_add_test(tcase, ports_delay_results);
    tcase_add_loop_test(tcase, warps_lose_reuse, 0, 2);
    suite_add_tcase(suite, tcase);
    runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? 0 : 1;
}
