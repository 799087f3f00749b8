/* Reductions and scans of the items of one thread, in their order. */
#pragma once
#include "thread_operators.cuh"

namespace cub
{
template <int LENGTH, typename T, typename Op>
__WS_DEVICE_MEMBER T ThreadReduce(const T (&items)[LENGTH], Op op)
{
    T total = items[0];
#pragma unroll
    for (int i = 1; i < LENGTH; i++)
        total = op(total, items[i]);
    return total;
}
template <int LENGTH, typename T, typename Op, typename Prefix>
__WS_DEVICE_MEMBER T ThreadReduce(const T (&items)[LENGTH], Op op, Prefix prefix)
{
    T total = prefix;
#pragma unroll
    for (int i = 0; i < LENGTH; i++)
        total = op(total, items[i]);
    return total;
}

namespace internal
{
using cub::ThreadReduce;
}

/* Without a prefix the first item has none before it. Returns the prefix of what follows. */
template <int LENGTH, typename T, typename Op>
__WS_DEVICE_MEMBER T ThreadScanExclusive(const T (&input)[LENGTH], T (&output)[LENGTH], Op op,
                                         T prefix, bool apply_prefix = true)
{
    T total = input[0];
    if (apply_prefix) {
        total = op(prefix, input[0]);
        output[0] = prefix;
    }
#pragma unroll
    for (int i = 1; i < LENGTH; i++) {
        T before = total;
        total = op(total, input[i]);
        output[i] = before;
    }
    return total;
}
template <int LENGTH, typename T, typename Op>
__WS_DEVICE_MEMBER T ThreadScanInclusive(const T (&input)[LENGTH], T (&output)[LENGTH], Op op)
{
    output[0] = input[0];
#pragma unroll
    for (int i = 1; i < LENGTH; i++)
        output[i] = op(output[i - 1], input[i]);
    return output[LENGTH - 1];
}
template <int LENGTH, typename T, typename Op>
__WS_DEVICE_MEMBER T ThreadScanInclusive(const T (&input)[LENGTH], T (&output)[LENGTH], Op op,
                                         T prefix, bool apply_prefix = true)
{
    output[0] = apply_prefix ? op(prefix, input[0]) : input[0];
#pragma unroll
    for (int i = 1; i < LENGTH; i++)
        output[i] = op(output[i - 1], input[i]);
    return output[LENGTH - 1];
}
} // namespace cub
