/* Cooperative groups: the operators of reduce() and of scans. */
#ifndef WARPSTEP_GROUPS_OPERATORS_H
#define WARPSTEP_GROUPS_OPERATORS_H

#include "cuda_runtime.h"

namespace cooperative_groups
{

#define __WS_OPERATOR(name, expression)                                                            \
    template <typename T> struct name {                                                            \
        __WS_DEVICE_MEMBER T operator()(T a, T b) const                                            \
        {                                                                                          \
            return expression;                                                                     \
        }                                                                                          \
    };
__WS_OPERATOR(plus, a + b)
__WS_OPERATOR(less, b < a ? b : a)
__WS_OPERATOR(greater, a < b ? b : a)
__WS_OPERATOR(bit_and, a & b)
__WS_OPERATOR(bit_or, a | b)
__WS_OPERATOR(bit_xor, a ^ b)
#undef __WS_OPERATOR

} // namespace cooperative_groups

#endif
