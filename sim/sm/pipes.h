/*
 * The pipes of a sub-core: which instructions find theirs busy, and for how many cycles. Inside the
 * library only.
 *
 * An instruction keeps its pipe for the interval of its class; the next one for that pipe issues
 * when it is free (math_pipe_throttle until then). The load-store pipe takes what its queues take,
 * the one of global and local memory (lg_throttle) apart from that of everything else
 * (mio_throttle). The FMA pipe has two halves, and only one of them makes products: FMUL and FFMA
 * take it or both, an instruction that either half can do (RESOURCE_EITHER) takes what is free.
 *
 * Cycles in which a pipe is busy are added up as they are decided (`busy_cycles`, which runs ahead
 * up to `free`), so that what a warp waited for its pipe is a difference of two readings.
 */
#ifndef WS_SIM_SM_PIPES_H
#define WS_SIM_SM_PIPES_H

#include "sim/base/stall.h"
#include "sim/sm/cycle.h"

/* What a sub-core's issue contends for: the pipes, with the two queues of the LSU pipe apart. */
typedef enum {
    WS_RESOURCE_FMA,    /* its half that makes products, or all of it */
    WS_RESOURCE_EITHER, /* one half of the FMA pipe */
    WS_RESOURCE_ALU,
    WS_RESOURCE_FP16,
    WS_RESOURCE_FP16_MMA,
    WS_RESOURCE_FP64,
    WS_RESOURCE_TENSOR,
    WS_RESOURCE_XU,
    WS_RESOURCE_LG,  /* load-store unit, global and local memory */
    WS_RESOURCE_MIO, /* load-store unit, everything else */
    WS_RESOURCE_UNIFORM,
    WS_RESOURCE_CONTROL,
    WS_RESOURCE_COUNT
} WsResource;

typedef struct {
    guint64 checked;         /* the cycle of `checked_blocked`; WS_NEVER: something has changed */
    guint64 checked_blocked; /* warps that pipes or the dispatcher keep from issuing then */
    guint32 busy;            /* resources that may be busy now */
    guint64 want[WS_RESOURCE_COUNT];        /* warps by the resource of their next instruction */
    guint64 free[WS_RESOURCE_COUNT];        /* busy before this cycle */
    guint64 half_free;                      /* of the half of the FMA pipe without products */
    guint64 open_from;                      /* `free` of LG, while L1 keeps it closed */
    guint64 busy_cycles[WS_RESOURCE_COUNT]; /* in all, up to `free`; none is the dispatcher's */
} WsPipes;

/* The stall reason of a warp whose resource is busy. */
static inline WsStall ws_resource_stall(guint resource)
{
    return resource == WS_RESOURCE_LG    ? WS_STALL_LG_THROTTLE
           : resource == WS_RESOURCE_MIO ? WS_STALL_MIO_THROTTLE
                                         : WS_STALL_MATH_PIPE_THROTTLE;
}

/* The warp's next instruction is for `resource`; `before` is what it wanted until now. */
static inline void ws_pipes_want(WsPipes *pipes, guint warp, guint before, guint resource)
{
    guint64 bit = (guint64)1 << warp;

    pipes->want[before] &= ~bit;
    pipes->want[resource] |= bit;
    pipes->checked = WS_NEVER;
}

/* Warps whose pipe is busy in `cycle`, ready or not. */
static inline guint64 ws_pipes_blocked(WsPipes *pipes, guint64 cycle)
{
    guint64 blocked = 0;
    guint32 still = 0;

    for (guint32 busy = pipes->busy; busy != 0; busy &= busy - 1) {
        guint resource = (guint)__builtin_ctz(busy);
        guint64 held = -(guint64)(pipes->free[resource] > cycle); /* hosts guess a branch badly */

        still |= busy & -busy & (guint32)held;
        blocked |= pipes->want[resource] & held;
    }
    pipes->busy = still;
    return blocked;
}

/* The first cycle after `cycle` at which a pipe that some warp wants is free again, WS_NEVER if
 * none is busy. */
guint64 ws_pipes_blocked_until(const WsPipes *pipes, guint64 cycle);

/*
 * Cycles before `cycle` for which the resource was busy while the dispatcher was not; the
 * dispatcher is busy until `dispatch_free`.
 */
static inline guint64 ws_pipes_busy_cycles(const WsPipes *pipes, guint resource, guint64 cycle,
                                           guint64 dispatch_free)
{
    guint64 t = MAX(cycle, dispatch_free), free = pipes->free[resource];

    return pipes->busy_cycles[resource] - (free > t ? free - t : 0);
}

/* The resource takes nothing from cycle `from` to before `until`. */
static inline void ws_pipes_block(WsPipes *pipes, guint resource, guint64 from, guint64 until)
{
    guint64 start = MAX(from, pipes->free[resource]);

    if (until <= start)
        return;
    pipes->busy_cycles[resource] += until - start;
    pipes->free[resource] = until;
    pipes->busy |= 1u << resource;
    pipes->checked = WS_NEVER;
}

/* An instruction issues at `now`: its pipe is busy from the next cycle to before `until`. */
static inline void ws_pipes_issue(WsPipes *pipes, guint resource, guint64 now, guint64 until)
{
    if (resource > WS_RESOURCE_EITHER) {
        ws_pipes_block(pipes, resource, now + 1, until);
        return;
    }
    if (resource == WS_RESOURCE_EITHER && pipes->half_free <= now)
        pipes->half_free = until;
    else
        ws_pipes_block(pipes, WS_RESOURCE_FMA, now + 1, until);
    ws_pipes_block(pipes, WS_RESOURCE_EITHER, now + 1,
                   MIN(pipes->half_free, pipes->free[WS_RESOURCE_FMA]));
}

/* The cycles from `from` to before `until` are the dispatcher's, and no longer count as a pipe's.
 */
static inline void ws_pipes_leave_to_dispatcher(WsPipes *pipes, guint64 from, guint64 until)
{
    for (guint32 busy = pipes->busy; busy != 0; busy &= busy - 1) {
        guint r = (guint)__builtin_ctz(busy);

        if (pipes->free[r] > from)
            pipes->busy_cycles[r] -= MIN(pipes->free[r], until) - from;
    }
    pipes->checked = WS_NEVER;
}

/* L1 takes no more accesses from `from` on: no warp issues one until ws_pipes_open(). */
void ws_pipes_close(WsPipes *pipes, guint64 from);
/* It does again: accesses issue from `now` on, where the queue has room at `queue_free`. Returns
 * the first cycle. */
guint64 ws_pipes_open(WsPipes *pipes, guint64 now, guint64 queue_free);

#endif
