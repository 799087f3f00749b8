/*
 * Launches by kernels: exits with the line of the first check that fails. nvcc takes it, too (-rdc=true); an H100 passes but for
 * the numbers of launches that are pending, which there depend on how fast children end. With an argument: the short part.
 */
#include <cuda_runtime.h>

#define CHECK(condition)                                                                                               \
    do {                                                                                                               \
        if (!(condition))                                                                                              \
            return __LINE__ % 251 + 1;                                                                                 \
    } while (0)
#define GOOD(call) CHECK((call) == cudaSuccess)

struct Pair {
    char c;
    double d;
};

__device__ int written, order[64];

/* Puts a number behind those that are there. */
__global__ void note(int what)
{
    if (threadIdx.x == 0)
        order[atomicAdd(&written, 1)] = what;
}
__global__ void take(char a, double b, short c, Pair pair, int *out, float3 f)
{
    out[threadIdx.x + blockDim.x * blockIdx.x] = a + (int)b + c + pair.c + (int)pair.d + (int)(f.x + f.y + f.z);
}
template <typename T, int N> __global__ void fill(T *out)
{
    out[threadIdx.x] = N + gridDim.x * 10 + gridDim.y * 100 + blockDim.y * 1000;
}
namespace inner {
static __global__ void own(int *out)
{
    extern __shared__ int shared[];
    shared[threadIdx.x] = 3;
    out[threadIdx.x] = shared[31 - threadIdx.x] + 4;
}
}
__device__ void from_function(int *out)
{
    inner::own<<<1, 32, 32 * sizeof(int)>>>(out);
}

__global__ void parent(int *out)
{
    take<<<2, 2>>>('a', 1.5, -7, Pair{1, 20}, out, make_float3(1, 2, 3)); /* a comment with <<<1, 1>>>(x) */
    fill<int, 7><<<dim3(1, 2), dim3(4, 2)>>>(out + 8);
    fill<long long, (1 > 0)><<<1, 4>>>((long long *)(out + 16));
    if (threadIdx.x == 0)
        from_function(out + 32);
}

static int arguments(int *x)
{
    int host[64];
    parent<<<1, 1>>>(x);
    GOOD(cudaDeviceSynchronize());
    GOOD(cudaMemcpy(host, x, sizeof host, cudaMemcpyDeviceToHost));
    for (int i = 0; i < 4; i++) {
        CHECK(host[i] == 'a' + 1 - 7 + 1 + 20 + 6);
        CHECK(host[8 + i] == 7 + 10 + 200 + 2000);
        CHECK(host[16 + 2 * i] == 1 + 10 + 100 + 1000 && host[17 + 2 * i] == 0);
    }
    CHECK(host[32] == 7 && host[63] == 7);
    return 0;
}

/* A tree: what is behind tail launches comes when all children have ended, with theirs. */
__global__ void tree(int depth)
{
    note<<<1, 1, 0, cudaStreamTailLaunch>>>(100 + depth);
    note<<<1, 1>>>(depth);
    if (depth < 2)
        tree<<<1, 1>>>(depth + 1);
    note<<<1, 32, 0, cudaStreamTailLaunch>>>(200 + depth);
}
__global__ void tails(int depth)
{
    order[written++] = depth;
    if (depth == 0) {
        tails<<<1, 1, 0, cudaStreamTailLaunch>>>(1);
        tails<<<1, 1, 0, cudaStreamTailLaunch>>>(2);
    } else if (depth == 1) {
        note<<<1, 1, 0, cudaStreamTailLaunch>>>(11);
        note<<<1, 1>>>(12);
    }
}

template <int N> static int ordered(const int (&want)[N])
{
    int count = 0, host[64];
    GOOD(cudaDeviceSynchronize());
    GOOD(cudaMemcpyFromSymbol(&count, written, sizeof count));
    GOOD(cudaMemcpyFromSymbol(host, order, sizeof host));
    CHECK(count == N);
    for (int i = 0; i < N; i++)
        CHECK(host[i] == want[i]);
    count = 0;
    GOOD(cudaMemcpyToSymbol(written, &count, sizeof count));
    return 0;
}

