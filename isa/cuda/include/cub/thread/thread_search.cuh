/* Binary search by one thread. */
#pragma once
#include "../util_type.cuh"

namespace cub
{
/* How many of the sorted `count` items are less than `value`. */
template <typename It, typename Offset, typename T>
__WS_DEVICE_MEMBER Offset LowerBound(It input, Offset count, T value)
{
    Offset low = 0;
    while (count > 0) {
        Offset half = count / 2;
        if (input[low + half] < value) {
            low += half + 1;
            count -= half + 1;
        } else {
            count = half;
        }
    }
    return low;
}
/* How many are not greater. */
template <typename It, typename Offset, typename T>
__WS_DEVICE_MEMBER Offset UpperBound(It input, Offset count, T value)
{
    Offset low = 0;
    while (count > 0) {
        Offset half = count / 2;
        if (value < input[low + half]) {
            count = half;
        } else {
            low += half + 1;
            count -= half + 1;
        }
    }
    return low;
}
} // namespace cub
