/*
 * Variables of the source: the locals of a frame and what they are made of. A part is the text of
 * an expression, which is also what the client evaluates and watches.
 */
#include <string.h>

#include "inspect/dap/adapter.h"
#include "inspect/session/selected_frame.h"
#include "inspect/session/value_text.h"
#include "isa/base/error.h"

enum { SHOWN_LANES = 4, MOST_PARTS = 1 << 16 };

/* ---- values -------------------------------------------------------------------------------------
 */

char *ws_dap_values_text(const WsLaneExpression *expression, guint64 lanes, WsValueForm form)
{
    g_autoptr(GPtrArray) texts = g_ptr_array_new_with_free_func(g_free);
    gboolean same = TRUE;

    for (guint64 rest = lanes; rest != 0; rest &= rest - 1) {
        g_ptr_array_add(texts,
                        ws_lane_expression_value(expression, (guint)__builtin_ctzll(rest), form));
        same = same && strcmp(texts->pdata[0], texts->pdata[texts->len - 1]) == 0;
    }
    if (same)
        return g_strdup(texts->pdata[0]);
    if (texts->len > SHOWN_LANES) {
        g_ptr_array_set_size(texts, SHOWN_LANES);
        g_ptr_array_add(texts, g_strdup("…"));
    }
    g_ptr_array_add(texts, NULL);
    return g_strjoinv(", ", (char **)texts->pdata);
}

static WsValueForm form_of(const WsLaneExpression *expression, gboolean hexadecimal)
{
    const WsValueType *type = ws_typed_type(ws_lane_expression_typed(expression));

    return hexadecimal && ws_value_type_is_whole(type) ? WS_FORM_HEXADECIMAL : WS_FORM_NATURAL;
}

/* The expression in the lanes of a reference; NULL with an error. */
static WsLaneExpression *look(const WsDapAdapter *adapter, const WsLaneScope *scope,
                              const char *text, WsWarpPlace place, guint64 lanes, GError **error)
{
    const WsLanePlace where = {place.sm, place.slot, WS_OWN_PC};
    WsLaneExpression *expression = ws_lane_expression_for(
        scope, "expression", text, place.sm, place.slot, (guint)__builtin_ctzll(lanes), error);

    if (expression != NULL)
        ws_lane_expression_evaluate(expression, &where, lanes);
    return expression;
}

WsLaneScope *ws_dap_scope(const WsDapAdapter *adapter, const WsDapReference *of)
{
    gboolean framed = of != NULL && of->kind <= WS_DAP_VALUE;

    return ws_lane_scope_new_in(ws_session_timeline(adapter->session),
                                ws_dap_launch_under_way(adapter),
                                framed ? of->number : WS_NO_SCOPE);
}

/* ---- parts --------------------------------------------------------------------------------------
 */

static gint64 refer_value(WsDapAdapter *adapter, const WsDapReference *of, const char *text)
{
    WsDapReference value = *of;

    value.kind = WS_DAP_VALUE;
    value.text = g_string_chunk_insert_const(adapter->texts, text);
    return ws_dap_refer(adapter, &value);
}

/* A value, with what the client needs to ask for its parts. */
static void describe(WsDapAdapter *adapter, JsonObject *object, const WsDapReference *of,
                     const char *text, const WsLaneExpression *expression)
{
    const WsTyped *typed = ws_lane_expression_typed(expression);
    const WsValueType *type = ws_typed_type(typed);
    g_autofree char *name = ws_value_type_text(type);
    guint32 lanes = adapter->job->device->warp_size;

    json_object_set_string_member(object, "type", name);
    if (!ws_typed_is_place(typed))
        return;
    json_object_set_int_member(object, "variablesReference", refer_value(adapter, of, text));
    if (type->kind == WS_CTYPE_ARRAY)
        json_object_set_int_member(object, "indexedVariables",
                                   (gint64)MIN(type->count, G_MAXINT32));
    else if (type->kind == WS_CTYPE_STRUCT)
        json_object_set_int_member(object, "namedVariables", type->member_count);
    else
        json_object_set_int_member(object, "indexedVariables", lanes);
}

