#include "runtime/timeline.h"

enum { ENGINE_TO_DEVICE, ENGINE_TO_HOST, ENGINE_ON_DEVICE };

/* A grid that was launched. */
typedef struct {
    double end, share;
} Grid;

static const struct {
    guint engine;
    gboolean host_waits; /* the host copies, whatever the call says */
} transfers[WS_TRANSFERS] = {
    [WS_TRANSFER_TO_DEVICE] = {ENGINE_TO_DEVICE, FALSE},
    [WS_TRANSFER_TO_HOST] = {ENGINE_TO_HOST, FALSE},
    [WS_TRANSFER_PAGEABLE_TO_DEVICE] = {ENGINE_TO_DEVICE, TRUE},
    [WS_TRANSFER_PAGEABLE_TO_HOST] = {ENGINE_TO_HOST, TRUE},
    [WS_TRANSFER_ON_DEVICE] = {ENGINE_ON_DEVICE, FALSE},
    [WS_TRANSFER_FILL] = {ENGINE_ON_DEVICE, FALSE},
};

void ws_timeline_init(WsTimeline *timeline)
{
    *timeline = (WsTimeline){.legacy.is_blocking = TRUE,
                             .per_thread.is_blocking = TRUE,
                             .streams = g_ptr_array_new(),
                             .grids = g_array_new(FALSE, FALSE, sizeof(Grid))};
    timeline->current = &timeline->legacy;
    ws_timeline_add(timeline, &timeline->per_thread);
}

void ws_timeline_add(WsTimeline *timeline, WsStreamClock *clock)
{
    g_ptr_array_add(timeline->streams, clock);
}

/* What was issued in it goes on. */
void ws_timeline_remove(WsTimeline *timeline, WsStreamClock *clock)
{
    g_ptr_array_remove_fast(timeline->streams, clock);
    if (clock->is_blocking)
        timeline->retired = MAX(timeline->retired, clock->end);
    if (timeline->current == clock)
        timeline->current = &timeline->legacy;
}

double ws_timeline_ready(const WsTimeline *timeline, const WsStreamClock *clock)
{
    double ready = MAX(timeline->host, clock->end);
    if (clock == &timeline->legacy) {
        ready = MAX(ready, timeline->retired);
        for (guint i = 0; i < timeline->streams->len; i++) {
            const WsStreamClock *other = timeline->streams->pdata[i];
            ready = other->is_blocking ? MAX(ready, other->end) : ready;
        }
        return ready;
    }
    return clock->is_blocking ? MAX(ready, timeline->legacy.end) : ready;
}

static void end_at(WsTimeline *timeline, double end)
{
    timeline->current->end = end;
    timeline->last = MAX(timeline->last, end);
}

/* Removes the grid that ends first. Returns when. */
static double drop_first(GArray *grids)
{
    guint first = 0;
    for (guint i = 1; i < grids->len; i++)
        if (g_array_index(grids, Grid, i).end < g_array_index(grids, Grid, first).end)
            first = i;
    const double end = g_array_index(grids, Grid, first).end;
    g_array_remove_index_fast(grids, first);
    return end;
}

/* Share of the device that grids have which were launched before and end after `time`. */
static double share_after(const GArray *grids, double time)
{
    double share = 0;
    for (guint i = 0; i < grids->len; i++) {
        const Grid *grid = &g_array_index(grids, Grid, i);
        share += grid->end > time ? grid->share : 0;
    }
    return share;
}

/* The next end of a grid behind `time`. */
static double next_end(const GArray *grids, double time)
{
    double next = G_MAXDOUBLE;
    for (guint i = 0; i < grids->len; i++) {
        const double end = g_array_index(grids, Grid, i).end;
        next = end > time ? MIN(next, end) : next;
    }
    return next;
}

void ws_timeline_launch(WsTimeline *timeline, double milliseconds, double share)
{
    GArray *grids = timeline->grids;
    double begin = ws_timeline_ready(timeline, timeline->current);
    const double room = grids->len == WS_GRIDS_AT_ONCE ? drop_first(grids) : 0;
    begin = MAX(begin, room);
    double taken = share_after(grids, begin);
    while (taken > 0 && taken + share > 1 + 1e-9) { /* a sum of shares may be a little above 1 */
        begin = next_end(grids, begin);
        taken = share_after(grids, begin);
    }
    const Grid grid = {begin + milliseconds, share};
    g_array_append_val(grids, grid);
    end_at(timeline, grid.end);
}

static void transfer(WsTimeline *timeline, WsTransfer kind)
{
    double *engine = &timeline->engines[transfers[kind].engine];
    const double begin = MAX(ws_timeline_ready(timeline, timeline->current), *engine);
    const double bytes = (double)timeline->moved[kind];
    *engine = begin + timeline->costs[kind].start + bytes * timeline->costs[kind].byte;
    end_at(timeline, *engine);
    timeline->moved[kind] = 0;
    if (transfers[kind].host_waits && !timeline->in_graph)
        ws_timeline_wait_until(timeline, *engine);
}

void ws_timeline_end_call(WsTimeline *timeline)
{
    for (guint kind = 0; kind < WS_TRANSFERS; kind++)
        if (timeline->moved[kind] > 0)
            transfer(timeline, kind);
    if (timeline->waits && !timeline->in_graph)
        ws_timeline_wait_until(timeline, ws_timeline_ready(timeline, timeline->current));
    timeline->waits = FALSE;
}

void ws_timeline_wait_until(WsTimeline *timeline, double milliseconds)
{
    timeline->host = MAX(timeline->host, milliseconds);
}

void ws_timeline_wait(WsTimeline *timeline)
{
    ws_timeline_wait_until(timeline, timeline->last);
}
