#include "sim/memory/coalescer.h"

#include <string.h>

#include "sim/memory/bank_conflicts.h"

enum { WS_ARRAY_BANKS = 32, WS_SLOTS = 128, WS_NO_ENTRY = 0xff };

static guint64 low_lanes(guint32 count)
{
    return count >= 64 ? G_MAXUINT64 : (G_GUINT64_CONSTANT(1) << count) - 1;
}

/* Sectors of its line that [address, address + bytes) touches; never more than one line. */
static guint8 sector_bit(guint64 address)
{
    return (guint8)(1u << (address / WS_SECTOR_BYTES % WS_SECTORS_PER_LINE));
}

/* TRUE if lane i accesses address[0] + i * bytes in all lanes. */
static gboolean is_contiguous(const guint64 *address, guint32 warp_size, guint32 bytes)
{
    guint64 difference = 0;
    for (guint32 lane = 0; lane < warp_size; lane++)
        difference |= address[lane] ^ (address[0] + (guint64)lane * bytes);
    return difference == 0;
}

/* Lanes `first` .. `last` of a contiguous access; both inside the warp. */
static guint64 lane_range(guint32 first, guint32 last)
{
    return low_lanes(last + 1) & ~low_lanes(first);
}

void ws_coalesce_ascending(guint64 start, guint32 warp_size, guint32 bytes, guint32 tags_per_pass,
                           WsCoalesced *ret)
{
    guint64 end = start + (guint64)warp_size * bytes; /* exclusive */
    ret->contiguous = TRUE;
    if (G_LIKELY(warp_size * bytes == WS_LINE_BYTES && start % WS_LINE_BYTES == 0)) {
        ret->line_count = 1;
        ret->sectors = WS_SECTORS_PER_LINE;
        ret->wavefronts = (warp_size + WS_ARRAY_BANKS - 1) / WS_ARRAY_BANKS;
        ret->part[0] = (WsLinePart){.line = start / WS_LINE_BYTES,
                                    .lanes = low_lanes(warp_size),
                                    .sectors = (1u << WS_SECTORS_PER_LINE) - 1};
        return;
    }
    ret->line_count = 0;
    ret->sectors = (guint32)((end - 1) / WS_SECTOR_BYTES - start / WS_SECTOR_BYTES + 1);
    guint32 lane = 0;
    for (guint64 line = start / WS_LINE_BYTES; line <= (end - 1) / WS_LINE_BYTES; line++) {
        guint64 from = MAX(start, line * WS_LINE_BYTES);
        guint64 to = MIN(end, (line + 1) * WS_LINE_BYTES);
        guint32 lanes = (guint32)((to - from) / bytes);
        guint32 first = (guint32)(from / WS_SECTOR_BYTES % WS_SECTORS_PER_LINE);
        guint32 last = (guint32)((to - 1) / WS_SECTOR_BYTES % WS_SECTORS_PER_LINE);
        ret->part[ret->line_count++] =
            (WsLinePart){.line = line,
                         .lanes = lane_range(lane, lane + lanes - 1),
                         .sectors = (guint8)((2u << last) - (1u << first))};
        lane += lanes;
    }
    /* A group spans 128 bytes, hence at most two lines and no bank twice. */
    guint32 group = ws_bank_group_lanes(WS_ARRAY_BANKS, bytes);
    guint32 groups = (warp_size + group - 1) / group;
    guint32 lines_of_group = start % WS_LINE_BYTES == 0 ? 1 : 2;
    ret->wavefronts = groups * ((lines_of_group + tags_per_pass - 1) / tags_per_pass);
}

void ws_coalesce_same(guint64 address, guint64 mask, guint32 warp_size, guint32 bytes,
                      WsCoalesced *ret)
{
    guint32 group = ws_bank_group_lanes(WS_ARRAY_BANKS, bytes);
    ret->contiguous = FALSE;
    ret->line_count = 1;
    ret->sectors = 1;
    ret->wavefronts = 0;
    ret->part[0] = (WsLinePart){
        .line = address / WS_LINE_BYTES, .lanes = mask, .sectors = sector_bit(address)};
    for (guint32 first = 0; first < warp_size; first += group)
        ret->wavefronts += (mask >> first & low_lanes(group)) != 0;
}

