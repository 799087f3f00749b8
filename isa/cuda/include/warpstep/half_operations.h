/*
 * A 16-bit floating-point type and its pair: types, conversions, arithmetic, comparisons, operators,
 * loads, stores and atomic sums. <cuda_fp16.h> and <cuda_bf16.h> include this file once each, with
 *
 *   __WS_SCALAR, __WS_PAIR, __WS_SCALAR_RAW, __WS_PAIR_RAW   the types
 *   __WS_OTHER                    the scalar of the other header
 *   __WS_PTX, __WS_PTX2           their names in PTX, "f16" and "f16x2"
 *   __WS_FORMAT                   its digits, in warpstep/half_emulation.h
 *   __WS_TYPE_NAME                what it is called in functions' names
 *   __WS_SELF2                    2, that name, 2
 *   __WS_ONE, __WS_INFINITY       their bits
 *   __WS_HAS_SAT                  whether the instructions have .sat
 *   __WS_CONVERSIONS, __WS_OPERATORS, __WS_PAIR_OPERATORS    whether these are wanted
 *
 * and with functions of bit patterns: __ws_TYPE_divide(a, b), and __ws_TYPE_exp(a) and the like, which
 * give a float.
 *
 * Functions become the instructions that nvcc makes of them for sm_90, as seen in the output of
 * `nvcc -ptx`: sums and products without .rn, which may be contracted, except in those named _rn.
 * Comparisons of pairs give a predicate for each half, since there is no instruction HSET2 here.
 */

#define __WS_GLUE(a, b, c)        a##b##c
#define __WS_NAMED_AS(a, b, c)    __WS_GLUE(a, b, c)
#define __WS_NAMED(before, after) __WS_NAMED_AS(before, __WS_TYPE_NAME, after)

/*
 * What a function does on the device, and on the host. In the pass for the host no code is made of
 * device functions: there is one body in each pass.
 */
#ifdef __CUDA_ARCH__
#define __WS_EITHER(device, host) device
#else
#include "warpstep/half_emulation.h"
#define __WS_EITHER(device, host) host
#endif

struct __WS_SCALAR_RAW {
    unsigned short x;
};
struct __WS_PAIR_RAW {
    unsigned short x, y;
};

struct __WS_OTHER;

#define __WS_FROM(type, ptx, constraint)                                                           \
    __WS_MEMBER __WS_SCALAR(type x)                                                                \
    {                                                                                              \
        __WS_EITHER(asm("cvt.rn." __WS_PTX "." ptx " %0, %1;" : "=h"(bits) : constraint(x)),       \
                    bits = __ws_host_narrow<__WS_FORMAT>(x));                                 \
    }
#define __WS_TO(type, ptx, constraint)                                                             \
    __WS_MEMBER operator type() const                                                              \
    {                                                                                              \
        type x;                                                                                    \
        __WS_EITHER(asm("cvt.rzi." ptx "." __WS_PTX " %0, %1;" : "=" constraint(x) : "h"(bits)),   \
                    x = __ws_host_integer<type>(__ws_host_widen<__WS_FORMAT>(bits), 'z'));    \
        return x;                                                                                  \
    }
#define __WS_TO_CHAR(type, ptx)                                                                    \
    __WS_MEMBER operator type() const                                                              \
    {                                                                                              \
        int x;                                                                                     \
        __WS_EITHER(asm("cvt.rzi." ptx "." __WS_PTX " %0, %1;" : "=r"(x) : "h"(bits)),             \
                    x = __ws_host_integer<type>(__ws_host_widen<__WS_FORMAT>(bits), 'z'));    \
        return (type)x;                                                                            \
    }

struct __attribute__((aligned(2))) __WS_SCALAR {
    unsigned short bits;

