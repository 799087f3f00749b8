/* Integer arithmetic of one lane, or of the one value of the uniform datapath. */
#ifndef WS_SIM_LANES_INTEGER_H
#define WS_SIM_LANES_INTEGER_H

#include "sim/lanes/loop.h"

/* Modifier of one bit, from the flags of a decoded instruction. */
#define WS_BIT_OF(f, GROUP) ((f) >> WS_FIELD_##GROUP & 1u)

/*
 * 64-bit product of two words. A minus on Ra or Sb negates the whole product (it matters for the
 * smallest integer): decoding moves it from the operands to bit 0 of k.
 */
WS_INLINE guint64 ws_wide_product(guint32 a, guint32 b, guint32 f, guint32 k)
{
    guint64 with_sign = (guint64)((gint64)(gint32)a * (gint32)b);
    guint64 without = (guint64)a * b;
    guint64 value = WS_BIT_OF(f, UNSIGNED) ? without : with_sign;
    return k & 1 ? 0 - value : value;
}

/* Bit (4 a + 2 b + c) of the table, for every bit of the words. */
WS_INLINE guint32 ws_table_of_bits(guint32 a, guint32 b, guint32 c, guint32 table)
{
    guint32 result = 0;
    for (guint row = 0; row < 8; row++) {
        guint32 chosen = 0u - (table >> row & 1u);
        guint32 here = (row & 4 ? a : ~a) & (row & 2 ? b : ~b) & (row & 1 ? c : ~c);
        result |= here & chosen;
    }
    return result;
}

/* Funnel shift of c:a. U64 and S64 shift the pair by up to 64, U32 and S32 by up to 32. */
WS_INLINE guint32 ws_funnel(guint32 a, guint32 b, guint32 c, guint32 f)
{
    guint type = f >> WS_FIELD_SHIFT_TYPE & 3;
    gboolean wide = type == WS_SHIFT_U64 || type == WS_SHIFT_S64;
    gboolean with_sign = type == WS_SHIFT_S32 || type == WS_SHIFT_S64;
    guint32 limit = wide ? 64 : 32;
    guint32 amount = WS_BIT_OF(f, WRAP) ? b & (limit - 1) : b < limit ? b : limit;
    guint64 pair = a | (guint64)c << 32, value;
    guint32 half = amount / 2, rest = amount - half; /* two steps: neither reaches 64 */
    if (WS_BIT_OF(f, DIRECTION) == WS_DIRECTION_LEFT) {
        value = pair << half << rest;
    } else if (with_sign) {
        value = (guint64)((gint64)pair >> half >> rest);
    } else {
        value = pair >> half >> rest;
    }
    return WS_BIT_OF(f, HIGH) ? (guint32)(value >> 32) : (guint32)value;
}

/* The shifted part of LEA: (a << k), or with .HI the word above it. */
WS_INLINE guint32 ws_scaled(guint32 a, guint32 c, guint32 k, guint32 f)
{
    guint64 pair = a | (guint64)(WS_BIT_OF(f, SIGN) ? 0u - (a >> 31) : c) << 32;
    return WS_BIT_OF(f, HIGH) ? (guint32)(pair >> (32 - (k & 31))) : a << (k & 31);
}

/*
 * LEA: the shifted part + b, with the carry in bit 32. A minus is a complement, and without .X a
 * one per minus is added; with .X `in` is the carry.
 */
WS_INLINE guint64 ws_scaled_sum(guint32 a, guint32 b, guint32 c, guint32 k, guint32 f, guint32 in)
{
    guint32 scaled = ws_scaled(a, c, k, f), minuses = (f & 1) + (f >> 2 & 1);
    guint32 x = f & WS_NEGATE_A ? ~scaled : scaled, y = f & WS_NEGATE_A << 2 ? ~b : b;
    return (guint64)x + y + (WS_BIT_OF(f, EXTENDED) ? in : minuses);
}

/* Byte `selector` of c:a; bit 3 replicates its sign. */
WS_INLINE guint32 ws_picked_byte(guint64 pair, guint32 selector)
{
    guint32 byte = (guint32)(pair >> (8 * (selector & 7))) & 0xff;
    return selector & 8 ? (byte & 0x80 ? 0xffu : 0) : byte;
}

