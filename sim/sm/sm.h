/*
 * One streaming multiprocessor while a launch runs: warps, sub-cores, barriers, blocks. Inside the
 * library only; the engine's files share it.
 *
 * Everything that changes lies in one arena and is linked by index, so that a snapshot of an SM is
 * a copy of its arena (with WsWarpRegisters.registers, which lane bodies want as a pointer, set
 * again).
 */
#ifndef WS_SIM_SM_SM_H
#define WS_SIM_SM_SM_H

#include "isa/flow/spin_loops.h"
#include "sim/base/print_log.h"
#include "sim/base/status.h"
#include "sim/memory/memory.h"
#include "sim/observe/event_stream.h"
#include "sim/occupancy/loss.h"
#include "sim/policies/policy_code.h"
#include "sim/sm/block_slots.h"
#include "sim/sm/dispatcher.h"
#include "sim/sm/register_ports.h"
#include "sim/sm/wake_queue.h"
#include "sim/sm/warp.h"

/* What does not change during a launch; shared by all SMs. */
typedef struct {
    const WsDevice *device;
    const WsProgram *program;
    const WsKernel *kernel;
    const WsDecodedProgram *decoded;
    const WsIssueTable *issue_table;
    const WsDivergenceModel *divergence;
    const WsPolicy *policy;
    const WsPolicyCode *policy_code; /* of a policy that is a file, or NULL */
    const WsSpinLoops *spin;         /* loops of the kernel in which threads wait, or NULL */
    const WsLaunch *launch;
    guint32 launch_index;
    guint32 threads_per_block, warps_per_block;
    guint32 warp_slots, block_slots, sub_cores;
    guint32 slot_share;   /* warp slots of a block slot, 0 = as a block needs */
    guint64 shared_bytes; /* of a block */
    guint64 begin;        /* cycle at which the launch began */
    guint64 spin_limit;
    gsize path_bytes; /* divergence state of a warp */
} WsLaunchContext;

/* What-if runs (sim/sm/ideal_time.h), in parts of a cycle: the issue slot of a sub-core, */
typedef struct {
    guint64 cycle;      /* that is run */
    gint64 left;        /* of its slot; negative: taken from the next one */
    guint64 share;      /* that the instruction which issues takes */
    gboolean more;      /* it is not the first of the cycle */
    guint64 issued;     /* the last cycle with an issue */
    guint64 dispatched; /* cycles for which the dispatcher was busy, up to then */
    guint64 idle;       /* cycles without an issue for which it was not, up to then */
    guint64 counted;    /* of these: while warps waited at a barrier, or before */
    guint64 spare;      /* of these: to be caught up, in cycles */
} WsIssueSlot;

/* and what a warp has waited for in vain. */
typedef struct {
    guint64 saved;  /* to be taken off later waits */
    guint64 idle;   /* WsIssueSlot.idle at its last issue */
    guint8 share;   /* that its last instruction took of a cycle */
    gboolean waits; /* for a response, since that instruction */
} WsIdealWarp;

/* A sub-core: it issues at most one instruction a cycle, of one of its warps. */
typedef struct {
    WsWakeQueue wake;      /* when its warps are looked at again */
    WsDispatcher dispatch; /* what keeps it from issuing */
    WsHeldIssue held;      /* cycles in which stall counts stood still */
    WsPipes pipes;         /* which pipes are busy */
    WsRegisterPorts ports; /* of its part of the register file */
    WsPolicyView view;     /* what the policy knows */
    guint64 issued;        /* warp instructions */
    WsIssueSlot slot;      /* of a what-if run */
} WsSubCore;

/* A memory instruction whose answer is to come, or that has come. */
typedef struct {
    guint64 cycle; /* of the issue */
    guint64 lanes;
    guint32 pc;
    guint8 slot;
    guint8 under_way;
} WsSmAccess;

