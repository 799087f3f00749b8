/*
 * A unit that serves one request at a time. Requests are made in the order of the simulation, which
 * is not that of the cycles at which they come to the unit: one that comes earlier than others
 * asked for before it takes the first gap that they leave.
 */
#ifndef WS_SIM_BASE_TURNS_H
#define WS_SIM_BASE_TURNS_H

#include <glib.h>

enum { WS_TURN_SPANS = 32 };

typedef struct {
    guint64 from[WS_TURN_SPANS], to[WS_TURN_SPANS]; /* cycles taken, in order, with gaps between */
    guint count;
} WsTurns;

/*
 * The end of a turn of `cycles` that begins at `come` or later. No request comes before `now` any
 * more. With more than WS_TURN_SPANS gaps ahead the last ones are given up.
 */
guint64 ws_turns_take(WsTurns *turns, guint64 now, guint64 come, guint64 cycles);

/*
 * The beginning of a turn of `cycles`, `come` or later, in a unit that is free from `*free` on and
 * serves requests in the order in which they are made.
 */
static inline guint64 ws_turn_in_order(guint64 *free, guint64 come, guint64 cycles)
{
    guint64 turn = MAX(come, *free);

    *free = turn + cycles;
    return turn;
}

#endif
