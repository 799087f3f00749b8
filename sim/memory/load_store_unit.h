/*
 * The load-store unit: a queue in front of each sub-core, and stages shared by the SM.
 *
 * An instruction waits in its sub-core's queue until those before it have left, then takes the
 * SM-wide stage for its passes. One sub-core hands over a pass every two cycles at most, the SM
 * serves one a cycle (measured on an H200: a 32-way conflict costs 64 cycles from one warp, 32
 * from several). A place in the queue is free again when the instruction has read its registers:
 * with 5 places, one per 4 cycles and 10 cycles to read them, back-to-back accesses issue at 2, 3,
 * 4, 5, 6, 13, 17, 21, as measured on Ampere (Huerta et al., MICRO 2025).
 */
#ifndef WS_SIM_MEMORY_LOAD_STORE_UNIT_H
#define WS_SIM_MEMORY_LOAD_STORE_UNIT_H

#include "sim/device/device.h"

enum { WS_LSU_MAX_QUEUE = 64, WS_LSU_MAX_SUB_CORES = 8, WS_LSU_AHEAD = 32 };

/* Stages shared by the SM. */
typedef enum {
    WS_STAGE_DATA,     /* shared memory, L1, shuffles: one crossbar */
    WS_STAGE_CONSTANT, /* LDC */
    WS_STAGE_MATCH,    /* MATCH */
    WS_STAGE_SPECIAL,  /* special registers */
    WS_STAGE_COUNT
} WsStage;

typedef struct {
    guint64 departure[WS_LSU_MAX_QUEUE]; /* when the places become free, a ring */
    guint32 oldest;
    guint64 free; /* the next instruction can leave the queue */
} WsLsuQueue;

/*
 * Which of the next cycles of a stage are taken. An instruction's place is decided when it issues,
 * and one that waits behind others of its sub-core must not keep other sub-cores out of the cycles
 * before. Word w % WS_LSU_AHEAD holds cycles 64 w to 64 w + 63 of the words from `first` on.
 */
typedef struct {
    guint64 first;
    guint64 taken[WS_LSU_AHEAD];
    guint64 free; /* beyond those words everything is free from here */
} WsLsuCalendar;

typedef struct {
    guint32 queue_length;
    guint32 sub_core_interval; /* cycles a pass takes a sub-core */
    guint32 source_latency;    /* from the first pass until the registers have been read */
    WsLsuQueue queues[WS_LSU_MAX_SUB_CORES];
    WsLsuCalendar stages[WS_STAGE_COUNT];
} WsLoadStoreUnit;

void ws_lsu_init(WsLoadStoreUnit *unit, const WsDevice *device);

/* Cycle from which the queue of `sub_core` has room. */
static inline guint64 ws_lsu_free_cycle(const WsLoadStoreUnit *unit, guint32 sub_core)
{
    const WsLsuQueue *queue = &unit->queues[sub_core];
    return queue->departure[queue->oldest];
}

/*
 * Takes an instruction at `cycle` that needs `passes` passes of `pass_cycles` cycles in `stage` (0:
 * any number at a time) and
 * at least `interval` cycles of its sub-core. Returns the cycle at which its first pass starts, and
 * sets `ret_late` to the cycles by which its last pass is held up by other sub-cores, beyond that.
 */
guint64 ws_lsu_issue(WsLoadStoreUnit *unit, guint64 cycle, guint32 sub_core, WsStage stage,
                     guint32 interval, guint32 passes, guint32 pass_cycles, guint64 *ret_late);

/* The instruction issued last by `sub_core` leaves its queue no earlier than `cycle`. */
void ws_lsu_hold(WsLoadStoreUnit *unit, guint32 sub_core, guint64 cycle);

WsStage ws_lsu_stage(WsClass execution_class);

#endif