/* Number of the part that holds `line`, added if it is new. */
static guint32 find_part(WsCoalesced *ret, guint8 slots[WS_SLOTS], guint64 line)
{
    guint32 slot = (guint32)(line ^ (line >> 7) ^ (line >> 14)) % WS_SLOTS;
    while (slots[slot] != WS_NO_ENTRY) {
        if (ret->part[slots[slot]].line == line)
            return slots[slot];
        slot = (slot + 1) % WS_SLOTS;
    }
    slots[slot] = (guint8)ret->line_count;
    ret->part[ret->line_count] = (WsLinePart){.line = line};
    return ret->line_count++;
}

/* FALSE if the lanes, of which there is one, access more than one line. */
static gboolean collect_one_line(const guint64 *address, guint64 mask, WsCoalesced *ret)
{
    guint64 line = address[__builtin_ctzll(mask)] / WS_LINE_BYTES, difference = 0;
    guint8 sectors = 0;
    if (address[63 - __builtin_clzll(mask)] / WS_LINE_BYTES != line)
        return FALSE;
    for (guint64 rest = mask; rest != 0; rest &= rest - 1) {
        guint64 own = address[__builtin_ctzll(rest)];
        difference |= own / WS_LINE_BYTES ^ line;
        sectors |= sector_bit(own);
    }
    if (difference != 0)
        return FALSE;
    ret->part[0] = (WsLinePart){.line = line, .lanes = mask, .sectors = sectors};
    ret->line_count = 1;
    ret->sectors += ws_sector_count(sectors);
    return TRUE;
}

static void collect_lines(const guint64 *address, guint64 mask, WsCoalesced *ret)
{
    if (collect_one_line(address, mask, ret))
        return;
    guint8 slots[WS_SLOTS];
    memset(slots, WS_NO_ENTRY, sizeof slots);
    guint32 last = G_MAXUINT32;
    for (guint64 rest = mask; rest != 0; rest &= rest - 1) {
        guint32 lane = (guint32)__builtin_ctzll(rest);
        guint64 line = address[lane] / WS_LINE_BYTES;
        if (last == G_MAXUINT32 || ret->part[last].line != line)
            last = find_part(ret, slots, line);
        ret->part[last].lanes |= G_GUINT64_CONSTANT(1) << lane;
        ret->part[last].sectors |= sector_bit(address[lane]);
    }
    for (guint32 i = 0; i < ret->line_count; i++)
        ret->sectors += ws_sector_count(ret->part[i].sectors);
}

static guint32 lines_in_group(const WsCoalesced *coalesced, guint64 lanes)
{
    guint32 lines = 0;
    for (guint32 i = 0; i < coalesced->line_count; i++)
        lines += (coalesced->part[i].lanes & lanes) != 0;
    return lines;
}

static guint32 count_wavefronts(const guint64 *address, guint64 mask, guint32 warp_size,
                                guint32 bytes, guint32 tags_per_pass, const WsCoalesced *coalesced)
{
    guint32 group = ws_bank_group_lanes(WS_ARRAY_BANKS, bytes);
    guint32 wavefronts = 0;
    for (guint32 first = 0; first < warp_size; first += group) {
        guint64 lanes = mask & low_lanes(MIN(first + group, warp_size)) & ~low_lanes(first);
        if (lanes == 0)
            continue;
        guint32 lines = lines_in_group(coalesced, lanes);
        if (lines == 1) { /* a line has no bank twice */
            wavefronts++;
            continue;
        }
        guint32 deepest = ws_bank_depth(address, lanes, bytes, WS_ARRAY_BANKS);
        wavefronts += MAX(deepest, (lines + tags_per_pass - 1) / tags_per_pass);
    }
    return wavefronts;
}

void ws_coalesce(const guint64 *address, guint64 mask, guint32 warp_size, guint32 bytes,
                 guint32 tags_per_pass, WsCoalesced *ret)
{
    if (mask == low_lanes(warp_size) && is_contiguous(address, warp_size, bytes)) {
        ws_coalesce_ascending(address[0], warp_size, bytes, tags_per_pass, ret);
        return;
    }
    ret->contiguous = FALSE;
    ret->line_count = 0;
    ret->sectors = 0;
    ret->wavefronts = 0;
    if (mask == 0)
        return;
    collect_lines(address, mask, ret);
    ret->wavefronts = count_wavefronts(address, mask, warp_size, bytes, tags_per_pass, ret);
}
