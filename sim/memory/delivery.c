/* Answers of the memory system, as they reach an SM: L1, registers, and whatever waited. */
#include "sim/memory/sm_memory.h"

#include <string.h>

/* Milli-cycle at which an answer has passed the port, which is free at `free`. */
static inline guint64 passed(const WsInbox *inbox, guint64 cycle, guint8 sectors, guint64 free)
{
    return MAX(cycle * 1000, free) + inbox->service[sectors];
}

static inline guint64 first_milli(const WsSmMemory *memory)
{
    const WsInbox *inbox = &memory->inbox;
    if (inbox->count == 0)
        return G_MAXUINT64;
    const WsInboxEntry *first = &inbox->entries[inbox->first];
    const WsReply *reply = ws_reply_at(memory, first->reply);
    return passed(inbox, first->cycle, reply->sectors, inbox->port_free);
}

/* Cycle of a milli-cycle of first_milli(). */
static inline guint64 done_at(guint64 milli)
{
    return milli == G_MAXUINT64 ? milli : milli / 1000 - 1;
}

guint64 ws_sm_memory_next_response(const WsSmMemory *memory)
{
    if (memory->inbox.completed_first < memory->inbox.completed.count)
        return memory->now;
    return done_at(first_milli(memory));
}

/* Nobody sees answers that complete nothing before somebody catches up with them. */
static gboolean batches(const WsSmMemory *memory)
{
    return memory->registers != NULL && memory->listener == NULL &&
           memory->outbox.deferred_others == 0;
}

/* What must come at least before an access has sent its last load that waits for room. */
typedef struct {
    guint32 sectors, answers;
} WsToCome;

static WsToCome to_come(const WsSmMemory *memory)
{
    const WsOutbox *outbox = &memory->outbox;
    guint32 most = (guint32)memory->device->l1_mshrs, room = ws_l1_room(&memory->l1);
    guint32 sectors = outbox->sectors_under_way, lines = 0;

    for (guint32 i = 0, place = outbox->deferred_first; i < outbox->deferred_count; i++) {
        const WsDeferred *deferred = &outbox->deferred[place];
        sectors += ws_sector_count(deferred->message.sectors);
        lines += !ws_mshr_at(&memory->mshrs, deferred->message.item)->room;
        if (deferred->ends_access)
            break;
        place = place + 1 == outbox->deferred_capacity ? 0 : place + 1;
    }
    sectors = MIN(sectors > most ? sectors - most : 0, outbox->sectors_under_way);
    return (WsToCome){sectors, lines > room ? lines - room : 0};
}

static guint64 find_wake(const WsSmMemory *memory)
{
    const WsInbox *inbox = &memory->inbox;
    const WsInboxEntry *first, *end;
    WsToCome wanted = {G_MAXUINT32, G_MAXUINT32};
    guint32 sectors = 0;
    guint64 free = inbox->port_free;

    if (inbox->count == 0)
        return G_MAXUINT64;
    if (ws_sm_memory_full(memory))
        wanted = to_come(memory);
    first = inbox->entries + inbox->first;
    end = first + inbox->count;
    for (const WsInboxEntry *entry = first; entry != end; entry++) {
        const WsReply *reply = ws_reply_at(memory, entry->reply);
        free = passed(inbox, entry->cycle, reply->sectors, free);
        sectors += ws_sector_count(reply->sectors);
        if (reply->completes || (sectors >= wanted.sectors && entry - first + 1 >= wanted.answers))
            return done_at(free);
    }
    return G_MAXUINT64;
}

guint64 ws_sm_memory_next_completion(WsSmMemory *memory)
{
    WsInbox *inbox = &memory->inbox;

    if (!batches(memory) || inbox->completed_first < inbox->completed.count)
        return ws_sm_memory_next_response(memory);
    if (!inbox->wake_known) {
        inbox->wake = find_wake(memory);
        inbox->wake_known = TRUE;
    }
    return inbox->wake;
}

static guint32 pop(WsInbox *inbox)
{
    inbox->count--;
    return inbox->entries[inbox->first++].reply;
}

/* Lets the host fetch the answer that comes next. */
static void prefetch_first(const WsSmMemory *memory)
{
    if (memory->inbox.count == 0)
        return;
    const guint8 *reply =
        (const guint8 *)ws_reply_at(memory, memory->inbox.entries[memory->inbox.first].reply);
    for (gsize i = 0; i < sizeof(WsReply); i += 64)
        __builtin_prefetch(reply + i);
}

/* ---- completing accesses -----------------------------------------------------------------------
 */

static void complete(WsSmMemory *memory, guint32 token, guint64 done)
{
    WsPendingAccess *access = ws_pending_at(memory, token);
    const WsDevice *device = memory->device;
    guint64 inside = device->classes[WS_CLASS_GLOBAL_LOAD].latency;
    guint64 after = inside - MIN(inside, device->l1_lookup_latency);
    WsResponse response = {.token = token,
                           .warp_slot = access->warp_slot,
                           .level = access->level,
                           .ready_cycle =
                               MAX(access->ready, done + after + access->operation.words - 1)};
    ws_state_array_append(&memory->inbox.completed, WsResponse, response);
    memory->warps[access->warp_slot].pending--;
    ws_pool_give(&memory->accesses, token);
}

