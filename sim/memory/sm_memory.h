/* One SM's memory: what its parts share. The public contract is sim/memory/memory.h. */
#ifndef WS_SIM_MEMORY_SM_MEMORY_H
#define WS_SIM_MEMORY_SM_MEMORY_H

#include "sim/memory/fence.h"
#include "sim/memory/l1_cache.h"
#include "sim/memory/load_store_unit.h"
#include "sim/memory/local_memory.h"
#include "sim/memory/memory_system.h"
#include "sim/memory/mshr.h"
#include "sim/memory/shared_memory.h"

typedef struct {
    guint64 global_load_requests, global_load_sectors;
    guint64 global_store_requests, global_store_sectors;
    guint64 shared_wavefronts, shared_bank_conflicts;
    guint64 texture_requests, texture_sectors;
    guint64 local_load_requests, local_store_requests;
    guint64 l1_lookups, l1_hits;
} WsSmMemoryCounters;

/* Where the lanes of an access find their values in its lines. */
typedef enum {
    WS_OFFSETS_BY_LANE,
    WS_OFFSETS_ROW, /* one 32-bit word a lane, all lanes, ascending, in one line */
    WS_OFFSETS_SAME /* one 32-bit word for all */
} WsOffsets;

/* An access that waits for answers; its index is the token the engine knows. */
typedef struct {
    guint32 link; /* of the pool */
    guint32 warp_slot;
    guint32 remaining; /* parts or messages */
    guint32 unknown;   /* of these: their answers are not in the inbox */
    guint32 record;    /* ATOMIC: operands and old values, or WS_NONE */
    guint32 sequence;  /* of the last of its answers in the inbox, */
    guint32 last_reply;
    guint64 last;  /* that one's cycle */
    guint64 ready; /* not before this cycle */
    WsMemoryOperation operation;
    gint16 destination;              /* row, negative: dropped */
    guint8 pattern;                  /* WsOffsets */
    guint8 level;                    /* WsMemoryLevel of what has come */
    guint8 offset[WS_MAX_WARP_SIZE]; /* in its line, of each lane or of the first */
} WsPendingAccess;

/* Operands of an atomic on its way, and what it found. */
typedef struct {
    guint32 link;
    guint32 access; /* WS_NONE for reductions */
    gint messages;  /* not served yet; atomic */
    guint64 lanes;
    WsMemoryOperation operation;
    guint64 value[WS_MAX_WARP_SIZE], second[WS_MAX_WARP_SIZE], old[WS_MAX_WARP_SIZE];
    guint8 offset[WS_MAX_WARP_SIZE];
} WsAtomicRecord;

typedef struct {
    guint32 link;
    guint32 item; /* miss, or atomic record */
    guint8 kind;  /* WsMessageKind */
    guint8 sectors;
    guint8 level;       /* WsMemoryLevel */
    gboolean completes; /* an access; never FALSE where one does */
    guint8 data[WS_LINE_BYTES];
} WsReply;

typedef struct {
    guint64 cycle;
    guint32 sequence;
    guint32 reply;
} WsInboxEntry;

/* A message that waits until misses under way make room, and what it needs to be sent. */
typedef struct {
    WsMessage message;
    guint32 flits;
    guint32 warp_slot;
    gboolean ends_access; /* the last message of its access */
} WsDeferred;

typedef struct {
    WsMessage *messages; /* sent since the last settle */
    guint32 count, capacity;
    guint32 sequence;
    guint64 port_free;
    guint8 flits[WS_SECTORS_PER_LINE + 2]; /* cycles of the port that so many of a store take */
    guint32 atomic_milli;      /* thousandths of a cycle that atomics have not taken yet */
    guint32 sectors_under_way; /* of loads */
    WsDeferred *deferred;      /* a ring */
    guint32 deferred_first, deferred_count, deferred_capacity;
    guint32 deferred_others; /* that are no loads */
    guint32 waiting;         /* accesses with messages in `deferred` */
} WsOutbox;

