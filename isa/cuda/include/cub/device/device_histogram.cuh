/* cub::DeviceHistogram: how many samples are in each bin. Samples outside of all bins do not count.
 */
#pragma once
#include "../thread/thread_search.cuh"
#include "temporary_storage.cuh"

namespace cub
{

namespace detail
{
template <typename Level> struct even_bins {
    int bins;
    Level lower, upper;
    template <typename Sample> __WS_DEVICE_MEMBER int operator()(Sample sample) const
    {
        typedef typename std::common_type<Sample, Level>::type T;
        T at = (T)sample;
        if (!(at >= (T)lower && at < (T)upper))
            return -1;
        if constexpr (std::is_integral<T>::value) {
            unsigned long long from = (unsigned long long)at - (unsigned long long)(T)lower,
                               range = (unsigned long long)(T)upper - (unsigned long long)(T)lower;
            return (int)(from * (unsigned long long)bins / range);
        } else {
            int bin = (int)((at - (T)lower) * ((T)bins / ((T)upper - (T)lower)));
            return bin < bins ? bin : bins - 1;
        }
    }
};
template <typename Level> struct ranged_bins {
    int bins;
    const Level *levels;
    template <typename Sample> __WS_DEVICE_MEMBER int operator()(Sample sample) const
    {
        int bin = UpperBound(levels, bins + 1, (Level)sample) - 1;
        return bin < bins ? bin : -1;
    }
};

enum { HISTOGRAM_SHARED_BINS = 2048, HISTOGRAM_BLOCKS = 264 /* two for each SM of an H200 */ };

/* Blocks count in shared memory, where the bins fit, and add up in global memory. */
template <typename In, typename Counter, typename Bins>
__global__ void histogram(In in, Counter *counts, Bins bins, long long n)
{
    __shared__ unsigned int own[HISTOGRAM_SHARED_BINS];
    bool shared = bins.bins <= HISTOGRAM_SHARED_BINS;
    for (int i = threadIdx.x; shared && i < bins.bins; i += blockDim.x)
        own[i] = 0;
    __syncthreads();
    for (long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x; i < n;
         i += (long long)gridDim.x * blockDim.x) {
        int bin = bins(in[i]);
        if (bin >= 0 && shared)
            atomicAdd(&own[bin], 1u);
        else if (bin >= 0)
            atomicAdd(&counts[bin], (Counter)1);
    }
    __syncthreads();
    for (int i = threadIdx.x; shared && i < bins.bins; i += blockDim.x)
        if (own[i] != 0)
            atomicAdd(&counts[i], (Counter)own[i]);
}

template <typename In, typename Counter, typename Bins>
cudaError_t launch_histogram(void *d_temp_storage, size_t &temp_storage_bytes, In in,
                             Counter *counts, Bins bins, long long n, cudaStream_t stream)
{
    temporary_storage storage(d_temp_storage);
    cudaError_t error;
    if (storage.asks(temp_storage_bytes, error))
        return error;
    if (bins.bins < 1)
        return cudaErrorInvalidValue;
    error = cudaMemsetAsync(counts, 0, bins.bins * sizeof(Counter), stream);
    if (error != cudaSuccess || n <= 0)
        return error;
    unsigned int blocks = blocks_for(n, 1024), most = HISTOGRAM_BLOCKS;
    blocks = blocks > most ? most : blocks;
    histogram<In, Counter, Bins><<<blocks, 256, 0, stream>>>(in, counts, bins, n);
    return cudaPeekAtLastError();
}
} // namespace detail

struct DeviceHistogram {
    template <typename In, typename Counter, typename Level, typename N>
    static cudaError_t HistogramEven(void *d_temp_storage, size_t &temp_storage_bytes, In d_samples,
                                     Counter *d_histogram, int num_levels, Level lower_level,
                                     Level upper_level, N num_samples, cudaStream_t stream = 0,
                                     bool = false)
    {
        return detail::launch_histogram(
            d_temp_storage, temp_storage_bytes, d_samples, d_histogram,
            detail::even_bins<Level>{num_levels - 1, lower_level, upper_level},
            (long long)num_samples, stream);
    }
    template <typename In, typename Counter, typename Level, typename N>
    static cudaError_t HistogramRange(void *d_temp_storage, size_t &temp_storage_bytes,
                                      In d_samples, Counter *d_histogram, int num_levels,
                                      const Level *d_levels, N num_samples, cudaStream_t stream = 0,
                                      bool = false)
    {
        return detail::launch_histogram(d_temp_storage, temp_storage_bytes, d_samples, d_histogram,
                                        detail::ranged_bins<Level>{num_levels - 1, d_levels},
                                        (long long)num_samples, stream);
    }
};

} // namespace cub
