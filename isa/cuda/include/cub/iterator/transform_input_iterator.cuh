/* cub::TransformInputIterator: what a function makes of another iterator's items. */
#pragma once
#include "../thread/thread_load.cuh"
#include "warpstep/random_access.h"

namespace cub
{

template <typename ValueType, typename ConversionOp, typename InputIteratorT,
          typename OffsetT = ptrdiff_t>
class TransformInputIterator
    : public __ws_random_access<
          TransformInputIterator<ValueType, ConversionOp, InputIteratorT, OffsetT>, ValueType,
          ValueType, OffsetT>
{
    InputIteratorT input;
    ConversionOp op;

  public:
    __WS_MEMBER TransformInputIterator(InputIteratorT an_input, ConversionOp an_op)
        : input(an_input), op(an_op)
    {
    }
    __WS_MEMBER ValueType __at(OffsetT n) const
    {
        ConversionOp function = op;
        return function(input[n]);
    }
    __WS_MEMBER void __advance(OffsetT n)
    {
        input += n;
    }
    __WS_MEMBER OffsetT __places_from(const TransformInputIterator &other) const
    {
        return (OffsetT)(input - other.input);
    }
};

} // namespace cub
