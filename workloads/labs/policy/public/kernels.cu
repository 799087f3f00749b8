// Kernels on which policies differ.

// Each warp sweeps over eight lines of its own again and again. A few warps find theirs in L1; all
// warps at once do not.
__global__ void sweep(float *out, const float *table, int rounds)
{
    int thread = blockIdx.x * blockDim.x + threadIdx.x;
    const float *mine = table + thread / 32 * 256 + thread % 32;
    float sum = 0;
#pragma unroll 1
    for (int i = 0; i < rounds * 8; i++)
        sum += mine[i % 8 * 32];
    out[thread] = sum;
}

// A phase of work and a value from memory, again and again: every warp the same.
__global__ void phases(float *out, const float *in, int rounds)
{
    int thread = blockIdx.x * blockDim.x + threadIdx.x, threads = gridDim.x * blockDim.x;
    float a = thread % 7, b = 1;
#pragma unroll 1
    for (int i = 0; i < rounds; i++) {
#pragma unroll
        for (int k = 0; k < 24; k++) {
            a = a * 0.5f + 1;
            b = b * 0.5f + 1;
        }
        a += in[i * threads + thread] * b;
    }
    out[thread] = a;
}

// The warps of a block fetch a row together, wait for each other, and work on it.
__global__ void meet(float *out, const float *in, int rounds)
{
    __shared__ float row[512];
    int thread = blockIdx.x * blockDim.x + threadIdx.x, threads = gridDim.x * blockDim.x;
    float a = 0;
#pragma unroll 1
    for (int i = 0; i < rounds; i++) {
        row[threadIdx.x] = in[i * threads + thread];
        __syncthreads();
        float b = row[511 - threadIdx.x], c = 1;
#pragma unroll
        for (int k = 0; k < 16; k++) {
            b = b * 0.5f + 1;
            c = c * 0.5f + 1;
        }
        a += b * c;
        __syncthreads();
    }
    out[thread] = a;
}
