/* <cuda/atomic>, <cuda/barrier>, <cuda/pipeline> and their like. Prints what differs, then "done". */
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cuda/atomic>
#include <cuda/barrier>
#include <cuda/latch>
#include <cuda/pipeline>
#include <cuda/semaphore>
#include <cuda/std/atomic>
#include <cuda/std/barrier>
#include <cuda/std/type_traits>
#include <cuda_pipeline.h>

#include <cstdio>
#include <cstdlib>
#include <utility>
#include <vector>

namespace cg = cooperative_groups;
enum { THREADS = 96, BLOCKS = 4, MOST = THREADS * BLOCKS };
static int *device;
static std::vector<int> out(2 * MOST);

static void fetch(const char *what)
{
    cudaError_t error = cudaMemcpy(out.data(), device, out.size() * sizeof(int), cudaMemcpyDeviceToHost);
    cudaMemset(device, 0, out.size() * sizeof(int));
    if (error != cudaSuccess) {
        std::printf("%s: %s\n", what, cudaGetErrorString(error));
        std::exit(1);
    }
}
static void expect(const char *what, long long got, long long wanted)
{
    static int wrong;
    if (got == wanted)
        return;
    std::printf("%s: %lld, not %lld\n", what, got, wanted);
    if (++wrong == 20)
        std::exit(1);
}

/* ---- atomics ----------------------------------------------------------------------------------- */

/* Each operation, alone: what it returns and leaves, mixed into one number. */
template <typename Atomic, typename T> __host__ __device__ long long operations(Atomic &x, T)
{
    long long sum = 0;
    auto take = [&](long long value) { sum = sum * 31 + value; };
    x.store(100);
    take(x.exchange(90));
    take(x.fetch_add(7, cuda::memory_order_relaxed));
    take(x.fetch_sub(50, cuda::memory_order_acq_rel));
    take(x.fetch_and(0x2d, cuda::memory_order_release));
    take(x.fetch_or(0x50, cuda::memory_order_acquire));
    take(x.fetch_xor(0x0f));
    take(x.fetch_max(101));
    take(x.fetch_min(3));
    take(x.fetch_sub(5));
    take(x.fetch_max(1)); /* of a number below zero, if there are such */
    take(++x);
    take(x--);
    take(x += 9);
    take(x |= 4);
    T seen = 5;
    take(x.compare_exchange_strong(seen, 77));
    take(seen);
    take(x.compare_exchange_strong(seen, 78, cuda::memory_order_acq_rel, cuda::memory_order_relaxed));
    take(seen);
    take(x.load(cuda::memory_order_acquire));
    x = 9;
    return sum * 31 + x;
}

template <typename T> static long long wanted_operations()
{
    long long sum = 0;
    auto take = [&](long long value) { sum = sum * 31 + value; };
    T x = 90;
    take(100);
    for (int step = 0; step < 13; step++) {
        T old = x;
        switch (step) {
        case 0: x += 7; break;
        case 1: x -= 50; break;
        case 2: x &= 0x2d; break;
        case 3: x |= 0x50; break;
        case 4: x ^= 0x0f; break;
        case 5: x = x < 101 ? 101 : x; break;
        case 6: x = 3 < x ? 3 : x; break;
        case 7: x -= 5; break;
        case 8: x = x < 1 ? 1 : x; break;
        case 9: old = ++x; break;
        case 10: x--; break;
        case 11: old = x += 9; break;
        default: old = x |= 4; break;
        }
        take(old);
    }
    take(x == 5);
    take(x);
    take(1);
    take(x);
    take(78);
    return sum * 31 + 9;
}

struct Everything {
    cuda::atomic<int> a;
    cuda::atomic<unsigned int, cuda::thread_scope_block> b;
    cuda::atomic<long long, cuda::thread_scope_block> c;
    cuda::atomic<unsigned long long, cuda::thread_scope_system> d;
    cuda::atomic<signed char, cuda::thread_scope_block> e[2];
    cuda::atomic<unsigned short, cuda::thread_scope_device> f[2];
    cuda::std::atomic<short> g;
    int h;
    cuda::atomic<float, cuda::thread_scope_device> sum;
    cuda::atomic<double> large;
    cuda::std::atomic<int *> pointer;
    cuda::atomic<bool> flag;
};

