/* cub::ConstantInputIterator: one value everywhere. */
#pragma once
#include "../thread/thread_load.cuh"
#include "warpstep/random_access.h"

namespace cub
{

template <typename ValueType, typename OffsetT = ptrdiff_t>
class ConstantInputIterator : public __ws_random_access<ConstantInputIterator<ValueType, OffsetT>,
                                                        ValueType, ValueType, OffsetT>
{
    ValueType value;
    OffsetT offset;

  public:
    ConstantInputIterator() = default;
    __WS_MEMBER ConstantInputIterator(ValueType a_value, OffsetT an_offset = 0)
        : value(a_value), offset(an_offset)
    {
    }
    __WS_MEMBER ValueType __at(OffsetT) const
    {
        return value;
    }
    __WS_MEMBER void __advance(OffsetT n)
    {
        offset += n;
    }
    __WS_MEMBER OffsetT __places_from(const ConstantInputIterator &other) const
    {
        return offset - other.offset;
    }
};

} // namespace cub
