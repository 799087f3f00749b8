/*
 * Integer, conversion, rounding-mode and fast-math intrinsics of CUDA C, each one PTX instruction
 * or a few.
 */
#ifndef WARPSTEP_INTRINSICS_H
#define WARPSTEP_INTRINSICS_H

#include "warpstep/vector_types.h"

#define __WS_UNARY(type, name, from, expression)                                                   \
    __WS_DEVICE type name(from x)                                                                  \
    {                                                                                              \
        return expression;                                                                         \
    }
#define __WS_BINARY(type, name, from, expression)                                                  \
    __WS_DEVICE type name(from x, from y)                                                          \
    {                                                                                              \
        return expression;                                                                         \
    }

/* bits */
__WS_UNARY(int, __popc, unsigned int, __builtin_popcount(x))
__WS_UNARY(int, __popcll, unsigned long long, __builtin_popcountll(x))
__WS_UNARY(int, __clz, int, x == 0 ? 32 : __builtin_clz(x))
__WS_UNARY(int, __clzll, long long, x == 0 ? 64 : __builtin_clzll(x))
__WS_UNARY(unsigned int, __brev, unsigned int, __builtin_bitreverse32(x))
__WS_UNARY(unsigned long long, __brevll, unsigned long long, __builtin_bitreverse64(x))
/* Unsigned, because of the least numbers, which have no opposite. */
__WS_UNARY(int, __ffs, unsigned int, 32 - __clz((int)(x & -x)))
__WS_UNARY(int, __ffsll, unsigned long long, 64 - __clzll((long long)(x & -x)))
__WS_DEVICE unsigned int __byte_perm(unsigned int x, unsigned int y, unsigned int selector)
{
    return __nvvm_prmt(x, y, selector);
}
#define __WS_FUNNEL(name, instruction)                                                             \
    __WS_DEVICE unsigned int name(unsigned int low, unsigned int high, unsigned int shift)         \
    {                                                                                              \
        unsigned int result;                                                                       \
        asm(instruction " %0, %1, %2, %3;" : "=r"(result) : "r"(low), "r"(high), "r"(shift));      \
        return result;                                                                             \
    }
__WS_FUNNEL(__funnelshift_l, "shf.l.wrap.b32")
__WS_FUNNEL(__funnelshift_r, "shf.r.wrap.b32")
__WS_FUNNEL(__funnelshift_lc, "shf.l.clamp.b32")
__WS_FUNNEL(__funnelshift_rc, "shf.r.clamp.b32")
#undef __WS_FUNNEL

/* integer arithmetic */
__WS_BINARY(int, __mul24, int, (int)((unsigned int)((x << 8) >> 8) * (unsigned int)((y << 8) >> 8)))
__WS_BINARY(unsigned int, __umul24, unsigned int, (x & 0xffffffu) * (y & 0xffffffu))
__WS_BINARY(int, __mulhi, int, (int)(((long long)x * y) >> 32))
__WS_BINARY(unsigned int, __umulhi, unsigned int, (unsigned int)(((unsigned long long)x * y) >> 32))
__WS_BINARY(long long, __mul64hi, long long, (long long)(((__int128)x * y) >> 64))
__WS_BINARY(unsigned long long, __umul64hi, unsigned long long,
            (unsigned long long)(((unsigned __int128)x * y) >> 64))
__WS_BINARY(int, __hadd, int, (x & y) + ((x ^ y) >> 1))
__WS_BINARY(int, __rhadd, int, (x | y) - ((x ^ y) >> 1))
__WS_BINARY(unsigned int, __uhadd, unsigned int, (x & y) + ((x ^ y) >> 1))
__WS_BINARY(unsigned int, __urhadd, unsigned int, (x | y) - ((x ^ y) >> 1))
__WS_DEVICE unsigned int __sad(int x, int y, unsigned int z)
{
    return (x > y ? (unsigned int)x - (unsigned int)y : (unsigned int)y - (unsigned int)x) + z;
}
__WS_DEVICE unsigned int __usad(unsigned int x, unsigned int y, unsigned int z)
{
    return (x > y ? x - y : y - x) + z;
}
__WS_DEVICE int __dp4a(int a, int b, int c)
{
    int result;
    asm("dp4a.s32.s32 %0, %1, %2, %3;" : "=r"(result) : "r"(a), "r"(b), "r"(c));
    return result;
}
__WS_DEVICE unsigned int __dp4a(unsigned int a, unsigned int b, unsigned int c)
{
    unsigned int result;
    asm("dp4a.u32.u32 %0, %1, %2, %3;" : "=r"(result) : "r"(a), "r"(b), "r"(c));
    return result;
}

