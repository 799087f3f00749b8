#include "sim/gpu/block_scheduler.h"

#include <string.h>

#include "sim/gpu/launch_order.h"

enum { MILLI = 1000 };

/* ---- life ---------------------------------------------------------------------------------------
 */

static int compare_numbers(gconstpointer a, gconstpointer b)
{
    guint32 x = *(const guint32 *)a, y = *(const guint32 *)b;

    return x < y ? -1 : x > y;
}

/* The SMs of the first wave. */
static void find_places(WsBlockScheduler *scheduler)
{
    const WsDevice *device = scheduler->device;
    g_autoptr(GArray) numbers = g_array_copy(scheduler->order);

    g_array_sort(numbers, compare_numbers);
    scheduler->places = ws_state_new(scheduler->arena, WsPlaces, MIN(numbers->len, device->sms));
    for (guint i = 0; i < numbers->len; i++) {
        guint32 number = g_array_index(numbers, guint32, i);
        WsPlaces *places = &scheduler->places[scheduler->count];

        if (i != 0 && places[-1].number == number)
            continue;
        places->number = number;
        places->tpc = number / (guint32)device->sms_per_tpc;
        places->distance = ws_sm_is_far(device, number) ? device->far_latency : 0;
        places->ends.arena = scheduler->arena;
        scheduler->count++;
    }
}

static guint64 start_gap(const WsDevice *device, guint64 warps)
{
    guint64 queued = warps > device->launch_queued_warps ? warps - device->launch_queued_warps : 0;

    return MAX(device->launch_interval + device->launch_interval_per_warp * (warps - 1),
               device->launch_warp_interval * (warps - 1 + queued) + device->launch_gap);
}

static guint32 least_of(const WsOccupancy *occupancy, const WsOccupancyLimit *limits, guint count)
{
    guint32 least = WS_MAX_BLOCK_SLOTS;

    for (guint i = 0; i < count; i++)
        least = MIN(least, occupancy->limits[limits[i]]);
    return least;
}

void ws_block_scheduler_init(WsBlockScheduler *ret, WsStateArena *arena, const WsDevice *device,
                             const WsOccupancy *occupancy, guint64 blocks, guint64 begin)
{
    static const WsOccupancyLimit whole[] = {WS_OCCUPANCY_SHARED, WS_OCCUPANCY_BLOCKS,
                                             WS_OCCUPANCY_BARRIERS};
    guint64 drain = MAX(device->drain_latency, 1);
    gboolean early = device->early_warps && device->slot_partition != WS_SLOTS_STATIC;

    *ret = (WsBlockScheduler){.arena = arena,
                              .device = device,
                              .begin = begin,
                              .blocks = blocks,
                              .warps = occupancy->warps_per_block,
                              .gap = start_gap(device, occupancy->warps_per_block)};
    ret->warp_room = (guint64)occupancy->blocks_per_sm * occupancy->warps_per_block;
    ret->most_held =
        early ? least_of(occupancy, whole, G_N_ELEMENTS(whole)) : occupancy->blocks_per_sm;
    ret->refill = device->block_turnover > drain ? device->block_turnover - drain : 0;
    ret->lead = MIN(device->launch_latency, ret->refill);
    ret->report = ret->refill - ret->lead;
    ret->order = ws_launch_order(device, blocks, occupancy->blocks_per_sm);
    ret->ports = ws_state_new(arena, WsTurns, device->sms / device->sms_per_tpc + 1);
    find_places(ret);
}

void ws_block_scheduler_clear(WsBlockScheduler *scheduler)
{
    g_clear_pointer(&scheduler->order, g_array_unref);
    for (guint32 i = 0; i < scheduler->count; i++)
        ws_state_array_clear(&scheduler->places[i].ends);
    ws_state_free(scheduler->arena, scheduler->places);
    ws_state_free(scheduler->arena, scheduler->ports);
}

/* ---- starts -------------------------------------------------------------------------------------
 */

/*
 * When the next block of `places` can start, `arrival` or later: takes the port of its TPC for that
 * time. No block arrives before `now` any more.
 */
static guint64 take_port(WsBlockScheduler *scheduler, const WsPlaces *places, guint64 now,
                         guint64 arrival)
{
    guint64 cycles = scheduler->gap / scheduler->device->sms_per_tpc;

    return ws_turns_take(&scheduler->ports[places->tpc], now, MAX(arrival, places->next_start),
                         cycles) -
           cycles;
}

/* The next block starts at `first` in `places`; `message` before that it takes its slots. */
static void hand_out(WsBlockScheduler *scheduler, WsPlaces *places, WsSm *sm, guint64 first,
                     guint64 message)
{
    WsBlockStart start = {
        .linear = scheduler->next_block++, .first = first, .assigned = first - message};

    places->next_start = first + scheduler->gap;
    places->handed += scheduler->warps;
    places->held++;
    ws_sm_queue_block(sm, &start);
}

/* Asks the policy of the SM, which has room. */
static gboolean takes(WsBlockScheduler *scheduler, const WsPlaces *places, WsSm *sm, guint64 cycle)
{
    guint32 ended = (guint32)(places->handed / scheduler->warps) - places->held;

    if (G_LIKELY(ws_sm_takes_block(sm, cycle, scheduler->next_block, places->held, ended)))
        return TRUE;
    scheduler->refused = TRUE;
    return FALSE;
}

static guint index_of(const WsBlockScheduler *scheduler, guint32 number)
{
    guint low = 0, high = scheduler->count;

    while (high - low > 1) {
        guint middle = (low + high) / 2;

        if (scheduler->places[middle].number <= number)
            low = middle;
        else
            high = middle;
    }
    return low;
}