__host__ __device__ void all_operations(Everything *x, long long *to)
{
    to[0] = operations(x->a, 0);
    to[1] = operations(x->b, 0u);
    to[2] = operations(x->c, 0ll);
    to[3] = operations(x->d, 0ull);
    x->e[0] = x->e[1] = 55;
    to[4] = operations(x->e[1], (signed char)0) + x->e[0] - 55;
    x->f[0] = x->f[1] = 1234;
    to[5] = operations(x->f[1], (unsigned short)0) + x->f[0] - 1234;
    to[6] = operations(x->g, (short)0);
    cuda::atomic_ref<int, cuda::thread_scope_device> reference(x->h);
    to[7] = operations(reference, 0);
    x->sum = 1.5f;
    to[8] = (long long)(x->sum.fetch_add(2) * 10) + (long long)(x->sum * 1000);
    x->large = 4;
    to[9] = (long long)(x->large.fetch_sub(1) * 10) + (long long)(x->large.fetch_max(7.5) * 1000) + (long long)(x->large * 100000);
    x->pointer = &x->h;
    x->pointer += 3;
    to[10] = x->pointer.load() - &x->h;
    x->flag = false;
    to[11] = x->flag.exchange(true) * 2 + x->flag.load();
    to[12] = sizeof x->a * 1000 + sizeof x->e * 100 + sizeof x->large;
}

__global__ void alone(Everything *x, long long *to)
{
    __shared__ Everything shared;
    all_operations(blockIdx.x == 0 ? x : &shared, to + blockIdx.x * 16);
}

/* The functions of CUDA C with scopes, of numbers that are negative as signed ones. */
__global__ void scoped(int *out)
{
    __shared__ unsigned int places[6];
    __shared__ unsigned long long wide[4];
    for (int i = 0; i < 6; i++)
        places[i] = 0xfffffff0u;
    for (int i = 0; i < 4; i++)
        wide[i] = ~0ull << 60;
    atomicMax(&places[0], 5u);
    atomicMax_block(&places[1], 5u);
    atomicMax_system(&places[2], 5u);
    atomicMin(&places[3], 5u);
    atomicMin_block(&places[4], 5u);
    atomicMin_system(&places[5], 5u);
    atomicMax_block(&wide[0], 5ull);
    atomicMax_system(&wide[1], 5ull);
    atomicMin_block(&wide[2], 5ull);
    atomicMin_system(&wide[3], 5ull);
    for (int i = 0; i < 6; i++)
        out[i] = places[i] == (i < 3 ? 0xfffffff0u : 5u);
    for (int i = 0; i < 4; i++)
        out[6 + i] = wide[i] == (i < 2 ? ~0ull << 60 : 5ull);
}

static void expect_operations(const char *where, const long long *got)
{
    expect(where, got[0], wanted_operations<int>());
    expect(where, got[1], wanted_operations<unsigned>());
    expect(where, got[2], wanted_operations<long long>());
    expect(where, got[3], wanted_operations<unsigned long long>());
    expect(where, got[4], wanted_operations<signed char>());
    expect(where, got[5], wanted_operations<unsigned short>());
    expect(where, got[6], wanted_operations<short>());
    expect(where, got[7], wanted_operations<int>());
    expect(where, got[8], 15 + 3500);
    expect(where, got[9], 40 + 3000 + 750000);
    expect(where, got[10], 3);
    expect(where, got[11], 1);
    expect(where, got[12], 4000 + 200 + 8);
}

