/* Cooperative groups: any threads of one warp. */
#ifndef WARPSTEP_GROUPS_COALESCED_GROUP_H
#define WARPSTEP_GROUPS_COALESCED_GROUP_H

#include "warpstep/groups/lanes.h"

namespace cooperative_groups
{

class coalesced_group
{
    unsigned int active, meta_rank, meta_size;

  public:
    __WS_DEVICE_MEMBER explicit coalesced_group(unsigned int mask, unsigned int rank = 0,
                                                unsigned int size = 1)
        : active(mask), meta_rank(rank), meta_size(size)
    {
    }
    __WS_DEVICE_MEMBER unsigned int __lanes() const
    {
        return active;
    }
    __WS_DEVICE_MEMBER void sync() const
    {
        __syncwarp(active);
    }
    __WS_DEVICE_MEMBER unsigned int size() const
    {
        return __popc(active);
    }
    __WS_DEVICE_MEMBER unsigned int num_threads() const
    {
        return __popc(active);
    }
    __WS_DEVICE_MEMBER unsigned int thread_rank() const
    {
        return detail::rank_in(active);
    }
    __WS_DEVICE_MEMBER unsigned int meta_group_rank() const
    {
        return meta_rank;
    }
    __WS_DEVICE_MEMBER unsigned int meta_group_size() const
    {
        return meta_size;
    }
    template <typename T> __WS_DEVICE_MEMBER T shfl(T value, unsigned int rank) const
    {
        return __shfl_sync(active, value, detail::lane_of(active, rank), 32);
    }
    /* Past the ends of the group a thread gets its own value. */
    template <typename T> __WS_DEVICE_MEMBER T shfl_down(T value, unsigned int by) const
    {
        const unsigned int rank = thread_rank(), from = by < size() - rank ? rank + by : rank;
        return shfl(value, from);
    }
    template <typename T> __WS_DEVICE_MEMBER T shfl_up(T value, unsigned int by) const
    {
        const unsigned int rank = thread_rank(), from = by <= rank ? rank - by : rank;
        return shfl(value, from);
    }
    __WS_DEVICE_MEMBER int any(int predicate) const
    {
        return detail::ballot_in(active, predicate) != 0;
    }
    __WS_DEVICE_MEMBER int all(int predicate) const
    {
        return detail::ballot_in(active, predicate) == active;
    }
    __WS_DEVICE_MEMBER unsigned int ballot(int predicate) const
    {
        return detail::by_rank(active, detail::ballot_in(active, predicate));
    }
    template <typename T> __WS_DEVICE_MEMBER unsigned int match_any(T value) const
    {
        return detail::by_rank(active, detail::match_in(active, value));
    }
    template <typename T> __WS_DEVICE_MEMBER unsigned int match_all(T value, int &predicate) const
    {
        return detail::by_rank(active, detail::match_all_in(active, value, predicate));
    }
};

__WS_DEVICE coalesced_group coalesced_threads()
{
    return coalesced_group(__activemask());
}

} // namespace cooperative_groups

#endif
