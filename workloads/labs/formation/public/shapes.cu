// What shape of block makes which warps. The kernels differ only in which threads do what.
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

__device__ int place()
{
    return (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
}

__global__ void same(float *out, const float *in)
{
    out[place()] = smooth(in[place()]);
}

__global__ void by_row(float *out, const float *in)
{
    if (threadIdx.y < 5)
        out[place()] = smooth(in[place()]);
    else
        out[place()] = sharpen(in[place()]);
}

__global__ void by_column(float *out, const float *in)
{
    if (threadIdx.x < 5)
        out[place()] = smooth(in[place()]);
    else
        out[place()] = sharpen(in[place()]);
}
