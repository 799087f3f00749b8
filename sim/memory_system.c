#include "sim/memory_system.h"

#include "sim/dram.h"
#include "sim/pool.h"
#include "sim/sm_messages.h"

#include <string.h>

/* Events of the next WS_RING cycles have a list each; later ones wait in a heap. */
enum { WS_RING = 4096, WS_RING_WORDS = WS_RING / 64, WS_BYPASS = G_MAXUINT32 };

typedef enum {
    WS_EVENT_ARRIVE, /* a message at the slice of the SM's partition */
    WS_EVENT_HOME,   /* the same at the line's home in another partition */
    WS_EVENT_FILL    /* sectors have come to an entry */
} WsEventKind;

typedef struct {
    guint32 next; /* of its cycle, or of the requests that wait for an entry */
    guint8 kind;
    guint8 missing; /* HOME of a load, FILL: sectors */
    guint64 cycle;
    guint64 key;   /* order inside a cycle: SM, sequence, kind */
    guint64 start; /* the slice began with it */
    guint32 entry; /* FILL: where; HOME of a load: the entry of the SM's partition */
    guint32 reply;
    guint32 same;                       /* ATOMIC */
    gboolean exchange;                  /* ATOMIC */
    guint32 bytes[WS_SECTORS_PER_LINE]; /* STORE */
    WsMessage message;
} WsEvent;

typedef struct {
    guint32 first, last;
    gboolean unsorted;
} WsBucket;

struct WsMemorySystem {
    const WsDevice *device;
    WsGlobalMemory *contents;
    WsL2Geometry geometry;
    WsL2Cache l2;
    WsDram dram;
    WsSmMemory **sms;
    guint64 *store_wait; /* by SM: longest wait of a store since the last settle */
    guint32 sm_count, attached;
    WsPool events;
    guint64 now; /* every event before this cycle has been served */
    WsBucket ring[WS_RING];
    guint64 occupied[WS_RING_WORDS];
    guint32 *far; /* heap of events beyond the ring */
    guint32 far_count, far_capacity;
    guint64 answers; /* handed out to SMs */
    guint64 l2_lookups, l2_hits;
};

/* ---- construction ------------------------------------------------------------------------------
 */

WsMemorySystem *ws_memory_system_new(const WsDevice *device, WsGlobalMemory *contents)
{
    WsMemorySystem *system = g_new0(WsMemorySystem, 1);
    system->device = device;
    system->contents = contents;
    ws_l2_geometry_init(&system->geometry, device);
    ws_l2_init(&system->l2, device, &system->geometry);
    ws_dram_init(&system->dram, device);
    ws_pool_init(&system->events, sizeof(WsEvent));
    for (guint32 i = 0; i < WS_RING; i++)
        system->ring[i].first = WS_NONE;
    return system;
}

void ws_memory_system_free(WsMemorySystem *system)
{
    if (system == NULL)
        return;
    ws_l2_clear(&system->l2);
    ws_dram_clear(&system->dram);
    ws_pool_clear(&system->events);
    g_free(system->far);
    g_free(system->sms);
    g_free(system->store_wait);
    g_free(system);
}

