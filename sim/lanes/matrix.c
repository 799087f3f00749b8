/*
 * Products of matrices, and the transposed matrix. A fragment is spread over the registers of all
 * 32 lanes as the PTX ISA says (mma.m16n8k16 and the like). With lane = 4g + t:
 *
 *   A, 16-bit elements    register r holds row g + 8 (r & 1), columns 2t + 8 (r >> 1) and the next
 *   B, 16-bit elements    register r holds rows 2t + 8r and the next, column g
 *   A, TF32               register r holds row g + 8 (r & 1), column t + 4 (r >> 1)
 *   B, TF32               register r holds row t + 4r, column g
 *   C and D, 32-bit       register r holds row g + 8 (r >> 1), column 2t + (r & 1)
 *   C and D, F16          register r holds row g + 8r, columns 2t and the next
 *
 * Rule of the float sums, found on an H200 and bit for bit its own over 983,040 sums (tests/data/
 * mma_h200.txt has a part of them): products are exact; the largest exponent of any product that is
 * not zero, taken before normalisation, and of C sets the scale; everything is cut towards zero 25
 * bits below it and added exactly, the whole depth in one step; the sum is cut to F32, or rounded
 * to the nearest F16. A result of zero is +0. Subnormal numbers count. TF32 operands lose 13 bits.
 * NaN is 0x7fffffff, in F16 0x7fff.
 */
#include "sim/lanes/double.h"

enum {
    LANES = 32,
    ROWS = 16,
    COLUMNS = 8,
    MAX_DEPTH = 16,
    FRACTION = 25,      /* bits kept below the largest exponent */
    NO_EXPONENT = -8192 /* of zero: below any other, also added to one */
};

/* Layout of a number as bits. */
typedef struct {
    guint8 mantissa, exponent; /* bits */
    guint8 drop;               /* low bits of the word that do not count */
} Format;

static const Format format_f16 = {10, 5, 0};
static const Format format_bf16 = {7, 8, 0};
static const Format format_tf32 = {10, 8, 13};
static const Format format_f32 = {23, 8, 0};

/* sign * significand * 2^(exponent - mantissa bits) */
typedef struct {
    gint32 significand; /* with its sign */
    gint32 exponent;
} Number;

static gboolean is_special(const Format *format, guint32 bits)
{
    guint32 ones = (1u << format->exponent) - 1;
    return (bits >> (format->drop + format->mantissa) & ones) == ones;
}

static Number number_of(const Format *format, guint32 bits)
{
    guint32 ones = (1u << format->exponent) - 1;
    guint32 value = bits >> format->drop;
    guint32 exponent = value >> format->mantissa & ones;
    gint32 significand = (gint32)(value & ((1u << format->mantissa) - 1));
    gboolean negative = value >> (format->mantissa + format->exponent) & 1;
    if (exponent != 0)
        significand |= 1 << format->mantissa;
    gint32 power = (gint32)(exponent != 0 ? exponent : 1) - (gint32)(ones >> 1);
    return (Number){negative ? -significand : significand, significand != 0 ? power : NO_EXPONENT};
}

typedef struct {
    const Format *format;     /* of A and B */
    const Format *sum_format; /* of C and D */
    guint depth;
    guint32 a[ROWS][MAX_DEPTH], b[MAX_DEPTH][COLUMNS], c[ROWS][COLUMNS], d[ROWS][COLUMNS];
    gboolean special; /* some element of A, B or C is infinite or NaN */
} Product;

/* ---- fragments ---------------------------------------------------------------------------------
 */

static void load_halves(Product *product, const guint32 *a, const guint32 *b)
{
    for (guint lane = 0; lane < LANES; lane++) {
        guint g = lane / 4, t = lane % 4 * 2;
        for (guint r = 0; r < product->depth / 4; r++) {
            guint32 word = a[r * LANES + lane];
            product->a[g + 8 * (r & 1)][t + 8 * (r >> 1)] = word & 0xffff;
            product->a[g + 8 * (r & 1)][t + 8 * (r >> 1) + 1] = word >> 16;
        }
        for (guint r = 0; r < product->depth / 8; r++) {
            guint32 word = b[r * LANES + lane];
            product->b[t + 8 * r][g] = word & 0xffff;
            product->b[t + 8 * r + 1][g] = word >> 16;
        }
    }
}

