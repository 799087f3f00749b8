/* The working of an occupancy answer, step by step, and what the next step up would need. */
#ifndef WS_SIM_OCCUPANCY_EXPLAIN_H
#define WS_SIM_OCCUPANCY_EXPLAIN_H

#include "sim/occupancy/occupancy.h"

/*
 * Every step with its numbers, one resource after the other, as a student would write it down.
 * Lines end in a newline and fit 100 columns. g_free.
 */
char *ws_occupancy_explain(const WsDevice *device, const WsOccupancyQuery *query,
                           const WsOccupancy *result);

/* What may be changed to hold more warps. */
typedef enum {
    WS_OCCUPANCY_CHANGE_REGISTERS, /* fewer registers a thread */
    WS_OCCUPANCY_CHANGE_SHARED,    /* fewer bytes of shared memory a block */
    WS_OCCUPANCY_CHANGE_THREADS    /* another block size, a multiple of the warp size */
} WsOccupancyChangeKind;

typedef struct {
    WsOccupancyChangeKind kind;
    guint64 from, to;     /* value now, and the nearest value that holds more warps */
    guint32 warps_per_sm; /* with that value, everything else unchanged */
    double occupancy;
} WsOccupancyChange;

enum { WS_OCCUPANCY_MAX_CHANGES = 3 };

/*
 * The smallest single change of each kind that gives more resident warps; those that give none are
 * left out. Returns how many there are. Found by trying values, nearest first.
 */
guint ws_occupancy_changes(const WsDevice *device, const WsOccupancyQuery *query,
                           const WsOccupancy *result,
                           WsOccupancyChange ret[WS_OCCUPANCY_MAX_CHANGES]);

/* "8 registers a thread less (32) holds 64 warps, 100.00 %". g_free. */
char *ws_occupancy_change_text(const WsOccupancyChange *change);

/*
 * Largest number of registers a thread may have so that `blocks` blocks of `threads` threads fit an
 * SM, as __launch_bounds__(threads, blocks) asks for: a multiple of 8 where the allocation unit
 * makes it one. 0 if even one register is too many.
 */
guint32 ws_occupancy_register_budget(const WsDevice *device, guint32 threads, guint32 blocks);

/*
 * Largest dynamic shared memory, in bytes, that a block may have so that `blocks` of them fit an
 * SM's shared memory, besides the static one of `query`: what
 * cudaOccupancyAvailableDynamicSMemPerBlock() says. -1 if not even none does.
 */
gint64 ws_occupancy_shared_budget(const WsDevice *device, const WsOccupancyQuery *query,
                                  guint32 blocks);

#endif
