/* Integer, logic and move bodies. */
#include "sim/lanes/integer.h"

WS_BODY(IADD3, WS_PREPARE_INTEGER, 1, 1, 1, 1, a + b + c)
WS_BODY(IMAD, WS_PREPARE_INTEGER, 1, 1, 1, 1, a *b + c)
WS_BODY(MOV, WS_PREPARE_PLAIN, 1, 0, 1, 0, b)
/* k: the instruction number of the target. */
WS_BODY(LEPC, WS_PREPARE_PLAIN, 2, 0, 0, 0, (guint64)k *WS_INSTRUCTION_BYTES)
WS_BODY(SEL, WS_PREPARE_PLAIN, 1, 1, 1, 0, on ? a : b)
WS_BODY(IABS, WS_PREPARE_PLAIN, 1, 0, 1, 0, (gint32)b < 0 ? 0u - b : b)

WS_BODY(IMAD_WIDE, WS_PREPARE_INTEGER, 2, 1, 1, 2, ws_wide_product(a, b, f, k) + c)
WS_BODY(IMAD_WIDE_X, WS_PREPARE_INTEGER, 2, 1, 1, 2,
        ws_wide_product(a, b, f, k) + c + (on ? 1u : 0u))
/* Sc is added to the high word. */
WS_BODY(IMAD_HI, WS_PREPARE_INTEGER, 1, 1, 1, 1, (guint32)(ws_wide_product(a, b, f, k) >> 32) + c)
WS_BODY(IMAD_X, WS_PREPARE_BITS, 1, 1, 1, 1, a *b + c + (on ? 1u : 0u))

WS_INLINE guint32 least_or_most(guint32 a, guint32 b, guint32 f, guint32 least)
{
    return ((WS_BIT_OF(f, UNSIGNED) ? a < b : (gint32)a < (gint32)b) != !least) ? a : b;
}

WS_BODY(VIMNMX, WS_PREPARE_PLAIN, 1, 1, 1, 0, least_or_most(a, b, f, on))
WS_BODY(VIMNMX3, WS_PREPARE_PLAIN, 1, 1, 1, 1, least_or_most(least_or_most(a, b, f, on), c, f, on))
WS_BODY(VIADD, WS_PREPARE_INTEGER, 1, 1, 1, 0, a + b)
WS_BODY(VIADDMNMX, WS_PREPARE_INTEGER, 1, 1, 1, 1, least_or_most(a + b, c, f, on))
WS_BODY(VABSDIFF, WS_PREPARE_PLAIN, 1, 1, 1, 1,
        ((WS_BIT_OF(f, UNSIGNED) ? a < b : (gint32)a < (gint32)b) ? b - a : a - b) + c)

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

WS_BODY(LOP3, WS_PREPARE_PLAIN, 1, 1, 1, 1, ws_table_of_bits(a, b, c, k))

/* The common forms: AND (0xc0), OR (0xfc) and XOR (0x3c) of Ra and Sb. */
WS_BODY(LOP3_PAIR, WS_PREPARE_PLAIN, 1, 1, 1, 0,
        (a & b & (0u - (k >> 7 & 1))) | ((a ^ b) & (0u - (k >> 5 & 1))))

WS_BODY(SHF, WS_PREPARE_PLAIN, 1, 1, 1, 1, ws_funnel(a, b, c, f))

/* The common forms: SHF.L.U32 with RZ above, SHF.R.*32.HI with RZ below. */
WS_BODY(SHF_LEFT, WS_PREPARE_PLAIN, 1, 1, 1, 0, b < 32 ? a << (b & 31) : 0)
WS_BODY(SHF_RIGHT, WS_PREPARE_PLAIN, 1, 0, 1, 1,
        k ? (guint32)((gint32)c >> (b < 32 ? b : 31)) : (b < 32 ? c >> (b & 31) : 0))

WS_BODY(LEA, WS_PREPARE_PLAIN, 1, 1, 1, 1,
        (f & WS_NEGATE_A ? 0u - ws_scaled(a, c, k, f) : ws_scaled(a, c, k, f)) +
            (f & WS_NEGATE_A << 2 ? 0u - b : b))

WS_BODY(PRMT, WS_PREPARE_PLAIN, 1, 1, 1, 1, ws_permute(a, b, c, f >> WS_FIELD_PRMT & 7))

WS_BODY(BMSK, WS_PREPARE_PLAIN, 1, 1, 1, 0, ws_bit_mask(a, b, WS_BIT_OF(f, WRAP)))

WS_BODY(SGXT, WS_PREPARE_PLAIN, 1, 1, 1, 0,
        ws_extended_field(a, b, WS_BIT_OF(f, UNSIGNED), WS_BIT_OF(f, WRAP)))

WS_BODY(POPC, WS_PREPARE_BITS, 1, 0, 1, 0, ws_count_ones(b))

WS_BODY(BREV, WS_PREPARE_BITS, 1, 0, 1, 0, ws_reversed_bits(b))

WS_COMPARISON(ISETP, WS_PREPARE_INTEGER, 1, 1, ws_integer_relation(a, b, f, on))
