/* cub::BlockScan: prefixes over the threads of a block. */
#pragma once
#include "../warp/warp_scan.cuh"

namespace cub
{

enum BlockScanAlgorithm { BLOCK_SCAN_RAKING, BLOCK_SCAN_RAKING_MEMOIZE, BLOCK_SCAN_WARP_SCANS };

namespace detail
{
/*
 * Both give a thread what is before it (not defined for thread 0) and the aggregate of the block.
 * Each warp scans by shuffles, and then applies what the warps before it have.
 */
template <typename T, int THREADS> struct scan_by_warps {
    enum { WIDTH = THREADS < 32 ? THREADS : 32, WARPS = (THREADS + 31) / 32 };
    struct Storage {
        Uninitialized<T> warps[WARPS];
    };
    template <typename Op>
    __WS_DEVICE_MEMBER static void exclusive(Storage &storage, int rank, T input, T &before, Op op,
                                             T &aggregate)
    {
        NullType none;
        T inclusive = input;
        WarpScan<T, WIDTH>(none).Scan(input, inclusive, before, op);
        if (WARPS == 1) {
            aggregate = shuffle_index<32>(inclusive, THREADS - 1, logical_warp_mask<WIDTH>());
            return;
        }
        if (rank % 32 == 31 || rank == THREADS - 1)
            storage.warps[rank / 32].Alias() = inclusive;
        __syncthreads();
        aggregate = storage.warps[0].Alias();
        T prefix = aggregate;
#pragma unroll
        for (int i = 1; i < WARPS; i++) {
            if (rank / 32 == i)
                prefix = aggregate;
            aggregate = op(aggregate, storage.warps[i].Alias());
        }
        if (rank >= 32)
            before = rank % 32 == 0 ? prefix : (T)op(prefix, before);
    }
};

/* Threads leave their values in shared memory; one warp rakes over them, a segment for a lane. */
template <typename T, int THREADS> struct scan_by_raking {
    enum {
        SEGMENT = (THREADS + 31) / 32,
        RAKING = (THREADS + SEGMENT - 1) / SEGMENT,
        PITCH = SEGMENT | 1 /* lanes meet in no bank */
    };
    struct Storage {
        Uninitialized<T> items[RAKING * PITCH];
        Uninitialized<T> aggregate;
    };
    template <typename Op> __WS_DEVICE_MEMBER static void rake(Storage &storage, int rank, Op op)
    {
        NullType none;
        Uninitialized<T> *own = storage.items + rank * PITCH;
        T total = own[0].Alias();
#pragma unroll
        for (int i = 1; i < SEGMENT; i++)
            if (rank * SEGMENT + i < THREADS)
                total = op(total, own[i].Alias());
        T inclusive = total, before = total;
        WarpScan<T, RAKING>(none).Scan(total, inclusive, before, op);
        if (rank == RAKING - 1)
            storage.aggregate.Alias() = inclusive;
#pragma unroll
        for (int i = 0; i < SEGMENT; i++) {
            if (rank * SEGMENT + i >= THREADS)
                break;
            T value = own[i].Alias();
            own[i].Alias() = before;
            before = rank == 0 && i == 0 ? value : (T)op(before, value);
        }
    }
    template <typename Op>
    __WS_DEVICE_MEMBER static void exclusive(Storage &storage, int rank, T input, T &before, Op op,
                                             T &aggregate)
    {
        if (SEGMENT == 1) {
            scan_by_warps<T, THREADS> one;
            typename scan_by_warps<T, THREADS>::Storage none;
            one.exclusive(none, rank, input, before, op, aggregate);
            return;
        }
        T &place = storage.items[rank / SEGMENT * PITCH + rank % SEGMENT].Alias();
        place = input;
        __syncthreads();
        if (rank < RAKING)
            rake(storage, rank, op);
        __syncthreads();
        before = place;
        aggregate = storage.aggregate.Alias();
    }
};
} // namespace detail

template <typename T, int BLOCK_DIM_X, BlockScanAlgorithm ALGORITHM = BLOCK_SCAN_RAKING,
          int BLOCK_DIM_Y = 1, int BLOCK_DIM_Z = 1, int ARCH = 0>
class BlockScan
{
    enum { THREADS = BLOCK_DIM_X * BLOCK_DIM_Y * BLOCK_DIM_Z };
    /* As documented, blocks that are no multiple of a warp are raked. */
    typedef typename std::conditional<ALGORITHM == BLOCK_SCAN_WARP_SCANS && THREADS % 32 == 0,
                                      detail::scan_by_warps<T, THREADS>,
                                      detail::scan_by_raking<T, THREADS>>::type Internal;

