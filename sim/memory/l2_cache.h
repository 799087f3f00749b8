/*
 * L2: slices by address hash, in partitions. An SM talks to the slice of its own partition. Each
 * line has a home partition, next to the DRAM that holds it; other partitions may keep a copy of
 * it for reading, which a store or atomic drops.
 *
 * Tags decide time only: contents live in WsGlobalMemory. A line knows which of its bytes are valid
 * (a partial write fetches nothing until it is read), which sectors are dirty, and which are on
 * their way.
 *
 * Measured on an H200: hits spread over 253..313 cycles in two humps 33 apart, whatever the line's
 * home, once every SM has read it; a line first read from the far side and an atomic on it take
 * about 200 more; one SM finds 32 of the 60 MB before latency grows. Hence home and copy.
 */
#ifndef WS_SIM_MEMORY_L2_CACHE_H
#define WS_SIM_MEMORY_L2_CACHE_H

#include "sim/base/divider.h"
#include "sim/base/state_arena.h"
#include "sim/device/memory_share.h"
#include "sim/memory/coalescer.h"

/*
 * The slices of a fair share (sim/device/memory_share.h) serve all partitions together, whatever
 * the partition of their SMs: with a slice or two the partitions would not have equal parts. Where
 * a line lies on the ring, and so its latency, is as in the whole machine.
 */
typedef struct {
    guint32 partitions;
    guint32 slices;  /* of a partition, or that all partitions share */
    guint32 ring;    /* slices of a partition that SMs stand beside, in the whole machine */
    gboolean pooled; /* partitions share the slices */
    guint32 sms;
    guint64 near_trip, far_trip, spread; /* round trip between SM and slice, both ways */
    guint64 least_request, least_trip;
    guint64 cross_latency; /* both ways between partitions */
    WsDivider by_slices, by_ring;
    WsDivider by_home; /* lines in a piece of memory with one home */
} WsL2Geometry;

void ws_l2_geometry_init(WsL2Geometry *geometry, const WsDevice *device);
/* Partition of an SM, and the slice (inside any partition) and home partition of a line. */
guint32 ws_l2_partition_of(const WsL2Geometry *geometry, guint32 sm);
guint32 ws_l2_slice_of(const WsL2Geometry *geometry, guint64 line);
guint32 ws_l2_home_of(const WsL2Geometry *geometry, guint64 line);
/* Place of a line's slice on the ring of any partition. */
guint32 ws_l2_ring_place(const WsL2Geometry *geometry, guint64 line);
/* Round trip between an SM and a place of its partition's ring; the way there is half of it. */
guint64 ws_l2_trip(const WsL2Geometry *geometry, guint32 sm, guint32 place);

/* Masks of sectors. Small, so that a set is one cache line of the host. */
typedef struct {
    guint8 full;    /* every byte is valid */
    guint8 partial; /* some bytes are: see WsL2Cache.bytes */
    guint8 dirty;
    guint8 pending; /* on their way */
} WsL2Line;

typedef struct {
    guint32 sector[WS_SECTORS_PER_LINE]; /* a bit a byte */
} WsL2Bytes;

/*
 * What changes is by slice: copies of the structure may each serve some of them (memory_system.c).
 * Slices are numbered over all partitions, pooled ones too: those of one place share room and time,
 * and hold a line once for each partition.
 */
typedef struct {
    WsStateArena *arena; /* or NULL */
    guint32 slices;      /* that there are: of all partitions, or the pooled ones */
    guint32 per_partition;
    gboolean pooled;
    gboolean rated; /* slices do not take whole cycles for what they do: `rate` */
    guint32 copies; /* of a line in pooled slices: partitions; 1 if they are not pooled */
    WsServiceRate rate;
    guint32 sets, ways;
    WsDivider by_partition, by_sets; /* per_partition and sets */
    guint64 *tags;                   /* [slice][set][way]: line + 1, 0 = free */
    guint32 *stamps;                 /* last use */
    WsL2Line *lines;
    WsL2Bytes *bytes;     /* valid bytes of partial sectors */
    guint32 *waiters;     /* first request that waits for a fill, 0 = none */
    guint32 *clock;       /* by slice, counts uses; 0 = it is empty */
    guint64 *slice_free;  /* by slice */
    guint16 *slice_milli; /* by slice: thousandths of a cycle behind that, of an atomic */
    guint64 *slice_carry; /* with `rated`, instead: see ws_service_cycles() */
    guint32 *held;        /* by slice: lines that it holds */
} WsL2Cache;

typedef struct {
    guint64 line;
    guint8 dirty; /* sectors to be written back, 0 = nothing */
} WsL2Victim;

void ws_l2_init(WsL2Cache *cache, WsStateArena *arena, const WsDevice *device,
                const WsL2Geometry *geometry);
void ws_l2_clear(WsL2Cache *cache);
void ws_l2_reset(WsL2Cache *cache);
/* Time starts over; contents stay. */
void ws_l2_rewind(WsL2Cache *cache);

/* Where a line may be in a slice, which is counted over all partitions. */
typedef struct {
    guint32 slice;
    guint32 first; /* entry of its set */
} WsL2Set;

WsL2Set ws_l2_set_of(const WsL2Cache *cache, guint32 slice, guint64 line);
/* The slice among those that there are. */
guint32 ws_l2_real_slice(const WsL2Cache *cache, guint32 slice);
/* Lines that all slices hold, a copy counted as one. */
guint64 ws_l2_held(const WsL2Cache *cache);
/* Entry of the line, or G_MAXUINT32; marks a use. */
guint32 ws_l2_find(WsL2Cache *cache, WsL2Set set, guint64 line);
/*
 * A new entry for a line that is not there. Evicts the least recently used line that is not on its
 * way; G_MAXUINT32 if all are.
 */
guint32 ws_l2_allocate(WsL2Cache *cache, WsL2Set set, guint64 line, WsL2Victim *ret);
void ws_l2_drop(WsL2Cache *cache, WsL2Set set, guint64 line);
/* Stores the bytes of `mask` (a bit a byte) into the entry. */
void ws_l2_write(WsL2Cache *cache, guint32 entry, const guint32 mask[WS_SECTORS_PER_LINE]);
/* Lets the host fetch what a later lookup reads. */
void ws_l2_prefetch(const WsL2Cache *cache, WsL2Set set);
/* Takes the slice for `service` cycles; returns the cycle at which it begins. */
guint64 ws_l2_take(WsL2Cache *cache, guint32 slice, guint64 cycle, guint64 service);
/* The same for a service in 1/1000 cycle. What is less than a cycle adds up while it is busy. */
guint64 ws_l2_take_milli(WsL2Cache *cache, guint32 slice, guint64 cycle, guint64 service);

#endif
