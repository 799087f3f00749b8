/*
 * Every launch file of every workload, under every divergence model and policy
 * (tests/support/workload_pairs.h), as a timeline: the state at 50 cycles is the same forward,
 * backward, out of order and straight from the start, and as many moves back as forward lead to
 * where one was, on at most two SMs:
 *
 *   test_workload_timelines WORKLOADS CYCLES [SHARE]
 */
#include <stdlib.h>

#include "inspect/session/session.h"
#include "sim/base/contents.h"
#include "tests/support/workload_pairs.h"

enum { CYCLES = 50, STRAIGHT = 2, MOVES = 6 };
enum { MOST_SMS = 2 }; /* the state of 132 takes long to hash */

/* So little that states are thinned out. */
#define STATE_BYTES ((gsize)4 << 20)

/* Cycles of a run, ascending, and the state at each. */
typedef struct {
    guint64 cycles[CYCLES], digests[CYCLES];
} Places;

static int compare(const void *a, const void *b)
{
    guint64 left = *(const guint64 *)a, right = *(const guint64 *)b;

    return (left > right) - (left < right);
}

/* NULL, or what the timeline shows at place `index` that it should not. */
static char *visit(WsTimeline *timeline, const Places *places, guint index, const char *way)
{
    g_autoptr(GError) error = NULL;
    guint64 cycle = places->cycles[index];

    if (!ws_timeline_go(timeline, cycle, &error))
        return g_strdup(error->message);
    if (ws_timeline_cycle(timeline) != cycle)
        return g_strdup_printf("%s: at cycle %" G_GUINT64_FORMAT ", not %" G_GUINT64_FORMAT, way,
                               ws_timeline_cycle(timeline), cycle);
    if (ws_timeline_digest(timeline) != places->digests[index])
        return g_strdup_printf("%s: cycle %" G_GUINT64_FORMAT " has another state", way, cycle);
    return NULL;
}

/* Fills in the places, on the way through the run. */
static char *go_forward(WsTimeline *timeline, guint64 end, guint64 seed, Places *ret)
{
    g_autoptr(GError) error = NULL;

    for (guint i = 0; i < CYCLES; i++)
        ret->cycles[i] = ws_split_mix(seed, i) % (end + 1);
    qsort(ret->cycles, CYCLES, sizeof *ret->cycles, compare);
    for (guint i = 0; i < CYCLES; i++) {
        if (!ws_timeline_go(timeline, ret->cycles[i], &error))
            return g_strdup(error->message);
        if (ws_timeline_cycle(timeline) != ret->cycles[i])
            return g_strdup_printf("forward: at cycle %" G_GUINT64_FORMAT
                                   ", not %" G_GUINT64_FORMAT,
                                   ws_timeline_cycle(timeline), ret->cycles[i]);
        ret->digests[i] = ws_timeline_digest(timeline);
    }
    return NULL;
}

/* Back from the end, and then from any place to any other. */
static char *go_about(WsTimeline *timeline, const Places *places, guint64 seed)
{
    g_autoptr(GError) error = NULL;
    char *problem = NULL;

    if (!ws_timeline_go(timeline, G_MAXUINT64, &error))
        return g_strdup(error->message);
    for (guint i = CYCLES; problem == NULL && i-- > 0;)
        problem = visit(timeline, places, i, "backward");
    for (guint i = 0; problem == NULL && i < CYCLES; i++)
        problem = visit(timeline, places, ws_split_mix(seed, CYCLES + i) % CYCLES, "out of order");
    return problem;
}

static char *go_straight(const JobStart *start, const WsRunOptions *options, const Places *places,
                         guint64 seed)
{
    char *problem = NULL;

    for (guint i = 0; problem == NULL && i < STRAIGHT; i++) {
        g_autoptr(GError) error = NULL;
        g_autoptr(WsTimeline) timeline = NULL;

        job_start_restore(start);
        timeline = ws_timeline_new(start->job, options, STATE_BYTES, &error);
        if (timeline == NULL)
            return g_strdup(error->message);
        problem = visit(timeline, places, ws_split_mix(seed, 2 * CYCLES + i) % CYCLES, "straight");
    }
    return problem;
}

