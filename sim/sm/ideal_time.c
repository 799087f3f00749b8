#include "sim/sm/ideal_time.h"

enum { WHOLE = WS_WHOLE_SLOT };

gboolean ws_ideal_time_is_on(const WsDevice *device)
{
    return device->ideal_divergence || device->ideal_barriers;
}

/* Lanes with which the warp began. */
static guint lanes_of(const WsSm *sm, const WsWarp *warp)
{
    guint32 size = sm->decoded->warp_size, first = warp->warp_in_block * size;

    return MIN(size, sm->context->threads_per_block - first);
}

/* The part of a cycle that an instruction takes. A guard that keeps all lanes off, or that decides
 * where they go, is no divergence. */
static guint share_of(const WsSm *sm, const WsWarp *warp, guint32 pc, guint64 active, guint64 mask)
{
    guint64 lanes = mask != 0 && sm->issues[pc].plain ? mask : active;

    if (!sm->context->device->ideal_divergence)
        return WHOLE;
    return CLAMP(ws_count_lanes(lanes) * WHOLE / lanes_of(sm, warp), 1, WHOLE);
}

void ws_ideal_begin_cycle(WsSubCore *sub_core, guint64 now)
{
    WsIssueSlot *slot = &sub_core->slot;
    guint64 passed = MIN(now - slot->cycle, 2); /* it never owes a whole cycle */

    slot->left = MIN(WHOLE, slot->left + (gint64)passed * WHOLE);
    slot->cycle = now;
    slot->more = FALSE;
}

/* Cycles since the last issue in which the sub-core could have issued. */
static void count_idle(WsSubCore *sub_core, guint64 now)
{
    WsIssueSlot *slot = &sub_core->slot;
    guint64 busy = ws_dispatcher_busy_cycles(&sub_core->dispatch, now);
    guint64 gap = now - MIN(now, slot->issued + 1);

    slot->idle += gap - MIN(gap, busy - slot->dispatched);
    slot->dispatched = busy;
    slot->issued = now;
}

/* The warp waited at a barrier since its last issue. */
static void count_barrier(WsSubCore *sub_core, const WsWarp *warp, WsIdealWarp *ideal)
{
    WsIssueSlot *slot = &sub_core->slot;

    ideal->saved += (warp->hold.until - warp->last_issue - 1) * WHOLE;
    slot->spare += slot->idle - MIN(slot->idle, MAX(ideal->idle, slot->counted));
    slot->counted = slot->idle;
}

void ws_ideal_before_issue(WsSm *sm, WsSubCore *sub_core, const WsWarp *warp, guint32 pc,
                           guint64 mask, guint64 now)
{
    WsIdealWarp *ideal = &sm->state->ideal[warp->slot];
    const WsIssueHold *hold = &warp->hold;

    sub_core->slot.share = share_of(sm, warp, pc, warp->path.active, mask);
    if (sub_core->slot.issued != now)
        count_idle(sub_core, now);
    if (warp->last_issue == WS_NEVER) { /* a warp of another block had the slot before */
        *ideal = (WsIdealWarp){.share = WHOLE};
        return;
    }
    if (ideal->waits)
        ideal->saved += (now - warp->last_issue) * (WHOLE - ideal->share);
    if (sm->context->device->ideal_barriers && hold->reason == WS_STALL_BARRIER &&
        hold->until > warp->last_issue + 1)
        count_barrier(sub_core, warp, ideal);
}

guint ws_ideal_interval(const WsSm *sm, WsSubCore *sub_core, guint interval)
{
    WsIssueSlot *slot = &sub_core->slot;
    guint left = MAX(1, (guint)(interval * slot->share / WHOLE)), caught;

    if (!sm->context->device->ideal_barriers)
        return left;
    caught = (guint)MIN(slot->spare, left - 1);
    slot->spare -= caught;
    return left - caught;
}

guint ws_ideal_hold(WsSubCore *sub_core, guint held)
{
    WsIssueSlot *slot = &sub_core->slot;
    guint cycles = 0;

    slot->left -= (gint64)(slot->share * (1 + held));
    if (slot->left <= -WHOLE)
        cycles = (guint)(-slot->left / WHOLE);
    slot->left += (gint64)cycles * WHOLE;
    return cycles;
}

gboolean ws_ideal_slot_is_left(WsSubCore *sub_core)
{
    WsIssueSlot *slot = &sub_core->slot;

    slot->more = TRUE;
    if (slot->left > 0)
        return TRUE;
    if (slot->spare == 0)
        return FALSE;
    slot->spare--;
    slot->left += WHOLE;
    return slot->left > 0;
}

/* All results of the warp whose cycle is known come sooner by as much as it does; what has come
 * stays so. */
static void move_results(WsSm *sm, const WsWarp *warp, guint64 sooner)
{
    guint64 *entries = ws_sm_entries(sm, warp);

    for (guint32 i = 0; i < sm->table->entries; i++) {
        guint64 cycle = ws_entry_cycle(entries[i]);
        if (cycle < WS_NEVER)
            entries[i] -= ws_entry(MIN(sooner, cycle), 0);
    }
}

/* Has the warp wake at `cycle`, sooner than it was to. */
static void wake_sooner(WsSm *sm, WsSubCore *sub_core, WsWarp *warp, guint64 cycle, guint64 now)
{
    WsFrontEnd *front = &warp->front_end;

    move_results(sm, warp, warp->ready - cycle);

    ws_wake_cancel(&sub_core->wake, warp->number, warp->ready);
    ws_wake_behind_issue(&sub_core->wake, warp->number, cycle, now);
    warp->ready = cycle;
    warp->hold.until = MIN(warp->hold.until, cycle);
    front->ready = MIN(front->ready, cycle);
    front->constant_ready = MIN(front->constant_ready, cycle);
    for (guint i = 0; i < WS_WAIT_COUNT; i++)
        warp->operands.until[i] = MIN(warp->operands.until[i], cycle);
}

void ws_ideal_after_issue(WsSm *sm, WsSubCore *sub_core, WsWarp *warp, guint64 now)
{
    WsIdealWarp *ideal = &sm->state->ideal[warp->slot];
    guint64 wait, cycles;

    ideal->share = (guint8)sub_core->slot.share;
    ideal->waits = warp->state == WS_WARP_RESPONSE;
    ideal->idle = sub_core->slot.idle;
    if (warp->state != WS_WARP_TIMED || warp->ready <= now || warp->barrier.until > now)
        return;
    wait = (warp->ready - now) * ideal->share;
    if (wait > WHOLE) {
        guint64 taken = MIN(ideal->saved, wait - WHOLE);
        ideal->saved -= taken;
        wait -= taken;
    }
    cycles = MAX(1, (wait + WHOLE - 1) / WHOLE);
    ideal->saved += cycles * WHOLE - wait;
    if (now + cycles < warp->ready)
        wake_sooner(sm, sub_core, warp, now + cycles, now);
}
