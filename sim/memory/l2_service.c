/*
 * What a slice of L2 does with loads, stores and atomics: hit, wait for what is under way, fetch
 * from the home slice or from DRAM, write, and answer.
 */
#include "sim/memory/l2_service.h"

#include <string.h>

/* So many events before it is served the host fetches what an event is about, and as many before
 * that the event. */
enum { AHEAD = 6 };

/* What messages of so many SMs need stays in the host's caches from sending to serving. Between 1
 * SM, which gains, and 132, which lose 5 % (bench_throughput); 8 itself was not measured. */
enum { FEW_SMS = 8 };
/* ---- events ------------------------------------------------------------------------------------
 */

static WsEvent *event_at(const WsMemorySystem *system, guint32 event)
{
    return ws_event_at(&system->queue, event);
}

/* What the event lacks comes to an entry at `cycle`. */
static void push_fill(WsMemorySystem *system, WsEvent *event, guint32 index, guint32 entry,
                      guint8 sectors, guint64 cycle, WsMemoryLevel level)
{
    event->kind = WS_EVENT_FILL;
    event->level = (guint8)level;
    event->entry = entry;
    event->filled = sectors;
    event->cycle = cycle;
    ws_event_push(&system->queue, event, index);
}

/* Moves the event to the line's home: half of the way across. */
static void push_home(WsMemorySystem *system, WsEvent *event, guint32 index, guint64 cycle)
{
    event->kind = WS_EVENT_HOME;
    event->at_home = TRUE;
    event->cycle = cycle + system->geometry.cross_latency / 2;
    ws_event_push(&system->queue, event, index);
}

/* ---- places ------------------------------------------------------------------------------------
 */

static guint64 dram_access(WsMemorySystem *system, guint64 line, guint32 home, guint8 sectors,
                           guint64 cycle, gboolean write)
{
    const WsL2Geometry *geometry = &system->geometry;
    guint32 channels = system->dram.channels;
    guint64 place = ws_divide(&geometry->by_slices, line);
    WsDramPlace at = {.channel = home % channels, .refresh = home % channels};
    if (geometry->pooled) {
        guint32 slice = ws_l2_home_of(geometry, line) * geometry->ring;
        at.channel = ws_l2_real_slice(&system->l2, home) % channels;
        at.refresh =
            (slice + ws_l2_ring_place(geometry, line)) % (guint32)system->device->dram_channels;
        at.line = place;
    } else {
        at.line = place / (geometry->partitions > 1 ? 2 : 1);
    }
    return ws_dram_access(&system->dram, cycle, &at, ws_sector_count(sectors), write);
}

static void note_wait(WsMemorySystem *system, const WsMessage *message, guint64 from, guint64 to)
{
    if (to > from && to - from > system->store_wait[message->sm])
        system->store_wait[message->sm] = to - from;
}

/* A new entry; what it evicts is written to DRAM. */
static guint32 allocate(WsMemorySystem *system, WsL2Set set, const WsMessage *message,
                        guint64 cycle)
{
    WsL2Victim victim;
    guint32 entry = ws_l2_allocate(&system->l2, set, message->line, &victim);
    if (victim.dirty != 0) {
        guint64 end = dram_access(system, victim.line, set.slice, victim.dirty, cycle, TRUE);
        if (message->kind != WS_MESSAGE_LOAD)
            note_wait(system, message, cycle, end);
    }
    return entry;
}

/* ---- answers -----------------------------------------------------------------------------------
 */

static void hand_back(WsMemorySystem *system, guint32 sm, const WsReturn *what)
{
    if (!system->apart) {
        ws_sm_take_return(system->sms[sm], what);
        return;
    }
    WsReturns *returns = &system->returns[sm];
    if (returns->count == returns->capacity) {
        returns->capacity = MAX(16, returns->capacity * 2);
        returns->items = ws_state_renew(system->arena, WsReturn, returns->items, returns->capacity);
    }
    returns->items[returns->count++] = *what;
}

