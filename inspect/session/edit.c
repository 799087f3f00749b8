#include "inspect/session/edit.h"

#include <string.h>

#include "inspect/session/lane_memory.h"
#include "inspect/session/value_text.h"
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
static gboolean check_place(const WsTyped *typed, const char *text, GError **error)
{
    const WsObject *object;
    const WsValueType *type = ws_typed_type(typed);

    if (!ws_typed_is_place(typed))
        return refuse(text, "this is a value and no place: nothing can be written to it", error);
    object = ws_typed_object(typed);
    if (object != NULL && object->kind == WS_OBJECT_PLACE)
        return refuse(text, "this is what the lane is, and cannot be changed", error);
    if (object != NULL && object->kind == WS_MEMORY_PARAMETER)
        return refuse(text,
                      "parameters are constant while a launch runs: --launch changes them from its "
                      "beginning",
                      error);
    if (!ws_value_type_is_scalar(type) ||
        (object != NULL &&
         (object->kind == WS_OBJECT_REGISTER || object->kind == WS_OBJECT_UNIFORM) &&
         type->size < 4))
        return refuse(text, "a number or a pointer of 4 or 8 bytes is changed at a time", error);
    return TRUE;
}

/* Of the rows: where each lane's place is, and its bytes. */
static gboolean take_rows(const WsLanePlace *where, WsTyped *place, WsTyped *value, guint64 lanes,
                          const char *text, WsEdit *ret, GError **error)
{
    const WsValueType *type = ws_typed_type(place);
    const WsObject *object = ws_typed_object(place);
    const WsRow *at = ws_typed_place(place, where, lanes);
    WsRow bits;

    ws_row_convert(ws_arithmetic_of(ws_typed_type(value)), ws_typed_evaluate(value, where, lanes),
                   type, lanes, &bits);
    if ((at->known & bits.known & lanes) != lanes) {
        const WsRow *lacking = (at->known & lanes) != lanes ? at : &bits;
        guint lane = (guint)__builtin_ctzll(lanes & ~lacking->known);

        ws_set_error(error, WS_ERROR_USAGE, "'%s' has no value in lane %u: %s", text, lane,
                     ws_unknown_text(lacking->why[ws_row_lane(lacking, lane)]));
        return FALSE;
    }
    ret->kind = object != NULL ? object->kind : WS_MEMORY_GENERIC;
    ret->index = object != NULL ? object->index : 0;
    ret->bytes = (guint32)type->size;
    for (guint64 rest = lanes; rest != 0; rest &= rest - 1) {
        guint lane = (guint)__builtin_ctzll(rest);
        guint64 offset = at->bits[ws_row_lane(at, lane)];

        if (object != NULL && object->kind >= WS_OBJECT_KINDS && object->bytes != 0 &&
            (type->size > object->bytes || offset > object->bytes - type->size))
            return refuse(text, ws_unknown_text(WS_UNKNOWN_OUTSIDE), error);
        ret->at[lane] = (object != NULL ? object->base : 0) + offset;
        ret->value[lane] = ws_scalar_kept_bits(type, bits.bits[ws_row_lane(&bits, lane)]);
    }
    return TRUE;
}

gboolean ws_edit_parse(const WsLaneScope *scope, const WsTimeline *timeline, WsWarpPlace place,
                       guint64 lanes, const char *text, WsEdit *ret, GError **error)
{
    const char *sign = find_assignment(text);
    const WsLanePlace where = {place.sm, place.slot, place.sm->state->warps[place.slot].path.pc};
    WsFocus focus = ws_focus_of(place.sm, place.slot);
    g_autoptr(WsTyped) to = NULL;
    g_autoptr(WsTyped) value = NULL;
    g_autofree char *left = NULL, *right = NULL, *problem = NULL;

    if (sign == NULL)
        return refuse(text, "PLACE = EXPRESSION is expected: R4 = 0, out[3] = 2 * 5", error);
    left = g_strstrip(g_strndup(text, (gsize)(sign - text)));
    right = g_strstrip(g_strdup(sign + 1));
    to = ws_lane_scope_compile(scope, "set", left, error);
    value = to != NULL ? ws_lane_scope_compile(scope, "expression", right, error) : NULL;
    if (value == NULL || !check_place(to, left, error))
        return FALSE;
    problem = ws_typed_check_condition(value);
    if (problem != NULL)
        return refuse(right, problem, error);
    *ret = (WsEdit){.cycle = ws_timeline_cycle(timeline),
                    .block = focus.block,
                    .warp = focus.warp,
                    .lanes = lanes};
    return take_rows(&where, to, value, lanes, text, ret, error);
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

static void edit_register(WsSm *sm, guint32 slot, const WsEdit *edit, guint lane)
{
    WsWarpRegisters *registers = &sm->state->registers[slot];
    guint32 size = sm->context->decoded->warp_size;
    guint64 bit = (guint64)1 << lane, value = edit->value[lane];

    switch (edit->kind) {
    case WS_OBJECT_REGISTER:
        registers->registers[(gsize)edit->index * size + lane] = (guint32)value;
        if (edit->bytes == 8)
            registers->registers[((gsize)edit->index + 1) * size + lane] = (guint32)(value >> 32);
        break;
    case WS_OBJECT_UNIFORM:
        registers->uniform[edit->index] = (guint32)value;
        if (edit->bytes == 8)
            registers->uniform[edit->index + 1] = (guint32)(value >> 32);
        break;
    case WS_OBJECT_PREDICATE:
        registers->predicates[edit->index] =
            (registers->predicates[edit->index] & ~bit) | (value != 0 ? bit : 0);
        break;
    default:
        registers->uniform_predicates =
            (guint8)((registers->uniform_predicates & ~(1u << edit->index)) |
                     (value != 0 ? 1u << edit->index : 0));
        break;
    }
}

static gboolean edit_memory(WsSm *sm, guint32 slot, const WsEdit *edit, guint lane,
                            WsMemorySystem *system)
{
    guint64 at = edit->at[lane], bits = GUINT64_TO_LE(edit->value[lane]);
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
        return ws_memory_edit_local(sm->memory, slot, lane, at, bytes, edit->bytes);
    return ws_memory_edit_global(system, at, bytes, edit->bytes);
}

gboolean ws_edit_apply(const WsEdit *edit, const WsSimulation *simulation)
{
    WsMemorySystem *system = ws_simulation_memory(simulation);
    guint32 slot;
    WsSm *sm = find_sm(simulation, edit, &slot);
    gboolean ok = sm != NULL;

    for (guint64 rest = edit->lanes; ok && rest != 0; rest &= rest - 1) {
        guint lane = (guint)__builtin_ctzll(rest);

        if (edit->kind < WS_OBJECT_KINDS)
            edit_register(sm, slot, edit, lane);
        else
            ok = edit_memory(sm, slot, edit, lane, system);
    }
    return ok;
}
