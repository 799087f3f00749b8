/* Addresses of memory instructions, for a whole warp at a time. */
#include "sim/lanes/loop.h"

/* What the lanes share: base + offset + uniform register, in 64 or 32 bits. */
typedef struct {
    const guint32 *low, *high; /* rows */
    guint64 added;
    gboolean wide;
} Parts;

static void find_parts(const WsDecodedProgram *program, const WsDecoded *instruction,
                       const WsWarpRegisters *warp, Parts *ret)
{
    guint n = program->warp_size, uniform = instruction->immediate >> 24;
    gint32 offset = (gint32)(instruction->immediate << 8) >> 8;
    ret->wide = ws_decoded_modifier(instruction, ADDRESS);
    ret->low = instruction->a >= 0 ? warp->registers + (gsize)instruction->a * n : program->pool;
    ret->high = ret->wide ? ret->low + n : ret->low; /* not looked at without */
    ret->added = (guint64)(gint64)offset;
    if (uniform < WS_URZ) {
        ret->added += warp->uniform[uniform];
        ret->added += ret->wide ? (guint64)warp->uniform[uniform + 1] << 32 : 0;
    }
}

static void measure(const guint64 *address, guint64 mask, guint32 bytes, WsAddressSpan *ret)
{
    guint64 low = G_MAXUINT64, high = 0, bits = 0;
    for (; mask != 0; mask &= mask - 1) {
        guint64 value = address[__builtin_ctzll(mask)];
        low = MIN(low, value);
        high = MAX(high, value);
        bits |= value;
    }
    *ret = (WsAddressSpan){.low = low, .high = high, .misaligned = bits & (bytes - 1)};
}

/* The same for all of 32 lanes, eight at a time. */
static void measure_all(const guint64 *address, guint32 bytes, WsAddressSpan *ret)
{
    guint64 low[WS_CHUNK], high[WS_CHUNK], bits[WS_CHUNK];
    for (guint i = 0; i < WS_CHUNK; i++) {
        low[i] = high[i] = bits[i] = address[i];
    }
    for (guint lane = WS_CHUNK; lane < 32; lane += WS_CHUNK) {
        for (guint i = 0; i < WS_CHUNK; i++) {
            low[i] = MIN(low[i], address[lane + i]);
            high[i] = MAX(high[i], address[lane + i]);
            bits[i] |= address[lane + i];
        }
    }
    for (guint i = 1; i < WS_CHUNK; i++) {
        low[0] = MIN(low[0], low[i]);
        high[0] = MAX(high[0], high[i]);
        bits[0] |= bits[i];
    }
    *ret = (WsAddressSpan){.low = low[0], .high = high[0], .misaligned = bits[0] & (bytes - 1)};
}

/* All of 32 lanes whose addresses have 32 bits, eight at a time. */
static void measure_narrow(const guint32 *address, guint32 bytes, WsAddressSpan *ret)
{
    static const guint8 first[] = {0, WS_CHUNK, 2 * WS_CHUNK, 31 - WS_CHUNK};
    guint32 low[WS_CHUNK], high[WS_CHUNK], bits[WS_CHUNK], falls[WS_CHUNK] = {0};
    for (guint i = 0; i < WS_CHUNK; i++)
        low[i] = high[i] = bits[i] = address[i];
    for (guint lane = WS_CHUNK; lane < 32; lane += WS_CHUNK)
        for (guint i = 0; i < WS_CHUNK; i++) {
            low[i] = MIN(low[i], address[lane + i]);
            high[i] = MAX(high[i], address[lane + i]);
            bits[i] |= address[lane + i];
        }
    for (guint k = 0; k < G_N_ELEMENTS(first); k++)
        for (guint i = 0; i < WS_CHUNK; i++)
            falls[i] |= (gint32)address[first[k] + i] >= (gint32)address[first[k] + i + 1];
    for (guint i = 1; i < WS_CHUNK; i++) {
        low[0] = MIN(low[0], low[i]);
        high[0] = MAX(high[0], high[i]);
        bits[0] |= bits[i];
        falls[0] |= falls[i];
    }
    *ret = (WsAddressSpan){.low = low[0],
                           .high = high[0],
                           .rising = falls[0] == 0 && high[0] <= G_MAXINT32,
                           .misaligned = bits[0] & (bytes - 1)};
}

