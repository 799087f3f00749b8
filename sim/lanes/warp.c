/*
 * Instructions in which lanes see each other. The lanes that take part are those of the mask:
 * active, with the guard true, and those that met them in WARPSYNC at another operation of the kind
 * (sim/lanes/exchange.h).
 */
#include "sim/lanes/loop.h"

enum { LANES = 32 }; /* decoding refuses the ones that name lanes at other warp sizes */

/* Lanes elsewhere that take part in the operation of `mask`; it is over for the lanes of `mask`. */
static guint32 elsewhere(WsWarpRegisters *warp, guint64 mask)
{
    WsExchange *exchange = &warp->exchange;
    if (G_LIKELY((exchange->open & mask) == 0))
        return 0;
    exchange->open &= ~(guint32)mask;
    exchange->certain &= ~(guint32)mask;
    return exchange->with[__builtin_ctzll(mask)] & ~(guint32)mask;
}

/*
 * SHFL as in PTX: Sc holds the clamp in bits 0..4 and the segment mask in bits 8..12. A lane whose
 * source is out of range keeps its own value and gets Pd false. PTX leaves the value read from a
 * lane that does not take part undefined; an H200 reads 0.
 */
static gint source_lane(guint mode, guint lane, guint32 b, guint32 c, gboolean *ret_in_range)
{
    guint offset = b & 31, clamp = c & 31, segment = c >> 8 & 31;
    guint low = lane & segment, high = low | (clamp & ~segment);
    gint source;
    switch (mode) {
    case WS_SHUFFLE_UP:
        source = (gint)lane - (gint)offset;
        *ret_in_range = source >= (gint)high;
        break;
    case WS_SHUFFLE_DOWN:
        source = (gint)(lane + offset);
        *ret_in_range = source <= (gint)high;
        break;
    case WS_SHUFFLE_BFLY:
        source = (gint)(lane ^ offset);
        *ret_in_range = source <= (gint)high;
        break;
    default:
        source = (gint)(low | (offset & ~segment & 31));
        *ret_in_range = source <= (gint)high;
        break;
    }
    return *ret_in_range ? source : (gint)lane;
}

void WS_NAME(SHFL)(WS_ARGUMENTS)
{
    guint32 value[LANES];
    guint64 in_range = 0;
    guint mode = ws_decoded_modifier(instruction, SHUFFLE);
    guint32 others = elsewhere(warp, mask);
    for (guint64 rest = mask; rest; rest &= rest - 1) {
        guint lane = (guint)__builtin_ctzll(rest);
        gboolean valid;
        gint source = source_lane(mode, lane, ws_row_value(program, warp, instruction->b, lane),
                                  ws_row_value(program, warp, instruction->c, lane), &valid);
        guint from = (guint)source & (LANES - 1);
        if (G_LIKELY(mask >> from & 1))
            value[lane] = ws_row_value(program, warp, instruction->a, from);
        else
            value[lane] = others >> from & 1 ? (guint32)warp->exchange.value[from] : 0;
        in_range |= (guint64)(valid != 0) << lane;
    }
    for (guint64 rest = instruction->d >= 0 ? mask : 0; rest; rest &= rest - 1) {
        guint lane = (guint)__builtin_ctzll(rest);
        warp->registers[(gsize)instruction->d * LANES + lane] = value[lane];
    }
    ws_write_predicate(warp, instruction->predicate_out & 7, mask, in_range);
}

/* The lanes for which Pp holds; in `ret_result` whether all, any or equal. */
static guint64 vote(const WsDecoded *instruction, WsWarpRegisters *warp, guint64 mask,
                    gboolean *ret_result)
{
    guint64 holds = ws_predicate_mask(warp, instruction->predicate_in & 15) & mask;
    /* A vote on what is always true only asks who is there, __activemask(), as a rule. */
    guint64 all = mask;
    if ((instruction->predicate_in & 15) != WS_PT || (warp->exchange.certain & mask) != 0)
        all |= elsewhere(warp, mask);
    for (guint64 rest = all & ~mask; rest; rest &= rest - 1)
        holds |= warp->exchange.value[__builtin_ctzll(rest)] << __builtin_ctzll(rest);
    guint mode = ws_decoded_modifier(instruction, VOTE);
    *ret_result = mode == WS_VOTE_ALL   ? holds == all
                  : mode == WS_VOTE_ANY ? holds != 0
                                        : holds == all || holds == 0;
    return holds;
}