/* What launches give that cannot be made. */
__global__ void errors(int *out)
{
    cudaStream_t stream = 0;
    int i = 0;
    note<<<0, 1>>>(1);
    out[i++] = cudaPeekAtLastError();
    out[i++] = cudaGetLastError();
    out[i++] = cudaGetLastError();
    note<<<1, 2000>>>(1);
    note<<<1, dim3(32, 1, 1)>>>(5); /* does not take the error away */
    out[i++] = cudaGetLastError();
    note<<<1, 1, 500000>>>(1);
    out[i++] = cudaGetLastError();
    note<<<1, 1, 0, (cudaStream_t)77>>>(1);
    out[i++] = cudaGetLastError();
    out[i++] = cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
    note<<<1, 1, 0, stream>>>(6);
    out[i++] = cudaGetLastError();
    out[i++] = cudaStreamDestroy(stream);
    note<<<1, 1, 0, cudaStreamFireAndForget>>>(7);
    out[i++] = cudaGetLastError();
}

static int refused(int *x)
{
    const int want[] = {9, 9, 0, 9, 9, 1, 0, 0, 0, 0};
    int host[10];
    errors<<<1, 1>>>(x);
    GOOD(cudaMemcpy(host, x, sizeof host, cudaMemcpyDeviceToHost));
    for (int i = 0; i < 10; i++)
        CHECK(host[i] == want[i]);
    return ordered({5, 6, 7});
}

__global__ void leaf(int *x)
{
    atomicAdd(x, 1);
}
__global__ void each(int *x)
{
    leaf<<<1, 1>>>(x);
    const cudaError_t error = cudaGetLastError();
    if (error == cudaErrorLaunchPendingCountExceeded)
        atomicAdd(x + 1, 1);
    else if (error != cudaSuccess)
        atomicAdd(x + 2, 1);
}
__global__ void chain(int *x, int depth)
{
    *x = depth;
    chain<<<1, 1>>>(x, depth + 1);
    if (cudaGetLastError() == cudaErrorLaunchPendingCountExceeded)
        x[1] = depth;
}

static int pending(int *x)
{
    int host[3];
    size_t limit = 0;
    GOOD(cudaDeviceGetLimit(&limit, cudaLimitDevRuntimePendingLaunchCount));
    CHECK(limit == 2048);
    CHECK(cudaDeviceGetLimit(&limit, cudaLimitDevRuntimeSyncDepth) == cudaErrorUnsupportedLimit);
    CHECK(cudaGetLastError() == cudaErrorUnsupportedLimit);
    GOOD(cudaMemset(x, 0, sizeof host));
    each<<<20, 128>>>(x);
    GOOD(cudaMemcpy(host, x, sizeof host, cudaMemcpyDeviceToHost));
    CHECK(host[0] == 2048 && host[1] == 512 && host[2] == 0);
    /* Each waits for its child, so all are pending. */
    GOOD(cudaDeviceSetLimit(cudaLimitDevRuntimePendingLaunchCount, 10));
    GOOD(cudaDeviceGetLimit(&limit, cudaLimitDevRuntimePendingLaunchCount));
    CHECK(limit == 32);
    chain<<<1, 1>>>(x, 0);
    GOOD(cudaMemcpy(host, x, sizeof host, cudaMemcpyDeviceToHost));
    CHECK(host[0] == 32 && host[1] == 32);
    GOOD(cudaDeviceSetLimit(cudaLimitDevRuntimePendingLaunchCount, 4096));
    GOOD(cudaMemset(x, 0, sizeof host));
    each<<<20, 128>>>(x);
    GOOD(cudaMemcpy(host, x, sizeof host, cudaMemcpyDeviceToHost));
    CHECK(host[0] == 2560 && host[1] == 0);
    return 0;
}

__global__ void faulty()
{
    *(volatile int *)16 = 1;
}
__global__ void parent_of_faulty()
{
    note<<<1, 1>>>(1);
    faulty<<<1, 1>>>();
    note<<<1, 1>>>(2);
}

int main(int argc, char **)
{
    int *x, line;
    GOOD(cudaMalloc(&x, 64 * sizeof *x));
    GOOD(cudaMemset(x, 0, 64 * sizeof *x));
    if ((line = arguments(x)))
        return line;
    tree<<<1, 1>>>(0);
    if ((line = ordered({0, 1, 2, 102, 202, 101, 201, 100, 200})))
        return line;
    tails<<<1, 1>>>(0);
    if ((line = ordered({0, 1, 12, 11, 2})))
        return line;
    if ((line = refused(x)))
        return line;
    if (argc > 1)
        return 0;
    if ((line = pending(x)))
        return line;
    parent_of_faulty<<<1, 1>>>();
    GOOD(cudaGetLastError()); /* as with any kernel, a call that waits tells */
    CHECK(cudaDeviceSynchronize() == cudaErrorIllegalAddress);
    GOOD(cudaDeviceReset());
    return 0;
}
