/* Accesses of an SM through L1 to L2: loads, stores and atomics of global and local memory. */
#include "sim/memory/atomic_cost.h"
#include "sim/memory/sm_memory.h"

#include <string.h>

/* Local memory of each SM has lines of its own, outside all global addresses. */
static guint64 local_line(const WsSmMemory *memory, guint64 place)
{
    return (G_GUINT64_CONSTANT(1) << 58) + ((guint64)memory->sm << 40) + place / WS_LINE_BYTES;
}

/* ---- pending accesses --------------------------------------------------------------------------
 */

static inline WsPendingAccess *pending_of(WsIssue *issue)
{
    WsSmMemory *memory = issue->memory;
    if (issue->access == WS_NONE) {
        issue->access = ws_pool_take(&memory->accesses);
        WsPendingAccess *access = ws_pool_at(&memory->accesses, issue->access);
        access->warp_slot = issue->warp_slot;
        access->remaining = access->unknown = access->sequence = 0;
        access->last = 0;
        access->record = WS_NONE;
        access->ready = 0;
        access->operation = issue->operation;
        access->destination = issue->destination;
        access->pattern = WS_OFFSETS_BY_LANE;
        access->level = WS_LEVEL_L1;
        memory->warps[issue->warp_slot].pending++;
    }
    return ws_pool_at(&memory->accesses, issue->access);
}

/* Cycle at which line `n` of an access may ask L2: a sub-core hands over its passes one by one. */
static guint64 ask_cycle(const WsIssue *issue, guint64 start, guint32 n, guint32 lines,
                         guint32 passes)
{
    const WsSmMemory *memory = issue->memory;
    guint64 pace = (guint64)passes * memory->lsu.sub_core_interval * n / lines;
    return start + memory->device->l1_lookup_latency + pace;
}

static guint64 hit_latency(const WsIssue *issue, guint32 passes)
{
    const WsDevice *device = issue->memory->device;
    guint32 words = issue->operation.words;
    guint64 wide = words == 4   ? device->l1_four_word_latency
                   : words == 2 ? device->l1_two_word_latency
                                : 0;
    return issue->timing->latency + device->l1_pass_latency_milli * (passes - 1) / 1000 +
           (passes > 1 ? wide : 0);
}

static guint64 take_data_stage(WsIssue *issue, guint32 passes)
{
    WsSmMemory *memory = issue->memory;
    guint64 late;
    guint64 start =
        ws_lsu_issue(&memory->lsu, issue->cycle, issue->sub_core, WS_STAGE_DATA,
                     issue->timing->interval, passes, MAX(1, issue->timing->sm_interval), &late);
    return start + late;
}

/* ---- loads -------------------------------------------------------------------------------------
 */

/* One 32-bit word for all lanes. */
static gboolean is_one_word(const WsIssue *issue)
{
    return issue->span.low == issue->span.high && issue->operation.width == WS_WIDTH_32;
}

static void read_lanes(WsIssue *issue, guint64 lanes, const guint8 *line, guint8 sectors)
{
    for (guint64 rest = lanes; rest != 0; rest &= rest - 1) {
        guint lane = (guint)__builtin_ctzll(rest);
        guint offset = issue->address[lane] % WS_LINE_BYTES;
        if (sectors >> (offset / WS_SECTOR_BYTES) & 1)
            ws_lane_load(&issue->operation, &issue->rows, lane, line + offset);
    }
}

/* One 32-bit word a lane, all lanes, ascending, inside one line. */
static gboolean is_whole_row(const WsIssue *issue, const WsCoalesced *coalesced)
{
    return coalesced->contiguous && coalesced->line_count == 1 &&
           issue->operation.width == WS_WIDTH_32;
}

static void read_hit(WsIssue *issue, const WsCoalesced *coalesced, const WsLinePart *part,
                     guint32 entry, guint8 sectors)
{
    const guint8 *line = ws_l1_data(&issue->memory->l1, entry);
    if (issue->rows.destination == NULL)
        return;
    if (is_whole_row(issue, coalesced) && sectors == part->sectors)
        memcpy(issue->rows.destination, line + issue->address[0] % WS_LINE_BYTES,
               (gsize)issue->memory->warp_size * 4);
    else if (is_one_word(issue))
        ws_lanes_fill(&issue->rows, part->lanes, line + issue->span.low % WS_LINE_BYTES);
    else
        read_lanes(issue, part->lanes, line, sectors);
}

