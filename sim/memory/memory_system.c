#include "sim/memory/memory_system.h"

#include "sim/memory/l2_service.h"

#include <string.h>

/* ---- construction ------------------------------------------------------------------------------
 */

static void clear_share(WsMemorySystem *system)
{
    ws_marks_free(system->marks);
    ws_event_queue_clear(&system->queue);
    for (guint32 sm = 0; system->returns != NULL && sm < system->sm_count; sm++)
        ws_state_free(system->arena, system->returns[sm].items);
    ws_state_free(system->arena, system->returns);
    ws_writers_clear(&system->writers);
    ws_state_free(system->arena, system->store_wait);
}

WsMemorySystem *ws_memory_system_new(const WsDevice *device, WsGlobalMemory *contents,
                                     WsStateArena *arena)
{
    WsMemorySystem *system = ws_state_new(arena, WsMemorySystem, 1);
    system->arena = arena;
    system->shares = ws_state_new(arena, WsMemorySystem *, 1);
    system->shares[0] = system;
    system->share_count = 1;
    system->device = device;
    system->contents = contents;
    system->unusual = device->ideal_coalescing;
    ws_l2_geometry_init(&system->geometry, device);
    ws_l2_init(&system->l2, arena, device, &system->geometry);
    ws_dram_init(&system->dram, arena, device);
    ws_event_queue_init(&system->queue, arena);
    return system;
}

/* ---- shares ------------------------------------------------------------------------------------
 */

/* Room for what the share notes of each SM. */
static void know_sms(WsMemorySystem *share, WsSmMemory **sms, guint32 sm_count)
{
    share->sms = sms;
    share->store_wait = ws_state_renew(share->arena, guint64, share->store_wait, sm_count);
    share->returns = ws_state_renew(share->arena, WsReturns, share->returns, sm_count);
    for (guint32 i = share->sm_count; i < sm_count; i++) {
        share->store_wait[i] = 0;
        share->returns[i] = (WsReturns){NULL, 0, 0};
    }
    share->sm_count = sm_count;
}

/* One share again; nothing is under way. */
static void join_shares(WsMemorySystem *system)
{
    for (guint32 i = 1; i < system->share_count; i++) {
        WsMemorySystem *share = system->shares[i];
        system->l2_lookups += share->l2_lookups;
        system->l2_hits += share->l2_hits;
        system->dram.read_bytes += share->dram.read_bytes;
        system->dram.write_bytes += share->dram.write_bytes;
        clear_share(share);
        ws_state_free(system->arena, share);
    }
    system->share_count = 1;
}

/* No DRAM channel belongs to slices of two of so many shares. */
static gboolean shares_are_apart(const WsMemorySystem *system, guint32 count)
{
    guint32 slices = system->geometry.slices, channels = system->dram.channels;
    guint32 homes = slices * (system->geometry.pooled ? 1 : system->geometry.partitions);
    for (guint32 home = channels; home < homes; home++)
        if (home % slices % count != home % channels % slices % count)
            return FALSE;
    return TRUE;
}

void ws_memory_system_split(WsMemorySystem *system, guint32 count)
{
    count = CLAMP(count, 1, system->geometry.slices);
    while (!shares_are_apart(system, count))
        count--;
    if (count == system->share_count)
        return;
    join_shares(system);
    system->shares = ws_state_renew(system->arena, WsMemorySystem *, system->shares, count);
    for (guint32 i = 1; i < count; i++) {
        WsMemorySystem *share = ws_state_new(system->arena, WsMemorySystem, 1);
        share->arena = system->arena;
        share->device = system->device;
        share->contents = system->contents;
        share->unusual = system->unusual;
        share->geometry = system->geometry;
        share->l2 = system->l2;
        share->dram = system->dram;
        share->dram.read_bytes = share->dram.write_bytes = 0;
        share->share_number = i;
        share->queue.now = system->queue.now;
        ws_event_queue_init(&share->queue, system->arena);
        know_sms(share, system->sms, system->sm_count);
        system->shares[i] = share;
    }
    for (guint32 i = 0; i < count; i++)
        system->shares[i]->share_count = count;
}

guint32 ws_memory_system_shares(const WsMemorySystem *system)
{
    return system->share_count;
}

static void set_now(WsMemorySystem *system, guint64 now)
{
    for (guint32 i = 0; i < system->share_count; i++)
        system->shares[i]->queue.now = now;
}

