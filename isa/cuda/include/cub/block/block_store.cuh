/* cub::BlockStore and the functions it is made of. */
#pragma once
#include "block_load.cuh"

namespace cub
{

template <typename T, int ITEMS, typename It>
__WS_DEVICE_MEMBER void StoreDirectBlocked(int linear_tid, It block_itr, T (&items)[ITEMS])
{
#pragma unroll
    for (int i = 0; i < ITEMS; i++)
        block_itr[linear_tid * ITEMS + i] = items[i];
}
template <typename T, int ITEMS, typename It>
__WS_DEVICE_MEMBER void StoreDirectBlocked(int linear_tid, It block_itr, T (&items)[ITEMS],
                                           int valid_items)
{
#pragma unroll
    for (int i = 0; i < ITEMS; i++)
        if (linear_tid * ITEMS + i < valid_items)
            block_itr[linear_tid * ITEMS + i] = items[i];
}

template <int BLOCK_THREADS, typename T, int ITEMS, typename It>
__WS_DEVICE_MEMBER void StoreDirectStriped(int linear_tid, It block_itr, T (&items)[ITEMS])
{
#pragma unroll
    for (int i = 0; i < ITEMS; i++)
        block_itr[linear_tid + i * BLOCK_THREADS] = items[i];
}
template <int BLOCK_THREADS, typename T, int ITEMS, typename It>
__WS_DEVICE_MEMBER void StoreDirectStriped(int linear_tid, It block_itr, T (&items)[ITEMS],
                                           int valid_items)
{
#pragma unroll
    for (int i = 0; i < ITEMS; i++)
        if (linear_tid + i * BLOCK_THREADS < valid_items)
            block_itr[linear_tid + i * BLOCK_THREADS] = items[i];
}

template <typename T, int ITEMS, typename It>
__WS_DEVICE_MEMBER void StoreDirectWarpStriped(int linear_tid, It block_itr, T (&items)[ITEMS])
{
#pragma unroll
    for (int i = 0; i < ITEMS; i++)
        block_itr[linear_tid / 32 * 32 * ITEMS + linear_tid % 32 + i * 32] = items[i];
}
template <typename T, int ITEMS, typename It>
__WS_DEVICE_MEMBER void StoreDirectWarpStriped(int linear_tid, It block_itr, T (&items)[ITEMS],
                                               int valid_items)
{
#pragma unroll
    for (int i = 0; i < ITEMS; i++)
        if (linear_tid / 32 * 32 * ITEMS + linear_tid % 32 + i * 32 < valid_items)
            block_itr[linear_tid / 32 * 32 * ITEMS + linear_tid % 32 + i * 32] = items[i];
}

/* What is not aligned for vectors is stored item by item. */
template <typename T, int ITEMS>
__WS_DEVICE_MEMBER void StoreDirectBlockedVectorized(int linear_tid, T *block_ptr,
                                                     T (&items)[ITEMS])
{
    typedef detail::vector_word<sizeof(T) * ITEMS> Vector;
    typedef typename Vector::type Word;
    if constexpr (Vector::fits && std::is_trivially_copyable<T>::value) {
        if ((size_t)block_ptr % sizeof(Word) == 0) {
            enum { WORDS = sizeof(T) * ITEMS / sizeof(Word) };
            Word words[WORDS];
            __builtin_memcpy(words, items, sizeof items);
#pragma unroll
            for (int i = 0; i < WORDS; i++)
                ((Word *)block_ptr)[linear_tid * WORDS + i] = words[i];
            return;
        }
    }
    StoreDirectBlocked(linear_tid, block_ptr, items);
}

enum BlockStoreAlgorithm {
    BLOCK_STORE_DIRECT,
    BLOCK_STORE_STRIPED,
    BLOCK_STORE_VECTORIZE,
    BLOCK_STORE_TRANSPOSE,
    BLOCK_STORE_WARP_TRANSPOSE,
    BLOCK_STORE_WARP_TRANSPOSE_TIMESLICED
};

template <typename T, int BLOCK_DIM_X, int ITEMS_PER_THREAD,
          BlockStoreAlgorithm ALGORITHM = BLOCK_STORE_DIRECT, int BLOCK_DIM_Y = 1,
          int BLOCK_DIM_Z = 1, int ARCH = 0>
class BlockStore
{
    enum {
        THREADS = BLOCK_DIM_X * BLOCK_DIM_Y * BLOCK_DIM_Z,
        EXCHANGES = ALGORITHM >= BLOCK_STORE_TRANSPOSE
    };
    typedef BlockExchange<T, BLOCK_DIM_X, ITEMS_PER_THREAD, false, BLOCK_DIM_Y, BLOCK_DIM_Z>
        Exchange;
    struct Nothing {
    };

  public:
    struct TempStorage
        : std::conditional<EXCHANGES, typename Exchange::TempStorage, Nothing>::type {
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
    __WS_DEVICE_MEMBER BlockStore()
        : temp(own_storage()), rank(detail::thread_rank<BLOCK_DIM_X, BLOCK_DIM_Y, BLOCK_DIM_Z>())
    {
    }
    __WS_DEVICE_MEMBER BlockStore(TempStorage &storage)
        : temp(storage), rank(detail::thread_rank<BLOCK_DIM_X, BLOCK_DIM_Y, BLOCK_DIM_Z>())
    {
    }
    /* After `items`: nothing, or the number of valid items. */
    template <typename It, typename... Rest>
    __WS_DEVICE_MEMBER void Store(It block_itr, T (&items)[ITEMS_PER_THREAD], Rest... rest)
    {
        if constexpr (ALGORITHM == BLOCK_STORE_VECTORIZE && sizeof...(Rest) == 0 &&
                      std::is_same<It, T *>::value) {
            StoreDirectBlockedVectorized(rank, block_itr, items);
        } else if constexpr (ALGORITHM == BLOCK_STORE_DIRECT ||
                             ALGORITHM == BLOCK_STORE_VECTORIZE) {
            StoreDirectBlocked(rank, block_itr, items, rest...);
        } else if constexpr (ALGORITHM == BLOCK_STORE_STRIPED) {
            StoreDirectStriped<THREADS>(rank, block_itr, items, rest...);
        } else if constexpr (ALGORITHM == BLOCK_STORE_TRANSPOSE) {
            Exchange(temp).BlockedToStriped(items);
            StoreDirectStriped<THREADS>(rank, block_itr, items, rest...);
        } else {
            Exchange(temp).BlockedToWarpStriped(items);
            StoreDirectWarpStriped(rank, block_itr, items, rest...);
        }
    }
};

} // namespace cub