/* All threads at once. */
__global__ void together(int *out)
{
    __shared__ cuda::atomic<unsigned char, cuda::thread_scope_block> small[8];
    __shared__ cuda::atomic<int, cuda::thread_scope_block> turn;
    __shared__ int plain;
    const int i = threadIdx.x;
    if (i < 8)
        small[i].store(i, cuda::memory_order_relaxed);
    if (i == 0) {
        turn = 0;
        plain = 0;
    }
    __syncthreads();
    small[i % 8].fetch_add(2);
    cuda::atomic_ref<int, cuda::thread_scope_device>(out[0]).fetch_max(blockIdx.x * 1000 + i);
    cuda::atomic_ref<unsigned, cuda::thread_scope_device>((unsigned &)out[1]).fetch_add(i, cuda::memory_order_relaxed);
    if (i % 32 == 0) { /* one warp after the other */
        turn.wait(-1);
        while (turn.load(cuda::memory_order_acquire) != i / 32)
            ;
        plain = plain * 10 + i / 32 + 1;
        turn.store(i / 32 + 1, cuda::memory_order_release);
    }
    __syncthreads();
    if (i < 8)
        out[2 + blockIdx.x * 9 + i] = small[i];
    else if (i == 8)
        out[2 + blockIdx.x * 9 + i] = plain;
}

/* ---- barriers and their like ------------------------------------------------------------------- */

struct Count {
    int *phases;
    __device__ void operator()() noexcept
    {
        ++*phases;
    }
};

__global__ void barriers(int *out)
{
    __shared__ cuda::barrier<cuda::thread_scope_block> barrier;
    __shared__ cuda::barrier<cuda::thread_scope_block, Count> counting;
    __shared__ int values[THREADS], phases;
    const int i = threadIdx.x;
    int sum = 0;
    if (i == 0) {
        init(&barrier, blockDim.x);
        phases = 0;
        init(&counting, THREADS / 3, Count{&phases});
    }
    __syncthreads();
    for (int round = 0; round < 5; round++) {
        values[i] = i * round;
        auto token = barrier.arrive();
        sum += round;
        barrier.wait(std::move(token));
        sum += values[(i + 1) % THREADS];
        barrier.arrive_and_wait();
    }
    if (i % 3 == 0) { /* the others, one after the other, are not there any more */
        for (int round = 0; round < 4; round++) {
            values[i] = round;
            counting.arrive_and_wait();
            sum += values[(i + 3) % THREADS] * 1000 + phases * 100000;
            counting.arrive_and_wait();
        }
        if (i % 2 == 0) {
            counting.arrive_and_drop();
        } else {
            counting.arrive_and_wait();
            values[i] = 7;
            counting.arrive_and_wait();
            sum += values[(i + 6) % THREADS] * 10000000;
        }
    }
    out[blockIdx.x * THREADS + i] = sum;
    (void)cuda::std::barrier<>::max();
}

/* One warp, each lane on its own, and all blocks. */
__global__ void other_kinds(int *out, cuda::barrier<cuda::thread_scope_device> *all, cuda::latch<cuda::thread_scope_device> *latch,
                            cuda::counting_semaphore<cuda::thread_scope_device> *places)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = i;
    bool odd = false;
    for (int round = 0; round < 3; round++) {
        (void)all->arrive(1);
        all->wait_parity(odd);
        odd = !odd;
        int value = *(volatile int *)&out[(i + 37) % MOST];
        all->arrive_and_wait();
        odd = !odd;
        *(volatile int *)&out[i] = value + 1;
    }
    latch->arrive_and_wait();
    int value = *(volatile int *)&out[(i + 1) % MOST];
    atomicAdd(&out[MOST + 2], value);
    if (i % 32 == 0) { /* two warps at a time */
        places->acquire();
        int inside = atomicAdd(&out[MOST], 1) + 1;
        atomicMax(&out[MOST + 1], inside);
        __nanosleep(1000);
        atomicSub(&out[MOST], 1);
        places->release();
    }
}

__global__ void prepare(cuda::barrier<cuda::thread_scope_device> *all, cuda::latch<cuda::thread_scope_device> *latch,
                        cuda::counting_semaphore<cuda::thread_scope_device> *places)
{
    init(all, MOST);
    init(latch, MOST);
    new (places) cuda::counting_semaphore<cuda::thread_scope_device>(2);
}

/* ---- copies ------------------------------------------------------------------------------------ */

