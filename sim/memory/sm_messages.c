#include "sim/memory/sm_messages.h"

#include "sim/memory/sm_memory.h"

#include <string.h>

/* ---- sending -----------------------------------------------------------------------------------
 */

/* A place for the answer, if there will be one. */
static guint32 take_reply(WsSmMemory *memory, const WsMessage *message)
{
    if (message->kind == WS_MESSAGE_STORE)
        return WS_NONE;
    if (message->kind == WS_MESSAGE_ATOMIC) {
        const WsAtomicRecord *record = ws_pool_at(&memory->atomics, message->item);
        if (record->access == WS_NONE)
            return WS_NONE;
    }
    return ws_pool_take(&memory->replies);
}

static WsMessage *next_message(WsSmMemory *memory)
{
    WsOutbox *outbox = &memory->outbox;

    if (outbox->count == outbox->capacity) {
        outbox->capacity = MAX(64, outbox->capacity * 2);
        outbox->messages =
            ws_state_renew(memory->arena, WsMessage, outbox->messages, outbox->capacity);
    }
    return &outbox->messages[outbox->count++];
}

static guint64 send_now(WsSmMemory *memory, guint64 cycle, const WsMessage *what, guint32 flits,
                        guint32 warp_slot)
{
    WsOutbox *outbox = &memory->outbox;
    const WsL2Geometry *geometry = memory->geometry;
    WsMessage *message = next_message(memory);
    guint64 leaves = MAX(cycle, outbox->port_free);
    *message = *what;
    outbox->port_free = leaves + flits;
    ws_memory_system_address(memory->system, memory->partition, message);
    guint32 place = geometry->pooled ? ws_l2_ring_place(geometry, message->line) : message->slice;
    gboolean crosses = message->here.slice != message->home.slice;
    message->trip = memory->trips[place];
    message->arrival = leaves + message->trip / 2;
    ws_fence_note(&memory->fence,
                  message->trip + (crosses ? (guint64)memory->device->membar_cross : 0));
    message->sequence = outbox->sequence++;
    message->reply = take_reply(memory, message);
    if (message->kind == WS_MESSAGE_LOAD) {
        outbox->sectors_under_way += ws_sector_count(message->sectors);
        ws_mshr_at(&memory->mshrs, message->item)->sent |= message->sectors;
    } else {
        WsWarpTraffic *traffic = &memory->warps[warp_slot];
        traffic->left = MAX(traffic->left, leaves + flits);
    }
    return leaves;
}

static void defer(WsSmMemory *memory, const WsMessage *message, guint32 flits, guint32 warp_slot)
{
    WsOutbox *outbox = &memory->outbox;
    if (outbox->deferred_count == outbox->deferred_capacity) {
        guint32 old = outbox->deferred_capacity, capacity = MAX(64, old * 2);
        outbox->deferred = ws_state_renew(memory->arena, WsDeferred, outbox->deferred, capacity);
        /* unroll the ring: what stood before the first entry goes behind the last */
        memcpy(outbox->deferred + old, outbox->deferred,
               sizeof(WsDeferred) * outbox->deferred_first);
        outbox->deferred_capacity = capacity;
    }
    guint32 place = (outbox->deferred_first + outbox->deferred_count++) % outbox->deferred_capacity;
    outbox->deferred[place] = (WsDeferred){*message, flits, warp_slot, FALSE};
    if (message->kind != WS_MESSAGE_LOAD) {
        memory->warps[warp_slot].deferred_stores++;
        outbox->deferred_others++;
    }
}

/* Room for a message; a load needs a way of L1 for its line, and takes it. */
static gboolean make_room(WsSmMemory *memory, const WsMessage *message)
{
    const WsOutbox *outbox = &memory->outbox;
    if (message->kind != WS_MESSAGE_LOAD)
        return TRUE;
    if (outbox->sectors_under_way != 0 &&
        outbox->sectors_under_way + ws_sector_count(message->sectors) > memory->device->l1_mshrs)
        return FALSE;
    WsMshr *mshr = ws_mshr_at(&memory->mshrs, message->item);
    if (mshr->room || !ws_l1_reserve(&memory->l1))
        return mshr->room;
    mshr->room = TRUE;
    mshr->coming = mshr->listed;
    memory->l1.coming += mshr->coming;
    if (ws_l1_is_full(&memory->l1, 0))
        ws_sm_l1_make_room(memory, 0, mshr->warp_slot);
    return TRUE;
}

guint64 ws_sm_send(WsSmMemory *memory, guint64 cycle, const WsMessage *message, guint32 flits,
                   guint32 warp_slot)
{
    if (memory->outbox.deferred_count != 0 || !make_room(memory, message)) {
        defer(memory, message, flits, warp_slot);
        return G_MAXUINT64;
    }
    return send_now(memory, cycle, message, flits, warp_slot);
}