    __WS_SCALAR() = default;
    __WS_MEMBER constexpr __WS_SCALAR(__WS_SCALAR_RAW raw) : bits(raw.x)
    {
    }
    __WS_MEMBER operator __WS_SCALAR_RAW() const
    {
        return __WS_SCALAR_RAW{bits};
    }
#if __WS_CONVERSIONS
    explicit __WS_MEMBER __WS_SCALAR(__WS_OTHER x);
    __WS_FROM(float, "f32", "f")
    __WS_FROM(double, "f64", "d")
    __WS_FROM(short, "s16", "h")
    __WS_FROM(unsigned short, "u16", "h")
    __WS_FROM(int, "s32", "r")
    __WS_FROM(unsigned int, "u32", "r")
    __WS_FROM(long, "s64", "l")
    __WS_FROM(unsigned long, "u64", "l")
    __WS_FROM(long long, "s64", "l")
    __WS_FROM(unsigned long long, "u64", "l")
    __WS_MEMBER operator float() const
    {
        float x;
        __WS_EITHER(asm("cvt.f32." __WS_PTX " %0, %1;" : "=f"(x) : "h"(bits)),
                    x = __ws_host_widen<__WS_FORMAT>(bits));
        return x;
    }
    __WS_TO_CHAR(char, "s8")
    __WS_TO_CHAR(signed char, "s8")
    __WS_TO_CHAR(unsigned char, "u8")
    __WS_TO(short, "s16", "h")
    __WS_TO(unsigned short, "u16", "h")
    __WS_TO(int, "s32", "r")
    __WS_TO(unsigned int, "u32", "r")
    __WS_TO(long, "s64", "l")
    __WS_TO(unsigned long, "u64", "l")
    __WS_TO(long long, "s64", "l")
    __WS_TO(unsigned long long, "u64", "l")
    __WS_MEMBER operator bool() const
    {
        return (bits & 0x7fff) != 0;
    }
#endif
};
#undef __WS_FROM
#undef __WS_TO
#undef __WS_TO_CHAR

struct __attribute__((aligned(4))) __WS_PAIR {
    __WS_SCALAR x, y;

    __WS_PAIR() = default;
    __WS_MEMBER constexpr __WS_PAIR(__WS_SCALAR a, __WS_SCALAR b) : x(a), y(b)
    {
    }
    __WS_MEMBER __WS_PAIR(__WS_PAIR_RAW raw) : x(__WS_SCALAR_RAW{raw.x}), y(__WS_SCALAR_RAW{raw.y})
    {
    }
    __WS_MEMBER operator __WS_PAIR_RAW() const
    {
        return __WS_PAIR_RAW{x.bits, y.bits};
    }
};

__WS_BOTH unsigned int __ws_word(__WS_PAIR a)
{
    return __builtin_bit_cast(unsigned int, a);
}
__WS_BOTH __WS_PAIR __WS_NAMED(__ws_word_as_, 2)(unsigned int word)
{
    return __builtin_bit_cast(__WS_PAIR, word);
}
#define __WS_AS_SCALAR(word) __WS_SCALAR(__WS_SCALAR_RAW{(unsigned short)(word)})
#define __WS_AS_PAIR         __WS_NAMED(__ws_word_as_, 2)

/* ---- the same bits as another type; halves of pairs ---- */

__WS_BOTH short __WS_NAMED(__, _as_short)(__WS_SCALAR a)
{
    return (short)a.bits;
}
__WS_BOTH unsigned short __WS_NAMED(__, _as_ushort)(__WS_SCALAR a)
{
    return a.bits;
}
__WS_BOTH __WS_SCALAR __WS_NAMED(__short_as_, )(short bits)
{
    return __WS_AS_SCALAR(bits);
}
__WS_BOTH __WS_SCALAR __WS_NAMED(__ushort_as_, )(unsigned short bits)
{
    return __WS_AS_SCALAR(bits);
}

#define __WS_FUNCTION_1(type, name, from, expression)                                              \
    __WS_BOTH type name(from a)                                                                    \
    {                                                                                              \
        return expression;                                                                         \
    }
#define __WS_FUNCTION_2(type, name, from, expression)                                              \
    __WS_BOTH type name(from a, from b)                                                            \
    {                                                                                              \
        return expression;                                                                         \
    }
#define __WS_FUNCTION_3(type, name, from, expression)                                              \
    __WS_BOTH type name(from a, from b, from c)                                                    \
    {                                                                                              \
        return expression;                                                                         \
    }
__WS_FUNCTION_2(__WS_PAIR, __WS_NAMED(__halves2, 2), __WS_SCALAR, __WS_PAIR(a, b))
__WS_FUNCTION_1(__WS_PAIR, __WS_NAMED(__, __WS_SELF2), __WS_SCALAR, __WS_PAIR(a, a))
__WS_FUNCTION_1(__WS_SCALAR, __WS_NAMED(__low2, ), __WS_PAIR, a.x)
__WS_FUNCTION_1(__WS_SCALAR, __WS_NAMED(__high2, ), __WS_PAIR, a.y)
__WS_FUNCTION_1(__WS_PAIR, __WS_NAMED(__low2, 2), __WS_PAIR, __WS_PAIR(a.x, a.x))
__WS_FUNCTION_1(__WS_PAIR, __WS_NAMED(__high2, 2), __WS_PAIR, __WS_PAIR(a.y, a.y))
__WS_FUNCTION_2(__WS_PAIR, __WS_NAMED(__lows2, 2), __WS_PAIR, __WS_PAIR(a.x, b.x))
__WS_FUNCTION_2(__WS_PAIR, __WS_NAMED(__highs2, 2), __WS_PAIR, __WS_PAIR(a.y, b.y))
__WS_FUNCTION_1(__WS_PAIR, __lowhigh2highlow, __WS_PAIR, __WS_PAIR(a.y, a.x))

