/* cub::CountingInputIterator: the numbers from one on. */
#pragma once
#include "../thread/thread_load.cuh"
#include "warpstep/random_access.h"

namespace cub
{

template <typename ValueType, typename OffsetT = ptrdiff_t>
class CountingInputIterator : public __ws_random_access<CountingInputIterator<ValueType, OffsetT>,
                                                        ValueType, ValueType, OffsetT>
{
    ValueType value;

  public:
    CountingInputIterator() = default;
    __WS_MEMBER CountingInputIterator(const ValueType &a_value) : value(a_value)
    {
    }
    __WS_MEMBER ValueType __at(OffsetT n) const
    {
        return (ValueType)(value + n);
    }
    __WS_MEMBER void __advance(OffsetT n)
    {
        value = (ValueType)(value + n);
    }
    __WS_MEMBER OffsetT __places_from(const CountingInputIterator &other) const
    {
        return (OffsetT)(value - other.value);
    }
};

} // namespace cub
