// Values over the threshold are worked on for long: 100 square roots. The others get 1 added.
__global__ void with_divergence(float *out, const float *in, int n, float threshold)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float x = in[i];
    if (x > threshold) {
        for (int k = 0; k < 100; k++)
            x = sqrtf(x + 1.0f);
    } else {
        x = x + 1.0f;
    }
    out[i] = x;
}

// The long way for everyone.
__global__ void without_divergence(float *out, const float *in, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float x = in[i];
    for (int k = 0; k < 100; k++)
        x = sqrtf(x + 1.0f);
    out[i] = x;
}

// As texts have it, and as it was measured: a root and an addition, 100 times, or 1 added.
__global__ void roots_and_sums(float *out, const float *in, int n, float threshold)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float x = in[i];
    if (x > threshold) {
        for (int k = 0; k < 100; k++)
            x = sqrtf(x) + k * 0.01f;
    } else {
        x = x + 1.0f;
    }
    out[i] = x;
}

// What roots_and_sums must leave: both are computed and one is chosen.
__global__ void rooted(float *out, const float *in, int n, float threshold)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float x = in[i], y = x;
#pragma unroll 1
    for (int k = 0; k < 100; k++)
        y = sqrtf(y) + k * 0.01f;
    out[i] = x > threshold ? y : x + 1.0f;
}
