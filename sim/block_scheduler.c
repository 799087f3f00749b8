#include "sim/block_scheduler.h"

#include "sim/launch_order.h"

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
    scheduler->places = g_new0(WsPlaces, MIN(numbers->len, device->sms));
    for (guint i = 0; i < numbers->len; i++) {
        guint32 number = g_array_index(numbers, guint32, i);
        WsPlaces *places = &scheduler->places[scheduler->count];

        if (i != 0 && places[-1].number == number)
            continue;
        places->number = number;
        places->tpc = number / (guint32)device->sms_per_tpc;
        places->distance = ws_sm_is_far(device, number) ? device->far_latency : 0;
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

void ws_block_scheduler_init(WsBlockScheduler *ret, const WsDevice *device,
                             const WsOccupancy *occupancy, guint64 blocks, guint64 begin)
{
    static const WsOccupancyLimit whole[] = {WS_OCCUPANCY_SHARED, WS_OCCUPANCY_BLOCKS,
                                             WS_OCCUPANCY_BARRIERS};
    guint64 drain = MAX(device->drain_latency, 1);
    gboolean early = device->early_warps && device->slot_partition != WS_SLOTS_STATIC;

    *ret = (WsBlockScheduler){.device = device,
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
    ret->ports = g_new0(WsTurns, device->sms / device->sms_per_tpc + 1);
    ret->ends = g_array_new(FALSE, FALSE, sizeof(WsHeardEnd));
    find_places(ret);
}

void ws_block_scheduler_clear(WsBlockScheduler *scheduler)
{
    g_clear_pointer(&scheduler->order, g_array_unref);
    g_clear_pointer(&scheduler->ends, g_array_unref);
    g_clear_pointer(&scheduler->places, g_free);
    g_clear_pointer(&scheduler->ports, g_free);
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
    guint64 cycles = MAX(scheduler->gap / scheduler->device->sms_per_tpc, 1);

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
        guint64 first = take_port(scheduler, places, scheduler->begin, scheduler->begin + message);

        if (places->handed == 0)
            messages[index] = first - scheduler->begin;
        ws_losses_plan(&sms[index]->state->losses);
        hand_out(scheduler, places, sms[index], first, messages[index]);
    }
}

static gint compare_ends(gconstpointer a, gconstpointer b)
{
    const WsHeardEnd *x = a, *y = b;

    if (x->heard != y->heard)
        return x->heard < y->heard ? -1 : 1;
    if (x->place != y->place)
        return x->place < y->place ? -1 : 1;
    return x->exited < y->exited ? -1 : x->exited > y->exited;
}

void ws_block_scheduler_collect(WsBlockScheduler *scheduler, WsSm *const *sms)
{
    guint before = scheduler->ends->len;

    for (guint32 i = 0; i < scheduler->count; i++) {
        WsSmState *state = sms[i]->state;
        for (guint32 k = 0; k < state->freed_count; k++) {
            const WsBlockEnd *freed = &state->freed[k];
            WsHeardEnd end = {.place = i, .exited = freed->exited};

            end.heard = freed->cycle + scheduler->report + scheduler->places[i].distance;
            g_array_append_val(scheduler->ends, end);
        }
        state->freed_count = 0;
    }
    scheduler->ended_blocks += scheduler->ends->len - before;
    if (scheduler->next_block == scheduler->blocks)
        g_array_set_size(scheduler->ends, 0);
    else if (scheduler->ends->len != before)
        g_array_sort(scheduler->ends, compare_ends);
}

/* When the GPU comes to deal with something that it hears at `cycle`. */
static guint64 take_turn(WsBlockScheduler *scheduler, guint64 cycle)
{
    guint64 turn = MAX(cycle * MILLI, scheduler->turn_free);

    scheduler->turn_free = turn + scheduler->device->refill_interval_milli;
    return (turn + MILLI - 1) / MILLI;
}

gboolean ws_block_scheduler_refill(WsBlockScheduler *scheduler, WsSm *const *sms, guint64 next,
                                   guint64 end)
{
    guint64 first = scheduler->next_block, before = MIN(next, WS_NEVER) + scheduler->report;
    guint done = 0;

    for (; done < scheduler->ends->len; done++) {
        const WsHeardEnd *freed = &g_array_index(scheduler->ends, WsHeardEnd, done);
        WsPlaces *places = &scheduler->places[freed->place];
        guint64 turn;

        if (freed->heard >= before || scheduler->next_block == scheduler->blocks)
            break;
        turn = take_turn(scheduler, freed->heard);
        places->known = MAX(places->known, freed->exited);
        places->held--;
        while (scheduler->next_block < scheduler->blocks && places->held < scheduler->most_held &&
               places->handed + scheduler->warps - places->known <= scheduler->warp_room) {
            guint64 message = scheduler->lead + places->distance;
            guint64 start = take_port(scheduler, places, end, MAX(turn + message, end));

            hand_out(scheduler, places, sms[freed->place], start, message);
        }
    }
    g_array_remove_range(scheduler->ends, 0, done);
    return scheduler->next_block != first;
}
