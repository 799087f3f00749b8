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
#include "sim/base/turns.h"
#include "sim/divergence/divergence.h"
#include "sim/fetch/constant_cache.h"
#include "sim/fetch/instruction_fetch.h"
#include "sim/memory/memory.h"
#include "sim/observe/event_stream.h"
#include "sim/occupancy/loss.h"
#include "sim/policies/policy_code.h"
#include "sim/sm/barrier.h"
#include "sim/sm/issue_table.h"

/* A line that no warp is at. */
enum { WS_NO_LINE = G_MAXUINT32 };
enum { WS_MAX_BLOCK_SLOTS = 64, WS_WHEEL = 64 };

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

typedef enum {
    WS_WARP_FREE,
    WS_WARP_TIMED,    /* ready at a known cycle, or ready */
    WS_WARP_RESPONSE, /* waits for memory */
    WS_WARP_BARRIER,
    WS_WARP_MEMBAR,
    WS_WARP_DRAIN
} WsWarpState;

/* The first lines are what an issue touches. */
typedef struct __attribute__((aligned(256))) {
    WsPath path;
    guint64 cursor;      /* cycles before this one are accounted for */
    guint64 held_until;  /* from here on only operands and the pipes can hold the warp back */
    guint64 ready;       /* first cycle at which nothing but resources and choice holds it back */
    guint32 first_entry; /* of its scoreboard, in WsSm.entries */
    guint32 slot;
    guint8 sub_core, number; /* where it is: number = slot / sub-cores */
    guint8 state;            /* WsWarpState */
    guint8 resource;         /* of the next instruction */
    guint8 lanes;            /* number of active lanes */
    guint8 front_reason;     /* WsStall */
    guint8 diverged;
    guint8 membar_scope;
    guint64 last_issue;
    guint64 held;         /* WsSubCore.held when it issued last */
    guint64 held_counted; /* of what was added to that since, what until[WS_WAIT_FIXED] has in */
    guint64 earliest;     /* the issue interval of the warp */
    guint64 until[WS_WAIT_COUNT];
    guint32 line;           /* ws_prepare() looks for instructions when it is not at this one */
    guint32 fetched;        /* line of the next instruction, if fetch_until is about it */
    guint64 busy;           /* cycles its resource has been busy, when it became ready */
    guint64 dispatch;       /* the same of the dispatcher */
    guint64 front_until;    /* until then the warp is in front_reason, whatever its operands do */
    guint64 fetch_until;    /* the next instruction comes from the instruction caches */
    guint64 constant_until; /* its constant operand comes from the constant caches */
    guint64 barrier_until;  /* before, only what passes a barrier issues; WS_NEVER = it is closed */
    guint64 war_until;      /* some register is still to be read by a store */
    guint32 ahead;          /* the line behind, if it was asked for */
    guint64 ahead_until;    /* and when it is there */
    guint64 constant_issue; /* last_issue when the constant operand was looked up */
    guint64 unit_until;     /* results of shared units are there */
    guint64 set_up_until;   /* a new warp: before this cycle it waits for instructions */
    guint64 resident_since;
    guint32 block_slot;
    guint32 warp_in_block;
    guint32 wait_pc;       /* the last BAR, MEMBAR or EXIT that it waits at */
    guint32 barrier;       /* the number of the barrier that barrier_until is about */
    guint64 barrier_lanes; /* and the lanes at it, if none of the warp was elsewhere */
    gboolean fenced_call;  /* it has waited for stores of what its call of the system reads */
    guint8 pending[WS_DEPENDENCE_BARRIERS]; /* accesses under way by dependence barrier */
    guint64 latest[WS_DEPENDENCE_BARRIERS]; /* and when those that are done were done */
} WsWarp;

typedef struct {
    guint64 next;                    /* nothing happens here before this cycle */
    guint64 ready;                   /* warps whose operands are there */
    guint64 soon;                    /* warps that become ready in the cycle after the last issue */
    guint64 wheel_used;              /* a bit per place of the wheel that is not empty */
    guint64 far;                     /* warps that become ready beyond the wheel */
    guint64 far_next;                /* first of them */
    guint64 passed, passed_end;      /* wakes in between have been left for later; 0 = none */
    guint64 dispatch_free;           /* switching warps or ports keep the dispatcher until here */
    guint64 dispatch_blocked;        /* cycles so far, as `blocked` */
    guint64 held;                    /* cycles so far that reads held up the issue stage */
    guint64 uncounted;               /* warps that may still have to wait for some of these */
    guint64 look;                    /* cycle of `look_blocked`; WS_NEVER: something has changed */
    guint64 look_blocked;            /* warps that resources or the dispatcher keep from issuing */
    guint32 busy;                    /* resources that may be busy now */
    guint8 committed;                /* warp for which the dispatcher switches, or WS_NO_WARP */
    guint64 want[WS_RESOURCE_COUNT]; /* warps by the resource of their next instruction */
    guint64 free[WS_RESOURCE_COUNT]; /* busy before this cycle */
    guint64 half_free; /* the same of the half of the FMA pipe that makes no products */
    guint64 open_from; /* the same of global memory while L1 takes nothing */
    /* Cycles for which it is busy, up to `free` (see ws_resource_blocked()). */
    guint64 blocked[WS_RESOURCE_COUNT];
    guint64 wheel[WS_WHEEL];          /* warps that become ready at cycle c: place c % WS_WHEEL */
    guint64 ports[WS_REGISTER_BANKS]; /* register banks read before this cycle */
    guint64 xu_writes[2];             /* cycle and bank of the last results of the XU pipe */
    guint64 run_place;                /* next instruction in line << 8 | warp that issued last */
    guint32 run;                      /* instructions that it has issued right before that */
    WsPolicyView view;
} WsSubCore;

