#include "inspect/dap/adapter.h"

#include <string.h>

#include "isa/base/error.h"

static const struct {
    const char *name;
    WsDapHandler handle;
    guint phases;
} requests[] = {
#define REQUEST(name, phases) {#name, ws_dap_##name, phases},
#include "inspect/dap/requests.def"
#undef REQUEST
};

/* ---- sending ------------------------------------------------------------------------------------
 */

static void send(WsDapAdapter *adapter, JsonObject *message)
{
    if (!ws_dap_send(adapter->stream, message))
        adapter->done = TRUE;
}

void ws_dap_send_event(WsDapAdapter *adapter, const char *event, JsonObject *body)
{
    JsonObject *message = json_object_new();

    json_object_set_int_member(message, "seq", 0);
    json_object_set_string_member(message, "type", "event");
    json_object_set_string_member(message, "event", event);
    if (body != NULL)
        json_object_set_object_member(message, "body", body);
    send(adapter, message);
}

void ws_dap_print(WsDapAdapter *adapter, const char *category, const char *format, ...)
{
    JsonObject *body = json_object_new();
    g_autofree char *text = NULL, *line = NULL;
    va_list values;

    va_start(values, format);
    text = g_strdup_vprintf(format, values);
    va_end(values);
    line = g_strconcat(text, "\n", NULL);
    json_object_set_string_member(body, "category", category);
    json_object_set_string_member(body, "output", line);
    ws_dap_send_event(adapter, "output", body);
}

const char *ws_dap_error_text(const GError *error)
{
    static const char prefix[] = "error: ";

    return g_str_has_prefix(error->message, prefix) ? error->message + strlen(prefix)
                                                    : error->message;
}

/* Takes `body`, and `error`, which there is if it is not done. */
static void respond(WsDapAdapter *adapter, gint64 to, const char *command, gboolean done,
                    JsonObject *body, GError *error)
{
    JsonObject *message = json_object_new();

    json_object_set_int_member(message, "seq", 0);
    json_object_set_string_member(message, "type", "response");
    json_object_set_int_member(message, "request_seq", to);
    json_object_set_boolean_member(message, "success", done);
    json_object_set_string_member(message, "command", command);
    if (!done) {
        JsonObject *details = json_object_new();

        json_object_unref(body);
        body = json_object_new();
        json_object_set_int_member(details, "id", error->code);
        json_object_set_string_member(details, "format", ws_dap_error_text(error));
        json_object_set_boolean_member(details, "showUser", TRUE);
        json_object_set_object_member(body, "error", details);
        json_object_set_string_member(message, "message", ws_dap_error_text(error));
        g_error_free(error);
    }
    json_object_set_object_member(message, "body", body);
    send(adapter, message);
}

gboolean ws_dap_arguments_end(WsDapArguments *arguments, GError **error)
{
    if (arguments->error == NULL)
        return TRUE;
    g_propagate_error(error, g_steal_pointer(&arguments->error));
    return FALSE;
}

/* ---- requests -----------------------------------------------------------------------------------
 */

static const char *why_not_now(guint phases, WsDapPhase phase)
{
    if (phase != WS_DAP_NEW && phases < phase && (phases & WS_DAP_STOPPED) == 0)
        return "it can come only once, before the run";
    switch (phase) {
    case WS_DAP_NEW:
        return "the first request is 'initialize'";
    case WS_DAP_INITIALIZED:
        return "nothing has been launched";
    case WS_DAP_CONFIGURING:
        return "the run has not begun: 'configurationDone' is missing";
    case WS_DAP_RUNNING:
        return "the run is moving";
    case WS_DAP_ENDED:
        return "the run has ended";
    default:
        return "the run stands still";
    }
}

static gboolean handle(WsDapAdapter *adapter, const char *command, WsDapArguments *arguments,
                       JsonObject *body, GError **error)
{
    for (guint i = 0; i < G_N_ELEMENTS(requests); i++) {
        if (strcmp(requests[i].name, command) != 0)
            continue;
        if ((requests[i].phases & adapter->phase) == 0) {
            ws_set_error(error, WS_ERROR_USAGE, "'%s' cannot come now: %s", command,
                         why_not_now(requests[i].phases, adapter->phase));
            return FALSE;
        }
        return requests[i].handle(adapter, arguments, body, error);
    }
    ws_set_error(error, WS_ERROR_USAGE, "no such request: '%.80s'", command);
    return FALSE;
}

static void answer(WsDapAdapter *adapter, JsonObject *message)
{
    WsDapArguments request = {.object = message}, arguments = {0};
    gint64 sequence = ws_dap_number(&request, "seq", WS_DAP_REQUIRED, 0, G_MAXINT64);
    const char *type = ws_dap_text(&request, "type", TRUE);
    const char *command = ws_dap_text(&request, "command", TRUE);
    JsonObject *body = json_object_new();
    GError *error = NULL;

    arguments.object = ws_dap_object(&request, "arguments", FALSE);
    if (ws_dap_arguments_end(&request, &error) && strcmp(type, "request") != 0)
        ws_set_error(&error, WS_ERROR_USAGE, "messages of type 'request' are expected");
    const gboolean done = error == NULL && handle(adapter, command, &arguments, body, &error);
    g_clear_error(&arguments.error);
    respond(adapter, sequence, command != NULL ? command : "", done, body, error);
    if (adapter->then != NULL) {
        void (*then)(WsDapAdapter *) = adapter->then;

        adapter->then = NULL;
        then(adapter);
    }
}

/* ---- life ---------------------------------------------------------------------------------------
 */

static void take_message(WsDapAdapter *adapter)
{
    JsonObject *message;
    const char *problem;
    GError *error = NULL;

    switch (ws_dap_receive(adapter->stream, &message, &problem)) {
    case WS_DAP_MESSAGE:
        answer(adapter, message);
        json_object_unref(message);
        break;
    case WS_DAP_MALFORMED:
        ws_set_error(&error, WS_ERROR_USAGE, "%s", problem);
        respond(adapter, 0, "", FALSE, json_object_new(), error);
        break;
    default:
        adapter->done = TRUE;
        break;
    }
}

void ws_dap_serve(WsDapStream *stream, WsDapLoader load, void *load_data)
{
    WsDapAdapter adapter = {.stream = stream,
                            .load = load,
                            .load_data = load_data,
                            .phase = WS_DAP_NEW,
                            .first_line = 1,
                            .first_column = 1,
                            .first_reference = 1};

    adapter.texts = g_string_chunk_new(1024);
    adapter.references = g_array_new(FALSE, FALSE, sizeof(WsDapReference));
    adapter.breakpoints = g_ptr_array_new_with_free_func(ws_dap_breakpoint_free);
    adapter.paths = g_ptr_array_new_with_free_func(g_free);
    adapter.goto_cycles = g_array_new(FALSE, FALSE, sizeof(guint64));
    while (!adapter.done) {
        if (adapter.phase == WS_DAP_RUNNING && !ws_dap_is_readable(stream))
            ws_dap_run_on(&adapter);
        else
            take_message(&adapter);
    }
    g_array_unref(adapter.references);
    g_string_chunk_free(adapter.texts);
    g_array_unref(adapter.goto_cycles);
    g_ptr_array_unref(adapter.breakpoints);
    g_ptr_array_unref(adapter.paths);
    g_free(adapter.folder);
    ws_interpreter_free(adapter.interpreter);
    ws_session_free(adapter.session);
    ws_job_free(adapter.job);
}