/* Sectors of the line that L1 holds. */
static inline guint8 lookup(WsIssue *issue, guint64 line, guint8 sectors, guint32 *ret_entry)
{
    WsSmMemory *memory = issue->memory;
    *ret_entry = ws_l1_find(&memory->l1, line);
    guint8 hit = *ret_entry == WS_NONE ? 0 : memory->l1.lines[*ret_entry].sectors & sectors;
    if (*ret_entry != WS_NONE)
        ws_l1_use(&memory->l1, *ret_entry);
    memory->counters.l1_lookups += ws_sector_count(sectors);
    memory->counters.l1_hits += ws_sector_count(hit);
    if (G_UNLIKELY(memory->listener != NULL))
        ws_sm_l1_emit_load(issue, line, *ret_entry != WS_NONE);
    return hit;
}

/* A policy wants the line, which L1 does not hold, to stay out of it. */
static inline gboolean bypasses(const WsIssue *issue, guint64 line, guint32 entry)
{
    return G_UNLIKELY(issue->memory->listener != NULL) && ws_sm_l1_bypasses(issue, line, entry);
}

/* Waits for the sectors of a line: joins a miss under way or starts one. */
static void wait_for_line(WsIssue *issue, guint64 line, const WsRegion *region, guint64 lanes,
                          guint8 needed, gboolean bypass, guint64 ask)
{
    WsSmMemory *memory = issue->memory;
    guint32 mshr = bypass ? WS_NONE : ws_mshr_find(&memory->mshrs, line);
    if (mshr == WS_NONE) {
        mshr = ws_mshr_new(&memory->mshrs, line, region, !bypass);
        ws_mshr_at(&memory->mshrs, mshr)->warp_slot = issue->warp_slot;
    }
    pending_of(issue)->remaining++;
    ws_mshr_add_part(&memory->mshrs, mshr, issue->access, lanes, needed);
    WsMshr *entry = ws_mshr_at(&memory->mshrs, mshr);
    ws_pending_at(memory, issue->access)->unknown += (needed & ~entry->known) != 0;
    if (G_UNLIKELY((needed & entry->known) != 0))
        ws_sm_joined(memory, mshr);
    guint8 wanted = needed & (guint8)~entry->pending;
    entry->evict_first = issue->operation.cache == WS_CACHE_EVICT_FIRST;
    entry->pending |= wanted;
    if (wanted == 0)
        return;
    WsMessage message = {.line = line,
                         .region = region,
                         .item = mshr,
                         .sm = (guint16)memory->sm,
                         .kind = WS_MESSAGE_LOAD,
                         .sectors = wanted};
    ws_sign(issue, &message);
    ws_sm_send(memory, ask, &message, 1, issue->warp_slot);
}

static void remember_offsets(WsIssue *issue, guint64 mask, const WsCoalesced *coalesced)
{
    WsPendingAccess *access = pending_of(issue);
    if (is_one_word(issue) || is_whole_row(issue, coalesced)) {
        access->pattern = is_one_word(issue) ? WS_OFFSETS_SAME : WS_OFFSETS_ROW;
        access->offset[0] = issue->span.low % WS_LINE_BYTES;
        return;
    }
    for (guint32 lane = 0; lane < issue->memory->warp_size; lane++)
        if (mask >> lane & 1)
            access->offset[lane] = issue->address[lane] % WS_LINE_BYTES;
}

static void load_global(WsIssue *issue, guint64 mask, const WsCoalesced *coalesced)
{
    guint8 cache = issue->operation.cache;
    gboolean bypass = cache == WS_CACHE_STRONG_GPU || cache == WS_CACHE_STRONG_SYS;
    guint64 start = take_data_stage(issue, coalesced->wavefronts);
    for (guint32 i = 0; i < coalesced->line_count; i++) {
        const WsLinePart *part = &coalesced->part[i];
        guint32 entry = WS_NONE;
        guint8 hit = bypass ? 0 : lookup(issue, part->line, part->sectors, &entry);
        if (hit != 0)
            read_hit(issue, coalesced, part, entry, hit);
        if (hit == part->sectors)
            continue;
        wait_for_line(issue, part->line,
                      issue->region != NULL ? issue->region
                                            : ws_issue_region(issue, part->line * WS_LINE_BYTES),
                      part->lanes, part->sectors & (guint8)~hit,
                      bypass || bypasses(issue, part->line, entry),
                      ask_cycle(issue, start, i, coalesced->line_count, coalesced->wavefronts));
    }
    if (issue->access != WS_NONE)
        remember_offsets(issue, mask, coalesced);
    ws_issue_finish(issue, start, start + hit_latency(issue, coalesced->wavefronts));
}