void ws_dap_describe_value(WsDapAdapter *adapter, JsonObject *body, const WsDapReference *frame,
                           const char *text, const WsLaneExpression *expression)
{
    const WsTyped *typed = ws_lane_expression_typed(expression);
    const WsObject *object = ws_typed_is_place(typed) ? ws_typed_object(typed) : NULL;

    if (object == NULL || object->kind < WS_OBJECT_KINDS)
        json_object_set_int_member(body, "variablesReference", 0);
    else
        describe(adapter, body, frame, text, expression);
}

static void add_part(WsDapAdapter *adapter, const WsLaneScope *scope, const WsDapReference *of,
                     WsWarpPlace place, const char *name, const char *text, gboolean hexadecimal,
                     JsonArray *list)
{
    g_autoptr(GError) error = NULL;
    g_autoptr(WsLaneExpression) expression = look(adapter, scope, text, place, of->lanes, &error);
    g_autofree char *value = NULL;
    JsonObject *variable;

    if (expression == NULL) {
        ws_dap_add_variable(list, name, ws_dap_error_text(error), NULL, 0);
        return;
    }
    value = ws_dap_values_text(expression, of->lanes, form_of(expression, hexadecimal));
    variable = ws_dap_add_variable(list, name, value, NULL, 0);
    json_object_set_string_member(variable, "evaluateName", text);
    describe(adapter, variable, of, text, expression);
}

static void add_lanes(const WsDapAdapter *adapter, const WsLaneScope *scope,
                      const WsDapReference *of, WsWarpPlace place, const WsDapPage *page,
                      JsonArray *list)
{
    guint32 size = ws_dap_warp_size(place);
    guint64 end = page->count == 0 ? size : MIN(size, page->start + page->count);
    g_autoptr(WsLaneExpression) expression = NULL;
    WsLaneStates states;

    ws_lane_states(place.sm, place.slot, &states);
    expression = look(adapter, scope, of->text, place, of->lanes | states.launched, NULL);
    for (guint64 lane = page->start; lane < end && expression != NULL; lane++) {
        g_autofree char *name = g_strdup_printf("[%u]", (guint)lane);
        g_autofree char *value =
            (states.launched >> lane & 1) == 0
                ? g_strdup("never launched")
                : ws_lane_expression_value(expression, (guint)lane,
                                           form_of(expression, page->hexadecimal));

        ws_dap_add_variable(list, name, value, ws_dap_lane_state(&states, (guint32)lane), 0);
    }
}

/* "p" and "x": "p.x"; what begins with an operator goes into parentheses. */
static char *part_text(const char *of, const char *rest)
{
    return g_strconcat(*of == '*' ? "(" : "", of, *of == '*' ? ")" : "", rest, NULL);
}

static void add_members(WsDapAdapter *adapter, const WsLaneScope *scope, const WsDapReference *of,
                        const WsValueType *type, WsWarpPlace place, const WsDapPage *page,
                        JsonArray *list)
{
    for (guint i = 0; page->named && i < type->member_count; i++) {
        g_autofree char *rest = g_strconcat(".", type->members[i].name, NULL);
        g_autofree char *text = part_text(of->text, rest);

        add_part(adapter, scope, of, place, type->members[i].name, text, page->hexadecimal, list);
    }
}

static void add_elements(WsDapAdapter *adapter, const WsLaneScope *scope, const WsDapReference *of,
                         const WsValueType *type, WsWarpPlace place, const WsDapPage *page,
                         JsonArray *list)
{
    guint64 most = page->count != 0 ? MIN(page->count, MOST_PARTS) : MOST_PARTS;
    guint64 end = MIN(type->count, page->start + most);

    for (guint64 i = page->start; page->indexed && i < end; i++) {
        g_autofree char *name = g_strdup_printf("[%" G_GUINT64_FORMAT "]", i);
        g_autofree char *text = part_text(of->text, name);

        add_part(adapter, scope, of, place, name, text, page->hexadecimal, list);
    }
}

