/*
 * A run at any of its cycles: the state at a cycle is the same however it was come to, and as many
 * moves back as forward lead to where one was.
 */
#include <check.h>
#include <string.h>

#include "inspect/session/session.h"
#include "sim/base/contents.h"
#include "tests/support/engine_fixture.h"
#include "tests/support/random_kernel.h"
#include "tests/support/suite.h"

enum { CYCLES = 50, MOVES = 12, STRIDE = 256 };

static const char *const machines[][4] = {
    {"textbook", "dependences=scoreboard", "launch.drain=7", NULL},
    {"textbook", "divergence.model=its", "dependences=control", NULL},
    {"h200", "sms=2", NULL},
    {"h200", "sms=2", "limits.warps_per_sm=8", "switch_cost=2"},
    {"h200", "sms=1", "divergence.model=none", NULL},
    {"v100", "sms=1", "divergence.model=stack", NULL},
};

static const char *const policies[] = {WS_POLICIES(WS_POLICY_SETTING) NULL};

static Engine *random_engine(guint64 seed)
{
    guint64 round = seed / G_N_ELEMENTS(machines);
    const char *const *machine = machines[seed % G_N_ELEMENTS(machines)];
    g_autofree char *policy = g_strconcat("policy=", policies[round % WS_POLICY_COUNT], NULL);
    const char *settings[5] = {policy, machine[1], machine[1] ? machine[2] : NULL,
                               machine[1] && machine[2] ? machine[3] : NULL, NULL};
    guint threads = 40 + 24 * (guint)(seed % 7), blocks = 1 + (guint)(seed % 5);
    g_autofree char *text = random_kernel(seed, threads, blocks);
    Engine *e = engine_new(machine[0], settings, text, blocks, threads,
                           threads * blocks * RANDOM_KERNEL_WORDS);

    e->options.max_cycles = 200000;
    e->options.observers = NULL;
    return e;
}

static void go(WsTimeline *timeline, guint64 cycle)
{
    GError *error = NULL;

    ck_assert(ws_timeline_go(timeline, cycle, &error));
    ck_assert_ptr_null(error);
}

START_TEST(every_way_leads_to_the_same)
{
    guint64 seed = (guint64)_i, end, cycles[CYCLES], digests[CYCLES];
    Engine *e = random_engine(seed);
    gsize bytes = e->job->buffers[0].bytes;
    WsTimeline *timeline = ws_timeline_new(e->job, &e->options, 1 << 20, NULL);

    go(timeline, G_MAXUINT64);
    end = ws_timeline_end(timeline);
    ck_assert_uint_eq(ws_timeline_cycle(timeline), end);
    ck_assert_int_eq(ws_timeline_status(timeline), WS_STATUS_OK);
    for (guint i = 0; i < CYCLES; i++)
        cycles[i] = ws_split_mix(seed, i) % (end + 1);
    for (guint i = 0; i < CYCLES; i++) { /* back and forth */
        go(timeline, cycles[i]);
        ck_assert_uint_eq(ws_timeline_cycle(timeline), cycles[i]);
        digests[i] = ws_timeline_digest(timeline);
    }
    go(timeline, 0);
    for (guint64 cycle = 0; cycle <= MIN(end, 300); cycle++) /* cycle by cycle */
        go(timeline, cycle);
    for (guint i = CYCLES; i-- > 0;) {
        go(timeline, cycles[i]);
        ck_assert_uint_eq(ws_timeline_digest(timeline), digests[i]);
    }
    ws_timeline_free(timeline);
    for (guint i = 0; i < CYCLES; i += 10) { /* straight */
        memset(engine_words(e), 0, bytes);
        timeline = ws_timeline_new(e->job, &e->options, WS_TIMELINE_BYTES, NULL);
        go(timeline, cycles[i]);
        ck_assert_uint_eq(ws_timeline_digest(timeline), digests[i]);
        ws_timeline_free(timeline);
    }
    engine_free(e);
}
END_TEST

