/*
 * What it takes to go back in a long run: cycles that are simulated, not time. The states lie so
 * that any move begins near by, whatever it looks for and however far back that is.
 */
#include <check.h>

#include "inspect/session/session.h"
#include "sim/base/contents.h"
#include "tests/support/engine_fixture.h"
#include "tests/support/suite.h"

/* Two blocks fit at a time, so block 0 has gone when the last ones run. */
enum { BLOCKS = 4, THREADS = 256, WARPS = THREADS / 32, TRIPS = 12000 };

/* Of an even stretch between two states this run may take so much, and a move so many of them. */
enum { SHARE = 16, STRETCHES = 3 };

/* Behind a first move back the next ones begin so near by: cycles. */
enum { NEAR = 30000 };

#define KERNEL                                                                                     \
    "LDC.64 R2, c[x] ;\nS2R R0, SR_TID.X ;\nIMAD.WIDE.U32 R2, R0, 4, R2 ;\n"                       \
    "ISETP.LT P0, R0, 8 ;\nBSSY B0, join ;\n@P0 BRA join ;\nIADD3 R4, R0, 1, RZ ;\n"               \
    "join:\nBSYNC B0 ;\nBAR.SYNC 0 ;\nMOV R1, RZ ;\n"                                              \
    "loop:\nIADD3 R1, R1, 1, RZ ;\nIADD3 R4, R4, R1, RZ ;\nIADD3 R5, R4, R1, RZ ;\n"               \
    "ISETP.LT P0, R1, 12000 ;\n@P0 BRA loop ;\n"                                                   \
    "STG.E [R2], R5 ;\nEXIT ;\n"

typedef struct {
    Engine *engine;
    WsSession *session;
    WsTimeline *timeline;
    guint64 end;
} Run;

/* Behind the first pass. */
static Run first_pass(gsize bytes)
{
    static const char *const settings[] = {"sms=1", "limits.warps_per_sm=16", NULL};
    WsArrival arrival;
    Run run;

    run.engine = engine_new("h200", settings, KERNEL, BLOCKS, THREADS, THREADS);
    run.engine->options.observers = NULL;
    run.session = ws_session_new(run.engine->job, &run.engine->options, bytes, NULL);
    run.timeline = ws_session_timeline(run.session);
    ck_assert(ws_session_go(run.session, G_MAXUINT64, &arrival, NULL));
    run.end = ws_timeline_end(run.timeline);
    ck_assert_uint_gt(run.end, SHARE * NEAR);
    return run;
}

static void free_run(Run *run)
{
    ws_session_free(run->session);
    engine_free(run->engine);
}

static guint64 cost_of_going(const Run *run, guint64 cycle)
{
    guint64 before = ws_timeline_simulated(run->timeline);

    ck_assert(ws_timeline_go(run->timeline, cycle, NULL));
    ck_assert_uint_eq(ws_timeline_cycle(run->timeline), cycle);
    return ws_timeline_simulated(run->timeline) - before;
}

static guint64 cost_of_moving(const Run *run, WsMove move, gint64 count, WsArrivalKind kind)
{
    guint64 before = ws_timeline_simulated(run->timeline);
    WsArrival arrival;

    ck_assert(ws_session_move(run->session, move, count, &arrival, NULL));
    ck_assert_int_eq(arrival.kind, kind);
    return ws_timeline_simulated(run->timeline) - before;
}

static void focus(const Run *run, guint32 block, guint32 warp)
{
    *ws_session_focus(run->session) = (WsFocus){.block = block, .warp = warp};
}

/* ---- one place after the other ------------------------------------------------------------------
 */

/* The first pass simulates each cycle once, and no cycle is far from a state. */
START_TEST(every_cycle_is_near_a_state)
{
    Run run = first_pass(WS_TIMELINE_BYTES);
    gsize bytes;

    ck_assert_uint_eq(ws_timeline_simulated(run.timeline), run.end);
    ck_assert_uint_ge(ws_timeline_states(run.timeline, &bytes), SHARE);
    for (guint i = 0; i < 40; i++)
        ck_assert_uint_le(cost_of_going(&run, ws_split_mix(5, i) % run.end), run.end / SHARE);
    free_run(&run);
}
END_TEST

