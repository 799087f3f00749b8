/*
 * Loads and stores of global memory with ideal.coalescing. A part of cached_access.c, which
 * includes it once.
 *
 * The lines that an access touches are asked for and written as always, so that values are those of
 * the unchanged run. Of these lines the first few stand for all: they move as many sectors as the
 * distinct bytes of the access fill. The messages of the others take no time, and L1 keeps their
 * lines only where it has room for them (WS_SECTORS_FREE).
 */
#ifndef WS_SIM_MEMORY_IDEAL_LINES_H
#define WS_SIM_MEMORY_IDEAL_LINES_H

/* Sectors that the distinct bytes of the lanes would fill if they lay together. */
static guint32 dense_sectors(const WsIssue *issue, guint64 mask)
{
    guint32 distinct = 0;
    for (guint64 rest = mask; rest != 0; rest &= rest - 1) {
        guint64 own = issue->address[__builtin_ctzll(rest)], before = mask & ~rest;
        while (before != 0 && issue->address[__builtin_ctzll(before)] != own)
            before &= before - 1;
        distinct += before == 0;
    }
    return (distinct * issue->operation.bytes + WS_SECTOR_BYTES - 1) / WS_SECTOR_BYTES;
}

/* Adds sectors of `may` to `mask` until `left` of them pay; lowers `left` by all that do. */
static guint8 take_paid(guint8 mask, guint8 may, guint32 *left)
{
    *left -= MIN(*left, ws_sector_count(mask));
    for (guint i = 0; i<WS_SECTORS_PER_LINE && * left> 0; i++)
        if ((may & ~mask) >> i & 1) {
            mask |= (guint8)(1u << i);
            --*left;
        }
    return mask;
}

/* wait_for_line() with a message that costs nothing. */
static void wait_for_free(WsIssue *issue, const WsLinePart *part, guint8 needed, gboolean bypass,
                          guint64 ask)
{
    WsSmMemory *memory = issue->memory;
    const WsRegion *region = ws_issue_region(issue, issue->address[__builtin_ctzll(part->lanes)]);
    guint32 mshr = bypass ? WS_NONE : ws_mshr_find(&memory->mshrs, part->line);
    if (mshr == WS_NONE) {
        mshr = ws_mshr_new(&memory->mshrs, part->line, region, !bypass);
        ws_mshr_at(&memory->mshrs, mshr)->warp_slot = issue->warp_slot;
    }
    pending_of(issue)->remaining++;
    ws_mshr_add_part(&memory->mshrs, mshr, issue->access, part->lanes, needed);
    WsMshr *entry = ws_mshr_at(&memory->mshrs, mshr);
    ws_pending_at(memory, issue->access)->unknown += (needed & ~entry->known) != 0;
    if ((needed & entry->known) != 0)
        ws_sm_joined(memory, mshr);
    guint8 wanted = needed & (guint8)~entry->pending;
    entry->pending |= wanted;
    if (wanted == 0)
        return;
    WsMessage message = {.line = part->line,
                         .region = region,
                         .item = mshr,
                         .sm = (guint16)memory->sm,
                         .kind = WS_MESSAGE_LOAD,
                         .sectors = wanted | WS_SECTORS_FREE};
    ws_sign(issue, &message);
    ws_sm_send_free(memory, ask, &message, issue->warp_slot);
}

static void load_ideal(WsIssue *issue, guint64 mask, const WsCoalesced *coalesced, guint32 dense)
{
    guint8 cache = issue->operation.cache;
    gboolean bypass = cache == WS_CACHE_STRONG_GPU || cache == WS_CACHE_STRONG_SYS;
    guint64 start = take_data_stage(issue, coalesced->wavefronts);
    guint64 ask = start + issue->memory->device->l1_lookup_latency;
    guint8 lacks[WS_MAX_WARP_SIZE], may[WS_MAX_WARP_SIZE];
    guint32 missing = 0;
    for (guint32 i = 0; i < coalesced->line_count; i++) {
        const WsLinePart *part = &coalesced->part[i];
        guint32 entry = WS_NONE;
        guint8 hit = bypass ? 0 : lookup(issue, part->line, part->sectors, &entry);
        if (hit != 0)
            read_hit(issue, coalesced, part, entry, hit);
        lacks[i] = part->sectors & (guint8)~hit;
        may[i] = entry == WS_NONE ? 0xf : 0xf & (guint8)~issue->memory->l1.lines[entry].sectors;
        missing += ws_sector_count(lacks[i]);
    }
    guint32 left = (missing * dense + coalesced->sectors - 1) / coalesced->sectors;
    for (guint32 i = 0; i < coalesced->line_count; i++) {
        const WsLinePart *part = &coalesced->part[i];
        if (lacks[i] == 0)
            continue;
        if (left > 0)
            wait_for_line(issue, part->line,
                          ws_issue_region(issue, issue->address[__builtin_ctzll(part->lanes)]),
                          part->lanes, take_paid(lacks[i], may[i], &left), bypass, ask);
        else
            wait_for_free(issue, part, lacks[i], bypass, ask);
    }
    if (issue->access != WS_NONE)
        remember_offsets(issue, mask, coalesced);
    ws_issue_finish(issue, start, start + hit_latency(issue, coalesced->wavefronts));
}

static void store_ideal(WsIssue *issue, const WsCoalesced *coalesced, guint32 dense)
{
    WsSmMemory *memory = issue->memory;
    guint64 start = take_data_stage(issue, coalesced->wavefronts);
    guint64 ask = start + memory->device->l1_lookup_latency;
    for (guint32 i = 0; i < coalesced->line_count; i++) {
        const WsLinePart *part = &coalesced->part[i];
        guint32 item = ws_pool_take(&memory->stores);
        WsLineBytes *bytes = ws_pool_at(&memory->stores, item);
        memset(bytes->mask, 0, sizeof bytes->mask);
        gather_lanes(issue, part->lanes, bytes);
        write_through(memory, part->line, bytes);
        WsMessage message = {
            .line = part->line,
            .region = ws_issue_region(issue, issue->address[__builtin_ctzll(part->lanes)]),
            .lanes = part->lanes,
            .item = item,
            .sm = (guint16)memory->sm,
            .kind = WS_MESSAGE_STORE,
            .sectors = dense > 0 ? take_paid(part->sectors, 0xf, &dense)
                                 : part->sectors | WS_SECTORS_FREE};
        ws_sign(issue, &message);
        if (message.sectors & WS_SECTORS_FREE)
            ws_sm_send_free(memory, ask, &message, issue->warp_slot);
        else
            send_and_hold(issue, start, ask, &message,
                          memory->outbox.flits[ws_sector_count(message.sectors)]);
    }
    ws_issue_finish(issue, start, start + issue->timing->latency);
}

void ws_ideal_global(WsIssue *issue, guint64 mask, WsCoalesced *coalesced)
{
    guint32 dense = MIN(dense_sectors(issue, mask), coalesced->sectors);
    if (ws_action_is_atomic(issue->operation.action)) {
        atomic_global(issue, mask, coalesced);
        return;
    }
    coalesced->wavefronts =
        MIN(coalesced->wavefronts, (dense + WS_SECTORS_PER_LINE - 1) / WS_SECTORS_PER_LINE);
    if (issue->operation.action == WS_ACTION_LOAD)
        load_ideal(issue, mask, coalesced, dense);
    else
        store_ideal(issue, coalesced, dense);
}

#endif
