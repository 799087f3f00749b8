#include "sim/expression/rows.h"

#include <math.h>
#include <string.h>

const char *ws_unknown_text(WsUnknown why)
{
    switch (why) {
    case WS_UNKNOWN_OPTIMISED_OUT:
        return "<optimised out>";
    case WS_UNKNOWN_NO_SCOPE:
        return "<not in scope>";
    case WS_UNKNOWN_EXITED:
        return "<exited>";
    case WS_UNKNOWN_ON_ITS_WAY:
        return "<load under way>";
    case WS_UNKNOWN_NO_MEMORY:
        return "<no memory there>";
    case WS_UNKNOWN_OUTSIDE:
        return "<outside of its array>";
    case WS_UNKNOWN_DIVISION:
        return "<division by zero>";
    case WS_UNKNOWN_SHIFT:
        return "<shift by too much>";
    case WS_KNOWN:
        break;
    }
    return "";
}

/* ---- rows ---------------------------------------------------------------------------------------
 */

void ws_row_set_same(WsRow *row, guint64 bits)
{
    row->bits[0] = bits;
    row->known = G_MAXUINT64;
    row->same = TRUE;
}

void ws_row_set_unknown(WsRow *row, WsUnknown why)
{
    row->bits[0] = 0;
    row->known = 0;
    row->same = TRUE;
    row->why[0] = (guint8)why;
}

void ws_row_put_unknown(WsRow *row, guint lane, WsUnknown why)
{
    row->known &= ~((guint64)1 << lane);
    row->bits[lane] = 0;
    row->why[lane] = (guint8)why;
}

/* Loops go over so many lanes: a number that compilers know makes them fast. */
enum { BLOCK = 32 };

static guint lanes_of(guint64 mask)
{
    return mask >> BLOCK == 0 ? BLOCK : 2 * BLOCK;
}

/* The values of a row lane by lane, for the first `lanes`; in `room` where they are all the same.
 */
static const guint64 *spread(const WsRow *row, guint lanes, guint64 *room)
{
    if (!row->same || lanes == 1)
        return row->bits;
    for (guint block = 0; block < lanes; block += BLOCK)
        for (guint i = block; i < block + BLOCK; i++)
            room[i] = row->bits[0];
    return room;
}

/* Lanes that lack an operand say why they lack the result. */
static void take_unknown(const WsRow *a, const WsRow *b, guint64 mask, WsRow *ret)
{
    guint64 known_a = a->known, known_b = b->known;

    if (ret->same) {
        ret->why[0] = a->known == 0 ? a->why[0] : b->why[0];
        ret->known = known_a & known_b;
        return;
    }
    for (guint64 rest = mask & ~(known_a & known_b); rest != 0; rest &= rest - 1) {
        guint lane = (guint)__builtin_ctzll(rest);
        const WsRow *from = (known_a >> lane & 1) == 0 ? a : b;

        ret->why[lane] = from->why[ws_row_lane(from, lane)];
    }
    ret->known = known_a & known_b;
}

/* ---- whole numbers ------------------------------------------------------------------------------
 */

static guint64 fit(WsArithmetic class, guint64 bits)
{
    return class == WS_CLASS_S32   ? (guint64)(gint64)(gint32)bits
           : class == WS_CLASS_U32 ? (guint32)bits
                                   : bits;
}

#define EACH(expression)                                                                           \
    do {                                                                                           \
        guint i = 0;                                                                               \
                                                                                                   \
        if (lanes == 1)                                                                            \
            r[0] = (guint64)(expression);                                                          \
        else                                                                                       \
            for (guint block = 0; block < lanes; block += BLOCK)                                   \
                for (i = block; i < block + BLOCK; i++)                                            \
                    r[i] = (guint64)(expression);                                                  \
        return TRUE;                                                                               \
    } while (0)

