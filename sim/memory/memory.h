/*
 * Memory of the machine: contents and timing.
 *
 *   WsGlobalMemory   what global addresses hold (buffers, __device__ variables); one a job
 *   WsMemorySystem   L2 and DRAM, shared by the SMs; one a job
 *   WsSmMemory       one SM's load-store unit, L1, shared and local memory
 *
 * SMs and the memory system exchange only time-stamped messages. The engine runs SMs in windows no
 * longer than ws_memory_window() cycles; at the end of a window it calls ws_memory_system_settle(),
 * which serves all requests in (arrival cycle, SM, sequence) order and hands out responses, none of
 * which falls inside the window just run. So the result does not depend on the order in which SMs
 * ran.
 *
 * Global values: a store or atomic takes effect, and a load that missed reads, when its request is
 * served at L2. L1 holds data: a hit reads what L1 holds; stores write through (also into misses
 * under way), atomics invalidate.
 *
 * With memory.model = fixed there are no caches: every global or local access takes the latency of
 * its class, contents take effect at issue in (cycle, SM, sub-core) order... inside one SM only, so
 * this model allows one SM.
 */
#ifndef WS_SIM_MEMORY_MEMORY_H
#define WS_SIM_MEMORY_MEMORY_H

#include "sim/base/counters.h"
#include "sim/base/memory_level.h"
#include "sim/base/state_arena.h"
#include "sim/lanes/lanes.h"
#include "sim/launch/launch.h"
#include "sim/memory/l1_listener.h"

typedef struct WsGlobalMemory WsGlobalMemory;
typedef struct WsMemorySystem WsMemorySystem;
typedef struct WsSmMemory WsSmMemory;

/* ---- contents ---------------------------------------------------------------------------------
 */

/* Maps the job's buffers and module window in place (no copy). */
WsGlobalMemory *ws_global_memory_new(WsJob *job);
void ws_global_memory_free(WsGlobalMemory *memory);
/* Host address of `bytes` bytes at `address`, or NULL if any of them is not mapped. */
guint8 *ws_global_memory_at(const WsGlobalMemory *memory, guint64 address, guint64 bytes);
/* The texture of a handle, or NULL; `ret_data` is set to where texel 0 lies. */
const WsTexture *ws_global_memory_texture(const WsGlobalMemory *memory, guint64 handle,
                                          const guint8 **ret_data);
/* Text for a fault message: "12 bytes past the end of buffer 'x' (f32[1000])". g_free. */
char *ws_global_memory_describe(const WsGlobalMemory *memory, guint64 address);

/* ---- one launch --------------------------------------------------------------------------------
 */

/* It lies in `arena`, or NULL, and what its SMs have does too. */
WsMemorySystem *ws_memory_system_new(const WsDevice *device, WsGlobalMemory *contents,
                                     WsStateArena *arena);
void ws_memory_system_free(WsMemorySystem *system);
/* Empties the caches (cold start of a launch); dirty data is already in the contents. */
void ws_memory_system_flush(WsMemorySystem *system);
/* Longest window, in cycles, that keeps messages in order: the shortest round trip. At least 1. */
guint64 ws_memory_window(const WsDevice *device);

/*
 * `carveout_bytes`: size of the shared part of the unified array in this launch; `local_bytes`:
 * local memory of a thread. `warp_slots` x warp_size threads have local memory at a time.
 */
WsSmMemory *ws_sm_memory_new(WsMemorySystem *system, const WsDevice *device, guint32 sm,
                             guint32 warp_slots, guint64 carveout_bytes, guint32 local_bytes);
void ws_sm_memory_free(WsSmMemory *memory);
/* `listener` stays with the caller; either of its functions may be NULL. */
void ws_sm_memory_listen(WsSmMemory *memory, const WsL1Listener *listener, void *data);

/* Shared memory of a block: zeroed, `bytes` long, at a slot-sized place of the SM's array. */
void ws_sm_memory_begin_block(WsSmMemory *memory, guint32 block_slot, guint64 bytes);
/* What it holds now; NULL and 0 where the block has none. */
const guint8 *ws_sm_memory_shared(const WsSmMemory *memory, guint32 block_slot, gsize *ret_bytes);
/* Stores to global memory have been issued that L2 has not got yet. */
gboolean ws_sm_memory_stores_under_way(const WsSmMemory *memory);
const WsGlobalMemory *ws_sm_memory_contents(const WsSmMemory *memory);
void ws_sm_memory_begin_warp(WsSmMemory *memory,
                             guint32 warp_slot); /* local memory undefined -> zero */
