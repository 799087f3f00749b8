/* cub::DeviceReduce: an array to one value, and runs of equal keys to one each. */
#pragma once
#include "../iterator/arg_index_input_iterator.cuh"
#include "../iterator/constant_input_iterator.cuh"
#include "../thread/thread_operators.cuh"
#include "scan_tiles.cuh"

#include <limits>

namespace cub
{

namespace detail
{
enum {
    REDUCE_THREADS = 256,
    REDUCE_TILE = 2048,
    REDUCE_BLOCKS = 528 /* four for each SM of an H200 */
};

/* The items from `first` to `end`, by one block; the result is thread 0's. */
template <typename T, typename Load, typename Op>
__WS_DEVICE_MEMBER T reduce_range(Load &load, long long first, long long end, Op op)
{
    typedef BlockReduce<T, REDUCE_THREADS> Reduce;
    __shared__ typename Reduce::TempStorage storage;
    long long at = first + threadIdx.x;
    T total = load(at < end ? at : end - 1);
#pragma unroll 4
    for (at += REDUCE_THREADS; at < end; at += REDUCE_THREADS)
        total = op(total, load(at));
    return end - first >= REDUCE_THREADS ? Reduce(storage).Reduce(total, op)
                                         : Reduce(storage).Reduce(total, op, (int)(end - first));
}

template <typename T, typename Load, typename Op>
__global__ void reduce_parts(Load load, long long n, Op op, T *parts)
{
    long long share = (n + gridDim.x - 1) / gridDim.x, first = share * blockIdx.x;
    T total = reduce_range<T>(load, first, first + share < n ? first + share : n, op);
    if (threadIdx.x == 0)
        parts[blockIdx.x] = total;
}

template <typename T, typename Load, typename Op, typename Out>
__global__ void reduce_to_one(Load load, long long n, Op op, Out out, T initial, bool has_initial)
{
    if (n == 0) {
        if (threadIdx.x == 0)
            *out = initial;
        return;
    }
    T total = reduce_range<T>(load, 0, n, op);
    if (threadIdx.x == 0)
        *out = has_initial ? (T)op(initial, total) : total;
}

/* Without items the result is `initial`, which else counts if `has_initial`. */
template <typename T, typename In, typename Out, typename Op>
cudaError_t reduce(void *d_temp_storage, size_t &temp_storage_bytes, In d_in, Out d_out,
                   long long n, Op op, T initial, bool has_initial, cudaStream_t stream)
{
    temporary_storage storage(d_temp_storage);
    long long tiles = blocks_for(n, REDUCE_TILE);
    unsigned int blocks = (unsigned int)(tiles < REDUCE_BLOCKS ? tiles : (long long)REDUCE_BLOCKS);
    if (blocks > 1) /* so that the last has a share */
        blocks = blocks_for(n, (int)((n + blocks - 1) / blocks));
    T *parts = storage.take<T>(blocks);
    cudaError_t error;
    if (storage.asks(temp_storage_bytes, error))
        return error;
    typedef load_from<T, In> Load;
    typedef load_from<T, T *> LoadPart;
    if (blocks <= 1) {
        reduce_to_one<T, Load, Op, Out>
            <<<1, REDUCE_THREADS, 0, stream>>>(Load{d_in}, n, op, d_out, initial, has_initial);
    } else {
        reduce_parts<T, Load, Op><<<blocks, REDUCE_THREADS, 0, stream>>>(Load{d_in}, n, op, parts);
        reduce_to_one<T, LoadPart, Op, Out><<<1, REDUCE_THREADS, 0, stream>>>(
            LoadPart{parts}, (long long)blocks, op, d_out, initial, has_initial);
    }
    return cudaPeekAtLastError();
}

template <typename T> T lowest_value()
{
    return std::numeric_limits<T>::lowest();
}
template <typename T> T highest_value()
{
    return std::numeric_limits<T>::max();
}

/* Runs of equal keys: pairs of the run's number and its value so far. */
template <typename T, typename Keys, typename Values, typename Equal> struct load_run {
    Keys keys;
    Values values;
    Equal equal;
    __WS_DEVICE_MEMBER KeyValuePair<int, T> operator()(long long i)
    {
        return KeyValuePair<int, T>(i == 0 || !equal(keys[i - 1], keys[i]), (T)values[i]);
    }
};
template <typename Keys, typename UniqueOut, typename Out, typename NumOut, typename Equal>
struct store_run {
    Keys keys;
    UniqueOut unique;
    Out aggregates;
    NumOut num_runs;
    Equal equal;
    long long n;
    template <typename Pair> __WS_DEVICE_MEMBER void operator()(long long i, const Pair &pair)
    {
        if (i == n - 1)
            *num_runs = pair.key;
        if (i == n - 1 || !equal(keys[i], keys[i + 1])) {
            unique[pair.key - 1] = keys[i];
            aggregates[pair.key - 1] = pair.value;
        }
    }
};
template <typename Out> struct store_zero {
    Out out;
    __WS_DEVICE_MEMBER void operator()(long long)
    {
        *out = 0;
    }
};

template <typename T, typename Keys, typename UniqueOut, typename Values, typename Out,
          typename NumOut, typename Op, typename Equal>
cudaError_t reduce_by_key(void *d_temp_storage, size_t &temp_storage_bytes, Keys keys,
                          UniqueOut unique, Values values, Out aggregates, NumOut num_runs, Op op,
                          Equal equal, long long n, cudaStream_t stream)
{
    typedef KeyValuePair<int, T> Pair;
    temporary_storage storage(d_temp_storage);
    Pair *parts = take_scan_storage<Pair>(storage, n);
    cudaError_t error;
    if (storage.asks(temp_storage_bytes, error))
        return error;
    if (n <= 0)
        return launch_for_each_index(1, store_zero<NumOut>{num_runs}, stream);
    return launch_scan<true>(parts, load_run<T, Keys, Values, Equal>{keys, values, equal},
                             store_run<Keys, UniqueOut, Out, NumOut, Equal>{
                                 keys, unique, aggregates, num_runs, equal, n},
                             n, ReduceBySegmentOp<Op>(op), Pair(), false, stream);
}
} // namespace detail

struct DeviceReduce {
  private:
    template <typename It> using value_of = typename detail::value_of<It>::type;

