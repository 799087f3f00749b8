/* Integer, logic and move bodies. */
#include "sim/lanes/loop.h"

#define BIT_OF(f, GROUP) ((f) >> WS_FIELD_##GROUP & 1u)

WS_BODY(IADD3, WS_PREPARE_INTEGER, 1, 1, 1, 1, a + b + c)
WS_BODY(IMAD, WS_PREPARE_INTEGER, 1, 1, 1, 1, a *b + c)
WS_BODY(MOV, WS_PREPARE_PLAIN, 1, 0, 1, 0, b)
WS_BODY(SEL, WS_PREPARE_PLAIN, 1, 1, 1, 0, on ? a : b)
WS_BODY(IABS, WS_PREPARE_PLAIN, 1, 0, 1, 0, (gint32)b < 0 ? 0u - b : b)

/*
 * 64-bit product of two words. A minus on Ra or Sb negates the whole product (it matters for the
 * smallest integer): decoding moves it from the operands to bit 0 of k.
 */
WS_INLINE guint64 product(guint32 a, guint32 b, guint32 f, guint32 k)
{
    guint64 with_sign = (guint64)((gint64)(gint32)a * (gint32)b);
    guint64 without = (guint64)a * b;
    guint64 value = BIT_OF(f, UNSIGNED) ? without : with_sign;
    return k & 1 ? 0 - value : value;
}

WS_BODY(IMAD_WIDE, WS_PREPARE_INTEGER, 2, 1, 1, 2, product(a, b, f, k) + c)
WS_BODY(IMAD_WIDE_X, WS_PREPARE_INTEGER, 2, 1, 1, 2, product(a, b, f, k) + c + (on ? 1u : 0u))
/* Sc is added to the high word. */
WS_BODY(IMAD_HI, WS_PREPARE_INTEGER, 1, 1, 1, 1, (guint32)(product(a, b, f, k) >> 32) + c)
WS_BODY(IMAD_X, WS_PREPARE_BITS, 1, 1, 1, 1, a *b + c + (on ? 1u : 0u))

WS_BODY(VIMNMX, WS_PREPARE_PLAIN, 1, 1, 1, 0,
        ((BIT_OF(f, UNSIGNED) ? a < b : (gint32)a < (gint32)b) != !on) ? a : b)
WS_BODY(VIADD, WS_PREPARE_INTEGER, 1, 1, 1, 0, a + b)
WS_BODY(VIADDMNMX, WS_PREPARE_PLAIN, 1, 1, 1, 1,
        ((BIT_OF(f, UNSIGNED) ? a + b < c : (gint32)(a + b) < (gint32)c) != !on) ? a + b : c)
WS_BODY(VABSDIFF, WS_PREPARE_PLAIN, 1, 1, 1, 1,
        ((BIT_OF(f, UNSIGNED) ? a < b : (gint32)a < (gint32)b) ? b - a : a - b) + c)

/* Sum of four byte products. DOT: 0 U8.U8, 1 S8.S8, 2 U8.S8, 3 S8.U8 (of Ra and Sb). */
WS_INLINE guint32 byte_product(guint32 a, guint32 b, guint shift, guint signs)
{
    gboolean a_signed = signs == 1 || signs == 3, b_signed = signs == 1 || signs == 2;
    guint32 x = a >> shift & 0xff, y = b >> shift & 0xff;
    x = a_signed ? (guint32)(gint32)(gint8)x : x;
    y = b_signed ? (guint32)(gint32)(gint8)y : y;
    return x * y;
}

#define SIGNS(f) ((f) >> WS_FIELD_DOT & 3u)
WS_BODY(IDP, WS_PREPARE_PLAIN, 1, 1, 1, 1,
        c + byte_product(a, b, 0, SIGNS(f)) + byte_product(a, b, 8, SIGNS(f)) +
            byte_product(a, b, 16, SIGNS(f)) + byte_product(a, b, 24, SIGNS(f)))

