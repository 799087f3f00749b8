#include "sim/base/turns.h"

#include <string.h>

static void drop(WsTurns *turns, guint first, guint count)
{
    guint rest = turns->count - first - count;

    memmove(turns->from + first, turns->from + first + count, rest * sizeof(turns->from[0]));
    memmove(turns->to + first, turns->to + first + count, rest * sizeof(turns->to[0]));
    turns->count -= count;
}

static void insert(WsTurns *turns, guint place, guint64 from, guint64 to)
{
    guint rest = turns->count - place;

    memmove(turns->from + place + 1, turns->from + place, rest * sizeof(turns->from[0]));
    memmove(turns->to + place + 1, turns->to + place, rest * sizeof(turns->to[0]));
    turns->from[place] = from;
    turns->to[place] = to;
    turns->count++;
}

static void make_room(WsTurns *turns, guint64 now)
{
    guint past = 0;

    while (past < turns->count && turns->to[past] <= now)
        past++;
    if (past != 0)
        drop(turns, 0, past);
    if (turns->count == WS_TURN_SPANS) {
        turns->to[turns->count - 2] = turns->to[turns->count - 1];
        turns->count--;
    }
}

guint64 ws_turns_take(WsTurns *turns, guint64 now, guint64 come, guint64 cycles)
{
    guint64 from = come, to;
    guint place = 0;

    if (cycles == 0)
        return come;
    make_room(turns, now);
    for (; place < turns->count && turns->from[place] < from + cycles; place++)
        from = MAX(from, turns->to[place]);
    to = from + cycles;
    if (place == 0 || turns->to[place - 1] != from)
        insert(turns, place, from, to);
    else
        turns->to[--place] = to;
    if (place + 1 < turns->count && turns->from[place + 1] == to) {
        turns->to[place] = turns->to[place + 1];
        drop(turns, place + 1, 1);
    }
    return to;
}