/* What stopped an SM. */
typedef struct {
    WsStatus status; /* OK = nothing */
    guint64 cycle;
    guint32 sub_core, warp, lane;
    guint32 pc;
    guint32 block_slot;
    guint64 address;
    gboolean has_address;
    const char *what;   /* constant text */
    gboolean by_policy; /* the policy failed: its state knows more */
} WsSmStop;

typedef struct {
    guint64 now;
    guint64 event; /* next response, start or end that is known */
    guint64 active_since;
    guint64 active_cycles;
    guint64 warp_cycles;
    guint64 last_end; /* last warp left */
    guint64 warps_launched, warps_diverged, blocks_launched;
    guint64 diverged_warp_cycles; /* part of warp_cycles */
    guint64 branches, divergent_branches;
    guint64 progress; /* blocks begun and warps ended */
    WsBarrierUnit barrier_unit;
    guint64 resident;                       /* warp slots in use */
    guint64 draining;                       /* of these: exited */
    guint64 membar;                         /* of these: wait for a MEMBAR */
    gboolean memory_full;                   /* L1 takes no accesses: see ws_open_memory() */
    guint32 next_sub_core;                  /* of the next warp that starts */
    guint32 slot_cursors[WS_MAX_SUB_CORES]; /* by sub-core: slot / sub-cores to look at first */
    guint32 start_count;                    /* in starts[], earliest first */
    guint32 freed_count;                    /* in freed[] */
    WsBlockStart starts[WS_MAX_BLOCK_SLOTS];
    WsBlockEnd freed[WS_MAX_BLOCK_SLOTS]; /* blocks that ended in this window */
    WsSmStop stop;
    WsOccupancyLosses losses;
    WsBlockState blocks[WS_MAX_BLOCK_SLOTS];
    WsSubCore sub_cores[WS_MAX_SUB_CORES];
    WsWarp warps[WS_MAX_WARP_SLOTS];
    WsLaneContext lanes[WS_MAX_WARP_SLOTS];
    WsWarpRegisters registers[WS_MAX_WARP_SLOTS];
    WsIdealWarp ideal[WS_MAX_WARP_SLOTS];
} WsSmState;

typedef struct WsSmWatch WsSmWatch;

typedef struct {
    const WsLaunchContext *context;
    /* of the context, at hand for the issue */
    const WsDecoded *instructions;
    const WsIssueInfo *issues;
    const WsIssueTable *table;
    const WsDecodedProgram *decoded;
    guint64 switch_cost;
    gboolean greedy, admits; /* the policy goes on with a warp; may hold warps back */
    gboolean control;        /* instructions wait by their control fields */
    gboolean ideal;          /* not for all that they would (sim/sm/ideal_time.h) */
    WsFetchRules fetch;
    WsPortRules ports;
    guint32 number;        /* %smid */
    guint32 index;         /* among the SMs of the launch */
    WsSmState *state;      /* the arena begins with it; then, by warp slot: */
    guint64 *entries;      /* scoreboard, [slot][table->entries] */
    guint64 *war;          /* cycles at which stores have read a register, [slot][registers] */
    guint64 *writers;      /* with control fields: lanes that wrote each of `entries` last */
    guint32 *values;       /* registers, [slot][register][lane] */
    guint8 *paths;         /* divergence state, [slot][path_bytes] */
    void *policy;          /* state of the policy, if it has one */
    WsPolicyCaller caller; /* of a policy that is a file */
    gsize arena_bytes;
    void *arena;          /* as allocated */
    WsStateArray pending; /* of WsSmAccess, by token */
    WsPrintLog printed;   /* in this window */
    WsSmMemory *memory;
    WsWarpRegisters *slots[WS_MAX_WARP_SLOTS]; /* for ws_sm_memory_deliver() */
    WsInstructionCounters *counters;           /* of the host thread that runs the SM now */
    guint32 *hazards; /* by instruction: cycles that operands were read too early, or NULL */
    WsSmWatch *watch; /* somebody is told what happens (sim/sm/watch.h), or NULL */
} WsSm;

