/* cub::DeviceScan: prefix sums and scans of an array. Input and output may be the same. */
#pragma once
#include "../iterator/constant_input_iterator.cuh"
#include "../thread/thread_operators.cuh"
#include "scan_tiles.cuh"

namespace cub
{

struct DeviceScan {
  private:
    template <bool INCLUSIVE, typename T, typename In, typename Out, typename Op>
    static cudaError_t scan(void *d_temp_storage, size_t &temp_storage_bytes, In d_in, Out d_out,
                            Op op, T initial, bool has_initial, long long n, cudaStream_t stream)
    {
        detail::temporary_storage storage(d_temp_storage);
        T *aggregates = detail::take_scan_storage<T>(storage, n);
        cudaError_t error;
        if (storage.asks(temp_storage_bytes, error))
            return error;
        return detail::launch_scan<INCLUSIVE>(aggregates, detail::load_from<T, In>{d_in},
                                              detail::store_to<Out>{d_out}, n, op, initial,
                                              has_initial, stream);
    }
    template <typename In> using value_of = typename detail::value_of<In>::type;
    template <typename Op, typename Init, typename In>
    using sum_of = typename detail::result_of<Op, Init, value_of<In>>::type;

  public:
    template <typename In, typename Out, typename N>
    static cudaError_t InclusiveSum(void *d_temp_storage, size_t &temp_storage_bytes, In d_in,
                                    Out d_out, N num_items, cudaStream_t stream = 0, bool = false)
    {
        return InclusiveScan(d_temp_storage, temp_storage_bytes, d_in, d_out, Sum(), num_items,
                             stream);
    }
    template <typename In, typename Out, typename N>
    static cudaError_t ExclusiveSum(void *d_temp_storage, size_t &temp_storage_bytes, In d_in,
                                    Out d_out, N num_items, cudaStream_t stream = 0, bool = false)
    {
        return ExclusiveScan(d_temp_storage, temp_storage_bytes, d_in, d_out, Sum(), value_of<In>(),
                             num_items, stream);
    }
    template <typename In, typename Out, typename Op, typename N>
    static cudaError_t InclusiveScan(void *d_temp_storage, size_t &temp_storage_bytes, In d_in,
                                     Out d_out, Op scan_op, N num_items, cudaStream_t stream = 0,
                                     bool = false)
    {
        typedef sum_of<Op, value_of<In>, In> T;
        return scan<true>(d_temp_storage, temp_storage_bytes, d_in, d_out, scan_op, T(), false,
                          (long long)num_items, stream);
    }
    template <typename In, typename Out, typename Op, typename Init, typename N>
    static cudaError_t InclusiveScanInit(void *d_temp_storage, size_t &temp_storage_bytes, In d_in,
                                         Out d_out, Op scan_op, Init init_value, N num_items,
                                         cudaStream_t stream = 0)
    {
        typedef sum_of<Op, Init, In> T;
        return scan<true>(d_temp_storage, temp_storage_bytes, d_in, d_out, scan_op, (T)init_value,
                          true, (long long)num_items, stream);
    }
    template <typename In, typename Out, typename Op, typename Init, typename N>
    static cudaError_t ExclusiveScan(void *d_temp_storage, size_t &temp_storage_bytes, In d_in,
                                     Out d_out, Op scan_op, Init init_value, N num_items,
                                     cudaStream_t stream = 0, bool = false)
    {
        typedef sum_of<Op, Init, In> T;
        return scan<false>(d_temp_storage, temp_storage_bytes, d_in, d_out, scan_op, (T)init_value,
                           true, (long long)num_items, stream);
    }

