/*
 * cub::BlockAdjacentDifference and cub::BlockDiscontinuity: each item of a block, in blocked
 * arrangement, and the one beside it.
 */
#pragma once
#include "../thread/thread_operators.cuh"
#include "../util_ptx.cuh"

namespace cub
{

namespace detail
{
/* Threads show the others their first and last items. */
template <typename T, int X, int Y, int Z> class neighbours
{
  public:
    enum { THREADS = X * Y * Z };
    struct TempStorage {
        Uninitialized<T> first[THREADS], last[THREADS];
    };

  protected:
    TempStorage &temp;
    int rank;

    __WS_DEVICE_MEMBER static TempStorage &own_storage()
    {
        __shared__ TempStorage storage;
        return storage;
    }
    __WS_DEVICE_MEMBER neighbours(TempStorage &storage)
        : temp(storage), rank(thread_rank<X, Y, Z>())
    {
    }
    template <int ITEMS> __WS_DEVICE_MEMBER void show(const T (&items)[ITEMS])
    {
        temp.first[rank].Alias() = items[0];
        temp.last[rank].Alias() = items[ITEMS - 1];
        __syncthreads();
    }
    __WS_DEVICE_MEMBER T before() const
    {
        return temp.last[rank - 1].Alias();
    }
    __WS_DEVICE_MEMBER T behind() const
    {
        return temp.first[rank + 1].Alias();
    }
};
} // namespace detail

template <typename T, int BLOCK_DIM_X, int BLOCK_DIM_Y = 1, int BLOCK_DIM_Z = 1, int ARCH = 0>
class BlockAdjacentDifference : detail::neighbours<T, BLOCK_DIM_X, BLOCK_DIM_Y, BLOCK_DIM_Z>
{
    typedef detail::neighbours<T, BLOCK_DIM_X, BLOCK_DIM_Y, BLOCK_DIM_Z> Base;
    using Base::rank;

    /*
     * `has_edge`: the item before the tile, or behind it, is `edge`; else that one stays as it is.
     * The operator gets variables: it may take references.
     */
    template <int ITEMS, typename Out, typename Op>
    __WS_DEVICE_MEMBER void left(T (&input)[ITEMS], Out (&output)[ITEMS], Op op, int valid,
                                 bool has_edge, T edge)
    {
        this->show(input);
        if (rank > 0)
            edge = this->before();
#pragma unroll
        for (int i = ITEMS - 1; i >= 0; i--) {
            T item = input[i];
            if (rank * ITEMS + i >= valid || (i == 0 && rank == 0 && !has_edge))
                output[i] = item;
            else
                output[i] = op(item, i == 0 ? edge : input[i > 0 ? i - 1 : 0]);
        }
    }
    template <int ITEMS, typename Out, typename Op>
    __WS_DEVICE_MEMBER void right(T (&input)[ITEMS], Out (&output)[ITEMS], Op op, int valid,
                                  bool has_edge, T edge)
    {
        this->show(input);
        if (rank < Base::THREADS - 1)
            edge = this->behind();
#pragma unroll
        for (int i = 0; i < ITEMS; i++) {
            int at = rank * ITEMS + i;
            T item = input[i];
            bool end = at == Base::THREADS * ITEMS - 1;
            if (end ? !has_edge || at >= valid : at + 1 >= valid)
                output[i] = item;
            else
                output[i] = op(item, i == ITEMS - 1 ? edge : input[i + 1 < ITEMS ? i + 1 : i]);
        }
    }

  public:
    typedef typename Base::TempStorage TempStorage;
    __WS_DEVICE_MEMBER BlockAdjacentDifference() : Base(Base::own_storage())
    {
    }
    __WS_DEVICE_MEMBER BlockAdjacentDifference(TempStorage &storage) : Base(storage)
    {
    }
    template <int ITEMS, typename Out, typename Op>
    __WS_DEVICE_MEMBER void SubtractLeft(T (&input)[ITEMS], Out (&output)[ITEMS], Op op)
    {
        left(input, output, op, Base::THREADS * ITEMS, false, input[0]);
    }
    template <int ITEMS, typename Out, typename Op>
    __WS_DEVICE_MEMBER void SubtractLeft(T (&input)[ITEMS], Out (&output)[ITEMS], Op op,
                                         T tile_predecessor_item)
    {
        left(input, output, op, Base::THREADS * ITEMS, true, tile_predecessor_item);
    }
    template <int ITEMS, typename Out, typename Op>
    __WS_DEVICE_MEMBER void SubtractLeftPartialTile(T (&input)[ITEMS], Out (&output)[ITEMS], Op op,
                                                    int valid_items)
    {
        left(input, output, op, valid_items, false, input[0]);
    }
    template <int ITEMS, typename Out, typename Op>
    __WS_DEVICE_MEMBER void SubtractLeftPartialTile(T (&input)[ITEMS], Out (&output)[ITEMS], Op op,
                                                    int valid_items, T tile_predecessor_item)
    {
        left(input, output, op, valid_items, true, tile_predecessor_item);
    }
    template <int ITEMS, typename Out, typename Op>
    __WS_DEVICE_MEMBER void SubtractRight(T (&input)[ITEMS], Out (&output)[ITEMS], Op op)
    {
        right(input, output, op, Base::THREADS * ITEMS, false, input[0]);
    }
    template <int ITEMS, typename Out, typename Op>
    __WS_DEVICE_MEMBER void SubtractRight(T (&input)[ITEMS], Out (&output)[ITEMS], Op op,
                                          T tile_successor_item)
    {
        right(input, output, op, Base::THREADS * ITEMS, true, tile_successor_item);
    }
    template <int ITEMS, typename Out, typename Op>
    __WS_DEVICE_MEMBER void SubtractRightPartialTile(T (&input)[ITEMS], Out (&output)[ITEMS], Op op,
                                                     int valid_items)
    {
        right(input, output, op, valid_items, false, input[0]);
    }
};

template <typename T, int BLOCK_DIM_X, int BLOCK_DIM_Y = 1, int BLOCK_DIM_Z = 1, int ARCH = 0>
class BlockDiscontinuity : detail::neighbours<T, BLOCK_DIM_X, BLOCK_DIM_Y, BLOCK_DIM_Z>
{
    typedef detail::neighbours<T, BLOCK_DIM_X, BLOCK_DIM_Y, BLOCK_DIM_Z> Base;
    using Base::rank;

