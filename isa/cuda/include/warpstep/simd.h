/*
 * SIMD intrinsics of CUDA C: a word as two numbers of 16 bits, or four of 8. No instruction of the
 * machine works on such parts but IDP, so each is a few of whole words.
 *
 * The parts are told by their top bits, `Top`: 0x80008000 or 0x80808080. What is carried out of a
 * part is kept off the next one by adding without the top bits, or by adding what cannot carry.
 */
#ifndef WARPSTEP_SIMD_H
#define WARPSTEP_SIMD_H

#include "warpstep/intrinsics.h"

template <unsigned int Top> struct __ws_parts {
    enum : unsigned int {
        bits = Top == 0x80008000u ? 16 : 8,
        ones = Top >> (bits - 1), /* 1 in each part */
        rest = ~Top,
        spread = bits == 16 ? 0xbb99 : 0xba98, /* PRMT: the sign of each part all over it */
    };
    /* All bits of a part are its top bit. */
    __WS_DEVICE unsigned int mask(unsigned int x)
    {
        return __nvvm_prmt(x, 0, spread);
    }
    __WS_DEVICE unsigned int choose(unsigned int mask, unsigned int yes, unsigned int no)
    {
        return no ^ ((yes ^ no) & mask);
    }
    __WS_DEVICE unsigned int add(unsigned int a, unsigned int b)
    {
        return ((a & rest) + (b & rest)) ^ ((a ^ b) & Top);
    }
    __WS_DEVICE unsigned int subtract(unsigned int a, unsigned int b)
    {
        return ((a | Top) - (b & rest)) ^ ((a ^ ~b) & Top);
    }
    /* Half of a + b as numbers without sign, with the carry: rounded down, and up. */
    __WS_DEVICE unsigned int half_sum(unsigned int a, unsigned int b)
    {
        return (a & b) + (((a ^ b) >> 1) & rest);
    }
    __WS_DEVICE unsigned int upper_half_sum(unsigned int a, unsigned int b)
    {
        return (a | b) - (((a ^ b) >> 1) & rest);
    }
    /* Top bits: the carries of a + ~b, with 1 more for >=. Numbers with a sign are moved first. */
    __WS_DEVICE unsigned int greater_or_equal(unsigned int a, unsigned int b, unsigned int move)
    {
        return upper_half_sum(a ^ move, ~b ^ move);
    }
    __WS_DEVICE unsigned int greater(unsigned int a, unsigned int b, unsigned int move)
    {
        return half_sum(a ^ move, ~b ^ move);
    }
    __WS_DEVICE unsigned int not_equal(unsigned int a, unsigned int b)
    {
        unsigned int x = a ^ b;
        return ((x & rest) + rest) | x;
    }
    __WS_DEVICE unsigned int set(unsigned int top)
    {
        return (top & Top) >> (bits - 1);
    }
    __WS_DEVICE unsigned int largest(unsigned int a, unsigned int b, unsigned int move)
    {
        return choose(mask(greater_or_equal(a, b, move)), a, b);
    }
    __WS_DEVICE unsigned int least(unsigned int a, unsigned int b, unsigned int move)
    {
        return choose(mask(greater_or_equal(a, b, move)), b, a);
    }
    __WS_DEVICE unsigned int difference(unsigned int a, unsigned int b, unsigned int move)
    {
        a ^= move;
        b ^= move;
        unsigned int exchanged = (a ^ b) & mask(greater_or_equal(a, b, 0));
        return (b ^ exchanged) - (a ^ exchanged);
    }
    __WS_DEVICE unsigned int absolute(unsigned int a)
    {
        unsigned int negative = mask(a);
        return (a ^ negative) + (negative & ones);
    }
    /* `sum` where `overflow` has no top bit, else the end of the range on a's side. */
    __WS_DEVICE unsigned int saturate(unsigned int sum, unsigned int overflow, unsigned int a)
    {
        return choose(mask(overflow), mask(a) ^ rest, sum);
    }
    __WS_DEVICE unsigned int add_signed(unsigned int a, unsigned int b)
    {
        unsigned int sum = add(a, b);
        return saturate(sum, ~(a ^ b) & (a ^ sum), a);
    }
    __WS_DEVICE unsigned int subtract_signed(unsigned int a, unsigned int b)
    {
        unsigned int difference = subtract(a, b);
        return saturate(difference, (a ^ b) & (a ^ difference), a);
    }
    __WS_DEVICE unsigned int add_unsigned(unsigned int a, unsigned int b)
    {
        unsigned int sum = add(a, b);
        return sum | mask((a & b) | ((a | b) & ~sum));
    }
    __WS_DEVICE unsigned int subtract_unsigned(unsigned int a, unsigned int b)
    {
        return largest(a, b, 0) - b;
    }
    /* Halves are rounded away from zero: up where the sum is not negative. */
    __WS_DEVICE unsigned int average_signed(unsigned int a, unsigned int b)
    {
        unsigned int below = half_sum(a ^ Top, b ^ Top) ^ Top;
        return below + ((a ^ b) & (~below >> (bits - 1)) & ones);
    }
    /* Only the least number, whose opposite is itself, has both top bits. */
    __WS_DEVICE unsigned int without_least(unsigned int opposite, unsigned int a)
    {
        return opposite - ((opposite & a & Top) >> (bits - 1));
    }
    __WS_DEVICE unsigned int total(unsigned int a)
    {
        return bits == 16 ? (a & 0xffff) + (a >> 16) : __dp4a(a, 0x01010101u, 0u);
    }
};

