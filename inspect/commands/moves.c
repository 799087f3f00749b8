/* Commands that go to another cycle. */
#include <string.h>

#include "inspect/commands/private.h"
#include "inspect/session/why.h"

static WsMove move_by_name(const char *name)
{
    if (strcmp(name, "next") == 0)
        return WS_MOVE_LINE;
    for (guint i = 0; i < WS_MOVE_COUNT; i++)
        if (strcmp(ws_move_name((WsMove)i), name) == 0)
            return (WsMove)i;
    return WS_MOVE_COUNT;
}

/* "any" in front of the number: of any warp. */
static gboolean read_any(WsMove move, char ***words, gboolean *ret, GError **error)
{
    *ret = **words != NULL && strcmp(**words, "any") == 0;
    if (!*ret)
        return TRUE;
    ++*words;
    if (ws_session_can_move_any(move))
        return TRUE;
    ws_set_error(error, WS_ERROR_USAGE, "%s: 'any' is not supported here", ws_move_name(move));
    return FALSE;
}

/* The search has come to the end of the run. */
static void report_none_left(WsCommandLine *line, WsMove move, gboolean any)
{
    g_string_append(line->out, "No further event of this kind before the end.");
    if (!any && ws_session_can_move_any(move))
        g_string_append_printf(line->out, " '%s any' searches all warps.", ws_move_name(move));
    g_string_append_c(line->out, '\n');
}

/* `words`: "any" and a number, or less. */
static gboolean make_move(WsCommandLine *line, WsMove move, char **words, gboolean back,
                          GError **error)
{
    gint64 number = 1;
    gboolean any;
    WsArrival arrival;

    if (!read_any(move, &words, &any, error) ||
        (*words != NULL && !ws_command_line_number(*words++, &number, error)) ||
        !ws_command_line_check(line, (guint)(words - line->words), error))
        return FALSE;
    if (!(any ? ws_session_move_any : ws_session_move)(line->session, move, back ? -number : number,
                                                       &arrival, error))
        return FALSE;
    if (arrival.kind == WS_ARRIVED_END && move != WS_MOVE_CYCLE)
        report_none_left(line, move, any);
    ws_report_arrival(line, &arrival);
    return TRUE;
}

gboolean ws_command_line_move(WsCommandLine *line, GError **error)
{
    return make_move(line, move_by_name(line->name), line->words, FALSE, error);
}

gboolean ws_command_line_back(WsCommandLine *line, GError **error)
{
    const char *names[WS_MOVE_COUNT + 2] = {NULL};
    char **words = line->words;
    WsMove move = WS_MOVE_STEP;

    if (*words != NULL && !g_ascii_isdigit(**words) && strcmp(*words, "any") != 0) {
        gint choice;

        for (guint i = 0; i < WS_MOVE_COUNT; i++)
            names[i] = ws_move_name((WsMove)i);
        names[WS_MOVE_COUNT] = "next";
        choice = ws_command_line_choice("back", *words, names, error);
        if (choice < 0)
            return FALSE;
        move = choice == WS_MOVE_COUNT ? WS_MOVE_LINE : (WsMove)choice;
        words++;
    }
    return make_move(line, move, words, TRUE, error);
}

/* ---- to a cycle ---------------------------------------------------------------------------------
 */

/* "400", "+10", "-10", "end", or a mark. */
static gboolean find_cycle(const WsCommandLine *line, const char *word, guint64 *ret,
                           GError **error)
{
    guint64 here = ws_timeline_cycle(line->timeline);
    gint64 number;

    if (strcmp(word, "end") == 0) {
        *ret = WS_NEVER;
        return TRUE;
    }
    if (ws_session_find_mark(line->session, word, ret))
        return TRUE;
    if (!ws_command_line_number(word, &number, NULL)) {
        ws_set_error(error, WS_ERROR_USAGE,
                     "'%s': a cycle (400), a distance (+10, -10), end or a mark is expected", word);
        return FALSE;
    }
    if (*word == '+' || *word == '-')
        *ret = number < 0 ? here - MIN(here, (guint64)-number) : here + (guint64)number;
    else
        *ret = (guint64)number;
    return TRUE;
}