/* The warp in the slot is that of this number in this block of the grid (last_writers.h). */
void ws_sm_memory_name_warp(WsSmMemory *memory, guint32 warp_slot, guint32 block, guint32 warp);

/* ---- accesses ----------------------------------------------------------------------------------
 */

/* Result of handing an instruction to the load-store unit. */
typedef enum {
    WS_ACCESS_DONE,    /* ready cycle known: registers hold the values (visible from ready_cycle) */
    WS_ACCESS_PENDING, /* a response will come: `token` names it */
    WS_ACCESS_FAULT
} WsAccessOutcome;

typedef struct {
    WsAccessOutcome outcome;
    guint64 ready_cycle;  /* DONE: result usable */
    guint64 source_cycle; /* source registers have been read (WAR) */
    guint32 token;        /* PENDING */
    guint32 sectors;      /* global: 32-byte sectors, for observers */
    guint32 wavefronts;   /* shared: passes */
    guint8 level;         /* DONE: WsMemoryLevel */
    /* What the instruction is charged with: WsInstructionCounters. */
    guint32 extra_wavefronts, global_sectors, extra_sectors;
    /* FAULT */
    guint32 fault_lane;
    guint64 fault_address;
    const char *fault; /* "out of bounds", "misaligned", "wrong space", "read only" */
} WsMemoryAccess;

/*
 * Cycle from which sub-core `sub_core` can hand over an instruction (its queue has room). A warp
 * that waits for it stalls for lg_throttle (global, local) or mio_throttle (the rest).
 */
guint64 ws_sm_memory_free_cycle(const WsSmMemory *memory, guint32 sub_core);
/*
 * TRUE while as many accesses wait for room in L1 as its queue holds: nothing for global or local
 * memory may be issued until a response makes room. Warps stall for lg_throttle meanwhile.
 */
gboolean ws_sm_memory_full(const WsSmMemory *memory);

/* Accesses of the warp that wait for answers. */
guint32 ws_sm_memory_pending(const WsSmMemory *memory, guint32 warp_slot);
/* Lines of 128 bytes that the lanes of `mask` touch, each `bytes` bytes at its address. */
guint32 ws_sm_memory_lines(const WsSmMemory *memory, const guint64 *address, guint64 mask,
                           guint32 bytes);

/* How full the SM's memory is at a cycle, and how full it can be. */
typedef struct {
    guint64 l1_hits, l1_lookups;   /* sectors so far */
    guint32 sectors, most_sectors; /* of loads, in flight */
    guint32 lines, most_lines;     /* of L1, in flight */
    guint32 waiting, most_waiting; /* accesses that wait for room */
    guint32 queue;                 /* cycles until the sub-core's queue has room */
} WsSmMemoryUse;
void ws_sm_memory_use(const WsSmMemory *memory, guint32 sub_core, guint64 cycle,
                      WsSmMemoryUse *ret);

/*
 * Issues LD* ST* ATOM* RED at `cycle` for the lanes of `mask`: addresses, checks, coalescing or
 * banks, queues and caches. Loads that are DONE have written their registers. PENDING accesses
 * write them when their response is delivered. Also serves SHFL, LDC, S2R and the like where their
 * unit is shared by the SM: ws_sm_memory_unit() below.
 */
WsMemoryAccess ws_sm_memory_access(WsSmMemory *memory, guint64 cycle, guint32 sub_core,
                                   guint32 warp_slot, guint32 block_slot,
                                   const WsDecodedProgram *program, const WsDecoded *instruction,
                                   WsWarpRegisters *warp, guint64 mask);

/*
 * An instruction without an address that goes through the SM's shared units (SHFL, MATCH, LDC with
 * an index, S2R): returns the cycle at which its result is usable. `ways` is the number of passes.
 */
guint64 ws_sm_memory_unit(WsSmMemory *memory, guint64 cycle, guint32 sub_core,
                          WsClass execution_class, guint32 ways);

/*
 * MEMBAR of a warp at `cycle`: the cycle at which its earlier memory operations have reached the
 * scope; G_MAXUINT64 if that depends on a response: ask again when one has been delivered. A scope
 * wider than the block also empties L1.
 */