/* Bit (4 a + 2 b + c) of the table, for every bit of the words. */
WS_INLINE guint32 logic(guint32 a, guint32 b, guint32 c, guint32 table)
{
    guint32 result = 0;
    for (guint row = 0; row < 8; row++) {
        guint32 chosen = 0u - (table >> row & 1u);
        guint32 here = (row & 4 ? a : ~a) & (row & 2 ? b : ~b) & (row & 1 ? c : ~c);
        result |= here & chosen;
    }
    return result;
}

WS_BODY(LOP3, WS_PREPARE_PLAIN, 1, 1, 1, 1, logic(a, b, c, k))

/* The common forms: AND (0xc0), OR (0xfc) and XOR (0x3c) of Ra and Sb. */
WS_BODY(LOP3_PAIR, WS_PREPARE_PLAIN, 1, 1, 1, 0,
        (a & b & (0u - (k >> 7 & 1))) | ((a ^ b) & (0u - (k >> 5 & 1))))

/* Funnel shift of c:a. U64 and S64 shift the pair by up to 64, U32 and S32 by up to 32. */
WS_INLINE guint32 funnel(guint32 a, guint32 b, guint32 c, guint32 f)
{
    guint type = f >> WS_FIELD_SHIFT_TYPE & 3;
    gboolean wide = type == WS_SHIFT_U64 || type == WS_SHIFT_S64;
    gboolean with_sign = type == WS_SHIFT_S32 || type == WS_SHIFT_S64;
    guint32 limit = wide ? 64 : 32;
    guint32 amount = BIT_OF(f, WRAP) ? b & (limit - 1) : b < limit ? b : limit;
    guint64 pair = a | (guint64)c << 32, value;
    guint32 half = amount / 2, rest = amount - half; /* two steps: neither reaches 64 */
    if (BIT_OF(f, DIRECTION) == WS_DIRECTION_LEFT) {
        value = pair << half << rest;
    } else if (with_sign) {
        value = (guint64)((gint64)pair >> half >> rest);
    } else {
        value = pair >> half >> rest;
    }
    return BIT_OF(f, HIGH) ? (guint32)(value >> 32) : (guint32)value;
}

WS_BODY(SHF, WS_PREPARE_PLAIN, 1, 1, 1, 1, funnel(a, b, c, f))

/* The common forms: SHF.L.U32 with RZ above, SHF.R.*32.HI with RZ below. */
WS_BODY(SHF_LEFT, WS_PREPARE_PLAIN, 1, 1, 1, 0, b < 32 ? a << (b & 31) : 0)
WS_BODY(SHF_RIGHT, WS_PREPARE_PLAIN, 1, 0, 1, 1,
        k ? (guint32)((gint32)c >> (b < 32 ? b : 31)) : (b < 32 ? c >> (b & 31) : 0))

/* The shifted part of LEA: (a << k), or with .HI the word above it. */
WS_INLINE guint32 scaled(guint32 a, guint32 c, guint32 k, guint32 f)
{
    guint64 pair = a | (guint64)(BIT_OF(f, SIGN) ? 0u - (a >> 31) : c) << 32;
    return BIT_OF(f, HIGH) ? (guint32)(pair >> (32 - (k & 31))) : a << (k & 31);
}

WS_BODY(LEA, WS_PREPARE_PLAIN, 1, 1, 1, 1,
        (f & WS_NEGATE_A ? 0u - scaled(a, c, k, f) : scaled(a, c, k, f)) +
            (f & WS_NEGATE_A << 2 ? 0u - b : b))

/* Byte `selector` of c:a; bit 3 replicates its sign. */
WS_INLINE guint32 picked_byte(guint64 pair, guint32 selector)
{
    guint32 byte = (guint32)(pair >> (8 * (selector & 7))) & 0xff;
    return selector & 8 ? (byte & 0x80 ? 0xffu : 0) : byte;
}

