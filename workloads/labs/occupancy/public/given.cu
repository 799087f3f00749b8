// What the predictions are about.

// A thread keeps 48 sums. The compiler gives it 58 registers.
__global__ void many(float *out, const float *in, int n)
{
    float sum[48];
    int i = blockIdx.x * blockDim.x + threadIdx.x, threads = gridDim.x * blockDim.x;
#pragma unroll
    for (int k = 0; k < 48; k++)
        sum[k] = 0;
#pragma unroll 1
    for (int round = 0; round < n; round++) {
        float x = in[round * threads + i];
#pragma unroll
        for (int k = 0; k < 48; k++)
            sum[k] += x * (float)(k + 1);
    }
    float total = 0;
#pragma unroll
    for (int k = 0; k < 48; k++)
        total += sum[k] * (k % 2 != 0 ? -1.0f : 1.0f);
    out[i] = total;
}

// A block turns round a piece of 20 KiB, in shared memory.
__global__ void reverse(float *out, const float *in)
{
    __shared__ float piece[5120];
    int base = blockIdx.x * 5120;
    for (int i = threadIdx.x; i < 5120; i += 128)
        piece[i] = in[base + i];
    __syncthreads();
    for (int i = threadIdx.x; i < 5120; i += 128)
        out[base + i] = piece[5119 - i];
}

// The warps of the grid share out pieces of 12 lines of 128 bytes, and read each line of a piece 8 times.
__global__ void again(float *out, const float *table, int pieces)
{
    int lane = threadIdx.x % 32, warps = gridDim.x * blockDim.x / 32;
#pragma unroll 1
    for (int piece = (blockIdx.x * blockDim.x + threadIdx.x) / 32; piece < pieces; piece += warps) {
        const float *mine = table + piece * 12 * 32 + lane;
        float sum = 0;
#pragma unroll 1
        for (int round = 0; round < 8; round++)
#pragma unroll 1
            for (int line = 0; line < 12; line++)
                sum += mine[line * 32];
        out[piece * 32 + lane] = sum;
    }
}
