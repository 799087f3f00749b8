/*
 * Passes over the banks of shared memory, by time, for the accesses of tests/data/h200_banks.csv
 * (its columns bytes and offsets): writes the cycles of a load, of a store, and the latency of a
 * load and the add behind it.
 *
 *   nvcc -arch=sm_90 -o bank_probe tests/gpu/bank_probe.cu
 *   ./bank_probe tests/data/h200_banks.csv
 *   ncu --metrics l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum,... ./bank_probe CSV counters
 *
 * With `counters` each access is a launch of 16 loads by one warp, then one of 16 stores.
 */
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <cuda_runtime.h>
#include <vector>

typedef unsigned long long u64;
typedef unsigned u32;

enum { LANES = 32, WARPS = 16, BURST = 16, CHAIN = 32, BYTES = 65536, ROUNDS = 4 };

struct Access {
    int bytes;
    int offset[LANES]; /* -1: the lane is off */
};

extern __shared__ __align__(128) u32 data[];

static void check(cudaError_t error)
{
    if (error != cudaSuccess) {
        fprintf(stderr, "bank_probe: %s\n", cudaGetErrorString(error));
        exit(1);
    }
}

__device__ u64 now()
{
    u64 t;
    asm volatile("mov.u64 %0, %%clock64;" : "=l"(t)::"memory");
    return t;
}

template <int SIZE> __device__ u32 load(u32 place)
{
    u32 a, b, c, d;
    if (SIZE == 4)
        asm volatile("ld.volatile.shared.u32 %0,[%1];" : "=r"(a) : "r"(place));
    if (SIZE == 8)
        asm volatile("ld.volatile.shared.v2.u32 {%0,%1},[%2];" : "=r"(a), "=r"(b) : "r"(place));
    if (SIZE == 16)
        asm volatile("ld.volatile.shared.v4.u32 {%0,%1,%2,%3},[%4];"
                     : "=r"(a), "=r"(b), "=r"(c), "=r"(d)
                     : "r"(place));
    return a;
}

template <int SIZE> __device__ void store(u32 place, u32 zero)
{
    if (SIZE == 4)
        asm volatile("st.volatile.shared.u32 [%0],%1;" ::"r"(place), "r"(zero));
    if (SIZE == 8)
        asm volatile("st.volatile.shared.v2.u32 [%0],{%1,%1};" ::"r"(place), "r"(zero));
    if (SIZE == 16)
        asm volatile("st.volatile.shared.v4.u32 [%0],{%1,%1,%1,%1};" ::"r"(place), "r"(zero));
}

template <int SIZE, bool STORE> __device__ void burst(u32 place, u32 zero)
{
#pragma unroll
    for (int i = 0; i < BURST; i++)
        if (STORE)
            store<SIZE>(place, zero);
        else
            load<SIZE>(place);
}

__device__ void clear()
{
    for (int i = threadIdx.x; i < BYTES / 4; i += blockDim.x)
        data[i] = 0;
    __syncthreads();
}

/* A load behind the barrier, whose value is looked at, waits for it; clock reads do not. */
__device__ void settle(u64 *out)
{
    if (*(volatile u32 *)(data + BYTES / 4 - 1) == 77)
        *out = 1;
}

/* Block i does access i; each warp writes when it began and ended. */
template <int SIZE, bool STORE>
__global__ void rate(const Access *access, int trips, u64 *out, u32 zero)
{
    clear();
    int offset = access[blockIdx.x].offset[threadIdx.x % LANES];
    u32 place = (u32)__cvta_generic_to_shared(data) + offset;
    if (offset >= 0)
        burst<SIZE, STORE>(place, zero);
    __syncthreads();
    settle(out);
    u64 start = now();
    for (int i = 0; offset >= 0 && i < trips; i++)
        burst<SIZE, STORE>(place, zero);
    __syncwarp();
    settle(out);
    u64 end = now();
    if (threadIdx.x % LANES == 0) {
        u64 *at = out + ((size_t)blockIdx.x * WARPS + threadIdx.x / LANES) * 2;
        at[0] = start;
        at[1] = end;
    }
}

/* One warp; the address of each load is the last one's and the value, which is 0. */
template <int SIZE> __global__ void chain(const Access *access, int trips, u64 *out)
{
    clear();
    int offset = access[blockIdx.x].offset[threadIdx.x % LANES];
    u32 place = (u32)__cvta_generic_to_shared(data) + offset;
    u64 start = 0;
    if (offset < 0)
        return;
    for (int i = 0; i < trips + 1; i++) {
        if (i == 1)
            start = now();
#pragma unroll
        for (int k = 0; k < CHAIN; k++) {
            u32 value = load<SIZE>(place);
            asm volatile("add.u32 %0,%0,%1;" : "+r"(place) : "r"(value));
        }
    }
    if (place == 1)
        *out = 1;
    out[blockIdx.x] = now() - start;
}

template <int SIZE, bool STORE> __global__ void once(const Access *access, u32 zero)
{
    int offset = access->offset[threadIdx.x];
    if (offset >= 0)
        burst<SIZE, STORE>((u32)__cvta_generic_to_shared(data) + offset, zero);
}