__WS_DEVICE int __dp4a(char4 a, char4 b, int c)
{
    return __dp4a(__builtin_bit_cast(int, a), __builtin_bit_cast(int, b), c);
}
__WS_DEVICE unsigned int __dp4a(uchar4 a, uchar4 b, unsigned int c)
{
    return __dp4a(__builtin_bit_cast(unsigned int, a), __builtin_bit_cast(unsigned int, b), c);
}

/* the same bits as another type */
__WS_UNARY(int, __float_as_int, float, __builtin_bit_cast(int, x))
__WS_UNARY(unsigned int, __float_as_uint, float, __builtin_bit_cast(unsigned int, x))
__WS_UNARY(float, __int_as_float, int, __builtin_bit_cast(float, x))
__WS_UNARY(float, __uint_as_float, unsigned int, __builtin_bit_cast(float, x))
__WS_UNARY(long long, __double_as_longlong, double, __builtin_bit_cast(long long, x))
__WS_UNARY(double, __longlong_as_double, long long, __builtin_bit_cast(double, x))
__WS_UNARY(int, __double2hiint, double, (int)(__builtin_bit_cast(unsigned long long, x) >> 32))
__WS_UNARY(int, __double2loint, double, (int)__builtin_bit_cast(unsigned long long, x))
__WS_DEVICE double __hiloint2double(int high, int low)
{
    return __builtin_bit_cast(double,
                              (unsigned long long)(unsigned int)high << 32 | (unsigned int)low);
}

/* conversions with a rounding mode: rn nearest even, rz towards zero, rd down, ru up */
#define __WS_CONVERT(to, name, from, instruction, out, in)                                         \
    __WS_DEVICE to name(from x)                                                                    \
    {                                                                                              \
        to result;                                                                                 \
        asm(instruction " %0, %1;" : "=" out(result) : in(x));                                     \
        return result;                                                                             \
    }
