#include "inspect/session/selected_frame.h"

#include "inspect/session/paths.h"
#include "inspect/session/session_state.h"

GArray *ws_session_frames(const WsSession *session)
{
    WsWarpPlace place = ws_session_place(session);
    guint32 pc;

    if (place.sm == NULL || !ws_lane_instruction(place.sm, place.slot, session->focus.lane, &pc))
        return NULL;
    return ws_call_frames(session->job->program, pc);
}

/* Whether the session is where a frame was selected. */
static gboolean is_there(const WsSession *session)
{
    const WsFocus *then = &session->frame.focus, *now = &session->focus;

    return session->frame.cycle == ws_timeline_cycle(session->timeline) &&
           then->block == now->block && then->warp == now->warp && then->lane == now->lane;
}

guint ws_session_frame(const WsSession *session)
{
    return is_there(session) ? session->frame.number : 0;
}

guint ws_session_frame_of(const WsSession *session, guint32 function)
{
    g_autoptr(GArray) frames = ws_session_frames(session);

    for (guint i = 0; frames != NULL && i < frames->len; i++)
        if (g_array_index(frames, WsCallFrame, i).scope == function)
            return i;
    return 0;
}

void ws_session_select_frame(WsSession *session, guint number)
{
    session->frame = (WsSelectedFrame){
        .number = number, .cycle = ws_timeline_cycle(session->timeline), .focus = session->focus};
}

gboolean ws_session_frame_line(const WsSession *session, guint32 *ret_file, guint32 *ret_line)
{
    g_autoptr(GArray) frames = ws_session_frames(session);
    guint number = ws_session_frame(session);
    const WsCallFrame *frame;

    if (frames == NULL || number >= frames->len)
        return FALSE;
    frame = &g_array_index(frames, WsCallFrame, number);
    *ret_file = frame->file;
    *ret_line = frame->line;
    return frame->line != 0;
}

guint32 ws_session_frame_function(const WsSession *session)
{
    g_autoptr(GArray) frames = NULL;
    guint number = ws_session_frame(session);

    if (number == 0)
        return WS_NO_SCOPE;
    frames = ws_session_frames(session);
    return frames != NULL && number < frames->len ? g_array_index(frames, WsCallFrame, number).scope
                                                  : WS_NO_SCOPE;
}

WsLaneScope *ws_session_scope(const WsSession *session)
{
    guint32 launch = ws_simulation_launch(ws_timeline_simulation(session->timeline));

    return ws_lane_scope_new_in(session->timeline, &session->job->launches[launch],
                                ws_session_frame_function(session));
}