/* What is computed alike in any class, but for the bits that are kept. */
static gboolean simple(WsOperator operator, const guint64 * a, const guint64 *b, guint lanes,
                       guint64 *r)
{
    switch (operator) {
    case WS_OPERATOR_ADD:
        EACH(a[i] + b[i]);
    case WS_OPERATOR_SUBTRACT:
        EACH(a[i] - b[i]);
    case WS_OPERATOR_MULTIPLY:
        EACH(a[i] * b[i]);
    case WS_OPERATOR_BIT_AND:
        EACH(a[i] & b[i]);
    case WS_OPERATOR_BIT_OR:
        EACH(a[i] | b[i]);
    case WS_OPERATOR_BIT_XOR:
        EACH(a[i] ^ b[i]);
    case WS_OPERATOR_EQUAL:
        EACH(a[i] == b[i]);
    case WS_OPERATOR_NOT_EQUAL:
        EACH(a[i] != b[i]);
    default:
        return FALSE;
    }
}

#define ORDERED(less, a, b)                                                                        \
    switch (operator) {                                                                            \
    case WS_OPERATOR_LESS:                                                                         \
        EACH((a) < (b));                                                                           \
    case WS_OPERATOR_LESS_OR_EQUAL:                                                                \
        EACH((a) <= (b));                                                                          \
    case WS_OPERATOR_GREATER:                                                                      \
        EACH((a) > (b));                                                                           \
    case WS_OPERATOR_GREATER_OR_EQUAL:                                                             \
        EACH((a) >= (b));                                                                          \
    case WS_OPERATOR_MIN:                                                                          \
        EACH((a) < (b) ? (a) : (b));                                                               \
    case WS_OPERATOR_MAX:                                                                          \
        EACH((a) > (b) ? (a) : (b));                                                               \
    default:                                                                                       \
        return FALSE;                                                                              \
    }

static gboolean ordered_signed(WsOperator operator, const guint64 * a, const guint64 *b,
                               guint lanes, guint64 *r)
{
    ORDERED(less, (gint64)a[i], (gint64)b[i])
}

static gboolean ordered_unsigned(WsOperator operator, const guint64 * a, const guint64 *b,
                                 guint lanes, guint64 *r)
{
    ORDERED(less, a[i], b[i])
}

/* A division or shift, of one lane. */
static WsUnknown divide(WsOperator operator, gboolean is_signed, guint64 a, guint64 b, guint64 *ret)
{
    gint64 sa = (gint64)a, sb = (gint64)b, quotient;

    if (b == 0)
        return WS_UNKNOWN_DIVISION;
    if (!is_signed) {
        *ret = operator== WS_OPERATOR_REMAINDER
                   ? a % b
                   : a / b +(operator== WS_OPERATOR_CEIL_DIV && a % b != 0);
        return WS_KNOWN;
    }
    quotient = sb == -1 ? (gint64)(0 - a) : sa / sb;
    if (operator== WS_OPERATOR_REMAINDER)
        *ret = sb == -1 ? 0 : (guint64)(sa % sb);
    else
        *ret = (guint64)quotient + (operator== WS_OPERATOR_CEIL_DIV && sb != - 1 &&
                                    sa % sb != 0 &&(sa < 0) == (sb < 0));
    return WS_KNOWN;
}

static WsUnknown shift(WsOperator operator, WsArithmetic class, guint64 a, guint64 b, guint64 *ret)
{
    guint64 most = class == WS_CLASS_S32 || class == WS_CLASS_U32 ? 31 : 63;

    if (b > most)
        return WS_UNKNOWN_SHIFT;
    if (operator== WS_OPERATOR_SHIFT_LEFT)
        *ret = a << b;
    else
        *ret = class == WS_CLASS_S32 || class == WS_CLASS_S64 ? (guint64)((gint64)a >> b) : a >> b;
    return WS_KNOWN;
}

/* Operations that have no result for some operands. */
static void partial(WsOperator operator, WsArithmetic class, const guint64 *a, const guint64 *b,
                    guint lanes, WsRow *ret)
{
    gboolean is_signed = class == WS_CLASS_S32 || class == WS_CLASS_S64;

    for (guint i = 0; i < lanes; i++) {
        guint64 value = 0;
        WsUnknown why;

        if (ret->same ? ret->known == 0 : (ret->known >> i & 1) == 0)
            continue;
        why = operator== WS_OPERATOR_SHIFT_LEFT || operator== WS_OPERATOR_SHIFT_RIGHT
                  ? shift(operator, class, a[i], b[i], &value)
                  : divide(operator, is_signed, a[i], b[i], &value);
        ret->bits[i] = value;
        if (why == WS_KNOWN)
            continue;
        ret->why[i] = (guint8)why;
        ret->known &= ret->same ? 0 : ~((guint64)1 << i);
    }
}

