/* cub::BlockLoad and the functions it is made of. */
#pragma once
#include "../iterator/cache_modified_input_iterator.cuh"
#include "block_exchange.cuh"

namespace cub
{

template <typename T, int ITEMS, typename It>
__WS_DEVICE_MEMBER void LoadDirectBlocked(int linear_tid, It block_itr, T (&items)[ITEMS])
{
#pragma unroll
    for (int i = 0; i < ITEMS; i++)
        items[i] = block_itr[linear_tid * ITEMS + i];
}
template <typename T, int ITEMS, typename It>
__WS_DEVICE_MEMBER void LoadDirectBlocked(int linear_tid, It block_itr, T (&items)[ITEMS],
                                          int valid_items)
{
#pragma unroll
    for (int i = 0; i < ITEMS; i++)
        if (linear_tid * ITEMS + i < valid_items)
            items[i] = block_itr[linear_tid * ITEMS + i];
}
template <typename T, typename Default, int ITEMS, typename It>
__WS_DEVICE_MEMBER void LoadDirectBlocked(int linear_tid, It block_itr, T (&items)[ITEMS],
                                          int valid_items, Default oob_default)
{
#pragma unroll
    for (int i = 0; i < ITEMS; i++)
        items[i] = oob_default;
    LoadDirectBlocked(linear_tid, block_itr, items, valid_items);
}

template <int BLOCK_THREADS, typename T, int ITEMS, typename It>
__WS_DEVICE_MEMBER void LoadDirectStriped(int linear_tid, It block_itr, T (&items)[ITEMS])
{
#pragma unroll
    for (int i = 0; i < ITEMS; i++)
        items[i] = block_itr[linear_tid + i * BLOCK_THREADS];
}
template <int BLOCK_THREADS, typename T, int ITEMS, typename It>
__WS_DEVICE_MEMBER void LoadDirectStriped(int linear_tid, It block_itr, T (&items)[ITEMS],
                                          int valid_items)
{
#pragma unroll
    for (int i = 0; i < ITEMS; i++)
        if (linear_tid + i * BLOCK_THREADS < valid_items)
            items[i] = block_itr[linear_tid + i * BLOCK_THREADS];
}
template <int BLOCK_THREADS, typename T, typename Default, int ITEMS, typename It>
__WS_DEVICE_MEMBER void LoadDirectStriped(int linear_tid, It block_itr, T (&items)[ITEMS],
                                          int valid_items, Default oob_default)
{
#pragma unroll
    for (int i = 0; i < ITEMS; i++)
        items[i] = oob_default;
    LoadDirectStriped<BLOCK_THREADS>(linear_tid, block_itr, items, valid_items);
}

template <typename T, int ITEMS, typename It>
__WS_DEVICE_MEMBER void LoadDirectWarpStriped(int linear_tid, It block_itr, T (&items)[ITEMS])
{
#pragma unroll
    for (int i = 0; i < ITEMS; i++)
        items[i] = block_itr[linear_tid / 32 * 32 * ITEMS + linear_tid % 32 + i * 32];
}
template <typename T, int ITEMS, typename It>
__WS_DEVICE_MEMBER void LoadDirectWarpStriped(int linear_tid, It block_itr, T (&items)[ITEMS],
                                              int valid_items)
{
#pragma unroll
    for (int i = 0; i < ITEMS; i++)
        if (linear_tid / 32 * 32 * ITEMS + linear_tid % 32 + i * 32 < valid_items)
            items[i] = block_itr[linear_tid / 32 * 32 * ITEMS + linear_tid % 32 + i * 32];
}
template <typename T, typename Default, int ITEMS, typename It>
__WS_DEVICE_MEMBER void LoadDirectWarpStriped(int linear_tid, It block_itr, T (&items)[ITEMS],
                                              int valid_items, Default oob_default)
{
#pragma unroll
    for (int i = 0; i < ITEMS; i++)
        items[i] = oob_default;
    LoadDirectWarpStriped(linear_tid, block_itr, items, valid_items);
}

namespace detail
{
/* The word in which a thread's items of so many bytes are moved, of up to 16 bytes. */
template <size_t Bytes> struct vector_word {
    typedef typename std::conditional<
        Bytes % 16 == 0, uint4,
        typename std::conditional<Bytes % 8 == 0, uint2, unsigned int>::type>::type type;
    enum { fits = Bytes % 4 == 0 };
};
} // namespace detail

/* What is not aligned for vectors is loaded item by item. */
template <typename T, int ITEMS>
__WS_DEVICE_MEMBER void LoadDirectBlockedVectorized(int linear_tid, const T *block_ptr,
                                                    T (&items)[ITEMS])
{
    typedef detail::vector_word<sizeof(T) * ITEMS> Vector;
    typedef typename Vector::type Word;
    if constexpr (Vector::fits && std::is_trivially_copyable<T>::value) {
        if ((size_t)block_ptr % sizeof(Word) == 0) {
            enum { WORDS = sizeof(T) * ITEMS / sizeof(Word) };
            Word words[WORDS];
#pragma unroll
            for (int i = 0; i < WORDS; i++)
                words[i] = ((const Word *)block_ptr)[linear_tid * WORDS + i];
            __builtin_memcpy((void *)items, words, sizeof items);
            return;
        }
    }
    LoadDirectBlocked(linear_tid, block_ptr, items);
}

enum BlockLoadAlgorithm {
    BLOCK_LOAD_DIRECT,
    BLOCK_LOAD_STRIPED,
    BLOCK_LOAD_VECTORIZE,
    BLOCK_LOAD_TRANSPOSE,
    BLOCK_LOAD_WARP_TRANSPOSE,
    BLOCK_LOAD_WARP_TRANSPOSE_TIMESLICED
};

template <typename T, int BLOCK_DIM_X, int ITEMS_PER_THREAD,
          BlockLoadAlgorithm ALGORITHM = BLOCK_LOAD_DIRECT, int BLOCK_DIM_Y = 1,
          int BLOCK_DIM_Z = 1, int ARCH = 0>
class BlockLoad
{
    enum {
        THREADS = BLOCK_DIM_X * BLOCK_DIM_Y * BLOCK_DIM_Z,
        EXCHANGES = ALGORITHM >= BLOCK_LOAD_TRANSPOSE
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
    __WS_DEVICE_MEMBER void exchange(T (&items)[ITEMS_PER_THREAD])
    {
        if constexpr (ALGORITHM == BLOCK_LOAD_TRANSPOSE)
            Exchange(temp).StripedToBlocked(items);
        else if constexpr (EXCHANGES)
            Exchange(temp).WarpStripedToBlocked(items);
    }

