#include <string.h>

#include "inspect/dap/adapter.h"
#include "inspect/session/selected_frame.h"
#include "isa/base/error.h"

enum { COLUMNS = 100 };

static WsInterpreter *interpreter_of(WsDapAdapter *adapter)
{
    if (adapter->interpreter == NULL)
        adapter->interpreter = ws_interpreter_new(adapter->session, COLUMNS);
    return adapter->interpreter;
}

static void end_run(WsDapAdapter *adapter)
{
    ws_dap_terminate_run(adapter, 0);
}

gboolean ws_dap_do_command(WsDapAdapter *adapter, const char *line, const WsDapReference *frame,
                           JsonObject *body, GError **error)
{
    WsTimeline *timeline = ws_session_timeline(adapter->session);
    WsFocus *focus = ws_session_focus(adapter->session), before;
    guint64 cycle = ws_timeline_cycle(timeline);
    g_autoptr(GString) out = g_string_new(NULL);
    g_autofree char *text = NULL;
    guint number;

    if (frame != NULL && (focus->block != frame->block || focus->warp != frame->warp))
        *focus = (WsFocus){.block = frame->block, .warp = frame->warp};
    /* A caller that the client looks at; what `up` has chosen stays while it looks at none. */
    if (frame != NULL && (number = ws_session_frame_of(adapter->session, frame->number)) != 0)
        ws_session_select_frame(adapter->session, number);
    before = *focus;
    if (!ws_interpreter_do(interpreter_of(adapter), line, out, error))
        return FALSE;
    if (out->len > 0 && out->str[out->len - 1] == '\n')
        g_string_truncate(out, out->len - 1);
    text = g_utf8_make_valid(out->str, -1);
    json_object_set_string_member(body, "result", text);
    json_object_set_int_member(body, "variablesReference", 0);
    if (ws_interpreter_is_done(adapter->interpreter))
        adapter->then = end_run;
    else if (ws_timeline_cycle(timeline) != cycle || focus->block != before.block ||
             focus->warp != before.warp)
        adapter->then = ws_dap_send_moved;
    return TRUE;
}

/* ---- completion ---------------------------------------------------------------------------------
 */

gboolean ws_dap_completions(WsDapAdapter *adapter, WsDapArguments *arguments, JsonObject *body,
                            GError **error)
{
    const char *text = ws_dap_text(arguments, "text", TRUE);
    gint64 column = ws_dap_number(arguments, "column", WS_DAP_REQUIRED, 0, G_MAXINT32);
    g_autofree char *line = NULL;
    g_auto(GStrv) found = NULL;
    JsonArray *targets;
    gsize length, word;

    if (!ws_dap_arguments_end(arguments, error))
        return FALSE;
    length = (gsize)(column - adapter->first_column);
    line = g_utf8_substring(text, 0, (glong)MIN(length, (gsize)g_utf8_strlen(text, -1)));
    found = ws_interpreter_complete(interpreter_of(adapter), line);
    word = strlen(strrchr(line, ' ') != NULL ? strrchr(line, ' ') + 1 : line);
    targets = json_array_new();
    for (char **i = found; *i != NULL; i++) {
        JsonObject *target = json_object_new();

        json_object_set_string_member(target, "label", *i);
        json_object_set_int_member(target, "start", (gint64)g_utf8_strlen(line, -1) - (gint64)word);
        json_object_set_int_member(target, "length", (gint64)word);
        json_array_add_object_element(targets, target);
    }
    json_object_set_array_member(body, "targets", targets);
    return TRUE;
}
