/* `backtrace`, `up`, `down`, `frame`: the functions that the lane is in. */
#include "inspect/commands/private.h"
#include "inspect/session/selected_frame.h"

/* NULL with an error: the lane is in none. */
static GArray *find_frames(const WsCommandLine *line, GError **error)
{
    GArray *frames = ws_session_frames(line->session);
    WsWarpPlace place;

    if (frames == NULL && ws_command_line_place(line, &place, error))
        ws_set_error(error, WS_ERROR_USAGE, "%s: lane %u has exited", line->name,
                     ws_session_focus(line->session)->lane);
    return frames;
}

static void append_frame(const WsCommandLine *line, const GArray *frames, guint number)
{
    const WsProgram *program = ws_session_job(line->session)->program;
    g_autofree char *name = ws_call_frame_name(program, frames, number);

    g_string_append_printf(line->out, "#%u  %s\n", number, name);
}

gboolean ws_command_line_backtrace(WsCommandLine *line, GError **error)
{
    g_autoptr(GArray) frames = NULL;

    if (!ws_command_line_check(line, 0, error))
        return FALSE;
    frames = find_frames(line, error);
    for (guint i = 0; frames != NULL && i < frames->len; i++) {
        g_string_append(line->out, i == ws_session_frame(line->session) ? "* " : "  ");
        append_frame(line, frames, i);
    }
    return frames != NULL;
}

/* Selects it, and shows it with its line. */
static gboolean select_frame(WsCommandLine *line, const GArray *frames, guint number)
{
    g_autofree char *text = NULL;
    guint32 file, at;

    ws_session_select_frame(line->session, number);
    append_frame(line, frames, number);
    if (!ws_session_frame_line(line->session, &file, &at))
        return TRUE;
    text = ws_written_line(ws_session_job(line->session), file, at);
    if (text != NULL)
        g_string_append_printf(line->out, "%u\t%s\n", at, text);
    return TRUE;
}

/* By so many frames, to the callers or back; further than there are is as far as there are. */
static gboolean go(WsCommandLine *line, gboolean up, GError **error)
{
    g_autoptr(GArray) frames = NULL;
    gint64 count = 1, here, wanted, last;

    if (!ws_command_line_check(line, 1, error) ||
        (line->words[0] != NULL && !ws_command_line_number(line->words[0], &count, error)))
        return FALSE;
    frames = find_frames(line, error);
    if (frames == NULL)
        return FALSE;
    here = ws_session_frame(line->session);
    last = (gint64)frames->len - 1;
    count = CLAMP(count, -last, last);
    wanted = CLAMP(here + (up ? count : -count), 0, last);
    if (count != 0 && wanted == here) {
        ws_set_error(error, WS_ERROR_USAGE, "%s: this is the %s function", line->name,
                     here == 0 && !(up && last == 0) ? "innermost" : "outermost");
        return FALSE;
    }
    return select_frame(line, frames, (guint)wanted);
}

gboolean ws_command_line_up(WsCommandLine *line, GError **error)
{
    return go(line, TRUE, error);
}

gboolean ws_command_line_down(WsCommandLine *line, GError **error)
{
    return go(line, FALSE, error);
}

gboolean ws_command_line_frame(WsCommandLine *line, GError **error)
{
    g_autoptr(GArray) frames = NULL;
    gint64 number = ws_session_frame(line->session);

    if (!ws_command_line_check(line, 1, error) ||
        (line->words[0] != NULL && !ws_command_line_number(line->words[0], &number, error)))
        return FALSE;
    frames = find_frames(line, error);
    if (frames == NULL)
        return FALSE;
    if (number < 0 || number >= frames->len) {
        ws_set_error(error, WS_ERROR_USAGE, "frame: there is no frame %s (backtrace lists them)",
                     line->words[0]);
        return FALSE;
    }
    return select_frame(line, frames, (guint)number);
}