/* The least difference of two lengths of a loop, by access. `time` launches and gives the times. */
template <typename Time> std::vector<double> differences(int count, int few, int many, Time time)
{
    std::vector<double> least[2] = {std::vector<double>(count, 1e30),
                                    std::vector<double>(count, 1e30)};
    for (int round = 0; round < ROUNDS; round++)
        for (int which = 0; which < 2; which++) {
            std::vector<double> got = time(which == 0 ? few : many);
            for (int i = 0; i < count && round > 0; i++) /* the first launch is cold */
                least[which][i] = std::min(least[which][i], got[i]);
        }
    for (int i = 0; i < count; i++)
        least[1][i] = (least[1][i] - least[0][i]) / (many - few);
    return least[1];
}

template <int SIZE, bool STORE> std::vector<double> rates(const Access *access, int count, u64 *out)
{
    enum { ONE_A_SM = 160 * 1024 };
    check(cudaFuncSetAttribute(rate<SIZE, STORE>, cudaFuncAttributeMaxDynamicSharedMemorySize,
                               ONE_A_SM));
    std::vector<double> ret = differences(count, 2, 10, [&](int trips) {
        std::vector<u64> stamp((size_t)count * WARPS * 2);
        std::vector<double> cycles(count);
        rate<SIZE, STORE><<<count, WARPS * LANES, ONE_A_SM>>>(access, trips, out, 0);
        check(cudaMemcpy(stamp.data(), out, stamp.size() * 8, cudaMemcpyDeviceToHost));
        for (int i = 0; i < count; i++) {
            u64 first = ~0ull, last = 0;
            for (int w = i * WARPS; w < (i + 1) * WARPS; w++) {
                first = std::min(first, stamp[2 * w]);
                last = std::max(last, stamp[2 * w + 1]);
            }
            cycles[i] = (double)(last - first);
        }
        return cycles;
    });
    for (double &cycles : ret)
        cycles /= WARPS * BURST;
    return ret;
}

template <int SIZE> std::vector<double> latencies(const Access *access, int count, u64 *out)
{
    check(cudaFuncSetAttribute(chain<SIZE>, cudaFuncAttributeMaxDynamicSharedMemorySize, BYTES));
    std::vector<double> ret = differences(count, 1, 4, [&](int trips) {
        std::vector<u64> taken(count);
        chain<SIZE><<<count, LANES, BYTES>>>(access, trips, out);
        check(cudaMemcpy(taken.data(), out, taken.size() * 8, cudaMemcpyDeviceToHost));
        return std::vector<double>(taken.begin(), taken.end());
    });
    for (double &cycles : ret)
        cycles /= CHAIN;
    return ret;
}

template <int SIZE> void measure(const std::vector<Access> &all, bool counters)
{
    std::vector<Access> mine;
    Access *access;
    u64 *out;
    for (const Access &one : all)
        if (one.bytes == SIZE)
            mine.push_back(one);
    int count = (int)mine.size();
    check(cudaMalloc(&access, mine.size() * sizeof(Access)));
    check(cudaMalloc(&out, mine.size() * WARPS * 2 * sizeof *out));
    check(cudaMemcpy(access, mine.data(), mine.size() * sizeof(Access), cudaMemcpyHostToDevice));
    for (int i = 0; counters && i < count; i++) {
        once<SIZE, false><<<1, LANES, 32768>>>(access + i, 0);
        once<SIZE, true><<<1, LANES, 32768>>>(access + i, 0);
    }
    check(cudaDeviceSynchronize());
    if (counters)
        return;
    std::vector<double> loads = rates<SIZE, false>(access, count, out),
                        stores = rates<SIZE, true>(access, count, out),
                        latency = latencies<SIZE>(access, count, out);
    for (int i = 0; i < count; i++) {
        printf("%d,", SIZE);
        for (int lane = 0; lane < LANES; lane++)
            if (mine[i].offset[lane] < 0)
                printf(lane ? " -" : "-");
            else
                printf(lane ? " %d" : "%d", mine[i].offset[lane]);
        printf(",%.2f,%.2f,%.2f\n", loads[i], stores[i], latency[i]);
    }
}

int main(int argc, char **argv)
{
    FILE *file = argc >= 2 ? fopen(argv[1], "r") : NULL;
    std::vector<Access> all;
    char line[1024];
    if (file == NULL) {
        fprintf(stderr, "usage: bank_probe h200_banks.csv [counters]\n");
        return 2;
    }
    while (fgets(line, sizeof line, file) != NULL) {
        Access one;
        char *at = strchr(line, ',');
        if (sscanf(line, "%d,", &one.bytes) != 1 || at == NULL)
            continue; /* a comment or the header */
        for (int lane = 0; lane < LANES; lane++) {
            at += strspn(at, ", ");
            one.offset[lane] = *at == '-' ? -1 : (int)strtol(at, NULL, 10);
            at += strcspn(at, ", ");
        }
        all.push_back(one);
    }
    fclose(file);
    measure<4>(all, argc > 2);
    measure<8>(all, argc > 2);
    measure<16>(all, argc > 2);
    return 0;
}
