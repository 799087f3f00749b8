/*
 * The kernels of device-wide radix sorts, a pass for each digit of 8 bits from the lowest: digits
 * are counted in each tile, the counts scanned, digits before tiles, and the items put where they
 * belong. A segment is sorted by one block, which does the same with the tiles of its segment.
 */
#pragma once
#include "scan_tiles.cuh"

namespace cub
{
namespace detail
{

enum {
    RADIX_BITS = 8,
    RADIX_DIGITS = 256,
    RADIX_THREADS = 256,
    RADIX_ITEMS = 8,
    RADIX_TILE = 2048
};

/* One pass: which keys, which bits, and from where to where. */
template <typename K, typename V> struct radix_pass {
    const K *keys_in;
    K *keys_out;
    const V *values_in; /* not used where V is NullType */
    V *values_out;
    int from, bits;
    bool descending;
    __WS_DEVICE_MEMBER unsigned int digit(const K &key) const
    {
        return radix_key<K>::digit(key, descending, from, bits);
    }
};

template <typename K, typename V> struct radix_tile {
    enum { WARPS = RADIX_THREADS / 32, HAS_VALUES = !std::is_same<V, NullType>::value };
    typedef BlockScan<unsigned int, RADIX_THREADS, BLOCK_SCAN_WARP_SCANS> Scan;
    struct Storage {
        unsigned int counts[WARPS][RADIX_DIGITS], start[RADIX_DIGITS];
        long long base[RADIX_DIGITS]; /* where the next item of the digit goes */
        typename Scan::TempStorage scan;
        Uninitialized<K> keys[RADIX_TILE];
    };

    /*
     * Ranks of the items of the tile, which warps hold item by item, 32 places in a row: how many
     * of the own warp's earlier ones have the same digit. Lanes with equal digits find each other.
     */
    __WS_DEVICE_MEMBER static void rank_in_warps(Storage &storage,
                                                 const unsigned int (&digits)[RADIX_ITEMS],
                                                 unsigned int (&ranks)[RADIX_ITEMS])
    {
        unsigned int *counts = storage.counts[threadIdx.x / 32];
        for (int i = threadIdx.x % 32; i < RADIX_DIGITS; i += 32)
            counts[i] = 0;
        __syncwarp();
#pragma unroll
        for (int i = 0; i < RADIX_ITEMS; i++) {
            unsigned int digit = digits[i], before = 0;
            unsigned int same = __match_any_sync(0xffffffffu, digit);
            if (digit < RADIX_DIGITS)
                before = counts[digit];
            __syncwarp();
            if (digit < RADIX_DIGITS && (same & LaneMaskGt()) == 0)
                counts[digit] = before + __popc(same);
            __syncwarp();
            ranks[i] = before + __popc(same & LaneMaskLt());
        }
        __syncthreads();
    }
    /* Counts become the places in the tile where each warp's items of a digit begin. */
    __WS_DEVICE_MEMBER static unsigned int scan_counts(Storage &storage)
    {
        unsigned int digit = threadIdx.x, total = 0, start;
#pragma unroll
        for (int i = 0; i < WARPS; i++) {
            unsigned int count = storage.counts[i][digit];
            storage.counts[i][digit] = total;
            total += count;
        }
        Scan(storage.scan).ExclusiveSum(total, start);
        storage.start[digit] = start;
#pragma unroll
        for (int i = 0; i < WARPS; i++)
            storage.counts[i][digit] += start;
        __syncthreads();
        return total;
    }
    /* Puts the `count` items behind `first` in their places, and moves storage.base on. */
    __WS_DEVICE_MEMBER static void scatter(Storage &storage, const radix_pass<K, V> &pass,
                                           long long first, int count)
    {
        int own = threadIdx.x / 32 * 32 * RADIX_ITEMS + threadIdx.x % 32;
        unsigned int digits[RADIX_ITEMS], ranks[RADIX_ITEMS];
        K keys[RADIX_ITEMS];
#pragma unroll
        for (int i = 0; i < RADIX_ITEMS; i++) {
            int at = own + i * 32;
            keys[i] = pass.keys_in[first + (at < count ? at : count - 1)];
            digits[i] = at < count ? pass.digit(keys[i]) : (unsigned int)RADIX_DIGITS;
        }
        rank_in_warps(storage, digits, ranks);
        unsigned int total = scan_counts(storage);
#pragma unroll
        for (int i = 0; i < RADIX_ITEMS; i++) {
            if (digits[i] >= RADIX_DIGITS)
                continue;
            unsigned int rank = storage.counts[threadIdx.x / 32][digits[i]] + ranks[i];
            storage.keys[rank].Alias() = keys[i];
            if constexpr (HAS_VALUES)
                pass.values_out[storage.base[digits[i]] + rank - storage.start[digits[i]]] =
                    pass.values_in[first + own + i * 32];
        }
        __syncthreads();
        for (int at = threadIdx.x; at < count; at += RADIX_THREADS) {
            K key = storage.keys[at].Alias();
            unsigned int digit = pass.digit(key);
            pass.keys_out[storage.base[digit] + at - storage.start[digit]] = key;
        }
        __syncthreads();
        storage.base[threadIdx.x] += total;
        __syncthreads();
    }
};

/* counts[digit][tile] */
template <typename K, typename V>
__global__ void radix_count(radix_pass<K, V> pass, long long n, int *counts)
{
    __shared__ int own[RADIX_DIGITS];
    long long first = (long long)blockIdx.x * RADIX_TILE;
    own[threadIdx.x] = 0;
    __syncthreads();
#pragma unroll
    for (int i = 0; i < RADIX_ITEMS; i++) {
        long long at = first + threadIdx.x + i * RADIX_THREADS;
        if (at < n)
            atomicAdd(&own[pass.digit(pass.keys_in[at])], 1);
    }
    __syncthreads();
    counts[(long long)threadIdx.x * gridDim.x + blockIdx.x] = own[threadIdx.x];
}

template <typename K, typename V>
__global__ void radix_scatter(radix_pass<K, V> pass, long long n, const int *places)
{
    __shared__ typename radix_tile<K, V>::Storage storage;
    long long first = (long long)blockIdx.x * RADIX_TILE;
    storage.base[threadIdx.x] = places[(long long)threadIdx.x * gridDim.x + blockIdx.x];
    int count = n - first < RADIX_TILE ? (int)(n - first) : (int)RADIX_TILE;
    radix_tile<K, V>::scatter(storage, pass, first, count);
}

/*
 * All passes over a segment by one block. The first goes from the input to keys_out or to the
 * alternate arrays, so that the last ends in keys_out.
 */
template <typename K, typename V> struct radix_arrays {
    const K *keys_in;
    K *keys_out, *keys_alternate;
    const V *values_in;
    V *values_out, *values_alternate;
    int begin_bit, end_bit;
    bool descending;
    __WS_MEMBER int passes() const
    {
        int bits = end_bit - begin_bit;
        return bits <= 0 ? 1 : (bits + RADIX_BITS - 1) / RADIX_BITS; /* without bits: a copy */
    }
    __WS_MEMBER radix_pass<K, V> pass(int i) const
    {
        bool to_out = (passes() - i) % 2 == 1;
        int from = begin_bit + i * RADIX_BITS, bits = end_bit - from;
        radix_pass<K, V> pass;
        pass.keys_in = i == 0 ? keys_in : to_out ? keys_alternate : keys_out;
        pass.keys_out = to_out ? keys_out : keys_alternate;
        pass.values_in = i == 0 ? values_in : to_out ? values_alternate : values_out;
        pass.values_out = to_out ? values_out : values_alternate;
        pass.from = bits <= 0 ? 0 : from;
        pass.bits = bits <= 0 ? 0 : bits < RADIX_BITS ? bits : (int)RADIX_BITS;
        pass.descending = descending;
        return pass;
    }
};

template <typename K, typename V, typename Begin, typename End>
__global__ void radix_sort_segments(radix_arrays<K, V> arrays, Begin begin, End end)
{
    typedef radix_tile<K, V> Tile;
    __shared__ typename Tile::Storage storage;
    __shared__ int counts[RADIX_DIGITS];
    long long first = begin[blockIdx.x], last = end[blockIdx.x];
    for (int i = 0; i < arrays.passes(); i++) {
        radix_pass<K, V> pass = arrays.pass(i);
        int before;
        counts[threadIdx.x] = 0;
        __syncthreads();
        for (long long at = first + threadIdx.x; at < last; at += RADIX_THREADS)
            atomicAdd(&counts[pass.digit(pass.keys_in[at])], 1);
        __syncthreads();
        unsigned int sum;
        typename Tile::Scan(storage.scan).ExclusiveSum((unsigned int)counts[threadIdx.x], sum);
        before = (int)sum;
        storage.base[threadIdx.x] = first + before;
        __syncthreads();
        for (long long at = first; at < last; at += RADIX_TILE)
            Tile::scatter(storage, pass, at,
                          last - at < RADIX_TILE ? (int)(last - at) : (int)RADIX_TILE);
    }
}

/* The whole array is one segment. */
struct whole_segment {
    long long at;
    __WS_MEMBER long long operator[](int) const
    {
        return at;
    }
};

template <typename K, typename V>
cudaError_t radix_sort(const radix_arrays<K, V> &arrays, long long n, int *counts, int *aggregates,
                       cudaStream_t stream)
{
    if (n <= 0)
        return cudaSuccess;
    if (n <= 2 * RADIX_TILE) {
        radix_sort_segments<K, V, whole_segment, whole_segment>
            <<<1, RADIX_THREADS, 0, stream>>>(arrays, whole_segment{0}, whole_segment{n});
        return cudaPeekAtLastError();
    }
    unsigned int tiles = blocks_for(n, RADIX_TILE);
    for (int i = 0; i < arrays.passes(); i++) {
        radix_pass<K, V> pass = arrays.pass(i);
        radix_count<K, V><<<tiles, RADIX_THREADS, 0, stream>>>(pass, n, counts);
        cudaError_t error =
            launch_scan<false>(aggregates, load_from<int, int *>{counts}, store_to<int *>{counts},
                               (long long)tiles * RADIX_DIGITS, Sum(), 0, true, stream);
        if (error != cudaSuccess)
            return error;
        radix_scatter<K, V><<<tiles, RADIX_THREADS, 0, stream>>>(pass, n, counts);
    }
    return cudaPeekAtLastError();
}

} // namespace detail
} // namespace cub
