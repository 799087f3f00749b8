// The sum of all numbers of a buffer: what blocks can do, who may not wait for each other.

__device__ float block_sum(float x)
{
    __shared__ float partial[32];
    int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    for (int step = 16; step > 0; step /= 2)
        x += __shfl_down_sync(0xffffffff, x, step);
    if (lane == 0)
        partial[warp] = x;
    __syncthreads();
    x = 0.0f;
    if (warp == 0) {
        x = lane < blockDim.x / 32 ? partial[lane] : 0.0f;
        for (int step = 16; step > 0; step /= 2)
            x += __shfl_down_sync(0xffffffff, x, step);
    }
    return x;
}

// One number a block; launched a second time with one block, it sums the sums.
__global__ void block_sums(float *sums, const float *in)
{
    float sum = block_sum(in[blockIdx.x * blockDim.x + threadIdx.x]);
    if (threadIdx.x == 0)
        sums[blockIdx.x] = sum;
}

// Every block adds its sum to one place.
__global__ void atomic_blocks(float *total, const float *in)
{
    float sum = block_sum(in[blockIdx.x * blockDim.x + threadIdx.x]);
    if (threadIdx.x == 0)
        atomicAdd(total, sum);
}

// Every thread adds its number to one place.
__global__ void atomic_threads(float *total, const float *in)
{
    atomicAdd(total, in[blockIdx.x * blockDim.x + threadIdx.x]);
}

// All blocks wait for each other: a barrier of the grid, made of a counter. It works only if every
// block of the grid has a place on an SM at the same time.
__global__ void grid_barrier(float *total, const float *in, float *sums, int *arrived)
{
    float sum = block_sum(in[blockIdx.x * blockDim.x + threadIdx.x]);
    if (threadIdx.x == 0) {
        sums[blockIdx.x] = sum;
        __threadfence();
        atomicAdd(arrived, 1);
        while (*(volatile int *)arrived < gridDim.x) {
        }
        __threadfence();
    }
    __syncthreads();
    if (blockIdx.x != 0)
        return;
    float x = threadIdx.x < gridDim.x ? ((volatile float *)sums)[threadIdx.x] : 0.0f;
    __syncthreads();
    x = block_sum(x);
    if (threadIdx.x == 0)
        *total = x;
}
