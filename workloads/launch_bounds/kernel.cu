// The same sums over 32 neighbours twice: with many variables and no bounds, and with few and bounds.
// Few limits, many variables: all 32 numbers of a thread are loaded before the first is used.
__global__ void greedy(float *out, const float *in, int n)
{
    int i = (blockIdx.x * blockDim.x + threadIdx.x);
    float window[32];
#pragma unroll
    for (int k = 0; k < 32; k++)
        window[k] = in[(i + k * 7) & (n - 1)];
    float sum = 0.0f, product = 1.0f;
#pragma unroll
    for (int k = 0; k < 32; k++) {
        sum += window[k] * window[31 - k];
        product *= window[k] + 1.0f;
    }
    out[i] = sum + product;
}

// The same result with one number at a time, and 8 blocks of 256 on an SM promised.
__global__ void __launch_bounds__(256, 8) modest(float *out, const float *in, int n)
{
    int i = (blockIdx.x * blockDim.x + threadIdx.x);
    float sum = 0.0f, product = 1.0f;
#pragma unroll 2
    for (int k = 0; k < 32; k++) {
        float x = in[(i + k * 7) & (n - 1)];
        sum += x * in[(i + (31 - k) * 7) & (n - 1)];
        product *= x + 1.0f;
    }
    out[i] = sum + product;
}