/* Takes `memory`; `fetch` and `constants` belong to the caller. `arena` may be NULL. */
WsSm *ws_sm_new(const WsLaunchContext *context, WsStateArena *arena, guint32 number,
                WsSmMemory *memory, WsInstructionFetch *fetch, WsConstantCache *constants);
void ws_sm_free(WsSm *sm);

/* Queues a block; starts come in order of `assigned`. */
void ws_sm_queue_block(WsSm *sm, const WsBlockStart *start);

/*
 * Whether the policy lets the SM, which has `here` blocks or will have them, and on which `ended`
 * have ended, take another one, this block of the grid. An SM without blocks takes one.
 */
gboolean ws_sm_takes_block(WsSm *sm, guint64 cycle, guint64 block, guint32 here, guint32 ended);

/* Begins the blocks that are due at `now`. */
void ws_sm_start_blocks(WsSm *sm, guint64 now);
/* Ends warps that have drained; returns when the next one may. */
guint64 ws_sm_end_warps(WsSm *sm, guint64 now);

/* The launch is over: counts the losses of what is still open. `more` = blocks are left to start.
 */
void ws_sm_finish_losses(WsSm *sm, gboolean more);

/* Runs until cycle `until` (exclusive), or until something stops the SM. */
void ws_sm_run(WsSm *sm, guint64 until);

/* Responses, starts and ends that are due at `now`, which the SM has not run yet. */
void ws_sm_take_events(WsSm *sm, guint64 now);

/*
 * The slots whose warps issue in `cycle`, the one that the SM runs next, as far as its policy
 * chooses: found without running it. An instruction that faults is among them.
 */
guint64 ws_sm_next_issues(const WsSm *sm, guint64 cycle);

/* Next cycle at which anything can happen, WS_NEVER if nothing can without a response. */
guint64 ws_sm_next(const WsSm *sm);

/* After the memory system settled: what waits for it is looked at again. */
void ws_sm_after_settle(WsSm *sm);

/* Accounts for all resident warps up to cycle `end`: a run that stops early. */
void ws_sm_charge_all(WsSm *sm, guint64 end);

/* ---- between the engine's files ---------------------------------------------------------------
 */

static inline guint32 ws_slot_of(const WsSm *sm, guint sub_core, guint warp)
{
    return warp * sm->context->sub_cores + sub_core;
}

/*
 * Makes the compiler keep an address that it would work out anew from its parts at every use: these
 * structures lie deep in the arena.
 */
#define WS_KEEP_ADDRESS(pointer) __asm__("" : "+r"(pointer))

static inline guint64 *ws_sm_entries(const WsSm *sm, const WsWarp *warp)
{
    return sm->entries + warp->first_entry;
}

/* Of the registers that stores of the warp have still to read, by register. */
static inline guint64 *ws_sm_war(const WsSm *sm, const WsWarp *warp)
{
    return sm->war + (gsize)warp->slot * sm->table->first_predicate;
}

static inline void *ws_sm_path_state(const WsSm *sm, guint32 slot)
{
    return sm->paths + slot * sm->context->path_bytes;
}

/* It has come to a block barrier that is closed, also if it issues what passes one. */
static inline gboolean ws_warp_is_at_barrier(const WsWarp *warp)
{
    return warp->state == WS_WARP_BARRIER || warp->barrier.until == WS_NEVER;
}

/* A warp that waited goes on: works out when its next instruction is ready, to wake then. */
void ws_warp_resume(WsSm *sm, guint32 slot);
/* All lanes of the warp have exited at `now`. */
void ws_warp_exited(WsSm *sm, guint32 slot, guint64 now);
void ws_sm_stop_at(WsSm *sm, WsStatus status, guint32 slot, guint32 pc, guint32 lane,
                   const char *what);

#endif
