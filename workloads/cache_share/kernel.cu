// Each warp sweeps again and again over lines of its own: `lines` of 128 bytes, `rounds` times. Then the
// warps of the block wait for each other and take the next pieces, until all `pieces` are done.
__global__ void sweep(float *out, const float *table, int pieces, int lines, int rounds)
{
    int lane = threadIdx.x % 32;
    int warp = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
    int warps = gridDim.x * blockDim.x / 32;
#pragma unroll 1
    for (int piece = warp; piece < pieces; piece += warps) {
        const float *mine = table + piece * lines * 32 + lane;
        float sum = 0;
#pragma unroll 1
        for (int round = 0; round < rounds; round++)
#pragma unroll 1
            for (int line = 0; line < lines; line++)
                sum += mine[line * 32];
        out[piece * 32 + lane] = sum;
        __syncthreads();
    }
}

// What the results must be: the threads of all blocks take the sums of the table one after the other.
__global__ void reference(float *out, const float *table, int pieces, int lines, int rounds)
{
    int threads = gridDim.x * blockDim.x;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < 32 * pieces; i += threads) {
        float sum = 0;
        for (int line = 0; line < lines; line++)
            sum += table[(i / 32 * lines + line) * 32 + i % 32];
        out[i] = rounds * sum;
    }
}
