/* `display`, `undisplay`, `info display`: expressions that are shown wherever a move ends. */
#include <string.h>

#include "inspect/commands/private.h"

static void append_display(WsCommandLine *line, const WsDisplay *display)
{
    WsCommandLine with_form = *line;
    g_autoptr(GError) problem = NULL;

    with_form.letter = display->letter;
    g_string_append_printf(line->out, "%u: ", display->number);
    if (!ws_print_in_lanes(&with_form, display->text, &problem))
        g_string_append_printf(line->out, "%s: %s\n", display->text,
                               problem->message + (g_str_has_prefix(problem->message, "error: ")
                                                       ? strlen("error: ")
                                                       : 0));
}

void ws_show_displays(WsInterpreter *interpreter, GString *out)
{
    WsCommandLine line = {.interpreter = interpreter,
                          .session = interpreter->session,
                          .timeline = ws_session_timeline(interpreter->session),
                          .out = out,
                          .name = "display",
                          .letter = ""};

    if (ws_session_place(interpreter->session).sm == NULL)
        return;
    for (guint i = 0; i < interpreter->displays->len; i++)
        append_display(&line, g_ptr_array_index(interpreter->displays, i));
}

void ws_display_free(gpointer data)
{
    WsDisplay *display = data;

    g_free(display->text);
    g_free(display->letter);
    g_free(display);
}

gboolean ws_command_line_display(WsCommandLine *line, GError **error)
{
    WsInterpreter *interpreter = line->interpreter;
    g_autoptr(GString) before = g_string_new(NULL);
    WsDisplay *display;

    if (*line->rest == '\0') {
        ws_show_displays(interpreter, line->out);
        return TRUE;
    }
    g_string_assign(before, line->out->str);
    if (!ws_print_in_lanes(line, line->rest, error))
        return FALSE;
    g_string_assign(line->out, before->str);
    display = g_new0(WsDisplay, 1);
    display->number = ++interpreter->last_display;
    display->text = g_strdup(line->rest);
    display->letter = g_strdup(line->letter);
    g_ptr_array_add(interpreter->displays, display);
    append_display(line, display);
    return TRUE;
}

gboolean ws_command_line_undisplay(WsCommandLine *line, GError **error)
{
    GPtrArray *displays = line->interpreter->displays;

    if (line->words[0] == NULL)
        g_ptr_array_set_size(displays, 0);
    for (char **word = line->words; *word != NULL; word++) {
        gint64 number;
        guint at = 0;

        if (!ws_command_line_number(*word, &number, error))
            return FALSE;
        while (at < displays->len && ((WsDisplay *)displays->pdata[at])->number != number)
            at++;
        if (at == displays->len) {
            ws_set_error(error, WS_ERROR_USAGE, "there is no display %s", *word);
            return FALSE;
        }
        g_ptr_array_remove_index(displays, at);
    }
    return TRUE;
}

gboolean ws_info_display(WsCommandLine *line, GError **error)
{
    const GPtrArray *displays = line->interpreter->displays;

    if (!ws_command_line_check(line, 0, error))
        return FALSE;
    if (displays->len == 0)
        g_string_append(line->out, "No displays.\n");
    for (guint i = 0; i < displays->len; i++) {
        const WsDisplay *display = displays->pdata[i];

        g_string_append_printf(line->out, "%3u  %s%s%s%s\n", display->number,
                               *display->letter != '\0' ? "/" : "", display->letter,
                               *display->letter != '\0' ? " " : "", display->text);
    }
    return TRUE;
}