/* From where the move leads once: as often as it can be made, up to MOVES times, and back. */
static char *move_and_back(WsSession *session, WsMove move)
{
    WsTimeline *timeline = ws_session_timeline(session);
    g_autoptr(GError) error = NULL;
    guint64 cycle, digest, last;
    gint64 made = 0;
    WsArrival arrival;

    if (!ws_session_move(session, move, 1, &arrival, &error))
        return g_strdup(error->message);
    cycle = ws_timeline_cycle(timeline);
    last = cycle;
    digest = ws_timeline_digest(timeline);
    while (arrival.kind == WS_ARRIVED_THERE && made < MOVES) {
        if (!ws_session_move(session, move, 1, &arrival, &error))
            return g_strdup(error->message);
        if (arrival.kind == WS_ARRIVED_THERE) {
            made++;
            last = ws_timeline_cycle(timeline);
        }
    }
    if (made == 0)
        return NULL;
    if (!ws_timeline_go(timeline, last, &error) || /* it may have come to the end of the run */
        !ws_session_move(session, move, -made, &arrival, &error))
        return g_strdup(error->message);
    if (ws_timeline_cycle(timeline) == cycle && ws_timeline_digest(timeline) == digest)
        return NULL;
    return g_strdup_printf("%s: %" G_GINT64_FORMAT " times on from cycle %" G_GUINT64_FORMAT
                           " and back lead to %" G_GUINT64_FORMAT,
                           ws_move_name(move), made, cycle, ws_timeline_cycle(timeline));
}

static char *make_moves(const JobStart *start, const WsRunOptions *options, const Places *places,
                        guint64 seed)
{
    g_autoptr(GError) error = NULL;
    g_autoptr(WsSession) session = NULL;
    WsMove moves[] = {WS_MOVE_STEP, (WsMove)(seed % WS_MOVE_COUNT)};
    WsArrival arrival;
    char *problem = NULL;

    job_start_restore(start);
    session = ws_session_new(start->job, options, STATE_BYTES, &error);
    if (session == NULL)
        return g_strdup(error->message);
    for (guint i = 0; problem == NULL && i < G_N_ELEMENTS(moves); i++) {
        if (!ws_timeline_go(ws_session_timeline(session), places->cycles[seed % (CYCLES / 4)],
                            &error) ||
            /* of one of the warps that issue next */
            !ws_session_move_any(session, WS_MOVE_STEP, 1 + (gint64)(seed % 20), &arrival, &error))
            return g_strdup(error->message);
        problem = move_and_back(session, moves[i]);
    }
    return problem;
}

static char *check_timeline(const JobStart *start, guint64 cycles, guint64 seed)
{
    g_autoptr(GError) error = NULL;
    g_autoptr(WsTimeline) timeline = NULL;
    WsRunOptions options;
    Places places;
    guint64 end;
    char *problem = NULL;

    ws_run_options_init(&options);
    options.max_cycles = cycles;
    timeline = ws_timeline_new(start->job, &options, STATE_BYTES, &error);
    if (timeline == NULL || !ws_timeline_go(timeline, G_MAXUINT64, &error))
        return g_strdup(error->message);
    end = ws_timeline_end(timeline);
    ws_timeline_free(timeline);
    job_start_restore(start);
    timeline = ws_timeline_new(start->job, &options, STATE_BYTES, &error);
    if (timeline == NULL)
        return g_strdup(error->message);
    problem = go_forward(timeline, end, seed, &places);
    if (problem == NULL)
        problem = go_about(timeline, &places, seed);
    if (problem == NULL)
        problem = go_straight(start, &options, &places, seed);
    if (problem == NULL)
        problem = make_moves(start, &options, &places, seed);
    return problem;
}

int main(int argc, char **argv)
{
    return workload_pairs_main(argc, argv, MOST_SMS, check_timeline);
}
