#include "inspect/session/lane_memory.h"

#include <string.h>

#include "isa/base/float_bits.h"
#include "isa/base/half_float.h"
#include "sim/memory/change_watch.h"

guint64 ws_scalar_bits(const WsValueType *type, const guint8 *bytes)
{
    guint away = 64 - 8 * (guint)type->size;
    guint64 bits = 0;

    memcpy(&bits, bytes, MIN(type->size, sizeof bits));
    bits = GUINT64_FROM_LE(bits);
    if (type->bits != 0) {
        away = 64 - type->bits;
        bits = bits >> type->bit_offset << away;
        return type->kind == WS_CTYPE_UNSIGNED || type->kind == WS_CTYPE_BOOL
                   ? bits >> away
                   : (guint64)((gint64)bits >> away);
    }
    if (type->kind == WS_CTYPE_BRAIN)
        return ws_double_bits(ws_bfloat_to_double((guint16)bits));
    if (type->kind == WS_CTYPE_FLOAT)
        return type->size == 2   ? ws_double_bits(ws_half_to_double((guint16)bits))
               : type->size == 4 ? ws_double_bits((double)ws_float((guint32)bits))
                                 : bits;
    if (type->kind == WS_CTYPE_SIGNED || type->kind == WS_CTYPE_ENUM)
        return (guint64)((gint64)(bits << away) >> away);
    return bits;
}

/* Bytes that are the same for all lanes, or NULL if there are none. */
static const guint8 *common_bytes(const WsGlobalMemory *contents, const WsSm *sm, guint32 slot,
                                  WsMemoryKind kind, guint64 at, guint64 size)
{
    const guint8 *data = NULL;
    gsize bytes = 0;

    switch (kind) {
    case WS_MEMORY_SHARED:
        data = ws_sm_memory_shared(sm->memory, sm->state->warps[slot].block_slot, &bytes);
        break;
    case WS_MEMORY_PARAMETER:
        data = sm->context->launch->parameters;
        bytes = sm->context->kernel->parameter_bytes;
        break;
    default:
        return ws_global_memory_at(contents, at, size);
    }
    return data != NULL && size <= bytes && at <= bytes - size ? data + at : NULL;
}

/* In a window of the address map: its kind, with `at` counted from there. */
static WsMemoryKind window_of(WsMemoryKind kind, guint64 *at)
{
    if (kind != WS_MEMORY_GENERIC || *at < WS_SHARED_WINDOW || *at >= WS_CONSTANT_WINDOW)
        return kind;
    if (*at < WS_LOCAL_WINDOW) {
        *at -= WS_SHARED_WINDOW;
        return WS_MEMORY_SHARED;
    }
    *at -= WS_LOCAL_WINDOW;
    return WS_MEMORY_LOCAL;
}

/* Memory that no thread of the warp has touched holds 0. */
static gboolean read_local(const WsSm *sm, guint32 slot, guint lane, guint64 at, guint64 size,
                           guint8 *ret)
{
    guint32 lanes = sm->context->decoded->warp_size,
            bytes = ws_launch_local_bytes(sm->context->launch);
    gsize words;
    const guint32 *memory = ws_sm_memory_local(sm->memory, slot, &words);

    if (size > bytes || at > bytes - size)
        return FALSE;
    for (guint64 i = 0; i < size; i++, at++)
        ret[i] = memory == NULL ? 0 : (guint8)(memory[at / 4 * lanes + lane] >> (at % 4 * 8));
    return TRUE;
}

static void load_lane(const WsGlobalMemory *contents, const WsSm *sm, guint32 slot,
                      WsMemoryKind kind, guint64 at, const WsValueType *type, guint lane,
                      WsRow *ret)
{
    guint8 room[8];
    const guint8 *bytes = NULL;

    kind = window_of(kind, &at);
    if (kind != WS_MEMORY_LOCAL)
        bytes = common_bytes(contents, sm, slot, kind, at, type->size);
    else if (read_local(sm, slot, lane, at, type->size, room))
        bytes = room;
    if (bytes == NULL)
        ws_row_put_unknown(ret, lane, WS_UNKNOWN_NO_MEMORY);
    else
        ret->bits[lane] = ws_scalar_bits(type, bytes);
}

/* A word at the same place of local memory in all lanes, which lies in a row. */
static gboolean load_word(const WsSm *sm, guint32 slot, guint64 at, const WsValueType *type,
                          WsRow *ret)
{
    guint32 lanes = sm->context->decoded->warp_size,
            bytes = ws_launch_local_bytes(sm->context->launch);
    gboolean is_signed = type->kind == WS_CTYPE_SIGNED || type->kind == WS_CTYPE_ENUM;
    const guint32 *memory;
    gsize words;

    if (type->size != 4 || at % 4 != 0 || bytes < 4 || at > bytes - 4 || type->bits != 0 ||
        ws_value_type_is_float(type))
        return FALSE;
    memory = ws_sm_memory_local(sm->memory, slot, &words);
    if (memory == NULL)
        return FALSE;
    memory += at / 4 * lanes;
    ret->same = FALSE;
    ret->known = G_MAXUINT64;
    for (guint32 lane = 0; lane < lanes; lane++)
        ret->bits[lane] = is_signed ? (guint64)(gint64)(gint32)memory[lane] : memory[lane];
    return TRUE;
}

void ws_lane_memory_load(const WsGlobalMemory *contents, const WsSm *sm, guint32 slot,
                         const WsObject *object, const WsValueType *type, const WsRow *offset,
                         guint64 mask, WsRow *ret)
{
    WsMemoryKind kind = object != NULL ? (WsMemoryKind)object->kind : WS_MEMORY_GENERIC;
    guint64 base = object != NULL ? object->base : 0;
    guint64 at = base + offset->bits[0];
    WsMemoryKind window = offset->same ? window_of(kind, &at) : WS_MEMORY_LOCAL;

    if (window != WS_MEMORY_LOCAL) {
        const guint8 *bytes = common_bytes(contents, sm, slot, window, at, type->size);

        if (bytes == NULL)
            ws_row_set_unknown(ret, WS_UNKNOWN_NO_MEMORY);
        else
            ws_row_set_same(ret, ws_scalar_bits(type, bytes));
        return;
    }
    if (offset->same && load_word(sm, slot, at, type, ret))
        return;
    ret->same = FALSE;
    ret->known = G_MAXUINT64;
    for (guint64 rest = mask; rest != 0; rest &= rest - 1) {
        guint lane = (guint)__builtin_ctzll(rest);

        load_lane(contents, sm, slot, kind, base + offset->bits[ws_row_lane(offset, lane)], type,
                  lane, ret);
    }
}
