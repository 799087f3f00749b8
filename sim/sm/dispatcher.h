/*
 * The dispatcher of a sub-core: it hands one instruction a cycle to a pipe, unless something keeps
 * it (dispatch_stall). Inside the library only.
 *
 * What keeps it: reads of registers that are late (sim/sm/register_ports.h), the second half of a
 * 64-bit product, a result that would be written with one of the XU pipe, and a switch to another
 * warp where the device has `switch_cost` (then it is committed to that warp).
 */
#ifndef WS_SIM_SM_DISPATCHER_H
#define WS_SIM_SM_DISPATCHER_H

#include "sim/policies/policy.h"
#include "sim/sm/pipes.h"

typedef struct {
    guint64 free;        /* nothing issues before this cycle */
    guint64 busy_cycles; /* for which it was kept, up to `free` */
    guint8 committed;    /* the warp that it switches to, or WS_NO_WARP */
} WsDispatcher;

/* Cycles before `cycle` for which it was kept. */
static inline guint64 ws_dispatcher_busy_cycles(const WsDispatcher *dispatcher, guint64 cycle)
{
    guint64 free = dispatcher->free;

    return dispatcher->busy_cycles - (free > cycle ? free - cycle : 0);
}

/* Nothing issues from cycle `from` to before `until`. */
static inline void ws_dispatcher_block(WsDispatcher *dispatcher, WsPipes *pipes, guint64 from,
                                       guint64 until)
{
    ws_pipes_leave_to_dispatcher(pipes, from, until);
    dispatcher->busy_cycles += until - from;
    dispatcher->free = until;
}

/*
 * TRUE if warp *warp issues at `now`: it is the one that issued `last`, or the switch to it is
 * done. Else the dispatcher begins to switch, which takes `cost` cycles in all. A switch that has
 * begun is not changed: *warp becomes the warp it was for.
 */
gboolean ws_dispatcher_switch(WsDispatcher *dispatcher, WsPipes *pipes, guint last, guint64 cost,
                              guint64 now, guint *warp);

/* Warps that cannot issue in `cycle`, ready or not: their pipe or the dispatcher is busy. */
static inline guint64 ws_issue_blocked(const WsDispatcher *dispatcher, WsPipes *pipes,
                                       guint64 cycle)
{
    return dispatcher->free > cycle ? ~(guint64)0 : ws_pipes_blocked(pipes, cycle);
}

/* The first cycle after `cycle` at which some of them may no longer be, WS_NEVER if none is. */
static inline guint64 ws_issue_blocked_until(const WsDispatcher *dispatcher, const WsPipes *pipes,
                                             guint64 cycle)
{
    return dispatcher->free > cycle ? dispatcher->free : ws_pipes_blocked_until(pipes, cycle);
}

#endif
