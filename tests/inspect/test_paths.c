/* Stack entries and convergence barriers of a warp, at cycles where its lanes have parted. */
#include <check.h>

#include "inspect/session/paths.h"
#include "inspect/session/session.h"
#include "tests/support/engine_fixture.h"
#include "tests/support/suite.h"

enum { LANES = 32 };

static const guint64 ALL = 0xffffffff, SIDE_A = 0x00ffffff, SIDE_B = 0xff000000;

static WsSession *open_at_split(Engine *e)
{
    WsSession *session = ws_session_new(e->job, &e->options, WS_TIMELINE_BYTES, NULL);
    WsArrival arrival;

    ck_assert(ws_session_move(session, WS_MOVE_DIVERGE, 1, &arrival, NULL));
    ck_assert_int_eq(arrival.kind, WS_ARRIVED_THERE);
    return session;
}

static Engine *load(const char *model)
{
    const char *settings[] = {model, NULL};
    Engine *e = engine_load("workloads/if_else/launch.yaml", settings, NULL);

    e->options.observers = NULL;
    return e;
}

START_TEST(stack_has_the_other_side_and_the_meeting)
{
    Engine *e = load("divergence.model=stack");
    WsSession *session = open_at_split(e);
    WsWarpPlace place = ws_session_place(session);
    WsStackEntry entries[WS_MAX_STACK];
    g_autoptr(GArray) groups = ws_warp_convergence(place.sm, place.slot);

    ck_assert(ws_has_stack(place.sm) && !ws_has_convergence(place.sm));
    ck_assert_uint_eq(groups->len, 0);
    ck_assert_uint_eq(ws_warp_stack(place.sm, place.slot, entries), 3);
    ck_assert_uint_eq(entries[0].lanes | entries[1].lanes, ALL);
    ck_assert(entries[0].lanes == SIDE_A || entries[0].lanes == SIDE_B);
    ck_assert_uint_eq(entries[0].lanes & entries[1].lanes, 0);
    ck_assert_uint_eq(entries[2].lanes, ALL);
    ck_assert_uint_eq(entries[0].stop, entries[2].pc);
    ck_assert_uint_eq(entries[1].stop, entries[2].pc);
    ck_assert_uint_eq(entries[2].stop, WS_NOWHERE);
    ws_session_free(session);
    engine_free(e);
}
END_TEST

START_TEST(a_barrier_holds_all_lanes_of_the_branch)
{
    Engine *e = load("divergence.model=its");
    WsSession *session = open_at_split(e);
    WsWarpPlace place = ws_session_place(session);
    WsStackEntry entries[WS_MAX_STACK];
    g_autoptr(GArray) groups = ws_warp_convergence(place.sm, place.slot);
    guint32 first, last;

    ck_assert(!ws_has_stack(place.sm) && ws_has_convergence(place.sm));
    ck_assert_uint_eq(ws_warp_stack(place.sm, place.slot, entries), 0);
    ck_assert_uint_eq(groups->len, 1);
    ck_assert_uint_eq(g_array_index(groups, WsConvergenceGroup, 0).lanes, ALL);
    ck_assert(ws_lane_instruction(place.sm, place.slot, 0, &first));
    ck_assert(ws_lane_instruction(place.sm, place.slot, LANES - 1, &last));
    ck_assert_uint_ne(first, last);
    ws_session_free(session);
    engine_free(e);
}
END_TEST

START_TEST(no_lane_is_anywhere_at_the_end)
{
    Engine *e = load("divergence.model=its");
    WsSession *session = open_at_split(e);
    WsArrival arrival;
    WsWarpPlace place;
    guint32 pc;

    ck_assert(ws_session_move(session, WS_MOVE_EXIT, 1, &arrival, NULL));
    place = ws_session_place(session);
    ck_assert_ptr_nonnull(place.sm);
    for (guint32 lane = 0; lane < LANES; lane++)
        ck_assert(!ws_lane_instruction(place.sm, place.slot, lane, &pc));
    ws_session_free(session);
    engine_free(e);
}
END_TEST

static void add_tests(TCase *cases)
{
    tcase_add_test(cases, stack_has_the_other_side_and_the_meeting);
    tcase_add_test(cases, a_barrier_holds_all_lanes_of_the_branch);
    tcase_add_test(cases, no_lane_is_anywhere_at_the_end);
}

int main(void)
{
    return run_suite("paths", add_tests);
}
