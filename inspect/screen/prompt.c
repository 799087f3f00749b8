/* Text that is typed in the last row. */
#include "inspect/screen/screen_private.h"

#include <string.h>

struct WsPrompt {
    const char *label;
    void (*enter)(WsScreen *screen, const char *text);
};

enum { MOST_CHARACTERS = 400 };

static void enter_goto(WsScreen *screen, const char *text)
{
    guint64 cycle;

    if (*text == '\0')
        return;
    if (ws_session_find_mark(screen->view.session, text, &cycle) ||
        g_ascii_string_to_unsigned(text, 10, 0, G_MAXUINT64, &cycle, NULL))
        ws_screen_go(screen, cycle);
    else
        ws_screen_say(screen, WS_LOOK_ALERT, "'%s' is neither a cycle nor a mark", text);
}

/* Whether it can be shown of the lanes; FALSE: what is wrong is said. */
static gboolean check_column(WsScreen *screen, const char *text)
{
    const WsView *view = &screen->view;
    WsWarpPlace place = ws_session_place(view->session);
    g_autoptr(WsLaneScope) scope = NULL;
    g_autoptr(WsLaneExpression) expression = NULL;
    GError *error = NULL;
    gint64 value;

    if (place.sm == NULL || ws_lane_value(place.sm, place.slot, 0, text, &value))
        return TRUE;
    scope = ws_view_scope(view);
    expression = ws_lane_expression_for(scope, "expression", text, place.sm, place.slot,
                                        ws_session_focus(view->session)->lane, &error);
    if (expression == NULL)
        ws_screen_say_error(screen, error);
    return expression != NULL;
}

/* Registers and expressions, or nothing: registers of the next instruction. With a comma blanks
 * belong to them. */
static void enter_registers(WsScreen *screen, const char *text)
{
    WsView *view = &screen->view;
    g_autoptr(GPtrArray) names = g_ptr_array_new_with_free_func(g_free);
    g_auto(GStrv) words = g_strsplit(text, strchr(text, ',') != NULL ? "," : " ", -1);

    for (guint i = 0; words[i] != NULL; i++) {
        g_strstrip(words[i]);
        if (*words[i] == '\0')
            continue;
        if (!check_column(screen, words[i]))
            return;
        g_ptr_array_add(names, g_strdup(words[i]));
    }
    g_clear_pointer(&view->names, g_strfreev);
    if (names->len == 0)
        return;
    g_ptr_array_add(names, NULL);
    view->names = (char **)g_ptr_array_free(g_steal_pointer(&names), FALSE);
}

static void enter_break(WsScreen *screen, const char *text)
{
    const WsView *view = &screen->view;
    GError *error = NULL;
    WsBreakpoint *breakpoint;

    if (*text == '\0')
        return;
    breakpoint = ws_breakpoint_parse(view->timeline, text, &error);
    if (breakpoint == NULL) {
        ws_screen_say_error(screen, error);
        return;
    }
    ws_screen_say(screen, WS_LOOK_PLAIN, "Breakpoint %u: %s",
                  ws_session_add_breakpoint(view->session, breakpoint)->number, text);
}

static void enter_command(WsScreen *screen, const char *text)
{
    if (*text != '\0')
        g_ptr_array_add(screen->lines, g_strdup(text));
    ws_screen_command(screen, text);
}

static const WsPrompt prompts[WS_PROMPT_COUNT] = {
    [WS_PROMPT_GOTO] = {"goto (cycle or mark): ", enter_goto},
    [WS_PROMPT_REGISTERS] = {"variables, registers (empty: registers of the next instruction): ",
                             enter_registers},
    [WS_PROMPT_BREAK] = {"break at (PLACE or PLACE if CONDITION): ", enter_break},
    [WS_PROMPT_COMMAND] = {":", enter_command},
};

const char *ws_prompt_label(const WsPrompt *prompt)
{
    return prompt->label;
}

void ws_screen_ask(WsScreen *screen, WsPromptKind kind, const char *text)
{
    screen->prompt = &prompts[kind];
    screen->line = screen->lines->len;
    g_string_assign(screen->typed, text);
}

static void take_last(GString *typed)
{
    const char *last = g_utf8_find_prev_char(typed->str, typed->str + typed->len);

    if (last != NULL)
        g_string_truncate(typed, (gsize)(last - typed->str));
}

void ws_screen_type(WsScreen *screen, guint32 key)
{
    const WsPrompt *prompt = screen->prompt;

    if (key == WS_KEY_ENTER) {
        g_autofree char *text = g_strstrip(g_strdup(screen->typed->str));

        screen->prompt = NULL;
        prompt->enter(screen, text);
    } else if (key == WS_KEY_ESCAPE || (key == WS_KEY_BACKSPACE && screen->typed->len == 0)) {
        screen->prompt = NULL;
    } else if (prompt == &prompts[WS_PROMPT_COMMAND] && (key == WS_KEY_UP || key == WS_KEY_DOWN)) {
        ws_screen_recall(screen, key == WS_KEY_UP ? -1 : 1);
    } else if (prompt == &prompts[WS_PROMPT_COMMAND] && key == WS_KEY_TAB) {
        ws_screen_complete(screen);
    } else if (key == WS_KEY_BACKSPACE) {
        take_last(screen->typed);
    } else if (key == WS_KEY_CLEAR_LINE) {
        g_string_truncate(screen->typed, 0);
    } else if (key >= ' ' && key < WS_KEY_UP && screen->typed->len < MOST_CHARACTERS) {
        g_string_append_unichar(screen->typed, key);
    }
}
