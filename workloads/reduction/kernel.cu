// Sums of blocks of 256 numbers, in two forms.

// Thread 0 adds all of them: one lane of 32 at work.
__global__ void thread_0_sums(float *sums, const float *in)
{
    __shared__ float shared[256];
    shared[threadIdx.x] = in[blockIdx.x * 256 + threadIdx.x];
    __syncthreads();
    if (threadIdx.x == 0) {
        float sum = 0.0f;
        for (int i = 0; i < 256; i++)
            sum += shared[i];
        sums[blockIdx.x] = sum;
    }
}

// Five shuffle steps in each warp, then the first warp adds the eight partial sums.
__global__ void shuffle_sums(float *sums, const float *in)
{
    __shared__ float partial[8];
    int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    float x = in[blockIdx.x * 256 + threadIdx.x];
    for (int step = 16; step > 0; step /= 2)
        x += __shfl_down_sync(0xffffffff, x, step);
    if (lane == 0)
        partial[warp] = x;
    __syncthreads();
    if (warp == 0) {
        x = lane < 8 ? partial[lane] : 0.0f;
        for (int step = 4; step > 0; step /= 2)
            x += __shfl_down_sync(0xffffffff, x, step);
        if (lane == 0)
            sums[blockIdx.x] = x;
    }
}

// Halves of the block in shared memory, a barrier after each of the eight steps.
__global__ void shared_sums(float *sums, const float *in)
{
    __shared__ float partial[256];
    partial[threadIdx.x] = in[blockIdx.x * 256 + threadIdx.x];
    for (int half = 128; half > 0; half /= 2) {
        __syncthreads();
        if (threadIdx.x < half)
            partial[threadIdx.x] += partial[threadIdx.x + half];
    }
    if (threadIdx.x == 0)
        sums[blockIdx.x] = partial[0];
}

// The shuffle without the second stage: eight partial sums of a block are left.
__global__ void partial_sums(float *sums, const float *in)
{
    float x = in[blockIdx.x * 256 + threadIdx.x];
    for (int step = 16; step > 0; step /= 2)
        x += __shfl_down_sync(0xffffffff, x, step);
    if (threadIdx.x % 32 == 0)
        sums[blockIdx.x * 8 + threadIdx.x / 32] = x;
}

// What lane 0 holds after each step.
__global__ void shuffle_steps(int *after)
{
    int x = threadIdx.x + 1;
    int k = 0;
    for (int step = 16; step > 0; step /= 2) {
        x += __shfl_down_sync(0xffffffff, x, step);
        if (threadIdx.x == 0)
            after[k] = x;
        k++;
    }
}
