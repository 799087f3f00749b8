// Kernels of the literature's micro-benchmarks. See notes.md.

#ifndef CHAINS
#define CHAINS 1
#endif

// `steps` fused multiply-adds a thread, in CHAINS chains that do not depend on each other: each step of a chain
// needs the one before. `steps` is a multiple of 16 CHAINS.
__global__ void chains(float *out, int steps)
{
    float x[CHAINS], sum = 0;
#pragma unroll
    for (int chain = 0; chain < CHAINS; chain++)
        x[chain] = threadIdx.x + chain;
#pragma unroll 1
    for (int step = 0; step < steps; step += 16 * CHAINS)
#pragma unroll
        for (int i = 0; i < 16; i++)
#pragma unroll
            for (int chain = 0; chain < CHAINS; chain++)
                x[chain] = x[chain] * 0.5f + 1;
#pragma unroll
    for (int chain = 0; chain < CHAINS; chain++)
        sum += x[chain];
    out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

#ifndef VALUES
#define VALUES 1
#endif

// What chains must leave: each chain ends at the number that half of itself and one make.
__global__ void chain_ends(float *out)
{
    float sum = 0;
    for (int chain = 0; chain < CHAINS; chain++)
        sum += 2;
    out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

// A copy, VALUES numbers a thread: all of its loads are in flight before it stores the first.
__global__ void copy(float *to, const float *from, int n)
{
    int threads = gridDim.x * blockDim.x;
#pragma unroll 1
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += VALUES * threads) {
        float value[VALUES];
#pragma unroll
        for (int k = 0; k < VALUES; k++)
            value[k] = i + k * threads < n ? from[i + k * threads] : 0;
#pragma unroll
        for (int k = 0; k < VALUES; k++)
            if (i + k * threads < n)
                to[i + k * threads] = value[k];
    }
}

// What copy must leave.
__global__ void copied(float *to, const float *from, int n)
{
    for (int i = threadIdx.x; i < n; i += blockDim.x)
        to[i] = from[i];
}

#define PATH(number)                                                                                                   \
    case number:                                                                                                       \
        _Pragma("unroll") for (int step = 0; step < 100; step++) x = x * (2 * number + 3u) ^ step;                     \
        break

// A switch with 16 paths of the same work, of which the lanes of each warp take the first `paths` in turn.
__global__ void paths(unsigned *out, int paths)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned x = i;
    switch (threadIdx.x % paths) {
        PATH(0); PATH(1); PATH(2); PATH(3); PATH(4); PATH(5); PATH(6); PATH(7);
        PATH(8); PATH(9); PATH(10); PATH(11); PATH(12); PATH(13); PATH(14); PATH(15);
    }
    out[i] = x;
}

// What paths must leave: the number of the path is a factor, not a place in the code.
__global__ void path_results(unsigned *out, int paths)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned x = i, factor = 2 * (threadIdx.x % paths) + 3;
#pragma unroll 1
    for (int step = 0; step < 100; step++)
        x = x * factor ^ step;
    out[i] = x;
}
