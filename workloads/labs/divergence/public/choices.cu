// Threads choose one of two ways that take the same number of steps. The kernels differ only in what
// the choice depends on.
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

__global__ void by_thread(float *out, const float *in, float threshold)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (threadIdx.x % 2 == 0)
        out[i] = smooth(in[i]);
    else
        out[i] = sharpen(in[i]);
}

__global__ void by_warp(float *out, const float *in, float threshold)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (threadIdx.x / 32 % 2 == 0)
        out[i] = smooth(in[i]);
    else
        out[i] = sharpen(in[i]);
}

__global__ void by_data(float *out, const float *in, float threshold)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (in[i] < threshold)
        out[i] = smooth(in[i]);
    else
        out[i] = sharpen(in[i]);
}
