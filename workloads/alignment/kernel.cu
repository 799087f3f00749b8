// Copies whose loads, or whose stores, begin `offset` numbers behind a border of 128 bytes.

// With in[k] = k the result is out[i] = i, whatever the offset.
__global__ void shifted_loads(float *out, const float *in, int offset)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = in[i + offset] - offset;
}

// With in[k] = k the result is out[k] = k from `offset` on.
__global__ void shifted_stores(float *out, const float *in, int offset)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i + offset] = in[i] + offset;
}

// Every warp reads the same 256 numbers again and again: they come from L1.
__global__ void cached_loads(int *out, const int *in, int offset, int rounds)
{
    const int *mine = in + threadIdx.x % 32 + offset;
    int sum = 0;
#pragma unroll 1
    for (int round = 0; round < rounds; round++) {
#pragma unroll
        for (int line = 0; line < 8; line++)
            sum += mine[32 * line];
        asm volatile("" ::: "memory"); // or the compiler would load once
    }
    out[blockIdx.x * blockDim.x + threadIdx.x] = sum - 8 * rounds * offset;
}

// What shifted_stores must leave.
__global__ void stored(float *out, const float *in, int offset)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x + offset;
    out[i] = i;
}

// What cached_loads must leave: 32 * (0 + 1 + ... + 7) = 896.
__global__ void cached_sums(int *out, const int *in, int offset, int rounds)
{
    out[blockIdx.x * blockDim.x + threadIdx.x] = rounds * (8 * (threadIdx.x % 32) + 896);
}
