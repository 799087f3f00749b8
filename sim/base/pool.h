/*
 * A growing array of equal items, named by index, with a free list: nothing is allocated in steady
 * state. A pointer to an item is good until the next ws_pool_take().
 */
#ifndef WS_SIM_BASE_POOL_H
#define WS_SIM_BASE_POOL_H

#include "sim/base/state_arena.h"

enum { WS_NONE = G_MAXUINT32 };

typedef struct {
    WsStateArena *arena; /* or NULL */
    guint8 *items;
    gsize item_bytes; /* at least 4, a multiple of 8 */
    guint32 used;     /* items ever taken */
    guint32 capacity;
    guint32 free_head; /* WS_NONE if empty; the first word of a free item links to the next */
} WsPool;

static inline void ws_pool_init(WsPool *pool, WsStateArena *arena, gsize item_bytes)
{
    *pool = (WsPool){.arena = arena, .item_bytes = item_bytes, .free_head = WS_NONE};
}

static inline void ws_pool_clear(WsPool *pool)
{
    ws_state_free(pool->arena, pool->items);
    ws_pool_init(pool, pool->arena, pool->item_bytes);
}

/* `index` may be WS_NONE, or the pool empty, as long as nobody looks at what is there. */
static inline void *ws_pool_at(const WsPool *pool, guint32 index)
{
    return (void *)((guintptr)pool->items + (gsize)index * pool->item_bytes);
}

/* The same with the type that the pool was made for: a cheaper address. */
#define WS_POOL_AT(pool, Type, index) ((Type *)(void *)(pool)->items + (index))

static inline guint32 ws_pool_take(WsPool *pool)
{
    guint32 index = pool->free_head;
    if (index != WS_NONE) {
        pool->free_head = *(guint32 *)ws_pool_at(pool, index);
        return index;
    }
    if (pool->used == pool->capacity) {
        pool->capacity = MAX(64, pool->capacity * 2);
        pool->items = ws_state_grow(pool->arena, pool->items, pool->capacity, pool->item_bytes);
    }
    return pool->used++;
}

static inline void ws_pool_give(WsPool *pool, guint32 index)
{
    *(guint32 *)ws_pool_at(pool, index) = pool->free_head;
    pool->free_head = index;
}

#endif
