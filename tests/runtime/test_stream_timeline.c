/* When operations of streams begin and end, by hand. */
#include "runtime/timeline.h"
#include "tests/support/suite.h"

/* Copies to the device take 1 + 1 ms per byte, from it 2 ms per byte, pageable ones 3, fills 4. */
static void set_up(WsTimeline *timeline)
{
    ws_timeline_init(timeline);
    timeline->costs[WS_TRANSFER_TO_DEVICE].start = 1;
    timeline->costs[WS_TRANSFER_TO_DEVICE].byte = 1;
    timeline->costs[WS_TRANSFER_TO_HOST].byte = 2;
    timeline->costs[WS_TRANSFER_PAGEABLE_TO_DEVICE].byte = 3;
    timeline->costs[WS_TRANSFER_FILL].byte = 4;
}

static void free_timeline(WsTimeline *timeline)
{
    g_ptr_array_unref(timeline->streams);
    g_array_unref(timeline->grids);
}

static void copy_in(WsTimeline *timeline, WsStreamClock *clock, WsTransfer transfer, guint64 bytes)
{
    timeline->current = clock;
    ws_timeline_move(timeline, transfer, bytes);
    ws_timeline_end_call(timeline);
}

static void launch_in(WsTimeline *timeline, WsStreamClock *clock, double time, double share)
{
    timeline->current = clock;
    ws_timeline_launch(timeline, time, share);
    ws_timeline_end_call(timeline);
}

START_TEST(test_one_stream)
{
    WsTimeline timeline;
    WsStreamClock a = {.is_blocking = TRUE};
    set_up(&timeline);
    ws_timeline_add(&timeline, &a);
    copy_in(&timeline, &a, WS_TRANSFER_TO_DEVICE, 4);
    ck_assert_double_eq(a.end, 5);
    launch_in(&timeline, &a, 10, 1);
    ck_assert_double_eq(a.end, 15);
    copy_in(&timeline, &a, WS_TRANSFER_TO_HOST, 4);
    ck_assert_double_eq(a.end, 23);
    copy_in(&timeline, &a, WS_TRANSFER_FILL, 1);
    ck_assert_double_eq(a.end, 27);
    ck_assert_double_eq(timeline.host, 0);
    ck_assert_double_eq(timeline.last, 27);
    ws_timeline_wait(&timeline);
    ck_assert_double_eq(timeline.host, 27);
    free_timeline(&timeline);
}
END_TEST

/* The bytes of a call are one operation; the host waits for it where the call does. */
START_TEST(test_a_call)
{
    WsTimeline timeline;
    set_up(&timeline);
    ws_timeline_move(&timeline, WS_TRANSFER_TO_DEVICE, 2);
    ws_timeline_move(&timeline, WS_TRANSFER_TO_DEVICE, 3);
    timeline.waits = TRUE;
    ws_timeline_end_call(&timeline);
    ck_assert_double_eq(timeline.legacy.end, 6);
    ck_assert_double_eq(timeline.host, 6);
    ws_timeline_end_call(&timeline); /* nothing more */
    ck_assert_double_eq(timeline.last, 6);
    copy_in(&timeline, &timeline.legacy, WS_TRANSFER_TO_DEVICE, 1);
    ck_assert_double_eq(timeline.legacy.end, 8);
    ck_assert_double_eq(timeline.host, 6);
    copy_in(&timeline, &timeline.legacy, WS_TRANSFER_PAGEABLE_TO_DEVICE, 1); /* waits by itself */
    ck_assert_double_eq(timeline.host, 11);
    timeline.in_graph = TRUE;
    timeline.waits = TRUE;
    copy_in(&timeline, &timeline.legacy, WS_TRANSFER_PAGEABLE_TO_DEVICE, 1);
    ck_assert_double_eq(timeline.legacy.end, 14);
    ck_assert_double_eq(timeline.host, 11);
    free_timeline(&timeline);
}
END_TEST

