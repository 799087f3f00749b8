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

static void push_fill(WsMemorySystem *system, const WsMessage *cause, guint32 entry, guint8 sectors,
                      guint64 cycle, WsMemoryLevel level)
{
    guint32 index = ws_pool_take(&system->queue.events);
    WsEvent *event = event_at(system, index);
    event->kind = WS_EVENT_FILL;
    event->level = (guint8)level;
    event->entry = entry;
    event->missing = sectors;
    event->cycle = cycle;
    event->message = *cause;
    ws_event_push(&system->queue, index);
}

/* Moves the event to the line's home: half of the way across. */
static void push_home(WsMemorySystem *system, guint32 index, guint64 cycle)
{
    WsEvent *event = event_at(system, index);
    event->kind = WS_EVENT_HOME;
    event->cycle = cycle + system->geometry.cross_latency / 2;
    ws_event_push(&system->queue, index);
}

/* ---- places ------------------------------------------------------------------------------------
 */

typedef struct {
    guint32 here, home; /* slices, counted over all partitions */
    guint32 inside;     /* slice inside a partition */
} WsPlace;

static WsPlace place_of(const WsMemorySystem *system, const WsMessage *message)
{
    const WsL2Geometry *geometry = &system->geometry;
    guint32 here = ws_l2_partition_of(geometry, message->sm);
    return (WsPlace){.here = here * geometry->slices + message->slice,
                     .home = message->home * geometry->slices + message->slice,
                     .inside = message->slice};
}

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
static guint32 allocate(WsMemorySystem *system, guint32 slice, const WsMessage *message,
                        guint64 cycle)
{
    WsL2Victim victim;
    guint32 entry = ws_l2_allocate(&system->l2, slice, message->line, &victim);
    if (victim.dirty != 0) {
        guint64 end = dram_access(system, victim.line, slice, victim.dirty, cycle, TRUE);
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
    guint64 trip = ws_l2_trip(&system->geometry, message->sm, message->place);
    if (message->reply == WS_NONE)
        return;
    system->answers++;
    hand_back(system, message->sm,
              &(WsReturn){.cycle = cycle + (trip - trip / 2),
                          .sequence = message->sequence,
                          .item = message->reply,
                          .kind = WS_RETURN_ANSWER,
                          .level = event->level});
}

/* The slice has all sectors of the request at `cycle`. */
static void have_sectors(WsMemorySystem *system, guint32 index, guint64 cycle)
{
    WsEvent *event = event_at(system, index);
    guint64 back = system->geometry.cross_latency - system->geometry.cross_latency / 2;
    gboolean crossed = event->kind == WS_EVENT_HOME;
    if (crossed)
        event->level = MAX(event->level, WS_LEVEL_L2_FAR);
    if (event->message.kind == WS_MESSAGE_ATOMIC) {
        cycle += system->device->atomic_l2_latency + event->times.held;
        answer_sm(system, event, cycle + (crossed ? back : 0));
    } else if (crossed) {
        WsMessage cause = event->message;
        push_fill(system, &cause, event->entry, event->missing, cycle + back, event->level);
    } else {
        answer_sm(system, event, cycle);
    }
    ws_pool_give(&system->queue.events, index);
}

/* ---- reading -----------------------------------------------------------------------------------
 */

static guint8 wanted_sectors(const WsEvent *event)
{
    return event->kind == WS_EVENT_HOME && event->message.kind == WS_MESSAGE_LOAD
               ? event->missing
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
static void read_past(WsMemorySystem *system, guint32 index, WsPlace place, guint8 sectors,
                      guint64 start)
{
    gboolean crosses = event_at(system, index)->kind == WS_EVENT_ARRIVE && place.here != place.home;
    guint64 end = dram_access(system, event_at(system, index)->message.line, place.home, sectors,
                              start, FALSE) +
                  system->device->dram_latency + (crosses ? system->geometry.cross_latency : 0);
    event_at(system, index)->level = WS_LEVEL_DRAM;
    have_sectors(system, index, end);
}

static void fetch(WsMemorySystem *system, guint32 index, WsPlace place, guint32 slice,
                  guint32 entry, guint8 sectors, guint64 start)
{
    WsMessage cause = event_at(system, index)->message;
    system->l2.lines[entry].pending |= sectors;
    if (slice == place.home) {
        guint64 end = dram_access(system, cause.line, place.home, sectors, start, FALSE) +
                      system->device->dram_latency;
        push_fill(system, &cause, entry, sectors, end, WS_LEVEL_DRAM);
        return;
    }
    guint32 copy = ws_pool_take(&system->queue.events);
    WsEvent *event = event_at(system, copy);
    *event = (WsEvent){.level = WS_LEVEL_L2, .entry = entry, .missing = sectors, .message = cause};
    event->message.reply = WS_NONE;
    push_home(system, copy, start);
}

/* Serves a load or atomic at `slice`: at once, or when what is missing has come. */
static void read_line(WsMemorySystem *system, guint32 index, WsPlace place, guint32 slice,
                      guint64 start)
{
    const WsMessage *message = &event_at(system, index)->message;
    guint8 wanted = wanted_sectors(event_at(system, index));
    guint32 entry = ws_l2_find(&system->l2, slice, message->line);
    guint8 full = entry == G_MAXUINT32 ? 0 : system->l2.lines[entry].full;
    if (event_at(system, index)->kind == WS_EVENT_ARRIVE || message->kind == WS_MESSAGE_ATOMIC) {
        system->l2_lookups += ws_sector_count(wanted);
        system->l2_hits += ws_sector_count(wanted & full);
    }
    if (entry == G_MAXUINT32)
        entry = allocate(system, slice, message, start);
    if (entry == G_MAXUINT32) {
        read_past(system, index, place, wanted, start);
        return;
    }
    gboolean atomic = message->kind == WS_MESSAGE_ATOMIC;
    guint8 missing = wanted & (guint8) ~(full | system->l2.lines[entry].pending);
    if (missing != 0) {
        missing =
            with_neighbours(system, missing) & (guint8) ~(full | system->l2.lines[entry].pending);
        fetch(system, index, place, slice, entry, missing, start);
    }
    WsL2Line *line = &system->l2.lines[entry];
    if (atomic)
        line->dirty |= wanted;
    if ((wanted & line->pending) == 0) {
        have_sectors(system, index, start);
        return;
    }
    WsEvent *event = event_at(system, index);
    guint32 *waiters = &system->l2.waiters[entry];
    event->start = start;
    event->next = *waiters == 0 ? WS_NONE : *waiters - 1;
    *waiters = index + 1;
}

static void fill(WsMemorySystem *system, guint32 index)
{
    WsEvent filled = *event_at(system, index);
    ws_pool_give(&system->queue.events, index);
    WsL2Line *line = &system->l2.lines[filled.entry];
    line->pending &= (guint8)~filled.missing;
    line->full |= filled.missing;
    guint32 *waiters = &system->l2.waiters[filled.entry];
    guint32 waiter = *waiters == 0 ? WS_NONE : *waiters - 1;
    *waiters = 0;
    while (waiter != WS_NONE) {
        WsEvent *event = event_at(system, waiter);
        guint32 next = event->next;
        if (wanted_sectors(event) & line->pending) {
            event->next = *waiters == 0 ? WS_NONE : *waiters - 1;
            *waiters = waiter + 1;
        } else {
            event->level = MAX(event->level, filled.level);
            have_sectors(system, waiter, MAX(event->start, filled.cycle));
        }
        waiter = next;
    }
}

/* ---- writing -----------------------------------------------------------------------------------
 */

static void write_line(WsMemorySystem *system, guint32 index, WsPlace place, guint64 start)
{
    WsEvent *event = event_at(system, index);
    guint32 entry = ws_l2_find(&system->l2, place.home, event->message.line);
    if (entry == G_MAXUINT32)
        entry = allocate(system, place.home, &event->message, start);
    if (entry == G_MAXUINT32) {
        guint64 end = dram_access(system, event->message.line, place.home, event->message.sectors,
                                  start, TRUE);
        note_wait(system, &event->message, start, end);
    } else {
        ws_l2_write(&system->l2, entry, event->bytes);
    }
    ws_pool_give(&system->queue.events, index);
}

/* Copies of the line outside its home are old now. */
static void drop_copies(WsMemorySystem *system, WsPlace place, guint64 line)
{
    for (guint32 partition = 0; partition < system->geometry.partitions; partition++) {
        guint32 slice = partition * system->geometry.slices + place.inside;
        if (slice != place.home)
            ws_l2_drop(&system->l2, slice, line);
    }
}

/* ---- serving -----------------------------------------------------------------------------------
 */

/* Values change hands as the message arrives. */
static void take_effect(WsMemorySystem *system, guint32 index, WsPlace place)
{
    WsEvent *event = event_at(system, index);
    WsSmMemory *sm = system->sms[event->message.sm];
    WsReturn done = {.item = event->message.item, .kind = WS_RETURN_STORE};
    if (event->message.kind == WS_MESSAGE_LOAD) {
        ws_sm_read_line(sm, &event->message);
        return;
    }
    drop_copies(system, place, event->message.line);
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

/* The same for those who want to know whether values change, and who changes them. */
static void take_effect_noted(WsMemorySystem *system, guint32 index, WsPlace place)
{
    const WsMessage *message = &event_at(system, index)->message;
    const WsRegion *region = message->region;
    guint8 before[WS_LINE_BYTES];

    if (system->writers.lines != NULL)
        ws_sm_note_change(system->sms[message->sm], message, &system->writers);
    if (message->kind == WS_MESSAGE_LOAD || region == NULL) {
        take_effect(system, index, place);
        return;
    }
    guint64 offset = message->line * WS_LINE_BYTES - region->base;
    gsize bytes = MIN(WS_LINE_BYTES, region->bytes - offset);
    memcpy(before, region->data + offset, bytes);
    take_effect(system, index, place);
    system->changes += memcmp(before, region->data + offset, bytes) != 0;
}

static void serve(WsMemorySystem *system, guint32 index)
{
    WsEvent *event = event_at(system, index);
    if (event->kind == WS_EVENT_FILL) {
        fill(system, index);
        return;
    }
    WsPlace place = place_of(system, &event->message);
    gboolean arrives = event->kind == WS_EVENT_ARRIVE;
    if (arrives && G_UNLIKELY(system->watched || system->writers.lines != NULL))
        take_effect_noted(system, index, place);
    else if (arrives)
        take_effect(system, index, place);
    guint32 slice = arrives ? place.here : place.home;
    guint64 service = ws_sector_count(wanted_sectors(event)) * system->device->l2_slice_interval;
    if (event->message.kind == WS_MESSAGE_ATOMIC) /* on its way to its home */
        service = MIN(service, event->times.slice_milli / 1000);
    guint64 start =
        event->message.kind == WS_MESSAGE_ATOMIC && slice == place.home
            ? ws_l2_take_milli(&system->l2, slice, event->cycle, event->times.slice_milli)
            : ws_l2_take(&system->l2, slice, event->cycle, service);
    if (event->message.kind != WS_MESSAGE_LOAD)
        note_wait(system, &event->message, event->cycle, start);
    if (event->message.kind != WS_MESSAGE_LOAD && slice != place.home)
        push_home(system, index, start);
    else if (event->message.kind == WS_MESSAGE_STORE)
        write_line(system, index, place, start);
    else
        read_line(system, index, place, slice, start);
}

static void prefetch_message(const WsMemorySystem *system, const WsMessage *message)
{
    const WsRegion *region = message->region;
    WsPlace place = place_of(system, message);
    ws_l2_prefetch(&system->l2, place.here, message->line);
    ws_l2_prefetch(&system->l2, place.home, message->line);
    if (region != NULL) {
        const guint8 *line = region->data + (message->line * WS_LINE_BYTES - region->base);
        __builtin_prefetch(line);
        __builtin_prefetch(line + WS_LINE_BYTES / 2);
    }
}

void ws_memory_system_prefetch(const WsMemorySystem *system, const WsMessage *message)
{
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
    guint32 count;
    /* Serving may add to this very cycle (an answer of no latency). */
    while ((count = ws_event_take_cycle(&system->queue)) != 0) {
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
