#include <string.h>

#include "inspect/dap/adapter.h"
#include "inspect/session/value_text.h"
#include "isa/base/error.h"

/* "[5]" behind the name of a register: only this lane. */
static char *take_lane(const char *text, guint32 warp_size, guint64 *ret_lanes)
{
    const char *open = strchr(text, '['), *close = strchr(text, ']');
    g_autofree char *number = NULL;
    guint64 lane;

    if (open == NULL || close == NULL || close < open || close[1] != '\0')
        return g_strdup(text);
    number = g_strndup(open + 1, (gsize)(close - open - 1));
    if (!g_ascii_string_to_unsigned(number, 10, 0, warp_size - 1, &lane, NULL))
        return g_strdup(text);
    *ret_lanes = (guint64)1 << lane;
    return g_strndup(text, (gsize)(open - text));
}

/* A register: its value, with the lanes as parts. */
static gboolean evaluate_register(WsDapAdapter *adapter, const char *text,
                                  const WsDapReference *frame, WsWarpPlace place,
                                  gboolean hexadecimal, JsonObject *body)
{
    WsDapReference lanes = *frame;
    g_autofree char *name = take_lane(text, ws_dap_warp_size(place), &lanes.lanes), *value = NULL;
    gboolean parts = strcmp(name, text) == 0;

    if (!ws_dap_find_register(adapter, name, &lanes))
        return FALSE;
    value = ws_dap_lanes_text(&lanes, place, hexadecimal);
    json_object_set_string_member(body, "result", value);
    json_object_set_int_member(body, "variablesReference",
                               parts ? ws_dap_refer(adapter, &lanes) : 0);
    if (parts)
        json_object_set_int_member(body, "indexedVariables", ws_dap_warp_size(place));
    return TRUE;
}

/* Bytes of shared memory, "shared[16:4]". */
static gboolean evaluate_memory(WsDapAdapter *adapter, const char *text,
                                const WsDapReference *frame, JsonObject *body, GError **error)
{
    WsTimeline *timeline = ws_session_timeline(adapter->session);
    WsFocus focus = {.block = frame->block, .warp = frame->warp};
    WsBreakpoint *watch = ws_watch_parse(timeline, &focus, WS_NO_SCOPE, text, error);
    g_autofree char *value = NULL;
    guint64 number;
    gboolean known;

    if (watch == NULL)
        return FALSE;
    known = ws_watch_value(timeline, watch, &number);
    ws_breakpoint_free(watch);
    if (!known) {
        ws_set_error(error, WS_ERROR_USAGE, "there is no such memory at this cycle");
        return FALSE;
    }
    value = g_strdup_printf("%" G_GUINT64_FORMAT " (0x%" G_GINT64_MODIFIER "x)", number, number);
    json_object_set_string_member(body, "result", value);
    json_object_set_int_member(body, "variablesReference", 0);
    return TRUE;
}

/* That no lane has a value for, for another reason than that there is none at this place. */
static gboolean has_no_value(const WsRow *row, guint64 lanes, GError **error)
{
    guint at = ws_row_lane(row, (guint)__builtin_ctzll(lanes));

    if ((row->known & lanes) != 0 || row->why[at] <= WS_UNKNOWN_ON_ITS_WAY)
        return FALSE;
    ws_set_error(error, WS_ERROR_USAGE, "%s", ws_unknown_text((WsUnknown)row->why[at]));
    return TRUE;
}

/* What it comes to in the lanes, in which it has been evaluated. */
static char *result_text(WsLaneExpression *expression, WsWarpPlace place, guint64 lanes,
                         gboolean hexadecimal)
{
    const WsLanePlace where = {place.sm, place.slot, WS_OWN_PC};
    const WsTyped *typed = ws_lane_expression_typed(expression);
    g_autofree char *count = NULL, *without = NULL;
    char mask[WS_MAX_WARP_SIZE + 1];
    guint64 truth, unknown;

    if (!ws_typed_is_truth(typed) || (lanes & (lanes - 1)) == 0)
        return ws_dap_values_text(expression, lanes,
                                  hexadecimal && !ws_value_type_is_float(ws_typed_type(typed))
                                      ? WS_FORM_HEXADECIMAL
                                      : WS_FORM_NATURAL);
    truth = ws_lane_expression_truth(expression, &where, lanes, &unknown);
    ws_lane_set(truth, ws_dap_warp_size(place), mask);
    count = ws_lane_count_text(truth);
    without = ws_lane_count_text(unknown);
    return unknown == 0 ? g_strdup_printf("%s in %s", mask, count)
                        : g_strdup_printf("%s in %s, without a value in %s", mask, count, without);
}

