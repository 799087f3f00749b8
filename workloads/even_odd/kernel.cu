// Even threads add, odd threads multiply, in three forms. OPERATIONS is the length of a side.
#ifndef OPERATIONS
#define OPERATIONS 1
#endif

__device__ float add_many(float a, float b)
{
    float x = a;
#pragma unroll
    for (int i = 0; i < OPERATIONS; i++)
        x = x + b;
    return x;
}

__device__ float multiply_many(float a, float b)
{
    float x = a;
#pragma unroll
    for (int i = 0; i < OPERATIONS; i++)
        x = x * b;
    return x;
}

// A branch by thread: every warp has both kinds.
__global__ void by_thread(float *out, const float *a, const float *b)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float x;
    if (threadIdx.x % 2 == 0)
        x = add_many(a[i], b[i]);
    else
        x = multiply_many(a[i], b[i]);
    out[i] = x;
}

// No branch: both are computed and one is chosen.
__global__ void by_choice(float *out, const float *a, const float *b)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = add_many(a[i], b[i]);
    float product = multiply_many(a[i], b[i]);
    out[i] = threadIdx.x % 2 == 0 ? sum : product;
}

// A branch by warp: no warp has both kinds.
__global__ void by_warp(float *out, const float *a, const float *b)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float x;
    if (threadIdx.x / 32 % 2 == 0)
        x = add_many(a[i], b[i]);
    else
        x = multiply_many(a[i], b[i]);
    out[i] = x;
}
