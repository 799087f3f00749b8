/* cub::DiscardOutputIterator: what is written to it is gone. */
#pragma once
#include "../thread/thread_load.cuh"
#include "warpstep/random_access.h"

namespace cub
{

template <typename OffsetT = ptrdiff_t>
class DiscardOutputIterator
    : public __ws_random_access<DiscardOutputIterator<OffsetT>, void, NullType, OffsetT>
{
    OffsetT offset;

  public:
    __WS_MEMBER DiscardOutputIterator(OffsetT an_offset = 0) : offset(an_offset)
    {
    }
    __WS_MEMBER NullType __at(OffsetT) const
    {
        return NullType();
    }
    __WS_MEMBER void __advance(OffsetT n)
    {
        offset += n;
    }
    __WS_MEMBER OffsetT __places_from(const DiscardOutputIterator &other) const
    {
        return offset - other.offset;
    }
};

} // namespace cub