/* As many back as forward, of each kind of move, from a place that the move led to. */
START_TEST(back_undoes_forward)
{
    guint64 seed = (guint64)_i;
    Engine *e = random_engine(seed);
    WsSession *session = ws_session_new(e->job, &e->options, WS_TIMELINE_BYTES, NULL);
    WsTimeline *timeline = ws_session_timeline(session);
    guint32 warps = (e->job->launches[0].block[0] + 31) / 32;

    ws_session_focus(session)->warp = (guint32)(ws_split_mix(seed, 7) % warps);
    for (guint move = 0; move < WS_MOVE_COUNT; move++) {
        guint64 cycles[MOVES + 1];
        WsArrival arrival;
        guint made = 0;

        go(timeline, 0);
        cycles[0] = 0;
        for (guint i = 0; i < MOVES; i++) {
            ck_assert(ws_session_move(session, (WsMove)move, 1, &arrival, NULL));
            if (arrival.kind != WS_ARRIVED_THERE)
                break;
            cycles[++made] = ws_timeline_cycle(timeline);
            ck_assert_uint_gt(cycles[made], cycles[made - 1]);
        }
        while (made > 1) {
            go(timeline, cycles[made]);
            ck_assert(ws_session_move(session, (WsMove)move, -1, &arrival, NULL));
            ck_assert_msg(ws_timeline_cycle(timeline) == cycles[made - 1],
                          "seed %" G_GUINT64_FORMAT " %s: back from %" G_GUINT64_FORMAT
                          " leads to %" G_GUINT64_FORMAT ", not %" G_GUINT64_FORMAT,
                          seed, ws_move_name((WsMove)move), cycles[made],
                          ws_timeline_cycle(timeline), cycles[made - 1]);
            ck_assert_int_eq(arrival.kind, WS_ARRIVED_THERE);
            made--;
        }
        go(timeline, cycles[made]);
        ck_assert(ws_session_move(session, (WsMove)move, -1, &arrival, NULL));
        ck_assert_uint_eq(ws_timeline_cycle(timeline), 0);
    }
    ws_session_free(session);
    engine_free(e);
}
END_TEST

/* The first event of any warp is the first of all warps' first ones, and the focus goes to its
 * warp. */
START_TEST(any_warp_is_the_first_of_all)
{
    static const WsMove moves[] = {WS_MOVE_STEP, WS_MOVE_DIVERGE, WS_MOVE_RESPONSE, WS_MOVE_EXIT};
    Engine *e = random_engine((guint64)_i);
    WsSession *session = ws_session_new(e->job, &e->options, WS_TIMELINE_BYTES, NULL);
    WsTimeline *timeline = ws_session_timeline(session);
    const WsLaunch *launch = &e->job->launches[0];
    guint32 warps = (launch->block[0] + 31) / 32;
    guint64 begin = ws_split_mix((guint64)_i, 3) % 600;

    for (guint i = 0; i < G_N_ELEMENTS(moves); i++) {
        guint64 first = WS_NEVER;
        WsArrival arrival;
        WsFocus found;

        for (guint32 k = 0; k < launch->grid[0] * warps; k++) {
            *ws_session_focus(session) = (WsFocus){.block = k / warps, .warp = k % warps};
            go(timeline, begin);
            ck_assert(ws_session_move(session, moves[i], 1, &arrival, NULL));
            if (arrival.kind == WS_ARRIVED_THERE)
                first = MIN(first, ws_timeline_cycle(timeline));
        }
        go(timeline, begin);
        ck_assert(ws_session_move_any(session, moves[i], 1, &arrival, NULL));
        ck_assert_int_eq(arrival.kind == WS_ARRIVED_THERE, first != WS_NEVER);
        if (first == WS_NEVER)
            continue;
        ck_assert_uint_eq(ws_timeline_cycle(timeline), first);
        found = *ws_session_focus(session);
        go(timeline, begin);
        ck_assert(ws_session_move(session, moves[i], 1, &arrival, NULL));
        ck_assert_uint_eq(ws_timeline_cycle(timeline), first);
        if (ws_session_place(session).sm != NULL)
            ck_assert_uint_eq(ws_session_place(session).sm->number, arrival.event.sm);
        ck_assert_uint_eq(found.block, arrival.event.block);
    }
    ws_session_free(session);
    engine_free(e);
}
END_TEST

/* ---- stops --------------------------------------------------------------------------------------
 */

static gboolean always(void *data)
{
    return TRUE;
}

/* Every so many times that it is asked. */
typedef struct {
    guint every, asked;
} Patience;

static gboolean sometimes(void *data)
{
    Patience *patience = data;

    return ++patience->asked % patience->every == 0;
}

