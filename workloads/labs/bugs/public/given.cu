// What the predictions are about. All three end, and none of them is a model.

// 256 threads count to 256, they think. Thread 0 then stores as often as they have counted, 0 at last.
__global__ void count(volatile int *out)
{
    __shared__ volatile int counter;
    if (threadIdx.x == 0)
        counter = 0;
    __syncthreads();
    counter = counter + 1;
    __syncthreads();
    if (threadIdx.x == 0) {
        int counted = counter;
#pragma unroll 1
        for (int k = 0; k < counted; k++)
            *out = counted - 1 - k; // as often as counted
    }
}

// Half of the threads return in front of the barrier.
__global__ void half_returns(int *out)
{
    if (threadIdx.x >= blockDim.x / 2)
        return;
    __syncthreads();
    out[threadIdx.x] = 1;
}

// A warp reads the same 32 numbers four times, and waits for them each time.
__global__ void four_reads(int *out, int *in)
{
    int t = threadIdx.x;
    out[t] = in[t] + 1;
    out[t + 32] = in[t];
    __threadfence();
    out[t + 64] = in[t];
    out[t + 96] = *(volatile int *)&in[t];
}
