/*
 * nvcuda::wmma: products of matrices by a whole warp. Shapes 16x16x16, 32x8x16 and 8x32x16 of
 * __half (sums in float or __half), __nv_bfloat16 (sums in float), signed and unsigned char (sums
 * in int), 16x16x8 of TF32 (sums in float).
 *
 * The functions are the instructions of the same names of PTX; which lane has which element is
 * theirs to know. Elements of a fragment may be changed one by one with the same operation on all.
 */
#ifndef WARPSTEP_MMA_H
#define WARPSTEP_MMA_H

#include "cuda_bf16.h"
#include "cuda_fp16.h"

namespace nvcuda
{
namespace wmma
{

struct row_major;
struct col_major;
struct matrix_a;
struct matrix_b;
struct accumulator;
enum layout_t { mem_row_major, mem_col_major };
namespace precision
{
struct tf32;
}

/* Elements that a lane has. */
template <typename T, int Count> struct __ws_elements {
    enum { num_elements = Count, num_storage_elements = Count };
    T x[Count];
};

template <typename Use, int M, int N, int K, typename T, typename Layout = void> class fragment;

template <typename Use, int M, int N, int K, typename Layout>
class fragment<Use, M, N, K, __half, Layout> : public __ws_elements<__half, 16>
{
};
template <int M, int N, int K, typename Layout>
class fragment<matrix_a, M, N, K, __nv_bfloat16, Layout>
    : public __ws_elements<__nv_bfloat16, M / 2>
{
};
template <int M, int N, int K, typename Layout>
class fragment<matrix_b, M, N, K, __nv_bfloat16, Layout>
    : public __ws_elements<__nv_bfloat16, N / 2>
{
};
#define __WS_BYTE_FRAGMENTS(type)                                                                  \
    template <int M, int N, int K, typename Layout>                                                \
    class fragment<matrix_a, M, N, K, type, Layout> : public __ws_elements<type, M / 2>            \
    {                                                                                              \
    };                                                                                             \
    template <int M, int N, int K, typename Layout>                                                \
    class fragment<matrix_b, M, N, K, type, Layout> : public __ws_elements<type, N / 2>            \
    {                                                                                              \
    };
__WS_BYTE_FRAGMENTS(signed char)
__WS_BYTE_FRAGMENTS(unsigned char)
template <typename Use, typename Layout>
class fragment<Use, 16, 16, 8, precision::tf32, Layout> : public __ws_elements<float, 4>
{
};
template <int M, int N, int K>
class fragment<accumulator, M, N, K, __half, void> : public __ws_elements<__half, 8>
{
};
template <int M, int N, int K>
class fragment<accumulator, M, N, K, float, void> : public __ws_elements<float, 8>
{
};
template <int M, int N, int K>
class fragment<accumulator, M, N, K, int, void> : public __ws_elements<int, 8>
{
};

template <typename Use, int M, int N, int K, typename T, typename Layout, typename Value>
__WS_DEVICE void fill_fragment(fragment<Use, M, N, K, T, Layout> &f, const Value &value)
{
#pragma unroll
    for (int i = 0; i < f.num_elements; i++)
        f.x[i] = value;
}

__WS_DEVICE float __float_to_tf32(float value)
{
    unsigned int bits;
    asm("cvt.rna.tf32.f32 %0, %1;" : "=r"(bits) : "f"(value));
    return __builtin_bit_cast(float, bits);
}

/* Registers of a fragment: four bytes each, two 16-bit elements, or one of 32 bits. */
template <int Count> struct __ws_words {
    unsigned int r[Count];
};
template <int Count, typename Fragment> __WS_DEVICE __ws_words<Count> __ws_pack(const Fragment &f)
{
    __ws_words<Count> words;
    static_assert(sizeof words == sizeof f.x, "registers");
    __builtin_memcpy(words.r, f.x, sizeof words);
    return words;
}
template <int Count, typename Fragment>
__WS_DEVICE void __ws_unpack(Fragment &f, const __ws_words<Count> &words)
{
    static_assert(sizeof words == sizeof f.x, "registers");
    __builtin_memcpy(f.x, words.r, sizeof words);
}

/* Lists of registers in PTX, numbered from the first operand on, and as operands of asm. */
#define __WS_OUT_1(w) "=r"(w.r[0])
#define __WS_OUT_2(w) "=r"(w.r[0]), "=r"(w.r[1])
#define __WS_OUT_4(w) __WS_OUT_2(w), "=r"(w.r[2]), "=r"(w.r[3])
#define __WS_OUT_8(w) __WS_OUT_4(w), "=r"(w.r[4]), "=r"(w.r[5]), "=r"(w.r[6]), "=r"(w.r[7])
#define __WS_IN_1(w)  "r"(w.r[0])
#define __WS_IN_2(w)  "r"(w.r[0]), "r"(w.r[1])
#define __WS_IN_4(w)  __WS_IN_2(w), "r"(w.r[2]), "r"(w.r[3])
#define __WS_IN_8(w)  __WS_IN_4(w), "r"(w.r[4]), "r"(w.r[5]), "r"(w.r[6]), "r"(w.r[7])
#define __WS_LIST_1   "{%0}, [%1], %2;"
#define __WS_LIST_2   "{%0, %1}, [%2], %3;"
#define __WS_LIST_4   "{%0, %1, %2, %3}, [%4], %5;"
#define __WS_LIST_8   "{%0, %1, %2, %3, %4, %5, %6, %7}, [%8], %9;"

/* ---- loads ---- */

#define __WS_LOAD_AS(use, letter, m, n, k, shape, type, memory, name, layout, text, count)         \
    __WS_DEVICE void load_matrix_sync(fragment<use, m, n, k, type, layout> &f, const memory *p,    \
                                      unsigned int stride)                                         \
    {                                                                                              \
        __ws_words<count> words;                                                                   \
        asm volatile("wmma.load." letter ".sync.aligned." text "." shape "." name                  \
                     " " __WS_LIST_##count                                                         \
                     : __WS_OUT_##count(words)                                                     \
                     : "l"(p), "r"(stride)                                                         \
                     : "memory");                                                                  \
        __ws_unpack(f, words);                                                                     \
    }
#define __WS_LOAD(m, n, k, shape, type, memory, name, count_a, count_b)                            \
    __WS_LOAD_AS(matrix_a, "a", m, n, k, shape, type, memory, name, row_major, "row", count_a)     \
    __WS_LOAD_AS(matrix_a, "a", m, n, k, shape, type, memory, name, col_major, "col", count_a)     \
    __WS_LOAD_AS(matrix_b, "b", m, n, k, shape, type, memory, name, row_major, "row", count_b)     \
    __WS_LOAD_AS(matrix_b, "b", m, n, k, shape, type, memory, name, col_major, "col", count_b)

__WS_LOAD(16, 16, 16, "m16n16k16", __half, __half, "f16", 8, 8)
__WS_LOAD(32, 8, 16, "m32n8k16", __half, __half, "f16", 8, 8)
__WS_LOAD(8, 32, 16, "m8n32k16", __half, __half, "f16", 8, 8)
__WS_LOAD(16, 16, 16, "m16n16k16", __nv_bfloat16, __nv_bfloat16, "bf16", 4, 4)
__WS_LOAD(32, 8, 16, "m32n8k16", __nv_bfloat16, __nv_bfloat16, "bf16", 8, 2)
__WS_LOAD(8, 32, 16, "m8n32k16", __nv_bfloat16, __nv_bfloat16, "bf16", 2, 8)
#define __WS_LOAD_BYTES(type, name)                                                                \
    __WS_LOAD(16, 16, 16, "m16n16k16", type, type, name, 2, 2)                                     \
    __WS_LOAD(32, 8, 16, "m32n8k16", type, type, name, 4, 1)                                       \
    __WS_LOAD(8, 32, 16, "m8n32k16", type, type, name, 1, 4)
__WS_LOAD_BYTES(signed char, "s8")
__WS_LOAD_BYTES(unsigned char, "u8")
__WS_LOAD(16, 16, 8, "m16n16k8", precision::tf32, float, "tf32", 4, 4)

/* ---- sums ---- */

#define __WS_LOAD_SUM(shape, name, text, count)                                                    \
    asm volatile("wmma.load.c.sync.aligned." text "." shape "." name " " __WS_LIST_##count         \
                 : __WS_OUT_##count(words)                                                         \
                 : "l"(p), "r"(stride)                                                             \
                 : "memory")
#define __WS_STORE_4 "[%4], {%0, %1, %2, %3}, %5;"
#define __WS_STORE_8 "[%8], {%0, %1, %2, %3, %4, %5, %6, %7}, %9;"
#define __WS_STORE_SUM(shape, name, text, count)                                                   \
    asm volatile("wmma.store.d.sync.aligned." text "." shape "." name " " __WS_STORE_##count       \
                 :                                                                                 \
                 : __WS_IN_##count(words), "l"(p), "r"(stride)                                     \
                 : "memory")
#define __WS_SUM(m, n, k, shape, type, name, count)                                                \
    __WS_DEVICE void load_matrix_sync(fragment<accumulator, m, n, k, type> &f, const type *p,      \
                                      unsigned int stride, layout_t layout)                        \
    {                                                                                              \
        __ws_words<count> words;                                                                   \
        if (layout == mem_row_major)                                                               \
            __WS_LOAD_SUM(shape, name, "row", count);                                              \
        else                                                                                       \
            __WS_LOAD_SUM(shape, name, "col", count);                                              \
        __ws_unpack(f, words);                                                                     \
    }                                                                                              \
    __WS_DEVICE void store_matrix_sync(type *p, const fragment<accumulator, m, n, k, type> &f,     \
                                       unsigned int stride, layout_t layout)                       \
    {                                                                                              \
        __ws_words<count> words = __ws_pack<count>(f);                                             \
        if (layout == mem_row_major)                                                               \
            __WS_STORE_SUM(shape, name, "row", count);                                             \
        else                                                                                       \
            __WS_STORE_SUM(shape, name, "col", count);                                             \
    }

__WS_SUM(16, 16, 16, "m16n16k16", float, "f32", 8)
__WS_SUM(32, 8, 16, "m32n8k16", float, "f32", 8)
__WS_SUM(8, 32, 16, "m8n32k16", float, "f32", 8)
__WS_SUM(16, 16, 8, "m16n16k8", float, "f32", 8)
__WS_SUM(16, 16, 16, "m16n16k16", __half, "f16", 4)
__WS_SUM(32, 8, 16, "m32n8k16", __half, "f16", 4)
__WS_SUM(8, 32, 16, "m8n32k16", __half, "f16", 4)
__WS_SUM(16, 16, 16, "m16n16k16", int, "s32", 8)
__WS_SUM(32, 8, 16, "m32n8k16", int, "s32", 8)
__WS_SUM(8, 32, 16, "m8n32k16", int, "s32", 8)

/* ---- products ---- */

#define __WS_D_4 "{%0, %1, %2, %3}"
#define __WS_D_8 "{%0, %1, %2, %3, %4, %5, %6, %7}"
/* A, B and C behind D: by the registers of D, A and B. */
#define __WS_REST_8_8_8                                                                            \
    "{%8, %9, %10, %11, %12, %13, %14, %15}, {%16, %17, %18, %19, %20, %21, %22, %23}, "           \
    "{%24, %25, %26, %27, %28, %29, %30, %31};"
#define __WS_REST_4_8_8                                                                            \
    "{%4, %5, %6, %7, %8, %9, %10, %11}, {%12, %13, %14, %15, %16, %17, %18, %19}, "               \
    "{%20, %21, %22, %23};"
#define __WS_REST_8_4_4                                                                            \
    "{%8, %9, %10, %11}, {%12, %13, %14, %15}, {%16, %17, %18, %19, %20, %21, %22, %23};"
#define __WS_REST_8_8_2                                                                            \
    "{%8, %9, %10, %11, %12, %13, %14, %15}, {%16, %17}, "                                         \
    "{%18, %19, %20, %21, %22, %23, %24, %25};"
#define __WS_REST_8_2_8                                                                            \
    "{%8, %9}, {%10, %11, %12, %13, %14, %15, %16, %17}, "                                         \
    "{%18, %19, %20, %21, %22, %23, %24, %25};"
#define __WS_REST_8_2_2 "{%8, %9}, {%10, %11}, {%12, %13, %14, %15, %16, %17, %18, %19};"
#define __WS_REST_8_4_1 "{%8, %9, %10, %11}, {%12}, {%13, %14, %15, %16, %17, %18, %19, %20};"
#define __WS_REST_8_1_4 "{%8}, {%9, %10, %11, %12}, {%13, %14, %15, %16, %17, %18, %19, %20};"

#define __WS_MMA_AS(m, n, k, shape, type, sum, types, d_count, a_count, b_count, layout_a, text_a, \
                    layout_b, text_b)                                                              \
    __WS_DEVICE void mma_sync(fragment<accumulator, m, n, k, sum> &d,                              \
                              const fragment<matrix_a, m, n, k, type, layout_a> &a,                \
                              const fragment<matrix_b, m, n, k, type, layout_b> &b,                \
                              const fragment<accumulator, m, n, k, sum> &c)                        \
    {                                                                                              \
        __ws_words<d_count> words, sums = __ws_pack<d_count>(c);                                   \
        __ws_words<a_count> of_a = __ws_pack<a_count>(a);                                          \
        __ws_words<b_count> of_b = __ws_pack<b_count>(b);                                          \
        asm volatile("wmma.mma.sync.aligned." text_a "." text_b "." shape "." types                \
                     " " __WS_D_##d_count ", " __WS_REST_##d_count##_##a_count##_##b_count         \
                     : __WS_OUT_##d_count(words)                                                   \
                     : __WS_IN_##a_count(of_a), __WS_IN_##b_count(of_b), __WS_IN_##d_count(sums)); \
        __ws_unpack(d, words);                                                                     \
    }
#define __WS_MMA(...)                                                                              \
    __WS_MMA_AS(__VA_ARGS__, row_major, "row", row_major, "row")                                   \
    __WS_MMA_AS(__VA_ARGS__, row_major, "row", col_major, "col")                                   \
    __WS_MMA_AS(__VA_ARGS__, col_major, "col", row_major, "row")                                   \
    __WS_MMA_AS(__VA_ARGS__, col_major, "col", col_major, "col")

__WS_MMA(16, 16, 16, "m16n16k16", __half, float, "f32.f32", 8, 8, 8)
__WS_MMA(32, 8, 16, "m32n8k16", __half, float, "f32.f32", 8, 8, 8)
__WS_MMA(8, 32, 16, "m8n32k16", __half, float, "f32.f32", 8, 8, 8)
__WS_MMA(16, 16, 16, "m16n16k16", __half, __half, "f16.f16", 4, 8, 8)
__WS_MMA(32, 8, 16, "m32n8k16", __half, __half, "f16.f16", 4, 8, 8)
__WS_MMA(8, 32, 16, "m8n32k16", __half, __half, "f16.f16", 4, 8, 8)
__WS_MMA(16, 16, 16, "m16n16k16", __nv_bfloat16, float, "f32.bf16.bf16.f32", 8, 4, 4)
__WS_MMA(32, 8, 16, "m32n8k16", __nv_bfloat16, float, "f32.bf16.bf16.f32", 8, 8, 2)
__WS_MMA(8, 32, 16, "m8n32k16", __nv_bfloat16, float, "f32.bf16.bf16.f32", 8, 2, 8)
__WS_MMA(16, 16, 8, "m16n16k8", precision::tf32, float, "f32.tf32.tf32.f32", 8, 4, 4)

/* Sums of integers wrap, or are kept within the numbers of an int. */
#define __WS_BYTE_MMA_WITH(shape, types, a_count, b_count, text_a, text_b)                         \
    asm volatile("wmma.mma.sync.aligned." text_a "." text_b "." shape "." types " " __WS_D_8       \
                 ", " __WS_REST_8_##a_count##_##b_count                                            \
                 : __WS_OUT_8(words)                                                               \
                 : __WS_IN_##a_count(of_a), __WS_IN_##b_count(of_b), __WS_IN_8(sums))
#define __WS_BYTE_MMA_AS(m, n, k, shape, type, types, a_count, b_count, layout_a, text_a,          \
                         layout_b, text_b)                                                         \
    __WS_DEVICE void mma_sync(fragment<accumulator, m, n, k, int> &d,                              \
                              const fragment<matrix_a, m, n, k, type, layout_a> &a,                \
                              const fragment<matrix_b, m, n, k, type, layout_b> &b,                \
                              const fragment<accumulator, m, n, k, int> &c, bool satf = false)     \
    {                                                                                              \
        __ws_words<8> words, sums = __ws_pack<8>(c);                                               \
        __ws_words<a_count> of_a = __ws_pack<a_count>(a);                                          \
        __ws_words<b_count> of_b = __ws_pack<b_count>(b);                                          \
        if (satf)                                                                                  \
            __WS_BYTE_MMA_WITH(shape, types ".satfinite", a_count, b_count, text_a, text_b);       \
        else                                                                                       \
            __WS_BYTE_MMA_WITH(shape, types, a_count, b_count, text_a, text_b);                    \
        __ws_unpack(d, words);                                                                     \
    }
#define __WS_BYTE_MMA_OF(...)                                                                      \
    __WS_BYTE_MMA_AS(__VA_ARGS__, row_major, "row", row_major, "row")                              \
    __WS_BYTE_MMA_AS(__VA_ARGS__, row_major, "row", col_major, "col")                              \
    __WS_BYTE_MMA_AS(__VA_ARGS__, col_major, "col", row_major, "row")                              \
    __WS_BYTE_MMA_AS(__VA_ARGS__, col_major, "col", col_major, "col")
#define __WS_BYTE_MMA(type, types)                                                                 \
    __WS_BYTE_MMA_OF(16, 16, 16, "m16n16k16", type, types, 2, 2)                                   \
    __WS_BYTE_MMA_OF(32, 8, 16, "m32n8k16", type, types, 4, 1)                                     \
    __WS_BYTE_MMA_OF(8, 32, 16, "m8n32k16", type, types, 1, 4)

__WS_BYTE_MMA(signed char, "s32.s8.s8.s32")
__WS_BYTE_MMA(unsigned char, "s32.u8.u8.s32")

} // namespace wmma
} // namespace nvcuda

#endif