void ws_sm_send_free(WsSmMemory *memory, guint64 cycle, const WsMessage *message, guint32 warp_slot)
{
    if (memory->outbox.deferred_count != 0)
        defer(memory, message, 0, warp_slot);
    else
        send_now(memory, cycle, message, 0, warp_slot);
}

static void send_first_deferred(WsSmMemory *memory, guint64 cycle)
{
    WsOutbox *outbox = &memory->outbox;
    const WsDeferred *first = &outbox->deferred[outbox->deferred_first];
    outbox->deferred_first = (outbox->deferred_first + 1) % outbox->deferred_capacity;
    outbox->deferred_count--;
    outbox->waiting -= first->ends_access;
    if (first->message.kind != WS_MESSAGE_LOAD) {
        memory->warps[first->warp_slot].deferred_stores--;
        outbox->deferred_others--;
    }
    send_now(memory, cycle, &first->message, first->flits, first->warp_slot);
}

void ws_sm_send_waiting(WsSmMemory *memory, guint64 cycle)
{
    WsOutbox *outbox = &memory->outbox;
    while (outbox->deferred_count != 0 &&
           make_room(memory, &outbox->deferred[outbox->deferred_first].message))
        send_first_deferred(memory, cycle);
}

void ws_sm_end_access(WsSmMemory *memory, guint32 deferred_before)
{
    WsOutbox *outbox = &memory->outbox;
    if (outbox->deferred_count == deferred_before)
        return;
    guint32 last =
        (outbox->deferred_first + outbox->deferred_count - 1) % outbox->deferred_capacity;
    outbox->deferred[last].ends_access = TRUE;
    outbox->waiting++;
    memory->inbox.wake_known = FALSE;
}

void ws_sm_send_deferred(WsSmMemory *memory)
{
    while (memory->outbox.deferred_count != 0)
        send_first_deferred(memory, memory->now);
}

const WsMessage *ws_sm_messages(const WsSmMemory *memory, guint32 *ret_count)
{
    *ret_count = memory->outbox.count;
    return memory->outbox.messages;
}

void ws_sm_clear_messages(WsSmMemory *memory)
{
    memory->outbox.count = 0;
}

void ws_sm_hold_messages(WsSmMemory *memory, guint64 cycle)
{
    memory->outbox.port_free = MAX(memory->outbox.port_free, cycle);
}

/* ---- served by the memory system ---------------------------------------------------------------
 */

void ws_sm_prefetch(const WsSmMemory *memory, const WsMessage *message)
{
    const guint8 *place = message->kind == WS_MESSAGE_LOAD
                              ? (const guint8 *)ws_reply_at(memory, message->reply)
                              : ws_pool_at(&memory->stores, message->item);
    if (message->kind == WS_MESSAGE_ATOMIC)
        return;
    for (gsize i = 0; i < sizeof(WsReply); i += 64)
        __builtin_prefetch(place + i, 1);
}

void ws_sm_read_line(WsSmMemory *memory, const WsMessage *message)
{
    WsReply *reply = ws_reply_at(memory, message->reply);
    const WsRegion *region = message->region;
    reply->item = message->item;
    reply->kind = message->kind;
    reply->sectors = message->sectors;
    if (region == NULL)
        return;
    guint64 offset = message->line * WS_LINE_BYTES - region->base;
    if (region->bytes - offset >= WS_LINE_BYTES) {
        memcpy(reply->data, region->data + offset, WS_LINE_BYTES);
    } else {
        memcpy(reply->data, region->data + offset, region->bytes - offset);
        memset(reply->data + (region->bytes - offset), 0, WS_LINE_BYTES - (region->bytes - offset));
    }
}

void ws_sm_free_answer(WsSmMemory *memory, const WsMessage *message)
{
    if (message->reply != WS_NONE)
        ws_reply_at(memory, message->reply)->kind = WS_MESSAGE_FREE;
}

void ws_sm_apply_store(WsSmMemory *memory, const WsMessage *message,
                       guint32 ret_bytes[WS_SECTORS_PER_LINE])
{
    WsLineBytes *bytes = ws_pool_at(&memory->stores, message->item);
    const WsRegion *region = message->region;
    memcpy(ret_bytes, bytes->mask, sizeof bytes->mask);
    if (region != NULL)
        ws_line_bytes_apply(bytes, region->data + (message->line * WS_LINE_BYTES - region->base),
                            message->sectors);
}