void ws_dap_list_value(WsDapAdapter *adapter, const WsDapReference *of, WsWarpPlace place,
                       const WsDapPage *page, JsonArray *list)
{
    g_autoptr(WsLaneScope) scope = ws_dap_scope(adapter, of);
    g_autoptr(WsLaneExpression) expression = look(adapter, scope, of->text, place, of->lanes, NULL);
    const WsValueType *type =
        expression == NULL ? NULL : ws_typed_type(ws_lane_expression_typed(expression));

    if (type == NULL)
        return;
    if (type->kind == WS_CTYPE_STRUCT) {
        add_members(adapter, scope, of, type, place, page, list);
    } else if (type->kind == WS_CTYPE_ARRAY) {
        add_elements(adapter, scope, of, type, place, page, list);
    } else {
        g_autofree char *target = part_text(of->text, "");
        g_autofree char *text = g_strconcat("*", target, NULL);

        if (page->named && type->kind == WS_CTYPE_POINTER && type->target->kind != WS_CTYPE_VOID)
            add_part(adapter, scope, of, place, text, text, page->hexadecimal, list);
        if (page->indexed)
            add_lanes(adapter, scope, of, place, page, list);
    }
}

/* ---- locals -------------------------------------------------------------------------------------
 */

gboolean ws_dap_has_locals(const WsDapAdapter *adapter)
{
    const WsVariableTable *table = adapter->job->program->variables;

    return table != NULL && table->variables->len != 0;
}

/* Variables of the frame's function, the innermost first; what is hidden has a value and no more.
 */
void ws_dap_list_locals(WsDapAdapter *adapter, const WsDapReference *frame, WsWarpPlace place,
                        const WsDapPage *page, JsonArray *list)
{
    g_autoptr(WsLaneScope) scope = ws_dap_scope(adapter, frame);
    const WsSourceVariables *variables = ws_lane_scope_variables(scope);
    const WsVariableTable *table = ws_source_variables_table(variables);
    g_autoptr(GArray) numbers = ws_variable_table_at(table, frame->pc);
    g_autoptr(GHashTable) seen = g_hash_table_new(g_str_hash, g_str_equal);

    for (guint i = 0; i < numbers->len; i++) {
        guint32 number = g_array_index(numbers, guint32, i);
        const WsSourceVariable *variable = ws_variable_table_variable(table, number);
        const WsLanePlace at = {place.sm, place.slot, frame->pc};
        g_autofree char *value = NULL, *name = NULL;
        WsObject object;

        if (variable->scope == WS_NO_SCOPE ||
            ws_source_variables_function(variables, variable->scope) != frame->number)
            continue;
        if (g_hash_table_add(seen, variable->name)) {
            add_part(adapter, scope, frame, place, variable->name, variable->name,
                     page->hexadecimal, list);
            continue;
        }
        ws_source_variables_object(variables, number, &object);
        value = ws_object_text(scope, &at, &object, object.type, 0,
                               (guint)__builtin_ctzll(frame->lanes), WS_FORM_NATURAL);
        name = g_strconcat(variable->name, " (hidden)", NULL);
        ws_dap_add_variable(list, name, value, NULL, 0);
    }
}

/* ---- changing -----------------------------------------------------------------------------------
 */

char *ws_dap_part_text(const WsDapReference *of, const char *name)
{
    g_autofree char *rest = NULL;

    if (of->kind != WS_DAP_VALUE)
        return g_strdup(name);
    if (*name == '*' || *name == '(')
        return g_strdup(name);
    rest = *name == '[' ? g_strdup(name) : g_strconcat(".", name, NULL);
    return part_text(of->text, rest);
}

gboolean ws_dap_is_lane_of(const WsDapAdapter *adapter, const WsDapReference *of, WsWarpPlace place,
                           const char *name, guint32 *ret_lane)
{
    g_autoptr(WsLaneScope) scope = ws_dap_scope(adapter, of);
    g_autoptr(WsLaneExpression) expression = NULL;
    g_autofree char *number = g_strndup(name, strcspn(name, "]"));
    guint64 lane;

    if (of->kind != WS_DAP_VALUE || *name != '[' ||
        !g_ascii_string_to_unsigned(number + 1, 10, 0, ws_dap_warp_size(place) - 1, &lane, NULL))
        return FALSE;
    expression = look(adapter, scope, of->text, place, of->lanes, NULL);
    *ret_lane = (guint32)lane;
    return expression != NULL &&
           ws_value_type_is_scalar(ws_typed_type(ws_lane_expression_typed(expression)));
}

