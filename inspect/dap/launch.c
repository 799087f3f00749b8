#include <string.h>

#include "inspect/dap/adapter.h"
#include "isa/base/error.h"
#include "sim/launch/target.h"

/* ---- initialize ---------------------------------------------------------------------------------
 */

static void add_filters(JsonObject *body)
{
    JsonArray *filters = json_array_new();
    JsonObject *fault = json_object_new();

    json_object_set_string_member(fault, "filter", "fault");
    json_object_set_string_member(fault, "label", "Faults and deadlocks");
    json_object_set_string_member(fault, "description",
                                  "Stop where a fault, a deadlock or a livelock ends the run");
    json_object_set_boolean_member(fault, "default", TRUE);
    json_array_add_object_element(filters, fault);
    json_object_set_array_member(body, "exceptionBreakpointFilters", filters);
}

gboolean ws_dap_initialize(WsDapAdapter *adapter, WsDapArguments *arguments, JsonObject *body,
                           GError **error)
{
    static const char *const capabilities[] = {
        "supportsConfigurationDoneRequest",
        "supportsFunctionBreakpoints",
        "supportsConditionalBreakpoints",
        "supportsHitConditionalBreakpoints",
        "supportsEvaluateForHovers",
        "supportsStepBack",
        "supportsGotoTargetsRequest",
        "supportsExceptionInfoRequest",
        "supportsValueFormattingOptions",
        "supportsDelayedStackTraceLoading",
        "supportsLoadedSourcesRequest",
        "supportsLogPoints",
        "supportsTerminateRequest",
        "supportsDataBreakpoints",
        "supportsReadMemoryRequest",
        "supportsDisassembleRequest",
        "supportsSteppingGranularity",
        "supportsInstructionBreakpoints",
        "supportsBreakpointLocationsRequest",
        "supportsCancelRequest",
        "supportsCompletionsRequest",
        "supportsSetVariable",
        "supportsSetExpression",
    };

    adapter->first_line = ws_dap_flag(arguments, "linesStartAt1", TRUE);
    adapter->first_column = ws_dap_flag(arguments, "columnsStartAt1", TRUE);
    if (!ws_dap_arguments_end(arguments, error))
        return FALSE;
    for (guint i = 0; i < G_N_ELEMENTS(capabilities); i++)
        json_object_set_boolean_member(body, capabilities[i], TRUE);
    add_filters(body);
    adapter->phase = WS_DAP_INITIALIZED;
    return TRUE;
}

/* ---- launch -------------------------------------------------------------------------------------
 */

/* The launch file of a program: NAME.yaml beside NAME.cu, or launch.yaml. */
static char *launch_file_of(const char *program, GError **error)
{
    const char *dot = strrchr(program, '.');
    g_autofree char *folder = g_path_get_dirname(program);
    g_autofree char *own = g_strdup_printf("%.*s.yaml", (int)(dot - program), program);
    g_autofree char *common = g_build_filename(folder, "launch.yaml", NULL);
    g_autofree char *shown = NULL;

    if (g_file_test(own, G_FILE_TEST_EXISTS))
        return g_steal_pointer(&own);
    if (g_file_test(common, G_FILE_TEST_EXISTS))
        return g_steal_pointer(&common);
    shown = ws_printable(program);
    ws_set_error(error, WS_ERROR_INPUT,
                 "%s has no launch file beside it; this command writes one: warpstep init %s",
                 shown, shown);
    return NULL;
}

/* What the argument `program` names, seen from the folder that the client works in. */
static char *find_target(const WsDapAdapter *adapter, const char *program, GError **error)
{
    g_autofree char *path = g_canonicalize_filename(program, adapter->folder);
    const char *target = g_file_test(path, G_FILE_TEST_EXISTS) ? path : program;

    return ws_is_program_name(target) ? launch_file_of(target, error) : g_strdup(target);
}

static void take_folder(WsDapAdapter *adapter, const char *folder)
{
    g_autofree char *here = g_get_current_dir();

    g_free(adapter->folder);
    adapter->folder = g_canonicalize_filename(folder != NULL ? folder : ".", here);
}

/* The settings of the arguments `set`, `policy` and `sms`. */
static char **find_settings(WsDapArguments *arguments)
{
    g_autoptr(GPtrArray) settings = g_ptr_array_new();
    g_autofree char **set = ws_dap_pairs(arguments, "set"); /* its texts move */
    const char *policy = ws_dap_text(arguments, "policy", FALSE);
    gint64 sms = ws_dap_number(arguments, "sms", 0, 1, 1024);

    for (char **i = set; i != NULL && *i != NULL; i++)
        g_ptr_array_add(settings, *i);
    if (policy != NULL)
        g_ptr_array_add(settings, g_strconcat("policy=", policy, NULL));
    if (sms != 0)
        g_ptr_array_add(settings, g_strdup_printf("sms=%" G_GINT64_FORMAT, sms));
    g_ptr_array_add(settings, NULL);
    return (char **)g_ptr_array_free(g_steal_pointer(&settings), FALSE);
}