  public:
    struct TempStorage {
        typename Internal::Storage scan;
        Uninitialized<T> prefix;
    };

  private:
    TempStorage &temp;
    int rank;

    __WS_DEVICE_MEMBER static TempStorage &own_storage()
    {
        __shared__ TempStorage storage;
        return storage;
    }
    /* The first warp asks for the prefix of the block; lane 0's answer counts. */
    template <typename Callback> __WS_DEVICE_MEMBER T ask(Callback &callback, T aggregate)
    {
        if (rank < 32) {
            T prefix = callback(aggregate);
            if (rank == 0)
                temp.prefix.Alias() = prefix;
        }
        __syncthreads();
        return temp.prefix.Alias();
    }

  public:
    __WS_DEVICE_MEMBER BlockScan()
        : temp(own_storage()), rank(detail::thread_rank<BLOCK_DIM_X, BLOCK_DIM_Y, BLOCK_DIM_Z>())
    {
    }
    __WS_DEVICE_MEMBER BlockScan(TempStorage &storage)
        : temp(storage), rank(detail::thread_rank<BLOCK_DIM_X, BLOCK_DIM_Y, BLOCK_DIM_Z>())
    {
    }

    /* ---- exclusive, one item. Without an initial value thread 0's output is not defined. */
    template <typename Op>
    __WS_DEVICE_MEMBER void ExclusiveScan(T input, T &output, Op op, T &block_aggregate)
    {
        T before = input, aggregate = input;
        Internal::exclusive(temp.scan, rank, input, before, op, aggregate);
        output = before;
        block_aggregate = aggregate;
    }
    template <typename Op> __WS_DEVICE_MEMBER void ExclusiveScan(T input, T &output, Op op)
    {
        T aggregate = input;
        ExclusiveScan(input, output, op, aggregate);
    }
    /* The aggregate is without the initial value. */
    template <typename Op>
    __WS_DEVICE_MEMBER void ExclusiveScan(T input, T &output, T initial_value, Op op,
                                          T &block_aggregate)
    {
        T before = input;
        ExclusiveScan(input, before, op, block_aggregate);
        output = rank == 0 ? initial_value : (T)op(initial_value, before);
    }
    template <typename Op>
    __WS_DEVICE_MEMBER void ExclusiveScan(T input, T &output, T initial_value, Op op)
    {
        T aggregate = input;
        ExclusiveScan(input, output, initial_value, op, aggregate);
    }
    template <typename Op, typename Callback,
              typename = decltype((T)std::declval<Callback &>()(std::declval<T>()))>
    __WS_DEVICE_MEMBER void ExclusiveScan(T input, T &output, Op op, Callback &prefix_callback)
    {
        T before = input, aggregate = input;
        ExclusiveScan(input, before, op, aggregate);
        T prefix = ask(prefix_callback, aggregate);
        output = rank == 0 ? prefix : (T)op(prefix, before);
    }

    /* ---- inclusive, one item */
    template <typename Op>
    __WS_DEVICE_MEMBER void InclusiveScan(T input, T &output, Op op, T &block_aggregate)
    {
        T before = input;
        ExclusiveScan(input, before, op, block_aggregate);
        output = rank == 0 ? input : (T)op(before, input);
    }
    template <typename Op> __WS_DEVICE_MEMBER void InclusiveScan(T input, T &output, Op op)
    {
        T aggregate = input;
        InclusiveScan(input, output, op, aggregate);
    }
    template <typename Op, typename Callback,
              typename = decltype((T)std::declval<Callback &>()(std::declval<T>()))>
    __WS_DEVICE_MEMBER void InclusiveScan(T input, T &output, Op op, Callback &prefix_callback)
    {
        T before = input;
        ExclusiveScan(input, before, op, prefix_callback);
        output = op(before, input);
    }

