#include "sim/sm/barrier_unit.h"

guint64 ws_barrier_unit_serve(WsBarrierUnit *unit, const WsDevice *device, guint64 latency,
                              guint64 now)
{
    return ws_turns_take(&unit->arrivals, now, now + latency, device->barrier_per_warp);
}

guint64 ws_barrier_unit_read(const WsDevice *device, guint64 served)
{
    return served - device->barrier_per_warp;
}

guint64 ws_barrier_unit_open(WsBarrierUnit *unit, const WsDevice *device, const WsBarrier *barrier,
                             guint64 now)
{
    enum { MILLI = 1000 };
    guint64 interval = device->barrier_open_interval_milli;
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
