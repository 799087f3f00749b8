/*
 * DPX: least and largest of two or three numbers, of sums, with 0 (`_relu`), and with the answer to
 * which it was; of 32 bits, or of two times 16. For the device and the host, as CUDA has them.
 */
#ifndef WARPSTEP_DPX_H
#define WARPSTEP_DPX_H

#include "warpstep/attributes.h"

/* One part, in the type `T` of its numbers. */
template <typename T> struct __ws_dpx {
    __WS_BOTH T sum(T a, T b)
    {
        return (T)((unsigned int)a + (unsigned int)b);
    }
    __WS_BOTH T max(T a, T b)
    {
        return a >= b ? a : b;
    }
    __WS_BOTH T min(T a, T b)
    {
        return a <= b ? a : b;
    }
    __WS_BOTH T relu(T a)
    {
        return a > 0 ? a : 0;
    }
};

#define __WS_DPX_JOIN(high, low) ((unsigned int)(high) << 16 | (unsigned short)(low))
#define __WS_DPX_2(name, type, expression)                                                         \
    __WS_BOTH type name(const type a, const type b)                                                \
    {                                                                                              \
        typedef __ws_dpx<type> p;                                                                  \
        return expression;                                                                         \
    }
#define __WS_DPX_3(name, type, expression)                                                         \
    __WS_BOTH type name(const type a, const type b, const type c)                                  \
    {                                                                                              \
        typedef __ws_dpx<type> p;                                                                  \
        return expression;                                                                         \
    }
#define __WS_DPX_PAIR_2(name, type, expression)                                                    \
    __WS_DPX_2(__ws_one_##name, type, expression)                                                  \
    __WS_BOTH unsigned int name(const unsigned int a, const unsigned int b)                        \
    {                                                                                              \
        return __WS_DPX_JOIN(__ws_one_##name((type)(a >> 16), (type)(b >> 16)),                    \
                             __ws_one_##name((type)a, (type)b));                                   \
    }
#define __WS_DPX_PAIR_3(name, type, expression)                                                    \
    __WS_DPX_3(__ws_one_##name, type, expression)                                                  \
    __WS_BOTH unsigned int name(const unsigned int a, const unsigned int b, const unsigned int c)  \
    {                                                                                              \
        return __WS_DPX_JOIN(__ws_one_##name((type)(a >> 16), (type)(b >> 16), (type)(c >> 16)),   \
                             __ws_one_##name((type)a, (type)b, (type)c));                          \
    }
#define __WS_DPX_WHICH(name, type, best, relation)                                                 \
    __WS_BOTH type name(const type a, const type b, bool *const pred)                              \
    {                                                                                              \
        *pred = a relation b;                                                                      \
        return __ws_dpx<type>::best(a, b);                                                         \
    }
#define __WS_DPX_PAIR_WHICH(name, type, best, relation)                                            \
    __WS_DPX_WHICH(__ws_one_##name, type, best, relation)                                          \
    __WS_BOTH unsigned int name(const unsigned int a, const unsigned int b, bool *const pred_hi,   \
                                bool *const pred_lo)                                               \
    {                                                                                              \
        return __WS_DPX_JOIN(__ws_one_##name((type)(a >> 16), (type)(b >> 16), pred_hi),           \
                             __ws_one_##name((type)a, (type)b, pred_lo));                          \
    }

#define __WS_DPX_SIGNED(best, relation, suffix, type, two, three, which)                           \
    three(__viadd##best##_##suffix, type, p::best(p::sum(a, b), c))                                \
        three(__viadd##best##_##suffix##_relu, type, p::relu(p::best(p::sum(a, b), c)))            \
            three(__vi##best##3_##suffix, type, p::best(p::best(a, b), c))                         \
                three(__vi##best##3_##suffix##_relu, type, p::relu(p::best(p::best(a, b), c)))     \
                    two(__vi##best##_##suffix##_relu, type, p::relu(p::best(a, b)))                \
                        which(__vib##best##_##suffix, type, best, relation)
#define __WS_DPX_UNSIGNED(best, relation, suffix, type, three, which)                              \
    three(__viadd##best##_##suffix, type, p::best(p::sum(a, b), c))                                \
        three(__vi##best##3_##suffix, type, p::best(p::best(a, b), c))                             \
            which(__vib##best##_##suffix, type, best, relation)
#define __WS_DPX(best, relation)                                                                   \
    __WS_DPX_SIGNED(best, relation, s32, int, __WS_DPX_2, __WS_DPX_3, __WS_DPX_WHICH)              \
    __WS_DPX_SIGNED(best, relation, s16x2, short, __WS_DPX_PAIR_2, __WS_DPX_PAIR_3,                \
                    __WS_DPX_PAIR_WHICH)                                                           \
    __WS_DPX_UNSIGNED(best, relation, u32, unsigned int, __WS_DPX_3, __WS_DPX_WHICH)               \
    __WS_DPX_UNSIGNED(best, relation, u16x2, unsigned short, __WS_DPX_PAIR_3, __WS_DPX_PAIR_WHICH)
__WS_DPX(max, >=)
__WS_DPX(min, <=)
#undef __WS_DPX
#undef __WS_DPX_SIGNED
#undef __WS_DPX_UNSIGNED
#undef __WS_DPX_WHICH
#undef __WS_DPX_PAIR_WHICH
#undef __WS_DPX_PAIR_2
#undef __WS_DPX_PAIR_3
#undef __WS_DPX_2
#undef __WS_DPX_3
#undef __WS_DPX_JOIN

#endif
