/* Blocks on an SM: their slots, how they begin and end. Inside the library only. */
#ifndef WS_SIM_SM_BLOCK_SLOTS_H
#define WS_SIM_SM_BLOCK_SLOTS_H

#include "sim/sm/barrier_unit.h"

enum { WS_MAX_BLOCK_SLOTS = 64 };

typedef struct {
    guint8 used;
    guint32 linear; /* block number */
    guint32 index[3];
    guint64 resident; /* warp slots */
    guint64 alive;    /* of these: warps that have not exited */
    guint64 waiting;  /* of these: warps at a barrier */
    guint64 ends;     /* active cycles of the SM when warps left, summed over those that have */
    WsBarrier barriers[WS_NAMED_BARRIERS];
} WsBlockState;

/* A block that has ended. */
typedef struct {
    guint64 cycle;
    guint64 exited; /* warps that have left the SM so far */
} WsBlockEnd;

/* A block that will start. */
typedef struct {
    guint64 assigned; /* its slots are taken at this cycle */
    guint64 first;    /* its first instructions can issue */
    guint64 linear;
} WsBlockStart;

#endif