void ws_memory_system_flush(WsMemorySystem *system)
{
    ws_memory_system_drain(system);
    ws_l2_reset(&system->l2);
    ws_dram_reset(&system->dram);
    system->now = 0;
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

const WsL2Geometry *ws_memory_system_geometry(const WsMemorySystem *system)
{
    return &system->geometry;
}

void ws_memory_system_attach(WsMemorySystem *system, guint32 sm, WsSmMemory *memory)
{
    if (sm >= system->sm_count) {
        system->sms = g_renew(WsSmMemory *, system->sms, sm + 1);
        system->store_wait = g_renew(guint64, system->store_wait, sm + 1);
        for (guint32 i = system->sm_count; i <= sm; i++) {
            system->sms[i] = NULL;
            system->store_wait[i] = 0;
        }
        system->sm_count = sm + 1;
    }
    /* The first SM of a launch: time starts over, caches keep what they hold. */
    if (system->attached++ == 0) {
        system->now = 0;
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

/* ---- events ------------------------------------------------------------------------------------
 */

static WsEvent *event_at(const WsMemorySystem *system, guint32 event)
{
    return ws_pool_at(&system->events, event);
}

static void push_ring(WsMemorySystem *system, guint32 index)
{
    WsEvent *event = event_at(system, index);
    guint32 place = (guint32)(event->cycle % WS_RING);
    WsBucket *bucket = &system->ring[place];
    event->next = WS_NONE;
    system->occupied[place / 64] |= G_GUINT64_CONSTANT(1) << (place % 64);
    if (bucket->first == WS_NONE) {
        *bucket = (WsBucket){index, index, FALSE};
        return;
    }
    bucket->unsorted |= event->key < event_at(system, bucket->last)->key;
    event_at(system, bucket->last)->next = index;
    bucket->last = index;
}

static gboolean earlier(const WsMemorySystem *system, guint32 a, guint32 b)
{
    const WsEvent *x = event_at(system, a), *y = event_at(system, b);
    return x->cycle != y->cycle ? x->cycle < y->cycle : x->key < y->key;
}

static void push_far(WsMemorySystem *system, guint32 index)
{
    if (system->far_count == system->far_capacity) {
        system->far_capacity = MAX(64, system->far_capacity * 2);
        system->far = g_renew(guint32, system->far, system->far_capacity);
    }
    guint32 place = system->far_count++;
    while (place > 0 && earlier(system, index, system->far[(place - 1) / 2])) {
        system->far[place] = system->far[(place - 1) / 2];
        place = (place - 1) / 2;
    }
    system->far[place] = index;
}

static guint32 pop_far(WsMemorySystem *system)
{
    guint32 top = system->far[0], last = system->far[--system->far_count], place = 0;
    for (;;) {
        guint32 child = 2 * place + 1;
        if (child >= system->far_count)
            break;
        if (child + 1 < system->far_count &&
            earlier(system, system->far[child + 1], system->far[child]))
            child++;
        if (!earlier(system, system->far[child], last))
            break;
        system->far[place] = system->far[child];
        place = child;
    }
    system->far[place] = last;
    return top;
}

static void push(WsMemorySystem *system, guint32 index)
{
    WsEvent *event = event_at(system, index);
    event->cycle = MAX(event->cycle, system->now);
    event->key =
        (guint64)event->message.sm << 40 | (guint64)event->message.sequence << 2 | event->kind;
    if (event->cycle - system->now < WS_RING)
        push_ring(system, index);
    else
        push_far(system, index);
}

static void push_fill(WsMemorySystem *system, const WsMessage *cause, guint32 entry, guint8 sectors,
                      guint64 cycle)
{
    guint32 index = ws_pool_take(&system->events);
    WsEvent *event = event_at(system, index);
    event->kind = WS_EVENT_FILL;
    event->entry = entry;
    event->missing = sectors;
    event->cycle = cycle;
    event->message = *cause;
    push(system, index);
}

/* Moves the event to the line's home: half of the way across. */
static void push_home(WsMemorySystem *system, guint32 index, guint64 cycle)
{
    WsEvent *event = event_at(system, index);
    event->kind = WS_EVENT_HOME;
    event->cycle = cycle + system->geometry.cross_latency / 2;
    push(system, index);
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
    guint64 place =
        ws_divide(&system->geometry.by_slices, line) / (system->geometry.partitions > 1 ? 2 : 1);
    return ws_dram_access(&system->dram, cycle, home % system->dram.channels, place,
                          ws_sector_count(sectors), write);
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

static void answer_sm(WsMemorySystem *system, const WsEvent *event, guint64 cycle)
{
    const WsMessage *message = &event->message;
    guint64 trip = ws_l2_trip(&system->geometry, message->sm, message->slice);
    if (event->reply == WS_NONE)
        return;
    system->answers++;
    ws_sm_reply(system->sms[message->sm], event->reply, cycle + (trip - trip / 2),
                message->sequence);
}

/* Time by which lanes on one word hold up an atomic; a compare-and-swap as if nothing returned. */
static guint64 serial_cycles(const WsMemorySystem *system, const WsEvent *event)
{
    guint64 milli = event->reply == WS_NONE || event->exchange
                        ? system->device->reduction_l2_interval_milli
                        : system->device->atomic_l2_interval_milli;
    return event->same == 0 ? 0 : (event->same - 1) * milli / 1000;
}

/* The slice has all sectors of the request at `cycle`. */
static void have_sectors(WsMemorySystem *system, guint32 index, guint64 cycle)
{
    WsEvent *event = event_at(system, index);
    guint64 back = system->geometry.cross_latency - system->geometry.cross_latency / 2;
    gboolean crossed = event->kind == WS_EVENT_HOME;
    if (event->message.kind == WS_MESSAGE_ATOMIC) {
        cycle += system->device->atomic_l2_latency + serial_cycles(system, event);
        answer_sm(system, event, cycle + (crossed ? back : 0));
    } else if (crossed) {
        WsMessage cause = event->message;
        push_fill(system, &cause, event->entry, event->missing, cycle + back);
    } else {
        answer_sm(system, event, cycle);
    }
    ws_pool_give(&system->events, index);
}

/* ---- reading -----------------------------------------------------------------------------------
 */

static guint8 wanted_sectors(const WsEvent *event)
{
    return event->kind == WS_EVENT_HOME && event->message.kind == WS_MESSAGE_LOAD
               ? event->missing
               : event->message.sectors;
}

/* All lines of the set are on their way: straight from DRAM, kept nowhere. */
static void read_past(WsMemorySystem *system, guint32 index, WsPlace place, guint8 sectors,
                      guint64 start)
{
    gboolean crosses = event_at(system, index)->kind == WS_EVENT_ARRIVE && place.here != place.home;
    guint64 end = dram_access(system, event_at(system, index)->message.line, place.home, sectors,
                              start, FALSE) +
                  system->device->dram_latency + (crosses ? system->geometry.cross_latency : 0);
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
        push_fill(system, &cause, entry, sectors, end);
        return;
    }
    guint32 copy = ws_pool_take(&system->events);
    WsEvent *event = event_at(system, copy);
    *event = (WsEvent){.entry = entry, .missing = sectors, .reply = WS_NONE, .message = cause};
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
    if (missing != 0)
        fetch(system, index, place, slice, entry, missing, start);
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
    ws_pool_give(&system->events, index);
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
    ws_pool_give(&system->events, index);
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
    event->reply = WS_NONE;
    event->same = 0;
    event->exchange = FALSE;
    if (event->message.kind == WS_MESSAGE_LOAD) {
        event->reply = ws_sm_prepare_reply(sm, &event->message);
        return;
    }
    drop_copies(system, place, event->message.line);
    if (event->message.kind == WS_MESSAGE_STORE) {
        guint64 sectors = ws_sector_count(event->message.sectors);
        ws_sm_apply_store(sm, &event->message, event->bytes);
        system->l2_lookups += sectors;
        system->l2_hits += sectors;
        return;
    }
    WsAtomicEffect effect = ws_sm_apply_atomic(sm, &event->message);
    event->reply = effect.reply;
    event->same = effect.same;
    event->exchange = effect.exchange;
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
    if (arrives)
        take_effect(system, index, place);
    guint32 slice = arrives ? place.here : place.home;
    guint32 sectors = ws_sector_count(wanted_sectors(event));
    guint64 service = sectors * system->device->l2_slice_interval;
    if (event->message.kind == WS_MESSAGE_ATOMIC && slice == place.home)
        service += serial_cycles(system, event);
    guint64 start = ws_l2_take(&system->l2, slice, event->cycle, service);
    if (event->message.kind != WS_MESSAGE_LOAD)
        note_wait(system, &event->message, event->cycle, start);
    if (event->message.kind != WS_MESSAGE_LOAD && slice != place.home)
        push_home(system, index, start);
    else if (event->message.kind == WS_MESSAGE_STORE)
        write_line(system, index, place, start);
    else
        read_line(system, index, place, slice, start);
}

/* Puts the list of a cycle into order: messages of different windows may meet there. */
static guint32 sorted(WsMemorySystem *system, guint32 list)
{
    guint32 head = WS_NONE;
    while (list != WS_NONE) {
        guint32 next = event_at(system, list)->next;
        guint64 key = event_at(system, list)->key;
        guint32 *place = &head;
        while (*place != WS_NONE && event_at(system, *place)->key < key)
            place = &event_at(system, *place)->next;
        event_at(system, list)->next = *place;
        *place = list;
        list = next;
    }
    return head;
}

/* First occupied cycle from `from` on, below `end`; `end` if there is none. */
static guint64 next_cycle(const WsMemorySystem *system, guint64 from, guint64 end)
{
    while (from < end) {
        guint32 place = (guint32)(from % WS_RING);
        guint64 word = system->occupied[place / 64] >> (place % 64);
        if (word != 0)
            return MIN(end, from + (guint64)__builtin_ctzll(word));
        from += 64 - place % 64;
    }
    return end;
}

static void serve_cycle(WsMemorySystem *system)
{
    guint32 place = (guint32)(system->now % WS_RING);
    WsBucket *bucket = &system->ring[place];
    /* Serving may add to this very cycle (an answer of no latency). */
    while (bucket->first != WS_NONE) {
        guint32 list = bucket->unsorted ? sorted(system, bucket->first) : bucket->first;
        bucket->first = WS_NONE;
        while (list != WS_NONE) {
            guint32 next = event_at(system, list)->next;
            serve(system, list);
            list = next;
        }
    }
    system->occupied[place / 64] &= ~(G_GUINT64_CONSTANT(1) << (place % 64));
}

static void come_near(WsMemorySystem *system)
{
    while (system->far_count != 0 &&
           event_at(system, system->far[0])->cycle - system->now < WS_RING)
        push_ring(system, pop_far(system));
}

static void advance(WsMemorySystem *system, guint64 horizon)
{
    while (system->now < horizon) {
        come_near(system);
        guint64 end = MIN(horizon, system->now + WS_RING);
        /* Nothing far may be passed over on the way. */
        if (system->far_count != 0)
            end = MIN(end, event_at(system, system->far[0])->cycle - WS_RING + 1);
        guint64 cycle = next_cycle(system, system->now, end);
        system->now = cycle;
        if (cycle < end) {
            serve_cycle(system);
            system->now++;
        }
    }
}

static void gather(WsMemorySystem *system)
{
    for (guint32 sm = 0; sm < system->sm_count; sm++) {
        guint32 count;
        if (system->sms[sm] == NULL)
            continue;
        const WsMessage *messages = ws_sm_take_messages(system->sms[sm], &count);
        for (guint32 i = 0; i < count; i++) {
            guint32 index = ws_pool_take(&system->events);
            WsEvent *event = event_at(system, index);
            event->kind = WS_EVENT_ARRIVE;
            event->cycle = messages[i].arrival;
            event->message = messages[i];
            push(system, index);
            WsPlace place = place_of(system, &messages[i]);
            ws_l2_prefetch(&system->l2, place.here, messages[i].line);
            ws_l2_prefetch(&system->l2, place.home, messages[i].line);
        }
    }
}

/* SMs whose stores pile up wait before they send more. */
static void hold_back(WsMemorySystem *system, guint64 window_end)
{
    for (guint32 sm = 0; sm < system->sm_count; sm++) {
        if (system->store_wait[sm] > system->device->l2_store_queue && system->sms[sm] != NULL)
            ws_sm_hold_messages(system->sms[sm], window_end + system->store_wait[sm] -
                                                     system->device->l2_store_queue);
        system->store_wait[sm] = 0;
    }
}

void ws_memory_system_settle(WsMemorySystem *system, guint64 window_end)
{
    gather(system);
    advance(system, window_end + system->geometry.least_request);
    hold_back(system, window_end);
}

gboolean ws_memory_system_catch_up(WsMemorySystem *system, guint64 cycle)
{
    guint64 answers = system->answers;
    guint64 least = system->geometry.least_request;
    guint64 end = cycle > G_MAXUINT64 - least ? G_MAXUINT64 : cycle + least;
    while (system->now < end && system->answers == answers) {
        guint64 near = MIN(end, system->now + WS_RING);
        guint64 next = next_cycle(system, system->now, near);
        if (next == near && system->far_count == 0)
            return FALSE;
        advance(system, MIN(next + 1, end));
    }
    return system->answers != answers;
}

void ws_memory_system_drain(WsMemorySystem *system)
{
    for (guint32 sm = 0; sm < system->sm_count; sm++)
        if (system->sms[sm] != NULL)
            ws_sm_send_deferred(system->sms[sm]);
    gather(system);
    for (;;) {
        guint64 end = next_cycle(system, system->now, system->now + WS_RING);
        if (system->far_count == 0 && end == system->now + WS_RING)
            return;
        advance(system, system->now + WS_RING);
    }
}

void ws_memory_system_add_counters(const WsMemorySystem *system, WsCounters *counters)
{
    counters->l2_lookups += system->l2_lookups;
    counters->l2_hits += system->l2_hits;
    counters->dram_read_bytes += system->dram.read_bytes;
    counters->dram_write_bytes += system->dram.write_bytes;
}