/* ---- conversions ---- */

#define __WS_CONVERT(to, name, from, instruction, out, in, host)                                   \
    __WS_BOTH to name(from x)                                                                      \
    {                                                                                              \
        to r;                                                                                      \
        __WS_EITHER(asm(instruction " %0, %1;" : "=" out : in), host);                             \
        return r;                                                                                  \
    }
/* The second letter of `ptx` is the direction of rounding. */
#define __WS_CONVERT_FROM(name, from, ptx, constraint)                                             \
    __WS_CONVERT(__WS_SCALAR, name, from, "cvt." ptx, "h"(r.bits), constraint(x),                  \
                 r.bits = __ws_host_narrow<__WS_FORMAT>(x, (ptx)[1]))
#define __WS_CONVERT_TO(name, to, ptx, constraint)                                                 \
    __WS_CONVERT(to, name, __WS_SCALAR, "cvt." ptx "." __WS_PTX, constraint(r), "h"(x.bits),       \
                 r = __ws_host_integer<to>(__ws_host_widen<__WS_FORMAT>(x.bits), (ptx)[1]))
#define __WS_CONVERT_INTEGER(name, type, ptx, constraint)                                          \
    __WS_CONVERT_FROM(__WS_NAMED(__##name##2, _rn), type, "rn." __WS_PTX "." ptx, constraint)      \
    __WS_CONVERT_FROM(__WS_NAMED(__##name##2, _rz), type, "rz." __WS_PTX "." ptx, constraint)      \
    __WS_CONVERT_FROM(__WS_NAMED(__##name##2, _rd), type, "rm." __WS_PTX "." ptx, constraint)      \
    __WS_CONVERT_FROM(__WS_NAMED(__##name##2, _ru), type, "rp." __WS_PTX "." ptx, constraint)      \
    __WS_CONVERT_TO(__WS_NAMED(__, 2##name##_rn), type, "rni." ptx, constraint)                    \
    __WS_CONVERT_TO(__WS_NAMED(__, 2##name##_rz), type, "rzi." ptx, constraint)                    \
    __WS_CONVERT_TO(__WS_NAMED(__, 2##name##_rd), type, "rmi." ptx, constraint)                    \
    __WS_CONVERT_TO(__WS_NAMED(__, 2##name##_ru), type, "rpi." ptx, constraint)
__WS_CONVERT_INTEGER(int, int, "s32", "r")
__WS_CONVERT_INTEGER(uint, unsigned int, "u32", "r")
__WS_CONVERT_INTEGER(short, short, "s16", "h")
__WS_CONVERT_INTEGER(ushort, unsigned short, "u16", "h")
__WS_CONVERT_INTEGER(ll, long long, "s64", "l")
__WS_CONVERT_INTEGER(ull, unsigned long long, "u64", "l")
__WS_CONVERT_FROM(__WS_NAMED(__float2, ), float, "rn." __WS_PTX ".f32", "f")
__WS_CONVERT_FROM(__WS_NAMED(__float2, _rn), float, "rn." __WS_PTX ".f32", "f")
__WS_CONVERT_FROM(__WS_NAMED(__float2, _rz), float, "rz." __WS_PTX ".f32", "f")
__WS_CONVERT_FROM(__WS_NAMED(__float2, _rd), float, "rm." __WS_PTX ".f32", "f")
__WS_CONVERT_FROM(__WS_NAMED(__float2, _ru), float, "rp." __WS_PTX ".f32", "f")
__WS_CONVERT_FROM(__WS_NAMED(__double2, ), double, "rn." __WS_PTX ".f64", "d")
__WS_CONVERT(float, __WS_NAMED(__, 2float), __WS_SCALAR, "cvt.f32." __WS_PTX, "f"(r), "h"(x.bits),
             r = __ws_host_widen<__WS_FORMAT>(x.bits))
#undef __WS_CONVERT_INTEGER
#define __WS_WIDEN __WS_NAMED(__, 2float)

__WS_BOTH signed char __WS_NAMED(__, 2char_rz)(__WS_SCALAR a)
{
    int r;
    __WS_EITHER(asm("cvt.rzi.s8." __WS_PTX " %0, %1;" : "=r"(r) : "h"(a.bits)),
                r = __ws_host_integer<signed char>(__ws_host_widen<__WS_FORMAT>(a.bits), 'z'));
    return (signed char)r;
}
__WS_BOTH unsigned char __WS_NAMED(__, 2uchar_rz)(__WS_SCALAR a)
{
    int r;
    __WS_EITHER(asm("cvt.rzi.u8." __WS_PTX " %0, %1;" : "=r"(r) : "h"(a.bits)),
                r = __ws_host_integer<unsigned char>(__ws_host_widen<__WS_FORMAT>(a.bits), 'z'));
    return (unsigned char)r;
}
__WS_BOTH __WS_PAIR __WS_NAMED(__floats2, 2_rn)(float a, float b)
{
    unsigned int r;
    __WS_EITHER(asm("cvt.rn." __WS_PTX2 ".f32 %0, %1, %2;" : "=r"(r) : "f"(b), "f"(a)),
                r = __ws_host_narrow<__WS_FORMAT>(a) |
                    (unsigned int)__ws_host_narrow<__WS_FORMAT>(b) << 16);
    return __WS_AS_PAIR(r);
}
#define __WS_NARROW  __WS_NAMED(__float2, )
#define __WS_NARROW2 __WS_NAMED(__floats2, 2_rn)
__WS_FUNCTION_1(__WS_PAIR, __WS_NAMED(__float22, 2_rn), float2, __WS_NARROW2(a.x, a.y))
__WS_BOTH __WS_PAIR __WS_NAMED(__float2, 2_rn)(float a)
{
    __WS_SCALAR r = __WS_NARROW(a);
    return __WS_PAIR(r, r);
}
__WS_FUNCTION_1(float, __low2float, __WS_PAIR, __WS_WIDEN(a.x))
__WS_FUNCTION_1(float, __high2float, __WS_PAIR, __WS_WIDEN(a.y))
__WS_BOTH float2 __WS_NAMED(__, 22float2)(__WS_PAIR a)
{
    return float2{__WS_WIDEN(a.x), __WS_WIDEN(a.y)};
}

/* ---- arithmetic ---- */

#define __WS_UNARY(name, name2, instruction)                                                       \
    __WS_BOTH __WS_SCALAR name(__WS_SCALAR a)                                                      \
    {                                                                                              \
        unsigned short r;                                                                          \
        __WS_EITHER(asm(instruction "." __WS_PTX " %0, %1;" : "=h"(r) : "h"(a.bits)),              \
                    r = __ws_host_unary<__WS_FORMAT>(instruction, a.bits));                   \
        return __WS_AS_SCALAR(r);                                                                  \
    }                                                                                              \
    __WS_BOTH __WS_PAIR name2(__WS_PAIR a)                                                         \
    {                                                                                              \
        unsigned int r;                                                                            \
        __WS_EITHER(asm(instruction "." __WS_PTX2 " %0, %1;" : "=r"(r) : "r"(__ws_word(a))),       \
                    r = __ws_word(__WS_PAIR(name(a.x), name(a.y))));                               \
        return __WS_AS_PAIR(r);                                                                    \
    }
#define __WS_BINARY(name, name2, instruction)                                                      \
    __WS_BOTH __WS_SCALAR name(__WS_SCALAR a, __WS_SCALAR b)                                       \
    {                                                                                              \
        unsigned short r;                                                                          \
        __WS_EITHER(asm(instruction "." __WS_PTX " %0, %1, %2;"                                    \
                        : "=h"(r)                                                                  \
                        : "h"(a.bits), "h"(b.bits)),                                               \
                    r = __ws_host_binary<__WS_FORMAT>(instruction, a.bits, b.bits));          \
        return __WS_AS_SCALAR(r);                                                                  \
    }                                                                                              \
    __WS_BOTH __WS_PAIR name2(__WS_PAIR a, __WS_PAIR b)                                            \
    {                                                                                              \
        unsigned int r;                                                                            \
        __WS_EITHER(asm(instruction "." __WS_PTX2 " %0, %1, %2;"                                   \
                        : "=r"(r)                                                                  \
                        : "r"(__ws_word(a)), "r"(__ws_word(b))),                                   \
                    r = __ws_word(__WS_PAIR(name(a.x, b.x), name(a.y, b.y))));                     \
        return __WS_AS_PAIR(r);                                                                    \
    }
#define __WS_TERNARY(name, name2, instruction)                                                     \
    __WS_BOTH __WS_SCALAR name(__WS_SCALAR a, __WS_SCALAR b, __WS_SCALAR c)                        \
    {                                                                                              \
        unsigned short r;                                                                          \
        __WS_EITHER(asm(instruction "." __WS_PTX " %0, %1, %2, %3;"                                \
                        : "=h"(r)                                                                  \
                        : "h"(a.bits), "h"(b.bits), "h"(c.bits)),                                  \
                    r = __ws_host_ternary<__WS_FORMAT>(instruction, a.bits, b.bits, c.bits)); \
        return __WS_AS_SCALAR(r);                                                                  \
    }                                                                                              \
    __WS_BOTH __WS_PAIR name2(__WS_PAIR a, __WS_PAIR b, __WS_PAIR c)                               \
    {                                                                                              \
        unsigned int r;                                                                            \
        __WS_EITHER(asm(instruction "." __WS_PTX2 " %0, %1, %2, %3;"                               \
                        : "=r"(r)                                                                  \
                        : "r"(__ws_word(a)), "r"(__ws_word(b)), "r"(__ws_word(c))),                \
                    r = __ws_word(__WS_PAIR(name(a.x, b.x, c.x), name(a.y, b.y, c.y))));           \
        return __WS_AS_PAIR(r);                                                                    \
    }
__WS_UNARY(__hneg, __hneg2, "neg")
__WS_UNARY(__habs, __habs2, "abs")
__WS_BINARY(__hadd, __hadd2, "add")
__WS_BINARY(__hsub, __hsub2, "sub")
__WS_BINARY(__hmul, __hmul2, "mul")
__WS_BINARY(__hadd_rn, __hadd2_rn, "add.rn")
__WS_BINARY(__hsub_rn, __hsub2_rn, "sub.rn")
__WS_BINARY(__hmul_rn, __hmul2_rn, "mul.rn")
__WS_BINARY(__hmin, __hmin2, "min")
__WS_BINARY(__hmax, __hmax2, "max")
__WS_BINARY(__hmin_nan, __hmin2_nan, "min.NaN")
__WS_BINARY(__hmax_nan, __hmax2_nan, "max.NaN")
__WS_TERNARY(__hfma, __hfma2, "fma.rn")
__WS_TERNARY(__hfma_relu, __hfma2_relu, "fma.rn.relu")
__WS_BOTH __WS_SCALAR __hdiv(__WS_SCALAR a, __WS_SCALAR b)
{
    return __WS_AS_SCALAR(__WS_EITHER(__WS_NAMED(__ws_, _divide),
                                      __ws_host_divide<__WS_FORMAT>)(a.bits, b.bits));
}
__WS_FUNCTION_2(__WS_PAIR, __h2div, __WS_PAIR, __WS_PAIR(__hdiv(a.x, b.x), __hdiv(a.y, b.y)))

/* a * b + c of complex numbers, the real part in the low half. */
__WS_BOTH __WS_PAIR __hcmadd(__WS_PAIR a, __WS_PAIR b, __WS_PAIR c)
{
    __WS_PAIR r = __hfma2(__WS_PAIR(a.x, a.x), b, c);
    return __hfma2(__WS_PAIR(a.y, a.y), __WS_PAIR(__hneg(b.y), b.x), r);
}

/* ---- comparisons: false for NaN, those that end in u true ---- */

/* The word `low` where the low halves compare so, plus `high` where the high ones do. */
#define __WS_COMPARE_PAIR(type, name, comparison, low, high, result)                               \
    __WS_BOTH type name(__WS_PAIR a, __WS_PAIR b)                                                  \
    {                                                                                              \
        unsigned int r;                                                                            \
        __WS_EITHER(                                                                               \
            asm("{.reg .pred p, q;\n\t"                                                            \
                "setp." comparison "." __WS_PTX2 " p|q, %1, %2;\n\t"                               \
                "selp.b32 %0, %3, 0, p;\n\t"                                                       \
                "@q or.b32 %0, %0, %4;}"                                                           \
                : "=&r"(r)                                                                         \
                : "r"(__ws_word(a)), "r"(__ws_word(b)), "n"(low), "n"(high)),                      \
            r = (__ws_host_compare<__WS_FORMAT>(comparison, a.x.bits, b.x.bits) ? low : 0) |  \
                (__ws_host_compare<__WS_FORMAT>(comparison, a.y.bits, b.y.bits)               \
                     ? (unsigned int)(high)                                                        \
                     : 0));                                                                        \
        return result(r);                                                                          \
    }
#define __WS_COMPARE(name, comparison)                                                             \
    __WS_BOTH bool __h##name(__WS_SCALAR a, __WS_SCALAR b)                                         \
    {                                                                                              \
        unsigned int r;                                                                            \
        __WS_EITHER(asm("{.reg .pred p;\n\t"                                                       \
                        "setp." comparison "." __WS_PTX " p, %1, %2;\n\t"                          \
                        "selp.u32 %0, 1, 0, p;}"                                                   \
                        : "=r"(r)                                                                  \
                        : "h"(a.bits), "h"(b.bits)),                                               \
                    r = __ws_host_compare<__WS_FORMAT>(comparison, a.bits, b.bits));          \
        return r != 0;                                                                             \
    }                                                                                              \
    __WS_COMPARE_PAIR(__WS_PAIR, __h##name##2, comparison, __WS_ONE, __WS_ONE << 16, __WS_AS_PAIR) \
    __WS_COMPARE_PAIR(unsigned int, __h##name##2_mask, comparison, 0xffff, 0xffff0000, )           \
    __WS_BOTH bool __hb##name##2(__WS_PAIR a, __WS_PAIR b)                                         \
    {                                                                                              \
        unsigned int r;                                                                            \
        __WS_EITHER(asm("{.reg .pred p, q;\n\t"                                                    \
                        "setp." comparison "." __WS_PTX2 " p|q, %1, %2;\n\t"                       \
                        "and.pred p, p, q;\n\t"                                                    \
                        "selp.u32 %0, 1, 0, p;}"                                                   \
                        : "=r"(r)                                                                  \
                        : "r"(__ws_word(a)), "r"(__ws_word(b))),                                   \
                    r = __h##name(a.x, b.x) && __h##name(a.y, b.y));                               \
        return r != 0;                                                                             \
    }
__WS_COMPARE(eq, "eq")
__WS_COMPARE(ne, "ne")
__WS_COMPARE(lt, "lt")
__WS_COMPARE(le, "le")
__WS_COMPARE(gt, "gt")
__WS_COMPARE(ge, "ge")
__WS_COMPARE(equ, "equ")
__WS_COMPARE(neu, "neu")
__WS_COMPARE(ltu, "ltu")
__WS_COMPARE(leu, "leu")
__WS_COMPARE(gtu, "gtu")
__WS_COMPARE(geu, "geu")
__WS_COMPARE(_ws_nan, "nan")
__WS_FUNCTION_1(bool, __hisnan, __WS_SCALAR, __h_ws_nan(a, a))
__WS_FUNCTION_1(__WS_PAIR, __hisnan2, __WS_PAIR, __h_ws_nan2(a, a))
__WS_BOTH int __hisinf(__WS_SCALAR a)
{
    return a.bits == (__WS_INFINITY | 0x8000) ? -1 : a.bits == __WS_INFINITY ? 1 : 0;
}
#undef __WS_COMPARE
#undef __WS_COMPARE_PAIR

/* ---- saturated to [0, 1], NaN to 0 ---- */

#if __WS_HAS_SAT
__WS_BINARY(__hadd_sat, __hadd2_sat, "add.sat")
__WS_BINARY(__hsub_sat, __hsub2_sat, "sub.sat")
__WS_BINARY(__hmul_sat, __hmul2_sat, "mul.sat")
__WS_TERNARY(__hfma_sat, __hfma2_sat, "fma.rn.sat")
#else
__WS_BOTH __WS_SCALAR __ws_saturate(__WS_SCALAR a)
{
    return __hmin(__hmax(a, __WS_AS_SCALAR(0)), __WS_AS_SCALAR(__WS_ONE));
}
__WS_BOTH __WS_PAIR __ws_saturate(__WS_PAIR a)
{
    return __hmin2(__hmax2(a, __WS_AS_PAIR(0)), __WS_AS_PAIR(__WS_ONE | __WS_ONE << 16));
}
__WS_FUNCTION_2(__WS_SCALAR, __hadd_sat, __WS_SCALAR, __ws_saturate(__hadd_rn(a, b)))
__WS_FUNCTION_2(__WS_SCALAR, __hsub_sat, __WS_SCALAR, __ws_saturate(__hsub_rn(a, b)))
__WS_FUNCTION_2(__WS_SCALAR, __hmul_sat, __WS_SCALAR, __ws_saturate(__hmul_rn(a, b)))
__WS_FUNCTION_3(__WS_SCALAR, __hfma_sat, __WS_SCALAR, __ws_saturate(__hfma(a, b, c)))
__WS_FUNCTION_2(__WS_PAIR, __hadd2_sat, __WS_PAIR, __ws_saturate(__hadd2_rn(a, b)))
__WS_FUNCTION_2(__WS_PAIR, __hsub2_sat, __WS_PAIR, __ws_saturate(__hsub2_rn(a, b)))
__WS_FUNCTION_2(__WS_PAIR, __hmul2_sat, __WS_PAIR, __ws_saturate(__hmul2_rn(a, b)))
__WS_FUNCTION_3(__WS_PAIR, __hfma2_sat, __WS_PAIR, __ws_saturate(__hfma2(a, b, c)))
#endif

/* ---- math: rounded from a float, which the including header gives ---- */

#define __WS_MATH_FUNCTION(name)                                                                   \
    __WS_FUNCTION_1(__WS_SCALAR, h##name, __WS_SCALAR,                                             \
                    __WS_NARROW(__WS_NAMED(__ws_, _##name)(a.bits)))                               \
    __WS_FUNCTION_1(__WS_PAIR, h2##name, __WS_PAIR,                                                \
                    __WS_NARROW2(__WS_NAMED(__ws_, _##name)(a.x.bits),                             \
                                 __WS_NAMED(__ws_, _##name)(a.y.bits)))
#define __WS_ROUND_FUNCTION(name, mode)                                                            \
    __WS_CONVERT(__WS_SCALAR, h##name, __WS_SCALAR, "cvt." mode "." __WS_PTX "." __WS_PTX,         \
                 "h"(r.bits), "h"(x.bits),                                                         \
                 r.bits = __ws_host_narrow<__WS_FORMAT>(                                      \
                     __ws_host_integral(__ws_host_widen<__WS_FORMAT>(x.bits), (mode)[1])))    \
    __WS_FUNCTION_1(__WS_PAIR, h2##name, __WS_PAIR, __WS_PAIR(h##name(a.x), h##name(a.y)))
__WS_MATH_FUNCTION(sqrt)
__WS_MATH_FUNCTION(rsqrt)
__WS_MATH_FUNCTION(rcp)
__WS_MATH_FUNCTION(exp)
__WS_MATH_FUNCTION(exp2)
__WS_MATH_FUNCTION(exp10)
__WS_MATH_FUNCTION(log)
__WS_MATH_FUNCTION(log2)
__WS_MATH_FUNCTION(log10)
__WS_MATH_FUNCTION(sin)
__WS_MATH_FUNCTION(cos)
__WS_MATH_FUNCTION(tanh)
__WS_UNARY(htanh_approx, h2tanh_approx, "tanh.approx")
__WS_ROUND_FUNCTION(trunc, "rzi")
__WS_ROUND_FUNCTION(ceil, "rpi")
__WS_ROUND_FUNCTION(floor, "rmi")
__WS_ROUND_FUNCTION(rint, "rni")
#undef __WS_MATH_FUNCTION
#undef __WS_ROUND_FUNCTION

/* ---- operators ---- */

#define __WS_ASSIGNMENT(type, operation)                                                           \
    __WS_BOTH type &operator operation##=(type &a, type b)                                         \
    {                                                                                              \
        return a = a operation b;                                                                  \
    }
#define __WS_STEP(type, operation, function, one)                                                  \
    __WS_BOTH type &operator operation(type &a)                                                    \
    {                                                                                              \
        return a = function(a, one);                                                               \
    }                                                                                              \
    __WS_BOTH type operator operation(type &a, int)                                                \
    {                                                                                              \
        type before = a;                                                                           \
        a = function(a, one);                                                                      \
        return before;                                                                             \
    }
#define __WS_OPERATORS_OF(type, add, sub, mul, div, neg, compare, end, one)                        \
    __WS_FUNCTION_2(type, operator+, type, add(a, b))                                              \
    __WS_FUNCTION_2(type, operator-, type, sub(a, b))                                              \
    __WS_FUNCTION_2(type, operator*, type, mul(a, b))                                              \
    __WS_FUNCTION_2(type, operator/, type, div(a, b))                                              \
    __WS_FUNCTION_1(type, operator+, type, a)                                                      \
    __WS_FUNCTION_1(type, operator-, type, neg(a))                                                 \
    __WS_ASSIGNMENT(type, +)                                                                       \
    __WS_ASSIGNMENT(type, -)                                                                       \
    __WS_ASSIGNMENT(type, *)                                                                       \
    __WS_ASSIGNMENT(type, /)                                                                       \
    __WS_STEP(type, ++, add, one)                                                                  \
    __WS_STEP(type, --, sub, one)                                                                  \
    __WS_FUNCTION_2(bool, operator==, type, compare##eq##end(a, b))                                \
    __WS_FUNCTION_2(bool, operator!=, type, compare##neu##end(a, b))                               \
    __WS_FUNCTION_2(bool, operator<, type, compare##lt##end(a, b))                                 \
    __WS_FUNCTION_2(bool, operator<=, type, compare##le##end(a, b))                                \
    __WS_FUNCTION_2(bool, operator>, type, compare##gt##end(a, b))                                 \
    __WS_FUNCTION_2(bool, operator>=, type, compare##ge##end(a, b))
#if __WS_OPERATORS
__WS_OPERATORS_OF(__WS_SCALAR, __hadd, __hsub, __hmul, __hdiv, __hneg, __h, , __WS_AS_SCALAR(__WS_ONE))
#endif
#if __WS_PAIR_OPERATORS
__WS_OPERATORS_OF(__WS_PAIR, __hadd2, __hsub2, __hmul2, __h2div, __hneg2, __hb, 2,
                  __WS_AS_PAIR(__WS_ONE | __WS_ONE << 16))
#endif
#undef __WS_OPERATORS_OF
#undef __WS_ASSIGNMENT
#undef __WS_STEP

/* ---- memory; shuffles are templates, see warp.h ---- */

__WS_DEVICE __WS_SCALAR __ldg(const __WS_SCALAR *address)
{
    return __WS_AS_SCALAR(__ldg((const unsigned short *)address));
}
__WS_DEVICE __WS_PAIR __ldg(const __WS_PAIR *address)
{
    return __WS_AS_PAIR(__ldg((const unsigned int *)address));
}
#define __WS_LOAD(name)                                                                            \
    __WS_DEVICE __WS_SCALAR name(const __WS_SCALAR *address)                                       \
    {                                                                                              \
        return __WS_AS_SCALAR(name((const unsigned short *)address));                              \
    }                                                                                              \
    __WS_DEVICE __WS_PAIR name(const __WS_PAIR *address)                                           \
    {                                                                                              \
        return __WS_AS_PAIR(name((const unsigned int *)address));                                  \
    }
#define __WS_STORE(name, hint)                                                                     \
    __WS_DEVICE void name(__WS_SCALAR *address, __WS_SCALAR value)                                 \
    {                                                                                              \
        asm volatile("st.global." hint ".b16 [%0], %1;" ::"l"(address), "h"(value.bits)            \
                     : "memory");                                                                  \
    }                                                                                              \
    __WS_DEVICE void name(__WS_PAIR *address, __WS_PAIR value)                                     \
    {                                                                                              \
        name((unsigned int *)address, __ws_word(value));                                           \
    }
__WS_LOAD(__ldcg)
__WS_LOAD(__ldca)
__WS_LOAD(__ldcs)
__WS_LOAD(__ldlu)
__WS_LOAD(__ldcv)
__WS_STORE(__stwb, "wb")
__WS_STORE(__stcg, "cg")
__WS_STORE(__stcs, "cs")
__WS_STORE(__stwt, "wt")
#undef __WS_LOAD
#undef __WS_STORE

__WS_DEVICE __WS_PAIR atomicAdd(__WS_PAIR *address, __WS_PAIR value)
{
    unsigned int old;
    asm volatile("atom.add.noftz." __WS_PTX2 " %0, [%1], %2;"
                 : "=r"(old)
                 : "l"(address), "r"(__ws_word(value))
                 : "memory");
    return __WS_AS_PAIR(old);
}
/* The word that holds the scalar is compared and swapped, as ptxas has it. */
__WS_DEVICE __WS_SCALAR atomicAdd(__WS_SCALAR *address, __WS_SCALAR value)
{
    unsigned long long place = (unsigned long long)address;
    unsigned int *word = (unsigned int *)(place & ~2ull), offset = (unsigned int)place & 2;
    unsigned int selector = offset ? 0x7610 : 0x3254, old = *word, seen;
    do {
        seen = old;
        unsigned int sum = __ws_word(__hadd2(__WS_AS_PAIR(seen), __WS_PAIR(value, value)));
        old = atomicCAS(word, seen, __byte_perm(seen, sum, selector));
    } while (old != seen);
    return __WS_AS_SCALAR(old >> offset * 8);
}

#undef __WS_AS_SCALAR
#undef __WS_AS_PAIR
#undef __WS_CONVERT
#undef __WS_CONVERT_FROM
#undef __WS_CONVERT_TO
#undef __WS_FUNCTION_1
#undef __WS_FUNCTION_2
#undef __WS_FUNCTION_3
#undef __WS_UNARY
#undef __WS_BINARY
#undef __WS_TERNARY
#undef __WS_WIDEN
#undef __WS_NARROW
#undef __WS_NARROW2
#undef __WS_SCALAR
#undef __WS_PAIR
#undef __WS_SCALAR_RAW
#undef __WS_PAIR_RAW
#undef __WS_OTHER
#undef __WS_PTX
#undef __WS_PTX2
#undef __WS_EITHER
#undef __WS_FORMAT
#undef __WS_NAMED
#undef __WS_NAMED_AS
#undef __WS_GLUE
#undef __WS_TYPE_NAME
#undef __WS_SELF2
#undef __WS_ONE
#undef __WS_INFINITY
#undef __WS_HAS_SAT
#undef __WS_CONVERSIONS
#undef __WS_OPERATORS
#undef __WS_PAIR_OPERATORS
