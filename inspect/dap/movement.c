#include "inspect/dap/adapter.h"
#include "isa/base/error.h"
#include "sim/report/expect.h"
#include "sim/report/line_profile.h"

enum { LOOK_MICROSECONDS = 20000, GOTO_CYCLES = 1 << 20 };

/* ---- telling ------------------------------------------------------------------------------------
 */

static JsonObject *stopped(WsDapAdapter *adapter, const char *reason, const char *description)
{
    JsonObject *body = json_object_new();

    json_object_set_string_member(body, "reason", reason);
    json_object_set_string_member(body, "description", description);
    json_object_set_int_member(body, "threadId", ws_dap_focused_thread(adapter));
    json_object_set_boolean_member(body, "allThreadsStopped", TRUE);
    return body;
}

/* The run stands still. `text` may be NULL. */
static void report_stop(WsDapAdapter *adapter, const char *reason, const char *text,
                        const WsDapBreakpoint *breakpoint)
{
    guint64 cycle = ws_timeline_cycle(ws_session_timeline(adapter->session));
    g_autofree char *description =
        text != NULL ? g_strdup_printf("Cycle %" G_GUINT64_FORMAT ": %s", cycle, text)
                     : g_strdup_printf("Cycle %" G_GUINT64_FORMAT, cycle);
    JsonObject *body;

    ws_dap_forget(adapter);
    ws_dap_focus_somewhere(adapter);
    adapter->phase = WS_DAP_STOPPED;
    body = stopped(adapter, reason, description);
    if (text != NULL)
        json_object_set_string_member(body, "text", text);
    if (breakpoint != NULL) {
        JsonArray *hit = json_array_new();

        json_array_add_int_element(hit, breakpoint->id);
        json_object_set_array_member(body, "hitBreakpointIds", hit);
    }
    ws_dap_send_event(adapter, "stopped", body);
}

void ws_dap_terminate_run(WsDapAdapter *adapter, int exit_code)
{
    JsonObject *body = json_object_new();

    adapter->phase = WS_DAP_ENDED;
    json_object_set_int_member(body, "exitCode", exit_code);
    ws_dap_send_event(adapter, "exited", body);
    ws_dap_send_event(adapter, "terminated", NULL);
}

/* ---- the end of the run -------------------------------------------------------------------------
 */

/* What the launch file expects, compared as `warpstep run` does. */
static WsStatus check_results(WsDapAdapter *adapter)
{
    WsResult *result = g_new0(WsResult, 1);
    WsStatus status;

    ws_expectations_check(adapter->job, result);
    for (guint32 i = 0; i < result->check_count; i++) {
        const WsCheckResult *check = &result->checks[i];
        const WsBuffer *buffer =
            &adapter->job->buffers[adapter->job->expectations[check->expectation].index];

        if (check->passed)
            ws_dap_print(adapter, "stdout", "passed  %s", buffer->name);
        else
            ws_dap_print(adapter, "stdout",
                         "failed  %s[%" G_GUINT64_FORMAT "] is %s, not %s; %" G_GUINT64_FORMAT
                         " elements differ",
                         buffer->name, check->first_index, check->actual, check->expected,
                         check->mismatches);
    }
    status = result->status;
    ws_result_free(result);
    return status;
}

static void report_end(WsDapAdapter *adapter)
{
    const WsTimeline *timeline = ws_session_timeline(adapter->session);
    WsStatus status = ws_timeline_status(timeline);
    const WsStop *stop = ws_timeline_stop(timeline);
    gboolean first = !adapter->fault_told;

    adapter->fault_told = TRUE;
    if (status != WS_STATUS_OK && first) {
        ws_dap_print(adapter, "stderr", "%s", stop->message != NULL ? stop->message : "");
        if (stop->details != NULL)
            ws_dap_print(adapter, "stderr", "%s", stop->details);
    }
    if (status != WS_STATUS_OK && first && !adapter->ignore_faults) {
        if (stop->sm >= 0 && stop->slot >= 0) {
            const WsSm *sm = ws_timeline_sm(timeline, (guint32)stop->sm);

            if (sm != NULL && (sm->state->resident >> stop->slot & 1) != 0)
                *ws_session_focus(adapter->session) = ws_focus_of(sm, (guint32)stop->slot);
        }
        report_stop(adapter, "exception", stop->message, NULL);
        return;
    }
    if (first && adapter->stop_at_end) {
        report_stop(adapter, "pause", "the end of the run", NULL);
        return;
    }
    ws_dap_print(adapter, "console", "%s, %" G_GUINT64_FORMAT " cycles", ws_status_name(status),
                 ws_timeline_cycle(timeline));
    if (status == WS_STATUS_OK)
        status = check_results(adapter);
    ws_dap_terminate_run(adapter, ws_status_exit_code(status));
}

