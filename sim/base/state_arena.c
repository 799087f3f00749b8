#include "sim/base/state_arena.h"

#include "sim/base/zero_pages.h"

#include <string.h>
#include <sys/mman.h>

enum {
    SIZE_CLASSES = 48, /* powers of two */
    LEAST_CLASS = 5,   /* 32 bytes, the head included */
    COMMIT_BYTES = 16 << 20,
};

static const gsize most_bytes = (gsize)1 << 40, least_bytes = (gsize)1 << 30;

/* Before each piece. */
typedef struct {
    guint64 size_class;
    guint64 next; /* of free pieces: offset, 0 = none */
} Head;

/* The bookkeeping, at the beginning of the range. */
typedef struct {
    gsize used;                       /* bytes of the range that hold state or did */
    guint64 free_heads[SIZE_CLASSES]; /* offsets of free pieces, by size */
} Books;

struct WsStateArena {
    guint8 *base;
    gsize reserved;
    gsize committed; /* bytes that may be read and written */
};

/* ---- life ---------------------------------------------------------------------------------------
 */

static Books *books_of(const WsStateArena *arena)
{
    return (Books *)(void *)arena->base;
}

/* Makes the range usable up to `bytes`; FALSE where the host has no memory. */
static gboolean commit(WsStateArena *arena, gsize bytes)
{
    gsize until = (bytes + COMMIT_BYTES - 1) / COMMIT_BYTES * COMMIT_BYTES;

    if (bytes <= arena->committed)
        return TRUE;
    if (until > arena->reserved || until < bytes ||
        mprotect(arena->base + arena->committed, until - arena->committed,
                 PROT_READ | PROT_WRITE) != 0)
        return FALSE;
    arena->committed = until;
    return TRUE;
}

WsStateArena *ws_state_arena_new(void)
{
    WsStateArena *arena;
    gsize bytes = most_bytes;
    gpointer base;

    do {
        base = mmap(NULL, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    } while (base == MAP_FAILED && (bytes /= 2) >= least_bytes);
    if (base == MAP_FAILED)
        return NULL;
    arena = g_new0(WsStateArena, 1);
    arena->base = base;
    arena->reserved = bytes;
    if (!commit(arena, sizeof(Books))) {
        ws_state_arena_free(arena);
        return NULL;
    }
    books_of(arena)->used = (sizeof(Books) + 63) & ~(gsize)63;
    return arena;
}

void ws_state_arena_free(WsStateArena *arena)
{
    if (arena == NULL)
        return;
    munmap(arena->base, arena->reserved);
    g_free(arena);
}

guint8 *ws_state_arena_range(const WsStateArena *arena, gsize *ret_bytes)
{
    *ret_bytes = books_of(arena)->used;
    return arena->base;
}

void ws_state_arena_cut(WsStateArena *arena, gsize bytes)
{
    gsize page = 4096, from = (bytes + page - 1) / page * page;

    if (from < arena->committed)
        madvise(arena->base + from, arena->committed - from, MADV_DONTNEED);
    if (from > bytes && bytes < arena->committed)
        memset(arena->base + bytes, 0, from - bytes);
}

/* ---- pieces -------------------------------------------------------------------------------------
 */

static Head *head_at(const WsStateArena *arena, guint64 offset)
{
    return (Head *)(void *)(arena->base + offset);
}

static Head *head_of(gpointer pointer)
{
    return (Head *)(void *)((guint8 *)pointer - sizeof(Head));
}

static gsize room_of(const Head *head)
{
    return ((gsize)1 << head->size_class) - sizeof(Head);
}

/* Offset of a piece that has not been used before, which is zero; 0 where there is no room. */
static guint64 take_fresh(WsStateArena *arena, guint size_class)
{
    Books *books = books_of(arena);
    guint64 offset = books->used;

    if (arena->reserved - offset < (gsize)1 << size_class ||
        !commit(arena, offset + ((gsize)1 << size_class)))
        return 0;
    books->used += (gsize)1 << size_class;
    return offset;
}

gpointer ws_state_try_alloc(WsStateArena *arena, gsize bytes)
{
    guint64 offset;
    guint size_class;
    Books *books;
    Head *head;

    if (arena == NULL)
        return g_try_malloc0(bytes);
    if (bytes > arena->reserved - sizeof(Head))
        return NULL;
    size_class = MAX(LEAST_CLASS, (guint)g_bit_storage(bytes + sizeof(Head) - 1));
    books = books_of(arena);
    offset = books->free_heads[size_class];
    if (offset != 0) {
        head = head_at(arena, offset);
        books->free_heads[size_class] = head->next;
        memset(head + 1, 0, bytes);
    } else {
        offset = take_fresh(arena, size_class);
        if (offset == 0)
            return NULL;
        head = head_at(arena, offset);
    }
    *head = (Head){.size_class = size_class};
    return head + 1;
}

gpointer ws_state_alloc(WsStateArena *arena, gsize count, gsize size)
{
    gpointer pointer;
    gsize bytes;

    if (arena == NULL)
        return g_malloc0_n(count, size);
    if (!g_size_checked_mul(&bytes, count, size))
        g_error("%" G_GSIZE_FORMAT " elements of %" G_GSIZE_FORMAT " bytes", count, size);
    pointer = ws_state_try_alloc(arena, bytes);
    if (pointer == NULL)
        g_error("failed to allocate %" G_GSIZE_FORMAT " bytes", bytes);
    return pointer;
}

gpointer ws_state_grow(WsStateArena *arena, gpointer pointer, gsize count, gsize size)
{
    gpointer moved;

    if (arena == NULL)
        return g_realloc_n(pointer, count, size);
    if (pointer != NULL && count <= room_of(head_of(pointer)) / size)
        return pointer;
    moved = ws_state_alloc(arena, count, size);
    if (pointer != NULL)
        memcpy(moved, pointer, room_of(head_of(pointer)));
    ws_state_free(arena, pointer);
    return moved;
}

void ws_state_free(WsStateArena *arena, gpointer pointer)
{
    Books *books;
    Head *head;

    if (arena == NULL || pointer == NULL) {
        g_free(pointer);
        return;
    }
    books = books_of(arena);
    head = head_of(pointer);
    head->next = books->free_heads[head->size_class];
    books->free_heads[head->size_class] = (guint64)((guint8 *)head - arena->base);
}

gpointer ws_state_alloc_table(WsStateArena *arena, gsize count, gsize size)
{
    return arena != NULL ? ws_state_alloc(arena, count, size) : ws_zero_pages_new(count, size);
}

void ws_state_free_table(WsStateArena *arena, gpointer table, gsize count, gsize size)
{
    if (arena != NULL)
        ws_state_free(arena, table);
    else
        ws_zero_pages_free(table, count, size);
}

/* ---- arrays -------------------------------------------------------------------------------------
 */

void ws_state_array_clear(WsStateArray *array)
{
    ws_state_free(array->arena, array->items);
    *array = (WsStateArray){.arena = array->arena};
}

gpointer ws_state_array_add(WsStateArray *array, gsize size)
{
    if (array->count == array->capacity) {
        array->capacity = MAX(16, array->capacity * 2);
        array->items = ws_state_grow(array->arena, array->items, array->capacity, size);
    }
    return (guint8 *)array->items + array->count++ * size;
}
