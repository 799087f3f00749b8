// Even elements are smoothed, odd ones sharpened. It is right, and half of its lanes idle: see the
// handout. Blocks have 256 threads, and there are as many threads as elements, or more.
__device__ float smooth(float v)
{
    for (int k = 0; k < 32; k++)
        v = 0.5f * (v + rsqrtf(v + 1.0f));
    return v;
}

__device__ float sharpen(float v)
{
    for (int k = 0; k < 32; k++)
        v = v * (1.5f - 0.5f * v * v);
    return v;
}

__global__ void filter(float *out, const float *in, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    if (i % 2 == 0)
        out[i] = smooth(in[i]);
    else
        out[i] = sharpen(in[i]);
}