/* A move back looks at no more than a few stretches, and leaves states around where it leads. */
START_TEST(moves_back_begin_nearer_and_nearer)
{
    static const WsMove moves[] = {WS_MOVE_STEP, WS_MOVE_CYCLE, WS_MOVE_ISSUE, WS_MOVE_STALL};
    Run run = first_pass(WS_TIMELINE_BYTES);

    for (guint i = 0; i < G_N_ELEMENTS(moves); i++) {
        focus(&run, BLOCKS - 1, i);
        cost_of_going(&run, run.end * (9 - i) / 10);
        ck_assert_uint_le(cost_of_moving(&run, moves[i], -1, WS_ARRIVED_THERE),
                          STRETCHES * run.end / SHARE);
        for (guint k = 0; k < 5; k++)
            ck_assert_uint_le(cost_of_moving(&run, moves[i], -1, WS_ARRIVED_THERE), NEAR);
    }
    free_run(&run);
}
END_TEST

/* ---- far back -----------------------------------------------------------------------------------
 */

/* What the focused warp did long ago, or never, is found without simulating all that lies between.
 */
START_TEST(what_is_far_back_is_found)
{
    static const struct {
        WsMove move;
        gboolean first_block; /* of the warp that ended long ago, or the one that came last */
        WsArrivalKind kind;
    } rows[] = {
        {WS_MOVE_STEP, TRUE, WS_ARRIVED_THERE},         {WS_MOVE_LINE, TRUE, WS_ARRIVED_THERE},
        {WS_MOVE_EXIT, TRUE, WS_ARRIVED_THERE},         {WS_MOVE_DIVERGE, TRUE, WS_ARRIVED_THERE},
        {WS_MOVE_BARRIER, TRUE, WS_ARRIVED_THERE},      {WS_MOVE_RESPONSE, TRUE, WS_ARRIVED_THERE},
        {WS_MOVE_DIVERGE, FALSE, WS_ARRIVED_BEGINNING}, {WS_MOVE_EXIT, FALSE, WS_ARRIVED_BEGINNING},
    };
    Run run = first_pass(WS_TIMELINE_BYTES);

    for (guint i = 0; i < G_N_ELEMENTS(rows); i++) {
        guint64 cost;

        focus(&run, rows[i].first_block ? 0 : BLOCKS - 1, rows[i].first_block ? 0 : WARPS - 1);
        /* Before the last blocks begin, or behind the end of the first. */
        cost_of_going(&run, run.end * (rows[i].first_block ? 9 : 4) / 10);
        cost = cost_of_moving(&run, rows[i].move, -1, rows[i].kind);
        ck_assert_msg(cost <= (STRETCHES + 1) * run.end / SHARE,
                      "%s: %" G_GUINT64_FORMAT " of %" G_GUINT64_FORMAT " cycles",
                      ws_move_name(rows[i].move), cost, run.end);
    }
    free_run(&run);
}
END_TEST

/* Forward too, where the run has been before. */
START_TEST(what_is_known_ahead_is_not_simulated)
{
    Run run = first_pass(WS_TIMELINE_BYTES);

    focus(&run, BLOCKS - 1, 0);
    cost_of_going(&run, 1000);
    ck_assert_uint_le(cost_of_moving(&run, WS_MOVE_STEP, 1, WS_ARRIVED_THERE),
                      STRETCHES * run.end / SHARE);
    ck_assert_uint_gt(ws_timeline_cycle(run.timeline), run.end * 4 / 10);
    free_run(&run);
}
END_TEST

START_TEST(breakpoints_are_found_back)
{
    Run run = first_pass(WS_TIMELINE_BYTES);
    guint64 before;
    WsArrival arrival;

    ws_session_add_breakpoint(run.session,
                              ws_breakpoint_parse(ws_session_timeline(run.session), "*3", NULL));
    cost_of_going(&run, run.end * 9 / 10);
    before = ws_timeline_simulated(run.timeline);
    ck_assert(ws_session_continue(run.session, TRUE, 0, &arrival, NULL));
    ck_assert_int_eq(arrival.kind, WS_ARRIVED_BREAKPOINT);
    ck_assert_uint_lt(ws_timeline_cycle(run.timeline), run.end * 6 / 10);
    ck_assert_uint_le(ws_timeline_simulated(run.timeline) - before,
                      (STRETCHES + 1) * run.end / SHARE);
    free_run(&run);
}
END_TEST