/*
 * Slots are taken when the launch begins, or later by as much as a block starts later than the
 * first one of its SM.
 */
void ws_block_scheduler_start(WsBlockScheduler *scheduler, WsSm *const *sms)
{
    const WsDevice *device = scheduler->device;
    g_autofree guint64 *messages = g_new0(guint64, scheduler->count);

    for (guint i = 0; i < scheduler->order->len; i++) {
        guint index = index_of(scheduler, g_array_index(scheduler->order, guint32, i));
        WsPlaces *places = &scheduler->places[index];
        guint64 message = i * device->launch_block_interval_milli / MILLI + places->distance +
                          device->launch_latency;

        if (places->handed != 0 && !takes(scheduler, places, sms[index], scheduler->begin))
            continue;
        guint64 first = take_port(scheduler, places, scheduler->begin, scheduler->begin + message);

        if (places->handed == 0)
            messages[index] = first - scheduler->begin;
        ws_losses_plan(&sms[index]->state->losses);
        hand_out(scheduler, places, sms[index], first, messages[index]);
    }
    g_clear_pointer(&scheduler->order, g_array_unref);
}

void ws_block_scheduler_collect(WsBlockScheduler *scheduler, WsSm *const *sms)
{
    for (guint32 i = 0; i < scheduler->count; i++) {
        WsSmState *state = sms[i]->state;
        WsPlaces *places = &scheduler->places[i];
        for (guint32 k = 0; k < state->freed_count; k++) {
            const WsBlockEnd *freed = &state->freed[k];
            WsHeardEnd end = {.exited = freed->exited};

            end.heard = freed->cycle + scheduler->report + places->distance;
            ws_state_array_append(&places->ends, WsHeardEnd, end);
        }
        scheduler->ended_blocks += state->freed_count;
        state->freed_count = 0;
    }
}

/* The earliest end of an SM that has not been dealt with. */
static const WsHeardEnd *first_end(const WsPlaces *places)
{
    return places->ends.count == 0 ? NULL : &ws_state_array_index(&places->ends, WsHeardEnd, 0);
}

static void forget_first_end(WsPlaces *places)
{
    WsHeardEnd *ends = places->ends.items;

    places->ends.count--;
    memmove(ends, ends + 1, places->ends.count * sizeof *ends);
}

/*
 * Whose turn comes next, and the cycle of it: of the SMs whose news have come by then the next one
 * behind the last. G_MAXUINT32 if there are no news.
 */
static guint32 next_turn(const WsBlockScheduler *scheduler, guint64 *ret_cycle)
{
    guint64 free = (scheduler->turn_free + MILLI - 1) / MILLI;
    guint32 chosen = G_MAXUINT32;

    *ret_cycle = WS_NEVER;
    for (guint32 k = 1; k <= scheduler->count; k++) {
        guint32 place = (scheduler->dealt + k) % scheduler->count;
        const WsHeardEnd *end = first_end(&scheduler->places[place]);

        if (end == NULL || MAX(end->heard, free) >= *ret_cycle)
            continue;
        *ret_cycle = MAX(end->heard, free);
        chosen = place;
    }
    return chosen;
}

static gboolean has_room(const WsBlockScheduler *scheduler, const WsPlaces *places)
{
    return scheduler->next_block < scheduler->blocks && places->held < scheduler->most_held &&
           places->handed + scheduler->warps - places->known <= scheduler->warp_room;
}

/* The next block goes to `places`, at the turn at `turn`. */
static void hand_over(WsBlockScheduler *scheduler, WsPlaces *places, WsSm *sm, guint64 turn,
                      guint64 now)
{
    guint64 message = scheduler->lead + places->distance;
    guint64 first = take_port(scheduler, places, now, MAX(turn + message, now));

    hand_out(scheduler, places, sm, first, message);
}

/* Hands out what the SM has room for once its first end is known. */
static void deal_with_end(WsBlockScheduler *scheduler, guint32 place, WsSm *sm, guint64 turn,
                          guint64 now)
{
    WsPlaces *places = &scheduler->places[place];

    scheduler->dealt = place;
    scheduler->turn_free = MAX(first_end(places)->heard * MILLI, scheduler->turn_free) +
                           scheduler->device->refill_interval_milli;
    places->known = MAX(places->known, first_end(places)->exited);
    places->held--;
    forget_first_end(places);
    while (has_room(scheduler, places) && takes(scheduler, places, sm, now))
        hand_over(scheduler, places, sm, turn, now);
}

/* A block for each SM that has room and takes one now, beginning behind the last dealt with. */
static void offer_again(WsBlockScheduler *scheduler, WsSm *const *sms, guint64 now)
{
    for (guint32 k = 1; k <= scheduler->count; k++) {
        guint32 place = (scheduler->dealt + k) % scheduler->count;
        WsPlaces *places = &scheduler->places[place];

        if (places->ends.count == 0 && has_room(scheduler, places) &&
            takes(scheduler, places, sms[place], now))
            hand_over(scheduler, places, sms[place], now, now);
    }
}

gboolean ws_block_scheduler_refill(WsBlockScheduler *scheduler, WsSm *const *sms, guint64 next,
                                   guint64 end)
{
    guint64 given = scheduler->next_block, before = MIN(next, WS_NEVER) + scheduler->report, turn;

    while (scheduler->next_block < scheduler->blocks) {
        guint32 place = next_turn(scheduler, &turn);

        if (place == G_MAXUINT32 || turn >= before)
            break;
        deal_with_end(scheduler, place, sms[place], turn, end);
    }
    if (G_UNLIKELY(scheduler->refused))
        offer_again(scheduler, sms, end);
    return scheduler->next_block != given;
}