static void answer_sm(WsMemorySystem *system, const WsEvent *event, guint64 cycle)
{
    const WsMessage *message = &event->message;
    if (message->reply == WS_NONE)
        return;
    system->answers++;
    hand_back(system, message->sm,
              &(WsReturn){.cycle = cycle + (message->trip - message->trip / 2),
                          .sequence = message->sequence,
                          .item = message->reply,
                          .kind = WS_RETURN_ANSWER,
                          .level = event->level});
}

/* The slice has all sectors of the request at `cycle`. */
static void have_sectors(WsMemorySystem *system, WsEvent *event, guint32 index, guint64 cycle)
{
    guint64 back = system->geometry.cross_latency - system->geometry.cross_latency / 2;
    gboolean crossed = event->at_home;
    if (crossed) {
        event->level = MAX(event->level, WS_LEVEL_L2_FAR);
        cycle += back;
    }
    if (event->message.kind == WS_MESSAGE_ATOMIC) {
        cycle += system->device->atomic_l2_latency + event->times.held;
    } else if (crossed) {
        event->at_home = FALSE;
        push_fill(system, event, index, event->here_entry, event->here_filled, cycle, event->level);
        return;
    }
    answer_sm(system, event, cycle);
    ws_pool_give(&system->queue.events, index);
}

/* ---- reading -----------------------------------------------------------------------------------
 */

static guint8 wanted_sectors(const WsEvent *event)
{
    return event->at_home && event->message.kind == WS_MESSAGE_LOAD ? event->here_filled
                                                                    : event->message.sectors;
}

/* What comes from DRAM with these sectors: memory.dram.access_sectors at a time. */
static guint8 with_neighbours(const WsMemorySystem *system, guint8 sectors)
{
    guint32 together = (guint32)system->device->dram_access_sectors;
    guint8 one = (guint8)((1 << together) - 1), all = 0;

    for (guint32 first = 0; first < WS_SECTORS_PER_LINE; first += together)
        if (sectors & one << first)
            all |= (guint8)(one << first);
    return all & ((1 << WS_SECTORS_PER_LINE) - 1);
}

/* All lines of the set are on their way: straight from DRAM, kept nowhere. */
static void read_past(WsMemorySystem *system, WsEvent *event, guint32 index, guint64 start)
{
    const WsMessage *message = &event->message;
    gboolean crosses = !event->at_home && message->here.slice != message->home.slice;
    guint64 end = dram_access(system, message->line, message->home.slice, wanted_sectors(event),
                              start, FALSE) +
                  system->device->dram_latency + (crosses ? system->geometry.cross_latency : 0);
    event->level = WS_LEVEL_DRAM;
    have_sectors(system, event, index, end);
}

/* Gets what an entry lacks for the event, which comes with it. */
static void fetch(WsMemorySystem *system, WsEvent *event, guint32 index, WsL2Set set, guint32 entry,
                  guint8 sectors, guint64 start)
{
    const WsL2Set *home = &event->message.home;
    system->l2.lines[entry].pending |= sectors;
    if (set.slice == home->slice) {
        guint64 end = dram_access(system, event->message.line, home->slice, sectors, start, FALSE) +
                      system->device->dram_latency;
        push_fill(system, event, index, entry, sectors, end, WS_LEVEL_DRAM);
        return;
    }
    event->here_entry = entry;
    event->here_filled = sectors;
    push_home(system, event, index, start);
}

static void wait_for_fill(WsMemorySystem *system, WsEvent *event, guint32 index, guint32 entry)
{
    guint32 *waiters = &system->l2.waiters[entry];
    event->next = *waiters == 0 ? WS_NONE : *waiters - 1;
    *waiters = index + 1;
}

