#include "inspect/session/session_quiz.h"

#include "inspect/session/session_watch.h"

WsQuiz *ws_session_make_quiz(WsSession *session, GError **error)
{
    const WsHighlights *highlights;
    WsHighlightKind lead;
    g_autoptr(WsQuiz) quiz = NULL;

    if (!ws_session_find_highlights(session, &highlights, error))
        return NULL;
    lead = ws_highlights_lead(highlights);
    quiz = ws_quiz_new(lead != WS_HIGHLIGHT_COUNT ? ws_highlights_at(highlights, lead)->sm : 0,
                       (guint32)ws_session_job(session)->device->max_warps_per_sm);
    if (!ws_session_watch(session, ws_quiz_observer(quiz), error))
        return NULL;
    ws_quiz_finish(quiz);
    return g_steal_pointer(&quiz);
}