/* Selectors of the six special modes, a nibble a byte, by the two low bits of Sb (PTX: prmt). */
static const guint16 ws_permute_table[8][4] = {
    {0, 0, 0, 0},
    {0x3210, 0x4321, 0x5432, 0x6543}, /* F4E */
    {0x5670, 0x6701, 0x7012, 0x0123}, /* B4E */
    {0x0000, 0x1111, 0x2222, 0x3333}, /* RC8 */
    {0x3210, 0x3211, 0x3222, 0x3333}, /* ECL */
    {0x0000, 0x1110, 0x2210, 0x3210}, /* ECR */
    {0x1010, 0x3232, 0x1010, 0x3232}, /* RC16 */
};

WS_INLINE guint32 ws_permute(guint32 a, guint32 b, guint32 c, guint mode)
{
    guint64 pair = a | (guint64)c << 32;
    guint32 selectors = mode ? ws_permute_table[mode][b & 3] : b;
    return ws_picked_byte(pair, selectors & 15) | ws_picked_byte(pair, selectors >> 4 & 15) << 8 |
           ws_picked_byte(pair, selectors >> 8 & 15) << 16 |
           ws_picked_byte(pair, selectors >> 12 & 15) << 24;
}

/* b ones from bit a; position and length clamped to 32, or modulo 32 with .W. */
WS_INLINE guint32 ws_bit_mask(guint32 a, guint32 b, gboolean wrap)
{
    guint32 start = wrap ? a & 31 : a < 32 ? a : 32;
    guint32 length = wrap ? b & 31 : b < 32 ? b : 32;
    return (guint32)((((guint64)1 << length) - 1) << start);
}

/* The low b bits of a, extended; no bits give 0. */
WS_INLINE guint32 ws_extended_field(guint32 a, guint32 b, gboolean is_unsigned, gboolean wrap)
{
    guint32 length = wrap ? b & 31 : b < 32 ? b : 32;
    guint32 shift = (32 - length) & 31;
    guint32 with_sign = (guint32)((gint32)(a << shift) >> shift);
    return length == 0 ? 0 : is_unsigned ? a << shift >> shift : with_sign;
}

WS_INLINE guint32 ws_count_ones(guint32 x)
{
    x = x - (x >> 1 & 0x55555555u);
    x = (x & 0x33333333u) + (x >> 2 & 0x33333333u);
    x = (x + (x >> 4)) & 0x0f0f0f0fu;
    return x * 0x01010101u >> 24;
}

WS_INLINE guint32 ws_reversed_bits(guint32 x)
{
    x = (x & 0x55555555u) << 1 | (x >> 1 & 0x55555555u);
    x = (x & 0x33333333u) << 2 | (x >> 2 & 0x33333333u);
    x = (x & 0x0f0f0f0fu) << 4 | (x >> 4 & 0x0f0f0f0fu);
    return GUINT32_SWAP_LE_BE(x);
}

/* -1, 0, 1 as relations 1, 2, 4; ISETP keeps those that its comparison names. */
WS_INLINE guint32 ws_integer_relation(guint32 a, guint32 b, guint32 f, guint32 on)
{
    guint32 bias = WS_BIT_OF(f, UNSIGNED) << 31;
    gint32 x = (gint32)(a ^ bias), y = (gint32)(b ^ bias);
    guint32 relations = f >> WS_FIELD_ICMP & 7;
    guint32 here = (x < y ? 1u : x == y ? 2u : 4u) & relations;
    /* .X: the low words decide (Pq) where the high ones are equal. */
    return WS_BIT_OF(f, EXTENDED) ? (x == y ? on : here) : here;
}

/*
 * Position of the leading one, with .SH 31 - position, ~0 if there is none. Of a signed word the
 * leading bit that differs from the sign.
 */
WS_INLINE guint32 ws_leading_bit(guint32 word, guint32 f)
{
    guint32 bits = !WS_BIT_OF(f, UNSIGNED) && word >> 31 ? ~word : word;
    guint32 position = bits ? 31u - (guint32)__builtin_clz(bits) : ~0u;
    return bits && WS_BIT_OF(f, SHIFT_AMOUNT) ? 31 - position : position;
}

/* Bit (4 p + 2 q + r) of the table, for every lane. */
WS_INLINE guint64 ws_predicate_table(guint64 p, guint64 q, guint64 r, guint table)
{
    guint64 result = 0;
    for (guint row = 0; row < 8; row++) {
        guint64 here = (row & 4 ? p : ~p) & (row & 2 ? q : ~q) & (row & 1 ? r : ~r);
        result |= table >> row & 1 ? here : 0;
    }
    return result;
}

#endif