/* Serves a load or atomic in a slice: at once, or when what is missing has come. */
static void read_line(WsMemorySystem *system, WsEvent *event, guint32 index, WsL2Set set,
                      guint64 start)
{
    const WsMessage *message = &event->message;
    guint8 wanted = wanted_sectors(event);
    guint32 entry = ws_l2_find(&system->l2, set, message->line);
    guint8 full = entry == G_MAXUINT32 ? 0 : system->l2.lines[entry].full;
    gboolean atomic = message->kind == WS_MESSAGE_ATOMIC;
    if (!event->at_home || atomic) {
        system->l2_lookups += ws_sector_count(wanted);
        system->l2_hits += ws_sector_count(wanted & full);
    }
    if (entry == G_MAXUINT32)
        entry = allocate(system, set, message, start);
    if (entry == G_MAXUINT32) {
        read_past(system, event, index, start);
        return;
    }
    WsL2Line *line = &system->l2.lines[entry];
    guint8 there = full | line->pending, missing = wanted & (guint8)~there;
    if (atomic)
        line->dirty |= wanted;
    if (missing != 0) {
        fetch(system, event, index, set, entry, with_neighbours(system, missing) & (guint8)~there,
              start);
    } else if ((wanted & line->pending) == 0) {
        have_sectors(system, event, index, start);
    } else {
        event->start = start;
        wait_for_fill(system, event, index, entry);
    }
}

/* Sectors have come to an entry, with the event that they were fetched for and for all that wait.
 */
static void fill(WsMemorySystem *system, WsEvent *filled, guint32 index)
{
    guint32 entry = filled->entry;
    guint64 cycle = filled->cycle;
    guint8 level = filled->level;
    WsL2Line *line = &system->l2.lines[entry];
    line->pending &= (guint8)~filled->filled;
    line->full |= filled->filled;
    guint32 *waiters = &system->l2.waiters[entry];
    guint32 waiter = *waiters == 0 ? WS_NONE : *waiters - 1;
    *waiters = 0;
    if (wanted_sectors(filled) & line->pending) {
        filled->level = WS_LEVEL_L2; /* that of the last sectors counts */
        filled->start = 0;
        wait_for_fill(system, filled, index, entry);
    } else {
        have_sectors(system, filled, index, cycle);
    }
    while (waiter != WS_NONE) {
        WsEvent *event = event_at(system, waiter);
        guint32 next = event->next;
        if (wanted_sectors(event) & line->pending) {
            wait_for_fill(system, event, waiter, entry);
        } else {
            event->level = MAX(event->level, level);
            have_sectors(system, event, waiter, MAX(event->start, cycle));
        }
        waiter = next;
    }
}

/* ---- writing -----------------------------------------------------------------------------------
 */

static void write_line(WsMemorySystem *system, WsEvent *event, guint32 index, guint64 start)
{
    const WsMessage *message = &event->message;
    guint32 entry = ws_l2_find(&system->l2, message->home, message->line);
    if (entry == G_MAXUINT32)
        entry = allocate(system, message->home, message, start);
    if (entry == G_MAXUINT32) {
        guint64 end =
            dram_access(system, message->line, message->home.slice, message->sectors, start, TRUE);
        note_wait(system, message, start, end);
    } else {
        ws_l2_write(&system->l2, entry, event->bytes);
    }
    ws_pool_give(&system->queue.events, index);
}

/* Copies of the line outside its home are old now. */
static void drop_copies(WsMemorySystem *system, const WsMessage *message)
{
    for (guint32 partition = 0; partition < system->geometry.partitions; partition++) {
        guint32 slice = partition * system->geometry.slices + message->slice;
        if (slice == message->home.slice)
            continue;
        ws_l2_drop(&system->l2,
                   slice == message->here.slice ? message->here
                                                : ws_l2_set_of(&system->l2, slice, message->line),
                   message->line);
    }
}

/* ---- serving -----------------------------------------------------------------------------------
 */

