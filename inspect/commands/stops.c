/* Breakpoints and watchpoints. */
#include "inspect/commands/private.h"
#include "inspect/session/selected_frame.h"

static gboolean add(WsCommandLine *line, gboolean once, GError **error)
{
    WsBreakpoint *breakpoint = ws_breakpoint_parse(line->timeline, line->rest, error);

    if (breakpoint == NULL)
        return FALSE;
    breakpoint->once = once;
    ws_session_add_breakpoint(line->session, breakpoint);
    g_string_append_printf(line->out, "Breakpoint %u: %s, ", breakpoint->number, breakpoint->text);
    if (breakpoint->place.count == 1)
        g_string_append_printf(line->out, "before instruction %u\n",
                               breakpoint->place.instructions[0]);
    else
        g_string_append_printf(line->out, "at %u places\n", breakpoint->place.count);
    return TRUE;
}

gboolean ws_command_line_add_break(WsCommandLine *line, GError **error)
{
    return add(line, FALSE, error);
}

gboolean ws_command_line_add_once(WsCommandLine *line, GError **error)
{
    return add(line, TRUE, error);
}

gboolean ws_command_line_add_watch(WsCommandLine *line, GError **error)
{
    WsBreakpoint *watch =
        ws_watch_parse(line->timeline, ws_session_focus(line->session),
                       ws_session_frame_function(line->session), line->rest, error);

    if (watch == NULL)
        return FALSE;
    ws_session_add_breakpoint(line->session, watch);
    g_string_append_printf(line->out, "Watchpoint %u: %s", watch->number, watch->text);
    if (watch->kind == WS_STOP_VALUE && watch->condition != NULL)
        g_string_append(line->out, ", in any lane of any warp");
    else if (watch->kind == WS_STOP_VALUE)
        g_string_append_printf(line->out, " of block %u warp %u lane %u", watch->focus.block,
                               watch->focus.warp, watch->focus.lane);
    else if (watch->kind == WS_STOP_SHARED)
        g_string_append_printf(line->out, " of block %u", watch->focus.block);
    g_string_append_c(line->out, '\n');
    return TRUE;
}

/* Calls `change` for each number that follows. */
static gboolean for_numbers(WsCommandLine *line, void (*change)(WsSession *, WsBreakpoint *),
                            GError **error)
{
    for (char **word = line->words; *word != NULL; word++) {
        gint64 number;
        WsBreakpoint *breakpoint;

        if (!ws_command_line_number(*word, &number, error))
            return FALSE;
        breakpoint = ws_session_breakpoint(line->session, (guint)CLAMP(number, 0, G_MAXINT32));
        if (breakpoint == NULL) {
            ws_set_error(error, WS_ERROR_USAGE, "there is no breakpoint %s", *word);
            return FALSE;
        }
        change(line->session, breakpoint);
    }
    return TRUE;
}

static void switch_on(WsSession *session, WsBreakpoint *breakpoint)
{
    breakpoint->disabled = FALSE;
}

static void switch_off(WsSession *session, WsBreakpoint *breakpoint)
{
    breakpoint->disabled = TRUE;
}

static void take_away(WsSession *session, WsBreakpoint *breakpoint)
{
    ws_session_delete_breakpoint(session, breakpoint->number);
}

gboolean ws_command_line_delete(WsCommandLine *line, GError **error)
{
    if (line->words[0] != NULL)
        return for_numbers(line, take_away, error);
    ws_session_delete_breakpoints(line->session);
    return TRUE;
}

gboolean ws_command_line_enable(WsCommandLine *line, GError **error)
{
    return for_numbers(line, switch_on, error);
}

gboolean ws_command_line_disable(WsCommandLine *line, GError **error)
{
    return for_numbers(line, switch_off, error);
}

gboolean ws_info_breakpoints(WsCommandLine *line, GError **error)
{
    guint count = ws_session_breakpoint_count(line->session);

    if (count == 0)
        g_string_append(line->out, "No breakpoints.\n");
    for (guint i = 0; i < count; i++) {
        const WsBreakpoint *breakpoint = ws_session_breakpoint_at(line->session, i);

        g_string_append_printf(
            line->out, "%3u  %-5s %-3s  %s  (stops: %" G_GUINT64_FORMAT ")\n", breakpoint->number,
            breakpoint->kind == WS_STOP_AT ? "break" : "watch", breakpoint->disabled ? "off" : "on",
            breakpoint->text, breakpoint->hits);
    }
    return TRUE;
}

gboolean ws_info_marks(WsCommandLine *line, GError **error)
{
    g_autofree const char **names = ws_session_marks(line->session);
    guint64 cycle;

    if (names[0] == NULL)
        g_string_append(line->out, "No marks.\n");
    for (guint i = 0; names[i] != NULL; i++)
        if (ws_session_find_mark(line->session, names[i], &cycle))
            g_string_append_printf(line->out, "%-12s cycle %" G_GUINT64_FORMAT "\n", names[i],
                                   cycle);
    return TRUE;
}
