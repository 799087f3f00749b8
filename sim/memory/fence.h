/*
 * Fences beyond the block: MEMBAR.GPU and MEMBAR.SYS of one SM.
 *
 * One unit of the SM sends them out. Fences that come while it waits to send, or right behind one
 * that it has sent, go as one and end together. Measured on an H200, clock reads behind every
 * MEMBAR of 1 to 32 warps: warps fall into two or three groups whose fences end in turn, every 140,
 * 230, 380 and 815 cycles where a fence alone takes 264, 412, 565 and 1020 (nothing accessed
 * before, lines of the near and of the far partition of L2, MEMBAR.SYS). So the next one leaves
 * `membar.overlap` before the end of the last one.
 *
 * How long MEMBAR.GPU takes says what the SM has accessed since its last fence, by whichever warp
 * and however long ago: it goes to these places and back.
 */
#ifndef WS_SIM_MEMORY_FENCE_H
#define WS_SIM_MEMORY_FENCE_H

#include "sim/device/device.h"

typedef struct {
    guint64 start;   /* the last one leaves, or has left */
    guint64 free;    /* the next one may leave */
    guint64 latency; /* of the last one */
    guint64 reach;   /* way to the farthest line accessed since the last one and back, 0 = none */
    guint8 scope;    /* of the last one: WS_SCOPE_*; of the block if there was none */
} WsFence;

/* The SM accesses a line of L2 that is so far away, there and back. */
static inline void ws_fence_note(WsFence *fence, guint64 trip)
{
    fence->reach = MAX(fence->reach, trip);
}

/* A fence of a warp that comes to the unit at `cycle`, not before those of earlier calls: its end.
 */
guint64 ws_fence_take(WsFence *fence, const WsDevice *device, guint64 cycle, guint scope);

#endif
