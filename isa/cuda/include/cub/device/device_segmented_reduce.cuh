/* cub::DeviceSegmentedReduce: one block for each segment. */
#pragma once
#include "device_reduce.cuh"

namespace cub
{

namespace detail
{
template <typename T, typename In, typename Out, typename Begin, typename End, typename Op>
__global__ void reduce_segments(In in, Out out, Begin begin, End end, Op op, T initial,
                                bool has_initial)
{
    long long first = begin[blockIdx.x], last = end[blockIdx.x];
    load_from<T, In> load{in};
    if (first >= last) {
        if (threadIdx.x == 0)
            out[blockIdx.x] = initial;
        return;
    }
    T total = reduce_range<T>(load, first, last, op);
    if (threadIdx.x == 0)
        out[blockIdx.x] = has_initial ? (T)op(initial, total) : total;
}

/* Pairs whose keys count from the begin of the segment. */
template <typename Pair, typename Out, typename Begin> struct store_in_segment {
    Out out;
    Begin begin;
    struct place {
        Out out;
        Begin begin;
        long long at;
        __WS_DEVICE_MEMBER void operator=(Pair pair)
        {
            if (pair.key != -1)
                pair.key -= (int)begin[at];
            else
                pair.key = 1;
            out[at] = pair;
        }
    };
    __WS_DEVICE_MEMBER place operator[](long long at) const
    {
        return place{out, begin, at};
    }
};

template <typename T, typename In, typename Out, typename Begin, typename End, typename Op>
cudaError_t segmented_reduce(void *d_temp_storage, size_t &temp_storage_bytes, In in, Out out,
                             int segments, Begin begin, End end, Op op, T initial, bool has_initial,
                             cudaStream_t stream)
{
    temporary_storage storage(d_temp_storage);
    cudaError_t error;
    if (storage.asks(temp_storage_bytes, error) || segments <= 0)
        return error;
    reduce_segments<T, In, Out, Begin, End, Op>
        <<<segments, REDUCE_THREADS, 0, stream>>>(in, out, begin, end, op, initial, has_initial);
    return cudaPeekAtLastError();
}
} // namespace detail

struct DeviceSegmentedReduce {
  private:
    template <typename It> using value_of = typename detail::value_of<It>::type;

  public:
    template <typename In, typename Out, typename Begin, typename End, typename Op, typename T>
    static cudaError_t Reduce(void *d_temp_storage, size_t &temp_storage_bytes, In d_in, Out d_out,
                              int num_segments, Begin d_begin_offsets, End d_end_offsets,
                              Op reduction_op, T initial_value, cudaStream_t stream = 0,
                              bool = false)
    {
        typedef typename detail::result_of<Op, T, value_of<In>>::type Acc;
        return detail::segmented_reduce<Acc>(d_temp_storage, temp_storage_bytes, d_in, d_out,
                                             num_segments, d_begin_offsets, d_end_offsets,
                                             reduction_op, (Acc)initial_value, true, stream);
    }
    template <typename In, typename Out, typename Begin, typename End>
    static cudaError_t Sum(void *d_temp_storage, size_t &temp_storage_bytes, In d_in, Out d_out,
                           int num_segments, Begin d_begin_offsets, End d_end_offsets,
                           cudaStream_t stream = 0, bool = false)
    {
        typedef typename detail::output_value<Out, value_of<In>>::type T;
        return Reduce(d_temp_storage, temp_storage_bytes, d_in, d_out, num_segments,
                      d_begin_offsets, d_end_offsets, cub::Sum(), T(), stream);
    }
    template <typename In, typename Out, typename Begin, typename End>
    static cudaError_t Min(void *d_temp_storage, size_t &temp_storage_bytes, In d_in, Out d_out,
                           int num_segments, Begin d_begin_offsets, End d_end_offsets,
                           cudaStream_t stream = 0, bool = false)
    {
        return Reduce(d_temp_storage, temp_storage_bytes, d_in, d_out, num_segments,
                      d_begin_offsets, d_end_offsets, cub::Min(),
                      detail::highest_value<value_of<In>>(), stream);
    }
    template <typename In, typename Out, typename Begin, typename End>
    static cudaError_t Max(void *d_temp_storage, size_t &temp_storage_bytes, In d_in, Out d_out,
                           int num_segments, Begin d_begin_offsets, End d_end_offsets,
                           cudaStream_t stream = 0, bool = false)
    {
        return Reduce(d_temp_storage, temp_storage_bytes, d_in, d_out, num_segments,
                      d_begin_offsets, d_end_offsets, cub::Max(),
                      detail::lowest_value<value_of<In>>(), stream);
    }
    template <typename In, typename Out, typename Begin, typename End>
    static cudaError_t ArgMin(void *d_temp_storage, size_t &temp_storage_bytes, In d_in, Out d_out,
                              int num_segments, Begin d_begin_offsets, End d_end_offsets,
                              cudaStream_t stream = 0, bool = false)
    {
        typedef KeyValuePair<int, value_of<In>> Pair;
        return detail::segmented_reduce<Pair>(
            d_temp_storage, temp_storage_bytes, ArgIndexInputIterator<In, int>(d_in),
            detail::store_in_segment<Pair, Out, Begin>{d_out, d_begin_offsets}, num_segments,
            d_begin_offsets, d_end_offsets, cub::ArgMin(),
            Pair(-1, detail::highest_value<value_of<In>>()), false, stream);
    }
    template <typename In, typename Out, typename Begin, typename End>
    static cudaError_t ArgMax(void *d_temp_storage, size_t &temp_storage_bytes, In d_in, Out d_out,
                              int num_segments, Begin d_begin_offsets, End d_end_offsets,
                              cudaStream_t stream = 0, bool = false)
    {
        typedef KeyValuePair<int, value_of<In>> Pair;
        return detail::segmented_reduce<Pair>(
            d_temp_storage, temp_storage_bytes, ArgIndexInputIterator<In, int>(d_in),
            detail::store_in_segment<Pair, Out, Begin>{d_out, d_begin_offsets}, num_segments,
            d_begin_offsets, d_end_offsets, cub::ArgMax(),
            Pair(-1, detail::lowest_value<value_of<In>>()), false, stream);
    }
};

} // namespace cub
