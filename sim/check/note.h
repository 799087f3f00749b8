/* Who did something to a place in memory, and when: what the shadow memory keeps. */
#ifndef WS_SIM_CHECK_NOTE_H
#define WS_SIM_CHECK_NOTE_H

#include <glib.h>

enum {
    WS_NOTE_ATOMIC = 1,
    WS_NOTE_WRITE = 2,   /* neither: a read */
    WS_NOTE_STRONG = 4,  /* volatile, relaxed, acquire or release in global memory, and atomics */
    WS_NOTE_OF_BLOCK = 8 /* atomic among the threads of a block only */
};

typedef struct {
    guint32 block; /* serial number over all launches, from 1; 0 = nobody */
    guint32 clock; /* of the block (sim/check/order.h) */
    guint32 instruction;
    guint16 thread; /* in the block */
    guint16 flags;  /* WS_NOTE_* */
} WsNote;

#endif