static gboolean set(WsDapAdapter *adapter, const WsDapReference *of, const char *text,
                    const char *value, guint64 lanes, JsonObject *body, GError **error)
{
    g_autofree char *assignment = g_strdup_printf("%s = %s", text, value);
    WsFocus *focus = ws_session_focus(adapter->session), before = *focus;
    g_autofree char *shown = NULL;
    WsWarpPlace place;
    guint dropped;

    *focus = (WsFocus){of->block, of->warp, (guint32)__builtin_ctzll(lanes)};
    ws_session_select_frame(
        adapter->session,
        of->kind <= WS_DAP_VALUE ? ws_session_frame_of(adapter->session, of->number) : 0);
    if (!ws_dap_place(adapter, of, &place, error) ||
        !ws_session_set(adapter->session, lanes, assignment, &dropped, error)) {
        *focus = before;
        return FALSE;
    }
    ws_dap_print(adapter, "console", "The run forks at cycle %" G_GUINT64_FORMAT ": %s",
                 ws_timeline_cycle(ws_session_timeline(adapter->session)), assignment);
    if (!ws_dap_place(adapter, of, &place, error))
        return FALSE;
    shown = ws_dap_expression_text(adapter, of, text, place, lanes, FALSE, error);
    if (shown == NULL)
        return FALSE;
    json_object_set_string_member(body, "value", shown);
    return TRUE;
}

/* In all lanes of the path, or in the one that the client has opened. */
gboolean ws_dap_setVariable(WsDapAdapter *adapter, WsDapArguments *arguments, JsonObject *body,
                            GError **error)
{
    gint64 number = ws_dap_number(arguments, "variablesReference", WS_DAP_REQUIRED, 0, G_MAXINT32);
    const char *name = ws_dap_text(arguments, "name", TRUE);
    const char *value = ws_dap_text(arguments, "value", TRUE);
    const WsDapReference *found;
    g_autofree char *text = NULL;
    WsDapReference of;
    WsWarpPlace place;
    guint32 lane;

    if (!ws_dap_arguments_end(arguments, error))
        return FALSE;
    found = ws_dap_reference(adapter, number, error);
    if (found == NULL || !ws_dap_place(adapter, found, &place, error))
        return FALSE;
    of = *found;
    if (of.kind == WS_DAP_LANES && *name == '[' && g_ascii_isdigit(name[1])) {
        text = ws_dap_register_name(of.file, of.number);
        lane = (guint32)g_ascii_strtoull(name + 1, NULL, 10) % ws_dap_warp_size(place);
        return set(adapter, &of, text, value, (guint64)1 << lane, body, error);
    }
    if (of.kind != WS_DAP_LOCALS && of.kind != WS_DAP_VALUE && of.kind != WS_DAP_REGISTERS) {
        ws_set_error(error, WS_ERROR_USAGE, "'%s' cannot be changed", name);
        return FALSE;
    }
    if (ws_dap_is_lane_of(adapter, &of, place, name, &lane))
        return set(adapter, &of, of.text, value, (guint64)1 << lane, body, error);
    text = ws_dap_part_text(&of, name);
    return set(adapter, &of, text, value, of.lanes, body, error);
}

gboolean ws_dap_setExpression(WsDapAdapter *adapter, WsDapArguments *arguments, JsonObject *body,
                              GError **error)
{
    const char *text = ws_dap_text(arguments, "expression", TRUE);
    const char *value = ws_dap_text(arguments, "value", TRUE);
    gint64 number = ws_dap_number(arguments, "frameId", 0, 0, G_MAXINT32);
    WsDapReference frame;

    if (!ws_dap_arguments_end(arguments, error) || !ws_dap_frame(adapter, number, &frame, error))
        return FALSE;
    return set(adapter, &frame, text, value, frame.lanes != 0 ? frame.lanes : 1, body, error);
}