    /* A flag operator may take the second item's place in the tile as well. */
    template <typename Op>
    __WS_DEVICE_MEMBER static auto ask(Op op, const T &a, const T &b, int at, int)
        -> decltype((bool)op(a, b, at))
    {
        return op(a, b, at);
    }
    template <typename Op>
    __WS_DEVICE_MEMBER static bool ask(Op op, const T &a, const T &b, int, long)
    {
        return op(a, b);
    }
    template <int ITEMS, typename Flag, typename Op>
    __WS_DEVICE_MEMBER void heads(Flag (&flags)[ITEMS], const T (&input)[ITEMS], Op op,
                                  const T *edge)
    {
#pragma unroll
        for (int i = 0; i < ITEMS; i++) {
            if (i == 0 && rank == 0)
                flags[i] = edge == NULL ? (Flag)1 : (Flag)ask(op, *edge, input[0], 0, 0);
            else
                flags[i] = ask(op, i == 0 ? this->before() : input[i > 0 ? i - 1 : 0], input[i],
                               rank * ITEMS + i, 0);
        }
    }
    template <int ITEMS, typename Flag, typename Op>
    __WS_DEVICE_MEMBER void tails(Flag (&flags)[ITEMS], const T (&input)[ITEMS], Op op,
                                  const T *edge)
    {
#pragma unroll
        for (int i = 0; i < ITEMS; i++) {
            int next = rank * ITEMS + i + 1;
            if (i == ITEMS - 1 && rank == Base::THREADS - 1)
                flags[i] = edge == NULL ? (Flag)1 : (Flag)ask(op, input[i], *edge, next, 0);
            else
                flags[i] = ask(op, input[i],
                               i == ITEMS - 1 ? this->behind() : input[i + 1 < ITEMS ? i + 1 : i],
                               next, 0);
        }
    }

  public:
    typedef typename Base::TempStorage TempStorage;
    __WS_DEVICE_MEMBER BlockDiscontinuity() : Base(Base::own_storage())
    {
    }
    __WS_DEVICE_MEMBER BlockDiscontinuity(TempStorage &storage) : Base(storage)
    {
    }
    template <int ITEMS, typename Flag, typename Op>
    __WS_DEVICE_MEMBER void FlagHeads(Flag (&head_flags)[ITEMS], T (&input)[ITEMS], Op op)
    {
        this->show(input);
        heads(head_flags, input, op, NULL);
    }
    template <int ITEMS, typename Flag, typename Op>
    __WS_DEVICE_MEMBER void FlagHeads(Flag (&head_flags)[ITEMS], T (&input)[ITEMS], Op op,
                                      T tile_predecessor_item)
    {
        this->show(input);
        heads(head_flags, input, op, &tile_predecessor_item);
    }
    template <int ITEMS, typename Flag, typename Op>
    __WS_DEVICE_MEMBER void FlagTails(Flag (&tail_flags)[ITEMS], T (&input)[ITEMS], Op op)
    {
        this->show(input);
        tails(tail_flags, input, op, NULL);
    }
    template <int ITEMS, typename Flag, typename Op>
    __WS_DEVICE_MEMBER void FlagTails(Flag (&tail_flags)[ITEMS], T (&input)[ITEMS], Op op,
                                      T tile_successor_item)
    {
        this->show(input);
        tails(tail_flags, input, op, &tile_successor_item);
    }
    template <int ITEMS, typename Flag, typename Op>
    __WS_DEVICE_MEMBER void FlagHeadsAndTails(Flag (&head_flags)[ITEMS], Flag (&tail_flags)[ITEMS],
                                              T (&input)[ITEMS], Op op)
    {
        this->show(input);
        heads(head_flags, input, op, NULL);
        tails(tail_flags, input, op, NULL);
    }
};

} // namespace cub
