#include "sim/sm/barrier_unit.h"

guint64 ws_barrier_unit_serve(WsBarrierUnit *unit, const WsDevice *device, guint sub_core,
                              guint64 latency, guint64 now)
{
    guint64 *sub_core_free = &unit->register_free[sub_core];
    guint64 come = now + latency, served;

    if (latency == 0)
        return ws_turns_take(&unit->arrivals, now, come, device->barrier_per_warp);
    come = MAX(come, *sub_core_free);
    served = ws_turns_take(&unit->arrivals, now, come, device->barrier_per_warp);
    *sub_core_free = served - device->barrier_per_warp + device->barrier_register_interval;
    return served;
}

guint64 ws_barrier_unit_read(const WsDevice *device, guint64 served, guint64 latency, guint64 now)
{
    guint64 turn = served - device->barrier_per_warp, come = now + latency;

    return turn +
           (turn == come ? device->barrier_read_at_once_latency : device->barrier_read_latency);
}

guint64 ws_barrier_unit_open(WsBarrierUnit *unit, const WsDevice *device, const WsBarrier *barrier,
                             guint64 now)
{
    enum { MILLI = 1000 };
    guint64 interval = barrier->opens_in_turn ? device->barrier_register_open_interval_milli
                                              : device->barrier_open_interval_milli;
    guint64 end = ws_turns_take(&unit->openings, now * MILLI, barrier->served * MILLI, interval);
    guint64 turn = (end - interval + MILLI - 1) / MILLI;

    if (barrier->opens_in_turn)
        ws_turns_take(&unit->arrivals, now, barrier->served, device->barrier_per_warp);
    return MAX(turn + device->barrier_latency, now + 1);
}

guint64 ws_barrier_unit_reduce(WsBarrierUnit *unit, const WsDevice *device, guint64 opened,
                               guint64 now)
{
    guint64 asked = opened + device->barrier_register_latency;

    if (device->barrier_reduction_latency == 0)
        return opened;
    return ws_turns_take(&unit->arrivals, now, asked, device->barrier_per_warp) +
           device->barrier_reduction_latency;
}