/* ---- little memory ------------------------------------------------------------------------------
 */

/* Few states lie evenly, and some of them near the place that is looked at. */
START_TEST(little_memory_is_shared_out)
{
    enum { SOME = 12 };
    Run run = first_pass(WS_TIMELINE_BYTES);
    gsize bytes, most;
    guint all = ws_timeline_states(run.timeline, &bytes);

    most = bytes * SOME / all;
    free_run(&run);
    run = first_pass(most);
    ck_assert_uint_lt(ws_timeline_states(run.timeline, &bytes), all);
    ck_assert_uint_le(bytes, most);
    focus(&run, 0, 0);
    for (guint i = 1; i < 5; i++) {
        ck_assert_uint_le(cost_of_going(&run, run.end * i / 12), run.end / 2);
        cost_of_moving(&run, WS_MOVE_STEP, -1, WS_ARRIVED_THERE);
        for (guint k = 0; k < 5; k++)
            ck_assert_uint_le(cost_of_moving(&run, WS_MOVE_STEP, -1, WS_ARRIVED_THERE), 2 * NEAR);
        ws_timeline_states(run.timeline, &bytes);
        ck_assert_uint_le(bytes, most);
    }
    free_run(&run);
}
END_TEST

/* ---- estimates ----------------------------------------------------------------------------------
 */

typedef struct {
    guint told;
    double seconds;
    guint64 cycles;
} Told;

static void note(void *data, double seconds, guint64 cycles)
{
    Told *told = data;

    *told = (Told){told->told + 1, seconds, cycles};
}

static void note_most(void *data, double seconds, guint64 cycles)
{
    guint64 *most = data;

    *most = MAX(*most, cycles);
}

static guint64 find_none(void *data, const WsSm *sm, const WsTraceEvent *event)
{
    return WS_NEVER;
}

/* A search that finds nothing near by tells how far it may have to go, and no more than that. */
START_TEST(long_searches_are_estimated)
{
    const WsEventScope of_first = {.kind = WS_SCOPE_WARP, .block = 0, .warp = 0};
    WsQuery query = {.kinds = WS_TRACE_BIT(ISSUE), .find = find_none};
    Run run = first_pass(WS_TIMELINE_BYTES);
    guint64 most = 0;
    WsFinding finding;

    ws_timeline_set_estimate(run.timeline, 1e-9, note_most, &most);
    ck_assert(ws_timeline_look_back(run.timeline, &query, &finding, NULL));
    ck_assert_uint_gt(most, run.end * 8 / 10);
    ck_assert_uint_lt(most, run.end);
    most = 0;
    query.scope = &of_first; /* which leaves at about the half */
    ck_assert(ws_timeline_look_back(run.timeline, &query, &finding, NULL));
    ck_assert_uint_gt(most, run.end * 2 / 10);
    ck_assert_uint_lt(most, run.end * 6 / 10);
    free_run(&run);
}
END_TEST

/* Told before what is simulated again, and not where that is short or has never been run. */
START_TEST(long_ways_are_estimated)
{
    Run run = first_pass(1); /* two states */
    Told told = {0};
    guint64 cost;

    ws_timeline_set_estimate(run.timeline, 1e-9, note, &told);
    cost = cost_of_going(&run, run.end / 2);
    ck_assert_uint_eq(told.told, 1);
    ck_assert_uint_eq(told.cycles, cost);
    ck_assert_double_gt(told.seconds, 0);
    ws_timeline_set_estimate(run.timeline, 1e9, note, &told);
    cost_of_going(&run, run.end / 3);
    ck_assert_uint_eq(told.told, 1);
    free_run(&run);
}
END_TEST

static void add_tests(TCase *cases)
{
    tcase_set_timeout(cases, 60);
    tcase_add_test(cases, every_cycle_is_near_a_state);
    tcase_add_test(cases, moves_back_begin_nearer_and_nearer);
    tcase_add_test(cases, what_is_far_back_is_found);
    tcase_add_test(cases, what_is_known_ahead_is_not_simulated);
    tcase_add_test(cases, breakpoints_are_found_back);
    tcase_add_test(cases, little_memory_is_shared_out);
    tcase_add_test(cases, long_ways_are_estimated);
    tcase_add_test(cases, long_searches_are_estimated);
}

int main(void)
{
    return run_suite("saved_states", add_tests);
}