static void print_estimate(void *data, double seconds, guint64 cycles)
{
    g_autofree char *text = ws_timeline_estimate_text(seconds, cycles);

    ws_dap_print(data, "console", "%s", text);
}

static gboolean open_session(WsDapAdapter *adapter, const char *target, const WsJobOptions *job,
                             WsRunOptions *run, GError **error)
{
    g_autofree char *note = NULL;
    g_autoptr(WsJob) loaded = adapter->load(adapter->load_data, target, job, run, &note, error);

    if (loaded == NULL)
        return FALSE;
    if (note != NULL)
        ws_dap_print(adapter, "important", "%s", note);
    adapter->session = ws_session_new(loaded, run, WS_TIMELINE_BYTES, error);
    if (adapter->session == NULL)
        return FALSE;
    adapter->job = g_steal_pointer(&loaded);
    ws_timeline_set_interrupt(ws_session_timeline(adapter->session), ws_dap_is_wanted, adapter);
    ws_timeline_set_estimate(ws_session_timeline(adapter->session), WS_TIMELINE_LONG_SECONDS,
                             print_estimate, adapter);
    ws_dap_find_sources(adapter);
    return TRUE;
}

static void send_initialized(WsDapAdapter *adapter)
{
    ws_dap_send_event(adapter, "initialized", NULL);
}

/* true, false or "strict". */
static WsConfinement find_confinement(WsDapArguments *arguments)
{
    if (ws_dap_is_word(arguments, "confine", "strict"))
        return WS_CONFINE_STRICT;
    return ws_dap_flag(arguments, "confine", FALSE) ? WS_CONFINE_FOLDER : WS_CONFINE_NOT;
}

gboolean ws_dap_launch(WsDapAdapter *adapter, WsDapArguments *arguments, JsonObject *body,
                       GError **error)
{
    const char *program = ws_dap_text(arguments, "program", TRUE);
    const char *folder = ws_dap_text(arguments, "cwd", FALSE);
    g_auto(GStrv) settings = find_settings(arguments);
    g_auto(GStrv) values = ws_dap_pairs(arguments, "launch");
    g_auto(GStrv) defines = ws_dap_pairs(arguments, "define");
    g_autofree char *target = NULL;
    WsJobOptions job = {.device = ws_dap_text(arguments, "device", FALSE),
                        .settings = (const char *const *)settings,
                        .launch_values = (const char *const *)values,
                        .defines = (const char *const *)defines,
                        .variables = TRUE,
                        .debug = ws_dap_flag(arguments, "debug", FALSE),
                        .bounds = {.confinement = find_confinement(arguments)}};
    WsRunOptions run;

    ws_run_options_init(&run);
    run.max_cycles = (guint64)ws_dap_number(arguments, "maxCycles", 0, 1, G_MAXINT64);
    adapter->stop_on_entry = ws_dap_flag(arguments, "stopOnEntry", FALSE);
    adapter->stop_at_end = ws_dap_flag(arguments, "stopAtEnd", FALSE);
    adapter->ignore_breakpoints = ws_dap_flag(arguments, "noDebug", FALSE);
    if (!ws_dap_arguments_end(arguments, error))
        return FALSE;
    take_folder(adapter, folder);
    target = find_target(adapter, program, error);
    if (target == NULL || !open_session(adapter, target, &job, &run, error))
        return FALSE;
    adapter->phase = WS_DAP_CONFIGURING;
    adapter->then = send_initialized;
    return TRUE;
}

gboolean ws_dap_attach(WsDapAdapter *adapter, WsDapArguments *arguments, JsonObject *body,
                       GError **error)
{
    ws_set_error(error, WS_ERROR_USAGE, "a run is launched; there is none to attach to");
    return FALSE;
}

gboolean ws_dap_configurationDone(WsDapAdapter *adapter, WsDapArguments *arguments,
                                  JsonObject *body, GError **error)
{
    adapter->phase = WS_DAP_STOPPED;
    adapter->then = ws_dap_begin;
    return TRUE;
}

/* ---- the end ------------------------------------------------------------------------------------
 */

gboolean ws_dap_disconnect(WsDapAdapter *adapter, WsDapArguments *arguments, JsonObject *body,
                           GError **error)
{
    adapter->done = TRUE;
    return TRUE;
}

static void send_terminated(WsDapAdapter *adapter)
{
    ws_dap_send_event(adapter, "terminated", NULL);
}

gboolean ws_dap_terminate(WsDapAdapter *adapter, WsDapArguments *arguments, JsonObject *body,
                          GError **error)
{
    if (adapter->phase != WS_DAP_ENDED)
        adapter->then = send_terminated;
    adapter->phase = WS_DAP_ENDED;
    return TRUE;
}

/* Nothing that is asked for is put off, so there is nothing to cancel any more. */
gboolean ws_dap_cancel(WsDapAdapter *adapter, WsDapArguments *arguments, JsonObject *body,
                       GError **error)
{
    return TRUE;
}
