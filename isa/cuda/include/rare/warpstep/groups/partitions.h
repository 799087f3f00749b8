/* Cooperative groups: groups made of groups. */
#ifndef WARPSTEP_GROUPS_PARTITIONS_H
#define WARPSTEP_GROUPS_PARTITIONS_H

#include "warpstep/groups/thread_group.h"

namespace cooperative_groups
{

template <unsigned int Size>
static __WS_DEVICE_MEMBER thread_block_tile<Size, thread_block> tiled_partition(const thread_block &)
{
    thread_block_tile<Size, thread_block> tile;
    if constexpr (Size > 32)
        tile.__begin();
    return tile;
}
template <unsigned int Size, unsigned int ParentSize, typename GrandParentT>
static __WS_DEVICE_MEMBER thread_block_tile<Size, thread_block_tile<ParentSize, GrandParentT>>
tiled_partition(const thread_block_tile<ParentSize, GrandParentT> &)
{
    static_assert(Size <= ParentSize, "a tile is no larger than what it is a part of");
    static_assert(Size <= 32, "a tile of more than 32 threads is a part of the block itself");
    return thread_block_tile<Size, thread_block_tile<ParentSize, GrandParentT>>();
}

namespace detail
{

/* The lanes of the mask whose rank / size is that of this thread. */
__WS_DEVICE unsigned int lanes_of_tile(unsigned int mask, unsigned int size)
{
    if (mask == 0xffffffffu)
        return (size >= 32 ? mask : (1u << size) - 1) << (__lane_id() & ~(size - 1) & 31);
    const unsigned int tile = rank_in(mask) / size;
    unsigned int result = 0;
    for (unsigned int rank = 0, rest = mask; rest != 0; rank++, rest &= rest - 1)
        if (rank / size == tile)
            result |= rest & -rest;
    return result;
}

} // namespace detail

/* Tiles of a size known at run time only. */
static __WS_DEVICE_MEMBER thread_group tiled_partition(const thread_group &group, unsigned int size)
{
    return thread_group(detail::lanes_of_tile(group.__lanes(), size));
}
static __WS_DEVICE_MEMBER coalesced_group tiled_partition(const coalesced_group &group,
                                                          unsigned int size)
{
    return coalesced_group(detail::lanes_of_tile(group.__lanes(), size),
                           group.thread_rank() / size, (group.size() + size - 1) / size);
}

/* The threads of the group that have the same label. */
template <typename Group, typename Label>
static __WS_DEVICE_MEMBER coalesced_group labeled_partition(const Group &group, Label label)
{
    static_assert(std::is_integral_v<Label>, "labels are integers");
    typedef std::conditional_t<(sizeof(Label) > 4), long long, int> word;
    const unsigned int lanes = detail::match_in(group.__lanes(), (word)label);
    unsigned int rank, size;
    detail::place_of_part(group.__lanes(), lanes, &rank, &size);
    return coalesced_group(lanes, rank, size);
}
/* Those for which the predicate is true, and those for which it is not. */
template <typename Group>
static __WS_DEVICE_MEMBER coalesced_group binary_partition(const Group &group, bool predicate)
{
    const unsigned int set = detail::ballot_in(group.__lanes(), predicate);
    const unsigned int lanes = predicate ? set : group.__lanes() & ~set;
    unsigned int rank, size;
    detail::place_of_part(group.__lanes(), lanes, &rank, &size);
    return coalesced_group(lanes, rank, size);
}

} // namespace cooperative_groups

#endif
