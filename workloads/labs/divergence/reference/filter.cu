// Each thread takes one element of each kind, so all lanes of a warp go the same way. Half of the
// threads have nothing to do; their warps end at once.
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
    int i = 2 * (blockIdx.x * blockDim.x + threadIdx.x);
    if (i < n)
        out[i] = smooth(in[i]);
    if (i + 1 < n)
        out[i + 1] = sharpen(in[i + 1]);
}
