/*
 * cub::DeviceMergeSort: stable sorts by any order. Runs of a power of two are merged: each item
 * finds its place by a search in the other run, in shared memory as long as runs fit there.
 */
#pragma once
#include "temporary_storage.cuh"

namespace cub
{

namespace detail
{
/* The place of item `at` among the `n` of which runs of `width` are sorted. */
template <typename K, typename Less>
__WS_DEVICE_MEMBER long long merged_place(const K *keys, long long at, long long n, long long width,
                                          Less &less)
{
    long long start = at / (2 * width) * (2 * width), middle = start + width, end = middle + width;
    if (middle >= n)
        return at;
    bool left = at < middle;
    long long low = left ? middle : start, high = left ? (end < n ? end : n) : middle, first = low;
    while (low < high) {
        long long half = low + (high - low) / 2;
        /* Of equal items, those of the left run are first. */
        if (left ? (bool)less(keys[half], keys[at]) : !less(keys[at], keys[half]))
            low = half + 1;
        else
            high = half;
    }
    return at - (left ? 0 : middle - start) + (low - first);
}

template <typename K, typename V, typename Less>
__global__ void merge_runs(const K *keys, const V *values, K *keys_out, V *values_out, long long n,
                           long long width, Less less)
{
    long long at = (long long)blockIdx.x * blockDim.x + threadIdx.x;
    if (at >= n)
        return;
    long long place = merged_place(keys, at, n, width, less);
    keys_out[place] = keys[at];
    if constexpr (!std::is_same<V, NullType>::value)
        values_out[place] = values[at];
}

template <typename K, typename V> struct merge_tile {
    enum {
        BYTES = sizeof(K) + (std::is_same<V, NullType>::value ? 0 : sizeof(V)),
        SIZE = BYTES <= 40    ? 512
               : BYTES <= 80  ? 256
               : BYTES <= 160 ? 128
               : BYTES <= 640 ? 32
                              : 0
    };
};

/* Runs as long as a block's tile. Input and output may be the same. */
template <typename K, typename V, typename Less>
__global__ void merge_in_tiles(const K *keys, const V *values, K *keys_out, V *values_out,
                               long long n, Less less)
{
    enum { SIZE = merge_tile<K, V>::SIZE, HAS = !std::is_same<V, NullType>::value };
    __shared__ Uninitialized<K> own[2][SIZE];
    __shared__ Uninitialized<V> beside[2][HAS ? SIZE : 1];
    long long first = (long long)blockIdx.x * SIZE;
    int count = n - first < SIZE ? (int)(n - first) : (int)SIZE, from = 0, at = threadIdx.x;
    if (at < count) {
        own[0][at].Alias() = keys[first + at];
        if constexpr (HAS)
            beside[0][at].Alias() = values[first + at];
    }
    for (int width = 1; width < SIZE; width *= 2, from ^= 1) {
        __syncthreads();
        if (at < count) {
            int place = (int)merged_place(&own[from][0].Alias(), at, count, width, less);
            own[from ^ 1][place].Alias() = own[from][at].Alias();
            if constexpr (HAS)
                beside[from ^ 1][place].Alias() = beside[from][at].Alias();
        }
    }
    __syncthreads();
    if (at < count) {
        keys_out[first + at] = own[from][at].Alias();
        if constexpr (HAS)
            values_out[first + at] = beside[from][at].Alias();
    }
}

/* Sorts keys and values in their place; the others are room for as many. */
template <typename K, typename V, typename Less>
cudaError_t merge_sort(K *keys, V *values, K *other_keys, V *other_values, long long n, Less less,
                       cudaStream_t stream)
{
    if (n <= 1)
        return cudaSuccess;
    long long width = 1;
    if constexpr (merge_tile<K, V>::SIZE > 0) {
        enum { SIZE = merge_tile<K, V>::SIZE };
        merge_in_tiles<K, V, Less>
            <<<blocks_for(n, SIZE), SIZE, 0, stream>>>(keys, values, keys, values, n, less);
        width = SIZE;
    }
    K *k[2] = {keys, other_keys};
    V *v[2] = {values, other_values};
    int from = 0;
    for (; width < n; width *= 2, from ^= 1)
        merge_runs<K, V, Less><<<blocks_for(n, 256), 256, 0, stream>>>(
            k[from], v[from], k[from ^ 1], v[from ^ 1], n, width, less);
    if (from == 1) {
        cudaMemcpyAsync(keys, other_keys, n * sizeof(K), cudaMemcpyDeviceToDevice, stream);
        if (!std::is_same<V, NullType>::value)
            cudaMemcpyAsync((void *)values, other_values, n * sizeof(V), cudaMemcpyDeviceToDevice,
                            stream);
    }
    return cudaPeekAtLastError();
}
} // namespace detail

struct DeviceMergeSort {
    template <typename K, typename V, typename N, typename CompareOp>
    static cudaError_t StableSortPairs(void *d_temp_storage, size_t &temp_storage_bytes, K *d_keys,
                                       V *d_items, N num_items, CompareOp compare_op,
                                       cudaStream_t stream = 0, bool = false)
    {
        detail::temporary_storage storage(d_temp_storage);
        K *keys = storage.take<K>(num_items);
        V *values = storage.take<V>(num_items);
        cudaError_t error;
        if (storage.asks(temp_storage_bytes, error))
            return error;
        return detail::merge_sort(d_keys, d_items, keys, values, (long long)num_items, compare_op,
                                  stream);
    }
    template <typename K, typename N, typename CompareOp>
    static cudaError_t StableSortKeys(void *d_temp_storage, size_t &temp_storage_bytes, K *d_keys,
                                      N num_items, CompareOp compare_op, cudaStream_t stream = 0,
                                      bool = false)
    {
        return StableSortPairs(d_temp_storage, temp_storage_bytes, d_keys, (NullType *)NULL,
                               num_items, compare_op, stream);
    }
    template <typename K, typename V, typename N, typename CompareOp>
    static cudaError_t SortPairs(void *d_temp_storage, size_t &temp_storage_bytes, K *d_keys,
                                 V *d_items, N num_items, CompareOp compare_op,
                                 cudaStream_t stream = 0, bool = false)
    {
        return StableSortPairs(d_temp_storage, temp_storage_bytes, d_keys, d_items, num_items,
                               compare_op, stream);
    }
    template <typename K, typename N, typename CompareOp>
    static cudaError_t SortKeys(void *d_temp_storage, size_t &temp_storage_bytes, K *d_keys,
                                N num_items, CompareOp compare_op, cudaStream_t stream = 0,
                                bool = false)
    {
        return StableSortKeys(d_temp_storage, temp_storage_bytes, d_keys, num_items, compare_op,
                              stream);
    }
};

} // namespace cub
