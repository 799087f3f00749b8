/*
 * Conversions. NaNs as measured on an H200: from f32 to f16 and bf16 and from f16 to f32 canonical;
 * from and to f64 sign and payload are kept, as far as there is room, and the NaN is made quiet
 * (0xfffa400000000000 gives 0xfe90, 0xffd2 and 0xffd20000 as f16, bf16 and f32).
 */
#include "sim/lanes/double.h"
#include "sim/lanes/float.h"

#define INTEGER_ROUND_OF(f) ((f) >> WS_FIELD_INTEGER_ROUND & 3u)

/* ---- float to integral float -------------------------------------------------------------------
 */

WS_BODY(FRND, WS_PREPARE_F32, 1, 0, 1, 0,
        ws_canonical32((float)ws_round_integer((double)ws_float(b), INTEGER_ROUND_OF(f))))

/* ---- packing -----------------------------------------------------------------------------------
 */

WS_INLINE guint32 packed(guint32 bits, guint32 f)
{
    guint32 to = f >> WS_FIELD_FLOAT_TO & 3;
    double value = (double)ws_float(bits);
    value = f >> WS_FIELD_RELU & 1 && value <= 0 ? 0 : value;
    return ws_narrow(value, ws_formats[to], WS_ROUND_OF(f));
}

WS_BODY(F2FP, WS_PREPARE_F32, 1, 1, 1, 0, packed(a, f) << 16 | packed(b, f))

/* ---- loops over lanes of conversions with widths by modifier -----------------------------------
 */

typedef guint64 (*Conversion)(guint64 value, guint32 flags);

/* One or two words in, one or two words out, lane by lane. */
static void convert(const WsDecodedProgram *program, const WsDecoded *instruction,
                    WsWarpRegisters *warp, guint64 mask, WsPrepare how, guint words_in,
                    guint words_out, Conversion conversion)
{
    const guint8 words[4] = {(guint8)words_out, 0, (guint8)words_in, 0};
    guint n = program->warp_size;
    WsScratch scratch;
    WsRows rows = WS_NAME(prepare)(program, instruction, warp, how, words, &scratch);
    for (guint64 rest = mask; rest; rest &= rest - 1) {
        guint lane = (guint)__builtin_ctzll(rest);
        guint64 value = rows.b[lane] | (words_in == 2 ? (guint64)rows.b[lane + n] << 32 : 0);
        value = conversion(value, instruction->flags);
        rows.d[lane] = (guint32)value;
        if (words_out == 2) {
            rows.d[lane + n] = (guint32)(value >> 32);
        }
    }
}

static WsPrepare prepare_of(guint format)
{
    return format == WS_FLOAT_F64   ? WS_PREPARE_F64
           : format == WS_FLOAT_F32 ? WS_PREPARE_F32
                                    : WS_PREPARE_HALF;
}

/* ---- integer to float --------------------------------------------------------------------------
 */

typedef struct {
    guint64 magnitude;
    guint64 negative;
} Integer;

static Integer integer_of(guint64 bits, guint type)
{
    gint64 value;
    switch (type) {
    case WS_INT_S32:
        value = (gint32)bits;
        break;
    case WS_INT_S8:
        value = (gint8)bits; /* sign-extended. NOLINT(bugprone-signed-char-misuse) */
        break;
    case WS_INT_S16:
        value = (gint16)bits;
        break;
    case WS_INT_S64:
        value = (gint64)bits;
        break;
    case WS_INT_U8:
        return (Integer){bits & 0xff, 0};
    case WS_INT_U16:
        return (Integer){bits & 0xffff, 0};
    case WS_INT_U32:
        return (Integer){bits & 0xffffffffu, 0};
    default:
        return (Integer){bits, 0};
    }
    return value < 0 ? (Integer){0 - (guint64)value, 1} : (Integer){(guint64)value, 0};
}

/* Rounded to a double in any mode. */
static guint64 integer_to_f64(Integer x, guint mode)
{
    if (x.magnitude == 0) {
        return 0;
    }
    gint shift = 11 - __builtin_clzll(x.magnitude); /* bits below the 53 that are kept */
    guint64 kept = shift > 0 ? x.magnitude >> shift : x.magnitude << -shift;
    if (shift > 0) {
        guint64 rest = x.magnitude - (kept << shift);
        kept += ws_rounds_up(rest, (guint64)1 << (shift - 1), kept & 1, x.negative, mode);
    }
    return (kept + ((guint64)(1023 + 52 + shift - 1) << 52)) | x.negative << 63;
}

static guint64 integer_to_float(guint64 bits, guint32 flags)
{
    guint to = flags >> WS_FIELD_FLOAT_TO & 3, mode = WS_ROUND_OF(flags);
    Integer x = integer_of(bits, flags >> WS_FIELD_INT_FROM & 7);
    if (to == WS_FLOAT_F64) {
        return integer_to_f64(x, mode);
    }
    /* Rounded to odd at 42 bits or more, then once to the format. */
    guint64 low = x.magnitude & 0x7ff;
    guint64 sticky = (x.magnitude & ~(guint64)0x7ff) | (guint64)(low != 0) << 11;
    double magnitude = (double)(x.magnitude >> 53 ? sticky : x.magnitude);
    return ws_narrow(x.negative ? -magnitude : magnitude, ws_formats[to], mode);
}

