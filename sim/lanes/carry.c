/* Integer bodies with predicates as further results: carries, "found", "not zero". */
#include "sim/lanes/integer.h"

static const guint8 words_1111[4] = {1, 1, 1, 1};
static const guint8 words_2112[4] = {2, 1, 1, 2};
static const guint8 words_1112[4] = {1, 1, 1, 2};
static const guint8 words_1010[4] = {1, 0, 1, 0};

/* From the first lane of the mask to the last: often all, or one that is alone. */
#define FOR_LANES(mask)                                                                            \
    for (guint lane = (mask) ? (guint)__builtin_ctzll(mask) : 64,                                  \
               end = (mask) ? 64u - (guint)__builtin_clzll(mask) : 0;                              \
         lane < end; lane++)

WS_INLINE gboolean lane_on(guint64 lanes, guint lane)
{
    return lanes >> lane & 1;
}

WS_INLINE void put(WsRows *rows, guint64 mask, guint lane, guint32 value)
{
    rows->d[lane] = lane_on(mask, lane) ? value : rows->d[lane];
}

/*
 * A minus is a complement, and without .X a one per minus is added, so that the carry of a - b is
 * "no borrow" for b = 0 too. The sum of three words carries up to 2: Pd is 1 or more, Pe is 2.
 */
void WS_NAME(IADD3_CARRY)(WS_ARGUMENTS)
{
    WsScratch scratch;
    WsRows rows =
        WS_NAME(prepare)(program, instruction, warp, WS_PREPARE_BITS, words_1111, &scratch);
    guint flags = instruction->flags;
    gboolean extended = ws_decoded_modifier(instruction, EXTENDED);
    guint minuses = (flags & 1) + (flags >> 2 & 1) + (flags >> 4 & 1);
    guint64 p = extended ? ws_predicate_mask(warp, instruction->predicate_in & 15) : 0;
    guint64 q = extended ? ws_predicate_mask(warp, instruction->predicate_in >> 4) : 0;
    guint64 one = 0, two = 0;
    FOR_LANES(mask)
    {
        guint64 sum = (guint64)rows.a[lane] + rows.b[lane] + rows.c[lane];
        sum += (extended ? 0 : minuses) + (p >> lane & 1) + (q >> lane & 1);
        one |= (guint64)(sum >> 32 >= 1) << lane;
        two |= (guint64)(sum >> 32 >= 2) << lane;
        put(&rows, mask, lane, (guint32)sum);
    }
    ws_write_predicate(warp, instruction->predicate_out & 7, mask, one);
    ws_write_predicate(warp, instruction->predicate_out >> 4 & 7, mask, two);
}

void WS_NAME(LEA_CARRY)(WS_ARGUMENTS)
{
    WsScratch scratch;
    WsRows rows =
        WS_NAME(prepare)(program, instruction, warp, WS_PREPARE_PLAIN, words_1111, &scratch);
    guint flags = instruction->flags, shift = instruction->immediate & 31;
    gboolean extended = ws_decoded_modifier(instruction, EXTENDED);
    guint64 p = extended ? ws_predicate_mask(warp, instruction->predicate_in & 15) : 0, carry = 0;
    FOR_LANES(mask)
    {
        guint64 sum = ws_scaled_sum(rows.a[lane], rows.b[lane], rows.c[lane], shift, flags,
                                    (guint32)(p >> lane & 1));
        carry |= (guint64)(sum >> 32 != 0) << lane;
        put(&rows, mask, lane, (guint32)sum);
    }
    ws_write_predicate(warp, instruction->predicate_out & 7, mask, carry);
}

/* Carry out of the 64-bit sum, both sides taken as unsigned bit patterns. */
void WS_NAME(IMAD_WIDE_CARRY)(WS_ARGUMENTS)
{
    WsScratch scratch;
    WsRows rows =
        WS_NAME(prepare)(program, instruction, warp, WS_PREPARE_INTEGER, words_2112, &scratch);
    guint n = program->warp_size;
    guint64 carry = 0;
    FOR_LANES(mask)
    {
        guint64 product =
            ws_wide_product(rows.a[lane], rows.b[lane], instruction->flags, instruction->immediate);
        guint64 addend = rows.c[lane] | (guint64)rows.c[lane + n] << 32;
        guint64 sum = product + addend;
        carry |= (guint64)(sum < addend) << lane;
        put(&rows, mask, lane, (guint32)sum);
        rows.d[lane + n] = lane_on(mask, lane) ? (guint32)(sum >> 32) : rows.d[lane + n];
    }
    ws_write_predicate(warp, instruction->predicate_out & 7, mask, carry);
}