/* Selectors of the six special modes, a nibble a byte, by the two low bits of Sb (PTX: prmt). */
static const guint16 permute_table[8][4] = {
    {0, 0, 0, 0},
    {0x3210, 0x4321, 0x5432, 0x6543}, /* F4E */
    {0x5670, 0x6701, 0x7012, 0x0123}, /* B4E */
    {0x0000, 0x1111, 0x2222, 0x3333}, /* RC8 */
    {0x3210, 0x3211, 0x3222, 0x3333}, /* ECL */
    {0x0000, 0x1110, 0x2210, 0x3210}, /* ECR */
    {0x1010, 0x3232, 0x1010, 0x3232}, /* RC16 */
};

WS_INLINE guint32 permute(guint32 a, guint32 b, guint32 c, guint mode)
{
    guint64 pair = a | (guint64)c << 32;
    guint32 selectors = mode ? permute_table[mode][b & 3] : b;
    return picked_byte(pair, selectors & 15) | picked_byte(pair, selectors >> 4 & 15) << 8 |
           picked_byte(pair, selectors >> 8 & 15) << 16 |
           picked_byte(pair, selectors >> 12 & 15) << 24;
}

WS_BODY(PRMT, WS_PREPARE_PLAIN, 1, 1, 1, 1, permute(a, b, c, f >> WS_FIELD_PRMT & 7))

/* b ones from bit a; position and length clamped to 32, or modulo 32 with .W. */
WS_INLINE guint32 bit_mask(guint32 a, guint32 b, gboolean wrap)
{
    guint32 start = wrap ? a & 31 : a < 32 ? a : 32;
    guint32 length = wrap ? b & 31 : b < 32 ? b : 32;
    return (guint32)((((guint64)1 << length) - 1) << start);
}

WS_BODY(BMSK, WS_PREPARE_PLAIN, 1, 1, 1, 0, bit_mask(a, b, BIT_OF(f, WRAP)))

/* The low b bits of a, extended; no bits give 0. */
WS_INLINE guint32 extended(guint32 a, guint32 b, gboolean is_unsigned, gboolean wrap)
{
    guint32 length = wrap ? b & 31 : b < 32 ? b : 32;
    guint32 shift = (32 - length) & 31;
    guint32 with_sign = (guint32)((gint32)(a << shift) >> shift);
    return length == 0 ? 0 : is_unsigned ? a << shift >> shift : with_sign;
}

WS_BODY(SGXT, WS_PREPARE_PLAIN, 1, 1, 1, 0, extended(a, b, BIT_OF(f, UNSIGNED), BIT_OF(f, WRAP)))

WS_INLINE guint32 ones(guint32 x)
{
    x = x - (x >> 1 & 0x55555555u);
    x = (x & 0x33333333u) + (x >> 2 & 0x33333333u);
    x = (x + (x >> 4)) & 0x0f0f0f0fu;
    return x * 0x01010101u >> 24;
}

WS_BODY(POPC, WS_PREPARE_BITS, 1, 0, 1, 0, ones(b))

WS_INLINE guint32 reversed(guint32 x)
{
    x = (x & 0x55555555u) << 1 | (x >> 1 & 0x55555555u);
    x = (x & 0x33333333u) << 2 | (x >> 2 & 0x33333333u);
    x = (x & 0x0f0f0f0fu) << 4 | (x >> 4 & 0x0f0f0f0fu);
    return GUINT32_SWAP_LE_BE(x);
}

WS_BODY(BREV, WS_PREPARE_BITS, 1, 0, 1, 0, reversed(b))

/* -1, 0, 1 as relations 1, 2, 4; ISETP keeps those that its comparison names. */
WS_INLINE guint32 integer_relation(guint32 a, guint32 b, guint32 f, guint32 on)
{
    guint32 bias = BIT_OF(f, UNSIGNED) << 31;
    gint32 x = (gint32)(a ^ bias), y = (gint32)(b ^ bias);
    guint32 relations = f >> WS_FIELD_ICMP & 7;
    guint32 here = (x < y ? 1u : x == y ? 2u : 4u) & relations;
    /* .X: the low words decide (Pq) where the high ones are equal. */
    return BIT_OF(f, EXTENDED) ? (x == y ? on : here) : here;
}

WS_COMPARISON(ISETP, WS_PREPARE_INTEGER, 1, 1, integer_relation(a, b, f, on))
