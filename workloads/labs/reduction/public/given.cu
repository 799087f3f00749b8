// What the predictions are about. Blocks have 256 threads.

// Between the distances of two rounds. In memory, so that every compiler divides by 2 * s: some see that a distance
// doubled from 1 on is a power of two, and need no division then.
__constant__ int factor = 2;

// A thread has a number. In each round, every 2nd, 4th, 8th ... thread adds its neighbour's sum to its own.
__global__ void first(int *sums, const int *in, int n)
{
    __shared__ int x[256];
    int t = threadIdx.x, i = blockIdx.x * 256 + t;
    x[t] = i < n ? in[i] : 0;
    __syncthreads();
#pragma unroll 1
    for (int s = 1; s < 256; s *= factor) {
        if (t % (2 * s) == 0)
            x[t] += x[t + s]; // the addition
        __syncthreads();
    }
    if (t == 0)
        sums[blockIdx.x] = x[0];
}

// The same blocks and loads, and no sum.
__global__ void read_only(int *sums, const int *in, int n)
{
    int i = blockIdx.x * 256 + threadIdx.x;
    if (i < n && in[i] == 1000000)
        sums[blockIdx.x] = 1;
}

// One round of `first` in other hands: thread t takes the t-th pair that there is.
__global__ void one_round(int *out, int s)
{
    __shared__ int x[256];
    int t = threadIdx.x, at = 2 * s * t;
    x[t] = t;
    __syncthreads();
    if (at < 256)
        x[at] += x[at + s]; // the pair
    __syncthreads();
    out[t] = x[t];
}