__WS_CONVERT(int, __float2int_rn, float, "cvt.rni.s32.f32", "r", "f")
__WS_CONVERT(int, __float2int_rz, float, "cvt.rzi.s32.f32", "r", "f")
__WS_CONVERT(int, __float2int_rd, float, "cvt.rmi.s32.f32", "r", "f")
__WS_CONVERT(int, __float2int_ru, float, "cvt.rpi.s32.f32", "r", "f")
__WS_CONVERT(unsigned int, __float2uint_rn, float, "cvt.rni.u32.f32", "r", "f")
__WS_CONVERT(unsigned int, __float2uint_rz, float, "cvt.rzi.u32.f32", "r", "f")
__WS_CONVERT(unsigned int, __float2uint_rd, float, "cvt.rmi.u32.f32", "r", "f")
__WS_CONVERT(unsigned int, __float2uint_ru, float, "cvt.rpi.u32.f32", "r", "f")
__WS_CONVERT(long long, __float2ll_rn, float, "cvt.rni.s64.f32", "l", "f")
__WS_CONVERT(long long, __float2ll_rz, float, "cvt.rzi.s64.f32", "l", "f")
__WS_CONVERT(long long, __float2ll_rd, float, "cvt.rmi.s64.f32", "l", "f")
__WS_CONVERT(long long, __float2ll_ru, float, "cvt.rpi.s64.f32", "l", "f")
__WS_CONVERT(unsigned long long, __float2ull_rn, float, "cvt.rni.u64.f32", "l", "f")
__WS_CONVERT(unsigned long long, __float2ull_rz, float, "cvt.rzi.u64.f32", "l", "f")
__WS_CONVERT(unsigned long long, __float2ull_rd, float, "cvt.rmi.u64.f32", "l", "f")
__WS_CONVERT(unsigned long long, __float2ull_ru, float, "cvt.rpi.u64.f32", "l", "f")
__WS_CONVERT(int, __double2int_rn, double, "cvt.rni.s32.f64", "r", "d")
__WS_CONVERT(int, __double2int_rz, double, "cvt.rzi.s32.f64", "r", "d")
__WS_CONVERT(int, __double2int_rd, double, "cvt.rmi.s32.f64", "r", "d")
__WS_CONVERT(int, __double2int_ru, double, "cvt.rpi.s32.f64", "r", "d")
__WS_CONVERT(unsigned int, __double2uint_rn, double, "cvt.rni.u32.f64", "r", "d")
__WS_CONVERT(unsigned int, __double2uint_rz, double, "cvt.rzi.u32.f64", "r", "d")
__WS_CONVERT(unsigned int, __double2uint_rd, double, "cvt.rmi.u32.f64", "r", "d")
__WS_CONVERT(unsigned int, __double2uint_ru, double, "cvt.rpi.u32.f64", "r", "d")
__WS_CONVERT(long long, __double2ll_rn, double, "cvt.rni.s64.f64", "l", "d")
__WS_CONVERT(long long, __double2ll_rz, double, "cvt.rzi.s64.f64", "l", "d")
__WS_CONVERT(long long, __double2ll_rd, double, "cvt.rmi.s64.f64", "l", "d")
__WS_CONVERT(long long, __double2ll_ru, double, "cvt.rpi.s64.f64", "l", "d")
__WS_CONVERT(unsigned long long, __double2ull_rn, double, "cvt.rni.u64.f64", "l", "d")
__WS_CONVERT(unsigned long long, __double2ull_rz, double, "cvt.rzi.u64.f64", "l", "d")
__WS_CONVERT(unsigned long long, __double2ull_rd, double, "cvt.rmi.u64.f64", "l", "d")
__WS_CONVERT(unsigned long long, __double2ull_ru, double, "cvt.rpi.u64.f64", "l", "d")
__WS_CONVERT(float, __int2float_rn, int, "cvt.rn.f32.s32", "f", "r")
__WS_CONVERT(float, __int2float_rz, int, "cvt.rz.f32.s32", "f", "r")
__WS_CONVERT(float, __int2float_rd, int, "cvt.rm.f32.s32", "f", "r")
__WS_CONVERT(float, __int2float_ru, int, "cvt.rp.f32.s32", "f", "r")
__WS_CONVERT(double, __int2double_rn, int, "cvt.rn.f64.s32", "d", "r")
__WS_CONVERT(float, __uint2float_rn, unsigned int, "cvt.rn.f32.u32", "f", "r")
__WS_CONVERT(float, __uint2float_rz, unsigned int, "cvt.rz.f32.u32", "f", "r")
__WS_CONVERT(float, __uint2float_rd, unsigned int, "cvt.rm.f32.u32", "f", "r")
__WS_CONVERT(float, __uint2float_ru, unsigned int, "cvt.rp.f32.u32", "f", "r")
__WS_CONVERT(double, __uint2double_rn, unsigned int, "cvt.rn.f64.u32", "d", "r")
__WS_CONVERT(float, __ll2float_rn, long long, "cvt.rn.f32.s64", "f", "l")
__WS_CONVERT(float, __ll2float_rz, long long, "cvt.rz.f32.s64", "f", "l")
__WS_CONVERT(float, __ll2float_rd, long long, "cvt.rm.f32.s64", "f", "l")
__WS_CONVERT(float, __ll2float_ru, long long, "cvt.rp.f32.s64", "f", "l")
__WS_CONVERT(double, __ll2double_rn, long long, "cvt.rn.f64.s64", "d", "l")
__WS_CONVERT(double, __ll2double_rz, long long, "cvt.rz.f64.s64", "d", "l")
__WS_CONVERT(double, __ll2double_rd, long long, "cvt.rm.f64.s64", "d", "l")
__WS_CONVERT(double, __ll2double_ru, long long, "cvt.rp.f64.s64", "d", "l")
__WS_CONVERT(float, __ull2float_rn, unsigned long long, "cvt.rn.f32.u64", "f", "l")
__WS_CONVERT(float, __ull2float_rz, unsigned long long, "cvt.rz.f32.u64", "f", "l")
__WS_CONVERT(float, __ull2float_rd, unsigned long long, "cvt.rm.f32.u64", "f", "l")
__WS_CONVERT(float, __ull2float_ru, unsigned long long, "cvt.rp.f32.u64", "f", "l")
__WS_CONVERT(double, __ull2double_rn, unsigned long long, "cvt.rn.f64.u64", "d", "l")
__WS_CONVERT(double, __ull2double_rz, unsigned long long, "cvt.rz.f64.u64", "d", "l")
__WS_CONVERT(double, __ull2double_rd, unsigned long long, "cvt.rm.f64.u64", "d", "l")
__WS_CONVERT(double, __ull2double_ru, unsigned long long, "cvt.rp.f64.u64", "d", "l")
__WS_CONVERT(float, __double2float_rn, double, "cvt.rn.f32.f64", "f", "d")
__WS_CONVERT(float, __double2float_rz, double, "cvt.rz.f32.f64", "f", "d")
__WS_CONVERT(float, __double2float_rd, double, "cvt.rm.f32.f64", "f", "d")
__WS_CONVERT(float, __double2float_ru, double, "cvt.rp.f32.f64", "f", "d")
#undef __WS_CONVERT