    /* ---- several items of a thread, blocked */
    template <int ITEMS, typename Op, typename... Rest,
              typename = typename std::enable_if<!std::is_convertible<Op, T>::value>::type>
    __WS_DEVICE_MEMBER void ExclusiveScan(T (&input)[ITEMS], T (&output)[ITEMS], Op op,
                                          Rest &...rest)
    {
        T before = input[0];
        ExclusiveScan((T)ThreadReduce(input, op), before, op, rest...);
        bool has = sizeof...(Rest) != 0 && !is_aggregate(rest...);
        ThreadScanExclusive(input, output, op, before, has || rank != 0);
    }
    template <int ITEMS, typename Op>
    __WS_DEVICE_MEMBER void ExclusiveScan(T (&input)[ITEMS], T (&output)[ITEMS], T initial_value,
                                          Op op)
    {
        T aggregate = input[0];
        ExclusiveScan(input, output, initial_value, op, aggregate);
    }
    template <int ITEMS, typename Op>
    __WS_DEVICE_MEMBER void ExclusiveScan(T (&input)[ITEMS], T (&output)[ITEMS], T initial_value,
                                          Op op, T &block_aggregate)
    {
        T before = input[0];
        ExclusiveScan((T)ThreadReduce(input, op), before, initial_value, op, block_aggregate);
        ThreadScanExclusive(input, output, op, before);
    }
    template <int ITEMS, typename Op, typename... Rest,
              typename = typename std::enable_if<!std::is_convertible<Op, T>::value>::type>
    __WS_DEVICE_MEMBER void InclusiveScan(T (&input)[ITEMS], T (&output)[ITEMS], Op op,
                                          Rest &...rest)
    {
        T before = input[0];
        ExclusiveScan((T)ThreadReduce(input, op), before, op, rest...);
        bool has = sizeof...(Rest) != 0 && !is_aggregate(rest...);
        ThreadScanInclusive(input, output, op, before, has || rank != 0);
    }

    /* ---- sums: what follows `output` goes on to the scans */
    template <typename... Rest>
    __WS_DEVICE_MEMBER void InclusiveSum(T input, T &output, Rest &...rest)
    {
        InclusiveScan(input, output, cub::Sum(), rest...);
    }
    template <int ITEMS, typename... Rest>
    __WS_DEVICE_MEMBER void InclusiveSum(T (&input)[ITEMS], T (&output)[ITEMS], Rest &...rest)
    {
        InclusiveScan(input, output, cub::Sum(), rest...);
    }
    __WS_DEVICE_MEMBER void ExclusiveSum(T input, T &output)
    {
        ExclusiveScan(input, output, T{}, cub::Sum());
    }
    __WS_DEVICE_MEMBER void ExclusiveSum(T input, T &output, T &block_aggregate)
    {
        ExclusiveScan(input, output, T{}, cub::Sum(), block_aggregate);
    }
    template <typename Callback>
    __WS_DEVICE_MEMBER void ExclusiveSum(T input, T &output, Callback &prefix_callback)
    {
        ExclusiveScan(input, output, cub::Sum(), prefix_callback);
    }
    template <int ITEMS> __WS_DEVICE_MEMBER void ExclusiveSum(T (&input)[ITEMS], T (&output)[ITEMS])
    {
        ExclusiveScan(input, output, T{}, cub::Sum());
    }
    template <int ITEMS>
    __WS_DEVICE_MEMBER void ExclusiveSum(T (&input)[ITEMS], T (&output)[ITEMS], T &block_aggregate)
    {
        ExclusiveScan(input, output, T{}, cub::Sum(), block_aggregate);
    }
    template <int ITEMS, typename Callback>
    __WS_DEVICE_MEMBER void ExclusiveSum(T (&input)[ITEMS], T (&output)[ITEMS],
                                         Callback &prefix_callback)
    {
        ExclusiveScan(input, output, cub::Sum(), prefix_callback);
    }

  private:
    __WS_DEVICE_MEMBER static constexpr bool is_aggregate()
    {
        return true;
    }
    __WS_DEVICE_MEMBER static constexpr bool is_aggregate(T &)
    {
        return true;
    }
    template <typename Callback> __WS_DEVICE_MEMBER static constexpr bool is_aggregate(Callback &)
    {
        return false;
    }
};

} // namespace cub
