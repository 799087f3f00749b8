/*
 * MSHRs: misses of one SM's L1, one register a line under way, found by line, with the accesses
 * that wait for its sectors. Stores to a sector under way are kept with it, so that what is filled
 * in is not older than what the SM wrote, while accesses that came before the store still get the
 * old value.
 */
#ifndef WS_SIM_MEMORY_MSHR_H
#define WS_SIM_MEMORY_MSHR_H

#include "sim/base/pool.h"
#include "sim/lanes/memory_operation.h"
#include "sim/memory/coalescer.h"
#include "sim/memory/global_memory.h"

/* Some bytes of a line. */
typedef struct {
    guint32 mask[WS_SECTORS_PER_LINE]; /* a bit a byte */
    guint8 data[WS_LINE_BYTES];
} WsLineBytes;

typedef struct {
    guint32 next; /* in its bucket */
    guint32 parts;
    guint32 patch;   /* WsLineBytes stored since, or WS_NONE */
    gboolean room;   /* of L1 is taken for what has been sent */
    gboolean coming; /* and that of another line, for it will be put in */
    guint8 pending;  /* sectors requested and not here */
    guint8 sent;     /* of these: the request has left the SM */
    guint8 known;    /* of these: the answer is in the SM's inbox */
    gboolean listed; /* found by line, and fills L1; otherwise only its own parts get it */
    gboolean evict_first;
    guint32 warp_slot; /* that asked first */
    guint64 line;
    const WsRegion *region; /* NULL: local memory */
} WsMshr;

/* What one access wants of one line. */
typedef struct {
    guint32 next;
    guint32 access;
    guint32 patch;  /* stored before this access, or WS_NONE */
    guint8 needed;  /* sectors */
    guint8 unknown; /* of these: the answer is not in the SM's inbox */
    guint64 lanes;
} WsPart;

typedef struct {
    WsPool mshrs, parts, patches;
    guint32 bucket_count; /* a power of two */
    guint32 *buckets;     /* in the arena of the pools */
} WsMshrTable;

void ws_mshr_table_init(WsMshrTable *table, WsStateArena *arena);
void ws_mshr_table_clear(WsMshrTable *table);
static inline WsMshr *ws_mshr_at(const WsMshrTable *table, guint32 mshr)
{
    return WS_POOL_AT(&table->mshrs, WsMshr, mshr);
}

static inline guint32 *ws_mshr_bucket_of(const WsMshrTable *table, guint64 line)
{
    return &table->buckets[(line ^ line >> 10) & (table->bucket_count - 1)];
}
/* The listed MSHR of a line, or WS_NONE. */
static inline guint32 ws_mshr_find(const WsMshrTable *table, guint64 line)
{
    guint32 mshr = *ws_mshr_bucket_of(table, line);

    while (mshr != WS_NONE && ws_mshr_at(table, mshr)->line != line)
        mshr = ws_mshr_at(table, mshr)->next;
    return mshr;
}
guint32 ws_mshr_new(WsMshrTable *table, guint64 line, const WsRegion *region, gboolean listed);
void ws_mshr_add_part(WsMshrTable *table, guint32 mshr, guint32 access, guint64 lanes,
                      guint8 needed);
/* A store to the line. */
void ws_mshr_store(WsMshrTable *table, guint32 mshr, const WsLineBytes *bytes);
/* Later accesses do not find it, and it fills nothing (an atomic or a fence came between). */
void ws_mshr_unlist(WsMshrTable *table, guint32 mshr);
void ws_mshr_unlist_all(WsMshrTable *table);
/* Frees an MSHR without parts. */
void ws_mshr_free(WsMshrTable *table, guint32 mshr);

/* Writes the bytes over `line`; only sectors of `sectors`. */
void ws_line_bytes_apply(const WsLineBytes *bytes, guint8 *line, guint8 sectors);

#endif
