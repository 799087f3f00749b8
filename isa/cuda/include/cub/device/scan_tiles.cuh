/*
 * The engine of device-wide scans, selections and reductions by key: what load(i) gives is scanned,
 * and store(i, value) gets each result. Three kernels: the aggregates of the tiles, their scan by
 * one block, and the tiles again with what is before each.
 */
#pragma once
#include "../block/block_exchange.cuh"
#include "../block/block_reduce.cuh"
#include "../block/block_scan.cuh"
#include "temporary_storage.cuh"

namespace cub
{
namespace detail
{

template <typename T> struct scan_tile {
    enum {
        THREADS = sizeof(T) > 64 ? 64 : 256,
        ITEMS = sizeof(T) <= 8    ? 4
                : sizeof(T) <= 16 ? 2
                                  : 1,
        SIZE = THREADS * ITEMS
    };
    typedef BlockExchange<T, THREADS, ITEMS> Exchange;
    typedef BlockScan<T, THREADS, BLOCK_SCAN_WARP_SCANS> Scan;
    typedef BlockReduce<T, THREADS> Reduce;
    union Storage {
        typename Exchange::TempStorage exchange;
        typename Scan::TempStorage scan;
        typename Reduce::TempStorage reduce;
    };
    /* The items of the tile in blocked arrangement; behind the end, the last one again. */
    template <typename Load>
    __WS_DEVICE_MEMBER static void load_blocked(Storage &storage, Load &load, long long first,
                                                long long n, T (&items)[ITEMS])
    {
        long long at = first + threadIdx.x;
#pragma unroll
        for (int i = 0; i < ITEMS; i++, at += THREADS)
            items[i] = load(at < n ? at : n - 1);
        if (ITEMS > 1) {
            Exchange(storage.exchange).StripedToBlocked(items);
            __syncthreads();
        }
    }
};

template <typename T, typename Load, typename Op>
__global__ void scan_aggregates_of_tiles(Load load, long long n, Op op, T *aggregates)
{
    typedef scan_tile<T> Tile;
    __shared__ typename Tile::Storage storage;
    T items[Tile::ITEMS];
    long long first = (long long)blockIdx.x * Tile::SIZE;
    Tile::load_blocked(storage, load, first, n, items);
    /* The last tile's is not needed: the others are full. */
    T aggregate = typename Tile::Reduce(storage.reduce).Reduce(items, op);
    if (threadIdx.x == 0)
        aggregates[blockIdx.x] = aggregate;
}

/* One block: each aggregate becomes what is before its tile. */
template <typename T, typename Op>
__global__ void scan_prefixes_of_tiles(T *aggregates, int tiles, Op op, T initial, bool has_initial)
{
    typedef BlockScan<T, 256, BLOCK_SCAN_WARP_SCANS> Scan;
    __shared__ typename Scan::TempStorage storage;
    T running = initial;
    for (int first = 0; first < tiles; first += 256) {
        int at = first + threadIdx.x;
        T own = aggregates[at < tiles ? at : tiles - 1], before = own, all = own;
        Scan(storage).ExclusiveScan(own, before, op, all);
        if (has_initial)
            before = threadIdx.x == 0 ? running : (T)op(running, before);
        __syncthreads();
        if (at < tiles)
            aggregates[at] = before;
        running = has_initial ? (T)op(running, all) : all;
        has_initial = true;
    }
}

/* `prefixes` is NULL for a single tile. Without an initial value, the first tile has no prefix. */
template <typename T, bool INCLUSIVE, typename Load, typename Op, typename Store>
__global__ void scan_tiles(Load load, Store store, long long n, Op op, T initial, bool has_initial,
                           const T *prefixes)
{
    typedef scan_tile<T> Tile;
    __shared__ typename Tile::Storage storage;
    T items[Tile::ITEMS];
    long long first = (long long)blockIdx.x * Tile::SIZE;
    Tile::load_blocked(storage, load, first, n, items);
    T prefix = prefixes == NULL ? initial : prefixes[blockIdx.x];
    bool has = has_initial || blockIdx.x != 0;
    T before = items[0], all = items[0];
    typename Tile::Scan(storage.scan).ExclusiveScan((T)ThreadReduce(items, op), before, op, all);
    if (has)
        before = threadIdx.x == 0 ? prefix : (T)op(prefix, before);
    has = has || threadIdx.x != 0;
    if (INCLUSIVE)
        ThreadScanInclusive(items, items, op, before, has);
    else
        ThreadScanExclusive(items, items, op, before, has);
    if (Tile::ITEMS > 1) {
        __syncthreads();
        typename Tile::Exchange(storage.exchange).BlockedToStriped(items);
    }
#pragma unroll
    for (int i = 0; i < Tile::ITEMS; i++) {
        long long at = first + threadIdx.x + i * Tile::THREADS;
        if (at < n)
            store(at, items[i]);
    }
}

template <typename T> T *take_scan_storage(temporary_storage &storage, long long n)
{
    return storage.take<T>(blocks_for(n, scan_tile<T>::SIZE));
}

template <bool INCLUSIVE, typename T, typename Load, typename Op, typename Store>
cudaError_t launch_scan(T *aggregates, Load load, Store store, long long n, Op op, T initial,
                        bool has_initial, cudaStream_t stream)
{
    typedef scan_tile<T> Tile;
    if (n <= 0)
        return cudaSuccess;
    unsigned int tiles = blocks_for(n, Tile::SIZE);
    if (tiles > 1) {
        scan_aggregates_of_tiles<T, Load, Op>
            <<<tiles, Tile::THREADS, 0, stream>>>(load, n, op, aggregates);
        scan_prefixes_of_tiles<T, Op>
            <<<1, 256, 0, stream>>>(aggregates, (int)tiles, op, initial, has_initial);
    }
    scan_tiles<T, INCLUSIVE, Load, Op, Store><<<tiles, Tile::THREADS, 0, stream>>>(
        load, store, n, op, initial, has_initial, tiles > 1 ? aggregates : (T *)NULL);
    return cudaPeekAtLastError();
}

/* Loads and stores of plain scans. */
template <typename T, typename It> struct load_from {
    It input;
    __WS_DEVICE_MEMBER T operator()(long long i) const
    {
        return (T)input[i];
    }
};
template <typename It> struct store_to {
    It output;
    template <typename T> __WS_DEVICE_MEMBER void operator()(long long i, const T &value)
    {
        output[i] = value;
    }
};

} // namespace detail
} // namespace cub