/* Values change hands as the message arrives. */
static void take_change(WsMemorySystem *system, WsEvent *event)
{
    WsSmMemory *sm = system->sms[event->message.sm];
    WsReturn done = {.item = event->message.item, .kind = WS_RETURN_STORE};
    drop_copies(system, &event->message);
    if (event->message.kind == WS_MESSAGE_STORE) {
        guint64 sectors = ws_sector_count(event->message.sectors);
        ws_sm_apply_store(sm, &event->message, event->bytes);
        hand_back(system, event->message.sm, &done);
        system->l2_lookups += sectors;
        system->l2_hits += sectors;
        return;
    }
    WsAtomicEffect effect = ws_sm_apply_atomic(sm, &event->message);
    event->times = effect.times;
    done.kind = WS_RETURN_ATOMIC;
    if (effect.last)
        hand_back(system, event->message.sm, &done);
}

static inline void take_effect(WsMemorySystem *system, WsEvent *event)
{
    if (event->message.kind == WS_MESSAGE_LOAD)
        ws_sm_read_line(system->sms[event->message.sm], &event->message);
    else
        take_change(system, event);
}

/* The same for those who want to know whether values change, and who changes them. */
static void take_effect_noted(WsMemorySystem *system, WsEvent *event)
{
    const WsMessage *message = &event->message;
    const WsRegion *region = message->region;
    guint8 before[WS_LINE_BYTES];

    if (system->writers.lines != NULL)
        ws_sm_note_change(system->sms[message->sm], message, &system->writers);
    if (message->kind == WS_MESSAGE_LOAD || region == NULL) {
        take_effect(system, event);
        return;
    }
    guint64 offset = message->line * WS_LINE_BYTES - region->base;
    gsize bytes = MIN(WS_LINE_BYTES, region->bytes - offset);
    memcpy(before, region->data + offset, bytes);
    take_effect(system, event);
    system->changes += memcmp(before, region->data + offset, bytes) != 0;
}

/*
 * What serve() does for a message where somebody watches, and for one that takes no time: its
 * values are exchanged, and the answer is back before that of any other message of its access. TRUE
 * if that is all.
 */
static gboolean take_unusual(WsMemorySystem *system, WsEvent *event, guint32 index)
{
    const WsMessage *message = &event->message;

    if (system->watched || system->writers.lines != NULL)
        take_effect_noted(system, event);
    else
        take_effect(system, event);
    if ((message->sectors & WS_SECTORS_FREE) == 0)
        return FALSE;
    ws_sm_free_answer(system->sms[message->sm], message);
    /* No sooner than the answer to what could have arrived with it from the nearest SM. */
    guint64 back = system->geometry.least_trip - system->geometry.least_request + 2;
    answer_sm(system, event, event->cycle + back - (message->trip - message->trip / 2));
    ws_pool_give(&system->queue.events, index);
    return TRUE;
}

static guint64 take_slice(WsMemorySystem *system, const WsEvent *event, guint32 slice)
{
    guint64 service = ws_sector_count(wanted_sectors(event)) * system->device->l2_slice_interval;
    if (event->message.kind == WS_MESSAGE_ATOMIC) {
        if (slice == event->message.home.slice)
            return ws_l2_take_milli(&system->l2, slice, event->cycle, event->times.slice_milli);
        service = MIN(service, event->times.slice_milli / 1000); /* on its way to its home */
    }
    return ws_l2_take(&system->l2, slice, event->cycle, service);
}

static void serve(WsMemorySystem *system, guint32 index)
{
    WsEvent *event = event_at(system, index);
    const WsMessage *message = &event->message;
    gboolean arrives = event->kind == WS_EVENT_ARRIVE;
    if (event->kind == WS_EVENT_FILL) {
        fill(system, event, index);
        return;
    }
    if (arrives && G_UNLIKELY(system->unusual || system->writers.lines != NULL)) {
        if (take_unusual(system, event, index))
            return;
    } else if (arrives) {
        take_effect(system, event);
    }
    WsL2Set set = arrives ? message->here : message->home;
    guint64 start = take_slice(system, event, set.slice);
    if (message->kind != WS_MESSAGE_LOAD)
        note_wait(system, message, event->cycle, start);
    if (message->kind == WS_MESSAGE_LOAD ||
        (message->kind == WS_MESSAGE_ATOMIC && set.slice == message->home.slice))
        read_line(system, event, index, set, start);
    else if (set.slice != message->home.slice)
        push_home(system, event, index, start);
    else
        write_line(system, event, index, start);
}