/*
 * Arithmetic with a rounding mode, which is never contracted: the PTX that nvcc makes of it, with
 * its operands as they are. clang's own intrinsics would not do: it takes those that round to
 * nearest for plain sums and products.
 */
#define __WS_ROUNDED_1(name, type, constraint, instruction)                                        \
    __WS_DEVICE type name(type x)                                                                  \
    {                                                                                              \
        type result;                                                                               \
        asm(instruction " %0, %1;" : "=" constraint(result) : constraint(x));                      \
        return result;                                                                             \
    }
#define __WS_ROUNDED_2(name, type, constraint, instruction)                                        \
    __WS_DEVICE type name(type x, type y)                                                          \
    {                                                                                              \
        type result;                                                                               \
        asm(instruction " %0, %1, %2;" : "=" constraint(result) : constraint(x), constraint(y));   \
        return result;                                                                             \
    }
#define __WS_ROUNDED_3(name, type, constraint, instruction)                                        \
    __WS_DEVICE type name(type x, type y, type z)                                                  \
    {                                                                                              \
        type result;                                                                               \
        asm(instruction " %0, %1, %2, %3;"                                                         \
            : "=" constraint(result)                                                               \
            : constraint(x), constraint(y), constraint(z));                                        \
        return result;                                                                             \
    }
