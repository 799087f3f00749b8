/*
 * Stall counts that stand still. Inside the library only.
 *
 * While reads of registers, or the second half of a 64-bit product, hold up the issue stage of a
 * sub-core, no warp of it counts down what it waits for fixed latencies. Measured on an H200:
 * chains of FFMAs in two warps that want the ports in the same cycles both take 5 cycles a step,
 * for as long as they last.
 *
 * The sub-core adds these cycles up; each warp remembers the sum at its last issue, and adds what
 * has come since to its wait when it wakes.
 */
#ifndef WS_SIM_SM_HELD_ISSUE_H
#define WS_SIM_SM_HELD_ISSUE_H

#include <glib.h>

/* Of a sub-core. */
typedef struct {
    guint64 cycles;    /* for which the issue stage was held up so far */
    guint64 uncounted; /* warps that may still have to wait for some of these, a bit each */
} WsHeldIssue;

/* Of a warp. */
typedef struct {
    guint64 seen;    /* WsHeldIssue.cycles at its last issue */
    guint64 counted; /* of what came since: what its wait for fixed latencies has in */
} WsHeldWarp;

/* The issue of `warp` holds up the stage for `cycles`; 0 = it does not. */
static inline void ws_held_issue(WsHeldIssue *issue, WsHeldWarp *held, guint warp, guint64 cycles)
{
    if (cycles != 0) {
        issue->cycles += cycles;
        issue->uncounted = G_MAXUINT64;
    }
    issue->uncounted &= ~((guint64)1 << warp);
    *held = (WsHeldWarp){.seen = issue->cycles};
}

/* Cycles that the warp has still to add to its wait. */
static inline guint64 ws_held_uncounted(const WsHeldIssue *issue, const WsHeldWarp *held)
{
    return issue->cycles - held->seen - held->counted;
}

#endif