__global__ void copies(const int *in, int *out)
{
    alignas(16) __shared__ int buffer[THREADS + 8];
    __shared__ cuda::barrier<cuda::thread_scope_block> barrier;
    auto block = cg::this_thread_block();
    const int i = threadIdx.x, *from = in + blockIdx.x * THREADS;
    int sum = 0;
    if (i == 0)
        init(&barrier, THREADS);
    block.sync();
    cg::memcpy_async(block, buffer, from, sizeof(int) * THREADS);
    cg::wait(block);
    sum += buffer[THREADS - 1 - i];
    block.sync();
    cg::memcpy_async(block, buffer + 1, THREADS, from, THREADS / 2);
    cg::wait_prior<0>(block);
    sum += buffer[1 + i % (THREADS / 2)] * 2;
    block.sync();
    cuda::memcpy_async(block, buffer, from, cuda::aligned_size_t<16>(sizeof(int) * THREADS), barrier);
    barrier.arrive_and_wait();
    sum += buffer[(i + 5) % THREADS] * 3;
    barrier.arrive_and_wait();
    cuda::memcpy_async(&buffer[i], &from[i], sizeof(int), barrier);
    barrier.arrive_and_wait();
    sum += buffer[(i + 7) % THREADS] * 4;
    barrier.arrive_and_wait();
    char *bytes = (char *)buffer; /* one byte further than aligned */
    cuda::memcpy_async(block, bytes + 1, (const char *)from + 1, sizeof(int) * THREADS - 1, barrier);
    barrier.arrive_and_wait();
    sum += (buffer[i] & ~0xff) >> 8;
    barrier.arrive_and_wait();
    if (i < THREADS / 4)
        __pipeline_memcpy_async(buffer + i * 4, from + i * 4, 16, i == 0 ? 6 : 0);
    __pipeline_commit();
    __pipeline_wait_prior(0);
    block.sync();
    sum += buffer[i] * 5;
    out[blockIdx.x * THREADS + i] = sum;
}

enum { STAGES = 3, ROUNDS = 10, PRODUCERS = 32 };

/* Kinds: 0 all are both; 1 the first threads produce; 2 by roles, every third thread. */
__global__ void pipelines(int kind, const int *in, int *out)
{
    __shared__ int buffer[STAGES][THREADS];
    __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, STAGES> state;
    auto block = cg::this_thread_block();
    const int i = threadIdx.x;
    const bool produces = kind == 0 || (kind == 1 ? i < PRODUCERS : i % 3 == 0);
    const bool consumes = kind == 0 || !produces;
    const int producer = kind == 0 ? i : kind == 1 ? i : i / 3, producers = kind == 0 ? THREADS : PRODUCERS;
    auto pipe = kind == 0   ? cuda::make_pipeline(block, &state)
                : kind == 1 ? cuda::make_pipeline(block, &state, (size_t)PRODUCERS)
                            : cuda::make_pipeline(block, &state, produces ? cuda::pipeline_role::producer : cuda::pipeline_role::consumer);
    int sum = 0;
    for (int round = 0; round < ROUNDS; round++) {
        if (produces) {
            pipe.producer_acquire();
            for (int at = producer; at < THREADS; at += producers)
                cuda::memcpy_async(&buffer[round % STAGES][at], &in[(at + round * 11) % MOST], cuda::aligned_size_t<4>(4), pipe);
            pipe.producer_commit();
        }
        if (consumes) {
            pipe.consumer_wait();
            sum = sum * 3 + buffer[round % STAGES][(i + round * 17) % THREADS];
            pipe.consumer_release();
        }
    }
    cuda::pipeline<cuda::thread_scope_thread> own = cuda::make_pipeline();
    own.producer_acquire();
    block.sync();
    cuda::memcpy_async(&buffer[0][i], &in[i], sizeof(int), own);
    own.producer_commit();
    cuda::pipeline_consumer_wait_prior<0>(own);
    out[blockIdx.x * THREADS + i] = sum + buffer[0][i];
    own.consumer_release();
}