static void prefetch_message(const WsMemorySystem *system, const WsMessage *message)
{
    const WsRegion *region = message->region;
    ws_l2_prefetch(&system->l2, message->here);
    if (message->home.slice != message->here.slice)
        ws_l2_prefetch(&system->l2, message->home);
    if (region != NULL) {
        const guint8 *line = region->data + (message->line * WS_LINE_BYTES - region->base);
        __builtin_prefetch(line);
        __builtin_prefetch(line + WS_LINE_BYTES / 2);
    }
}

void ws_memory_system_address(const WsMemorySystem *system, guint32 partition, WsMessage *message)
{
    const WsL2Geometry *geometry = &system->geometry;
    guint32 home = ws_l2_home_of(geometry, message->line);
    message->slice = (guint16)ws_l2_slice_of(geometry, message->line);
    message->home =
        ws_l2_set_of(&system->l2, home * geometry->slices + message->slice, message->line);
    message->here = home == partition
                        ? message->home
                        : ws_l2_set_of(&system->l2, partition * geometry->slices + message->slice,
                                       message->line);
    if (system->attached <= FEW_SMS)
        prefetch_message(system, message);
}

/* Lets the host fetch what serve() will read: its caches hold little of a whole GPU. */
static void prefetch(const WsMemorySystem *system, const WsEvent *event)
{
    if (event->kind == WS_EVENT_FILL) {
        __builtin_prefetch(&system->l2.lines[event->entry], 1);
        __builtin_prefetch(&system->l2.waiters[event->entry], 1);
        return;
    }
    prefetch_message(system, &event->message);
    if (event->kind == WS_EVENT_ARRIVE)
        ws_sm_prefetch(system->sms[event->message.sm], &event->message);
}

/* All events that were taken, the host a step ahead. */
static void serve_many(WsMemorySystem *system, guint32 count)
{
    const WsEventQueue *queue = &system->queue;
    for (guint32 i = 0; i < count + 2 * AHEAD; i++) {
        if (i < count)
            ws_event_prefetch(queue, queue->taken[i].event);
        if (i >= AHEAD && i - AHEAD < count)
            prefetch(system, event_at(system, queue->taken[i - AHEAD].event));
        if (i >= 2 * AHEAD)
            serve(system, queue->taken[i - 2 * AHEAD].event);
    }
}

static void serve_cycle(WsMemorySystem *system)
{
    /* Serving may add to this very cycle (an answer of no latency). */
    while (ws_event_any(&system->queue)) {
        guint32 single = ws_event_take_single(&system->queue), count;
        if (single != WS_NONE) {
            serve(system, single);
            continue;
        }
        count = ws_event_take_cycle(&system->queue);
        if (count >= AHEAD) {
            serve_many(system, count);
            continue;
        }
        for (guint32 i = 0; i < count; i++)
            serve(system, system->queue.taken[i].event);
    }
}

void ws_l2_service_advance(WsMemorySystem *system, guint64 horizon)
{
    WsEventQueue *queue = &system->queue;
    while (queue->now < horizon) {
        if (queue->far_count != 0)
            ws_event_refill_ring(queue);
        guint64 end = MIN(horizon, queue->now + WS_RING);
        /* Nothing far may be passed over on the way. */
        if (queue->far_count != 0)
            end = MIN(end, event_at(system, queue->far[0])->cycle - WS_RING + 1);
        guint64 cycle = ws_event_next(queue, queue->now, end);
        queue->now = cycle;
        if (cycle < end) {
            serve_cycle(system);
            queue->now++;
        }
    }
}