void WS_NAME(IMAD_HI_WIDE)(WS_ARGUMENTS)
{
    WsScratch scratch;
    WsRows rows =
        WS_NAME(prepare)(program, instruction, warp, WS_PREPARE_INTEGER, words_1112, &scratch);
    guint n = program->warp_size;
    guint64 carry = 0;
    FOR_LANES(mask)
    {
        guint64 product =
            ws_wide_product(rows.a[lane], rows.b[lane], instruction->flags, instruction->immediate);
        guint64 addend = rows.c[lane] | (guint64)rows.c[lane + n] << 32;
        guint64 sum = product + addend;
        carry |= (guint64)(sum < addend) << lane;
        put(&rows, mask, lane, (guint32)(sum >> 32));
    }
    ws_write_predicate(warp, instruction->predicate_out & 7, mask, carry);
}

void WS_NAME(LOP3_PREDICATE)(WS_ARGUMENTS)
{
    WsScratch scratch;
    WsRows rows =
        WS_NAME(prepare)(program, instruction, warp, WS_PREPARE_PLAIN, words_1111, &scratch);
    guint64 bits = ws_predicate_mask(warp, instruction->predicate_in & 15);
    FOR_LANES(mask)
    {
        guint32 result =
            ws_table_of_bits(rows.a[lane], rows.b[lane], rows.c[lane], instruction->immediate);
        bits |= (guint64)(result != 0) << lane;
        put(&rows, mask, lane, result);
    }
    ws_write_predicate(warp, instruction->predicate_out & 7, mask, bits);
}

void WS_NAME(FLO)(WS_ARGUMENTS)
{
    WsScratch scratch;
    WsRows rows =
        WS_NAME(prepare)(program, instruction, warp, WS_PREPARE_BITS, words_1010, &scratch);
    guint64 found = 0;
    FOR_LANES(mask)
    {
        guint32 position = ws_leading_bit(rows.b[lane], instruction->flags);
        found |= (guint64)(position != ~0u) << lane;
        put(&rows, mask, lane, position);
    }
    ws_write_predicate(warp, instruction->predicate_out & 7, mask, found);
}

/* ---- predicates --------------------------------------------------------------------------------
 */

/* immediate: Ib, Ic << 8, Pr << 16, whether that one is uniform << 20. */
void WS_NAME(PLOP3)(WS_ARGUMENTS)
{
    guint32 k = instruction->immediate;
    guint64 p = ws_predicate_mask(warp, instruction->predicate_in & 15);
    guint64 q = ws_predicate_mask(warp, instruction->predicate_in >> 4);
    guint64 r = k >> 20 & 1 ? ws_uniform_predicate_mask(warp, k >> 16 & 15)
                            : ws_predicate_mask(warp, k >> 16 & 15);
    ws_write_predicate(warp, instruction->predicate_out & 7, mask,
                       ws_predicate_table(p, q, r, k & 0xff));
    ws_write_predicate(warp, instruction->predicate_out >> 4 & 7, mask,
                       ws_predicate_table(p, q, r, k >> 8 & 0xff));
}

void WS_NAME(P2R)(WS_ARGUMENTS)
{
    static const guint8 words[4] = {1, 1, 0, 0};
    WsScratch scratch;
    WsRows rows = WS_NAME(prepare)(program, instruction, warp, WS_PREPARE_PLAIN, words, &scratch);
    guint32 chosen = instruction->immediate & 0x7f;
    FOR_LANES(mask)
    {
        guint32 bits = 0;
        for (guint number = 0; number < WS_PT; number++) {
            bits |= (guint32)(warp->predicates[number] >> lane & 1) << number;
        }
        put(&rows, mask, lane, (rows.a[lane] & ~chosen) | (bits & chosen));
    }
}

void WS_NAME(R2P)(WS_ARGUMENTS)
{
    for (guint number = 0; number < WS_PT; number++) {
        guint64 bits = 0;
        FOR_LANES(mask)
        {
            guint32 word = ws_row_value(program, warp, instruction->a, lane);
            bits |= (guint64)(word >> number & 1) << lane;
        }
        if (instruction->immediate >> number & 1) {
            ws_write_predicate(warp, number, mask, bits);
        }
    }
}

/* For an instruction all of whose results are dropped. */
void WS_NAME(NOTHING)(WS_ARGUMENTS)
{
}