gboolean ws_command_line_go(WsCommandLine *line, GError **error)
{
    WsArrival arrival;
    WsHighlightKind highlight;
    guint64 cycle;

    if (line->words[0] == NULL) {
        ws_set_error(error, WS_ERROR_USAGE, "goto: a cycle, a distance, end or a mark is expected");
        return FALSE;
    }
    if (!ws_command_line_check(line, 1, error))
        return FALSE;
    highlight = ws_session_find_mark(line->session, line->words[0], &cycle)
                    ? WS_HIGHLIGHT_COUNT
                    : ws_highlight_by_name(line->words[0]);
    if (highlight != WS_HIGHLIGHT_COUNT
            ? !ws_session_go_to_highlight(line->session, highlight, &arrival, error)
            : !find_cycle(line, line->words[0], &cycle, error) ||
                  !ws_session_go(line->session, cycle, &arrival, error))
        return FALSE;
    ws_report_arrival(line, &arrival);
    return TRUE;
}

gboolean ws_command_line_fault(WsCommandLine *line, GError **error)
{
    WsArrival arrival;

    if (!ws_command_line_check(line, 0, error) ||
        !ws_session_go_to_fault(line->session, &arrival, error))
        return FALSE;
    ws_report_arrival(line, &arrival);
    return TRUE;
}

static gboolean go_on(WsCommandLine *line, gboolean back, GError **error)
{
    guint64 limit = 0;
    WsArrival arrival;

    if (!ws_command_line_check(line, 1, error) ||
        (line->words[0] != NULL && !find_cycle(line, line->words[0], &limit, error)) ||
        !ws_session_continue(line->session, back, limit, &arrival, error))
        return FALSE;
    ws_report_arrival(line, &arrival);
    return TRUE;
}

gboolean ws_command_line_go_on(WsCommandLine *line, GError **error)
{
    return go_on(line, FALSE, error);
}

gboolean ws_command_line_go_on_back(WsCommandLine *line, GError **error)
{
    return go_on(line, TRUE, error);
}

/* ---- marks and reasons --------------------------------------------------------------------------
 */

gboolean ws_command_line_mark(WsCommandLine *line, GError **error)
{
    if (!ws_command_line_check(line, 1, error))
        return FALSE;
    if (line->words[0] == NULL || !g_ascii_isalpha(line->words[0][0]) ||
        strcmp(line->words[0], "end") == 0) {
        ws_set_error(error, WS_ERROR_USAGE, "mark: a name that begins with a letter is expected");
        return FALSE;
    }
    ws_session_mark(line->session, line->words[0]);
    g_string_append_printf(line->out, "%s is cycle %" G_GUINT64_FORMAT "\n", line->words[0],
                           ws_timeline_cycle(line->timeline));
    return TRUE;
}

gboolean ws_command_line_why(WsCommandLine *line, GError **error)
{
    WsFocus focus = *ws_session_focus(line->session);
    g_autofree char *text = NULL;
    WsWarpPlace place;
    gint64 number;
    WsWhy why;

    if (!ws_command_line_check(line, 1, error))
        return FALSE;
    if (line->words[0] != NULL) {
        if (!ws_command_line_number(line->words[0], &number, error))
            return FALSE;
        ws_session_focus(line->session)->warp = (guint32)number;
    }
    if (!ws_command_line_place(line, &place, error)) {
        *ws_session_focus(line->session) = focus;
        return FALSE;
    }
    *ws_session_focus(line->session) = focus;
    if (!ws_session_why(line->session, place, &why, error))
        return FALSE;
    text = ws_why_text(line->session, &why);
    g_string_append(line->out, text);
    return TRUE;
}