/* Cycles at which the session stops at breakpoints, up to the end. */
static GArray *stops_of(WsSession *session)
{
    GArray *cycles = g_array_new(FALSE, FALSE, sizeof(guint64));
    WsTimeline *timeline = ws_session_timeline(session);
    WsArrival arrival = {0};

    go(timeline, 0);
    while (arrival.kind != WS_ARRIVED_END && cycles->len < 100) {
        guint64 cycle;

        ck_assert(ws_session_continue(session, FALSE, 0, &arrival, NULL));
        cycle = ws_timeline_cycle(timeline);
        if (arrival.kind == WS_ARRIVED_BREAKPOINT)
            g_array_append_val(cycles, cycle);
    }
    return cycles;
}

static void assert_same(const GArray *a, const GArray *b)
{
    ck_assert_uint_eq(a->len, b->len);
    ck_assert_mem_eq(a->data, b->data, a->len * sizeof(guint64));
}

/* The first stop behind a cycle that is as far before it as memory is watched in one go. */
static void assert_found_at_the_end_of_a_stride(WsSession *session, const GArray *stops)
{
    for (guint i = 0; i < stops->len; i++) {
        guint64 cycle = g_array_index(stops, guint64, i);
        WsArrival arrival;

        if (cycle < STRIDE || (i > 0 && g_array_index(stops, guint64, i - 1) > cycle - STRIDE))
            continue;
        go(ws_session_timeline(session), cycle - STRIDE);
        do
            ck_assert(ws_session_continue(session, FALSE, 0, &arrival, NULL));
        while (arrival.kind == WS_ARRIVED_WATCH);
        ck_assert_int_eq(arrival.kind, WS_ARRIVED_BREAKPOINT);
        ck_assert_uint_eq(ws_timeline_cycle(ws_session_timeline(session)), cycle);
    }
}

/* Neither watching memory, which goes in strides, nor interruptions hide a breakpoint. */
START_TEST(no_stop_is_lost)
{
    guint64 seed = (guint64)_i;
    Engine *e = random_engine(seed);
    WsSession *session = ws_session_new(e->job, &e->options, WS_TIMELINE_BYTES, NULL);
    g_autofree char *place = g_strdup_printf("*%u", e->job->program->instruction_count / 2);
    WsBreakpoint *watch = g_new0(WsBreakpoint, 1);
    g_autoptr(GArray) plain = NULL, interrupted = NULL, watched = NULL, again = NULL;
    Patience patience = {.every = 3};

    ws_session_add_breakpoint(session,
                              ws_breakpoint_parse(ws_session_timeline(session), place, NULL));
    plain = stops_of(session);
    ws_timeline_set_interrupt(ws_session_timeline(session), always, NULL);
    interrupted = stops_of(session);
    ws_timeline_set_interrupt(ws_session_timeline(session), NULL, NULL);
    watch->kind = WS_STOP_GLOBAL;
    watch->address = e->job->buffers[0].address;
    watch->bytes = 4;
    ws_session_add_breakpoint(session, watch);
    watched = stops_of(session);
    assert_same(plain, interrupted);
    assert_same(plain, watched);
    if (seed % 4 == 0) {
        ws_timeline_set_interrupt(ws_session_timeline(session), sometimes, &patience);
        again = stops_of(session);
        ws_timeline_set_interrupt(ws_session_timeline(session), NULL, NULL);
        assert_same(plain, again);
    }
    assert_found_at_the_end_of_a_stride(session, plain);
    ws_session_free(session);
    engine_free(e);
}
END_TEST

/* Where an interruption leaves the session is a cycle like any other, and the move goes on. */
START_TEST(interrupted_moves_go_on)
{
    guint64 seed = (guint64)_i, end, digest;
    Engine *e = random_engine(seed);
    WsSession *session = ws_session_new(e->job, &e->options, WS_TIMELINE_BYTES, NULL);
    WsTimeline *timeline = ws_session_timeline(session);
    guint interruptions = 0;
    WsArrival arrival;

    go(timeline, G_MAXUINT64);
    end = ws_timeline_end(timeline);
    digest = ws_timeline_digest(timeline);
    ws_session_free(session);
    memset(engine_words(e), 0, e->job->buffers[0].bytes);
    session = ws_session_new(e->job, &e->options, WS_TIMELINE_BYTES, NULL);
    timeline = ws_session_timeline(session);
    ws_timeline_set_interrupt(timeline, always, NULL);
    for (;;) {
        guint64 cycle = ws_timeline_cycle(timeline);

        ck_assert(ws_session_go(session, end, &arrival, NULL));
        if (arrival.kind != WS_ARRIVED_INTERRUPTED)
            break;
        ck_assert_uint_gt(ws_timeline_cycle(timeline), cycle);
        ck_assert_uint_lt(ws_timeline_cycle(timeline), end);
        interruptions++;
    }
    ck_assert_uint_eq(interruptions, (end - 1) / STRIDE); /* asked behind the first states */
    ck_assert_int_eq(arrival.kind, WS_ARRIVED_THERE);
    ck_assert_uint_eq(ws_timeline_cycle(timeline), end);
    ck_assert_uint_eq(ws_timeline_digest(timeline), digest);
    go(timeline, 0);
    ck_assert(ws_session_move(session, WS_MOVE_ISSUE, 1000, &arrival, NULL));
    ck_assert_int_eq(arrival.kind, WS_ARRIVED_INTERRUPTED);
    ck_assert_uint_ge(arrival.left, 999);
    ws_session_free(session);
    engine_free(e);
}
END_TEST

