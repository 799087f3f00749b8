// Small control flow, one kernel each. `out` has one number a thread.

// 24 lanes take A, 8 take B; C is for all.
__global__ void if_else(float *out)
{
    int lane = threadIdx.x;
    float x = out[lane];
    if (lane < 24) {
#pragma unroll
        for (int i = 0; i < 20; i++)
            x = x * 0.5f;
    } else {
#pragma unroll
        for (int i = 0; i < 20; i++)
            x = x + 3.0f;
    }
    out[lane] = x + 10.0f;
}

// Lanes 0 to 2 of the first warp part from the rest.
__global__ void over_two(float *out)
{
    float x = out[threadIdx.x];
    if (threadIdx.x > 2) {
#pragma unroll
        for (int i = 0; i < 20; i++)
            x = x * 0.5f + 1.0f;
        out[threadIdx.x] = x;
    }
}

// A branch inside a branch: three paths of 8, 8 and 16 lanes.
__global__ void nested(int *out)
{
    int lane = threadIdx.x;
    volatile int *to = out + lane;
    if (lane < 16) {
        if (lane < 8)
            *to = 1;
        else
            *to = 2;
    } else {
        *to = 3;
    }
}

// A switch with four cases of 8 lanes.
__global__ void four_cases(int *out)
{
    int lane = threadIdx.x;
    volatile int *to = out + lane;
    switch (lane % 4) {
    case 0:
        *to = lane * lane;
        break;
    case 1:
        *to = lane + 100;
        break;
    case 2:
        *to = 1000 - lane;
        break;
    default:
        *to = lane ^ 0x55;
        break;
    }
}

// Half of the lanes leave early.
__global__ void early_exit(int *out)
{
    int lane = threadIdx.x;
    if (lane % 2)
        return;
    out[lane] = lane + 1;
}

// Each lane looks for the first multiple of 7 from its own start, and breaks out of the loop.
__global__ void leave_loop(int *out)
{
    int lane = threadIdx.x;
    int i = 0;
#pragma unroll 1
    for (; i < 100; i++)
        if ((lane + i) % 7 == 0)
            break;
    out[lane] = lane + i;
}

// An assertion is a branch too.
__global__ void with_assert(int *out, int limit)
{
    int lane = threadIdx.x;
    assert(lane < limit);
    out[lane] = lane;
}

// Two ways to choose: LENGTH operations a side, by a branch and by a selection.
#ifndef LENGTH
#define LENGTH 10
#endif
__device__ float multiply_side(float x)
{
#pragma unroll
    for (int i = 0; i < LENGTH; i++)
        x = x * 1.25f;
    return x;
}
__device__ float add_side(float x)
{
#pragma unroll
    for (int i = 0; i < LENGTH; i++)
        x = x + 1.25f;
    return x;
}
__global__ void branch(float *out)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float x = out[i];
    if (x > 1.0f)
        x = multiply_side(x);
    else
        x = add_side(x);
    out[i] = x;
}
__global__ void select(float *out)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float x = out[i];
    float product = multiply_side(x), sum = add_side(x);
    out[i] = x > 1.0f ? product : sum;
}

// What over_two must leave.
__global__ void over_two_results(float *out)
{
    float x = threadIdx.x;
#pragma unroll 1
    for (int i = 0; i < 20; i++)
        x = x * 0.5f + 1.0f;
    out[threadIdx.x] = threadIdx.x > 2 ? x : threadIdx.x;
}

// What branch and select must leave.
__global__ void chosen(float *out)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float x = out[i], product = x, sum = x;
#pragma unroll 1
    for (int k = 0; k < LENGTH; k++) {
        product = product * 1.25f;
        sum = sum + 1.25f;
    }
    out[i] = x > 1.0f ? product : sum;
}