/* Addresses of 32 lanes in 32 bits, not all of one kind. */
static void find_narrow(const Parts *parts, guint32 bytes, guint64 ret_address[WS_MAX_WARP_SIZE],
                        WsAddressSpan *ret_span)
{
    guint32 address[32];
    for (guint lane = 0; lane < 32; lane++)
        address[lane] = parts->low[lane] + (guint32)parts->added;
    measure_narrow(address, bytes, ret_span);
    for (guint lane = 0; lane < 32; lane++)
        ret_address[lane] = address[lane];
}

/*
 * 32 lanes, each right behind the one before, without a carry into the upper word, or all at one
 * address.
 */
static gboolean is_regular(const Parts *parts, guint32 bytes, guint64 address[WS_MAX_WARP_SIZE],
                           WsAddressSpan *ret)
{
    guint64 keep = parts->wide ? ~(guint64)0 : 0xffffffffu;
    guint64 low = (parts->low[0] | (guint64)parts->high[0] << 32) + parts->added;
    guint32 first = parts->low[0], top = parts->high[0], difference = 0, others = 0, apart = 0;
    address[0] = low & keep;
    if (parts->low[1] != first && parts->low[1] != first + bytes)
        return FALSE;
    for (guint lane = 0; lane < 32; lane++) {
        difference |= parts->low[lane] ^ (first + lane * bytes);
        others |= parts->low[lane] ^ first;
        apart |= parts->high[lane] ^ top;
    }
    low &= keep;
    if ((difference != 0 && others != 0) || (parts->wide && apart != 0))
        return FALSE;
    if (others == 0) {
        for (guint lane = 1; lane < 32; lane++)
            address[lane] = low;
        *ret = (WsAddressSpan){.low = low, .high = low, .misaligned = low & (bytes - 1)};
        return TRUE;
    }
    if (first > parts->low[31] || low > keep - 31 * bytes)
        return FALSE;
    *ret = (WsAddressSpan){
        .low = low, .high = low + 31 * bytes, .misaligned = low & (bytes - 1), .ascending = TRUE};
    return TRUE;
}

void WS_NAME(addresses)(const WsDecodedProgram *program, const WsDecoded *instruction,
                        const WsWarpRegisters *warp, guint64 mask, guint32 bytes,
                        guint64 ret_address[WS_MAX_WARP_SIZE], WsAddressSpan *ret_span)
{
    Parts parts;
    guint n = program->warp_size;
    find_parts(program, instruction, warp, &parts);
    if (n == 32 && mask == 0xffffffffu) {
        guint64 first = (parts.low[0] | (guint64)parts.high[0] << 32) + parts.added, difference = 0;
        if (is_regular(&parts, bytes, ret_address, ret_span))
            return;
        if (!parts.wide) {
            find_narrow(&parts, bytes, ret_address, ret_span);
            return;
        }
        for (guint lane = 0; lane < 32; lane++) {
            guint64 address = (parts.low[lane] | (guint64)parts.high[lane] << 32) + parts.added;
            ret_address[lane] = address;
            difference |= address ^ (first + (guint64)lane * bytes);
        }
        if (difference == 0 && ret_address[0] <= ret_address[31]) {
            *ret_span = (WsAddressSpan){.low = ret_address[0],
                                        .high = ret_address[31],
                                        .misaligned = ret_address[0] & (bytes - 1),
                                        .ascending = TRUE};
            return;
        }
        measure_all(ret_address, bytes, ret_span);
        return;
    }
    for (guint lane = 0; lane < n; lane++) {
        guint64 high = parts.wide ? parts.high[lane] : 0;
        guint64 address = (parts.low[lane] | high << 32) + parts.added;
        address = parts.wide ? address : (guint32)address;
        ret_address[lane] = mask >> lane & 1 ? address : ret_address[lane];
    }
    measure(ret_address, mask, bytes, ret_span);
}
