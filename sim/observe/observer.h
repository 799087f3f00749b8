/*
 * Observers: what the engine tells while it runs. The issue loop is compiled twice, plain and
 * observed, so that nobody pays for what is not attached. An observer never changes the run.
 */
#ifndef WS_SIM_OBSERVE_OBSERVER_H
#define WS_SIM_OBSERVE_OBSERVER_H

#include "isa/bytecode/program.h"
#include "sim/base/stall.h"

typedef struct {
    guint64 cycle;
    guint32 sm, sub_core, warp; /* hardware warp slot */
    guint32 block;              /* linear block number */
    guint32 warp_in_block;
} WsEventSource;

/* Every member may be NULL. Masks have one bit a lane, lane 0 lowest. */
typedef struct {
    void *data;
    void (*launch_begin)(void *data, guint32 launch, const WsProgram *program);
    void (*launch_end)(void *data, guint32 launch, guint64 cycle);
    void (*block_begin)(void *data, const WsEventSource *source, guint32 warps);
    void (*block_end)(void *data, const WsEventSource *source);
    void (*issue)(void *data, const WsEventSource *source, guint32 instruction, guint64 active,
                  guint64 executed);
    /*
     * What a warp waits for has changed at source->cycle. Told when the warp issues next, in order.
     * From the cycle at which its operands are there it is one stretch: the pipe or queue if that
     * was busy at all, else not_selected.
     */
    void (*stall)(void *data, const WsEventSource *source, WsStall from, WsStall to);
    void (*diverge)(void *data, const WsEventSource *source, guint32 instruction, guint64 taken,
                    guint64 not_taken);
    void (*reconverge)(void *data, const WsEventSource *source, guint32 instruction, guint64 mask);
    void (*barrier_arrive)(void *data, const WsEventSource *source, guint32 barrier);
    void (*barrier_release)(void *data, const WsEventSource *source, guint32 barrier);
    void (*memory_request)(void *data, const WsEventSource *source, guint32 instruction,
                           guint32 sectors);
    void (*memory_response)(void *data, const WsEventSource *source, guint32 instruction);
    /* Its last lane has exited; and, when its stores are under way, it leaves its slot. */
    void (*warp_exit)(void *data, const WsEventSource *source);
    void (*warp_end)(void *data, const WsEventSource *source);
} WsObserver;

#endif