static void set_rows(WsOperandRows *rows, const WsSmMemory *memory, const WsPendingAccess *access,
                     WsWarpRegisters *const *registers)
{
    rows->warp_size = memory->warp_size;
    rows->value = rows->second = NULL;
    rows->destination = access->destination < 0
                            ? NULL
                            : registers[access->warp_slot]->registers +
                                  (gsize)access->destination * memory->warp_size;
}

/* ---- lines -------------------------------------------------------------------------------------
 */

static inline void fill_l1(WsSmMemory *memory, WsMshr *mshr, const WsReply *reply)
{
    guint32 entry = ws_sm_l1_insert(memory, mshr->line, mshr->warp_slot);
    if (entry == WS_NONE)
        return;
    memory->l1.lines[entry].sectors |= reply->sectors;
    if (mshr->evict_first)
        ws_l1_demote(&memory->l1, entry);
    else
        ws_l1_touch(&memory->l1, entry);
    if (mshr->region == NULL)
        return;
    guint8 *line = ws_l1_data(&memory->l1, entry);
    for (guint rest = reply->sectors; rest != 0; rest &= rest - 1) {
        guint first = (guint)__builtin_ctz(rest) * WS_SECTOR_BYTES;
        memcpy(line + first, reply->data + first, WS_SECTOR_BYTES);
    }
    if (G_LIKELY(mshr->patch == WS_NONE))
        return;
    WsLineBytes *patch = ws_pool_at(&memory->mshrs.patches, mshr->patch);
    ws_line_bytes_apply(patch, line, reply->sectors);
    for (guint i = 0; i < WS_SECTORS_PER_LINE; i++)
        if (reply->sectors >> i & 1)
            patch->mask[i] = 0;
}

/* The sectors of a row of one word a lane. */
static guint8 row_sectors(guint offset, guint warp_size)
{
    guint first = offset / WS_SECTOR_BYTES, last = (offset + warp_size * 4 - 1) / WS_SECTOR_BYTES;
    return (guint8)((2u << last) - (1u << first));
}

static inline void write_registers(const WsSmMemory *memory, const WsPart *part, guint8 sectors,
                                   const guint8 *line, WsWarpRegisters *const *registers)
{
    const WsPendingAccess *access = ws_pending_at(memory, part->access);
    WsOperandRows rows;
    set_rows(&rows, memory, access, registers);
    if (rows.destination == NULL || part->lanes == 0)
        return;
    if (access->pattern == WS_OFFSETS_SAME) { /* what came has its sector */
        ws_lanes_fill(&rows, part->lanes, line + access->offset[0]);
        return;
    }
    if (access->pattern == WS_OFFSETS_ROW &&
        sectors == row_sectors(access->offset[0], memory->warp_size)) {
        memcpy(rows.destination, line + access->offset[0], (gsize)memory->warp_size * 4);
        return;
    }
    for (guint64 rest = part->lanes; rest != 0; rest &= rest - 1) {
        guint lane = (guint)__builtin_ctzll(rest);
        guint offset =
            access->pattern == WS_OFFSETS_ROW ? access->offset[0] + lane * 4 : access->offset[lane];
        if ((sectors & part->needed) >> (offset / WS_SECTOR_BYTES) & 1)
            ws_lane_load(&access->operation, &rows, lane, line + offset);
    }
}

/* Gives the sectors to one waiting part; TRUE if it has all it needs. */
static inline gboolean serve_part(WsSmMemory *memory, WsPart *part, const WsReply *reply,
                                  WsWarpRegisters *const *registers)
{
    guint8 sectors = part->needed & reply->sectors;
    const guint8 *line = reply->data;
    guint8 patched[WS_LINE_BYTES];
    if (sectors == 0)
        return FALSE;
    if (G_UNLIKELY(part->patch != WS_NONE)) {
        memcpy(patched, line, sizeof patched);
        ws_line_bytes_apply(ws_pool_at(&memory->mshrs.patches, part->patch), patched, sectors);
        line = patched;
    }
    write_registers(memory, part, sectors, line, registers);
    part->needed &= (guint8)~sectors;
    return part->needed == 0;
}

