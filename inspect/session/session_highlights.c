/* Going to what of the run is worth looking at first. */
#include "inspect/session/session_state.h"

static guint64 note_event(void *data, const WsSm *sm, const WsTraceEvent *event)
{
    const WsSession *session = data;
    const WsObserver *observer = ws_highlights_observer(session->highlights);
    WsTraceLaunch launch = {.number =
                                ws_simulation_launch(ws_timeline_simulation(session->timeline))};

    if (event->kind == WS_TRACE_WARP_BEGIN)
        observer->launch_begin(observer->data, &launch);
    observer->event(observer->data, event);
    return WS_NEVER;
}

/* Warps that are there at the first cycle began before anything is told. */
static void note_first_warps(WsSession *session)
{
    guint32 count;
    WsSm *const *sms = ws_simulation_sms(ws_timeline_simulation(session->timeline), &count);

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

            note_event(session, sms[i], &event);
        }
}

/* Watches the run from its first cycle to its end, and comes back. */
static gboolean watch(WsSession *session, gboolean *ret_interrupted, GError **error)
{
    WsTimeline *timeline = session->timeline;
    guint64 here = ws_timeline_cycle(timeline);
    WsQuery query = {.kinds = ws_highlights_observer(session->highlights)->kinds,
                     .find = note_event,
                     .data = session,
                     .here = TRUE};
    WsFinding finding;

    if (!ws_timeline_go(timeline, 0, error))
        return FALSE;
    note_first_warps(session);
    if (!ws_timeline_find(timeline, &query, &finding, error))
        return FALSE;
    *ret_interrupted = finding.interrupted;
    if (!finding.interrupted)
        ws_highlights_finish(session->highlights, ws_timeline_end(timeline),
                             ws_timeline_status(timeline), ws_timeline_stop(timeline));
    return ws_timeline_go(timeline, here, error);
}

gboolean ws_session_find_highlights(WsSession *session, const WsHighlights **ret, GError **error)
{
    const WsDevice *device = session->job->device;
    gboolean interrupted = FALSE;

    if (session->highlights == NULL) {
        session->highlights =
            ws_highlights_new((guint32)device->sms, (guint32)device->max_warps_per_sm);
        if (!watch(session, &interrupted, error) || interrupted)
            g_clear_pointer(&session->highlights, ws_highlights_free);
        if (interrupted)
            ws_set_error(error, WS_ERROR_USAGE,
                         "interrupted: where to look is known once the whole run has been seen");
    }
    *ret = session->highlights;
    return session->highlights != NULL;
}

gboolean ws_session_go_to_highlight(WsSession *session, WsHighlightKind kind, WsArrival *ret,
                                    GError **error)
{
    const WsHighlights *highlights;
    const WsHighlight *highlight;
    gboolean split = kind == WS_HIGHLIGHT_FIRST_SPLIT || kind == WS_HIGHLIGHT_WORST_DIVERGENCE;

    if (!ws_session_find_highlights(session, &highlights, error))
        return FALSE;
    highlight = ws_highlights_at(highlights, kind);
    if (!highlight->there) {
        ws_set_error(error, WS_ERROR_USAGE, "%s: nothing of the kind happens in this run",
                     ws_highlight_name(kind));
        return FALSE;
    }
    if (kind == WS_HIGHLIGHT_FAILURE)
        return ws_session_go_to_fault(session, ret, error);
    session->focus = (WsFocus){.block = highlight->block, .warp = highlight->warp_in_block};
    /* Behind the branch, where its effect shows. */
    return ws_session_go(session, highlight->cycle + (split ? 1 : 0), ret, error);
}
