/*
 * Operands of matrix products for comparing with hardware: the same words on every machine, made by
 * SplitMix64 of their place. tests/data/mma_h200.csv holds what an H200 made of them; tests/gpu/
 * mma_probe.cu is the program that asked it.
 */
#ifndef WS_TESTS_MMA_INPUTS_H
#define WS_TESTS_MMA_INPUTS_H

#include <stdint.h>

enum { MMA_FORMS = 9, MMA_SETS = 10, MMA_CASES = 96, MMA_LANES = 32 };

/* Kinds of elements. */
enum { MMA_F16, MMA_BF16, MMA_TF32, MMA_F64, MMA_F32 };

/* A form of mma.sync, with the registers that a lane has of A, B, C and D. */
typedef struct {
    const char *name;
    uint8_t a, b, c;
    uint8_t element, sum; /* kinds */
} MmaForm;

static const MmaForm mma_forms[MMA_FORMS] = {
    {"m16n8k16.f32.f16.f16.f32", 4, 2, 4, MMA_F16, MMA_F32},
    {"m16n8k8.f32.f16.f16.f32", 2, 1, 4, MMA_F16, MMA_F32},
    {"m16n8k16.f16.f16.f16.f16", 4, 2, 2, MMA_F16, MMA_F16},
    {"m16n8k8.f16.f16.f16.f16", 2, 1, 2, MMA_F16, MMA_F16},
    {"m16n8k16.f32.bf16.bf16.f32", 4, 2, 4, MMA_BF16, MMA_F32},
    {"m16n8k8.f32.bf16.bf16.f32", 2, 1, 4, MMA_BF16, MMA_F32},
    {"m16n8k8.f32.tf32.tf32.f32", 4, 2, 4, MMA_TF32, MMA_F32},
    {"m16n8k4.f32.tf32.tf32.f32", 2, 1, 4, MMA_TF32, MMA_F32},
    {"m8n8k4.f64.f64.f64.f64", 2, 2, 4, MMA_F64, MMA_F64},
};

