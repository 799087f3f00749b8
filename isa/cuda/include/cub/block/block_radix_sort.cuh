/* cub::BlockRadixSort: the items of a block in order, digit by digit from the lowest. */
#pragma once
#include "block_exchange.cuh"
#include "block_scan.cuh"

namespace cub
{

namespace detail
{
/*
 * Ranks of items by one digit. Each thread counts its own items in 16-bit counters; a scan over the
 * counters, digits before threads, makes them places. Two digits share a word: those of the lower
 * half of the digits are in its low part.
 */
template <int THREADS, int RADIX_BITS> struct radix_ranking {
    enum {
        WORDS = RADIX_BITS > 0 ? 1 << (RADIX_BITS - 1) : 1,
        SEGMENT = WORDS + 1 /* words a thread rakes over: odd, so that they meet in no bank */
    };
    typedef BlockScan<unsigned int, THREADS> Scan;
    struct Storage {
        unsigned int counters[SEGMENT * THREADS];
        typename Scan::TempStorage scan;
    };
    __WS_DEVICE_MEMBER static unsigned short *counter(Storage &storage, int thread,
                                                      unsigned int digit)
    {
        return (unsigned short *)&storage.counters[(digit % WORDS) * THREADS + thread] +
               digit / WORDS;
    }
    __WS_DEVICE_MEMBER static void scan(Storage &storage, int thread)
    {
        unsigned int *own = storage.counters + thread * SEGMENT, words[SEGMENT], total = 0, before,
                     all;
#pragma unroll
        for (int i = 0; i < SEGMENT; i++) {
            words[i] = own[i];
            total += words[i];
        }
        Scan(storage.scan).ExclusiveSum(total, before, all);
        before += all << 16;
#pragma unroll
        for (int i = 0; i < SEGMENT; i++) {
            own[i] = before;
            before += words[i];
        }
    }
    template <int ITEMS>
    __WS_DEVICE_MEMBER static void rank(Storage &storage, int thread,
                                        const unsigned int (&digits)[ITEMS], int (&ranks)[ITEMS])
    {
#pragma unroll
        for (int i = 0; i < SEGMENT; i++)
            storage.counters[i * THREADS + thread] = 0;
        __syncthreads();
#pragma unroll
        for (int i = 0; i < ITEMS; i++)
            ranks[i] = (*counter(storage, thread, digits[i]))++;
        __syncthreads();
        scan(storage, thread);
        __syncthreads();
#pragma unroll
        for (int i = 0; i < ITEMS; i++)
            ranks[i] += *counter(storage, thread, digits[i]);
    }
};
} // namespace detail

template <typename KeyT, int BLOCK_DIM_X, int ITEMS_PER_THREAD, typename ValueT = NullType,
          int RADIX_BITS = 4, bool MEMOIZE_OUTER_SCAN = true,
          BlockScanAlgorithm INNER_SCAN_ALGORITHM = BLOCK_SCAN_WARP_SCANS,
          cudaSharedMemConfig SMEM_CONFIG = cudaSharedMemBankSizeFourByte, int BLOCK_DIM_Y = 1,
          int BLOCK_DIM_Z = 1, int ARCH = 0>
class BlockRadixSort
{
    enum {
        THREADS = BLOCK_DIM_X * BLOCK_DIM_Y * BLOCK_DIM_Z,
        ITEMS = ITEMS_PER_THREAD,
        KEYS_ONLY = std::is_same<ValueT, NullType>::value
    };
    typedef detail::radix_ranking<THREADS, RADIX_BITS> Ranking;
    typedef BlockExchange<KeyT, THREADS, ITEMS> Keys;
    typedef BlockExchange<ValueT, THREADS, ITEMS> Values;

  public:
    union TempStorage {
        typename Ranking::Storage ranking;
        typename Keys::TempStorage keys;
        typename Values::TempStorage values;
    };

  private:
    TempStorage &temp;
    int thread;

    __WS_DEVICE_MEMBER static TempStorage &own_storage()
    {
        __shared__ TempStorage storage;
        return storage;
    }
    /* BlockExchange of a row of threads, whatever the block's shape. */
    template <typename Exchange, typename T>
    __WS_DEVICE_MEMBER void move(typename Exchange::TempStorage &storage, T (&items)[ITEMS],
                                 int (&ranks)[ITEMS], bool striped)
    {
        __syncthreads();
#pragma unroll
        for (int i = 0; i < ITEMS; i++)
            storage.items[Exchange::place(ranks[i])].Alias() = items[i];
        __syncthreads();
#pragma unroll
        for (int i = 0; i < ITEMS; i++)
            items[i] =
                storage.items[Exchange::place(striped ? thread + i * THREADS : thread * ITEMS + i)]
                    .Alias();
    }
    __WS_DEVICE_MEMBER void sort(KeyT (&keys)[ITEMS], ValueT (&values)[ITEMS], int begin_bit,
                                 int end_bit, bool descending, bool to_striped)
    {
        for (int bit = begin_bit;; bit += RADIX_BITS) {
            unsigned int digits[ITEMS];
            int ranks[ITEMS], count = end_bit - bit < RADIX_BITS ? end_bit - bit : RADIX_BITS;
#pragma unroll
            for (int i = 0; i < ITEMS; i++)
                digits[i] = count <= 0
                                ? 0
                                : detail::radix_key<KeyT>::digit(keys[i], descending, bit, count);
            Ranking::rank(temp.ranking, thread, digits, ranks);
            bool last = bit + RADIX_BITS >= end_bit;
            move<Keys>(temp.keys, keys, ranks, last && to_striped);
            if (!KEYS_ONLY)
                move<Values>(temp.values, values, ranks, last && to_striped);
            if (last)
                break;
            __syncthreads();
        }
    }

  public:
    __WS_DEVICE_MEMBER BlockRadixSort()
        : temp(own_storage()), thread(detail::thread_rank<BLOCK_DIM_X, BLOCK_DIM_Y, BLOCK_DIM_Z>())
    {
    }
    __WS_DEVICE_MEMBER BlockRadixSort(TempStorage &storage)
        : temp(storage), thread(detail::thread_rank<BLOCK_DIM_X, BLOCK_DIM_Y, BLOCK_DIM_Z>())
    {
    }

#define __WS_SORT(name, descending, to_striped)                                                    \
    __WS_DEVICE_MEMBER void name(KeyT(&keys)[ITEMS], int begin_bit = 0,                            \
                                 int end_bit = sizeof(KeyT) * 8)                                   \
    {                                                                                              \
        ValueT none[ITEMS];                                                                        \
        sort(keys, none, begin_bit, end_bit, descending, to_striped);                              \
    }                                                                                              \
    __WS_DEVICE_MEMBER void name(KeyT(&keys)[ITEMS], ValueT(&values)[ITEMS], int begin_bit = 0,    \
                                 int end_bit = sizeof(KeyT) * 8)                                   \
    {                                                                                              \
        sort(keys, values, begin_bit, end_bit, descending, to_striped);                            \
    }
    __WS_SORT(Sort, false, false)
    __WS_SORT(SortDescending, true, false)
    __WS_SORT(SortBlockedToStriped, false, true)
    __WS_SORT(SortDescendingBlockedToStriped, true, true)
#undef __WS_SORT
};

} // namespace cub
