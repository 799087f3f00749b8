/*
 * When operands are ready. Inside the library only.
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

#include "sim/sm/cycle.h"

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

/* Of a warp: what its next instruction waits for. */
typedef struct {
    guint64 until[WS_WAIT_COUNT]; /* the cycle at which each wait ends; may be long past */
    guint64 war_until;            /* some register is still to be read by a store before this one */
} WsOperandWait;

#endif
