/* cub::BlockReduce: the result is thread 0's. */
#pragma once
#include "../warp/warp_reduce.cuh"

namespace cub
{

enum BlockReduceAlgorithm {
    BLOCK_REDUCE_RAKING_COMMUTATIVE_ONLY,
    BLOCK_REDUCE_RAKING,
    BLOCK_REDUCE_WARP_REDUCTIONS
};

namespace detail
{
/* Each warp reduces by shuffles; thread 0 then combines what the warps have. */
template <typename T, int THREADS> struct reduce_by_warps {
    enum { WIDTH = THREADS < 32 ? THREADS : 32, WARPS = (THREADS + 31) / 32 };
    struct Storage {
        Uninitialized<T> warps[WARPS];
    };
    template <typename Op>
    __WS_DEVICE_MEMBER static T reduce(Storage &storage, int rank, T value, Op op, int valid)
    {
        int first = rank & ~31;
        NullType none;
        WarpReduce<T, WIDTH> warp(none);
        if (valid - first >= WIDTH)
            value = warp.Reduce(value, op);
        else
            value = warp.Reduce(value, op, valid - first);
        if (WARPS == 1)
            return value;
        if (rank == first)
            storage.warps[first / 32].Alias() = value;
        __syncthreads();
        if (rank == 0) {
#pragma unroll
            for (int i = 1; i < WARPS; i++)
                if (i * 32 < valid)
                    value = op(value, storage.warps[i].Alias());
        }
        return value;
    }
};

/* Threads leave their values in shared memory; one warp rakes over them, a segment for a lane. */
template <typename T, int THREADS> struct reduce_by_raking {
    enum {
        SEGMENT = (THREADS + 31) / 32,
        RAKING = (THREADS + SEGMENT - 1) / SEGMENT,
        PITCH = SEGMENT | 1 /* lanes meet in no bank */
    };
    struct Storage {
        Uninitialized<T> items[RAKING * PITCH];
    };
    template <typename Op>
    __WS_DEVICE_MEMBER static T reduce(Storage &storage, int rank, T value, Op op, int valid)
    {
        storage.items[rank / SEGMENT * PITCH + rank % SEGMENT].Alias() = value;
        __syncthreads();
        if (rank < RAKING) {
            NullType none;
            T total = storage.items[rank * PITCH].Alias();
#pragma unroll
            for (int i = 1; i < SEGMENT; i++)
                if (rank * SEGMENT + i < valid)
                    total = op(total, storage.items[rank * PITCH + i].Alias());
            value = WarpReduce<T, RAKING>(none).Reduce(total, op, (valid + SEGMENT - 1) / SEGMENT);
        }
        return value;
    }
};
} // namespace detail

template <typename T, int BLOCK_DIM_X,
          BlockReduceAlgorithm ALGORITHM = BLOCK_REDUCE_WARP_REDUCTIONS, int BLOCK_DIM_Y = 1,
          int BLOCK_DIM_Z = 1, int ARCH = 0>
class BlockReduce
{
    enum { THREADS = BLOCK_DIM_X * BLOCK_DIM_Y * BLOCK_DIM_Z };
    typedef typename std::conditional<ALGORITHM == BLOCK_REDUCE_WARP_REDUCTIONS,
                                      detail::reduce_by_warps<T, THREADS>,
                                      detail::reduce_by_raking<T, THREADS>>::type Internal;

  public:
    struct TempStorage : Internal::Storage {
    };

  private:
    TempStorage &temp;
    int rank;

    __WS_DEVICE_MEMBER static TempStorage &own_storage()
    {
        __shared__ TempStorage storage;
        return storage;
    }

  public:
    __WS_DEVICE_MEMBER BlockReduce()
        : temp(own_storage()), rank(detail::thread_rank<BLOCK_DIM_X, BLOCK_DIM_Y, BLOCK_DIM_Z>())
    {
    }
    __WS_DEVICE_MEMBER BlockReduce(TempStorage &storage)
        : temp(storage), rank(detail::thread_rank<BLOCK_DIM_X, BLOCK_DIM_Y, BLOCK_DIM_Z>())
    {
    }
    template <typename Op> __WS_DEVICE_MEMBER T Reduce(T input, Op op)
    {
        return Internal::reduce(temp, rank, input, op, THREADS);
    }
    template <int ITEMS, typename Op> __WS_DEVICE_MEMBER T Reduce(T (&inputs)[ITEMS], Op op)
    {
        return Reduce((T)ThreadReduce(inputs, op), op);
    }
    template <typename Op> __WS_DEVICE_MEMBER T Reduce(T input, Op op, int num_valid)
    {
        return Internal::reduce(temp, rank, input, op,
                                num_valid < (int)THREADS ? num_valid : (int)THREADS);
    }
    __WS_DEVICE_MEMBER T Sum(T input)
    {
        return Reduce(input, cub::Sum());
    }
    template <int ITEMS> __WS_DEVICE_MEMBER T Sum(T (&inputs)[ITEMS])
    {
        return Reduce(inputs, cub::Sum());
    }
    __WS_DEVICE_MEMBER T Sum(T input, int num_valid)
    {
        return Reduce(input, cub::Sum(), num_valid);
    }
};

} // namespace cub