void WS_NAME(VOTE)(WS_ARGUMENTS)
{
    gboolean result;
    guint64 holds = vote(instruction, warp, mask, &result);
    for (guint64 rest = instruction->d >= 0 ? mask : 0; rest; rest &= rest - 1) {
        guint lane = (guint)__builtin_ctzll(rest);
        warp->registers[(gsize)instruction->d * program->warp_size + lane] = (guint32)holds;
    }
    ws_write_predicate(warp, instruction->predicate_out & 7, mask, result ? mask : 0);
}

void WS_NAME(VOTEU)(WS_ARGUMENTS)
{
    if (!mask) {
        return;
    }
    gboolean result;
    guint64 holds = vote(instruction, warp, mask, &result);
    guint number = instruction->predicate_out & 7;
    if (instruction->d >= 0) {
        ws_set_uniform(program, warp, (guint)instruction->d, (guint32)holds);
    }
    if (number != WS_PT) {
        ws_set_uniform_predicate(warp, number, result);
    }
}

static guint64 match_key(const WsDecodedProgram *program, const WsDecoded *instruction,
                         const WsWarpRegisters *warp, guint64 mask, guint lane)
{
    if (!(mask >> lane & 1))
        return warp->exchange.value[lane];
    gint row = instruction->a, next = row < 0 ? row - 1 : row + 1;
    guint64 low = ws_row_value(program, warp, row, lane);
    return ws_decoded_modifier(instruction, MATCH_WIDTH)
               ? low | (guint64)ws_row_value(program, warp, next, lane) << 32
               : low;
}

void WS_NAME(MATCH)(WS_ARGUMENTS)
{
    guint32 group[LANES] = {0};
    guint64 all = mask | elsewhere(warp, mask);
    for (guint64 rest = all; rest;) {
        guint first = (guint)__builtin_ctzll(rest);
        guint64 key = match_key(program, instruction, warp, mask, first), same = 0;
        for (guint64 other = rest; other; other &= other - 1) {
            guint lane = (guint)__builtin_ctzll(other);
            same |= (guint64)(match_key(program, instruction, warp, mask, lane) == key) << lane;
        }
        for (guint64 member = same; member; member &= member - 1) {
            group[__builtin_ctzll(member)] = (guint32)same;
        }
        rest &= ~same;
    }
    gboolean every = ws_decoded_modifier(instruction, MATCH) == WS_MATCH_ALL;
    gboolean equal = mask && group[__builtin_ctzll(mask)] == (guint32)all;
    for (guint64 rest = instruction->d >= 0 ? mask : 0; rest; rest &= rest - 1) {
        guint lane = (guint)__builtin_ctzll(rest);
        warp->registers[(gsize)instruction->d * LANES + lane] = every && !equal ? 0 : group[lane];
    }
    ws_write_predicate(warp, instruction->predicate_out & 7, mask, equal ? mask : 0);
}

static guint32 reduce(guint operation, gboolean is_signed, guint32 x, guint32 y)
{
    gboolean less = is_signed ? (gint32)x < (gint32)y : x < y;
    switch (operation) {
    case WS_REDUX_SUM:
        return x + y;
    case WS_REDUX_MIN:
        return less ? x : y;
    case WS_REDUX_MAX:
        return less ? y : x;
    case WS_REDUX_AND:
        return x & y;
    case WS_REDUX_OR:
        return x | y;
    default:
        return x ^ y;
    }
}

void WS_NAME(REDUX)(WS_ARGUMENTS)
{
    if (!mask || instruction->d < 0) {
        return;
    }
    guint operation = ws_decoded_modifier(instruction, REDUX);
    gboolean is_signed = ws_decoded_modifier(instruction, REDUX_TYPE);
    guint64 rest = mask & (mask - 1);
    guint32 total = ws_row_value(program, warp, instruction->a, (guint)__builtin_ctzll(mask));
    for (; rest; rest &= rest - 1) {
        guint lane = (guint)__builtin_ctzll(rest);
        total =
            reduce(operation, is_signed, total, ws_row_value(program, warp, instruction->a, lane));
    }
    for (guint64 others = elsewhere(warp, mask); others; others &= others - 1)
        total = reduce(operation, is_signed, total,
                       (guint32)warp->exchange.value[__builtin_ctzll(others)]);
    ws_set_uniform(program, warp, (guint)instruction->d, total);
}