static void deliver_line(WsSmMemory *memory, const WsReply *reply, guint64 done,
                         WsWarpRegisters *const *registers)
{
    WsMshrTable *table = &memory->mshrs;
    WsMshr *mshr = ws_mshr_at(table, reply->item);
    if (mshr->listed)
        fill_l1(memory, mshr, reply);
    guint32 *link = &mshr->parts;
    while (*link != WS_NONE) {
        guint32 index = *link;
        WsPart *part = WS_POOL_AT(&table->parts, WsPart, index);
        if (!serve_part(memory, part, reply, registers)) {
            link = &part->next;
            continue;
        }
        WsPendingAccess *access = ws_pending_at(memory, part->access);
        access->level = MAX(access->level, reply->level);
        if (--access->remaining == 0)
            complete(memory, part->access, done);
        *link = part->next;
        if (part->patch != WS_NONE)
            ws_pool_give(&table->patches, part->patch);
        ws_pool_give(&table->parts, index);
    }
    mshr->pending &= (guint8)~reply->sectors;
    mshr->sent &= (guint8)~reply->sectors;
    mshr->known &= (guint8)~reply->sectors;
    /* What is still to be sent takes room of its own: the old one must not wait for it. */
    if (mshr->sent == 0 && mshr->room) {
        ws_l1_release(&memory->l1);
        memory->l1.coming -= mshr->coming;
        mshr->room = mshr->coming = FALSE;
    }
    if (mshr->pending == 0)
        ws_mshr_free(table, reply->item);
}

/* The answer to a message that takes no time: its line drives no other out of L1. */
static void deliver_free(WsSmMemory *memory, WsReply *reply, guint64 done,
                         WsWarpRegisters *const *registers)
{
    WsMshr *mshr = ws_mshr_at(&memory->mshrs, reply->item);
    memory->outbox.sectors_under_way -= ws_sector_count(reply->sectors);
    reply->sectors &= (guint8)~WS_SECTORS_FREE;
    mshr->sent &= (guint8)~WS_SECTORS_FREE;
    mshr->known &= (guint8)~WS_SECTORS_FREE;
    if (ws_l1_is_full(&memory->l1, 1))
        ws_mshr_unlist(&memory->mshrs, reply->item);
    deliver_line(memory, reply, done, registers);
}

static void deliver_atomic(WsSmMemory *memory, const WsReply *reply, guint64 done,
                           WsWarpRegisters *const *registers)
{
    WsAtomicRecord *record = ws_pool_at(&memory->atomics, reply->item);
    guint32 token = record->access;
    WsPendingAccess *access = ws_pending_at(memory, token);
    access->level = MAX(access->level, reply->level);
    if (--access->remaining != 0)
        return;
    WsOperandRows rows;
    set_rows(&rows, memory, access, registers);
    for (guint32 lane = 0; lane < memory->warp_size; lane++)
        if (record->lanes >> lane & 1)
            ws_lane_return(&record->operation, &rows, lane, record->old[lane]);
    ws_pool_give(&memory->atomics, reply->item);
    complete(memory, token, done);
}

/* The first answer, which has passed the port at milli-cycle `milli`. */
static void deliver_first(WsSmMemory *memory, guint64 milli, WsWarpRegisters *const *registers)
{
    WsInbox *inbox = &memory->inbox;
    guint64 done = done_at(milli);
    inbox->port_free = milli;
    inbox->wake_known = FALSE;
    guint32 index = pop(inbox);
    prefetch_first(memory);
    const WsReply *reply = ws_reply_at(memory, index);
    if (reply->kind == WS_MESSAGE_LOAD) {
        guint sectors = ws_sector_count(reply->sectors);
        memory->outbox.sectors_under_way -= sectors;
        if (sectors > 1)
            done += memory->device->l2_sectors_latency;
        deliver_line(memory, reply, done, registers);
        /* The place is free when the registers have the data; lookup of what waits follows. */
        ws_sm_send_waiting(memory, done + memory->device->classes[WS_CLASS_GLOBAL_LOAD].latency);
    } else if (reply->kind == WS_MESSAGE_ATOMIC) {
        deliver_atomic(memory, reply, done, registers);
    } else {
        deliver_free(memory, ws_reply_at(memory, index), done, registers);
        ws_sm_send_waiting(memory, done + memory->device->classes[WS_CLASS_GLOBAL_LOAD].latency);
    }
    ws_pool_give(&memory->replies, index);
}

void ws_sm_memory_end_batch(WsSmMemory *memory, guint64 cycle)
{
    guint64 milli;

    if (memory->registers == NULL)
        return;
    while (done_at(milli = first_milli(memory)) <= cycle)
        deliver_first(memory, milli, memory->registers);
}

void ws_sm_memory_batch(WsSmMemory *memory, WsWarpRegisters *const *registers)
{
    memory->registers = registers;
}

gboolean ws_sm_memory_deliver(WsSmMemory *memory, guint64 cycle, WsWarpRegisters *const *registers,
                              WsResponse *ret)
{
    WsInbox *inbox = &memory->inbox;
    memory->now = MAX(memory->now, cycle);
    while (inbox->completed_first == inbox->completed.count) {
        inbox->completed.count = 0;
        inbox->completed_first = 0;
        guint64 milli = first_milli(memory);
        if (done_at(milli) > cycle)
            return FALSE;
        deliver_first(memory, milli, registers);
    }
    *ret = ws_state_array_index(&inbox->completed, WsResponse, inbox->completed_first++);
    return TRUE;
}