static void load_words(Product *product, const guint32 *a, const guint32 *b)
{
    for (guint lane = 0; lane < LANES; lane++) {
        guint g = lane / 4, t = lane % 4;
        for (guint r = 0; r < product->depth / 2; r++)
            product->a[g + 8 * (r & 1)][t + 4 * (r >> 1)] = a[r * LANES + lane];
        for (guint r = 0; r < product->depth / 4; r++)
            product->b[t + 4 * r][g] = b[r * LANES + lane];
    }
}

/* Row and column of the first element of register `r` of C and D in a lane. */
static guint32 *sum_place(guint32 (*sums)[COLUMNS], guint lane, guint r, gboolean packed)
{
    return packed ? &sums[lane / 4 + 8 * r][lane % 4 * 2]
                  : &sums[lane / 4 + 8 * (r >> 1)][lane % 4 * 2 + (r & 1)];
}

static void load_sums(guint32 (*sums)[COLUMNS], const guint32 *c, gboolean packed)
{
    for (guint r = 0; r < (packed ? 2 : 4); r++) {
        for (guint lane = 0; lane < LANES; lane++) {
            guint32 *place = sum_place(sums, lane, r, packed), word = c[r * LANES + lane];
            place[0] = packed ? word & 0xffff : word;
            if (packed)
                place[1] = word >> 16;
        }
    }
}

static void store_sums(guint32 (*sums)[COLUMNS], guint32 *d, gboolean packed)
{
    for (guint r = 0; r < (packed ? 2 : 4); r++) {
        for (guint lane = 0; lane < LANES; lane++) {
            const guint32 *place = sum_place(sums, lane, r, packed);
            d[r * LANES + lane] = packed ? place[0] | place[1] << 16 : place[0];
        }
    }
}

/* ---- float sums --------------------------------------------------------------------------------
 */

/* sum * 2^scale in `format`: to the nearest, ties to even, or cut towards zero. */
static guint32 round_sum(const Format *format, gint64 sum, gint32 scale, gboolean nearest)
{
    guint64 size = sum < 0 ? -(guint64)sum : (guint64)sum, kept;
    if (size == 0)
        return 0;
    gint32 most = (1 << (format->exponent - 1)) - 1;
    gint32 exponent = 63 - __builtin_clzll(size) + scale;
    gint32 power = MAX(exponent, 1 - most);
    gint32 shift = power - format->mantissa - scale;
    if (shift <= 0) {
        kept = size << -shift;
    } else if (shift > 62) {
        kept = 0;
    } else {
        guint64 rest = size & (((guint64)1 << shift) - 1), half = (guint64)1 << (shift - 1);
        kept = size >> shift;
        kept += nearest && (rest > half || (rest == half && (kept & 1)));
    }
    if (kept == 0)
        return 0;
    /* The hidden bit adds one to the exponent field; a carry out of rounding adds another. */
    guint64 bits = ((guint64)(power + most - 1) << format->mantissa) + kept;
    guint64 infinity = ((guint64)(2 * most + 1)) << format->mantissa;
    guint32 sign = sum < 0 ? 1u << (format->mantissa + format->exponent) : 0;
    return sign | (guint32)MIN(bits, infinity);
}

/* The numbers of B, apart for vector code. */
typedef struct {
    gint32 significand[MAX_DEPTH][COLUMNS], exponent[MAX_DEPTH][COLUMNS];
} Columns;

/* A row of sums where everything is finite. */
static void add_row(Product *product, guint i, const Columns *b)
{
    const Format *sum_format = product->sum_format;
    Number a[MAX_DEPTH];
    gint32 significand[COLUMNS], exponent[COLUMNS], largest[COLUMNS];
    gint64 sum[COLUMNS];
    for (guint k = 0; k < product->depth; k++)
        a[k] = number_of(product->format, product->a[i][k]);
    for (guint j = 0; j < COLUMNS; j++) {
        Number c = number_of(sum_format, product->c[i][j]);
        significand[j] = c.significand;
        exponent[j] = largest[j] = c.exponent;
    }
    for (guint k = 0; k < product->depth; k++)
        for (guint j = 0; j < COLUMNS; j++)
            largest[j] = MAX(largest[j], a[k].exponent + b->exponent[k][j]);
    for (guint j = 0; j < COLUMNS; j++) {
        guint32 size = (guint32)ABS(significand[j]) << (FRACTION - sum_format->mantissa);
        size >>= MIN(largest[j] - exponent[j], 31);
        sum[j] = significand[j] < 0 ? -(gint64)size : (gint64)size;
    }
    guint up = FRACTION - 2u * product->format->mantissa;
    for (guint k = 0; k < product->depth; k++) {
        for (guint j = 0; j < COLUMNS; j++) {
            gint32 value = a[k].significand * b->significand[k][j];
            guint32 size = (guint32)ABS(value) << up;
            size >>= MIN(largest[j] - a[k].exponent - b->exponent[k][j], 31);
            sum[j] += value < 0 ? -(gint64)size : (gint64)size;
        }
    }
    for (guint j = 0; j < COLUMNS; j++)
        product->d[i][j] = round_sum(sum_format, sum[j], largest[j] - FRACTION,
                                     sum_format->mantissa == format_f16.mantissa);
}

