/*
 * The 16-bit floating-point types in host code of .cu files: what the instructions do, in C. Everything is
 * computed exactly, or in a form with at least two digits more than twice as many, and rounded once.
 */
#ifndef WARPSTEP_HALF_EMULATION_H
#define WARPSTEP_HALF_EMULATION_H

/* DIGITS of the significand, the exponents of normal numbers, the bits of a NaN. */
struct __ws_f16_format {
    enum { DIGITS = 11, LEAST = -14, MOST = 15, NOT_A_NUMBER = 0x7fff };
};
struct __ws_bf16_format {
    enum { DIGITS = 8, LEAST = -126, MOST = 127, NOT_A_NUMBER = 0x7fff };
};

/* Whether a number between two neighbours goes away from zero. `mode` as in .rn .rz .rm .rp. */
static inline bool __ws_host_rounds_up(char mode, bool negative, bool odd, long double rest)
{
    switch (mode) {
    case 'n':
        return rest > 0.5L || (rest == 0.5L && odd);
    case 'm':
        return negative && rest > 0;
    case 'p':
        return !negative && rest > 0;
    default:
        return false;
    }
}

/* A long double holds each double and each 64-bit integer. */
template <typename F> static inline unsigned short __ws_host_narrow(long double x, char mode = 'n')
{
    const bool negative = __builtin_signbit(x);
    const unsigned short sign = negative ? 0x8000 : 0, infinity = (F::MOST - F::LEAST + 2) << (F::DIGITS - 1);
    if (__builtin_isnan(x))
        return F::NOT_A_NUMBER;
    if (__builtin_isinf(x))
        return sign | infinity;
    int exponent = x == 0 ? F::LEAST : __builtin_ilogbl(x);
    if (exponent < F::LEAST)
        exponent = F::LEAST;
    if (exponent > F::MOST + 1)
        exponent = F::MOST + 1;
    const long double size = __builtin_scalbnl(negative ? -x : x, F::DIGITS - 1 - exponent);
    const long double below = __builtin_floorl(size < 0x1p20L ? size : 0x1p20L);
    unsigned int digits = (unsigned int)below;
    digits += __ws_host_rounds_up(mode, negative, digits & 1, size - below);
    unsigned int bits = digits; /* what is above the fraction counts for the exponent */
    bits += (unsigned int)(exponent - F::LEAST) << (F::DIGITS - 1);
    if (exponent <= F::MOST && bits < infinity)
        return (unsigned short)(sign | bits);
    const bool to_infinity = mode == 'n' || (mode == 'm' && negative) || (mode == 'p' && !negative);
    return sign | (unsigned short)(infinity - !to_infinity);
}

template <typename F> static inline float __ws_host_widen(unsigned short bits)
{
    const int exponent = (bits & 0x7fff) >> (F::DIGITS - 1);
    const unsigned int fraction = bits & ((1u << (F::DIGITS - 1)) - 1);
    float size;
    if (F::DIGITS == 8) /* the upper half of a float */
        return __builtin_bit_cast(float, (unsigned int)bits << 16);
    if (exponent == F::MOST - F::LEAST + 2 && fraction != 0)
        return __builtin_bit_cast(float, 0x7fffffff);
    if (exponent == F::MOST - F::LEAST + 2)
        size = __builtin_inff();
    else if (exponent == 0)
        size = __builtin_scalbnf((float)fraction, F::LEAST - F::DIGITS + 1);
    else
        size = __builtin_scalbnf((float)(fraction | 1u << (F::DIGITS - 1)),
                                 exponent - 1 + F::LEAST - F::DIGITS + 1);
    return bits & 0x8000 ? -size : size;
}

/* To the integer in the direction of `mode`. */
static inline float __ws_host_integral(float x, char mode)
{
    switch (mode) {
    case 'n':
        return __builtin_rintf(x);
    case 'm':
        return __builtin_floorf(x);
    case 'p':
        return __builtin_ceilf(x);
    default:
        return __builtin_truncf(x);
    }
}

/* As cvt has it: to the nearest of the type, NaN to 0, or in 64 bits to the first bit alone. */
template <typename T> static inline T __ws_host_integer(float x, char mode)
{
    const bool is_signed = (T)-1 < (T)1;
    const T most = is_signed ? (T)(((1ull << (8 * sizeof(T) - 2)) - 1) * 2 + 1) : (T)-1;
    const T least = is_signed ? (T)(-most - 1) : (T)0;
    const float whole = __ws_host_integral(x, mode);
    if (__builtin_isnan(x))
        return sizeof(T) == 8 ? (T)(1ull << 63) : 0;
    return whole >= (float)most ? most : whole <= (float)least ? least : (T)whole;
}

