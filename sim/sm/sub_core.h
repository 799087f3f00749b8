/*
 * What a sub-core issues next, and when it is run again. Inside the library only. The cycle itself
 * is in sim/sm/issue_loop.h.
 */
#ifndef WS_SIM_SM_SUB_CORE_H
#define WS_SIM_SM_SUB_CORE_H

#include "sim/sm/sm.h"

/* One cycle of a sub-core: at most one issue. */
void ws_sub_core_step_plain(WsSm *sm, WsSubCore *sub_core, guint32 number, guint64 now);
/* In a run of ideal_time.h several warps may issue in a cycle, each of them once. */
void ws_sub_core_step_ideal(WsSm *sm, WsSubCore *sub_core, guint32 number, guint64 now);
void ws_sub_core_step_observed(WsSm *sm, WsSubCore *sub_core, guint32 number, guint64 now);

/* Warps that can issue now: operands there, pipe and dispatcher free. */
static inline guint64 ws_eligible(WsSubCore *sub_core, guint64 now)
{
    if (sub_core->pipes.checked != now)
        return sub_core->wake.ready & ~ws_issue_blocked(&sub_core->dispatch, &sub_core->pipes, now);
    return sub_core->wake.ready & ~sub_core->pipes.checked_blocked;
}

/*
 * Next cycle after `now` at which a warp may be eligible. Warps that wake before that and find
 * their pipe or the dispatcher busy can wake when it is free.
 */
static inline guint64 ws_next_look(WsSubCore *sub_core, guint64 now)
{
    WsWakeQueue *wake = &sub_core->wake;
    WsPipes *pipes = &sub_core->pipes;
    guint64 blocked = ws_issue_blocked(&sub_core->dispatch, pipes, now + 1);

    pipes->checked = now + 1;
    pipes->checked_blocked = blocked;
    if (((wake->ready | wake->soon) & ~blocked) != 0)
        return now + 1;
    return ws_wake_defer(wake, now, blocked,
                         ws_issue_blocked_until(&sub_core->dispatch, pipes, now + 1));
}

#endif
