/* NANOSLEEP. */
#include "sim/sm/divergence_unit.h"
#include "sim/sm/issue_special.h"
#include "sim/sm/operand_value.h"

/*
 * The cycle at which NANOSLEEP ends. With a timer of powers of two it is the next multiple of the
 * power of two above the time, in nanoseconds of the simulation.
 */
static guint64 sleep_end(const WsDevice *device, guint64 nanoseconds, guint64 now)
{
    const guint64 million = 1000000;
    guint64 earliest = now + MAX(device->nanosleep_minimum, 1), khz = device->clock_khz;
    guint64 tick;

    if (nanoseconds == 0)
        return earliest;
    if (device->nanosleep_timer != WS_SLEEP_TO_POWER_OF_TWO)
        return earliest + nanoseconds * khz / million;
    tick = (guint64)1 << (64 - __builtin_clzll(nanoseconds));
    tick *= now * million / khz / tick + 1;
    return MAX(earliest, (tick * khz + million - 1) / million);
}

void ws_issue_sleep(WsSm *sm, guint32 slot, guint32 pc, guint64 now)
{
    const WsDevice *device = sm->context->device;
    const WsDivergenceModel *model = sm->context->divergence;
    WsWarp *warp = &sm->state->warps[slot];
    guint64 nanoseconds = ws_warp_operand(sm, slot, pc, 0);

    ws_hold(warp, WS_STALL_SLEEPING, sleep_end(device, nanoseconds, now));
    if (model->yield != NULL &&
        model->yield(ws_sm_path_state(sm, slot), &warp->path) != WS_CONVERGED_NOTHING)
        ws_warp_path_changed(warp);
}
