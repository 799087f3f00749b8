#include "inspect/session/session_watch.h"

#include "inspect/session/session_state.h"

typedef struct {
    WsSession *session;
    const WsObserver *observer;
} Watch;

static guint64 tell(void *data, const WsSm *sm, const WsTraceEvent *event)
{
    const Watch *watch = data;
    WsTraceLaunch launch = {
        .number = ws_simulation_launch(ws_timeline_simulation(watch->session->timeline))};

    if (event->kind == WS_TRACE_WARP_BEGIN)
        watch->observer->launch_begin(watch->observer->data, &launch);
    watch->observer->event(watch->observer->data, event);
    return WS_NEVER;
}

/* Warps that are there at the first cycle began before anything is told. */
static void report_first_warps(Watch *watch)
{
    guint32 count;
    WsSm *const *sms = ws_simulation_sms(ws_timeline_simulation(watch->session->timeline), &count);

    for (guint32 i = 0; i < count; i++)
        for (guint64 rest = sms[i]->state->resident; rest != 0; rest &= rest - 1) {
            guint32 slot = (guint32)__builtin_ctzll(rest);
            WsFocus focus = ws_focus_of(sms[i], slot);
            WsTraceEvent event = {.kind = WS_TRACE_WARP_BEGIN,
                                  .sm = sms[i]->number,
                                  .warp = (guint16)slot,
                                  .block = focus.block,
                                  .warp_in_block = focus.warp,
                                  .cycle = sms[i]->state->warps[slot].resident_since};

            tell(watch, sms[i], &event);
        }
}

gboolean ws_session_watch(WsSession *session, const WsObserver *observer, GError **error)
{
    WsTimeline *timeline = session->timeline;
    guint64 here = ws_timeline_cycle(timeline);
    Watch watch = {session, observer};
    WsQuery query = {.kinds = observer->kinds, .find = tell, .data = &watch, .here = TRUE};
    WsFinding finding;

    if (!ws_timeline_go(timeline, 0, error))
        return FALSE;
    report_first_warps(&watch);
    if (!ws_timeline_find(timeline, &query, &finding, error) ||
        !ws_timeline_go(timeline, here, error))
        return FALSE;
    if (finding.interrupted)
        ws_set_error(error, WS_ERROR_USAGE, "interrupted: all of the run has to be seen for this");
    return !finding.interrupted;
}