/* Answers that are on their way to the SM. Most are sent in the order in which they come, so they
 * are kept in that order. */
typedef struct {
    WsInboxEntry *entries;          /* from `first` on, the next one first */
    guint32 first, count, capacity; /* capacity in all, used and unused */
    guint64 port_free;              /* milli-cycles */
    guint32 service[1 << 5];        /* by mask of sectors, WS_SECTORS_FREE too; milli-cycles */
    guint64 wake;                   /* see ws_sm_memory_next_completion() */
    gboolean wake_known;
    WsStateArray completed; /* of WsResponse, not handed out yet */
    guint32 completed_first;
} WsInbox;

/* What a warp has under way. */
typedef struct {
    guint32 pending;         /* accesses that wait for answers */
    guint32 deferred_stores; /* not sent yet */
    guint64 left;            /* its stores have left the SM */
    guint32 block;           /* who it is: the block in the grid, */
    guint8 number;           /* and the warp in its block */
} WsWarpTraffic;

struct WsSmMemory {
    WsStateArena *arena; /* of the system, or NULL */
    const WsDevice *device;
    WsMemorySystem *system;
    const WsL2Geometry *geometry;
    const WsGlobalMemory *contents;
    guint32 sm;
    guint32 warp_size;
    guint32 partition;
    guint32 *trips; /* to each place of the partition's ring and back */
    guint64 now;    /* latest cycle seen */
    WsLoadStoreUnit lsu;
    WsSharedMemory shared;
    WsLocalMemory local;
    WsL1Shape l1_shape;
    WsL1Cache l1;
    WsMshrTable mshrs;
    WsPool accesses, atomics, stores, replies;
    WsOutbox outbox;
    WsInbox inbox;
    WsFence fence;
    WsWarpTraffic *warps;
    gboolean as_usual;      /* caches, and lines cost what they cost (ideal.coalescing: off) */
    const WsRegion *region; /* of the last row, or NULL */
    WsWarpRegisters *const *registers; /* see ws_sm_memory_batch(), or NULL */
    const WsL1Listener *listener;      /* or NULL */
    void *listener_data;
    gboolean watched;            /* see change_watch.h */
    const guint8 *polls;         /* see last_writers.h, or NULL */
    guint64 changes, l1_changes; /* of values; of the lines that L1 holds */
    WsSmMemoryCounters counters;
};

static inline WsPendingAccess *ws_pending_at(const WsSmMemory *memory, guint32 access)
{
    return WS_POOL_AT(&memory->accesses, WsPendingAccess, access);
}
static inline WsReply *ws_reply_at(const WsSmMemory *memory, guint32 reply)
{
    return WS_POOL_AT(&memory->replies, WsReply, reply);
}

/* One instruction on its way through ws_sm_memory_access(). */
typedef struct {
    WsSmMemory *memory;
    guint64 cycle;
    guint32 sub_core;
    guint32 warp_slot;
    guint32 block_slot;
    guint32 pc;
    gint16 destination;
    const WsClassTiming *timing;
    WsMemoryOperation operation;
    WsOperandRows rows;
    const WsRegion *region; /* that holds all lanes, or NULL if they are spread */
    guint32 access;         /* pending access, or WS_NONE */
    WsAddressSpan span;     /* of all lanes */
    guint64 address[WS_MAX_WARP_SIZE];
    WsMemoryAccess result;
} WsIssue;

/* Region and host address of a lane's operand in global memory; the access must have been checked.
 */
const WsRegion *ws_issue_region(const WsIssue *issue, guint64 address);
/* The access is usable at `ready`, at the earliest; it began at `start`. */
void ws_issue_finish(WsIssue *issue, guint64 start, guint64 ready);