guint64 ws_sm_memory_membar(WsSmMemory *memory, guint64 cycle, guint32 warp_slot, guint scope);

/* ---- responses ----------------------------------------------------------------------------------
 */

/* Serves all requests sent by SMs in the window that ends at `window_end` (exclusive). */
void ws_memory_system_settle(WsMemorySystem *system, guint64 window_end);

/*
 * The same by several host threads. Requests fall into shares that have nothing to do with each
 * other: ws_memory_system_split() makes up to `count` of them (fewer if the device does not allow
 * it; call it when nothing is under way), then each window takes one
 * ws_memory_system_settle_share() for each share, at the same time or in any order,
 * ws_memory_system_end_settle(), and ws_memory_system_collect() for each SM, which hands it its
 * responses. The number of shares does not change any result.
 */
void ws_memory_system_split(WsMemorySystem *system, guint32 count);
guint32 ws_memory_system_shares(const WsMemorySystem *system);
/* Requests sent since the last window was settled. */
guint64 ws_memory_system_waiting(const WsMemorySystem *system);
void ws_memory_system_settle_share(WsMemorySystem *system, guint32 number, guint64 window_end);
void ws_memory_system_end_settle(WsMemorySystem *system, guint64 window_end);
void ws_memory_system_collect(WsMemorySystem *system, guint32 sm);

/*
 * Before a window that starts at `cycle`, later than the end of the last one because no SM has
 * anything to do before: serves what is still in flight in L2 and DRAM, until a response has been
 * handed out (TRUE: an SM may have something to do earlier now, look again) or nothing that
 * remains can answer before the SMs' own next messages (FALSE: the window may run). G_MAXUINT64
 * or any cycle that is never reached asks for all there is.
 */
gboolean ws_memory_system_catch_up(WsMemorySystem *system, guint64 cycle);

/* Earliest cycle at which a response reaches this SM, G_MAXUINT64 if none is known. */
guint64 ws_sm_memory_next_response(const WsSmMemory *memory);

/*
 * From now on an answer that completes no access waits until another answer, an access, a fence or
 * ws_sm_memory_end_batch() makes its effects visible, which are as if it had been delivered when it
 * came: an SM need not stop at each. `registers` is what ws_sm_memory_deliver() is called with.
 */
void ws_sm_memory_batch(WsSmMemory *memory, WsWarpRegisters *const *registers);
/*
 * Earliest cycle at which ws_sm_memory_deliver() has something to tell: an access completes, or the
 * queue of L1 may take accesses again; that of ws_sm_memory_next_response() without batches.
 */
guint64 ws_sm_memory_next_completion(WsSmMemory *memory);
/* Delivers what has come by `cycle` and completes nothing; nothing to do without batches. */
void ws_sm_memory_end_batch(WsSmMemory *memory, guint64 cycle);

typedef struct {
    guint32 token;
    guint32 warp_slot;
    guint64 ready_cycle; /* registers are usable from here */
    guint8 level;        /* WsMemoryLevel */
} WsResponse;

/*
 * Takes the next response that has arrived by `cycle`: fills L1, writes registers of the access
 * when its last sector is there. TRUE if an access completed (ret), FALSE if none is left at this
 * cycle. The engine passes the warp's registers by slot: `registers[warp_slot]`.
 */
gboolean ws_sm_memory_deliver(WsSmMemory *memory, guint64 cycle, WsWarpRegisters *const *registers,
                              WsResponse *ret);

/* TRUE while a response for the warp is to come. */
gboolean ws_sm_memory_warp_busy(const WsSmMemory *memory, guint32 warp_slot);
/*
 * Cycle from which everything the warp stored has left the SM (EXIT waits for it: drain);
 * G_MAXUINT64 while that depends on a response.
 */
guint64 ws_sm_memory_drain_cycle(const WsSmMemory *memory, guint32 warp_slot);

/* Adds the memory counters (requests, sectors, wavefronts, hits, DRAM bytes) to `counters`. */
void ws_sm_memory_add_counters(const WsSmMemory *memory, WsCounters *counters);
void ws_memory_system_add_counters(const WsMemorySystem *system, WsCounters *counters);
/* Bytes of L2 in use, whole lines; a line that two partitions hold counts twice. */
guint64 ws_memory_system_held_bytes(const WsMemorySystem *system);

#endif
