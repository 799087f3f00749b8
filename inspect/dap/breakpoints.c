#include <string.h>

#include "inspect/dap/adapter.h"
#include "isa/base/error.h"

/* ---- life ---------------------------------------------------------------------------------------
 */

void ws_dap_breakpoint_free(gpointer data)
{
    WsDapBreakpoint *breakpoint = data;

    g_free(breakpoint->hit_condition);
    g_free(breakpoint->log_message);
    g_free(breakpoint);
}

WsDapBreakpoint *ws_dap_find_breakpoint(const WsDapAdapter *adapter, guint number)
{
    for (guint i = 0; i < adapter->breakpoints->len; i++) {
        WsDapBreakpoint *breakpoint = g_ptr_array_index(adapter->breakpoints, i);

        if (breakpoint->number == number)
            return breakpoint;
    }
    return NULL;
}

/* Each request of a group, or of a file, names all of it anew. */
static void drop(WsDapAdapter *adapter, WsDapGroup group, guint32 file)
{
    for (guint i = adapter->breakpoints->len; i-- > 0;) {
        WsDapBreakpoint *breakpoint = g_ptr_array_index(adapter->breakpoints, i);

        if (breakpoint->group != group || breakpoint->file != file)
            continue;
        ws_session_delete_breakpoint(adapter->session, breakpoint->number);
        g_ptr_array_remove_index(adapter->breakpoints, i);
    }
}

/* ---- hit conditions: "5", ">= 3", "% 10" --------------------------------------------------------
 */

static gboolean read_hit_condition(const char *text, char *ret_operator, guint64 *ret_number)
{
    static const char *const operators[] = {">=", "<=", "==", ">", "<", "=", "%"};
    static const char letters[] = {'g', 'l', '=', '>', '<', '=', '%'};
    g_autofree char *rest = g_strstrip(g_strdup(text));
    const char *number = rest;

    *ret_operator = '=';
    for (guint i = 0; i < G_N_ELEMENTS(operators); i++)
        if (g_str_has_prefix(rest, operators[i])) {
            *ret_operator = letters[i];
            number = g_strchug(rest + strlen(operators[i]));
            break;
        }
    return g_ascii_string_to_unsigned(number, 10, *ret_operator == '%' ? 1 : 0, G_MAXINT64,
                                      ret_number, NULL);
}

static gboolean hit_counts(const WsDapBreakpoint *breakpoint)
{
    guint64 number, hits = breakpoint->hits;
    char operator;

    if (breakpoint->hit_condition == NULL ||
        !read_hit_condition(breakpoint->hit_condition, &operator, & number))
        return TRUE;
    switch (operator) {
    case 'g':
        return hits >= number;
    case 'l':
        return hits <= number;
    case '>':
        return hits > number;
    case '<':
        return hits < number;
    case '%':
        return hits % number == 0;
    default:
        return hits == number;
    }
}

/* ---- log points ---------------------------------------------------------------------------------
 */

/* "{R4}" in a log message is the value of the expression in the lane that has come to it;
 * what is none stays as it is. */
static char *fill_in(WsDapAdapter *adapter, const char *message)
{
    const WsFocus *focus = ws_session_focus(adapter->session);
    WsWarpPlace place = ws_session_place(adapter->session);
    GString *text = g_string_new(NULL);

    while (*message != '\0') {
        const char *end = *message == '{' ? strchr(message, '}') : NULL;
        g_autofree char *name =
            end != NULL ? g_strndup(message + 1, (gsize)(end - message - 1)) : NULL;
        WsDapReference lanes = {.lanes = (guint64)1 << focus->lane};
        g_autofree char *value = NULL;

        if (name != NULL && place.sm != NULL && ws_dap_find_register(adapter, name, &lanes))
            value = ws_dap_lanes_text(&lanes, place, FALSE);
        else if (name != NULL && place.sm != NULL)
            value = ws_dap_expression_text(adapter, NULL, name, place, lanes.lanes, FALSE, NULL);
        if (value != NULL)
            g_string_append(text, value);
        else
            g_string_append_c(text, *message);
        message = value != NULL ? end + 1 : message + 1;
    }
    return g_string_free(text, FALSE);
}

gboolean ws_dap_stops_at(WsDapAdapter *adapter, const WsArrival *arrival)
{
    WsDapBreakpoint *breakpoint = ws_dap_find_breakpoint(adapter, arrival->breakpoint->number);
    g_autofree char *text = NULL;

    if (breakpoint == NULL)
        return TRUE;
    breakpoint->hits++;
    if (!hit_counts(breakpoint))
        return FALSE;
    if (breakpoint->log_message == NULL)
        return TRUE;
    text = fill_in(adapter, breakpoint->log_message);
    ws_dap_print(adapter, "console", "%s", text);
    return FALSE;
}

