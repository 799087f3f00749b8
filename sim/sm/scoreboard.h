/*
 * When operands are ready.
 *
 * Every warp has one entry for each register, predicate, uniform register and uniform predicate:
 * the cycle at which its last writer's result is there for a consumer on the same pipe, with the
 * writer's execution class. What another kind of consumer waits beyond that (another pipe, a guard,
 * a branch, an address) is a difference looked up by class and relation, since one number for a
 * class cannot hold all of them.
 *
 * Results of variable latency (memory, units that the SM shares) are known when they come: their
 * entries hold that cycle and no differences apply; until it is known they hold
 * WS_NEVER.
 */
#ifndef WS_SIM_SM_SCOREBOARD_H
#define WS_SIM_SM_SCOREBOARD_H

#include "sim/base/stall.h"

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

/* Stall reason of a warp whose resource is busy. */
static inline WsStall ws_resource_stall(guint resource)
{
    return resource == WS_RESOURCE_LG    ? WS_STALL_LG_THROTTLE
           : resource == WS_RESOURCE_MIO ? WS_STALL_MIO_THROTTLE
                                         : WS_STALL_MATH_PIPE_THROTTLE;
}

/* A cycle that does not come. Leaves room for a class below it in an entry, and for sums. */
#define WS_NEVER ((guint64)1 << 56)

/* Entry of a scoreboard: cycle << 7 | kind; kind = class, + WS_VARIABLE if the cycle is exact. */
enum { WS_KIND_BITS = 7, WS_VARIABLE = 64 };

static inline guint64 ws_entry(guint64 cycle, guint kind)
{
    return cycle << WS_KIND_BITS | kind;
}

static inline guint64 ws_entry_cycle(guint64 entry)
{
    return entry >> WS_KIND_BITS;
}

static inline guint ws_entry_kind(guint64 entry)
{
    return (guint)(entry & ((1 << WS_KIND_BITS) - 1));
}

/* The waits that dependences cause, in order of precedence. */
enum { WS_WAIT_LONG, WS_WAIT_SHORT, WS_WAIT_FIXED, WS_WAIT_COUNT };

#endif
