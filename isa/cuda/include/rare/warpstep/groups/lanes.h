/* Cooperative groups: what groups inside a warp share, by the mask of their lanes. */
#ifndef WARPSTEP_GROUPS_LANES_H
#define WARPSTEP_GROUPS_LANES_H

#include "cuda_runtime.h"

namespace cooperative_groups
{
namespace detail
{

__WS_DEVICE unsigned int rank_in(unsigned int mask)
{
    return __popc(mask & ((1u << __lane_id()) - 1));
}

/* The lane of the thread with this rank: that of the rank-th set bit. */
__WS_DEVICE int lane_of(unsigned int mask, unsigned int rank)
{
    if (rank != 0 && mask == 0xffffffffu)
        return (int)rank;
    for (unsigned int i = 0; i < rank; i++)
        mask &= mask - 1;
    return __ffs((int)mask) - 1;
}

/* The bits of the lanes in the mask, side by side: bit r is of the thread with rank r. */
__WS_DEVICE unsigned int by_rank(unsigned int mask, unsigned int bits)
{
    if (mask == 0xffffffffu)
        return bits;
    unsigned int packed = 0;
    for (unsigned int rank = 0; mask != 0; rank++, mask &= mask - 1)
        packed |= (bits >> (__ffs((int)mask) - 1) & 1) << rank;
    return packed;
}

/*
 * Votes and matches among the lanes of a mask. Other groups of the warp may be at the same
 * instruction, which answers for all lanes that are.
 */
__WS_DEVICE unsigned int ballot_in(unsigned int mask, int predicate)
{
    return __ballot_sync(mask, predicate) & mask;
}
template <typename T> static __WS_DEVICE_MEMBER unsigned int match_in(unsigned int mask, T value)
{
    return __match_any_sync(mask, value) & mask;
}
template <typename T>
static __WS_DEVICE_MEMBER unsigned int match_all_in(unsigned int mask, T value, int &predicate)
{
    predicate = match_in(mask, value) == mask;
    return predicate ? mask : 0;
}

/* Of a partition in which this thread's part has these lanes: how many parts there are, and how many
 * of them begin at a lower lane. */
__WS_DEVICE void place_of_part(unsigned int parent, unsigned int part, unsigned int *rank,
                               unsigned int *size)
{
    const unsigned int first = part & -part;
    const unsigned int firsts = ballot_in(parent, first == 1u << __lane_id());
    *rank = __popc(firsts & (first - 1));
    *size = __popc(firsts);
}

} // namespace detail
} // namespace cooperative_groups

#endif
