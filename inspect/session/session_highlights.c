/* Going to what of the run is worth looking at first. */
#include "inspect/session/session_state.h"
#include "inspect/session/session_watch.h"

gboolean ws_session_find_highlights(WsSession *session, const WsHighlights **ret, GError **error)
{
    const WsDevice *device = session->job->device;
    g_autoptr(WsHighlights) found = NULL;

    if (session->highlights == NULL) {
        found = ws_highlights_new((guint32)device->sms, (guint32)device->max_warps_per_sm);
        if (!ws_session_watch(session, ws_highlights_observer(found), error))
            return FALSE;
        ws_highlights_finish(found, ws_timeline_end(session->timeline),
                             ws_timeline_status(session->timeline),
                             ws_timeline_stop(session->timeline));
        session->highlights = g_steal_pointer(&found);
    }
    *ret = session->highlights;
    return TRUE;
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
        ws_set_error(error, WS_ERROR_USAGE, "%s: there is no such event in this run",
                     ws_highlight_name(kind));
        return FALSE;
    }
    if (kind == WS_HIGHLIGHT_FAILURE)
        return ws_session_go_to_fault(session, ret, error);
    session->focus = (WsFocus){.block = highlight->block, .warp = highlight->warp_in_block};
    /* Behind the branch, where its effect shows. */
    return ws_session_go(session, highlight->cycle + (split ? 1 : 0), ret, error);
}
