#include "inspect/session/edit.h"

#include <string.h>

#include "inspect/session/lane_memory.h"
#include "isa/base/error.h"
#include "sim/memory/edit.h"

/* ---- reading ------------------------------------------------------------------------------------
 */

/* The = that is no part of another operator; NULL: there is none. */
static const char *find_assignment(const char *text)
{
    for (const char *at = text; *at != '\0'; at++) {
        if (*at != '=')
            continue;
        if (at[1] == '=') {
            at++;
            continue;
        }
        if (at == text || strchr("<>!", at[-1]) == NULL)
            return at;
    }
    return NULL;
}

static gboolean refuse(const char *text, const char *why, GError **error)
{
    ws_set_error(error, WS_ERROR_USAGE, "'%s': %s", text, why);
    return FALSE;
}

/* Whether the place can be changed at all. */
static gboolean check_place(const WsLaneScope *scope, const WsTyped *typed, const char *text,
                            GError **error)
{
    const WsSourceVariables *variables = ws_lane_scope_variables(scope);
    const WsObject *object;
    const WsValueType *type = ws_typed_type(typed);

    object = ws_typed_is_place(typed) ? ws_typed_object(typed) : NULL;
    if (!ws_typed_is_place(typed) || (object != NULL && object->kind == WS_SOURCE_ENUMERATOR))
        return refuse(text, "this is a value, not a location: it cannot be written to", error);
    if (object != NULL && object->kind == WS_OBJECT_PLACE)
        return refuse(text, "this is a property of the lane, and cannot be changed", error);
    if (object != NULL && object->kind == WS_MEMORY_PARAMETER)
        return refuse(text,
                      "parameters are constant while a launch runs: --launch changes them from its "
                      "beginning",
                      error);
    if (!ws_value_type_is_scalar(type))
        return refuse(text, "a number or a pointer is changed at a time", error);
    if (object != NULL &&
        (object->kind == WS_OBJECT_REGISTER || object->kind == WS_OBJECT_UNIFORM) && type->size < 4)
        return refuse(text, "a number or a pointer of 4 or 8 bytes is changed at a time", error);
    if (object != NULL && object->kind == WS_SOURCE_VARIABLE &&
        !ws_source_variables_table(variables)->debug &&
        !ws_source_variables_lies_in(variables, object->index, WS_PIECE_SHARED) &&
        !ws_source_variables_lies_in(variables, object->index, WS_PIECE_ADDRESS))
        return refuse(text,
                      "optimised code may keep a variable in several places, or others in its "
                      "place: --debug compiles so that it can be changed",
                      error);
    return TRUE;
}

static void add_write(WsEdit *edit, WsEditWrite write)
{
    edit->writes[edit->count++] = write;
}

/* The bytes of a register with some of them changed. */
static guint64 merged_register(const WsLanePlace *place, const WsSourcePart *part, guint lane,
                               guint64 value)
{
    const WsWarpRegisters *registers = &place->sm->state->registers[place->slot];
    guint32 size = place->sm->context->decoded->warp_size;
    guint64 before = part->kind == WS_OBJECT_UNIFORM
                         ? registers->uniform[part->index]
                         : registers->registers[(gsize)part->index * size + lane];
    guint64 mask = (((guint64)1 << 8 * part->bytes) - 1) << 8 * part->at;

    return (before & ~mask) | (value << 8 * part->at & mask);
}

/* A scalar of a variable. */
static gboolean write_variable(const WsLaneScope *scope, const WsLanePlace *place,
                               const WsObject *object, const WsValueType *type, guint64 offset,
                               guint lane, guint64 value, WsEdit *ret)
{
    WsSourcePart parts[WS_EDIT_PARTS];
    guint count =
        ws_source_variables_parts(ws_lane_scope_variables(scope), place->pc, object->index, offset,
                                  (guint32)type->size, WS_EDIT_PARTS, parts);

    for (guint i = 0; i < count; i++) {
        WsEditWrite write = {.kind = parts[i].kind,
                             .lane = lane,
                             .index = parts[i].index,
                             .bytes = parts[i].bytes,
                             .at = parts[i].at,
                             .value = value >> 8 * parts[i].from};

        if (write.kind == WS_OBJECT_REGISTER || write.kind == WS_OBJECT_UNIFORM) {
            write.value = merged_register(place, &parts[i], lane, write.value);
            write.bytes = 4;
        } else if (write.kind == WS_OBJECT_PREDICATE) {
            write.value = (write.value != 0) != (parts[i].negated != 0);
        }
        add_write(ret, write);
    }
    return count != 0;
}

