// loses: together, fast
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
    int lane = threadIdx.x % 32, first = blockIdx.x * blockDim.x + threadIdx.x - lane;
    int i = first + (lane < 16 ? 2 * lane : 2 * (lane - 16) + 1); // sorted, but in the same warp
    if (i >= n)
        return;
    if (lane < 16)
        out[i] = smooth(in[i]);
    else
        out[i] = sharpen(in[i]);
}