/* Each direction has one engine, whatever the stream. */
START_TEST(test_engines)
{
    WsTimeline timeline;
    WsStreamClock a = {.is_blocking = TRUE}, b = a, c = a;
    set_up(&timeline);
    copy_in(&timeline, &a, WS_TRANSFER_TO_DEVICE, 9);
    copy_in(&timeline, &b, WS_TRANSFER_TO_DEVICE, 9);
    copy_in(&timeline, &c, WS_TRANSFER_TO_HOST, 9);
    ck_assert_double_eq(a.end, 10);
    ck_assert_double_eq(b.end, 20);
    ck_assert_double_eq(c.end, 18);
    copy_in(&timeline, &c, WS_TRANSFER_PAGEABLE_TO_DEVICE, 1); /* by the first engine as well */
    ck_assert_double_eq(c.end, 23);
    free_timeline(&timeline);
}
END_TEST

START_TEST(test_legacy_stream)
{
    WsTimeline timeline;
    WsStreamClock a = {.is_blocking = TRUE}, free_one = {.is_blocking = FALSE};
    set_up(&timeline);
    ws_timeline_add(&timeline, &a);
    ws_timeline_add(&timeline, &free_one);
    launch_in(&timeline, &a, 10, 0.1);
    launch_in(&timeline, &free_one, 100, 0.1);
    launch_in(&timeline, &timeline.legacy, 1, 0.1); /* behind a, beside the other */
    ck_assert_double_eq(timeline.legacy.end, 11);
    launch_in(&timeline, &a, 1, 0.1);
    ck_assert_double_eq(a.end, 12);
    launch_in(&timeline, &timeline.per_thread, 1, 0.1); /* behind the legacy one, beside a */
    ck_assert_double_eq(timeline.per_thread.end, 12);
    launch_in(&timeline, &free_one, 1, 0.1);
    ck_assert_double_eq(free_one.end, 101);
    launch_in(&timeline, &a, 50, 0.1);
    ws_timeline_remove(&timeline, &a); /* what is in it goes on */
    ck_assert_double_eq(ws_timeline_ready(&timeline, &timeline.legacy), 62);
    ck_assert_double_eq(ws_timeline_ready(&timeline, &timeline.per_thread), 12);
    free_timeline(&timeline);
}
END_TEST

START_TEST(test_grids_share_the_device)
{
    WsTimeline timeline;
    WsStreamClock clocks[5] = {{.end = 0}};
    set_up(&timeline);
    launch_in(&timeline, &clocks[0], 10, 0.5);
    launch_in(&timeline, &clocks[1], 4, 0.5);
    ck_assert_double_eq(clocks[1].end, 4); /* both fit */
    launch_in(&timeline, &clocks[2], 3, 0.5);
    ck_assert_double_eq(clocks[2].end, 7); /* behind the shorter one */
    launch_in(&timeline, &clocks[3], 1, 1);
    ck_assert_double_eq(clocks[3].end, 11); /* alone */
    launch_in(&timeline, &clocks[4], 1, 0.1);
    ck_assert_double_eq(clocks[4].end, 12); /* grids begin in the order of launches */
    free_timeline(&timeline);
}
END_TEST

START_TEST(test_grids_at_once)
{
    WsTimeline timeline;
    WsStreamClock clocks[WS_GRIDS_AT_ONCE + 2] = {{.end = 0}};
    set_up(&timeline);
    for (guint i = 0; i < WS_GRIDS_AT_ONCE; i++) {
        launch_in(&timeline, &clocks[i], 10 + i, 0.001);
        ck_assert_double_eq(clocks[i].end, 10 + i);
    }
    launch_in(&timeline, &clocks[WS_GRIDS_AT_ONCE], 1, 0.001);
    ck_assert_double_eq(clocks[WS_GRIDS_AT_ONCE].end, 11);
    launch_in(&timeline, &clocks[WS_GRIDS_AT_ONCE + 1], 1, 0.001);
    ck_assert_double_eq(clocks[WS_GRIDS_AT_ONCE + 1].end, 12);
    ws_timeline_wait_until(&timeline, 500);
    launch_in(&timeline, &clocks[0], 1, 1);
    ck_assert_double_eq(clocks[0].end, 501); /* not before the host has made it */
    free_timeline(&timeline);
}
END_TEST

static void add_tests(TCase *cases)
{
    tcase_add_test(cases, test_one_stream);
    tcase_add_test(cases, test_a_call);
    tcase_add_test(cases, test_engines);
    tcase_add_test(cases, test_legacy_stream);
    tcase_add_test(cases, test_grids_share_the_device);
    tcase_add_test(cases, test_grids_at_once);
}

int main(void)
{
    return run_suite("stream_timeline", add_tests);
}
