// Each block takes as many elements as it has threads; the first half of them is smoothed, the second
// sharpened. It is right, and slow: see the handout.
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

__global__ void formation(float *out, const float *in)
{
    int threads = blockDim.x * blockDim.y * blockDim.z;
    int t = (threadIdx.x * blockDim.y + threadIdx.y) * blockDim.z + threadIdx.z;
    int i = (blockIdx.y * gridDim.x + blockIdx.x) * threads + t;
    if (t < threads / 2)
        out[i] = smooth(in[i]);
    else
        out[i] = sharpen(in[i]);
}