/* ---- operations, by the names of the instructions ---- */

template <typename F> static inline unsigned short __ws_host_unary(const char *name, unsigned short a)
{
    if (name[0] == 'n')
        return a ^ 0x8000;
    return name[0] == 'a' ? a & 0x7fff : __ws_host_narrow<F>(__builtin_tanhf(__ws_host_widen<F>(a)));
}

/* -0 is below +0. `with_nan`: NaN if one of them is; else the number, if there is one. */
template <typename F>
static inline unsigned short __ws_host_extreme(unsigned short a, unsigned short b, bool greatest, bool with_nan)
{
    const float x = __ws_host_widen<F>(a), y = __ws_host_widen<F>(b);
    const bool nan_a = __builtin_isnan(x), nan_b = __builtin_isnan(y);
    if (nan_a || nan_b)
        return with_nan || (nan_a && nan_b) ? F::NOT_A_NUMBER : nan_a ? b : a;
    const bool a_below = x < y || (x == y && (a & 0x8000) != 0);
    return a_below == greatest ? b : a;
}

static inline long double __ws_host_saturate(long double x)
{
    return x >= 1 ? 1 : x > 0 ? x : 0;
}

template <typename F>
static inline unsigned short __ws_host_binary(const char *name, unsigned short a, unsigned short b)
{
    const double x = __ws_host_widen<F>(a), y = __ws_host_widen<F>(b);
    if (name[0] == 'm' && name[1] != 'u')
        return __ws_host_extreme<F>(a, b, name[1] == 'a', name[3] == '.');
    const double r = name[0] == 'a' ? x + y : name[0] == 's' ? x - y : x * y;
    const bool saturates = name[3] == '.' && name[4] == 's';
    return __ws_host_narrow<F>(saturates ? __ws_host_saturate(r) : r);
}

/*
 * x y + z, of which x y is exact. Where the sum is not, its last digit is made odd: it is then as good
 * as the exact one for the rounding that follows (Boldo and Melquiond, 2005).
 */
static inline double __ws_host_fma(double x, double y, double z)
{
    const double product = x * y, sum = product + z, other = sum - product;
    const double rest = (product - (sum - other)) + (z - other);
    unsigned long long bits = __builtin_bit_cast(unsigned long long, sum);
    if (rest == 0 || __builtin_isnan(rest) || (bits & 1) != 0)
        return sum;
    bits += (rest > 0) == (sum > 0) ? 1 : -1;
    return __builtin_bit_cast(double, bits);
}

template <typename F>
static inline unsigned short __ws_host_ternary(const char *name, unsigned short a, unsigned short b,
                                               unsigned short c)
{
    const double r = __ws_host_fma(__ws_host_widen<F>(a), __ws_host_widen<F>(b), __ws_host_widen<F>(c));
    const char end = name[3] == '.' && name[6] == '.' ? name[7] : '\0'; /* fma.rn.relu, fma.rn.sat */
    if (end == 's')
        return __ws_host_narrow<F>(__ws_host_saturate(r));
    return __ws_host_narrow<F>(end == 'r' && r <= 0 ? 0 : r);
}

template <typename F> static inline unsigned short __ws_host_divide(unsigned short a, unsigned short b)
{
    return __ws_host_narrow<F>((double)__ws_host_widen<F>(a) / __ws_host_widen<F>(b));
}

/* eq ne lt le gt ge, false for NaN; equ and so on, true for it; nan. */
template <typename F>
static inline bool __ws_host_compare(const char *name, unsigned short a, unsigned short b)
{
    const float x = __ws_host_widen<F>(a), y = __ws_host_widen<F>(b);
    const bool unordered = __builtin_isnan(x) || __builtin_isnan(y);
    if (name[0] == 'n' && name[1] == 'a')
        return unordered;
    if (unordered)
        return name[2] == 'u';
    switch (name[0]) {
    case 'e':
        return x == y;
    case 'n':
        return x != y;
    case 'l':
        return x < y || (name[1] == 'e' && x == y);
    default:
        return x > y || (name[1] == 'e' && x == y);
    }
}

#endif