/* ---- floats -------------------------------------------------------------------------------------
 */

static double real_of(guint64 bits)
{
    double value;

    memcpy(&value, &bits, sizeof value);
    return value;
}

static guint64 bits_of(double value)
{
    guint64 bits;

    memcpy(&bits, &value, sizeof bits);
    return bits;
}

static gboolean compare_reals(WsOperator operator, double a, double b)
{
    switch (operator) {
    case WS_OPERATOR_EQUAL:
        return a == b;
    case WS_OPERATOR_NOT_EQUAL:
        return a != b;
    case WS_OPERATOR_LESS:
        return a < b;
    case WS_OPERATOR_LESS_OR_EQUAL:
        return a <= b;
    case WS_OPERATOR_GREATER:
        return a > b;
    default:
        return a >= b;
    }
}

static double compute_reals(WsOperator operator, double a, double b)
{
    switch (operator) {
    case WS_OPERATOR_ADD:
        return a + b;
    case WS_OPERATOR_SUBTRACT:
        return a - b;
    case WS_OPERATOR_MULTIPLY:
        return a * b;
    case WS_OPERATOR_DIVIDE:
        return a / b;
    case WS_OPERATOR_MIN:
        return fmin(a, b);
    default:
        return fmax(a, b);
    }
}

/* A sum, product or quotient of floats that is rounded to double first is rounded the same. */
static void reals(WsOperator operator, WsArithmetic class, const guint64 *a, const guint64 *b,
                  guint lanes, guint64 *r)
{
    for (guint i = 0; i < lanes; i++) {
        double x = real_of(a[i]), y = real_of(b[i]);

        if (ws_operator_compares(operator))
            r[i] = compare_reals(operator, x, y);
        else if (class == WS_CLASS_F32)
            r[i] = bits_of((double)(float)compute_reals(operator, x, y));
        else
            r[i] = bits_of(compute_reals(operator, x, y));
    }
}

/* ---- operators ----------------------------------------------------------------------------------
 */

void ws_row_binary(WsOperator operator, WsArithmetic class, const WsRow *a, const WsRow *b,
                   guint64 mask, WsRow *ret)
{
    guint64 room_a[WS_ROW_LANES], room_b[WS_ROW_LANES];
    gboolean same = a->same && b->same, is_signed = class == WS_CLASS_S32 || class == WS_CLASS_S64;
    guint lanes = same ? 1 : lanes_of(mask);
    const guint64 *left = spread(a, lanes, room_a), *right = spread(b, lanes, room_b);

    ret->same = same;
    if ((a->known & b->known & mask) == mask)
        ret->known = a->known & b->known;
    else
        take_unknown(a, b, mask, ret);
    if (class >= WS_CLASS_F32) {
        reals(operator, class, left, right, lanes, ret->bits);
    } else if (!simple(operator, left, right, lanes, ret->bits) &&
               !(is_signed ? ordered_signed : ordered_unsigned)(operator, left, right, lanes,
                                                                ret->bits)) {
        partial(operator, class, left, right, lanes, ret);
    }
    if (class <= WS_CLASS_U32 && !ws_operator_compares(operator))
        for (guint i = 0; i < lanes; i++)
            ret->bits[i] = fit(class, ret->bits[i]);
}

void ws_row_unary(WsOperator operator, WsArithmetic class, const WsRow *a, guint64 mask, WsRow *ret)
{
    guint lanes = a->same ? 1 : lanes_of(mask);

    if (ret != a)
        *ret = *a;
    for (guint i = 0; i < lanes; i++) {
        if (operator== WS_OPERATOR_NOT)
            ret->bits[i] = class >= WS_CLASS_F32 ? real_of(ret->bits[i]) == 0 : ret->bits[i] == 0;
        else if (class >= WS_CLASS_F32)
            ret->bits[i] = bits_of(-real_of(ret->bits[i]));
        else
            ret->bits[i] =
                fit(class, operator== WS_OPERATOR_NEGATE ? 0 - ret->bits[i] : ~ret->bits[i]);
    }
}