/* ---- setting ------------------------------------------------------------------------------------
 */

/* A stop at a place (breakpoints.h) with the condition of `item`. */
static WsBreakpoint *make_stop(const WsDapAdapter *adapter, const char *place, WsDapArguments *item,
                               GError **error)
{
    const WsProgram *program = adapter->job->program;
    const WsTimeline *timeline = ws_session_timeline(adapter->session);
    const char *condition = ws_dap_text(item, "condition", FALSE);
    WsBreakpoint *stop = g_new0(WsBreakpoint, 1);

    stop->kind = WS_STOP_AT;
    stop->text = g_strdup(place);
    stop->disabled = adapter->ignore_breakpoints;
    if (ws_code_place_find(program, place, &stop->place, error) &&
        (condition == NULL || *condition == '\0' ||
         ws_breakpoint_set_condition(stop, timeline, condition, error)))
        return stop;
    ws_breakpoint_free(stop);
    return NULL;
}

static gboolean check_hit_condition(const char *text, GError **error)
{
    char operator;
    guint64 number;

    if (text == NULL || *text == '\0' || read_hit_condition(text, &operator, & number))
        return TRUE;
    ws_set_error(error, WS_ERROR_USAGE,
                 "the hit condition is a number with ==, >=, >, <=, < or %% before it");
    return FALSE;
}

static char *some_text(const char *text)
{
    return text == NULL || *text == '\0' ? NULL : g_strdup(text);
}

/*
 * Takes `stop`, or with NULL the reason `error` why there is none, and adds the client's view of it
 * to `list`; returns that.
 */
static JsonObject *add(WsDapAdapter *adapter, WsDapGroup group, guint32 file, WsBreakpoint *stop,
                       WsDapArguments *item, GError *error, JsonArray *list)
{
    WsDapBreakpoint *breakpoint = g_new0(WsDapBreakpoint, 1);
    const char *hit = ws_dap_text(item, "hitCondition", FALSE);
    JsonObject *object = json_object_new();

    if (error == NULL && item->error != NULL)
        error = g_error_copy(item->error);
    if (error == NULL)
        check_hit_condition(hit, &error);
    if (error != NULL)
        g_clear_pointer(&stop, ws_breakpoint_free);
    breakpoint->id = ++adapter->last_breakpoint;
    breakpoint->group = group;
    breakpoint->file = file;
    breakpoint->hit_condition = some_text(hit);
    breakpoint->log_message = some_text(ws_dap_text(item, "logMessage", FALSE));
    json_object_set_int_member(object, "id", breakpoint->id);
    json_object_set_boolean_member(object, "verified", stop != NULL);
    if (stop != NULL && stop->kind == WS_STOP_AT) {
        g_autofree char *address = ws_dap_code_address(stop->place.instructions[0]);

        ws_dap_add_position(adapter, object, stop->place.instructions[0]);
        json_object_set_string_member(object, "instructionReference", address);
    }
    if (stop != NULL)
        breakpoint->number = ws_session_add_breakpoint(adapter->session, stop)->number;
    else
        json_object_set_string_member(object, "message", ws_dap_error_text(error));
    g_ptr_array_add(adapter->breakpoints, breakpoint);
    json_array_add_object_element(list, object);
    g_clear_error(&error);
    g_clear_error(&item->error);
    return object;
}

/* The stop that `item` asks for, or NULL: it says why, or `error`. */
typedef WsBreakpoint *(*MakeStop)(const WsDapAdapter *adapter, guint32 file, WsDapArguments *item,
                                  GError **error);

/* All stops of a group, of a file if it has one, in place of those that it had. */
static void set_stops(WsDapAdapter *adapter, WsDapGroup group, guint32 file, JsonArray *wanted,
                      MakeStop make, JsonObject *body)
{
    JsonArray *list = json_array_new();

    drop(adapter, group, file);
    for (guint i = 0; wanted != NULL && i < json_array_get_length(wanted); i++) {
        WsDapArguments item = ws_dap_item(wanted, i);
        GError *problem = NULL;
        WsBreakpoint *stop = make(adapter, file, &item, &problem);

        add(adapter, group, file, stop, &item, problem, list);
    }
    json_object_set_array_member(body, "breakpoints", list);
}

static gboolean set_group(WsDapAdapter *adapter, WsDapGroup group, WsDapArguments *arguments,
                          MakeStop make, JsonObject *body, GError **error)
{
    JsonArray *wanted = ws_dap_list(arguments, "breakpoints", TRUE);

    if (!ws_dap_arguments_end(arguments, error))
        return FALSE;
    set_stops(adapter, group, 0, wanted, make, body);
    return TRUE;
}