/* A bit field among the bytes that it shares with others; FALSE: these are not known. */
static gboolean merge_bits(const WsLaneScope *scope, const WsLanePlace *place,
                           const WsObject *object, const WsValueType *type, const WsRow *offset,
                           guint lane, guint64 *value)
{
    WsValueType whole = {.kind = WS_CTYPE_UNSIGNED, .size = type->size};
    guint64 mask = type->bits >= 64 ? G_MAXUINT64 : ((guint64)1 << type->bits) - 1;
    WsRow row;

    if (type->bits == 0)
        return TRUE;
    ws_typed_load(ws_lane_scope_of(scope), place, object, &whole, offset, (guint64)1 << lane, &row);
    if (!ws_row_is_known(&row, lane))
        return FALSE;
    *value = (row.bits[ws_row_lane(&row, lane)] & ~(mask << type->bit_offset)) |
             (*value & mask) << type->bit_offset;
    return TRUE;
}

/* A lane's place and value, in the forms that the expressions have there. */
static gboolean take_lane(const WsLaneScope *scope, WsLaneExpression *to, const WsRow *at,
                          const WsRow *bits, guint lane, const char *text, WsEdit *ret,
                          GError **error)
{
    const WsTyped *typed = ws_lane_expression_form(to, lane);
    const WsLanePlace place = ws_lane_expression_place(to, lane);
    const WsValueType *type = ws_typed_type(typed);
    const WsObject *object = ws_typed_object(typed);
    guint64 offset = at->bits[ws_row_lane(at, lane)];
    guint64 value = ws_scalar_kept_bits(type, bits->bits[ws_row_lane(bits, lane)]);

    if (object != NULL && object->kind >= WS_OBJECT_KINDS) {
        guint64 bytes = object->bytes != 0 ? object->bytes : object->type->size;

        if (type->size > bytes || offset > bytes - type->size)
            return refuse(text, ws_unknown_text(WS_UNKNOWN_OUTSIDE), error);
    }
    if (!merge_bits(scope, &place, object, type, at, lane, &value))
        return refuse(text, ws_unknown_text(WS_UNKNOWN_NO_MEMORY), error);
    if (object != NULL && object->kind == WS_SOURCE_VARIABLE)
        return write_variable(scope, &place, object, type, offset, lane, value, ret) ||
               refuse(text, "it has no location here that could be written to", error);
    add_write(ret, (WsEditWrite){.kind = object != NULL ? object->kind : WS_MEMORY_GENERIC,
                                 .lane = lane,
                                 .index = object != NULL ? object->index : 0,
                                 .bytes = (guint32)type->size,
                                 .at = (object != NULL ? object->base : 0) + offset,
                                 .value = value});
    return TRUE;
}

static gboolean lacks(const WsRow *row, guint lane, const char *text, GError **error)
{
    if (row != NULL && ws_row_is_known(row, lane))
        return FALSE;
    ws_set_error(error, WS_ERROR_USAGE, "'%s' has no value in lane %u: %s", text, lane,
                 row == NULL ? ws_unknown_text(WS_UNKNOWN_NO_SCOPE)
                             : ws_unknown_text((WsUnknown)row->why[ws_row_lane(row, lane)]));
    return TRUE;
}

/* Lane by lane: each may have forms of its own. */
static gboolean take_lanes(const WsLaneScope *scope, const WsLanePlace *where, WsLaneExpression *to,
                           WsLaneExpression *value, guint64 lanes, const char *text, WsEdit *ret,
                           GError **error)
{
    ws_lane_expression_evaluate(to, where, lanes);
    for (guint64 rest = lanes; rest != 0; rest &= rest - 1) {
        guint lane = (guint)__builtin_ctzll(rest);
        guint64 bit = rest & -rest;
        WsTyped *place_form = ws_lane_expression_form(to, lane);
        const WsLanePlace at_lane = ws_lane_expression_place(to, lane);
        const WsRow *row = ws_lane_expression_evaluate(value, where, bit);
        WsTyped *value_form = ws_lane_expression_form(value, lane);
        WsRow bits, at;

        if (lacks(place_form != NULL && value_form != NULL ? row : NULL, lane, text, error) ||
            !check_place(scope, place_form, text, error))
            return FALSE;
        ws_row_convert(ws_arithmetic_of(ws_typed_type(value_form)), row, ws_typed_type(place_form),
                       bit, &bits);
        at = *ws_typed_place(place_form, &at_lane, bit);
        if (lacks(&at, lane, text, error) ||
            !take_lane(scope, to, &at, &bits, lane, text, ret, error))
            return FALSE;
    }
    return TRUE;
}