/* ---- stores ------------------------------------------------------------------------------------
 */

static void gather_row(const WsIssue *issue, WsLineBytes *bytes)
{
    guint first = issue->address[0] % WS_LINE_BYTES;
    guint count = issue->memory->warp_size * 4;
    if (issue->rows.value != NULL)
        memcpy(bytes->data + first, issue->rows.value, count);
    else
        memset(bytes->data + first, 0, count);
    for (guint i = 0; i < WS_SECTORS_PER_LINE; i++) {
        guint from = MAX(first, i * WS_SECTOR_BYTES), to = (i + 1) * WS_SECTOR_BYTES;
        to = MIN(to, first + count);
        bytes->mask[i] = from < to ? (guint32)((G_GUINT64_CONSTANT(1) << (to - from)) - 1)
                                         << from % WS_SECTOR_BYTES
                                   : 0;
    }
}

static void gather_lanes(const WsIssue *issue, guint64 lanes, WsLineBytes *bytes)
{
    guint32 ones = (1u << issue->operation.bytes) - 1;
    for (guint64 rest = lanes; rest != 0; rest &= rest - 1) {
        guint lane = (guint)__builtin_ctzll(rest);
        guint offset = issue->address[lane] % WS_LINE_BYTES;
        ws_lane_store(&issue->operation, &issue->rows, lane, bytes->data + offset);
        bytes->mask[offset / WS_SECTOR_BYTES] |= ones << (offset % WS_SECTOR_BYTES);
    }
}

/* A store takes a cycle a sector, and one more if it leaves gaps: the byte mask. */
static guint32 store_flits(const WsSmMemory *memory, const WsLineBytes *bytes)
{
    guint32 sectors = 0;
    gboolean gaps = FALSE;
    for (guint i = 0; i < WS_SECTORS_PER_LINE; i++) {
        sectors += bytes->mask[i] != 0;
        gaps |= bytes->mask[i] != 0 && bytes->mask[i] != G_MAXUINT32;
    }
    return memory->outbox.flits[sectors + gaps];
}

/* What the SM itself sees of its store: L1 lines it holds, and lines on their way. */
static void write_through(WsSmMemory *memory, guint64 line, const WsLineBytes *bytes)
{
    guint32 entry = ws_l1_find(&memory->l1, line);
    if (entry != WS_NONE)
        ws_line_bytes_apply(bytes, ws_l1_data(&memory->l1, entry), 0xf);
    guint32 mshr = ws_mshr_find(&memory->mshrs, line);
    if (mshr != WS_NONE)
        ws_mshr_store(&memory->mshrs, mshr, bytes);
}

/* The sub-core's queue moves on when the message has left. */
static void send_and_hold(WsIssue *issue, guint64 start, guint64 ask, const WsMessage *message,
                          guint32 flits)
{
    guint64 leaves = ws_sm_send(issue->memory, ask, message, flits, issue->warp_slot);
    if (leaves != G_MAXUINT64 && leaves > ask)
        ws_lsu_hold(&issue->memory->lsu, issue->sub_core, start + (leaves - ask));
}