typedef struct {
    guint8 used;
    guint32 linear; /* block number */
    guint32 index[3];
    guint64 resident; /* warp slots */
    guint64 alive;    /* of these: warps that have not exited */
    guint64 waiting;  /* of these: warps at a barrier */
    guint64 ends;     /* active cycles of the SM when warps left, summed over those that have */
    WsBarrier barriers[WS_NAMED_BARRIERS];
} WsBlockState;

/* A block that has ended. */
typedef struct {
    guint64 cycle;
    guint64 exited; /* warps that have left the SM so far */
} WsBlockEnd;

/* A block that will start. */
typedef struct {
    guint64 assigned; /* its slots are taken at this cycle */
    guint64 first;    /* its first instructions can issue */
    guint64 linear;
} WsBlockStart;

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
    guint64 progress;      /* blocks begun and warps ended */
    WsTurns barrier_turns; /* of the SM's barrier unit */
    WsTurns opening_turns; /* of barriers that open, 1/1000 cycle */
    guint64
        barrier_free[WS_MAX_SUB_CORES]; /* next arrival that reads a register comes to the unit */
    guint32 mixed_barrier[2]; /* two BARs at which lanes met, the first time that happened */
    guint64 resident;         /* warp slots in use */
    guint64 draining;         /* of these: exited */
    guint64 membar;           /* of these: wait for a MEMBAR */
    guint64 sleep_free;       /* the SM takes the next NANOSLEEP */
    gboolean memory_full;     /* L1 takes no accesses: see ws_open_memory() */
    guint32 next_sub_core;    /* of the next warp that starts */
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
} WsSmState;

typedef struct WsSmWatch WsSmWatch;

