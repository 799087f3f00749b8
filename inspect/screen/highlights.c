/* What happened where, as a page to choose from. */
#include "inspect/screen/screen_private.h"

static void append_choice(WsScreen *screen, const WsHighlights *highlights, WsHighlightKind kind,
                          GString *out)
{
    const WsHighlight *highlight = ws_highlights_at(highlights, kind);
    g_autofree char *text = ws_highlight_text(highlights, kind), *line = NULL;

    screen->choices[screen->choice_count++] = kind;
    g_string_append_printf(out, "%s%u  %s: %s\n     %s\n", screen->choice_count > 1 ? "\n" : "",
                           screen->choice_count, ws_highlight_title(kind), text,
                           ws_highlight_help(kind));
    if (highlight->instruction == WS_NO_INSTRUCTION)
        return;
    line = ws_instruction_line(screen->view.listings, highlight->instruction);
    g_string_append_printf(out, "     at %s\n", line);
}

void ws_screen_show_highlights(WsScreen *screen)
{
    g_autoptr(GString) out = g_string_new(NULL);
    const WsHighlights *highlights;
    GError *error = NULL;
    guint choices;

    screen->asked = g_get_monotonic_time();
    if (!ws_session_find_highlights(screen->view.session, &highlights, &error)) {
        ws_screen_say_error(screen, error);
        return;
    }
    screen->choice_count = 0;
    for (guint i = 0; i < WS_HIGHLIGHT_COUNT; i++)
        if (ws_highlights_at(highlights, (WsHighlightKind)i)->there)
            append_choice(screen, highlights, (WsHighlightKind)i, out);
    if (screen->choice_count == 0) {
        ws_screen_say(screen, WS_LOOK_STRONG, "No warp has run");
        return;
    }
    choices = screen->choice_count;
    ws_screen_show_page(screen, "Highlights of the run: a digit goes there", out->str);
    screen->choice_count = choices;
}

void ws_screen_go_to_highlight(WsScreen *screen, guint choice)
{
    WsHighlightKind kind = screen->choices[choice];
    GError *error = NULL;
    WsArrival arrival;

    g_clear_pointer(&screen->page, g_strfreev);
    if (!ws_session_go_to_highlight(screen->view.session, kind, &arrival, &error)) {
        ws_screen_say_error(screen, error);
        return;
    }
    ws_screen_follow(screen);
    if (arrival.kind == WS_ARRIVED_END)
        ws_screen_say_arrival(screen, &arrival);
    else
        ws_screen_say(screen, WS_LOOK_STRONG, "%s", ws_highlight_title(kind));
}