WsAtomicEffect ws_sm_apply_atomic(WsSmMemory *memory, const WsMessage *message)
{
    WsAtomicRecord *record = ws_pool_at(&memory->atomics, message->item);
    guint8 *line = message->region->data + (message->line * WS_LINE_BYTES - message->region->base);
    for (guint64 rest = message->lanes; rest != 0; rest &= rest - 1) {
        guint lane = (guint)__builtin_ctzll(rest);
        record->old[lane] = ws_atomic_at(&record->operation, line + record->offset[lane],
                                         record->value[lane], record->second[lane]);
    }
    /* The record's other messages may be served at this moment. */
    if (message->reply != WS_NONE) {
        WsReply *reply = ws_reply_at(memory, message->reply);
        reply->item = message->item;
        reply->kind = message->kind;
        reply->sectors = message->sectors;
    }
    WsAtomicEffect effect;
    ws_atomic_times_init(&effect.times, memory->device, &record->operation, record->offset,
                         message->lanes);
    effect.last = g_atomic_int_dec_and_test(&record->messages) && record->access == WS_NONE;
    return effect;
}

static gboolean before(const WsInboxEntry *a, const WsInboxEntry *b)
{
    return a->cycle != b->cycle ? a->cycle < b->cycle : a->sequence < b->sequence;
}

/* Room for one more behind the last entry. */
static void make_inbox_room(WsSmMemory *memory)
{
    WsInbox *inbox = &memory->inbox;

    if (inbox->first + inbox->count < inbox->capacity)
        return;
    if (inbox->first >= inbox->capacity / 2 && inbox->first > 0) {
        memmove(inbox->entries, inbox->entries + inbox->first,
                inbox->count * sizeof *inbox->entries);
        inbox->first = 0;
        return;
    }
    inbox->capacity = MAX(64, inbox->capacity * 2);
    inbox->entries = ws_state_renew(memory->arena, WsInboxEntry, inbox->entries, inbox->capacity);
}

/* Another answer of the access is in the inbox; marks its last one if it lacks none. */
static void note_answer(WsSmMemory *memory, guint32 token, const WsInboxEntry *entry,
                        gboolean whole)
{
    WsPendingAccess *access = ws_pending_at(memory, token);
    const WsInboxEntry last = {.cycle = access->last, .sequence = access->sequence};

    if (before(&last, entry)) {
        access->last = entry->cycle;
        access->sequence = entry->sequence;
        access->last_reply = entry->reply;
    }
    access->unknown -= whole;
    if (access->unknown == 0)
        ws_reply_at(memory, access->last_reply)->completes = TRUE;
}

/* Marks the answers with which accesses complete that this one was still lacking for. */
static void mark_completing(WsSmMemory *memory, const WsInboxEntry *entry, const WsReply *reply)
{
    if (reply->kind == WS_MESSAGE_ATOMIC) {
        const WsAtomicRecord *record = ws_pool_at(&memory->atomics, reply->item);
        note_answer(memory, record->access, entry, TRUE);
        return;
    }
    WsMshr *mshr = ws_mshr_at(&memory->mshrs, reply->item);
    mshr->known |= reply->sectors;
    for (guint32 i = mshr->parts; i != WS_NONE;) {
        WsPart *part = WS_POOL_AT(&memory->mshrs.parts, WsPart, i);
        i = part->next;
        if ((part->unknown & reply->sectors) == 0)
            continue;
        part->unknown &= (guint8)~reply->sectors;
        note_answer(memory, part->access, entry, part->unknown == 0);
    }
}

static void take_answer(WsSmMemory *memory, const WsReturn *answer)
{
    WsInbox *inbox = &memory->inbox;
    WsReply *reply = ws_reply_at(memory, answer->item);
    const WsInboxEntry entry = {answer->cycle, answer->sequence, answer->item};
    WsInboxEntry *place, *first;

    make_inbox_room(memory);
    first = inbox->entries + inbox->first;
    place = first + inbox->count++;
    for (; place > first && before(&entry, place - 1); place--)
        *place = place[-1];
    *place = entry;
    inbox->wake_known = FALSE;
    reply->level = answer->level;
    reply->completes = FALSE;
    if (memory->registers != NULL)
        mark_completing(memory, &entry, reply);
}

void ws_sm_joined(WsSmMemory *memory, guint32 mshr)
{
    WsInbox *inbox = &memory->inbox;

    for (guint32 i = inbox->first; i < inbox->first + inbox->count; i++) {
        WsReply *reply = ws_reply_at(memory, inbox->entries[i].reply);
        reply->completes |= reply->kind != WS_MESSAGE_ATOMIC && reply->item == mshr;
    }
    inbox->wake_known = FALSE;
}

void ws_sm_take_return(WsSmMemory *memory, const WsReturn *what)
{
    switch (what->kind) {
    case WS_RETURN_ANSWER:
        take_answer(memory, what);
        break;
    case WS_RETURN_STORE:
        ws_pool_give(&memory->stores, what->item);
        break;
    case WS_RETURN_ATOMIC:
        ws_pool_give(&memory->atomics, what->item);
        break;
    }
}