/* ---- life --------------------------------------------------------------------------------------
 */

void ws_memory_system_free(WsMemorySystem *system)
{
    if (system == NULL)
        return;
    join_shares(system);
    ws_l2_clear(&system->l2);
    ws_dram_clear(&system->dram);
    clear_share(system);
    ws_state_free(system->arena, system->sms);
    ws_state_free(system->arena, system->shares);
    ws_state_free(system->arena, system);
}

void ws_memory_system_flush(WsMemorySystem *system)
{
    ws_memory_system_drain(system);
    ws_l2_reset(&system->l2);
    ws_dram_reset(&system->dram);
    set_now(system, 0);
}

guint64 ws_memory_window(const WsDevice *device)
{
    WsL2Geometry geometry;
    if (device->memory_model == WS_MEMORY_FIXED)
        return G_MAXUINT32;
    ws_l2_geometry_init(&geometry, device);
    return geometry.least_trip;
}

WsGlobalMemory *ws_memory_system_contents(const WsMemorySystem *system)
{
    return system->contents;
}

WsStateArena *ws_memory_system_arena(const WsMemorySystem *system)
{
    return system->arena;
}

const WsL2Geometry *ws_memory_system_geometry(const WsMemorySystem *system)
{
    return &system->geometry;
}

void ws_memory_system_attach(WsMemorySystem *system, guint32 sm, WsSmMemory *memory)
{
    if (sm >= system->sm_count) {
        WsSmMemory **sms = ws_state_renew(system->arena, WsSmMemory *, system->sms, sm + 1);
        for (guint32 i = system->sm_count; i <= sm; i++)
            sms[i] = NULL;
        for (guint32 i = 0; i < system->share_count; i++)
            know_sms(system->shares[i], sms, sm + 1);
    }
    /* The first SM of a launch: time starts over, caches keep what they hold. */
    if (system->attached++ == 0) {
        set_now(system, 0);
        ws_l2_rewind(&system->l2);
        ws_dram_rewind(&system->dram);
    }
    system->sms[sm] = memory;
}

void ws_memory_system_detach(WsMemorySystem *system, guint32 sm)
{
    system->sms[sm] = NULL;
    system->attached--;
}

/* Serves the share up to `horizon`, and notes what is counted on the way there. */
static void advance(WsMemorySystem *share, guint64 horizon)
{
    if (share->marks != NULL)
        ws_marks_pass(share, horizon);
    ws_l2_service_advance(share, horizon);
}

/* ---- windows ----------------------------------------------------------------------------------
 */

/* Takes the messages that are the share's. */
static void gather(WsMemorySystem *system)
{
    for (guint32 sm = 0; sm < system->sm_count; sm++) {
        guint32 count;
        if (system->sms[sm] == NULL)
            continue;
        const WsMessage *messages = ws_sm_messages(system->sms[sm], &count);
        for (guint32 i = 0; i < count; i++) {
            if (system->share_count != 1 &&
                messages[i].slice % system->share_count != system->share_number)
                continue;
            guint32 index = ws_pool_take(&system->queue.events);
            WsEvent *event = ws_event_at(&system->queue, index);
            event->kind = WS_EVENT_ARRIVE;
            event->level = WS_LEVEL_L2;
            event->at_home = FALSE;
            event->cycle = messages[i].arrival;
            event->message = messages[i];
            ws_event_push(&system->queue, event, index);
        }
    }
}

/* All shares have gathered. */
static void clear_messages(WsMemorySystem *system)
{
    for (guint32 sm = 0; sm < system->sm_count; sm++)
        if (system->sms[sm] != NULL)
            ws_sm_clear_messages(system->sms[sm]);
}

/* SMs whose stores pile up wait before they send more. */
static void hold_back(WsMemorySystem *system, guint64 window_end)
{
    for (guint32 sm = 0; sm < system->sm_count; sm++) {
        guint64 wait = 0;
        for (guint32 i = 0; i < system->share_count; i++) {
            wait = MAX(wait, system->shares[i]->store_wait[sm]);
            system->shares[i]->store_wait[sm] = 0;
        }
        if (wait > system->device->l2_store_queue && system->sms[sm] != NULL)
            ws_sm_hold_messages(system->sms[sm],
                                window_end + wait - system->device->l2_store_queue);
    }
}

