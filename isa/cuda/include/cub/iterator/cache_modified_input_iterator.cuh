/* cub::CacheModifiedInputIterator: a pointer whose loads are cached in a way of their own. */
#pragma once
#include "../thread/thread_load.cuh"
#include "warpstep/random_access.h"

namespace cub
{

template <CacheLoadModifier MODIFIER, typename ValueType, typename OffsetT = ptrdiff_t>
class CacheModifiedInputIterator
    : public __ws_random_access<CacheModifiedInputIterator<MODIFIER, ValueType, OffsetT>, ValueType,
                                ValueType, OffsetT>
{
  public:
    ValueType *ptr;

    template <typename Q>
    __WS_MEMBER CacheModifiedInputIterator(Q *pointer) : ptr((ValueType *)pointer)
    {
    }
    __WS_MEMBER ValueType __at(OffsetT n) const
    {
        return ThreadLoad<MODIFIER>(ptr + n);
    }
    __WS_MEMBER void __advance(OffsetT n)
    {
        ptr += n;
    }
    __WS_MEMBER OffsetT __places_from(const CacheModifiedInputIterator &other) const
    {
        return (OffsetT)(ptr - other.ptr);
    }
};

} // namespace cub