/* Evaluates it in the lanes; NULL with an error. */
static WsLaneExpression *look(const WsLaneScope *scope, const char *text, WsWarpPlace place,
                              guint64 lanes, GError **error)
{
    const WsLanePlace where = {place.sm, place.slot, WS_OWN_PC};
    g_autoptr(WsLaneExpression) expression = ws_lane_expression_for(
        scope, "expression", text, place.sm, place.slot, (guint)__builtin_ctzll(lanes), error);

    if (expression == NULL ||
        has_no_value(ws_lane_expression_evaluate(expression, &where, lanes), lanes, error))
        return NULL;
    return g_steal_pointer(&expression);
}

char *ws_dap_expression_text(const WsDapAdapter *adapter, const WsDapReference *of,
                             const char *text, WsWarpPlace place, guint64 lanes,
                             gboolean hexadecimal, GError **error)
{
    g_autoptr(WsLaneScope) scope = ws_dap_scope(adapter, of);
    g_autoptr(WsLaneExpression) expression = NULL;

    lanes = lanes != 0 ? lanes : 1;
    expression = look(scope, text, place, lanes, error);
    return expression == NULL ? NULL : result_text(expression, place, lanes, hexadecimal);
}

/* The value, with its parts. */
static gboolean evaluate_expression(WsDapAdapter *adapter, const char *text,
                                    const WsDapReference *frame, WsWarpPlace place,
                                    gboolean hexadecimal, JsonObject *body, GError **error)
{
    g_autoptr(WsLaneScope) scope = ws_dap_scope(adapter, frame);
    g_autoptr(WsLaneExpression) expression = NULL;
    g_autofree char *value = NULL;
    WsDapReference of = *frame;

    of.lanes = of.lanes != 0 ? of.lanes : 1;
    expression = look(scope, text, place, of.lanes, error);
    if (expression == NULL)
        return FALSE;
    value = result_text(expression, place, of.lanes, hexadecimal);
    json_object_set_string_member(body, "result", value);
    ws_dap_describe_value(adapter, body, &of, text, expression);
    return TRUE;
}

static gboolean evaluate(WsDapAdapter *adapter, const char *text, const WsDapReference *frame,
                         gboolean hexadecimal, JsonObject *body, GError **error)
{
    WsWarpPlace place;

    if (*text == '\0') {
        ws_set_error(error, WS_ERROR_USAGE, "an expression is expected");
        return FALSE;
    }
    if (!ws_dap_place(adapter, frame, &place, error))
        return FALSE;
    if (evaluate_register(adapter, text, frame, place, hexadecimal, body))
        return TRUE;
    if (g_str_has_prefix(text, "shared["))
        return evaluate_memory(adapter, text, frame, body, error);
    return evaluate_expression(adapter, text, frame, place, hexadecimal, body, error);
}

/* In the console a line is an expression or, where it is none, a command. */
static gboolean do_line(WsDapAdapter *adapter, const char *text, const WsDapReference *frame,
                        gboolean hexadecimal, JsonObject *body, GError **error)
{
    return (frame != NULL && evaluate(adapter, text, frame, hexadecimal, body, NULL)) ||
           ws_dap_do_command(adapter, text, frame, body, error);
}

gboolean ws_dap_evaluate(WsDapAdapter *adapter, WsDapArguments *arguments, JsonObject *body,
                         GError **error)
{
    WsDapArguments format = {.object = ws_dap_object(arguments, "format", FALSE)};
    const char *expression = ws_dap_text(arguments, "expression", TRUE);
    const char *context = ws_dap_text(arguments, "context", FALSE);
    gint64 number = ws_dap_number(arguments, "frameId", 0, 0, G_MAXINT32);
    gboolean hexadecimal = ws_dap_flag(&format, "hex", FALSE);
    g_autofree char *text = NULL;
    WsDapReference frame;
    gboolean known;

    g_clear_error(&format.error);
    if (!ws_dap_arguments_end(arguments, error))
        return FALSE;
    text = g_strstrip(g_strdup(expression));
    if (g_strcmp0(context, "repl") != 0)
        return ws_dap_frame(adapter, number, &frame, error) &&
               evaluate(adapter, text, &frame, hexadecimal, body, error);
    known = ws_dap_frame(adapter, number, &frame, NULL); /* commands are also for no warp */
    return do_line(adapter, text, known ? &frame : NULL, hexadecimal, body, error);
}