static void store_global(WsIssue *issue, const WsCoalesced *coalesced)
{
    WsSmMemory *memory = issue->memory;
    guint64 start = take_data_stage(issue, coalesced->wavefronts);
    for (guint32 i = 0; i < coalesced->line_count; i++) {
        const WsLinePart *part = &coalesced->part[i];
        guint32 item = ws_pool_take(&memory->stores);
        WsLineBytes *bytes = ws_pool_at(&memory->stores, item);
        memset(bytes->mask, 0, sizeof bytes->mask);
        if (is_whole_row(issue, coalesced))
            gather_row(issue, bytes);
        else
            gather_lanes(issue, part->lanes, bytes);
        write_through(memory, part->line, bytes);
        WsMessage message = {.line = part->line,
                             .region = issue->region != NULL
                                           ? issue->region
                                           : ws_issue_region(issue, part->line * WS_LINE_BYTES),
                             .lanes = part->lanes,
                             .item = item,
                             .sm = (guint16)memory->sm,
                             .kind = WS_MESSAGE_STORE,
                             .sectors = part->sectors};
        ws_sign(issue, &message);
        send_and_hold(issue, start,
                      ask_cycle(issue, start, i, coalesced->line_count, coalesced->wavefronts),
                      &message, store_flits(memory, bytes));
    }
    ws_issue_finish(issue, start, start + issue->timing->latency);
}

/* ---- atomics -----------------------------------------------------------------------------------
 */

static guint32 new_record(WsIssue *issue, guint64 mask, guint32 messages)
{
    WsSmMemory *memory = issue->memory;
    guint32 index = ws_pool_take(&memory->atomics);
    WsAtomicRecord *record = ws_pool_at(&memory->atomics, index);
    record->access = WS_NONE;
    record->messages = (gint)messages;
    record->lanes = mask;
    record->operation = issue->operation;
    for (guint64 rest = mask; rest != 0; rest &= rest - 1) {
        guint lane = (guint)__builtin_ctzll(rest);
        const WsOperandRows *rows = &issue->rows;
        record->value[lane] =
            ws_lane_operand(&issue->operation, rows->value, rows->warp_size, lane);
        record->second[lane] =
            ws_lane_operand(&issue->operation, rows->second, rows->warp_size, lane);
        record->offset[lane] = issue->address[lane] % WS_LINE_BYTES;
    }
    return index;
}

/* What is less than a cycle adds up from one atomic of the SM to the next. */
static guint32 send_cycles(const WsIssue *issue, guint32 record, const WsLinePart *part)
{
    WsSmMemory *memory = issue->memory;
    WsAtomicRecord *atomic = ws_pool_at(&memory->atomics, record);
    guint64 milli = memory->outbox.atomic_milli +
                    ws_atomic_send_milli(memory->device, &issue->operation, atomic->offset,
                                         part->lanes, ws_sector_count(part->sectors));
    memory->outbox.atomic_milli = (guint32)(milli % 1000);
    return (guint32)(milli / 1000);
}

static void atomic_global(WsIssue *issue, guint64 mask, const WsCoalesced *coalesced)
{
    WsSmMemory *memory = issue->memory;
    guint64 start = take_data_stage(issue, coalesced->wavefronts);
    guint32 record = new_record(issue, mask, coalesced->line_count);
    if (issue->operation.action != WS_ACTION_REDUCTION) {
        WsPendingAccess *access = pending_of(issue);
        access->remaining += coalesced->line_count;
        access->unknown += coalesced->line_count;
        access->record = record;
        ((WsAtomicRecord *)ws_pool_at(&memory->atomics, record))->access = issue->access;
    }
    for (guint32 i = 0; i < coalesced->line_count; i++) {
        const WsLinePart *part = &coalesced->part[i];
        ws_l1_drop(&memory->l1, part->line);
        guint32 mshr = ws_mshr_find(&memory->mshrs, part->line);
        if (mshr != WS_NONE)
            ws_mshr_unlist(&memory->mshrs, mshr);
        WsMessage message = {.line = part->line,
                             .lanes = part->lanes,
                             .region = issue->region != NULL
                                           ? issue->region
                                           : ws_issue_region(issue, part->line * WS_LINE_BYTES),
                             .item = record,
                             .sm = (guint16)memory->sm,
                             .kind = WS_MESSAGE_ATOMIC,
                             .sectors = part->sectors};
        ws_sign(issue, &message);
        send_and_hold(issue, start,
                      ask_cycle(issue, start, i, coalesced->line_count, coalesced->wavefronts),
                      &message, send_cycles(issue, record, part));
    }
    ws_issue_finish(issue, start, start + 1);
}

/* ---- rows --------------------------------------------------------------------------------------
 *
 * What load_global() and store_global() do, for a line that has a word of every lane.
 */

