/* Cooperative groups: tiles of a warp, of a size that is known when the kernel is compiled. */
#ifndef WARPSTEP_GROUPS_TILE_H
#define WARPSTEP_GROUPS_TILE_H

#include "warpstep/groups/lanes.h"
#include "warpstep/groups/thread_block.h"
#include "warpstep/groups/wide_tile.h"

namespace cooperative_groups
{

namespace detail
{

template <unsigned int Size> class warp_tile
{
    static_assert(Size >= 1 && Size <= 32 && (Size & (Size - 1)) == 0,
                  "a tile has a power of two of threads, at most 1024");

    __WS_DEVICE_MEMBER static unsigned int by_rank(unsigned int bits)
    {
        return bits >> (__lane_id() & ~(Size - 1) & 31);
    }

  public:
    __WS_DEVICE_MEMBER static unsigned int __lanes()
    {
        unsigned int low = Size == 32 ? 0xffffffffu : (1u << (Size & 31)) - 1;
        return low << (__lane_id() & ~(Size - 1) & 31);
    }
    __WS_DEVICE_MEMBER static void sync()
    {
        __syncwarp(__lanes());
    }
    __WS_DEVICE_MEMBER static constexpr unsigned int size()
    {
        return Size;
    }
    __WS_DEVICE_MEMBER static constexpr unsigned int num_threads()
    {
        return Size;
    }
    __WS_DEVICE_MEMBER static unsigned int thread_rank()
    {
        return thread_block::thread_rank() & (Size - 1);
    }
    template <typename T> __WS_DEVICE_MEMBER T shfl(T value, int lane) const
    {
        return __shfl_sync(__lanes(), value, lane, Size);
    }
    template <typename T> __WS_DEVICE_MEMBER T shfl_down(T value, unsigned int by) const
    {
        return __shfl_down_sync(__lanes(), value, by, Size);
    }
    template <typename T> __WS_DEVICE_MEMBER T shfl_up(T value, unsigned int by) const
    {
        return __shfl_up_sync(__lanes(), value, by, Size);
    }
    template <typename T> __WS_DEVICE_MEMBER T shfl_xor(T value, unsigned int by) const
    {
        return __shfl_xor_sync(__lanes(), value, by, Size);
    }
    __WS_DEVICE_MEMBER int any(int predicate) const
    {
        if constexpr (Size == 32)
            return __any_sync(__lanes(), predicate);
        return detail::ballot_in(__lanes(), predicate) != 0;
    }
    __WS_DEVICE_MEMBER int all(int predicate) const
    {
        if constexpr (Size == 32)
            return __all_sync(__lanes(), predicate);
        return detail::ballot_in(__lanes(), predicate) == __lanes();
    }
    __WS_DEVICE_MEMBER unsigned int ballot(int predicate) const
    {
        return by_rank(detail::ballot_in(__lanes(), predicate));
    }
    template <typename T> __WS_DEVICE_MEMBER unsigned int match_any(T value) const
    {
        return by_rank(detail::match_in(__lanes(), value));
    }
    template <typename T> __WS_DEVICE_MEMBER unsigned int match_all(T value, int &predicate) const
    {
        if constexpr (Size == 32)
            return __match_all_sync(__lanes(), value, &predicate);
        return by_rank(detail::match_all_in(__lanes(), value, predicate));
    }
};

template <unsigned int Size>
using tile_of = std::conditional_t<(Size > 32), wide_tile<Size>, warp_tile<Size>>;

} // namespace detail

/* A tile whose type names the group that it is a part of: nothing is kept in it. */
template <unsigned int Size, typename ParentT = void>
class thread_block_tile : public detail::tile_of<Size>
{
  public:
    __WS_DEVICE_MEMBER static unsigned int meta_group_rank()
    {
        return ParentT::thread_rank() / Size;
    }
    __WS_DEVICE_MEMBER static unsigned int meta_group_size()
    {
        return (ParentT::size() + Size - 1) / Size;
    }
};

/* One whose type does not: it may be a part of a tile of any size, or of the block (0). */
template <unsigned int Size>
class thread_block_tile<Size, void> : public detail::tile_of<Size>
{
    unsigned int parent;

    template <typename ParentT>
    __WS_DEVICE_MEMBER static unsigned int parent_of(const thread_block_tile<Size, ParentT> &)
    {
        return ParentT::size();
    }
    __WS_DEVICE_MEMBER static unsigned int parent_of(const thread_block_tile<Size, thread_block> &)
    {
        return 0;
    }

  public:
    thread_block_tile() = default;
    template <typename ParentT>
    __WS_DEVICE_MEMBER thread_block_tile(const thread_block_tile<Size, ParentT> &tile)
        : parent(parent_of(tile))
    {
    }
    __WS_DEVICE_MEMBER unsigned int meta_group_rank() const
    {
        const unsigned int rank = thread_block::thread_rank();
        return (parent == 0 ? rank : rank & (parent - 1)) / Size;
    }
    __WS_DEVICE_MEMBER unsigned int meta_group_size() const
    {
        return parent == 0 ? (thread_block::size() + Size - 1) / Size : parent / Size;
    }
};

} // namespace cooperative_groups

#endif
