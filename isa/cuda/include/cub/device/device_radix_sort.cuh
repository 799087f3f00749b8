/*
 * cub::DeviceRadixSort and cub::DeviceSegmentedRadixSort: stable sorts by the bits of the keys. All
 * functions come in two forms: from one array to another, and with cub::DoubleBuffer.
 */
#pragma once
#include "radix_tiles.cuh"

namespace cub
{

namespace detail
{
/* Room for n items to change places in, where the caller gives none. */
template <typename K, typename V> struct radix_storage {
    temporary_storage storage;
    K *keys;
    V *values;
    int *counts, *aggregates;
    radix_storage(void *d_temp_storage, long long n, bool has_alternate, bool segmented)
        : storage(d_temp_storage), keys(NULL), values(NULL), counts(NULL), aggregates(NULL)
    {
        if (!has_alternate) {
            keys = storage.take<K>(n);
            if (!std::is_same<V, NullType>::value)
                values = storage.take<V>(n);
        }
        if (!segmented) {
            long long all = (long long)blocks_for(n, RADIX_TILE) * RADIX_DIGITS;
            counts = storage.take<int>(all);
            aggregates = take_scan_storage<int>(storage, all);
        }
    }
};

/* Without segments, `begin` is a whole_segment. */
template <typename K, typename V, typename Begin, typename End>
cudaError_t launch_radix_sort(const radix_arrays<K, V> &arrays, const radix_storage<K, V> &storage,
                              long long n, int segments, Begin begin, End end, cudaStream_t stream)
{
    if constexpr (std::is_same<Begin, whole_segment>::value) {
        return radix_sort(arrays, n, storage.counts, storage.aggregates, stream);
    } else {
        if (segments <= 0)
            return cudaSuccess;
        radix_sort_segments<K, V, Begin, End>
            <<<segments, RADIX_THREADS, 0, stream>>>(arrays, begin, end);
        return cudaPeekAtLastError();
    }
}

template <typename K, typename V, typename Begin, typename End>
cudaError_t radix_sort_arrays(void *d_temp_storage, size_t &temp_storage_bytes, const K *keys_in,
                              K *keys_out, const V *values_in, V *values_out, long long n,
                              int segments, Begin begin, End end, bool descending, int begin_bit,
                              int end_bit, cudaStream_t stream)
{
    radix_storage<K, V> storage(d_temp_storage, n, false,
                                !std::is_same<Begin, whole_segment>::value);
    cudaError_t error;
    if (storage.storage.asks(temp_storage_bytes, error))
        return error;
    radix_arrays<K, V> arrays = {keys_in,        keys_out,  storage.keys, values_in, values_out,
                                 storage.values, begin_bit, end_bit,      descending};
    return launch_radix_sort(arrays, storage, n, segments, begin, end, stream);
}

/* The sorted items are then in Current(). */
template <typename K, typename V, typename Begin, typename End>
cudaError_t radix_sort_buffers(void *d_temp_storage, size_t &temp_storage_bytes,
                               DoubleBuffer<K> &keys, DoubleBuffer<V> &values, long long n,
                               int segments, Begin begin, End end, bool descending, int begin_bit,
                               int end_bit, cudaStream_t stream)
{
    radix_storage<K, V> storage(d_temp_storage, n, true,
                                !std::is_same<Begin, whole_segment>::value);
    cudaError_t error;
    if (storage.storage.asks(temp_storage_bytes, error))
        return error;
    radix_arrays<K, V> arrays = {
        keys.Current(),   keys.Alternate(), keys.Current(), values.Current(), values.Alternate(),
        values.Current(), begin_bit,        end_bit,        descending};
    if (end_bit <= begin_bit)
        return cudaSuccess;
    if (arrays.passes() % 2 == 0) {
        arrays.keys_out = keys.Current();
        arrays.keys_alternate = keys.Alternate();
        arrays.values_out = values.Current();
        arrays.values_alternate = values.Alternate();
    } else {
        keys.selector ^= 1;
        values.selector ^= 1;
    }
    return launch_radix_sort(arrays, storage, n, segments, begin, end, stream);
}
} // namespace detail

struct DeviceRadixSort {
    template <typename K, typename N>
    static cudaError_t SortKeys(void *d_temp_storage, size_t &temp_storage_bytes,
                                const K *d_keys_in, K *d_keys_out, N num_items, int begin_bit = 0,
                                int end_bit = sizeof(K) * 8, cudaStream_t stream = 0, bool = false)
    {
        return detail::radix_sort_arrays(
            d_temp_storage, temp_storage_bytes, d_keys_in, d_keys_out, (const NullType *)NULL,
            (NullType *)NULL, (long long)num_items, 0, detail::whole_segment{0},
            detail::whole_segment{0}, false, begin_bit, end_bit, stream);
    }
    template <typename K, typename N>
    static cudaError_t SortKeys(void *d_temp_storage, size_t &temp_storage_bytes,
                                DoubleBuffer<K> &d_keys, N num_items, int begin_bit = 0,
                                int end_bit = sizeof(K) * 8, cudaStream_t stream = 0, bool = false)
    {
        DoubleBuffer<NullType> d_values;
        return detail::radix_sort_buffers(
            d_temp_storage, temp_storage_bytes, d_keys, d_values, (long long)num_items, 0,
            detail::whole_segment{0}, detail::whole_segment{0}, false, begin_bit, end_bit, stream);
    }
    template <typename K, typename N>
    static cudaError_t SortKeysDescending(void *d_temp_storage, size_t &temp_storage_bytes,
                                          const K *d_keys_in, K *d_keys_out, N num_items,
                                          int begin_bit = 0, int end_bit = sizeof(K) * 8,
                                          cudaStream_t stream = 0, bool = false)
    {
        return detail::radix_sort_arrays(
            d_temp_storage, temp_storage_bytes, d_keys_in, d_keys_out, (const NullType *)NULL,
            (NullType *)NULL, (long long)num_items, 0, detail::whole_segment{0},
            detail::whole_segment{0}, true, begin_bit, end_bit, stream);
    }
    template <typename K, typename N>
    static cudaError_t SortKeysDescending(void *d_temp_storage, size_t &temp_storage_bytes,
                                          DoubleBuffer<K> &d_keys, N num_items, int begin_bit = 0,
                                          int end_bit = sizeof(K) * 8, cudaStream_t stream = 0,
                                          bool = false)
    {
        DoubleBuffer<NullType> d_values;
        return detail::radix_sort_buffers(
            d_temp_storage, temp_storage_bytes, d_keys, d_values, (long long)num_items, 0,
            detail::whole_segment{0}, detail::whole_segment{0}, true, begin_bit, end_bit, stream);
    }
    template <typename K, typename V, typename N>
    static cudaError_t SortPairs(void *d_temp_storage, size_t &temp_storage_bytes,
                                 const K *d_keys_in, K *d_keys_out, const V *d_values_in,
                                 V *d_values_out, N num_items, int begin_bit = 0,
                                 int end_bit = sizeof(K) * 8, cudaStream_t stream = 0, bool = false)
    {
        return detail::radix_sort_arrays(d_temp_storage, temp_storage_bytes, d_keys_in, d_keys_out,
                                         d_values_in, d_values_out, (long long)num_items, 0,
                                         detail::whole_segment{0}, detail::whole_segment{0}, false,
                                         begin_bit, end_bit, stream);
    }
    template <typename K, typename V, typename N>
    static cudaError_t SortPairs(void *d_temp_storage, size_t &temp_storage_bytes,
                                 DoubleBuffer<K> &d_keys, DoubleBuffer<V> &d_values, N num_items,
                                 int begin_bit = 0, int end_bit = sizeof(K) * 8,
                                 cudaStream_t stream = 0, bool = false)
    {
        return detail::radix_sort_buffers(
            d_temp_storage, temp_storage_bytes, d_keys, d_values, (long long)num_items, 0,
            detail::whole_segment{0}, detail::whole_segment{0}, false, begin_bit, end_bit, stream);
    }
    template <typename K, typename V, typename N>
    static cudaError_t SortPairsDescending(void *d_temp_storage, size_t &temp_storage_bytes,
                                           const K *d_keys_in, K *d_keys_out, const V *d_values_in,
                                           V *d_values_out, N num_items, int begin_bit = 0,
                                           int end_bit = sizeof(K) * 8, cudaStream_t stream = 0,
                                           bool = false)
    {
        return detail::radix_sort_arrays(d_temp_storage, temp_storage_bytes, d_keys_in, d_keys_out,
                                         d_values_in, d_values_out, (long long)num_items, 0,
                                         detail::whole_segment{0}, detail::whole_segment{0}, true,
                                         begin_bit, end_bit, stream);
    }
    template <typename K, typename V, typename N>
    static cudaError_t
    SortPairsDescending(void *d_temp_storage, size_t &temp_storage_bytes, DoubleBuffer<K> &d_keys,
                        DoubleBuffer<V> &d_values, N num_items, int begin_bit = 0,
                        int end_bit = sizeof(K) * 8, cudaStream_t stream = 0, bool = false)
    {
        return detail::radix_sort_buffers(
            d_temp_storage, temp_storage_bytes, d_keys, d_values, (long long)num_items, 0,
            detail::whole_segment{0}, detail::whole_segment{0}, true, begin_bit, end_bit, stream);
    }
};

struct DeviceSegmentedRadixSort {
    template <typename K, typename N, typename Begin, typename End>
    static cudaError_t SortKeys(void *d_temp_storage, size_t &temp_storage_bytes,
                                const K *d_keys_in, K *d_keys_out, N num_items, int num_segments,
                                Begin d_begin_offsets, End d_end_offsets, int begin_bit = 0,
                                int end_bit = sizeof(K) * 8, cudaStream_t stream = 0, bool = false)
    {
        return detail::radix_sort_arrays(d_temp_storage, temp_storage_bytes, d_keys_in, d_keys_out,
                                         (const NullType *)NULL, (NullType *)NULL,
                                         (long long)num_items, num_segments, d_begin_offsets,
                                         d_end_offsets, false, begin_bit, end_bit, stream);
    }
    template <typename K, typename N, typename Begin, typename End>
    static cudaError_t SortKeys(void *d_temp_storage, size_t &temp_storage_bytes,
                                DoubleBuffer<K> &d_keys, N num_items, int num_segments,
                                Begin d_begin_offsets, End d_end_offsets, int begin_bit = 0,
                                int end_bit = sizeof(K) * 8, cudaStream_t stream = 0, bool = false)
    {
        DoubleBuffer<NullType> d_values;
        return detail::radix_sort_buffers(d_temp_storage, temp_storage_bytes, d_keys, d_values,
                                          (long long)num_items, num_segments, d_begin_offsets,
                                          d_end_offsets, false, begin_bit, end_bit, stream);
    }
    template <typename K, typename N, typename Begin, typename End>
    static cudaError_t
    SortKeysDescending(void *d_temp_storage, size_t &temp_storage_bytes, const K *d_keys_in,
                       K *d_keys_out, N num_items, int num_segments, Begin d_begin_offsets,
                       End d_end_offsets, int begin_bit = 0, int end_bit = sizeof(K) * 8,
                       cudaStream_t stream = 0, bool = false)
    {
        return detail::radix_sort_arrays(d_temp_storage, temp_storage_bytes, d_keys_in, d_keys_out,
                                         (const NullType *)NULL, (NullType *)NULL,
                                         (long long)num_items, num_segments, d_begin_offsets,
                                         d_end_offsets, true, begin_bit, end_bit, stream);
    }
    template <typename K, typename N, typename Begin, typename End>
    static cudaError_t SortKeysDescending(void *d_temp_storage, size_t &temp_storage_bytes,
                                          DoubleBuffer<K> &d_keys, N num_items, int num_segments,
                                          Begin d_begin_offsets, End d_end_offsets,
                                          int begin_bit = 0, int end_bit = sizeof(K) * 8,
                                          cudaStream_t stream = 0, bool = false)
    {
        DoubleBuffer<NullType> d_values;
        return detail::radix_sort_buffers(d_temp_storage, temp_storage_bytes, d_keys, d_values,
                                          (long long)num_items, num_segments, d_begin_offsets,
                                          d_end_offsets, true, begin_bit, end_bit, stream);
    }
    template <typename K, typename V, typename N, typename Begin, typename End>
    static cudaError_t SortPairs(void *d_temp_storage, size_t &temp_storage_bytes,
                                 const K *d_keys_in, K *d_keys_out, const V *d_values_in,
                                 V *d_values_out, N num_items, int num_segments,
                                 Begin d_begin_offsets, End d_end_offsets, int begin_bit = 0,
                                 int end_bit = sizeof(K) * 8, cudaStream_t stream = 0, bool = false)
    {
        return detail::radix_sort_arrays(d_temp_storage, temp_storage_bytes, d_keys_in, d_keys_out,
                                         d_values_in, d_values_out, (long long)num_items,
                                         num_segments, d_begin_offsets, d_end_offsets, false,
                                         begin_bit, end_bit, stream);
    }
    template <typename K, typename V, typename N, typename Begin, typename End>
    static cudaError_t SortPairs(void *d_temp_storage, size_t &temp_storage_bytes,
                                 DoubleBuffer<K> &d_keys, DoubleBuffer<V> &d_values, N num_items,
                                 int num_segments, Begin d_begin_offsets, End d_end_offsets,
                                 int begin_bit = 0, int end_bit = sizeof(K) * 8,
                                 cudaStream_t stream = 0, bool = false)
    {
        return detail::radix_sort_buffers(d_temp_storage, temp_storage_bytes, d_keys, d_values,
                                          (long long)num_items, num_segments, d_begin_offsets,
                                          d_end_offsets, false, begin_bit, end_bit, stream);
    }
    template <typename K, typename V, typename N, typename Begin, typename End>
    static cudaError_t SortPairsDescending(void *d_temp_storage, size_t &temp_storage_bytes,
                                           const K *d_keys_in, K *d_keys_out, const V *d_values_in,
                                           V *d_values_out, N num_items, int num_segments,
                                           Begin d_begin_offsets, End d_end_offsets,
                                           int begin_bit = 0, int end_bit = sizeof(K) * 8,
                                           cudaStream_t stream = 0, bool = false)
    {
        return detail::radix_sort_arrays(d_temp_storage, temp_storage_bytes, d_keys_in, d_keys_out,
                                         d_values_in, d_values_out, (long long)num_items,
                                         num_segments, d_begin_offsets, d_end_offsets, true,
                                         begin_bit, end_bit, stream);
    }
    template <typename K, typename V, typename N, typename Begin, typename End>
    static cudaError_t
    SortPairsDescending(void *d_temp_storage, size_t &temp_storage_bytes, DoubleBuffer<K> &d_keys,
                        DoubleBuffer<V> &d_values, N num_items, int num_segments,
                        Begin d_begin_offsets, End d_end_offsets, int begin_bit = 0,
                        int end_bit = sizeof(K) * 8, cudaStream_t stream = 0, bool = false)
    {
        return detail::radix_sort_buffers(d_temp_storage, temp_storage_bytes, d_keys, d_values,
                                          (long long)num_items, num_segments, d_begin_offsets,
                                          d_end_offsets, true, begin_bit, end_bit, stream);
    }
};

/* All bits of the keys. */
struct DeviceSegmentedSort {
    template <typename K, typename N, typename Begin, typename End>
    static cudaError_t SortKeys(void *d_temp_storage, size_t &temp_storage_bytes,
                                const K *d_keys_in, K *d_keys_out, N num_items, int num_segments,
                                Begin d_begin_offsets, End d_end_offsets, cudaStream_t stream = 0,
                                bool = false)
    {
        return detail::radix_sort_arrays(d_temp_storage, temp_storage_bytes, d_keys_in, d_keys_out,
                                         (const NullType *)NULL, (NullType *)NULL,
                                         (long long)num_items, num_segments, d_begin_offsets,
                                         d_end_offsets, false, 0, (int)sizeof(K) * 8, stream);
    }
    template <typename K, typename N, typename Begin, typename End>
    static cudaError_t SortKeys(void *d_temp_storage, size_t &temp_storage_bytes,
                                DoubleBuffer<K> &d_keys, N num_items, int num_segments,
                                Begin d_begin_offsets, End d_end_offsets, cudaStream_t stream = 0,
                                bool = false)
    {
        DoubleBuffer<NullType> d_values;
        return detail::radix_sort_buffers(d_temp_storage, temp_storage_bytes, d_keys, d_values,
                                          (long long)num_items, num_segments, d_begin_offsets,
                                          d_end_offsets, false, 0, (int)sizeof(K) * 8, stream);
    }
    template <typename K, typename N, typename Begin, typename End>
    static cudaError_t SortKeysDescending(void *d_temp_storage, size_t &temp_storage_bytes,
                                          const K *d_keys_in, K *d_keys_out, N num_items,
                                          int num_segments, Begin d_begin_offsets,
                                          End d_end_offsets, cudaStream_t stream = 0, bool = false)
    {
        return detail::radix_sort_arrays(d_temp_storage, temp_storage_bytes, d_keys_in, d_keys_out,
                                         (const NullType *)NULL, (NullType *)NULL,
                                         (long long)num_items, num_segments, d_begin_offsets,
                                         d_end_offsets, true, 0, (int)sizeof(K) * 8, stream);
    }
    template <typename K, typename N, typename Begin, typename End>
    static cudaError_t SortKeysDescending(void *d_temp_storage, size_t &temp_storage_bytes,
                                          DoubleBuffer<K> &d_keys, N num_items, int num_segments,
                                          Begin d_begin_offsets, End d_end_offsets,
                                          cudaStream_t stream = 0, bool = false)
    {
        DoubleBuffer<NullType> d_values;
        return detail::radix_sort_buffers(d_temp_storage, temp_storage_bytes, d_keys, d_values,
                                          (long long)num_items, num_segments, d_begin_offsets,
                                          d_end_offsets, true, 0, (int)sizeof(K) * 8, stream);
    }
    template <typename K, typename V, typename N, typename Begin, typename End>
    static cudaError_t
    SortPairs(void *d_temp_storage, size_t &temp_storage_bytes, const K *d_keys_in, K *d_keys_out,
              const V *d_values_in, V *d_values_out, N num_items, int num_segments,
              Begin d_begin_offsets, End d_end_offsets, cudaStream_t stream = 0, bool = false)
    {
        return detail::radix_sort_arrays(d_temp_storage, temp_storage_bytes, d_keys_in, d_keys_out,
                                         d_values_in, d_values_out, (long long)num_items,
                                         num_segments, d_begin_offsets, d_end_offsets, false, 0,
                                         (int)sizeof(K) * 8, stream);
    }
    template <typename K, typename V, typename N, typename Begin, typename End>
    static cudaError_t SortPairs(void *d_temp_storage, size_t &temp_storage_bytes,
                                 DoubleBuffer<K> &d_keys, DoubleBuffer<V> &d_values, N num_items,
                                 int num_segments, Begin d_begin_offsets, End d_end_offsets,
                                 cudaStream_t stream = 0, bool = false)
    {
        return detail::radix_sort_buffers(d_temp_storage, temp_storage_bytes, d_keys, d_values,
                                          (long long)num_items, num_segments, d_begin_offsets,
                                          d_end_offsets, false, 0, (int)sizeof(K) * 8, stream);
    }
    template <typename K, typename V, typename N, typename Begin, typename End>
    static cudaError_t SortPairsDescending(void *d_temp_storage, size_t &temp_storage_bytes,
                                           const K *d_keys_in, K *d_keys_out, const V *d_values_in,
                                           V *d_values_out, N num_items, int num_segments,
                                           Begin d_begin_offsets, End d_end_offsets,
                                           cudaStream_t stream = 0, bool = false)
    {
        return detail::radix_sort_arrays(d_temp_storage, temp_storage_bytes, d_keys_in, d_keys_out,
                                         d_values_in, d_values_out, (long long)num_items,
                                         num_segments, d_begin_offsets, d_end_offsets, true, 0,
                                         (int)sizeof(K) * 8, stream);
    }
    template <typename K, typename V, typename N, typename Begin, typename End>
    static cudaError_t SortPairsDescending(void *d_temp_storage, size_t &temp_storage_bytes,
                                           DoubleBuffer<K> &d_keys, DoubleBuffer<V> &d_values,
                                           N num_items, int num_segments, Begin d_begin_offsets,
                                           End d_end_offsets, cudaStream_t stream = 0, bool = false)
    {
        return detail::radix_sort_buffers(d_temp_storage, temp_storage_bytes, d_keys, d_values,
                                          (long long)num_items, num_segments, d_begin_offsets,
                                          d_end_offsets, true, 0, (int)sizeof(K) * 8, stream);
    }
    template <typename K, typename N, typename Begin, typename End>
    static cudaError_t StableSortKeys(void *d_temp_storage, size_t &temp_storage_bytes,
                                      const K *d_keys_in, K *d_keys_out, N num_items,
                                      int num_segments, Begin d_begin_offsets, End d_end_offsets,
                                      cudaStream_t stream = 0, bool = false)
    {
        return detail::radix_sort_arrays(d_temp_storage, temp_storage_bytes, d_keys_in, d_keys_out,
                                         (const NullType *)NULL, (NullType *)NULL,
                                         (long long)num_items, num_segments, d_begin_offsets,
                                         d_end_offsets, false, 0, (int)sizeof(K) * 8, stream);
    }
    template <typename K, typename N, typename Begin, typename End>
    static cudaError_t StableSortKeys(void *d_temp_storage, size_t &temp_storage_bytes,
                                      DoubleBuffer<K> &d_keys, N num_items, int num_segments,
                                      Begin d_begin_offsets, End d_end_offsets,
                                      cudaStream_t stream = 0, bool = false)
    {
        DoubleBuffer<NullType> d_values;
        return detail::radix_sort_buffers(d_temp_storage, temp_storage_bytes, d_keys, d_values,
                                          (long long)num_items, num_segments, d_begin_offsets,
                                          d_end_offsets, false, 0, (int)sizeof(K) * 8, stream);
    }
    template <typename K, typename N, typename Begin, typename End>
    static cudaError_t
    StableSortKeysDescending(void *d_temp_storage, size_t &temp_storage_bytes, const K *d_keys_in,
                             K *d_keys_out, N num_items, int num_segments, Begin d_begin_offsets,
                             End d_end_offsets, cudaStream_t stream = 0, bool = false)
    {
        return detail::radix_sort_arrays(d_temp_storage, temp_storage_bytes, d_keys_in, d_keys_out,
                                         (const NullType *)NULL, (NullType *)NULL,
                                         (long long)num_items, num_segments, d_begin_offsets,
                                         d_end_offsets, true, 0, (int)sizeof(K) * 8, stream);
    }
    template <typename K, typename N, typename Begin, typename End>
    static cudaError_t StableSortKeysDescending(void *d_temp_storage, size_t &temp_storage_bytes,
                                                DoubleBuffer<K> &d_keys, N num_items,
                                                int num_segments, Begin d_begin_offsets,
                                                End d_end_offsets, cudaStream_t stream = 0,
                                                bool = false)
    {
        DoubleBuffer<NullType> d_values;
        return detail::radix_sort_buffers(d_temp_storage, temp_storage_bytes, d_keys, d_values,
                                          (long long)num_items, num_segments, d_begin_offsets,
                                          d_end_offsets, true, 0, (int)sizeof(K) * 8, stream);
    }
    template <typename K, typename V, typename N, typename Begin, typename End>
    static cudaError_t StableSortPairs(void *d_temp_storage, size_t &temp_storage_bytes,
                                       const K *d_keys_in, K *d_keys_out, const V *d_values_in,
                                       V *d_values_out, N num_items, int num_segments,
                                       Begin d_begin_offsets, End d_end_offsets,
                                       cudaStream_t stream = 0, bool = false)
    {
        return detail::radix_sort_arrays(d_temp_storage, temp_storage_bytes, d_keys_in, d_keys_out,
                                         d_values_in, d_values_out, (long long)num_items,
                                         num_segments, d_begin_offsets, d_end_offsets, false, 0,
                                         (int)sizeof(K) * 8, stream);
    }
    template <typename K, typename V, typename N, typename Begin, typename End>
    static cudaError_t StableSortPairs(void *d_temp_storage, size_t &temp_storage_bytes,
                                       DoubleBuffer<K> &d_keys, DoubleBuffer<V> &d_values,
                                       N num_items, int num_segments, Begin d_begin_offsets,
                                       End d_end_offsets, cudaStream_t stream = 0, bool = false)
    {
        return detail::radix_sort_buffers(d_temp_storage, temp_storage_bytes, d_keys, d_values,
                                          (long long)num_items, num_segments, d_begin_offsets,
                                          d_end_offsets, false, 0, (int)sizeof(K) * 8, stream);
    }
    template <typename K, typename V, typename N, typename Begin, typename End>
    static cudaError_t
    StableSortPairsDescending(void *d_temp_storage, size_t &temp_storage_bytes, const K *d_keys_in,
                              K *d_keys_out, const V *d_values_in, V *d_values_out, N num_items,
                              int num_segments, Begin d_begin_offsets, End d_end_offsets,
                              cudaStream_t stream = 0, bool = false)
    {
        return detail::radix_sort_arrays(d_temp_storage, temp_storage_bytes, d_keys_in, d_keys_out,
                                         d_values_in, d_values_out, (long long)num_items,
                                         num_segments, d_begin_offsets, d_end_offsets, true, 0,
                                         (int)sizeof(K) * 8, stream);
    }
    template <typename K, typename V, typename N, typename Begin, typename End>
    static cudaError_t StableSortPairsDescending(void *d_temp_storage, size_t &temp_storage_bytes,
                                                 DoubleBuffer<K> &d_keys, DoubleBuffer<V> &d_values,
                                                 N num_items, int num_segments,
                                                 Begin d_begin_offsets, End d_end_offsets,
                                                 cudaStream_t stream = 0, bool = false)
    {
        return detail::radix_sort_buffers(d_temp_storage, temp_storage_bytes, d_keys, d_values,
                                          (long long)num_items, num_segments, d_begin_offsets,
                                          d_end_offsets, true, 0, (int)sizeof(K) * 8, stream);
    }
};

} // namespace cub