  private:
    /* Pairs of a head flag and a value, scanned by segments. */
    template <typename T, typename Keys, typename Values, typename Equal> struct load_by_key {
        Keys keys;
        Values values;
        Equal equal;
        __WS_DEVICE_MEMBER KeyValuePair<int, T> operator()(long long i)
        {
            return KeyValuePair<int, T>(i == 0 || !equal(keys[i - 1], keys[i]), (T)values[i]);
        }
    };
    /* Exclusive by key: each head begins with the initial value, and takes the item before itself.
     */
    template <typename T, typename Keys, typename Values, typename Equal>
    struct load_exclusive_by_key {
        Keys keys;
        Values values;
        Equal equal;
        T initial;
        __WS_DEVICE_MEMBER KeyValuePair<int, T> operator()(long long i)
        {
            if (i == 0 || !equal(keys[i - 1], keys[i]))
                return KeyValuePair<int, T>(1, initial);
            return KeyValuePair<int, T>(0, (T)values[i - 1]);
        }
    };
    template <typename Out> struct store_value {
        Out output;
        template <typename Pair> __WS_DEVICE_MEMBER void operator()(long long i, const Pair &pair)
        {
            output[i] = pair.value;
        }
    };
    template <typename Pair, typename Load, typename Out, typename Op>
    static cudaError_t scan_pairs(void *d_temp_storage, size_t &temp_storage_bytes, Load load,
                                  Out d_out, Op op, long long n, cudaStream_t stream)
    {
        detail::temporary_storage storage(d_temp_storage);
        Pair *aggregates = detail::take_scan_storage<Pair>(storage, n);
        cudaError_t error;
        if (storage.asks(temp_storage_bytes, error))
            return error;
        return detail::launch_scan<true>(aggregates, load, store_value<Out>{d_out}, n,
                                         ReduceBySegmentOp<Op>(op), Pair(), false, stream);
    }

  public:
    template <typename Keys, typename Values, typename Out, typename Op, typename N,
              typename Equal = Equality>
    static cudaError_t InclusiveScanByKey(void *d_temp_storage, size_t &temp_storage_bytes,
                                          Keys d_keys_in, Values d_values_in, Out d_values_out,
                                          Op scan_op, N num_items, Equal equality_op = Equal(),
                                          cudaStream_t stream = 0)
    {
        typedef sum_of<Op, value_of<Values>, Values> T;
        return scan_pairs<KeyValuePair<int, T>>(
            d_temp_storage, temp_storage_bytes,
            load_by_key<T, Keys, Values, Equal>{d_keys_in, d_values_in, equality_op}, d_values_out,
            scan_op, (long long)num_items, stream);
    }
    /* The values are read while results are written: the output must be another array. */
    template <typename Keys, typename Values, typename Out, typename Op, typename Init, typename N,
              typename Equal = Equality>
    static cudaError_t ExclusiveScanByKey(void *d_temp_storage, size_t &temp_storage_bytes,
                                          Keys d_keys_in, Values d_values_in, Out d_values_out,
                                          Op scan_op, Init init_value, N num_items,
                                          Equal equality_op = Equal(), cudaStream_t stream = 0)
    {
        typedef sum_of<Op, Init, Values> T;
        return scan_pairs<KeyValuePair<int, T>>(
            d_temp_storage, temp_storage_bytes,
            load_exclusive_by_key<T, Keys, Values, Equal>{d_keys_in, d_values_in, equality_op,
                                                          (T)init_value},
            d_values_out, scan_op, (long long)num_items, stream);
    }
    template <typename Keys, typename Values, typename Out, typename N, typename Equal = Equality>
    static cudaError_t InclusiveSumByKey(void *d_temp_storage, size_t &temp_storage_bytes,
                                         Keys d_keys_in, Values d_values_in, Out d_values_out,
                                         N num_items, Equal equality_op = Equal(),
                                         cudaStream_t stream = 0)
    {
        return InclusiveScanByKey(d_temp_storage, temp_storage_bytes, d_keys_in, d_values_in,
                                  d_values_out, Sum(), num_items, equality_op, stream);
    }
    template <typename Keys, typename Values, typename Out, typename N, typename Equal = Equality>
    static cudaError_t ExclusiveSumByKey(void *d_temp_storage, size_t &temp_storage_bytes,
                                         Keys d_keys_in, Values d_values_in, Out d_values_out,
                                         N num_items, Equal equality_op = Equal(),
                                         cudaStream_t stream = 0)
    {
        return ExclusiveScanByKey(d_temp_storage, temp_storage_bytes, d_keys_in, d_values_in,
                                  d_values_out, Sum(), value_of<Values>(), num_items, equality_op,
                                  stream);
    }
};

} // namespace cub
