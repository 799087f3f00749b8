/* cub::ArgIndexInputIterator: pairs of a place and another iterator's item there. */
#pragma once
#include "../thread/thread_load.cuh"
#include "warpstep/random_access.h"

namespace cub
{

template <typename InputIteratorT, typename OffsetT = ptrdiff_t,
          typename OutputValueT = typename detail::value_of<InputIteratorT>::type>
class ArgIndexInputIterator
    : public __ws_random_access<ArgIndexInputIterator<InputIteratorT, OffsetT, OutputValueT>,
                                KeyValuePair<OffsetT, OutputValueT>,
                                KeyValuePair<OffsetT, OutputValueT>, OffsetT>
{
    InputIteratorT input;
    OffsetT offset;

  public:
    __WS_MEMBER ArgIndexInputIterator(InputIteratorT an_input, OffsetT an_offset = 0)
        : input(an_input), offset(an_offset)
    {
    }
    __WS_MEMBER KeyValuePair<OffsetT, OutputValueT> __at(OffsetT n) const
    {
        return KeyValuePair<OffsetT, OutputValueT>(offset + n, input[offset + n]);
    }
    __WS_MEMBER void __advance(OffsetT n)
    {
        offset += n;
    }
    __WS_MEMBER OffsetT __places_from(const ArgIndexInputIterator &other) const
    {
        return offset - other.offset;
    }
    __WS_MEMBER void normalize()
    {
        input += offset;
        offset = 0;
    }
};

} // namespace cub