gboolean ws_dap_exceptionInfo(WsDapAdapter *adapter, WsDapArguments *arguments, JsonObject *body,
                              GError **error)
{
    const WsTimeline *timeline = ws_session_timeline(adapter->session);
    const WsStop *stop = ws_timeline_stop(timeline);
    JsonObject *details;

    if (ws_timeline_cycle(timeline) != ws_timeline_end(timeline) ||
        ws_timeline_status(timeline) == WS_STATUS_OK || stop->message == NULL) {
        ws_set_error(error, WS_ERROR_USAGE, "no fault has stopped the run at this cycle");
        return FALSE;
    }
    json_object_set_string_member(body, "exceptionId",
                                  ws_status_name(ws_timeline_status(timeline)));
    json_object_set_string_member(body, "description", stop->message);
    json_object_set_string_member(body, "breakMode", "always");
    details = json_object_new();
    json_object_set_string_member(details, "message", stop->message);
    if (stop->details != NULL)
        json_object_set_string_member(details, "stackTrace", stop->details);
    json_object_set_object_member(body, "details", details);
    return TRUE;
}

/* ---- motions of one warp ------------------------------------------------------------------------
 */

/* Whether the instruction begins a line; those that come from none belong to the line before. */
static gboolean begins_line(const WsDapAdapter *adapter, WsDapWay *way, guint32 instruction)
{
    guint32 file = 0, line = 0;
    gboolean begins;

    if (instruction < adapter->job->program->instruction_count)
        ws_line_of_instruction(adapter->job->program, instruction, &file, &line);
    if (line == 0)
        return FALSE;
    begins = !way->known || file != way->file || line != way->line;
    way->known = TRUE;
    way->file = file;
    way->line = line;
    return begins;
}

static guint64 find_step(void *data, const WsSm *sm, const WsTraceEvent *event)
{
    WsDapAdapter *adapter = data;
    WsDapWay *way = &adapter->way;

    if (event->kind == WS_TRACE_WARP_BEGIN) /* a step of no warp goes to the next that begins */
        return event->cycle;
    if (event->block != way->focus.block || event->warp_in_block != way->focus.warp)
        return WS_NEVER;
    if (event->kind == WS_TRACE_ISSUE && way->motion == WS_DAP_LINE)
        return begins_line(adapter, way, event->instruction) ? event->cycle : WS_NEVER;
    return event->cycle + 1;
}

/* Forward, to where the warp is behind its step, or has left. */
static gboolean step_ahead(WsDapAdapter *adapter, WsArrival *ret, GError **error)
{
    WsTimeline *timeline = ws_session_timeline(adapter->session);
    WsDapWay *way = &adapter->way;
    WsWarpPlace place = ws_find_warp(timeline, way->focus.block, way->focus.warp);
    WsQuery query = {.kinds = WS_TRACE_BIT(WARP_EXIT) | WS_TRACE_BIT(WARP_END),
                     .find = find_step,
                     .data = adapter,
                     .here = way->resumed};
    WsFinding finding;

    query.kinds |= way->motion == WS_DAP_OUT ? WS_TRACE_BIT(RECONVERGE) : WS_TRACE_BIT(ISSUE);
    if (place.sm == NULL)
        query.kinds = WS_TRACE_BIT(WARP_BEGIN);
    else if (!way->resumed && place.sm->state->warps[place.slot].last_issue != WS_NEVER)
        begins_line(adapter, way, place.sm->state->warps[place.slot].path.pc);
    if (!ws_timeline_find(timeline, &query, &finding, error))
        return FALSE;
    *ret = (WsArrival){.kind = finding.interrupted ? WS_ARRIVED_INTERRUPTED
                               : finding.found     ? WS_ARRIVED_THERE
                                                   : WS_ARRIVED_END};
    return TRUE;
}

static gboolean step_back(WsDapAdapter *adapter, WsArrival *ret, GError **error)
{
    return ws_session_move(adapter->session,
                           adapter->way.motion == WS_DAP_INSTRUCTION ? WS_MOVE_STEP : WS_MOVE_LINE,
                           -1, ret, error);
}

/* ---- running ------------------------------------------------------------------------------------
 */

gboolean ws_dap_is_wanted(void *data)
{
    /* A command that moves goes on while an editor asks for this and that. */
    static const char *const enders[] = {"pause", "cancel", "terminate", "disconnect", NULL};
    WsDapAdapter *adapter = data;
    gint64 now = g_get_monotonic_time();

    if (now - adapter->looked < LOOK_MICROSECONDS)
        return FALSE;
    adapter->looked = now;
    return adapter->phase == WS_DAP_RUNNING ? ws_dap_is_readable(adapter->stream)
                                            : ws_dap_has_request(adapter->stream, enders);
}

