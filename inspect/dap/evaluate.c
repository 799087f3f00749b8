#include <string.h>

#include "inspect/dap/adapter.h"
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

/* An element of a buffer or bytes of shared memory. */
static gboolean evaluate_memory(WsDapAdapter *adapter, const char *text,
                                const WsDapReference *frame, JsonObject *body, GError **error)
{
    WsTimeline *timeline = ws_session_timeline(adapter->session);
    WsFocus focus = {.block = frame->block, .warp = frame->warp};
    WsBreakpoint *watch = ws_watch_parse(timeline, &focus, text, error);
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

/* A condition, in the lanes of the path: "R4 > 10 && lane < 16". */
static gboolean evaluate_condition(WsDapAdapter *adapter, const char *text,
                                   const WsDapReference *frame, WsWarpPlace place, JsonObject *body,
                                   GError **error)
{
    g_autoptr(WsCondition) condition = ws_condition_new(text, ws_dap_kernel(adapter), error);
    char mask[WS_MAX_WARP_SIZE + 1];
    g_autofree char *value = NULL;
    guint64 lanes;
    gint64 number;

    if (condition == NULL)
        return FALSE;
    if (ws_lane_value(place.sm, place.slot,
                      frame->lanes != 0 ? (guint32)__builtin_ctzll(frame->lanes) : 0, text,
                      &number)) {
        value = g_strdup_printf("%" G_GINT64_FORMAT, number);
    } else {
        lanes = ws_condition_lanes(condition, place.sm, place.slot, frame->lanes);
        ws_lane_set(lanes, ws_dap_warp_size(place), mask);
        value = g_strdup_printf("%s in %d lanes", mask, __builtin_popcountll(lanes));
    }
    json_object_set_string_member(body, "result", value);
    json_object_set_int_member(body, "variablesReference", 0);
    return TRUE;
}

static gboolean evaluate(WsDapAdapter *adapter, const char *text, const WsDapReference *frame,
                         gboolean hexadecimal, JsonObject *body, GError **error)
{
    WsWarpPlace place;

    if (*text == '\0') {
        ws_set_error(error, WS_ERROR_USAGE, "a register, a condition or memory is expected");
        return FALSE;
    }
    if (!ws_dap_place(adapter, frame, &place, error))
        return FALSE;
    if (evaluate_register(adapter, text, frame, place, hexadecimal, body))
        return TRUE;
    if (strchr(text, '[') != NULL)
        return evaluate_memory(adapter, text, frame, body, error);
    return evaluate_condition(adapter, text, frame, place, body, error);
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