void WS_NAME(I2F)(WS_ARGUMENTS)
{
    guint from = ws_decoded_modifier(instruction, INT_FROM);
    guint to = ws_decoded_modifier(instruction, FLOAT_TO);
    convert(program, instruction, warp, mask, WS_PREPARE_PLAIN, from >= WS_INT_S64 ? 2 : 1,
            to == WS_FLOAT_F64 ? 2 : 1, integer_to_float);
}

/* 32-bit integers are exact in double. */
#define SIGNED_FROM(f) ((f) >> WS_FIELD_INT_FROM & 7u) == WS_INT_S32
WS_BODY(I2FP, WS_PREPARE_PLAIN, 1, 0, 1, 0,
        ws_round32(SIGNED_FROM(f) ? (double)(gint32)b : (double)b, WS_ROUND_OF(f)))

/* ---- float to integer --------------------------------------------------------------------------
 */

static double widened(guint64 bits, guint format)
{
    switch (format) {
    case WS_FLOAT_F32:
        return (double)ws_float((guint32)bits);
    case WS_FLOAT_F16:
        return ws_widen_f16((guint32)bits & 0xffff);
    case WS_FLOAT_BF16:
        return ws_widen_bf16((guint32)bits & 0xffff);
    default:
        return ws_double(bits);
    }
}

/* Width in bits and sign of the integer types, in the order of the modifier. */
static const guint8 integer_bits[8] = {32, 32, 8, 8, 16, 16, 64, 64};

/*
 * Saturating. NaN gives zero, but 2^(bits - 1) if a side has 64 bits (PTX, cvt; an H200 does the
 * same). Results of 8 and 16 bits are sign- or zero-extended to the register.
 */
static guint64 float_to_integer(guint64 bits, guint32 flags)
{
    guint from = flags >> WS_FIELD_FLOAT_FROM & 3, to = flags >> WS_FIELD_INT_TO & 7;
    guint width = integer_bits[to];
    gboolean is_signed = !(to & 1);
    guint64 top = (guint64)1 << (width - 1);
    double value = widened(bits, from);
    if (value != value) {
        guint64 nan = from == WS_FLOAT_F64 || width == 64 ? top : 0;
        return is_signed ? 0 - nan : nan;
    }
    value = ws_round_integer(value, INTEGER_ROUND_OF(flags));
    double limit = is_signed ? (double)top : 2.0 * (double)top;
    if (value >= limit) {
        return is_signed ? top - 1 : top | (top - 1);
    }
    if (is_signed) {
        return value < -limit ? 0 - top : (guint64)(gint64)value;
    }
    return value > 0 ? (guint64)value : 0;
}

void WS_NAME(F2I)(WS_ARGUMENTS)
{
    guint from = ws_decoded_modifier(instruction, FLOAT_FROM);
    guint to = ws_decoded_modifier(instruction, INT_TO);
    convert(program, instruction, warp, mask, prepare_of(from), from == WS_FLOAT_F64 ? 2 : 1,
            to >= WS_INT_S64 ? 2 : 1, float_to_integer);
}

/* ---- float to float ----------------------------------------------------------------------------
 */

static guint64 float_to_float(guint64 bits, guint32 flags)
{
    guint from = flags >> WS_FIELD_FLOAT_FROM & 3, to = flags >> WS_FIELD_FLOAT_TO & 3;
    double value = widened(bits, from);
    guint64 wide = ws_quiet64(ws_double_bits(value));
    gboolean is_nan = value != value;
    if (WS_SAT_OF(flags)) {
        value = value > 0 ? (value < 1 ? value : 1) : 0;
        wide = ws_double_bits(value);
        is_nan = FALSE;
    }
    if (to == WS_FLOAT_F64) {
        return wide;
    }
    if (is_nan && from == WS_FLOAT_F64) {
        guint32 nan =
            (guint32)(wide >> 63) << 31 | WS_INFINITY32 | ((guint32)(wide >> 29) & 0x007fffffu);
        guint32 half = (nan >> 16 & 0x8000u) | 0x7c00u | (nan >> 13 & 0x3ffu);
        return to == WS_FLOAT_F32 ? nan : to == WS_FLOAT_F16 ? half : nan >> 16;
    }
    guint32 code = ws_narrow(ws_double(wide), ws_formats[to], WS_ROUND_OF(flags));
    return to == WS_FLOAT_F32 && WS_FTZ_OF(flags) ? ws_flush32(code) : code;
}

void WS_NAME(F2F)(WS_ARGUMENTS)
{
    guint from = ws_decoded_modifier(instruction, FLOAT_FROM);
    guint to = ws_decoded_modifier(instruction, FLOAT_TO);
    convert(program, instruction, warp, mask, prepare_of(from), from == WS_FLOAT_F64 ? 2 : 1,
            to == WS_FLOAT_F64 ? 2 : 1, float_to_float);
}
