// Kernels on which scheduling policies differ. See notes.md.

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

#ifndef WORK
#define WORK 4
#endif

// Work, then a value from memory, again and again: every warp the same.
__global__ void stages(float *out, const float *in, int rounds)
{
    int thread = blockIdx.x * blockDim.x + threadIdx.x, threads = gridDim.x * blockDim.x;
    float a = thread % 7, b = 1;
    int c = thread;
#pragma unroll 1
    for (int i = 0; i < rounds; i++) {
#pragma unroll
        for (int k = 0; k < WORK; k++) {
            a = a * 0.5f + 1;
            b = b * 0.5f + 1;
            c = (c + k) ^ thread;
        }
        a += in[i * threads + thread] * b;
    }
    out[thread] = a + (c & 1);
}

// What sweep must leave: number k of the table is k.
__global__ void sweep_sums(float *out, const float *table, int rounds)
{
    int thread = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0;
    for (int i = 0; i < rounds * 8; i++)
        sum += thread / 32 * 256 + thread % 32 + i % 8 * 32;
    out[thread] = sum;
}

// What stages must leave: number k of `in` is k.
__global__ void stages_results(float *out, const float *in, int rounds)
{
    int thread = blockIdx.x * blockDim.x + threadIdx.x, threads = gridDim.x * blockDim.x;
    float a = thread % 7, b = 1;
    int c = thread;
    for (int i = 0; i < rounds * WORK; i++) {
        a = a * 0.5f + 1;
        b = b * 0.5f + 1;
        c = (c + i % WORK) ^ thread;
        if (i % WORK == WORK - 1)
            a += (float)(i / WORK * threads + thread) * b;
    }
    out[thread] = a + (c & 1);
}
