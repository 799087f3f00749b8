#include "sim/load_store_unit.h"

#include <string.h>

void ws_lsu_init(WsLoadStoreUnit *unit, const WsDevice *device)
{
    memset(unit, 0, sizeof *unit);
    unit->queue_length = (guint32)CLAMP(device->lsu_queue, 1, WS_LSU_MAX_QUEUE);
    unit->sub_core_interval = (guint32)device->lsu_sub_core_interval;
    if (device->memory_model != WS_MEMORY_FIXED)
        unit->source_latency = (guint32)device->lsu_source_latency;
}

WsStage ws_lsu_stage(WsClass execution_class)
{
    switch (execution_class) {
    case WS_CLASS_CONSTANT_LOAD:
        return WS_STAGE_CONSTANT;
    case WS_CLASS_MATCH:
        return WS_STAGE_MATCH;
    case WS_CLASS_SPECIAL_REGISTER:
        return WS_STAGE_SPECIAL;
    default:
        return WS_STAGE_DATA;
    }
}

guint64 ws_lsu_issue(WsLoadStoreUnit *unit, guint64 cycle, guint32 sub_core, WsStage stage,
                     guint32 interval, guint32 passes, guint32 pass_cycles)
{
    WsLsuQueue *queue = &unit->queues[sub_core];
    guint64 start = MAX(MAX(cycle, queue->free), unit->stage_free[stage]);
    guint64 service = (guint64)passes * pass_cycles;
    unit->stage_free[stage] = start + service;
    guint64 own = (guint64)passes * MAX(unit->sub_core_interval, pass_cycles);
    queue->free = start + MAX(interval, own);
    queue->departure[queue->oldest] = start + unit->source_latency + 1;
    queue->oldest = queue->oldest + 1 == unit->queue_length ? 0 : queue->oldest + 1;
    return start;
}

void ws_lsu_hold(WsLoadStoreUnit *unit, guint32 sub_core, guint64 cycle)
{
    WsLsuQueue *queue = &unit->queues[sub_core];
    guint32 last = queue->oldest == 0 ? unit->queue_length - 1 : queue->oldest - 1;
    queue->departure[last] = MAX(queue->departure[last], cycle + 1);
    queue->free = MAX(queue->free, cycle + 1);
}