typedef struct {
    const WsLaunchContext *context;
    /* of the context, at hand for the issue */
    const WsDecoded *instructions;
    const WsIssueInfo *issues;
    const WsDependence *dependences;
    const WsDecodedProgram *decoded;
    guint64 switch_cost;
    gboolean greedy, admits; /* the policy goes on with a warp; may hold warps back */
    const gint16 (*later)[WS_RELATION_COUNT];
    guint64 latest;
    gboolean control;                  /* instructions wait by their control fields */
    guint32 first, line_shift, buffer; /* see ws_prepare() */
    guint32 passes;                    /* of a warp through register ports */
    guint32 read_cycles;               /* registers.read_cycles, in each of these */
    guint32 two_later;                 /* cycles after which two reads of a bank begin */
    const guint64 *reads;              /* of the register banks, or NULL */
    guint32 number;                    /* %smid */
    guint32 index;                     /* among the SMs of the launch */
    WsSmState *state;                  /* the arena begins with it; then, by warp slot: */
    guint64 *entries;                  /* scoreboard, [slot][table->entries] */
    guint64 *war;     /* cycles at which stores have read a register, [slot][registers] */
    guint64 *writers; /* with control fields: lanes that wrote each of `entries` last */
    guint32 *values;  /* registers, [slot][register][lane] */
    guint8 *paths;    /* divergence state, [slot][path_bytes] */
    void *policy;     /* state of the policy, if it has one */
    gsize arena_bytes;
    void *arena;          /* as allocated */
    WsStateArray pending; /* of WsSmAccess, by token */
    WsPrintLog printed;   /* in this window */
    WsSmMemory *memory;
    WsInstructionFetch *fetch;                 /* or NULL: instructions are always there */
    WsConstantCache *constants;                /* or NULL */
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

/* The launch is over: counts the losses of what is still open. `more` = blocks are left to start.
 */
void ws_sm_finish_losses(WsSm *sm, gboolean more);

/* Runs until cycle `until` (exclusive), or until something stops the SM. */
void ws_sm_run(WsSm *sm, guint64 until);

/* Responses, starts and ends that are due at `now`, which the SM has not run yet. */
void ws_sm_take_events(WsSm *sm, guint64 now);

/*
 * Whether the warp in a slot can issue at `cycle`, the one that the SM runs next: NOT_SELECTED if
 * so (whether it is selected is the policy's choice), else the one reason why not. Statistics say
 * the same in sum; masks of the sub-cores are the same in another form.
 */
WsStall ws_warp_stall(const WsSm *sm, guint32 slot, guint64 cycle);

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

static inline void *ws_sm_path_state(const WsSm *sm, guint32 slot)
{
    return sm->paths + slot * sm->context->path_bytes;
}

/* It has come to a block barrier that is closed, also if it issues what passes one. */
static inline gboolean ws_warp_is_at_barrier(const WsWarp *warp)
{
    return warp->state == WS_WARP_BARRIER || warp->barrier_until == WS_NEVER;
}

/* Cycles before `cycle` for which the resource was busy while the dispatcher was not. */
static inline guint64 ws_resource_blocked(const WsSubCore *sub_core, guint resource, guint64 cycle)
{
    guint64 t = MAX(cycle, sub_core->dispatch_free), free = sub_core->free[resource];

    return sub_core->blocked[resource] - (free > t ? free - t : 0);
}

static inline guint64 ws_dispatch_blocked(const WsSubCore *sub_core, guint64 cycle)
{
    guint64 free = sub_core->dispatch_free;

    return sub_core->dispatch_blocked - (free > cycle ? free - cycle : 0);
}

/* The resource takes nothing from cycle `from` to before `until`. */
static inline void ws_resource_block(WsSubCore *sub_core, guint resource, guint64 from,
                                     guint64 until)
{
    guint64 start = MAX(from, sub_core->free[resource]);

    if (until <= start)
        return;
    sub_core->blocked[resource] += until - start;
    sub_core->free[resource] = until;
    sub_core->busy |= 1u << resource;
    sub_core->look = WS_NEVER;
}

/* The pipe of an instruction that issues is busy from the next cycle to before `until`. */
static inline void ws_pipe_block(WsSubCore *sub_core, guint resource, guint64 now, guint64 until)
{
    if (resource > WS_RESOURCE_EITHER) {
        ws_resource_block(sub_core, resource, now + 1, until);
        return;
    }
    if (resource == WS_RESOURCE_EITHER && sub_core->half_free <= now)
        sub_core->half_free = until;
    else
        ws_resource_block(sub_core, WS_RESOURCE_FMA, now + 1, until);
    ws_resource_block(sub_core, WS_RESOURCE_EITHER, now + 1,
                      MIN(sub_core->half_free, sub_core->free[WS_RESOURCE_FMA]));
}

/* A warp that waited goes on: works out when its next instruction is ready, to wake then. */
void ws_warp_resume(WsSm *sm, guint32 slot);
/* Charges the waiting of a warp up to `end` (exclusive) to the instruction it waits to issue. */
void ws_warp_charge(WsSm *sm, guint32 slot, guint64 end);
/* One cycle of a sub-core: at most one issue. */
void ws_sub_core_step_plain(WsSm *sm, WsSubCore *sub_core, guint32 number, guint64 now);
void ws_sub_core_step_observed(WsSm *sm, WsSubCore *sub_core, guint32 number, guint64 now);

/* Asks again when the warp's MEMBAR is done. */
void ws_membar_look(WsSm *sm, guint32 slot);
/* Global memory may be used again if L1 has room by now. */
void ws_open_memory(WsSm *sm, guint64 now);
/* An access of a warp is complete. */
void ws_warp_response(WsSm *sm, const WsResponse *response);
/* Value of operand `n` of instruction `pc` in the lowest active lane. */
guint32 ws_warp_operand(const WsSm *sm, guint32 slot, guint32 pc, guint n);

/* All lanes of the warp have exited at `now`. */
void ws_warp_exited(WsSm *sm, guint32 slot, guint64 now);
void ws_sm_stop_at(WsSm *sm, WsStatus status, guint32 slot, guint32 pc, guint32 lane,
                   const char *what);

/* sim/sm/barrier.c */
/* A warp comes to a BAR; its state says whether it waits. */
void ws_barrier_execute(WsSm *sm, guint32 slot, guint32 pc, guint64 mask, guint64 now);
/* Lanes of a warp have exited: those that are left may all wait at a barrier now. */
void ws_barrier_lanes_left(WsSm *sm, guint32 slot, guint64 now);
/* No lane of the warp can run: it waits at block barriers, or for ever. */
void ws_barrier_nothing_runs(WsSm *sm, guint32 slot);
/* A warp of the block has exited. */
void ws_barrier_warp_left(WsSm *sm, guint32 block_slot, guint64 now);

#endif
