/*
 * cub::DeviceSelect and cub::DevicePartition: the items that a flag or a predicate chooses, in
 * their order. The output must be another array than the input.
 */
#pragma once
#include "../thread/thread_operators.cuh"
#include "scan_tiles.cuh"

namespace cub
{

namespace detail
{
/* Which items: by flags, by a predicate, or the first of each run of equal ones. */
template <typename Flags> struct chosen_by_flag {
    Flags flags;
    __WS_DEVICE_MEMBER bool operator()(long long i)
    {
        return (bool)flags[i];
    }
};
template <typename In, typename Predicate> struct chosen_by_predicate {
    In input;
    Predicate predicate;
    __WS_DEVICE_MEMBER bool operator()(long long i)
    {
        return (bool)predicate(input[i]);
    }
};
template <typename In, typename Equal> struct chosen_as_first {
    In input;
    Equal equal;
    __WS_DEVICE_MEMBER bool operator()(long long i)
    {
        return i == 0 || !equal(input[i - 1], input[i]);
    }
};

template <typename Chosen> struct count_chosen {
    Chosen chosen;
    __WS_DEVICE_MEMBER int operator()(long long i)
    {
        return chosen(i) ? 1 : 0;
    }
};
/* `place`: how many are chosen before item i. The others go to the end, the first last. */
template <bool PARTITION, typename Chosen, typename In, typename Out, typename NumOut>
struct store_chosen {
    Chosen chosen;
    In input;
    Out output;
    NumOut num_selected;
    long long n;
    __WS_DEVICE_MEMBER void operator()(long long i, int place)
    {
        bool is = chosen(i);
        if (is)
            output[place] = input[i];
        else if (PARTITION)
            output[n - 1 - (i - place)] = input[i];
        if (i == n - 1)
            *num_selected = place + (is ? 1 : 0);
    }
};
template <typename Out> struct store_none {
    Out out;
    __WS_DEVICE_MEMBER void operator()(long long)
    {
        *out = 0;
    }
};
/* Two arrays that are written at the same places. */
template <typename A, typename B> struct both_of {
    A a;
    B b;
    struct place {
        both_of of;
        long long at;
        template <typename Other> __WS_DEVICE_MEMBER void operator=(const Other &other)
        {
            of.a[at] = other.of.a[other.at];
            of.b[at] = other.of.b[other.at];
        }
    };
    __WS_DEVICE_MEMBER place operator[](long long at) const
    {
        return place{*this, at};
    }
};

template <bool PARTITION, typename Chosen, typename In, typename Out, typename NumOut>
cudaError_t select(void *d_temp_storage, size_t &temp_storage_bytes, Chosen chosen, In in, Out out,
                   NumOut num_selected, long long n, cudaStream_t stream)
{
    temporary_storage storage(d_temp_storage);
    int *aggregates = take_scan_storage<int>(storage, n);
    cudaError_t error;
    if (storage.asks(temp_storage_bytes, error))
        return error;
    if (n <= 0)
        return launch_for_each_index(1, store_none<NumOut>{num_selected}, stream);
    return launch_scan<false>(
        aggregates, count_chosen<Chosen>{chosen},
        store_chosen<PARTITION, Chosen, In, Out, NumOut>{chosen, in, out, num_selected, n}, n,
        Sum(), 0, true, stream);
}
} // namespace detail

struct DeviceSelect {
    template <typename In, typename Flags, typename Out, typename NumOut, typename N>
    static cudaError_t Flagged(void *d_temp_storage, size_t &temp_storage_bytes, In d_in,
                               Flags d_flags, Out d_out, NumOut d_num_selected_out, N num_items,
                               cudaStream_t stream = 0, bool = false)
    {
        return detail::select<false>(d_temp_storage, temp_storage_bytes,
                                     detail::chosen_by_flag<Flags>{d_flags}, d_in, d_out,
                                     d_num_selected_out, (long long)num_items, stream);
    }
    template <typename In, typename Out, typename NumOut, typename N, typename SelectOp>
    static cudaError_t If(void *d_temp_storage, size_t &temp_storage_bytes, In d_in, Out d_out,
                          NumOut d_num_selected_out, N num_items, SelectOp select_op,
                          cudaStream_t stream = 0, bool = false)
    {
        return detail::select<false>(d_temp_storage, temp_storage_bytes,
                                     detail::chosen_by_predicate<In, SelectOp>{d_in, select_op},
                                     d_in, d_out, d_num_selected_out, (long long)num_items, stream);
    }
    template <typename In, typename Out, typename NumOut, typename N>
    static cudaError_t Unique(void *d_temp_storage, size_t &temp_storage_bytes, In d_in, Out d_out,
                              NumOut d_num_selected_out, N num_items, cudaStream_t stream = 0,
                              bool = false)
    {
        return detail::select<false>(d_temp_storage, temp_storage_bytes,
                                     detail::chosen_as_first<In, Equality>{d_in, Equality()}, d_in,
                                     d_out, d_num_selected_out, (long long)num_items, stream);
    }
    template <typename Keys, typename Values, typename KeysOut, typename ValuesOut, typename NumOut,
              typename N>
    static cudaError_t UniqueByKey(void *d_temp_storage, size_t &temp_storage_bytes, Keys d_keys_in,
                                   Values d_values_in, KeysOut d_keys_out, ValuesOut d_values_out,
                                   NumOut d_num_selected_out, N num_items, cudaStream_t stream = 0,
                                   bool = false)
    {
        return detail::select<false>(d_temp_storage, temp_storage_bytes,
                                     detail::chosen_as_first<Keys, Equality>{d_keys_in, Equality()},
                                     detail::both_of<Keys, Values>{d_keys_in, d_values_in},
                                     detail::both_of<KeysOut, ValuesOut>{d_keys_out, d_values_out},
                                     d_num_selected_out, (long long)num_items, stream);
    }
};

/* Items that are not chosen come behind those that are, the first of them last. */
struct DevicePartition {
    template <typename In, typename Flags, typename Out, typename NumOut, typename N>
    static cudaError_t Flagged(void *d_temp_storage, size_t &temp_storage_bytes, In d_in,
                               Flags d_flags, Out d_out, NumOut d_num_selected_out, N num_items,
                               cudaStream_t stream = 0, bool = false)
    {
        return detail::select<true>(d_temp_storage, temp_storage_bytes,
                                    detail::chosen_by_flag<Flags>{d_flags}, d_in, d_out,
                                    d_num_selected_out, (long long)num_items, stream);
    }
    template <typename In, typename Out, typename NumOut, typename N, typename SelectOp>
    static cudaError_t If(void *d_temp_storage, size_t &temp_storage_bytes, In d_in, Out d_out,
                          NumOut d_num_selected_out, N num_items, SelectOp select_op,
                          cudaStream_t stream = 0, bool = false)
    {
        return detail::select<true>(d_temp_storage, temp_storage_bytes,
                                    detail::chosen_by_predicate<In, SelectOp>{d_in, select_op},
                                    d_in, d_out, d_num_selected_out, (long long)num_items, stream);
    }
};

} // namespace cub