/* L1, with whoever listens (l1_listener.c). */
void ws_sm_l1_emit_load(const WsIssue *issue, guint64 line, gboolean hit);
/* Of a line that is not whole in `entry` (WS_NONE: not at all): whether L1 will not keep it. */
gboolean ws_sm_l1_bypasses(const WsIssue *issue, guint64 line, guint32 entry);
/* Takes lines out of L1 until `more` can be put in, for the warp in a slot. */
void ws_sm_l1_make_room(WsSmMemory *memory, guint32 more, guint32 warp_slot);
/* ws_l1_insert() of a line that the warp in a slot brings in. */
guint32 ws_sm_l1_insert(WsSmMemory *memory, guint64 line, guint32 warp_slot);

/*
 * For those who want to know whether values change, and who changed them (noted_access.c):
 * ws_shared_memory_do(), a lane after the other; lines of an access that are to be known from now
 * on; a lane of global memory before and after its store or atomic.
 */
typedef struct {
    guint8 bytes[16];
} WsBefore;
void ws_do_shared_noted(WsIssue *issue, guint64 mask);
void ws_note_lines(const WsIssue *issue, guint64 mask);
void ws_note_before(const WsIssue *issue, const guint8 *place, WsBefore *ret);
void ws_note_global(const WsIssue *issue, guint lane, const guint8 *place, const WsBefore *before);
/* Says of a message who sends it. */
static inline void ws_sign(const WsIssue *issue, WsMessage *message)
{
    const WsSmMemory *memory = issue->memory;

    if (G_LIKELY(memory->polls == NULL))
        return;
    message->pc = issue->pc;
    message->polls = memory->polls[issue->pc];
    message->block = memory->warps[issue->warp_slot].block;
    message->warp = memory->warps[issue->warp_slot].number;
}

/* memory.model = cached (cached_access.c). */
void ws_cached_global(WsIssue *issue, guint64 mask, const WsCoalesced *coalesced);
/* The same with ideal.coalescing. */
void ws_ideal_global(WsIssue *issue, guint64 mask, WsCoalesced *coalesced);
/* A load or store of one whole line, a word a lane in order: `span` says where. */
void ws_cached_row(WsIssue *issue);
void ws_cached_local(WsIssue *issue, guint64 mask);

/* Lines that a texture fetch touches: up to eight texels a lane. */
enum { WS_TEXTURE_MAX_LINES = 8 * WS_MAX_WARP_SIZE };
typedef struct {
    guint32 count;
    guint32 passes;
    guint64 line[WS_TEXTURE_MAX_LINES];
    guint8 sectors[WS_TEXTURE_MAX_LINES];
} WsTextureLines;

/* Fetches of textures (texture_access.c): checks, values, time. */
void ws_texture_access(WsIssue *issue, const WsDecodedProgram *program,
                       const WsDecoded *instruction, WsWarpRegisters *warp, guint64 mask);
/* Loads of matrices (matrix_access.c): checks, values, time. */
void ws_matrix_access(WsIssue *issue, const WsDecodedProgram *program, const WsDecoded *instruction,
                      WsWarpRegisters *warp, guint64 mask);
/* Time of the lines, by either memory model. */
void ws_cached_texture(WsIssue *issue, const WsTextureLines *lines);

/*
 * Sends a message that takes the port for `flits` cycles, no earlier than `cycle`, or lets it wait
 * behind others that do (sm_messages.c). Returns the cycle at which it leaves, G_MAXUINT64 if it
 * waits.
 */
guint64 ws_sm_send(WsSmMemory *memory, guint64 cycle, const WsMessage *message, guint32 flits,
                   guint32 warp_slot);
/* The same for a message that takes neither the port nor room for its line (WS_SECTORS_FREE). */
void ws_sm_send_free(WsSmMemory *memory, guint64 cycle, const WsMessage *message,
                     guint32 warp_slot);
/* An access has sent its messages; so many waited before it. */
void ws_sm_end_access(WsSmMemory *memory, guint32 deferred_before);
/* An access has joined a miss of which some sectors are in the inbox. */
void ws_sm_joined(WsSmMemory *memory, guint32 mshr);
/* Sends what waits and now fits, no earlier than `cycle`. */
void ws_sm_send_waiting(WsSmMemory *memory, guint64 cycle);

#endif