  public:
    template <typename In, typename Out, typename Op, typename T, typename N>
    static cudaError_t Reduce(void *d_temp_storage, size_t &temp_storage_bytes, In d_in, Out d_out,
                              N num_items, Op reduction_op, T init, cudaStream_t stream = 0,
                              bool = false)
    {
        typedef typename detail::result_of<Op, T, value_of<In>>::type Acc;
        return detail::reduce<Acc>(d_temp_storage, temp_storage_bytes, d_in, d_out,
                                   (long long)num_items, reduction_op, (Acc)init, true, stream);
    }
    template <typename In, typename Out, typename N>
    static cudaError_t Sum(void *d_temp_storage, size_t &temp_storage_bytes, In d_in, Out d_out,
                           N num_items, cudaStream_t stream = 0, bool = false)
    {
        typedef typename detail::output_value<Out, value_of<In>>::type T;
        return Reduce(d_temp_storage, temp_storage_bytes, d_in, d_out, num_items, cub::Sum(), T(),
                      stream);
    }
    template <typename In, typename Out, typename N>
    static cudaError_t Min(void *d_temp_storage, size_t &temp_storage_bytes, In d_in, Out d_out,
                           N num_items, cudaStream_t stream = 0, bool = false)
    {
        return Reduce(d_temp_storage, temp_storage_bytes, d_in, d_out, num_items, cub::Min(),
                      detail::highest_value<value_of<In>>(), stream);
    }
    template <typename In, typename Out, typename N>
    static cudaError_t Max(void *d_temp_storage, size_t &temp_storage_bytes, In d_in, Out d_out,
                           N num_items, cudaStream_t stream = 0, bool = false)
    {
        return Reduce(d_temp_storage, temp_storage_bytes, d_in, d_out, num_items, cub::Max(),
                      detail::lowest_value<value_of<In>>(), stream);
    }
    /* Without items: the key 1 and the value that any other would take the place of. */
    template <typename In, typename Out, typename N>
    static cudaError_t ArgMin(void *d_temp_storage, size_t &temp_storage_bytes, In d_in, Out d_out,
                              N num_items, cudaStream_t stream = 0, bool = false)
    {
        typedef KeyValuePair<int, value_of<In>> Pair;
        return detail::reduce<Pair>(d_temp_storage, temp_storage_bytes,
                                    ArgIndexInputIterator<In, int>(d_in), d_out,
                                    (long long)num_items, cub::ArgMin(),
                                    Pair(1, detail::highest_value<value_of<In>>()), false, stream);
    }
    template <typename In, typename Out, typename N>
    static cudaError_t ArgMax(void *d_temp_storage, size_t &temp_storage_bytes, In d_in, Out d_out,
                              N num_items, cudaStream_t stream = 0, bool = false)
    {
        typedef KeyValuePair<int, value_of<In>> Pair;
        return detail::reduce<Pair>(d_temp_storage, temp_storage_bytes,
                                    ArgIndexInputIterator<In, int>(d_in), d_out,
                                    (long long)num_items, cub::ArgMax(),
                                    Pair(1, detail::lowest_value<value_of<In>>()), false, stream);
    }
    template <typename Keys, typename UniqueOut, typename Values, typename Out, typename NumOut,
              typename Op, typename N>
    static cudaError_t ReduceByKey(void *d_temp_storage, size_t &temp_storage_bytes, Keys d_keys_in,
                                   UniqueOut d_unique_out, Values d_values_in, Out d_aggregates_out,
                                   NumOut d_num_runs_out, Op reduction_op, N num_items,
                                   cudaStream_t stream = 0, bool = false)
    {
        typedef typename detail::result_of<Op, value_of<Values>, value_of<Values>>::type T;
        return detail::reduce_by_key<T>(d_temp_storage, temp_storage_bytes, d_keys_in, d_unique_out,
                                        d_values_in, d_aggregates_out, d_num_runs_out, reduction_op,
                                        Equality(), (long long)num_items, stream);
    }
};

struct DeviceRunLengthEncode {
    template <typename In, typename UniqueOut, typename LengthsOut, typename NumOut, typename N>
    static cudaError_t Encode(void *d_temp_storage, size_t &temp_storage_bytes, In d_in,
                              UniqueOut d_unique_out, LengthsOut d_counts_out,
                              NumOut d_num_runs_out, N num_items, cudaStream_t stream = 0,
                              bool = false)
    {
        typedef typename detail::output_value<LengthsOut, int>::type Length;
        return detail::reduce_by_key<Length>(d_temp_storage, temp_storage_bytes, d_in, d_unique_out,
                                             ConstantInputIterator<Length>(1), d_counts_out,
                                             d_num_runs_out, cub::Sum(), Equality(),
                                             (long long)num_items, stream);
    }
};

} // namespace cub