static inline uint64_t mma_mix(uint64_t z)
{
    z += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

typedef struct {
    int exponent, mantissa; /* bits; TF32 lies in a word with 13 more, which are not zero */
} MmaLayout;

static inline MmaLayout mma_layout(int kind)
{
    static const MmaLayout layouts[] = {{5, 10}, {8, 7}, {8, 23}, {11, 52}, {8, 23}};
    return layouts[kind];
}

/* A finite number from a sign, an exponent without bias (clamped) and bits for the mantissa. */
static inline uint64_t mma_number(MmaLayout layout, uint64_t sign, int exponent, uint64_t bits)
{
    int field = exponent + (1 << (layout.exponent - 1)) - 1, top = (1 << layout.exponent) - 1;
    field = field < 0 ? 0 : field >= top ? top - 1 : field;
    return (sign & 1) << (layout.exponent + layout.mantissa) | (uint64_t)field << layout.mantissa |
           (bits & ((1ull << layout.mantissa) - 1));
}

/* Infinity, two NaNs or zero, of either sign. */
static inline uint64_t mma_special(MmaLayout layout, uint64_t random)
{
    uint64_t infinity = ((1ull << layout.exponent) - 1) << layout.mantissa;
    uint64_t sign = (random & 1) << (layout.exponent + layout.mantissa);
    switch (random >> 1 & 3) {
    case 0:
        return sign | infinity;
    case 1:
        return sign | infinity | 1ull << (layout.mantissa - 1);
    case 2:
        return sign | infinity | 1ull << (layout.mantissa - 3);
    default:
        return sign;
    }
}

/*
 * An element of a set: 0 any bits, 1 any finite number, 2 in [1, 2), 3 near one, C smaller, 4 three
 * of four are zero, 5 subnormal products, 6 six octaves each way, 7 some infinities and NaNs,
 * 8 a few large ones (mma_fill() makes pairs that cancel), 9 up to overflow.
 */
static inline uint64_t mma_element(int kind, int set, int is_c, uint64_t random)
{
    MmaLayout layout = mma_layout(kind);
    uint64_t bits = mma_mix(random), more = mma_mix(random ^ 0x1234567);
    int bias = (1 << (layout.exponent - 1)) - 1, size = layout.exponent + layout.mantissa + 1;
    int p = (int)(more & 0xffff), q = (int)(more >> 16 & 0xffff), small = layout.exponent == 5;
    uint64_t sign = random >> 1;
    switch (set) {
    case 0:
        return size == 64 ? bits : bits & ((1ull << size) - 1);
    case 1:
        return mma_number(layout, sign, p % (2 * bias + 1) - bias, bits);
    case 2:
        return mma_number(layout, sign, 0, bits);
    case 3:
        return mma_number(layout, sign, is_c ? p % 30 - 22 : p % 6 - 3, bits);
    case 4:
        return p % 4 != 0 ? (sign & 1) << (size - 1)
                          : mma_number(layout, sign, q % (2 * bias + 1) - bias, bits);
    case 5:
        return mma_number(layout, sign, -bias + p % (is_c ? 30 : 3), bits);
    case 6:
        return mma_number(layout, sign, is_c ? p % 60 - 40 : p % 12 - 6, p & 4096 ? 0 : bits);
    case 7:
        return p % 24 == 0 ? mma_special(layout, more >> 32)
                           : mma_number(layout, sign, p % 8 - 4, bits);
    case 8:
        return mma_number(layout, sign, p % 16 == 0 ? 12 : q % 20 - 12, bits);
    default:
        return mma_number(layout, sign, p % (small ? 20 : 40) - (small ? 4 : 20),
                          p & 8192    ? 0
                          : p & 16384 ? ~0ull
                                      : bits);
    }
}

static inline void mma_words(int kind, int set, int is_c, uint64_t seed, int count, uint32_t *ret)
{
    for (int i = 0; i < count; i++) {
        uint64_t random = mma_mix(seed + (uint64_t)i);
        uint64_t value = mma_element(kind, set, is_c, random);
        ret[i] = (uint32_t)value;
        if (kind == MMA_F64)
            ret[++i] = (uint32_t)(value >> 32);
        else if (kind == MMA_F16 || kind == MMA_BF16)
            ret[i] |= (uint32_t)mma_element(kind, set, is_c, mma_mix(random + 77)) << 16;
    }
}

/* Set 8: neighbours along k have equal products of opposite sign, but for a last bit here and
 * there. */
static inline void mma_cancel(const MmaForm *form, uint64_t seed, uint32_t *a, uint32_t *b)
{
    if (form->element <= MMA_BF16) {
        for (int i = 0; i < form->a; i++)
            a[i] = (a[i] & 0xffff) | ((a[i] & 0xffff) ^ 0x8000) << 16;
        for (int i = 0; i < form->b; i++)
            b[i] = (b[i] & 0xffff) * 0x10001u +
                   ((mma_mix(seed + (uint64_t)i + 99) & 3) == 0 ? 0x10000 : 0);
    } else if (form->element == MMA_TF32 && form->a == 4) {
        a[2] = a[0] ^ 0x80000000u;
        a[3] = a[1] ^ 0x80000000u;
        b[1] = b[0] + (mma_mix(seed + 99) & 1 ? 0x2000 : 0);
    }
}

/* The registers of one lane. */
static inline void mma_fill(int form_number, int set, int number, int lane, uint32_t *a,
                            uint32_t *b, uint32_t *c)
{
    const MmaForm *form = &mma_forms[form_number];
    uint64_t seed = ((((uint64_t)form_number * 16 + (uint64_t)set) * 1024 + (uint64_t)number) * 64 +
                     (uint64_t)lane) *
                    64;
    mma_words(form->element, set, 0, seed, form->a, a);
    mma_words(form->element, set, 0, seed + 16, form->b, b);
    mma_words(form->sum, set, 1, seed + 32, form->c, c);
    if (set == 8)
        mma_cancel(form, seed, a, b);
    for (int i = 0; number % 4 == 3 && set != 0 && i < form->c; i++)
        c[i] = 0;
}

#endif