  public:
    __WS_DEVICE_MEMBER BlockLoad()
        : temp(own_storage()), rank(detail::thread_rank<BLOCK_DIM_X, BLOCK_DIM_Y, BLOCK_DIM_Z>())
    {
    }
    __WS_DEVICE_MEMBER BlockLoad(TempStorage &storage)
        : temp(storage), rank(detail::thread_rank<BLOCK_DIM_X, BLOCK_DIM_Y, BLOCK_DIM_Z>())
    {
    }
    /* After `items`: nothing, the number of valid items, or that and what the others become. */
    template <typename It, typename... Rest>
    __WS_DEVICE_MEMBER void Load(It block_itr, T (&items)[ITEMS_PER_THREAD], Rest... rest)
    {
        if constexpr (ALGORITHM == BLOCK_LOAD_VECTORIZE && sizeof...(Rest) == 0 &&
                      std::is_pointer<It>::value)
            LoadDirectBlockedVectorized(rank, (const T *)block_itr, items);
        else if constexpr (ALGORITHM == BLOCK_LOAD_DIRECT || ALGORITHM == BLOCK_LOAD_VECTORIZE)
            LoadDirectBlocked(rank, block_itr, items, rest...);
        else if constexpr (ALGORITHM == BLOCK_LOAD_STRIPED || ALGORITHM == BLOCK_LOAD_TRANSPOSE)
            LoadDirectStriped<THREADS>(rank, block_itr, items, rest...);
        else
            LoadDirectWarpStriped(rank, block_itr, items, rest...);
        exchange(items);
    }
};

} // namespace cub