#define __WS_PARTS_1(name, expression)                                                             \
    __WS_DEVICE unsigned int name##2(unsigned int a)                                               \
    {                                                                                              \
        enum : unsigned int { top = 0x80008000u };                                                 \
        typedef __ws_parts<top> p;                                                                 \
        return expression;                                                                         \
    }                                                                                              \
    __WS_DEVICE unsigned int name##4(unsigned int a)                                               \
    {                                                                                              \
        enum : unsigned int { top = 0x80808080u };                                                 \
        typedef __ws_parts<top> p;                                                                 \
        return expression;                                                                         \
    }
#define __WS_PARTS_2(name, expression)                                                             \
    __WS_DEVICE unsigned int name##2(unsigned int a, unsigned int b)                               \
    {                                                                                              \
        enum : unsigned int { top = 0x80008000u };                                                 \
        typedef __ws_parts<top> p;                                                                 \
        return expression;                                                                         \
    }                                                                                              \
    __WS_DEVICE unsigned int name##4(unsigned int a, unsigned int b)                               \
    {                                                                                              \
        enum : unsigned int { top = 0x80808080u };                                                 \
        typedef __ws_parts<top> p;                                                                 \
        return expression;                                                                         \
    }

__WS_PARTS_1(__vabs, p::absolute(a))
__WS_PARTS_1(__vabsss, p::without_least(p::absolute(a), a))
__WS_PARTS_1(__vneg, p::subtract(0, a))
__WS_PARTS_1(__vnegss, p::without_least(p::subtract(0, a), a))

__WS_PARTS_2(__vadd, p::add(a, b))
__WS_PARTS_2(__vaddss, p::add_signed(a, b))
__WS_PARTS_2(__vaddus, p::add_unsigned(a, b))
__WS_PARTS_2(__vsub, p::subtract(a, b))
__WS_PARTS_2(__vsubss, p::subtract_signed(a, b))
__WS_PARTS_2(__vsubus, p::subtract_unsigned(a, b))
__WS_PARTS_2(__vavgs, p::average_signed(a, b))
__WS_PARTS_2(__vavgu, p::upper_half_sum(a, b))
__WS_PARTS_2(__vhaddu, p::half_sum(a, b))
__WS_PARTS_2(__vmaxs, p::largest(a, b, top))
__WS_PARTS_2(__vmaxu, p::largest(a, b, 0))
__WS_PARTS_2(__vmins, p::least(a, b, top))
__WS_PARTS_2(__vminu, p::least(a, b, 0))
__WS_PARTS_2(__vabsdiffs, p::difference(a, b, top))
__WS_PARTS_2(__vabsdiffu, p::difference(a, b, 0))
__WS_PARTS_2(__vsads, p::total(p::difference(a, b, top)))
__WS_PARTS_2(__vsadu, p::total(p::difference(a, b, 0)))

/* Comparisons: all bits of a part, or 1 in it. */
#define __WS_PARTS_COMPARE(name, top_bits)                                                         \
    __WS_PARTS_2(__vcmp##name, p::mask(top_bits))                                                  \
    __WS_PARTS_2(__vset##name, p::set(top_bits))
__WS_PARTS_COMPARE(eq, ~p::not_equal(a, b))
__WS_PARTS_COMPARE(ne, p::not_equal(a, b))
__WS_PARTS_COMPARE(ges, p::greater_or_equal(a, b, top))
__WS_PARTS_COMPARE(geu, p::greater_or_equal(a, b, 0))
__WS_PARTS_COMPARE(gts, p::greater(a, b, top))
__WS_PARTS_COMPARE(gtu, p::greater(a, b, 0))
__WS_PARTS_COMPARE(les, p::greater_or_equal(b, a, top))
__WS_PARTS_COMPARE(leu, p::greater_or_equal(b, a, 0))
__WS_PARTS_COMPARE(lts, p::greater(b, a, top))
__WS_PARTS_COMPARE(ltu, p::greater(b, a, 0))
#undef __WS_PARTS_COMPARE
#undef __WS_PARTS_2
#undef __WS_PARTS_1

#endif
