/*
 * Where the mutable state of a simulation lies. An arena keeps all of it in one range of addresses
 * that never moves, so that the state of a whole simulation, pointers included, is saved and
 * restored by copying the pages of that range (sim/base/page_store.h).
 *
 * A run that is never to be restored uses no arena: where `arena` is NULL these functions are those
 * of GLib, and sanitizers see the bounds of each piece.
 *
 * The arena's own bookkeeping lies in it too. It belongs to one host thread at a time.
 */
#ifndef WS_SIM_BASE_STATE_ARENA_H
#define WS_SIM_BASE_STATE_ARENA_H

#include <glib.h>

typedef struct WsStateArena WsStateArena;

/* NULL if the host grants no range of addresses that is worth having (under 1 GiB). */
WsStateArena *ws_state_arena_new(void);
/* Everything in it goes with it. */
void ws_state_arena_free(WsStateArena *arena);

/* The part of the range that holds state now, in bytes from the address `ret_bytes` tells of. */
guint8 *ws_state_arena_range(const WsStateArena *arena, gsize *ret_bytes);
/* What lies at or behind `bytes` is zero again; the caller then restores the range up to there. */
void ws_state_arena_cut(WsStateArena *arena, gsize bytes);

/* `count` elements of `size` bytes, all zero. Aborts where there is no room, as g_malloc0() does.
 */
gpointer ws_state_alloc(WsStateArena *arena, gsize count, gsize size);
/* The same, NULL where there is no room. */
gpointer ws_state_try_alloc(WsStateArena *arena, gsize bytes);
/* Room for `count` elements; what is new is undefined. `pointer` may be NULL. */
gpointer ws_state_grow(WsStateArena *arena, gpointer pointer, gsize count, gsize size);
void ws_state_free(WsStateArena *arena, gpointer pointer); /* NULL does nothing */
/*
 * ws_state_alloc() of a large table that most launches touch little of: without an arena its pages
 * come from the system as they are touched (sim/base/zero_pages.h). Freed with the same numbers.
 */
gpointer ws_state_alloc_table(WsStateArena *arena, gsize count, gsize size);
void ws_state_free_table(WsStateArena *arena, gpointer table, gsize count, gsize size);

#define ws_state_new(arena, type, count) ((type *)ws_state_alloc(arena, count, sizeof(type)))
#define ws_state_renew(arena, type, pointer, count)                                                \
    ((type *)ws_state_grow(arena, pointer, count, sizeof(type)))

/* An array of equal items that grows. */
typedef struct {
    WsStateArena *arena;
    gpointer items;
    guint32 count, capacity;
} WsStateArray;

void ws_state_array_clear(WsStateArray *array);
/* Room for one more item of `size` bytes at the end, whose address is returned. */
gpointer ws_state_array_add(WsStateArray *array, gsize size);

#define ws_state_array_append(array, type, value)                                                  \
    (*(type *)ws_state_array_add(array, sizeof(type)) = (value))
#define ws_state_array_index(array, type, index) (((type *)(array)->items)[index])

#endif