static void read_row(const WsIssue *issue, guint32 entry, guint8 sectors)
{
    const guint8 *line = ws_l1_data(&issue->memory->l1, entry);
    guint8 *row = (guint8 *)issue->rows.destination;
    if (row == NULL)
        return;
    if (sectors == (1u << WS_SECTORS_PER_LINE) - 1) {
        memcpy(row, line, WS_LINE_BYTES);
        return;
    }
    for (guint i = 0; i < WS_SECTORS_PER_LINE; i++)
        if (sectors >> i & 1)
            memcpy(row + i * WS_SECTOR_BYTES, line + i * WS_SECTOR_BYTES, WS_SECTOR_BYTES);
}

static void load_row(WsIssue *issue)
{
    guint8 cache = issue->operation.cache, all = (1u << WS_SECTORS_PER_LINE) - 1;
    gboolean bypass = cache == WS_CACHE_STRONG_GPU || cache == WS_CACHE_STRONG_SYS;
    guint64 start = take_data_stage(issue, 1), line = issue->span.low / WS_LINE_BYTES;
    guint32 entry = WS_NONE;
    guint8 hit = bypass ? 0 : lookup(issue, line, all, &entry);
    if (hit != 0)
        read_row(issue, entry, hit);
    if (hit != all) {
        wait_for_line(issue, line, issue->region, 0xffffffffu, all & (guint8)~hit,
                      bypass || bypasses(issue, line, entry),
                      start + issue->memory->device->l1_lookup_latency);
        WsPendingAccess *access = pending_of(issue);
        access->pattern = WS_OFFSETS_ROW;
        access->offset[0] = 0;
    }
    ws_issue_finish(issue, start, start + hit_latency(issue, 1));
}

static void store_row(WsIssue *issue)
{
    WsSmMemory *memory = issue->memory;
    guint64 start = take_data_stage(issue, 1), line = issue->span.low / WS_LINE_BYTES;
    guint32 item = ws_pool_take(&memory->stores);
    WsLineBytes *bytes = ws_pool_at(&memory->stores, item);
    memset(bytes->mask, 0xff, sizeof bytes->mask);
    if (issue->rows.value != NULL)
        memcpy(bytes->data, issue->rows.value, WS_LINE_BYTES);
    else
        memset(bytes->data, 0, WS_LINE_BYTES);
    write_through(memory, line, bytes);
    WsMessage message = {.line = line,
                         .region = issue->region,
                         .item = item,
                         .sm = (guint16)memory->sm,
                         .lanes = 0xffffffffu,
                         .kind = WS_MESSAGE_STORE,
                         .sectors = (1u << WS_SECTORS_PER_LINE) - 1};
    ws_sign(issue, &message);
    send_and_hold(issue, start, start + memory->device->l1_lookup_latency, &message,
                  memory->outbox.flits[WS_SECTORS_PER_LINE]);
    ws_issue_finish(issue, start, start + issue->timing->latency);
}

void ws_cached_row(WsIssue *issue)
{
    if (issue->operation.action == WS_ACTION_LOAD)
        load_row(issue);
    else
        store_row(issue);
}

void ws_cached_global(WsIssue *issue, guint64 mask, const WsCoalesced *coalesced)
{
    if (issue->operation.action == WS_ACTION_LOAD)
        load_global(issue, mask, coalesced);
    else if (issue->operation.action == WS_ACTION_STORE)
        store_global(issue, coalesced);
    else
        atomic_global(issue, mask, coalesced);
}

#include "sim/memory/ideal_lines.h"

/* ---- local memory ------------------------------------------------------------------------------
 *
 * Only the thread itself sees its local memory, so its contents change at issue and caches keep
 * tags alone. A store that covers a sector puts it into L1.
 */

static void local_lines(const WsIssue *issue, guint64 mask, guint32 word, WsCoalesced *ret)
{
    const WsSmMemory *memory = issue->memory;
    guint64 place[WS_MAX_WARP_SIZE] = {0};
    for (guint64 rest = mask; rest != 0; rest &= rest - 1) {
        guint lane = (guint)__builtin_ctzll(rest);
        place[lane] = ws_local_memory_place(&memory->local, issue->warp_slot,
                                            issue->address[lane] / 4 + word, lane);
    }
    ws_coalesce(place, mask, memory->warp_size, 4, (guint32)memory->device->l1_tags_per_cycle, ret);
}

