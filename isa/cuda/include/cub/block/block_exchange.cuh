/* cub::BlockExchange: items of a block change places through shared memory. */
#pragma once
#include "../util_ptx.cuh"

namespace cub
{

template <typename T, int BLOCK_DIM_X, int ITEMS_PER_THREAD, bool WARP_TIME_SLICING = false,
          int BLOCK_DIM_Y = 1, int BLOCK_DIM_Z = 1, int ARCH = 0>
class BlockExchange
{
    enum {
        THREADS = BLOCK_DIM_X * BLOCK_DIM_Y * BLOCK_DIM_Z,
        ITEMS = ITEMS_PER_THREAD,
        TILE = THREADS * ITEMS,
        WARP = THREADS < 32 ? THREADS : 32,
        /* Threads whose items are a power of two apart would meet in a bank. */
        PADDED = ITEMS > 4 && (ITEMS & (ITEMS - 1)) == 0
    };

  public:
    struct TempStorage {
        Uninitialized<T> items[TILE + (PADDED ? TILE / 32 : 0)];
    };
    /* Where item i of the tile is in the storage. */
    __WS_DEVICE_MEMBER static int place(int i)
    {
        return PADDED ? i + i / 32 : i;
    }

  private:
    TempStorage &temp;
    int rank;

    __WS_DEVICE_MEMBER static TempStorage &own_storage()
    {
        __shared__ TempStorage storage;
        return storage;
    }
    __WS_DEVICE_MEMBER T &at(int i)
    {
        return temp.items[place(i)].Alias();
    }
    /* Where item i of this thread is in a tile of the arrangement. */
    __WS_DEVICE_MEMBER int blocked(int i) const
    {
        return rank * ITEMS + i;
    }
    __WS_DEVICE_MEMBER int striped(int i) const
    {
        return rank + i * THREADS;
    }
    __WS_DEVICE_MEMBER int warp_striped(int i) const
    {
        return rank / WARP * WARP * ITEMS + i * WARP + rank % WARP;
    }
    __WS_DEVICE_MEMBER void sync_warp() const
    {
        __syncwarp(__activemask());
    }

  public:
    __WS_DEVICE_MEMBER BlockExchange()
        : temp(own_storage()), rank(detail::thread_rank<BLOCK_DIM_X, BLOCK_DIM_Y, BLOCK_DIM_Z>())
    {
    }
    __WS_DEVICE_MEMBER BlockExchange(TempStorage &storage)
        : temp(storage), rank(detail::thread_rank<BLOCK_DIM_X, BLOCK_DIM_Y, BLOCK_DIM_Z>())
    {
    }

#define __WS_EXCHANGE(name, from, to, barrier)                                                     \
    template <typename U> __WS_DEVICE_MEMBER void name(const T(&input)[ITEMS], U(&output)[ITEMS])  \
    {                                                                                              \
        _Pragma("unroll") for (int i = 0; i < ITEMS; i++) at(from(i)) = input[i];                  \
        barrier();                                                                                 \
        _Pragma("unroll") for (int i = 0; i < ITEMS; i++) output[i] = at(to(i));                   \
    }                                                                                              \
    __WS_DEVICE_MEMBER void name(T(&items)[ITEMS])                                                 \
    {                                                                                              \
        name(items, items);                                                                        \
    }
    __WS_EXCHANGE(StripedToBlocked, striped, blocked, __syncthreads)
    __WS_EXCHANGE(BlockedToStriped, blocked, striped, __syncthreads)
    __WS_EXCHANGE(WarpStripedToBlocked, warp_striped, blocked, sync_warp)
    __WS_EXCHANGE(BlockedToWarpStriped, blocked, warp_striped, sync_warp)
#undef __WS_EXCHANGE

#define __WS_SCATTER(name, to)                                                                     \
    template <typename U, typename Offset>                                                         \
    __WS_DEVICE_MEMBER void name(const T(&input)[ITEMS], U(&output)[ITEMS], Offset(&ranks)[ITEMS]) \
    {                                                                                              \
        _Pragma("unroll") for (int i = 0; i < ITEMS; i++) at((int)ranks[i]) = input[i];            \
        __syncthreads();                                                                           \
        _Pragma("unroll") for (int i = 0; i < ITEMS; i++) output[i] = at(to(i));                   \
    }                                                                                              \
    template <typename Offset>                                                                     \
    __WS_DEVICE_MEMBER void name(T(&items)[ITEMS], Offset(&ranks)[ITEMS])                          \
    {                                                                                              \
        name(items, items, ranks);                                                                 \
    }
    __WS_SCATTER(ScatterToBlocked, blocked)
    __WS_SCATTER(ScatterToStriped, striped)
#undef __WS_SCATTER

    /* Items with a negative rank are left out. */
    template <typename U, typename Offset>
    __WS_DEVICE_MEMBER void ScatterToStripedGuarded(const T (&input)[ITEMS], U (&output)[ITEMS],
                                                    Offset (&ranks)[ITEMS])
    {
#pragma unroll
        for (int i = 0; i < ITEMS; i++)
            if (ranks[i] >= 0)
                at((int)ranks[i]) = input[i];
        __syncthreads();
#pragma unroll
        for (int i = 0; i < ITEMS; i++)
            output[i] = at(striped(i));
    }
    template <typename Offset>
    __WS_DEVICE_MEMBER void ScatterToStripedGuarded(T (&items)[ITEMS], Offset (&ranks)[ITEMS])
    {
        ScatterToStripedGuarded(items, items, ranks);
    }
    template <typename U, typename Offset, typename Valid>
    __WS_DEVICE_MEMBER void ScatterToStripedFlagged(const T (&input)[ITEMS], U (&output)[ITEMS],
                                                    Offset (&ranks)[ITEMS],
                                                    Valid (&is_valid)[ITEMS])
    {
#pragma unroll
        for (int i = 0; i < ITEMS; i++)
            if (is_valid[i])
                at((int)ranks[i]) = input[i];
        __syncthreads();
#pragma unroll
        for (int i = 0; i < ITEMS; i++)
            output[i] = at(striped(i));
    }
    template <typename Offset, typename Valid>
    __WS_DEVICE_MEMBER void ScatterToStripedFlagged(T (&items)[ITEMS], Offset (&ranks)[ITEMS],
                                                    Valid (&is_valid)[ITEMS])
    {
        ScatterToStripedFlagged(items, items, ranks, is_valid);
    }
};

} // namespace cub
