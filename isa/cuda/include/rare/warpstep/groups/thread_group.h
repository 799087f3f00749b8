/* Cooperative groups: a group whose kind is known at run time only. */
#ifndef WARPSTEP_GROUPS_THREAD_GROUP_H
#define WARPSTEP_GROUPS_THREAD_GROUP_H

#include "warpstep/groups/coalesced_group.h"
#include "warpstep/groups/grid_group.h"
#include "warpstep/groups/tile.h"

namespace cooperative_groups
{

class thread_group
{
    bool whole;         /* the block or the grid */
    unsigned int lanes; /* else these; of the grid 1 */

  public:
    __WS_DEVICE_MEMBER thread_group(const thread_block &) : whole(true), lanes(0)
    {
    }
    __WS_DEVICE_MEMBER thread_group(const grid_group &) : whole(true), lanes(1)
    {
    }
    __WS_DEVICE_MEMBER thread_group(const coalesced_group &group)
        : whole(false), lanes(group.__lanes())
    {
    }
    template <unsigned int Size>
    __WS_DEVICE_MEMBER thread_group(const detail::warp_tile<Size> &tile)
        : whole(false), lanes(tile.__lanes())
    {
    }
    __WS_DEVICE_MEMBER explicit thread_group(unsigned int mask) : whole(false), lanes(mask)
    {
    }
    /* Of a group inside a warp; all lanes of the warp for the others. */
    __WS_DEVICE_MEMBER unsigned int __lanes() const
    {
        return whole ? 0xffffffffu : lanes;
    }
    __WS_DEVICE_MEMBER void sync() const
    {
        if (!whole)
            __syncwarp(lanes);
        else if (lanes == 0)
            __syncthreads();
        else
            grid_group::sync();
    }
    __WS_DEVICE_MEMBER unsigned long long size() const
    {
        return !whole ? __popc(lanes) : lanes == 0 ? thread_block::size() : grid_group::size();
    }
    __WS_DEVICE_MEMBER unsigned long long num_threads() const
    {
        return size();
    }
    __WS_DEVICE_MEMBER unsigned long long thread_rank() const
    {
        return !whole       ? detail::rank_in(lanes)
               : lanes == 0 ? thread_block::thread_rank()
                            : grid_group::thread_rank();
    }
};

/* The functions that take any group are those of the group's own. */
template <typename Group> static __WS_DEVICE_MEMBER void sync(const Group &group)
{
    group.sync();
}
template <typename Group>
static __WS_DEVICE_MEMBER auto thread_rank(const Group &group) -> decltype(group.thread_rank())
{
    return group.thread_rank();
}
template <typename Group>
static __WS_DEVICE_MEMBER auto group_size(const Group &group) -> decltype(group.size())
{
    return group.size();
}

} // namespace cooperative_groups

#endif
