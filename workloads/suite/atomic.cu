// Kernels whose threads change the same places in memory: with atomics, which a place takes one after the other.

// How often each value occurs; the counts are in global memory.
__global__ void histogram_global(unsigned *counts, const unsigned char *values, int n)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        atomicAdd(&counts[values[i]], 1u);
}

// Each block counts in shared memory, and adds its counts to those in global memory. A thread takes four values at
// a time.
__global__ void histogram_shared(unsigned *counts, const uchar4 *values, int n)
{
    __shared__ unsigned mine[256];
    for (int k = threadIdx.x; k < 256; k += blockDim.x)
        mine[k] = 0;
    __syncthreads();
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n / 4; i += gridDim.x * blockDim.x) {
        uchar4 four = values[i];
        atomicAdd(&mine[four.x], 1u);
        atomicAdd(&mine[four.y], 1u);
        atomicAdd(&mine[four.z], 1u);
        atomicAdd(&mine[four.w], 1u);
    }
    __syncthreads();
    for (int k = threadIdx.x; k < 256; k += blockDim.x)
        if (mine[k] != 0)
            atomicAdd(&counts[k], mine[k]);
}

// A thread counts one value; 256 threads. A byte of four that is equal has eight bits set.
__global__ void histogram_reference(unsigned *counts, const unsigned *values, int n)
{
    unsigned count = 0;
    for (int i = 0; i < n / 4; i++)
        count += __popc(__vcmpeq4(values[i], threadIdx.x * 0x01010101)) / 8;
    counts[threadIdx.x] = count;
}

// Rows with a key and a number: the sum and the largest number of each key (SQL's GROUP BY).
__global__ void group_by(unsigned *sum, unsigned *largest, const unsigned char *keys, const unsigned *numbers, int n)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        atomicAdd(&sum[keys[i]], numbers[i]);
        atomicMax(&largest[keys[i]], numbers[i]);
    }
}

// A thread looks for the rows of one key.
__global__ void group_by_reference(unsigned *sum, unsigned *largest, const unsigned char *keys,
                                   const unsigned *numbers, int n)
{
    unsigned total = 0, most = 0;
    for (int i = 0; i < n; i++)
        if (keys[i] == threadIdx.x) {
            total += numbers[i];
            most = max(most, numbers[i]);
        }
    sum[threadIdx.x] = total;
    largest[threadIdx.x] = most;
}

// A step of the generator xorshift (Marsaglia 2003).
__device__ unsigned shuffled(unsigned x)
{
    x ^= x << 13;
    x ^= x >> 17;
    return x ^ x << 5;
}

// Items that take 0 to 7 rounds. Warps stay, and each takes its next 32 items from a common counter.
__global__ void work_queue(unsigned *out, unsigned *taken, const unsigned char *rounds, int items)
{
    int lane = threadIdx.x % 32;
    while (true) {
        unsigned first = 0;
        if (lane == 0)
            first = atomicAdd(taken, 32u);
        first = __shfl_sync(0xffffffff, first, 0);
        if (first >= items)
            return;
        unsigned x = first + lane + 1;
        for (int k = rounds[first + lane]; k > 0; k--)
            x = shuffled(x);
        out[first + lane] = x;
    }
}

// Item by item, without a counter.
__global__ void work_reference(unsigned *out, unsigned *taken, const unsigned char *rounds, int items)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < items; i += gridDim.x * blockDim.x) {
        out[i] = i + 1;
        for (int k = 0; k < rounds[i]; k++)
            out[i] = shuffled(out[i]);
    }
}