enum { PLUS = 1, MINUS = 2, NOT_A_NUMBER = 4 };

/* What an infinite or NaN addend makes of the sum; 0 if it is neither. */
static guint kind_of(const Format *format, guint32 bits)
{
    guint32 value = bits >> format->drop;
    if (!is_special(format, bits))
        return 0;
    if (value & ((1u << format->mantissa) - 1))
        return NOT_A_NUMBER;
    return value >> (format->mantissa + format->exponent) & 1 ? MINUS : PLUS;
}

static guint kind_of_product(const Format *format, guint32 a, guint32 b)
{
    guint of_a = kind_of(format, a), of_b = kind_of(format, b);
    guint32 sign_bit = format->drop + format->mantissa + format->exponent;
    if ((of_a | of_b) == 0)
        return 0;
    if ((of_a | of_b) & NOT_A_NUMBER)
        return NOT_A_NUMBER;
    if ((of_a == 0 && number_of(format, a).significand == 0) ||
        (of_b == 0 && number_of(format, b).significand == 0))
        return NOT_A_NUMBER;
    return (a ^ b) >> sign_bit & 1 ? MINUS : PLUS;
}

/* Sums with an infinity or a NaN among the addends replace what add_row() made. */
static void put_special(Product *product)
{
    const Format *format = product->sum_format;
    guint32 infinity = ((1u << format->exponent) - 1) << format->mantissa;
    guint32 sign = 1u << (format->mantissa + format->exponent);
    for (guint i = 0; i < ROWS; i++) {
        for (guint j = 0; j < COLUMNS; j++) {
            guint kinds = kind_of(format, product->c[i][j]);
            for (guint k = 0; k < product->depth; k++)
                kinds |= kind_of_product(product->format, product->a[i][k], product->b[k][j]);
            if (kinds == PLUS)
                product->d[i][j] = infinity;
            else if (kinds == MINUS)
                product->d[i][j] = infinity | sign;
            else if (kinds != 0)
                product->d[i][j] = sign - 1;
        }
    }
}

static gboolean has_special(const Product *product)
{
    gboolean special = FALSE;
    for (guint k = 0; k < product->depth; k++) {
        for (guint i = 0; i < ROWS; i++)
            special |= is_special(product->format, product->a[i][k]);
        for (guint j = 0; j < COLUMNS; j++)
            special |= is_special(product->format, product->b[k][j]);
    }
    for (guint i = 0; i < ROWS; i++)
        for (guint j = 0; j < COLUMNS; j++)
            special |= is_special(product->sum_format, product->c[i][j]);
    return special;
}

static void multiply(Product *product)
{
    Columns b;
    for (guint k = 0; k < product->depth; k++) {
        for (guint j = 0; j < COLUMNS; j++) {
            Number number = number_of(product->format, product->b[k][j]);
            b.significand[k][j] = number.significand;
            b.exponent[k][j] = number.exponent;
        }
    }
    for (guint i = 0; i < ROWS; i++)
        add_row(product, i, &b);
    if (has_special(product))
        put_special(product);
}

/* ---- bodies ------------------------------------------------------------------------------------
 */

static guint32 *destination(const WsDecoded *instruction, WsWarpRegisters *warp)
{
    return warp->registers + (gsize)instruction->d * LANES;
}