#define __WS_ROUNDED(mode, ptx)                                                                    \
    __WS_ROUNDED_2(__fadd_##mode, float, "f", "add." ptx __WS_FTZ ".f32")                          \
    __WS_ROUNDED_2(__fsub_##mode, float, "f", "sub." ptx __WS_FTZ ".f32")                          \
    __WS_ROUNDED_2(__fmul_##mode, float, "f", "mul." ptx __WS_FTZ ".f32")                          \
    __WS_ROUNDED_3(__fmaf_##mode, float, "f", "fma." ptx __WS_FTZ ".f32")                          \
    __WS_ROUNDED_2(__fdiv_##mode, float, "f", "div." ptx __WS_FTZ ".f32")                          \
    __WS_ROUNDED_1(__frcp_##mode, float, "f", "rcp." ptx __WS_FTZ ".f32")                          \
    __WS_ROUNDED_1(__fsqrt_##mode, float, "f", "sqrt." ptx __WS_FTZ ".f32")                        \
    __WS_ROUNDED_2(__dadd_##mode, double, "d", "add." ptx ".f64")                                  \
    __WS_ROUNDED_2(__dsub_##mode, double, "d", "sub." ptx ".f64")                                  \
    __WS_ROUNDED_2(__dmul_##mode, double, "d", "mul." ptx ".f64")                                  \
    __WS_ROUNDED_3(__fma_##mode, double, "d", "fma." ptx ".f64")                                   \
    __WS_ROUNDED_2(__ddiv_##mode, double, "d", "div." ptx ".f64")                                  \
    __WS_ROUNDED_1(__drcp_##mode, double, "d", "rcp." ptx ".f64")                                  \
    __WS_ROUNDED_1(__dsqrt_##mode, double, "d", "sqrt." ptx ".f64")
__WS_ROUNDED(rn, "rn")
__WS_ROUNDED(rz, "rz")
__WS_ROUNDED(rd, "rm")
__WS_ROUNDED(ru, "rp")
#undef __WS_ROUNDED
#undef __WS_ROUNDED_1
#undef __WS_ROUNDED_2
#undef __WS_ROUNDED_3

/*
 * The correctly rounded 1 / sqrt(x), in nvcc's steps. m = x 4^n lies in [1/2, 2). From the seed y
 * of the special function unit, with e = 1 - m y^2 to twice the width, y (1 + e / 2 + 3 e^2 / 8).
 */
__WS_DEVICE float __frsqrt_rn(float x)
{
    float y;
    bool subnormal = __builtin_fabsf(x) < 0x1p-126f;
    float scaled = subnormal ? x * 0x1p24f : x;
    int bits = __builtin_bit_cast(int, scaled);
    if ((unsigned int)bits - 0x800000u >= 0x7f000000u) { /* zero, negative, infinite or no number */
        asm("rsqrt.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(scaled));
        return y;
    }
    int within = (bits & 0xffffff) | 0x3f000000; /* the bits of m */
    int exponent = within - bits + (subnormal ? 12 << 24 : 0);
    float m = __builtin_bit_cast(float, within);
    asm("rsqrt.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(m));
    float square = __fmul_rn(y, y);
    float rest = __fmaf_rn(y, y, -square);
    float e = __fmaf_rn(rest, -m, __fmaf_rn(square, -m, 1.0f));
    y = __fmaf_rn(__fmaf_rn(0.375f, e, 0.5f), __fmul_rn(y, e), y);
    return __builtin_bit_cast(float, __builtin_bit_cast(int, y) + (exponent >> 1));
}
__WS_UNARY(float, __saturatef, float, __nvvm_saturate_f(x))

/* fast approximations: the special function unit, with its error (CUDA C Programming Guide) */
__WS_BINARY(float, __fdividef, float, __WS_APPROX(div)(x, y))
__WS_UNARY(float, __expf, float, __WS_APPROX(ex2)(x * 1.4426950408889634f))
__WS_UNARY(float, __exp10f, float, __WS_APPROX(ex2)(x * 3.3219280948873623f))
__WS_UNARY(float, __log2f, float, __WS_APPROX(lg2)(x))
__WS_UNARY(float, __logf, float, __WS_APPROX(lg2)(x) * 0.6931471805599453f)
__WS_UNARY(float, __log10f, float, __WS_APPROX(lg2)(x) * 0.3010299956639812f)
__WS_UNARY(float, __sinf, float, __WS_APPROX(sin)(x))
__WS_UNARY(float, __cosf, float, __WS_APPROX(cos)(x))
__WS_UNARY(float, __tanf, float, __WS_APPROX(div)(__WS_APPROX(sin)(x), __WS_APPROX(cos)(x)))
__WS_BINARY(float, __powf, float, __WS_APPROX(ex2)(y *__WS_APPROX(lg2)(x)))
__WS_DEVICE void __sincosf(float x, float *sine, float *cosine)
{
    *sine = __WS_APPROX(sin)(x);
    *cosine = __WS_APPROX(cos)(x);
}

/* loads and stores with a cache hint */
#define __WS_LOAD_SCALAR(name, hint, type, ptx, constraint)                                        \
    __WS_DEVICE type name(const type *address)                                                     \
    {                                                                                              \
        type result;                                                                               \
        asm volatile("ld.global." hint ptx " %0, [%1];" : "=" constraint(result) : "l"(address));  \
        return result;                                                                             \
    }
#define __WS_LOAD_2(name, hint, type, ptx, constraint)                                             \
    __WS_DEVICE type name(const type *address)                                                     \
    {                                                                                              \
        type result;                                                                               \
        asm volatile("ld.global." hint "v2." ptx " {%0, %1}, [%2];"                                \
                     : "=" constraint(result.x), "=" constraint(result.y)                          \
                     : "l"(address));                                                              \
        return result;                                                                             \
    }
#define __WS_LOAD_4(name, hint, type, ptx, constraint)                                             \
    __WS_DEVICE type name(const type *address)                                                     \
    {                                                                                              \
        type result;                                                                               \
        asm volatile("ld.global." hint "v4." ptx " {%0, %1, %2, %3}, [%4];"                        \
                     : "=" constraint(result.x), "=" constraint(result.y),                         \
                       "=" constraint(result.z), "=" constraint(result.w)                          \
                     : "l"(address));                                                              \
        return result;                                                                             \
    }
#define __WS_LOADS(name, hint)                                                                     \
    __WS_LOAD_SCALAR(name, hint, short, "s16", "h")                                                \
    __WS_LOAD_SCALAR(name, hint, unsigned short, "u16", "h")                                       \
    __WS_LOAD_SCALAR(name, hint, int, "s32", "r")                                                  \
    __WS_LOAD_SCALAR(name, hint, unsigned int, "u32", "r")                                         \
    __WS_LOAD_SCALAR(name, hint, long, "s64", "l")                                                 \
    __WS_LOAD_SCALAR(name, hint, unsigned long, "u64", "l")                                        \
    __WS_LOAD_SCALAR(name, hint, long long, "s64", "l")                                            \
    __WS_LOAD_SCALAR(name, hint, unsigned long long, "u64", "l")                                   \
    __WS_LOAD_SCALAR(name, hint, float, "f32", "f")                                                \
    __WS_LOAD_SCALAR(name, hint, double, "f64", "d")                                               \
    __WS_LOAD_2(name, hint, int2, "s32", "r")                                                      \
    __WS_LOAD_2(name, hint, uint2, "u32", "r")                                                     \
    __WS_LOAD_2(name, hint, float2, "f32", "f")                                                    \
    __WS_LOAD_2(name, hint, double2, "f64", "d")                                                   \
    __WS_LOAD_4(name, hint, int4, "s32", "r")                                                      \
    __WS_LOAD_4(name, hint, uint4, "u32", "r")                                                     \
    __WS_LOAD_4(name, hint, float4, "f32", "f")                                                    \
    __WS_BYTE_LOAD(name, hint, char)                                                               \
    __WS_BYTE_LOAD(name, hint, signed char)                                                        \
    __WS_BYTE_LOAD(name, hint, unsigned char)
#define __WS_BYTE_LOAD(name, hint, type)                                                           \
    __WS_DEVICE type name(const type *address)                                                     \
    {                                                                                              \
        unsigned int result;                                                                       \
        asm volatile("ld.global." hint "u8 %0, [%1];" : "=r"(result) : "l"(address));              \
        return (type)result;                                                                       \
    }
/* __ldg is an ordinary load to the compiler, so that it can fold addresses and move it. */
#define __WS_LDG(type, raw, builtin)                                                               \
    __WS_DEVICE type __ldg(const type *address)                                                    \
    {                                                                                              \
        return (type)builtin((const raw *)address);                                                \
    }
#define __WS_LDG_2(type, element, builtin)                                                         \
    __WS_DEVICE type __ldg(const type *address)                                                    \
    {                                                                                              \
        typedef element raw __attribute__((ext_vector_type(2)));                                   \
        raw v = builtin((const raw *)address);                                                     \
        return type{v.x, v.y};                                                                     \
    }
#define __WS_LDG_4(type, element, builtin)                                                         \
    __WS_DEVICE type __ldg(const type *address)                                                    \
    {                                                                                              \
        typedef element raw __attribute__((ext_vector_type(4)));                                   \
        raw v = builtin((const raw *)address);                                                     \
        return type{v.x, v.y, v.z, v.w};                                                           \
    }
__WS_LDG(char, char, __nvvm_ldg_c)
__WS_LDG(signed char, char, __nvvm_ldg_c)
__WS_LDG(unsigned char, unsigned char, __nvvm_ldg_uc)
__WS_LDG(short, short, __nvvm_ldg_s)
__WS_LDG(unsigned short, unsigned short, __nvvm_ldg_us)
__WS_LDG(int, int, __nvvm_ldg_i)
__WS_LDG(unsigned int, unsigned int, __nvvm_ldg_ui)
__WS_LDG(long, long, __nvvm_ldg_l)
__WS_LDG(unsigned long, unsigned long, __nvvm_ldg_ul)
__WS_LDG(long long, long long, __nvvm_ldg_ll)
__WS_LDG(unsigned long long, unsigned long long, __nvvm_ldg_ull)
__WS_LDG(float, float, __nvvm_ldg_f)
__WS_LDG(double, double, __nvvm_ldg_d)
__WS_LDG_2(int2, int, __nvvm_ldg_i2)
__WS_LDG_2(uint2, unsigned int, __nvvm_ldg_ui2)
__WS_LDG_2(float2, float, __nvvm_ldg_f2)
__WS_LDG_2(double2, double, __nvvm_ldg_d2)
__WS_LDG_4(int4, int, __nvvm_ldg_i4)
__WS_LDG_4(uint4, unsigned int, __nvvm_ldg_ui4)
__WS_LDG_4(float4, float, __nvvm_ldg_f4)
__WS_LDG_4(uchar4, unsigned char, __nvvm_ldg_uc4)
#undef __WS_LDG
#undef __WS_LDG_2
#undef __WS_LDG_4
__WS_LOADS(__ldcg, "cg.")
__WS_LOADS(__ldca, "ca.")
__WS_LOADS(__ldcs, "cs.")
__WS_LOADS(__ldlu, "lu.")
__WS_LOADS(__ldcv, "cv.")
#define __WS_STORES(name, hint)                                                                    \
    __WS_STORE(name, hint, int, "s32", "r")                                                        \
    __WS_STORE(name, hint, unsigned int, "u32", "r")                                               \
    __WS_STORE(name, hint, long long, "s64", "l")                                                  \
    __WS_STORE(name, hint, unsigned long long, "u64", "l")                                         \
    __WS_STORE(name, hint, float, "f32", "f")                                                      \
    __WS_STORE(name, hint, double, "f64", "d")                                                     \
    __WS_STORE(name, hint, short, "s16", "h")                                                      \
    __WS_STORE(name, hint, unsigned short, "u16", "h")                                             \
    __WS_STORE_2(name, hint, int2, "s32", "r")                                                     \
    __WS_STORE_2(name, hint, uint2, "u32", "r")                                                    \
    __WS_STORE_2(name, hint, float2, "f32", "f")                                                   \
    __WS_STORE_2(name, hint, double2, "f64", "d")                                                  \
    __WS_STORE_4(name, hint, int4, "s32", "r")                                                     \
    __WS_STORE_4(name, hint, uint4, "u32", "r")                                                    \
    __WS_STORE_4(name, hint, float4, "f32", "f")                                                   \
    __WS_BYTE_STORE(name, hint, char)                                                              \
    __WS_BYTE_STORE(name, hint, signed char)                                                       \
    __WS_BYTE_STORE(name, hint, unsigned char)
#define __WS_STORE(name, hint, type, ptx, constraint)                                              \
    __WS_DEVICE void name(type *address, type value)                                               \
    {                                                                                              \
        asm volatile("st.global." hint ptx " [%0], %1;" ::"l"(address), constraint(value)          \
                     : "memory");                                                                  \
    }
#define __WS_STORE_2(name, hint, type, ptx, constraint)                                            \
    __WS_DEVICE void name(type *address, type value)                                               \
    {                                                                                              \
        asm volatile("st.global." hint "v2." ptx " [%0], {%1, %2};" ::"l"(address),                \
                     constraint(value.x), constraint(value.y)                                      \
                     : "memory");                                                                  \
    }
#define __WS_STORE_4(name, hint, type, ptx, constraint)                                            \
    __WS_DEVICE void name(type *address, type value)                                               \
    {                                                                                              \
        asm volatile("st.global." hint "v4." ptx " [%0], {%1, %2, %3, %4};" ::"l"(address),        \
                     constraint(value.x), constraint(value.y), constraint(value.z),                \
                     constraint(value.w)                                                           \
                     : "memory");                                                                  \
    }
#define __WS_BYTE_STORE(name, hint, type)                                                          \
    __WS_DEVICE void name(type *address, type value)                                               \
    {                                                                                              \
        asm volatile("st.global." hint "u8 [%0], %1;" ::"l"(address), "r"((int)value)              \
                     : "memory");                                                                  \
    }
__WS_STORES(__stwb, "wb.")
__WS_STORES(__stcg, "cg.")
__WS_STORES(__stcs, "cs.")
__WS_STORES(__stwt, "wt.")
#undef __WS_LOADS
#undef __WS_LOAD_SCALAR
#undef __WS_LOAD_2
#undef __WS_LOAD_4
#undef __WS_BYTE_LOAD
#undef __WS_STORES
#undef __WS_STORE
#undef __WS_STORE_2
#undef __WS_STORE_4
#undef __WS_BYTE_STORE
#undef __WS_UNARY
#undef __WS_BINARY

#endif