/* ---- back to a limit --------------------------------------------------------------------------
 */

static guint64 find_any(void *data, const WsSm *sm, const WsTraceEvent *event)
{
    guint64 *earliest = data;

    *earliest = MIN(*earliest, event->cycle);
    return event->cycle;
}

static guint64 find_none(void *data, const WsSm *sm, const WsTraceEvent *event)
{
    guint64 *earliest = data;

    *earliest = MIN(*earliest, event->cycle);
    return WS_NEVER;
}

/* A search back finds what is at its limit, nothing before it, and does not look much further. */
START_TEST(search_back_keeps_to_its_limit)
{
    enum { STATES = 4 }; /* where the host's time let so many be saved */
    Engine *e = random_engine((guint64)_i);
    WsTimeline *timeline = ws_timeline_new(e->job, &e->options, WS_TIMELINE_BYTES, NULL);
    guint64 earliest = G_MAXUINT64, end, first, last, before;
    WsQuery query = {.kinds = WS_TRACE_BIT(ISSUE), .find = find_any, .data = &earliest};
    WsFinding finding;

    ck_assert(ws_timeline_find(timeline, &query, &finding, NULL));
    first = finding.cycle;
    go(timeline, G_MAXUINT64);
    end = ws_timeline_end(timeline);
    ck_assert(ws_timeline_find_back(timeline, &query, &finding, NULL));
    ck_assert(finding.found);
    last = finding.cycle;
    ck_assert(ws_timeline_find_back(timeline, &query, &finding, NULL));
    ck_assert(finding.found);
    before = finding.cycle;
    ck_assert_uint_lt(before, last);

    go(timeline, last);
    query.limit = before; /* at the limit: found */
    ck_assert(ws_timeline_find_back(timeline, &query, &finding, NULL));
    ck_assert(finding.found);
    ck_assert_uint_eq(ws_timeline_cycle(timeline), before);

    go(timeline, last);
    query.limit = before + 1; /* behind it: not, and there the search ends */
    ck_assert(ws_timeline_find_back(timeline, &query, &finding, NULL));
    ck_assert(!finding.found);
    ck_assert_uint_eq(ws_timeline_cycle(timeline), before + 1);

    go(timeline, end);
    query.find = find_none;
    query.limit = end - 1;
    earliest = G_MAXUINT64;
    ck_assert(ws_timeline_find_back(timeline, &query, &finding, NULL));
    ck_assert(!finding.found);
    ck_assert_uint_eq(ws_timeline_cycle(timeline), end - 1);
    if (ws_timeline_states(timeline, &(gsize){0}) >= STATES)
        ck_assert_uint_gt(earliest, first);
    ws_timeline_free(timeline);
    engine_free(e);
}
END_TEST

static void add_tests(TCase *cases)
{
    tcase_set_timeout(cases, 60);
    tcase_add_loop_test(cases, every_way_leads_to_the_same, 0,
                        G_N_ELEMENTS(machines) * WS_POLICY_COUNT);
    tcase_add_loop_test(cases, back_undoes_forward, 0, G_N_ELEMENTS(machines) * 3);
    tcase_add_loop_test(cases, any_warp_is_the_first_of_all, 0, G_N_ELEMENTS(machines));
    tcase_add_loop_test(cases, no_stop_is_lost, 0, G_N_ELEMENTS(machines) * 4);
    tcase_add_loop_test(cases, interrupted_moves_go_on, 0, G_N_ELEMENTS(machines) * 2);
    tcase_add_loop_test(cases, search_back_keeps_to_its_limit, 0, G_N_ELEMENTS(machines) * 2);
}

int main(void)
{
    return run_suite("timeline", add_tests);
}