void WS_NAME(HMMA)(WS_ARGUMENTS)
{
    static const Format *const formats[] = {&format_f16, &format_bf16, &format_tf32};
    guint shape = ws_decoded_modifier(instruction, MMA_SHAPE);
    guint type = ws_decoded_modifier(instruction, MMA_TYPE);
    gboolean packed = ws_decoded_modifier(instruction, MMA_ACCUMULATOR) == WS_MMA_F16;
    Product product;
    product.format = formats[type];
    product.sum_format = packed ? &format_f16 : &format_f32;
    product.depth = 16u >> shape;
    const guint32 *a = ws_plain_row(program, warp, instruction->a);
    const guint32 *b = ws_plain_row(program, warp, instruction->b);
    if (type == WS_MMA_TF32)
        load_words(&product, a, b);
    else
        load_halves(&product, a, b);
    load_sums(product.c, ws_plain_row(program, warp, instruction->c), packed);
    multiply(&product);
    store_sums(product.d, destination(instruction, warp), packed);
    (void)context, (void)mask;
}

/* Byte `n` of a word as the type of one side says. */
static gint32 byte_of(guint32 word, guint n, gboolean is_signed)
{
    guint8 byte = (guint8)(word >> (8 * n));
    return is_signed ? (gint8)byte : byte;
}

/* A: register r holds row g + 8 (r & 1), columns 4t + 16 (r >> 1) to the third next; B likewise. */
void WS_NAME(IMMA)(WS_ARGUMENTS)
{
    guint types = ws_decoded_modifier(instruction, DOT),
          registers = ws_decoded_modifier(instruction, IMMA_SHAPE) == WS_IMMA_16832 ? 2 : 1;
    gboolean saturate = ws_decoded_modifier(instruction, SAT);
    gboolean signed_a = types == 1 || types == 3, signed_b = types == 1 || types == 2;
    const guint32 *a = ws_plain_row(program, warp, instruction->a);
    const guint32 *b = ws_plain_row(program, warp, instruction->b);
    guint32 sums[ROWS][COLUMNS];
    load_sums(sums, ws_plain_row(program, warp, instruction->c), FALSE);
    for (guint i = 0; i < ROWS; i++) {
        for (guint j = 0; j < COLUMNS; j++) {
            gint64 sum = (gint32)sums[i][j];
            for (guint k = 0; k < 16 * registers; k++) {
                guint lane = k / 4 % 4, r = k / 16;
                guint32 x = a[(2 * r + i / 8) * LANES + i % 8 * 4 + lane];
                guint32 y = b[r * LANES + j * 4 + lane];
                sum += byte_of(x, k % 4, signed_a) * byte_of(y, k % 4, signed_b);
            }
            sums[i][j] = (guint32)(saturate ? CLAMP(sum, G_MININT32, G_MAXINT32) : sum);
        }
    }
    store_sums(sums, destination(instruction, warp), FALSE);
    (void)context, (void)mask;
}

/* A and B: lane 4g + t holds row g, column t, and row t, column g; a chain of fused products. */
void WS_NAME(DMMA)(WS_ARGUMENTS)
{
    const guint32 *a = ws_plain_row(program, warp, instruction->a);
    const guint32 *b = ws_plain_row(program, warp, instruction->b);
    const guint32 *c = ws_plain_row(program, warp, instruction->c);
    guint32 result[4][LANES];
    for (guint lane = 0; lane < LANES; lane++) {
        for (guint n = 0; n < 2; n++) {
            guint64 sum = c[2 * n * LANES + lane] | (guint64)c[(2 * n + 1) * LANES + lane] << 32;
            for (guint k = 0; k < 4; k++) {
                guint of_a = lane / 4 * 4 + k, of_b = (lane % 4 * 2 + n) * 4 + k;
                sum = ws_fma64(a[of_a] | (guint64)a[LANES + of_a] << 32,
                               b[of_b] | (guint64)b[LANES + of_b] << 32, sum);
            }
            result[2 * n][lane] = (guint32)sum;
            result[2 * n + 1][lane] = (guint32)(sum >> 32);
        }
    }
    memcpy(destination(instruction, warp), result, sizeof result);
    (void)context, (void)mask;
}

/* Row r of the matrix lies in lanes 4r to 4r + 3, two elements each. */
void WS_NAME(MOVM)(WS_ARGUMENTS)
{
    const guint32 *a = ws_plain_row(program, warp, instruction->a);
    guint32 result[LANES];
    for (guint lane = 0; lane < LANES; lane++) {
        guint row = lane % 4 * 2, column = lane / 4, high = column % 2 * 16;
        guint32 low = a[row * 4 + column / 2] >> high & 0xffff;
        result[lane] = low | (a[(row + 1) * 4 + column / 2] >> high) << 16;
    }
    memcpy(destination(instruction, warp), result, sizeof result);
    (void)context, (void)mask;
}
