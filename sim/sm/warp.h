/*
 * A resident warp: where it is, and what each unit of the SM knows of it. Inside the library only.
 */
#ifndef WS_SIM_SM_WARP_H
#define WS_SIM_SM_WARP_H

#include "sim/divergence/divergence.h"
#include "sim/sm/front_end.h"
#include "sim/sm/held_issue.h"
#include "sim/sm/issue_table.h"
#include "sim/sm/scoreboard.h"

static inline guint ws_count_lanes(guint64 mask)
{
    mask -= mask >> 1 & G_GUINT64_CONSTANT(0x5555555555555555);
    mask = (mask & G_GUINT64_CONSTANT(0x3333333333333333)) +
           (mask >> 2 & G_GUINT64_CONSTANT(0x3333333333333333));
    mask = (mask + (mask >> 4)) & G_GUINT64_CONSTANT(0x0f0f0f0f0f0f0f0f);
    return (guint)(mask * G_GUINT64_CONSTANT(0x0101010101010101) >> 56);
}

typedef enum {
    WS_WARP_FREE,
    WS_WARP_TIMED,    /* ready at a known cycle, or ready */
    WS_WARP_RESPONSE, /* waits for memory */
    WS_WARP_BARRIER,
    WS_WARP_MEMBAR,
    WS_WARP_DRAIN
} WsWarpState;

/* Stall accounting (sim/sm/stall_accounting.h). */
typedef struct {
    guint64 counted_to;    /* cycles before this one are accounted for */
    guint64 pipe_busy;     /* cycles that its pipe had been busy when the warp became ready */
    guint64 dispatch_busy; /* and the dispatcher */
} WsStallAccount;

/* What the last instruction makes the warp wait for, whatever its operands do: a branch, a barrier,
 * a MEMBAR, a NANOSLEEP, its end. */
typedef struct {
    guint64 until;
    guint8 reason; /* WsStall */
} WsIssueHold;

/* A block barrier that the warp came to, and that it may be past (sim/sm/block_barriers.c). */
typedef struct {
    guint64 until; /* before, only what passes a barrier issues; WS_NEVER = it is closed */
    guint64 lanes; /* the lanes at it, if none of the warp was elsewhere */
    guint32 number;
} WsBarrierPass;

/* A MEMBAR, or a call of the system that waits as one does. */
typedef struct {
    guint8 scope;
    gboolean fenced_call; /* it has waited for stores of what its call of the system reads */
} WsMembarWait;

/* Dependence barriers, where control fields are obeyed (sim/sm/control_fields.c). */
typedef struct {
    guint64 latest[WS_DEPENDENCE_BARRIERS]; /* when accesses that are done were done */
    guint8 pending[WS_DEPENDENCE_BARRIERS]; /* accesses in flight */
} WsControlWait;

/* The first lines are what an issue touches. */
typedef struct __attribute__((aligned(256))) {
    WsPath path;
    guint64 ready; /* first cycle at which nothing but pipes, dispatcher and choice holds it back */
    guint64 other_holds_until; /* from here on only operands and pipes can hold the warp back */
    guint64 last_issue;        /* WS_NEVER = none yet */
    guint64 earliest_issue;    /* the issue interval, or the stall count, of its last instruction */
    WsStallAccount account;
    guint32 first_entry; /* of its scoreboard, in WsSm.entries */
    guint32 slot;
    guint8 sub_core, number; /* where it is: number = slot / sub-cores */
    guint8 state;            /* WsWarpState */
    guint8 resource;         /* of the next instruction */
    guint8 lanes;            /* number of active lanes */
    guint8 diverged;         /* some branch, exit or return split its lanes */
    WsHeldWarp held;
    WsOperandWait operands;
    WsIssueHold hold;
    WsFrontEnd front_end;
    WsBarrierPass barrier;
    guint64 unit_until; /* results of units that the SM shares are there */
    guint64 resident_since;
    guint32 block_slot;
    guint32 warp_in_block;
    guint32 wait_pc; /* the last BAR, MEMBAR or EXIT that it waits at */
    WsMembarWait membar;
    WsControlWait control;
} WsWarp;

/* The warp's next issue waits for `reason` until the cycle `until`. */
static inline void ws_hold(WsWarp *warp, WsStall reason, guint64 until)
{
    warp->hold = (WsIssueHold){until, (guint8)reason};
}

/* The cycle from which on nothing but operands, pipes, the dispatcher and choice holds it. */
static inline guint64 ws_front_until(const WsWarp *warp)
{
    return MAX(warp->hold.until, MAX(warp->front_end.ready, warp->front_end.constant_ready));
}

#endif