static void report_breakpoint(WsDapAdapter *adapter, const WsArrival *arrival)
{
    WsDapBreakpoint *breakpoint = ws_dap_find_breakpoint(adapter, arrival->breakpoint->number);
    g_autofree char *text = NULL;

    if (arrival->kind == WS_ARRIVED_WATCH) {
        g_autofree char *before = ws_watch_text(arrival->breakpoint, arrival->old_value);
        g_autofree char *after = ws_watch_text(arrival->breakpoint, arrival->new_value);

        text = g_strdup_printf("%s was %s, is %s", arrival->breakpoint->text, before, after);
        report_stop(adapter, "data breakpoint", text, breakpoint);
        return;
    }
    if (arrival->also != 0)
        text =
            g_strdup_printf(arrival->also == 1 ? "%u more warp is at a breakpoint in this cycle"
                                               : "%u more warps are at a breakpoint in this cycle",
                            arrival->also);
    report_stop(adapter,
                breakpoint != NULL && breakpoint->group == WS_DAP_AT_INSTRUCTION
                    ? "instruction breakpoint"
                    : "breakpoint",
                text, breakpoint);
}

static void arrive(WsDapAdapter *adapter, const WsArrival *arrival)
{
    switch (arrival->kind) {
    case WS_ARRIVED_INTERRUPTED:
        adapter->way.resumed = TRUE;
        break;
    case WS_ARRIVED_END:
        report_end(adapter);
        break;
    case WS_ARRIVED_BEGINNING:
        report_stop(adapter, "entry", "the beginning of the run", NULL);
        break;
    case WS_ARRIVED_THERE:
        report_stop(adapter, "step", NULL, NULL);
        break;
    default:
        if (ws_dap_stops_at(adapter, arrival))
            report_breakpoint(adapter, arrival);
        break;
    }
}

void ws_dap_run_on(WsDapAdapter *adapter)
{
    WsDapWay *way = &adapter->way;
    GError *error = NULL;
    WsArrival arrival;
    gboolean ok;

    if (way->motion == WS_DAP_CONTINUE)
        ok = ws_session_continue(adapter->session, way->back, 0, &arrival, &error);
    else if (way->back)
        ok = step_back(adapter, &arrival, &error);
    else
        ok = step_ahead(adapter, &arrival, &error);
    if (ok) {
        arrive(adapter, &arrival);
        return;
    }
    ws_dap_print(adapter, "stderr", "%s", error->message);
    ws_dap_terminate_run(adapter, error->code);
    g_error_free(error);
}

static void set_out(WsDapAdapter *adapter, WsDapMotion motion, gboolean back)
{
    adapter->way =
        (WsDapWay){.motion = motion, .back = back, .focus = *ws_session_focus(adapter->session)};
    if (back)
        adapter->fault_told = FALSE;
    ws_dap_forget(adapter);
    adapter->looked = g_get_monotonic_time();
    adapter->phase = WS_DAP_RUNNING;
}

void ws_dap_begin(WsDapAdapter *adapter)
{
    if (adapter->stop_on_entry)
        report_stop(adapter, "entry", NULL, NULL);
    else
        set_out(adapter, WS_DAP_CONTINUE, FALSE);
}

/* ---- requests -----------------------------------------------------------------------------------
 */

static gboolean start(WsDapAdapter *adapter, WsDapArguments *arguments, WsDapMotion motion,
                      gboolean back, GError **error)
{
    gint64 thread = ws_dap_number(arguments, "threadId", WS_DAP_REQUIRED, 0, G_MAXINT64);
    const char *granularity = ws_dap_text(arguments, "granularity", FALSE);

    if (!ws_dap_arguments_end(arguments, error))
        return FALSE;
    if (motion == WS_DAP_LINE && g_strcmp0(granularity, "instruction") == 0)
        motion = WS_DAP_INSTRUCTION;
    ws_dap_focus_thread(adapter, thread);
    set_out(adapter, motion, back);
    return TRUE;
}

gboolean ws_dap_continue(WsDapAdapter *adapter, WsDapArguments *arguments, JsonObject *body,
                         GError **error)
{
    json_object_set_boolean_member(body, "allThreadsContinued", TRUE);
    return start(adapter, arguments, WS_DAP_CONTINUE, FALSE, error);
}

gboolean ws_dap_reverseContinue(WsDapAdapter *adapter, WsDapArguments *arguments, JsonObject *body,
                                GError **error)
{
    return start(adapter, arguments, WS_DAP_CONTINUE, TRUE, error);
}

gboolean ws_dap_next(WsDapAdapter *adapter, WsDapArguments *arguments, JsonObject *body,
                     GError **error)
{
    return start(adapter, arguments, WS_DAP_LINE, FALSE, error);
}

gboolean ws_dap_stepIn(WsDapAdapter *adapter, WsDapArguments *arguments, JsonObject *body,
                       GError **error)
{
    return start(adapter, arguments, WS_DAP_LINE, FALSE, error);
}