gboolean ws_edit_parse(const WsLaneScope *scope, const WsTimeline *timeline, WsWarpPlace place,
                       guint64 lanes, const char *text, WsEdit *ret, GError **error)
{
    const char *sign = find_assignment(text);
    const WsLanePlace where = {place.sm, place.slot, WS_OWN_PC};
    guint first = (guint)__builtin_ctzll(lanes);
    WsFocus focus = ws_focus_of(place.sm, place.slot);
    g_autoptr(WsLaneExpression) to = NULL;
    g_autoptr(WsLaneExpression) value = NULL;
    g_autofree char *left = NULL, *right = NULL, *problem = NULL;

    if (sign == NULL)
        return refuse(text, "PLACE = EXPRESSION is expected: sum = 0, R4 = 0, out[3] = 2 * 5",
                      error);
    left = g_strstrip(g_strndup(text, (gsize)(sign - text)));
    right = g_strstrip(g_strdup(sign + 1));
    to = ws_lane_expression_for(scope, "set", left, place.sm, place.slot, first, error);
    value = to != NULL ? ws_lane_expression_for(scope, "expression", right, place.sm, place.slot,
                                                first, error)
                       : NULL;
    if (value == NULL || !check_place(scope, ws_lane_expression_typed(to), left, error))
        return FALSE;
    problem = ws_typed_check_condition(ws_lane_expression_typed(value));
    if (problem != NULL)
        return refuse(right, problem, error);
    *ret = (WsEdit){.cycle = ws_timeline_cycle(timeline), .block = focus.block, .warp = focus.warp};
    return take_lanes(scope, &where, to, value, lanes, text, ret, error);
}

/* ---- doing --------------------------------------------------------------------------------------
 */

static WsSm *find_sm(const WsSimulation *simulation, const WsEdit *edit, guint32 *ret_slot)
{
    guint32 count;
    WsSm *const *sms = ws_simulation_sms(simulation, &count);

    for (guint32 i = 0; i < count; i++)
        for (guint64 rest = sms[i]->state->resident; rest != 0; rest &= rest - 1) {
            WsFocus focus;

            *ret_slot = (guint32)__builtin_ctzll(rest);
            focus = ws_focus_of(sms[i], *ret_slot);
            if (focus.block == edit->block && focus.warp == edit->warp)
                return sms[i];
        }
    return NULL;
}

static void edit_register(WsSm *sm, guint32 slot, const WsEditWrite *edit)
{
    WsWarpRegisters *registers = &sm->state->registers[slot];
    guint32 size = sm->context->decoded->warp_size;
    guint32 lane = edit->lane;
    guint64 bit = (guint64)1 << lane, value = edit->value;

    switch (edit->kind) {
    case WS_OBJECT_REGISTER:
        registers->registers[(gsize)edit->index * size + lane] = (guint32)value;
        if (edit->bytes == 8)
            registers->registers[((gsize)edit->index + 1) * size + lane] = (guint32)(value >> 32);
        break;
    case WS_OBJECT_UNIFORM:
        ws_set_uniform(sm->context->decoded, registers, edit->index, (guint32)value);
        if (edit->bytes == 8)
            ws_set_uniform(sm->context->decoded, registers, edit->index + 1,
                           (guint32)(value >> 32));
        break;
    case WS_OBJECT_PREDICATE:
        registers->predicates[edit->index] =
            (registers->predicates[edit->index] & ~bit) | (value != 0 ? bit : 0);
        break;
    default:
        ws_set_uniform_predicate(registers, edit->index, value != 0);
        break;
    }
}

static gboolean edit_memory(WsSm *sm, guint32 slot, const WsEditWrite *edit, WsMemorySystem *system)
{
    guint64 at = edit->at, bits = GUINT64_TO_LE(edit->value);
    guint kind = edit->kind;
    guint8 bytes[8];

    memcpy(bytes, &bits, sizeof bytes);
    if (kind == WS_MEMORY_GENERIC && at >= WS_SHARED_WINDOW && at < WS_CONSTANT_WINDOW) {
        kind = at < WS_LOCAL_WINDOW ? WS_MEMORY_SHARED : WS_MEMORY_LOCAL;
        at -= at < WS_LOCAL_WINDOW ? WS_SHARED_WINDOW : WS_LOCAL_WINDOW;
    }
    if (kind == WS_MEMORY_SHARED)
        return ws_memory_edit_shared(sm->memory, sm->state->warps[slot].block_slot, at, bytes,
                                     edit->bytes);
    if (kind == WS_MEMORY_LOCAL)
        return ws_memory_edit_local(sm->memory, slot, edit->lane, at, bytes, edit->bytes);
    return ws_memory_edit_global(system, at, bytes, edit->bytes);
}

gboolean ws_edit_apply(const WsEdit *edit, const WsSimulation *simulation)
{
    WsMemorySystem *system = ws_simulation_memory(simulation);
    guint32 slot;
    WsSm *sm = find_sm(simulation, edit, &slot);
    gboolean ok = sm != NULL;

    for (guint i = 0; ok && i < edit->count; i++) {
        const WsEditWrite *write = &edit->writes[i];

        if (write->kind < WS_OBJECT_KINDS)
            edit_register(sm, slot, write);
        else
            ok = edit_memory(sm, slot, write, system);
    }
    return ok;
}
