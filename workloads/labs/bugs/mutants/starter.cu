// loses: differences, histogram, prefix, row_sums, exchange, transfer, relay
// Each number less its left neighbour, round the block; out has whole blocks. All threads come to the barrier,
// also those without a number.
__global__ void differences(int *out, const int *in, int n)
{
    __shared__ int x[256];
    int t = threadIdx.x, i = blockIdx.x * 256 + t;
    if (i < n) {
        x[t] = in[i];
        __syncthreads();
    } else {
        x[t] = 0;
    }
    __syncwarp();
    out[i] = x[t] - x[(t + 255) % 256];
}

// All bins of a block are counted in shared memory, by atomics; 64 bins.
__global__ void histogram(int *counts, const int *in, int n)
{
    __shared__ int mine[64];
    int t = threadIdx.x;
    if (t < 64)
        mine[t] = 0;
    __syncthreads();
    for (int i = blockIdx.x * 256 + t; i < n; i += gridDim.x * 256)
        mine[in[i] % 64]++;
    __syncthreads();
    if (t < 64)
        atomicAdd(&counts[t], mine[t]);
}

// For each number the sum of all numbers of its piece up to it; a piece has 256. No piece is stored over one that
// others still read.
__global__ void prefix(int *out, const int *in, int pieces)
{
    __shared__ int x[256];
    int t = threadIdx.x;
    for (int piece = blockIdx.x; piece < pieces; piece += gridDim.x) {
        x[t] = in[piece * 256 + t];
        __syncthreads();
        int sum = 0;
        for (int k = t; k >= 0; k--)
            sum += x[k];
        out[piece * 256 + t] = sum;
    }
}

// Sums of rows. A row has 256 places, of which the first length[row] hold a number. A thread without a number
// brings 0.
__global__ void row_sums(int *sums, const int *in, const int *length, int rows)
{
    __shared__ int x[256];
    int t = threadIdx.x;
    for (int row = blockIdx.x; row < rows; row += gridDim.x) {
        if (t < length[row])
            x[t] = in[row * 256 + t];
        __syncthreads();
        for (int s = 128; s > 0; s /= 2) {
            if (t < s)
                x[t] += x[t + s];
            __syncthreads();
        }
        if (t == 0)
            sums[row] = x[0];
        __syncthreads();
    }
}

// One warp. The halves pass numbers to each other; both have written before one of them reads.
__global__ void exchange(int *out, const int *in)
{
    __shared__ volatile int x[32];
    int lane = threadIdx.x, value = in[lane];
    if (lane < 16) {
        x[lane] = value;
        out[lane] = x[lane + 16];
    } else {
        for (int k = 0; k < value % 4; k++)
            value = 3 * value + 1;
        x[lane] = value;
        out[lane] = 2 * x[lane - 16] + 1;
    }
}

// Block b moves amount[b] from account b to the next one. Of two locks, the one with the lower number is
// always taken first.
__global__ void transfer(volatile int *balance, int *locks, const int *amount)
{
    int from = blockIdx.x, to = (blockIdx.x + 1) % gridDim.x;
    int first = from, second = to;
    if (threadIdx.x == 0) {
        while (atomicCAS(&locks[first], 0, 1) != 0)
            ;
        while (atomicCAS(&locks[second], 0, 1) != 0)
            ;
        __threadfence();
    }
    __syncthreads();
    if (threadIdx.x < 2) // lane 0 takes, lane 1 gives
        balance[threadIdx.x == 0 ? from : to] += threadIdx.x == 0 ? -amount[from] : amount[from];
    __syncthreads();
    if (threadIdx.x == 0) {
        __threadfence();
        atomicExch(&locks[second], 0);
        atomicExch(&locks[first], 0);
    }
}

// Two blocks of 32 threads. Block 1 reads the numbers, block 0 then changes them, and block 1 reads them
// again: behind a fence, so that it sees what its cache does not have.
__global__ void relay(int *out, int *data, int *flags)
{
    int t = threadIdx.x;
    if (blockIdx.x == 1) {
        int before = data[t];
        __syncwarp();
        if (t == 0) {
            atomicExch(&flags[0], 1);
            while (atomicAdd(&flags[1], 0) == 0)
                ;
        }
        __syncwarp();
        out[t] = data[t] - before;
    } else {
        if (t == 0)
            while (atomicAdd(&flags[0], 0) == 0)
                ;
        __syncwarp();
        __threadfence();
        data[t] = 5 * t;
        __threadfence();
        __syncwarp();
        if (t == 0)
            atomicExch(&flags[1], 1);
    }
}