static void local_part(WsIssue *issue, const WsLinePart *part, guint64 start, guint64 ask)
{
    WsSmMemory *memory = issue->memory;
    guint64 line = local_line(memory, part->line * WS_LINE_BYTES);
    guint32 entry;
    if (issue->operation.action == WS_ACTION_LOAD) {
        guint8 hit = lookup(issue, line, part->sectors, &entry);
        if (hit != part->sectors)
            wait_for_line(issue, line, NULL, 0, part->sectors & (guint8)~hit,
                          bypasses(issue, line, entry), ask);
        return;
    }
    guint32 item = ws_pool_take(&memory->stores);
    WsLineBytes *bytes = ws_pool_at(&memory->stores, item);
    memset(bytes->mask, 0, sizeof bytes->mask);
    /* Lane n of a row has word n of it. */
    for (guint64 rest = part->lanes; rest != 0; rest &= rest - 1) {
        guint offset = (guint)(__builtin_ctzll(rest) * 4) % WS_LINE_BYTES;
        bytes->mask[offset / WS_SECTOR_BYTES] |= 0xfu << (offset % WS_SECTOR_BYTES);
    }
    if (ws_l1_find(&memory->l1, line) == WS_NONE)
        ws_sm_l1_make_room(memory, 1, issue->warp_slot);
    entry = ws_sm_l1_insert(memory, line, issue->warp_slot);
    for (guint i = 0; entry != WS_NONE && i < WS_SECTORS_PER_LINE; i++)
        memory->l1.lines[entry].sectors |= (guint8)((bytes->mask[i] == G_MAXUINT32) << i);
    if (entry != WS_NONE && memory->l1.lines[entry].sectors == 0)
        ws_l1_drop(&memory->l1, line);
    else if (entry != WS_NONE)
        ws_l1_touch(&memory->l1, entry);
    WsMessage message = {.line = line,
                         .item = item,
                         .sm = (guint16)memory->sm,
                         .kind = WS_MESSAGE_STORE,
                         .sectors = part->sectors};
    send_and_hold(issue, start, ask, &message, store_flits(memory, bytes));
}

void ws_cached_local(WsIssue *issue, guint64 mask)
{
    WsSmMemory *memory = issue->memory;
    WsCoalesced words[4];
    guint32 passes = 0;
    ws_local_memory_do(&memory->local, issue->warp_slot, &issue->operation, &issue->rows,
                       issue->address, mask);
    for (guint32 word = 0; word < issue->operation.words; word++) {
        local_lines(issue, mask, word, &words[word]);
        passes += words[word].wavefronts;
    }
    guint64 start = take_data_stage(issue, passes);
    for (guint32 word = 0; word < issue->operation.words; word++)
        for (guint32 i = 0; i < words[word].line_count; i++)
            local_part(issue, &words[word].part[i], start, ask_cycle(issue, start, 0, 1, passes));
    gboolean load = issue->operation.action == WS_ACTION_LOAD;
    ws_issue_finish(issue, start,
                    start + (load ? hit_latency(issue, passes) : issue->timing->latency));
}

/* ---- textures ----------------------------------------------------------------------------------
 */

void ws_cached_texture(WsIssue *issue, const WsTextureLines *lines)
{
    WsSmMemory *memory = issue->memory;
    gboolean fixed = memory->device->memory_model == WS_MEMORY_FIXED;
    guint64 start = take_data_stage(issue, fixed ? 1 : lines->passes);
    for (guint32 i = 0; !fixed && i < lines->count; i++) {
        guint32 entry;
        guint64 line = lines->line[i];
        guint8 hit = lookup(issue, line, lines->sectors[i], &entry);
        if (hit != lines->sectors[i])
            wait_for_line(issue, line,
                          ws_global_memory_find(memory->contents, line * WS_LINE_BYTES, 1), 0,
                          lines->sectors[i] & (guint8)~hit, bypasses(issue, line, entry),
                          ask_cycle(issue, start, i, lines->count, lines->passes));
    }
    ws_issue_finish(issue, start,
                    start + (fixed ? issue->timing->latency : hit_latency(issue, lines->passes)));
}