static void try_copies()
{
    std::vector<int> in(MOST);
    for (int i = 0; i < MOST; i++)
        in[i] = i * 2654435761u >> 8;
    int *device_in;
    cudaMalloc(&device_in, MOST * sizeof(int));
    cudaMemcpy(device_in, in.data(), MOST * sizeof(int), cudaMemcpyHostToDevice);
    copies<<<BLOCKS, THREADS>>>(device_in, device);
    fetch("copies");
    for (int i = 0; i < MOST; i++) {
        const int t = i % THREADS, *from = &in[i - t];
        const int cut = t == 2 ? from[2] & 0xffff : t == 3 ? 0 : from[t];
        expect("copies", out[i], (int)(from[THREADS - 1 - t] + from[t % (THREADS / 2)] * 2u + from[(t + 5) % THREADS] * 3u +
                                 from[(t + 7) % THREADS] * 4u + ((from[t] & ~0xff) >> 8) + cut * 5u));
    }
    for (int kind = 0; kind < 3; kind++) {
        pipelines<<<BLOCKS, THREADS>>>(kind, device_in, device);
        fetch("pipelines");
        for (int i = 0; i < MOST; i++) {
            const int t = i % THREADS;
            unsigned sum = 0;
            for (int round = 0; round < ROUNDS; round++)
                sum = sum * 3 + in[((t + round * 17) % THREADS + round * 11) % MOST];
            const bool consumes = kind == 0 || (kind == 1 ? t >= PRODUCERS : t % 3 != 0);
            expect("pipelines", out[i], (int)((consumes ? sum : 0) + in[t]));
        }
    }
}

static void try_atomics()
{
    Everything *device_atomics, *host = new Everything;
    long long results[32], *device_results;
    cudaMalloc(&device_atomics, sizeof *device_atomics);
    cudaMalloc(&device_results, sizeof results);
    alone<<<2, 1>>>(device_atomics, device_results);
    cudaMemcpy(results, device_results, sizeof results, cudaMemcpyDeviceToHost);
    expect_operations("in global memory", results);
    expect_operations("in shared memory", results + 16);
    all_operations(host, results);
    expect_operations("on the host", results);
    scoped<<<1, 1>>>(device);
    fetch("scoped");
    for (int i = 0; i < 10; i++)
        expect("scoped", out[i], 1);
    together<<<BLOCKS, THREADS>>>(device);
    fetch("together");
    expect("the greatest", out[0], (BLOCKS - 1) * 1000 + THREADS - 1);
    expect("the sum", out[1], BLOCKS * (THREADS - 1) * THREADS / 2);
    for (int block = 0; block < BLOCKS; block++)
        for (int i = 0; i < 9; i++)
            expect("together", out[2 + block * 9 + i], i < 8 ? i + 2 * (THREADS / 8) : 123);
}

static void try_barriers()
{
    barriers<<<BLOCKS, THREADS>>>(device);
    fetch("barriers");
    for (int i = 0; i < MOST; i++) {
        const int t = i % THREADS;
        int sum = 10 + (t + 1) % THREADS * 10;
        if (t % 3 == 0)
            sum += 6 * 1000 + (1 + 3 + 5 + 7) * 100000 + (t % 2 != 0) * 70000000;
        expect("barriers", out[i], sum);
    }
    cuda::barrier<cuda::thread_scope_device> *all;
    cuda::latch<cuda::thread_scope_device> *latch;
    cuda::counting_semaphore<cuda::thread_scope_device> *places;
    cudaMalloc(&all, sizeof *all);
    cudaMalloc(&latch, sizeof *latch);
    cudaMalloc(&places, sizeof *places);
    prepare<<<1, 1>>>(all, latch, places);
    other_kinds<<<BLOCKS, THREADS>>>(device, all, latch, places);
    fetch("other kinds");
    for (int i = 0; i < MOST; i++)
        expect("other kinds", out[i], (i + 3 * 37) % MOST + 3);
    expect("inside", out[MOST], 0);
    expect("two at a time", out[MOST + 1] == 1 || out[MOST + 1] == 2, 1);
    expect("the sum of all", out[MOST + 2], MOST * (MOST - 1) / 2 + 3 * MOST);
}

int main()
{
    cudaMalloc(&device, out.size() * sizeof(int));
    cudaMemset(device, 0, out.size() * sizeof(int));
    try_atomics();
    try_barriers();
    try_copies();
    std::puts("done");
    return 0;
}