static WsBreakpoint *make_at_line(const WsDapAdapter *adapter, guint32 file, WsDapArguments *item,
                                  GError **error)
{
    gint64 asked = ws_dap_number(item, "line", WS_DAP_REQUIRED, 0, G_MAXINT32 - 1);
    guint32 line = (guint32)(asked + 1 - adapter->first_line);
    guint32 found = file != 0 ? ws_dap_line_with_code(adapter, file, line) : 0;
    g_autofree char *place = NULL;

    if (item->error != NULL)
        return NULL;
    if (found == 0) {
        ws_set_error(error, WS_ERROR_USAGE,
                     file == 0 ? "the program has nothing of this file"
                               : "no instruction comes from here or below");
        return NULL;
    }
    place = g_strdup_printf("%s:%u", adapter->job->program->files[file], found);
    return make_stop(adapter, place, item, error);
}

gboolean ws_dap_setBreakpoints(WsDapAdapter *adapter, WsDapArguments *arguments, JsonObject *body,
                               GError **error)
{
    JsonObject *source = ws_dap_object(arguments, "source", TRUE);
    JsonArray *wanted = ws_dap_list(arguments, "breakpoints", FALSE);

    if (!ws_dap_arguments_end(arguments, error))
        return FALSE;
    set_stops(adapter, WS_DAP_AT_LINE, ws_dap_file_of(adapter, source), wanted, make_at_line, body);
    return TRUE;
}

static WsBreakpoint *make_at_function(const WsDapAdapter *adapter, guint32 file,
                                      WsDapArguments *item, GError **error)
{
    const char *name = ws_dap_text(item, "name", TRUE);

    return name != NULL ? make_stop(adapter, name, item, error) : NULL;
}

gboolean ws_dap_setFunctionBreakpoints(WsDapAdapter *adapter, WsDapArguments *arguments,
                                       JsonObject *body, GError **error)
{
    return set_group(adapter, WS_DAP_AT_FUNCTION, arguments, make_at_function, body, error);
}

static WsBreakpoint *make_at_instruction(const WsDapAdapter *adapter, guint32 file,
                                         WsDapArguments *item, GError **error)
{
    const char *reference = ws_dap_text(item, "instructionReference", TRUE);
    gint64 offset = ws_dap_number(item, "offset", 0, -G_MAXINT32, G_MAXINT32), address;
    g_autofree char *place = NULL;

    if (item->error != NULL || !ws_dap_read_address(reference, offset, &address, error))
        return NULL;
    place = g_strdup_printf("*%" G_GINT64_FORMAT, address / 16);
    return make_stop(adapter, place, item, error);
}

gboolean ws_dap_setInstructionBreakpoints(WsDapAdapter *adapter, WsDapArguments *arguments,
                                          JsonObject *body, GError **error)
{
    return set_group(adapter, WS_DAP_AT_INSTRUCTION, arguments, make_at_instruction, body, error);
}

gboolean ws_dap_setExceptionBreakpoints(WsDapAdapter *adapter, WsDapArguments *arguments,
                                        JsonObject *body, GError **error)
{
    JsonArray *filters = ws_dap_list(arguments, "filters", TRUE);

    if (!ws_dap_arguments_end(arguments, error))
        return FALSE;
    adapter->ignore_faults = TRUE;
    for (guint i = 0; i < json_array_get_length(filters); i++) {
        JsonNode *node = json_array_get_element(filters, i);

        if (JSON_NODE_HOLDS_VALUE(node) && json_node_get_value_type(node) == G_TYPE_STRING &&
            strcmp(json_node_get_string(node), "fault") == 0)
            adapter->ignore_faults = FALSE;
    }
    return TRUE;
}

/* ---- data ---------------------------------------------------------------------------------------
 * A data id is "BLOCK:WARP:LANE:TEXT", TEXT as in ws_watch_parse().
 */

/* TEXT for a part of what the client looks at; NULL if nothing can be watched there. */
static char *watched_text(const WsDapAdapter *adapter, const WsDapReference *of, const char *name,
                          guint32 *ret_lane)
{
    guint64 index = 0;
    gboolean indexed = *name == '[';
    WsWarpPlace place;

    if (indexed) {
        g_autofree char *number = g_strndup(name + 1, strcspn(name + 1, "]"));

        if (!g_ascii_string_to_unsigned(number, 10, 0, G_MAXUINT32, &index, NULL))
            return NULL;
    }
    if (of->kind == WS_DAP_LANES && indexed && index < WS_MAX_WARP_SIZE) {
        *ret_lane = (guint32)index;
        return ws_dap_register_name(of->file, of->number);
    }
    if (of->kind == WS_DAP_BUFFER && indexed)
        return g_strdup_printf("%s[%" G_GUINT64_FORMAT "]", adapter->job->buffers[of->number].name,
                               index);
    if (of->kind == WS_DAP_SHARED && indexed)
        return g_strdup_printf("shared[%" G_GUINT64_FORMAT ":4]", 4 * index);
    if (of->kind == WS_DAP_VALUE && ws_dap_place(adapter, of, &place, NULL) &&
        ws_dap_is_lane_of(adapter, of, place, name, ret_lane))
        return g_strdup(of->text);
    if (of->kind == WS_DAP_LOCALS || of->kind == WS_DAP_VALUE) {
        *ret_lane = (guint32)__builtin_ctzll(of->lanes);
        return ws_dap_part_text(of, name);
    }
    if (of->kind == WS_DAP_REGISTERS || of->kind == WS_DAP_FRAME) {
        *ret_lane = of->lanes != 0 ? (guint32)__builtin_ctzll(of->lanes) : 0;
        return g_strdup(name);
    }
    return NULL;
}

