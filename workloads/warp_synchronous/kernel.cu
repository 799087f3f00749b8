// Threads of one warp that pass values through shared memory. `out` has one number a thread.

// Each half of the warp writes, then reads what the other half wrote. Nothing makes them wait.
__global__ void exchange(int *out)
{
    __shared__ volatile int s[32];
    int lane = threadIdx.x;
    s[lane] = -1;
    __syncwarp();
    if (lane < 16) {
        s[lane] = lane;
        out[lane] = s[lane + 16];
    } else {
        s[lane] = s[lane] + lane + 1;
        out[lane] = s[lane - 16] * 2 - s[lane - 16];
    }
}

// The same with __syncwarp() between writing and reading.
__global__ void exchange_sync(int *out)
{
    __shared__ volatile int s[32];
    int lane = threadIdx.x;
    s[lane] = -1;
    __syncwarp();
    if (lane < 16) {
        s[lane] = lane;
        __syncwarp();
        out[lane] = s[lane + 16];
    } else {
        s[lane] = s[lane] + lane + 1;
        __syncwarp();
        out[lane] = s[lane - 16] * 2 - s[lane - 16];
    }
}

// A sum over the warp as written before Volta: the threads are taken to be in step.
__global__ void sum(int *out)
{
    __shared__ volatile int s[64];
    int lane = threadIdx.x;
    s[lane + 32] = 0;
    s[lane] = 0;
    for (int i = 0; i <= lane % 4; i++)
        s[lane] = s[lane] + lane;
    for (int step = 16; step > 0; step /= 2)
        s[lane] = s[lane] + s[lane + step];
    if (lane == 0)
        out[0] = s[0];
}

// The same with __syncwarp() between each reading and writing.
__global__ void sum_sync(int *out)
{
    __shared__ volatile int s[64];
    int lane = threadIdx.x;
    s[lane + 32] = 0;
    s[lane] = 0;
    for (int i = 0; i <= lane % 4; i++)
        s[lane] = s[lane] + lane;
    for (int step = 16; step > 0; step /= 2) {
        __syncwarp();
        int both = s[lane] + s[lane + step];
        __syncwarp();
        s[lane] = both;
    }
    if (lane == 0)
        out[0] = s[0];
}
