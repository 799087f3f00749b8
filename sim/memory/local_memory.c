#include "sim/memory/local_memory.h"

#include <string.h>

void ws_local_memory_init(WsLocalMemory *local, WsStateArena *arena, guint32 warp_slots,
                          guint32 warp_size, guint32 bytes)
{
    local->arena = arena;
    local->warps = ws_state_new(arena, guint32 *, warp_slots);
    local->warp_slots = warp_slots;
    local->warp_size = warp_size;
    local->bytes = bytes;
    local->words = bytes / 4 + (bytes % 4 != 0);
}

void ws_local_memory_clear(WsLocalMemory *local)
{
    for (guint32 i = 0; i < local->warp_slots; i++)
        ws_state_free(local->arena, local->warps[i]);
    ws_state_free(local->arena, local->warps);
}

static gsize warp_bytes(const WsLocalMemory *local)
{
    return (gsize)local->words * local->warp_size * 4;
}

void ws_local_memory_begin_warp(WsLocalMemory *local, guint32 warp_slot)
{
    if (local->warps[warp_slot] != NULL)
        memset(local->warps[warp_slot], 0, warp_bytes(local));
}

gint ws_local_memory_check(WsLocalMemory *local, guint32 warp_slot, const guint64 *offset,
                           guint64 mask, guint32 bytes, const char **ret)
{
    for (guint64 rest = mask; rest != 0; rest &= rest - 1) {
        guint lane = (guint)__builtin_ctzll(rest);
        if (offset[lane] & (bytes - 1))
            *ret = "misaligned";
        else if (offset[lane] >= local->bytes || bytes > local->bytes - offset[lane])
            *ret = "out of bounds";
        else
            continue;
        return (gint)lane;
    }
    if (mask != 0 && local->warps[warp_slot] == NULL) {
        local->warps[warp_slot] = ws_state_try_alloc(local->arena, warp_bytes(local));
        if (local->warps[warp_slot] == NULL) {
            *ret = "the host has no memory left for local memory";
            return __builtin_ctzll(mask);
        }
    }
    return -1;
}

static void copy_lane(guint32 *warp, guint32 warp_size, guint lane, guint64 offset, guint8 *bytes,
                      guint32 count, gboolean to_memory)
{
    for (guint32 i = 0; i < count;) {
        guint32 within = (guint32)((offset + i) % 4);
        guint32 step = MIN(4 - within, count - i);
        guint8 *place = (guint8 *)&warp[(offset + i) / 4 * warp_size + lane] + within;
        if (to_memory)
            memcpy(place, bytes + i, step);
        else
            memcpy(bytes + i, place, step);
        i += step;
    }
}

void ws_local_memory_do(WsLocalMemory *local, guint32 warp_slot, const WsMemoryOperation *operation,
                        const WsOperandRows *rows, const guint64 *offset, guint64 mask)
{
    guint32 *warp = local->warps[warp_slot];
    for (guint64 rest = mask; rest != 0; rest &= rest - 1) {
        guint lane = (guint)__builtin_ctzll(rest);
        guint8 bytes[16] = {0};
        guint64 old;
        if (operation->action != WS_ACTION_STORE)
            copy_lane(warp, local->warp_size, lane, offset[lane], bytes, operation->bytes, FALSE);
        if (operation->action == WS_ACTION_LOAD) {
            ws_lane_load(operation, rows, lane, bytes);
            continue;
        }
        if (operation->action == WS_ACTION_STORE) {
            ws_lane_store(operation, rows, lane, bytes);
        } else {
            ws_lane_atomic(operation, rows, lane, bytes, &old);
            ws_lane_return(operation, rows, lane, old);
        }
        copy_lane(warp, local->warp_size, lane, offset[lane], bytes, operation->bytes, TRUE);
    }
}