gboolean ws_dap_dataBreakpointInfo(WsDapAdapter *adapter, WsDapArguments *arguments,
                                   JsonObject *body, GError **error)
{
    gint64 container = ws_dap_number(arguments, "variablesReference", 0, 0, G_MAXINT32);
    gint64 frame = ws_dap_number(arguments, "frameId", 0, 0, G_MAXINT32);
    const char *name = ws_dap_text(arguments, "name", TRUE);
    WsTimeline *timeline = ws_session_timeline(adapter->session);
    g_autofree char *text = NULL, *id = NULL;
    g_autoptr(GError) problem = NULL;
    WsBreakpoint *watch = NULL;
    WsDapReference of;
    WsFocus focus = {0};

    if (!ws_dap_arguments_end(arguments, error) ||
        !ws_dap_frame(adapter, container != 0 ? container : frame, &of, error))
        return FALSE;
    text = watched_text(adapter, &of, name, &focus.lane);
    focus.block = of.block;
    focus.warp = of.warp;
    if (text != NULL)
        watch = ws_watch_parse(timeline, &focus, WS_NO_SCOPE, text, &problem);
    if (watch == NULL) {
        json_object_set_null_member(body, "dataId");
        json_object_set_string_member(body, "description",
                                      problem != NULL ? ws_dap_error_text(problem)
                                                      : "this is not kept in a register or memory");
        return TRUE;
    }
    id = g_strdup_printf("%u:%u:%u:%s", focus.block, focus.warp, focus.lane, text);
    json_object_set_string_member(body, "dataId", id);
    if (watch->kind == WS_STOP_VALUE) {
        g_free(text);
        text = g_strdup_printf("%s of lane %u", watch->text, focus.lane);
    }
    json_object_set_string_member(body, "description", text);
    json_object_set_array_member(body, "accessTypes", json_array_new());
    json_array_add_string_element(json_object_get_array_member(body, "accessTypes"), "write");
    ws_breakpoint_free(watch);
    return TRUE;
}

static WsBreakpoint *parse_watch(const WsDapAdapter *adapter, const char *id, const char *condition,
                                 GError **error)
{
    g_autofree char *text = NULL;
    g_auto(GStrv) parts = g_strsplit(id, ":", 4);
    guint64 numbers[3] = {0};
    gboolean ok = g_strv_length(parts) == 4;
    WsBreakpoint *watch;
    WsFocus focus;

    for (guint i = 0; ok && i < 3; i++)
        ok = g_ascii_string_to_unsigned(
            parts[i], 10, 0, i == 2 ? WS_MAX_WARP_SIZE - 1 : G_MAXUINT32, &numbers[i], NULL);
    if (!ok) {
        ws_set_error(error, WS_ERROR_USAGE, "the data id is none of 'dataBreakpointInfo'");
        return NULL;
    }
    focus = (WsFocus){(guint32)numbers[0], (guint32)numbers[1], (guint32)numbers[2]};
    text = condition != NULL && *condition != '\0'
               ? g_strdup_printf("%s if %s", parts[3], condition)
               : g_strdup(parts[3]);
    watch = ws_watch_parse(ws_session_timeline(adapter->session), &focus, WS_NO_SCOPE, text, error);
    if (watch != NULL)
        watch->disabled = adapter->ignore_breakpoints;
    return watch;
}

static WsBreakpoint *make_watch(const WsDapAdapter *adapter, guint32 file, WsDapArguments *item,
                                GError **error)
{
    const char *id = ws_dap_text(item, "dataId", TRUE);
    const char *condition = ws_dap_text(item, "condition", FALSE);

    return id != NULL ? parse_watch(adapter, id, condition, error) : NULL;
}

gboolean ws_dap_setDataBreakpoints(WsDapAdapter *adapter, WsDapArguments *arguments,
                                   JsonObject *body, GError **error)
{
    return set_group(adapter, WS_DAP_ON_DATA, arguments, make_watch, body, error);
}