void ws_memory_system_settle_share(WsMemorySystem *system, guint32 number, guint64 window_end)
{
    WsMemorySystem *share = system->shares[number];
    share->apart = TRUE;
    gather(share);
    advance(share, window_end + share->geometry.least_request);
    share->apart = FALSE;
}

void ws_memory_system_end_settle(WsMemorySystem *system, guint64 window_end)
{
    clear_messages(system);
    hold_back(system, window_end);
}

void ws_memory_system_collect(WsMemorySystem *system, guint32 sm)
{
    for (guint32 i = 0; i < system->share_count; i++) {
        WsReturns *returns = &system->shares[i]->returns[sm];
        for (guint32 k = 0; k < returns->count; k++)
            ws_sm_take_return(system->sms[sm], &returns->items[k]);
        returns->count = 0;
    }
}

guint64 ws_memory_system_waiting(const WsMemorySystem *system)
{
    guint64 waiting = 0;
    for (guint32 sm = 0; sm < system->sm_count; sm++) {
        guint32 count = 0;
        if (system->sms[sm] != NULL)
            ws_sm_messages(system->sms[sm], &count);
        waiting += count;
    }
    return waiting;
}

void ws_memory_system_settle(WsMemorySystem *system, guint64 window_end)
{
    for (guint32 i = 0; i < system->share_count; i++) {
        gather(system->shares[i]);
        advance(system->shares[i], window_end + system->geometry.least_request);
    }
    ws_memory_system_end_settle(system, window_end);
}

/* First occupied cycle of any share from now on, below `end`; `end` if there is none. */
static guint64 next_of_shares(const WsMemorySystem *system, guint64 end)
{
    guint64 next = end;
    for (guint32 i = 0; i < system->share_count; i++)
        next = ws_event_next(&system->shares[i]->queue, system->queue.now, next);
    return next;
}

static guint64 count_answers(const WsMemorySystem *system)
{
    guint64 answers = 0;
    for (guint32 i = 0; i < system->share_count; i++)
        answers += system->shares[i]->answers;
    return answers;
}

static gboolean any_is_far(const WsMemorySystem *system)
{
    gboolean far = FALSE;
    for (guint32 i = 0; i < system->share_count; i++)
        far |= system->shares[i]->queue.far_count != 0;
    return far;
}

static void advance_all(WsMemorySystem *system, guint64 horizon)
{
    for (guint32 i = 0; i < system->share_count; i++)
        advance(system->shares[i], horizon);
}

gboolean ws_memory_system_catch_up(WsMemorySystem *system, guint64 cycle)
{
    guint64 answers = count_answers(system);
    guint64 least = system->geometry.least_request;
    guint64 end = cycle > G_MAXUINT64 - least ? G_MAXUINT64 : cycle + least;
    while (system->queue.now < end && count_answers(system) == answers) {
        guint64 near = MIN(end, system->queue.now + WS_RING);
        guint64 next = next_of_shares(system, near);
        if (next == near && !any_is_far(system))
            return FALSE;
        advance_all(system, MIN(next + 1, end));
    }
    return count_answers(system) != answers;
}

void ws_memory_system_drain(WsMemorySystem *system)
{
    for (guint32 sm = 0; sm < system->sm_count; sm++)
        if (system->sms[sm] != NULL)
            ws_sm_send_deferred(system->sms[sm]);
    for (guint32 i = 0; i < system->share_count; i++)
        gather(system->shares[i]);
    clear_messages(system);
    for (;;) {
        guint64 end = next_of_shares(system, system->queue.now + WS_RING);
        if (!any_is_far(system) && end == system->queue.now + WS_RING)
            return;
        advance_all(system, system->queue.now + WS_RING);
    }
}

guint64 ws_memory_system_held_bytes(const WsMemorySystem *system)
{
    return ws_l2_held(&system->l2) * WS_LINE_BYTES;
}

void ws_memory_system_add_counters(const WsMemorySystem *system, WsCounters *counters)
{
    for (guint32 i = 0; i < system->share_count; i++) {
        const WsMemorySystem *share = system->shares[i];
        counters->l2_lookups += share->l2_lookups;
        counters->l2_hits += share->l2_hits;
        counters->dram_read_bytes += share->dram.read_bytes;
        counters->dram_write_bytes += share->dram.write_bytes;
    }
}
