/* Command lines below the panes, done by the interpreter of the prompt. */
#include <string.h>

#include "inspect/screen/screen_private.h"
#include "inspect/session/selected_frame.h"

static WsInterpreter *interpreter(WsScreen *screen)
{
    guint width = MAX(screen->columns, WS_LEAST_COLUMNS) - 2;

    if (screen->interpreter == NULL)
        screen->interpreter = ws_interpreter_new(screen->view.session, width);
    ws_interpreter_set_width(screen->interpreter, width);
    return screen->interpreter;
}

/* A move shows in the panes, as does what is displayed: of what it says the first line is enough.
 */
static void show(WsScreen *screen, const char *line, const char *text, gboolean moved)
{
    const char *end = strchr(text, '\n');

    if (moved || end == NULL || end[1] == '\0')
        ws_screen_say(screen, WS_LOOK_PLAIN, "%.*s",
                      end != NULL ? (int)(end - text) : (int)strlen(text), text);
    else
        ws_screen_show_page(screen, line, text);
}

void ws_screen_command(WsScreen *screen, const char *line)
{
    g_autoptr(GString) out = g_string_new(NULL);
    WsFocus before = *ws_session_focus(screen->view.session);
    guint64 cycle = ws_timeline_cycle(screen->view.timeline);
    const WsFocus *focus = ws_session_focus(screen->view.session);
    guint frame = ws_session_frame(screen->view.session);
    guint displays = ws_interpreter_display_count(interpreter(screen));
    GError *error = NULL;
    gboolean ok;

    screen->asked = g_get_monotonic_time();
    ok = ws_interpreter_do(interpreter(screen), line, out, &error);
    ws_screen_follow(screen);
    if (!ok)
        ws_screen_say_error(screen, error);
    else
        show(screen, line, out->str,
             ws_timeline_cycle(screen->view.timeline) != cycle || focus->block != before.block ||
                 focus->warp != before.warp || focus->lane != before.lane ||
                 ws_session_frame(screen->view.session) != frame ||
                 ws_interpreter_display_count(screen->interpreter) != displays);
    screen->done = ws_interpreter_is_done(screen->interpreter);
}

void ws_screen_watch(WsScreen *screen, guint columns)
{
    g_autoptr(GString) out = g_string_new(NULL);

    g_clear_pointer(&screen->view.watched, g_strfreev);
    if (screen->interpreter == NULL)
        return;
    ws_interpreter_set_width(screen->interpreter, columns);
    ws_interpreter_show_displays(screen->interpreter, out);
    screen->view.watched = g_strsplit(out->str, "\n", -1);
}

void ws_screen_recall(WsScreen *screen, gint by)
{
    gint64 wanted = (gint64)screen->line + by;

    if (wanted < 0 || wanted > (gint64)screen->lines->len)
        return;
    screen->line = (guint)wanted;
    g_string_assign(screen->typed, screen->line < screen->lines->len
                                       ? g_ptr_array_index(screen->lines, screen->line)
                                       : "");
}

/* What all of the names begin with. */
static gsize common_length(char **names)
{
    gsize length = strlen(names[0]);

    for (guint i = 1; names[i] != NULL; i++) {
        gsize same = 0;

        while (same < length && names[i][same] == names[0][same])
            same++;
        length = same;
    }
    return length;
}

void ws_screen_complete(WsScreen *screen)
{
    g_auto(GStrv) names = ws_interpreter_complete(interpreter(screen), screen->typed->str);
    const char *blank = strrchr(screen->typed->str, ' ');
    gsize begin = blank != NULL ? (gsize)(blank + 1 - screen->typed->str) : 0;

    if (names == NULL || names[0] == NULL)
        return;
    g_string_truncate(screen->typed, begin);
    g_string_append_len(screen->typed, names[0], (gssize)common_length(names));
    if (names[1] == NULL)
        g_string_append_c(screen->typed, ' ');
}