/* ---- conversions --------------------------------------------------------------------------------
 */

static guint64 cut(guint64 bits, guint64 size, gboolean is_signed)
{
    guint away = 64 - 8 * (guint)MIN(size, 8);

    return is_signed ? (guint64)((gint64)(bits << away) >> away) : bits << away >> away;
}

/* Towards zero; what is too large becomes the end, NaN 0. */
static guint64 real_to_whole(double value, guint64 size, gboolean is_signed)
{
    guint bits = 8 * (guint)size - (is_signed ? 1 : 0);
    double end = ldexp(1, (int)bits);
    guint64 most = bits == 64 ? G_MAXUINT64 : ((guint64)1 << bits) - 1;

    if (isnan(value))
        return 0;
    if (value >= end)
        return most;
    if (is_signed)
        return value < -end ? 0 - most - 1 : (guint64)(gint64)value;
    return value <= 0 ? 0 : (guint64)value;
}

static guint64 whole_to_real(guint64 bits, gboolean is_unsigned, guint64 size)
{
    if (size < 8)
        return bits_of((double)(is_unsigned ? (float)bits : (float)(gint64)bits));
    return bits_of(is_unsigned ? (double)bits : (double)(gint64)bits);
}

static guint64 convert(WsArithmetic class, guint64 bits, const WsValueType *type)
{
    gboolean real = class >= WS_CLASS_F32;

    if (type->kind == WS_CTYPE_BOOL)
        return real ? real_of(bits) != 0 : bits != 0;
    if (ws_value_type_is_float(type)) {
        if (!real)
            return whole_to_real(bits, class == WS_CLASS_U64, type->size);
        return type->size < 8 ? bits_of((double)(float)real_of(bits)) : bits;
    }
    gboolean is_signed = type->kind == WS_CTYPE_SIGNED || type->kind == WS_CTYPE_ENUM;
    if (real)
        bits = real_to_whole(real_of(bits), type->size, is_signed);
    return cut(bits, type->size, is_signed);
}

void ws_row_convert(WsArithmetic class, const WsRow *a, const WsValueType *type, guint64 mask,
                    WsRow *ret)
{
    guint lanes = a->same ? 1 : lanes_of(mask);

    if (ret != a)
        *ret = *a;
    for (guint i = 0; i < lanes; i++)
        ret->bits[i] = convert(class, ret->bits[i], type);
}

void ws_row_offset(const WsRow *base, const WsRow *index, gint64 size, gint64 add, guint64 mask,
                   WsRow *ret)
{
    static const WsRow zero = {.known = G_MAXUINT64, .same = TRUE};
    guint64 room_a[WS_ROW_LANES], room_b[WS_ROW_LANES];
    gboolean same;
    guint lanes;
    const guint64 *from, *by;

    base = base != NULL ? base : &zero;
    same = base->same && index->same;
    lanes = same ? 1 : lanes_of(mask);
    from = spread(base, lanes, room_a);
    by = spread(index, lanes, room_b);
    ret->same = same;
    take_unknown(base, index, mask, ret);
    for (guint i = 0; i < lanes; i++)
        ret->bits[i] = from[i] + by[i] * (guint64)size + (guint64)add;
}

guint64 ws_row_truth(const WsRow *row, gboolean real, guint64 mask, guint64 *ret_unknown)
{
    guint lanes = lanes_of(mask);
    guint64 truth = 0;

    *ret_unknown = mask & ~row->known;
    if (row->same)
        return row->known != 0 && (real ? row->real[0] != 0 : row->bits[0] != 0) ? mask : 0;
    for (guint block = 0; block < lanes; block += BLOCK) {
        guint64 any = 0;

        for (guint lane = block; lane < block + BLOCK; lane++)
            any |= row->bits[lane];
        for (guint lane = block; any != 0 && lane < block + BLOCK; lane++)
            truth |= (guint64)((real ? row->bits[lane] << 1 : row->bits[lane]) != 0) << lane;
    }
    return truth & mask & row->known; /* -0 is 0 too */
}
