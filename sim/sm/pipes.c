#include "sim/sm/pipes.h"

guint64 ws_pipes_blocked_until(const WsPipes *pipes, guint64 cycle)
{
    guint64 until = WS_NEVER;

    for (guint32 busy = pipes->busy; busy != 0; busy &= busy - 1) {
        guint resource = (guint)__builtin_ctz(busy);

        if (pipes->free[resource] > cycle && pipes->want[resource] != 0)
            until = MIN(until, pipes->free[resource]);
    }
    return until;
}

void ws_pipes_close(WsPipes *pipes, guint64 from)
{
    pipes->open_from = MAX(from, pipes->free[WS_RESOURCE_LG]);
    ws_pipes_block(pipes, WS_RESOURCE_LG, from, WS_NEVER);
}

guint64 ws_pipes_open(WsPipes *pipes, guint64 now, guint64 queue_free)
{
    guint64 free = MAX(MAX(now, pipes->open_from), queue_free);

    pipes->busy_cycles[WS_RESOURCE_LG] -= pipes->free[WS_RESOURCE_LG] - free;
    pipes->free[WS_RESOURCE_LG] = free;
    pipes->checked = WS_NEVER;
    return free;
}
