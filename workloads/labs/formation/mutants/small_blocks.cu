// loses: right_drawn
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
    int t = (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
    int i = (blockIdx.y * gridDim.x + blockIdx.x) * threads + t;
    if (t < 320 && t < threads / 2)
        out[i] = smooth(in[i]);
    else
        out[i] = sharpen(in[i]);
}