gboolean ws_dap_stepOut(WsDapAdapter *adapter, WsDapArguments *arguments, JsonObject *body,
                        GError **error)
{
    return start(adapter, arguments, WS_DAP_OUT, FALSE, error);
}

gboolean ws_dap_stepBack(WsDapAdapter *adapter, WsDapArguments *arguments, JsonObject *body,
                         GError **error)
{
    return start(adapter, arguments, WS_DAP_LINE, TRUE, error);
}

static void report_pause(WsDapAdapter *adapter)
{
    report_stop(adapter, "pause", NULL, NULL);
}

gboolean ws_dap_pause(WsDapAdapter *adapter, WsDapArguments *arguments, JsonObject *body,
                      GError **error)
{
    if (adapter->phase == WS_DAP_RUNNING)
        adapter->then = report_pause;
    return TRUE;
}

/* ---- to another time ----------------------------------------------------------------------------
 */

typedef struct {
    WsFocus focus;
    const WsProgram *program;
    guint32 file, line;
} Passage;

static guint64 find_passage(void *data, const WsSm *sm, const WsTraceEvent *event)
{
    const Passage *passage = data;
    guint32 file, line;

    if (event->block != passage->focus.block || event->warp_in_block != passage->focus.warp)
        return WS_NEVER;
    ws_line_of_instruction(passage->program, event->instruction, &file, &line);
    return file == passage->file && line == passage->line ? event->cycle : WS_NEVER;
}

static void add_target(WsDapAdapter *adapter, JsonArray *list, guint64 cycle, gint64 line,
                       const char *when)
{
    JsonObject *target = json_object_new();
    g_autofree char *label =
        g_strdup_printf("cycle %" G_GUINT64_FORMAT ", the %s time", cycle, when);

    g_array_append_val(adapter->goto_cycles, cycle);
    json_object_set_int_member(target, "id", adapter->goto_cycles->len);
    json_object_set_string_member(target, "label", label);
    json_object_set_int_member(target, "line", line);
    json_array_add_object_element(list, target);
}

gboolean ws_dap_gotoTargets(WsDapAdapter *adapter, WsDapArguments *arguments, JsonObject *body,
                            GError **error)
{
    JsonObject *source = ws_dap_object(arguments, "source", TRUE);
    gint64 line = ws_dap_number(arguments, "line", WS_DAP_REQUIRED, 0, G_MAXINT32);
    Passage passage = {.focus = *ws_session_focus(adapter->session),
                       .program = adapter->job->program};
    const WsEventScope scope = {
        .kind = WS_SCOPE_WARP, .block = passage.focus.block, .warp = passage.focus.warp};
    WsQuery query = {
        .kinds = WS_TRACE_BIT(ISSUE), .find = find_passage, .data = &passage, .scope = &scope};
    WsTimeline *timeline = ws_session_timeline(adapter->session);
    WsFinding before, behind;
    JsonArray *list;

    if (!ws_dap_arguments_end(arguments, error))
        return FALSE;
    passage.file = ws_dap_file_of(adapter, source);
    passage.line = (guint32)(line + 1 - adapter->first_line);
    if (!ws_timeline_look_back(timeline, &query, &before, error) ||
        !ws_timeline_look_ahead(timeline, &query, GOTO_CYCLES, &behind, error))
        return FALSE;
    list = json_array_new();
    if (passage.file != 0 && behind.found)
        add_target(adapter, list, behind.cycle, line, "next");
    if (passage.file != 0 && before.found)
        add_target(adapter, list, before.cycle, line, "last");
    json_object_set_array_member(body, "targets", list);
    return TRUE;
}

void ws_dap_send_moved(WsDapAdapter *adapter)
{
    const WsTimeline *timeline = ws_session_timeline(adapter->session);

    adapter->fault_told =
        adapter->fault_told && ws_timeline_cycle(timeline) == ws_timeline_end(timeline);
    report_stop(adapter, "goto", NULL, NULL);
}

gboolean ws_dap_goto(WsDapAdapter *adapter, WsDapArguments *arguments, JsonObject *body,
                     GError **error)
{
    gint64 target =
        ws_dap_number(arguments, "targetId", WS_DAP_REQUIRED, 1, MAX(1, adapter->goto_cycles->len));
    WsArrival arrival;

    if (!ws_dap_arguments_end(arguments, error))
        return FALSE;
    if (adapter->goto_cycles->len == 0) {
        ws_set_error(error, WS_ERROR_USAGE, "'gotoTargets' has told no target at this cycle");
        return FALSE;
    }
    if (!ws_session_go(adapter->session,
                       g_array_index(adapter->goto_cycles, guint64, (guint)target - 1), &arrival,
                       error))
        return FALSE;
    adapter->then = ws_dap_send_moved;
    return TRUE;
}
