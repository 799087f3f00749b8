#include "sim/memory/load_store_unit.h"

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

/* Cycles before `cycle` will not be asked for again. */
static void calendar_advance(WsLsuCalendar *calendar, guint64 cycle)
{
    guint64 word = cycle / 64;

    if (word - calendar->first >= WS_LSU_AHEAD) {
        memset(calendar->taken, 0, sizeof calendar->taken);
        calendar->first = word;
    }
    for (; calendar->first < word; calendar->first++)
        calendar->taken[calendar->first % WS_LSU_AHEAD] = 0;
}

/* Takes the first free cycle from `cycle` on. */
static guint64 calendar_take(WsLsuCalendar *calendar, guint64 cycle)
{
    for (guint64 word = cycle / 64; word - calendar->first < WS_LSU_AHEAD; word++) {
        guint64 free = ~calendar->taken[word % WS_LSU_AHEAD];

        if (word == cycle / 64)
            free &= G_MAXUINT64 << cycle % 64;
        if (free != 0) {
            calendar->taken[word % WS_LSU_AHEAD] |= free & -free;
            return word * 64 + (guint64)__builtin_ctzll(free);
        }
    }
    cycle = MAX(MAX(cycle, calendar->free), (calendar->first + WS_LSU_AHEAD) * 64);
    calendar->free = cycle + 1;
    return cycle;
}

guint64 ws_lsu_issue(WsLoadStoreUnit *unit, guint64 cycle, guint32 sub_core, WsStage stage,
                     guint32 interval, guint32 passes, guint32 pass_cycles, guint64 *ret_late)
{
    WsLsuQueue *queue = &unit->queues[sub_core];
    WsLsuCalendar *calendar = &unit->stages[stage];
    guint64 step = MAX(unit->sub_core_interval, pass_cycles), start = 0, next, place;

    calendar_advance(calendar, cycle);
    next = MAX(cycle, queue->free);
    if (passes == 1 && pass_cycles == 1) {
        start = calendar_take(calendar, next);
        next = start + step;
        *ret_late = 0;
    } else {
        for (guint32 pass = 0; pass < passes; pass++) {
            place = pass_cycles == 0 ? next : calendar_take(calendar, next);
            if (pass == 0)
                start = place;
            for (guint32 i = 1; i < pass_cycles; i++)
                place = calendar_take(calendar, place + 1);
            next = place + step - (pass_cycles > 1 ? pass_cycles - 1 : 0);
        }
        *ret_late = next - start - passes * step;
    }
    queue->free = MAX(start + interval, next);
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
