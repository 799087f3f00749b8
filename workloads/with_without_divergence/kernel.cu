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
