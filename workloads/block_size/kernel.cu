// The same work cut into blocks of other sizes: once bound by memory, once by arithmetic.
__global__ void memory_bound(float *y, const float *x, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        y[i] = 2.0f * x[i];
}

__global__ void compute_bound(float *y, const float *x, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float a = 0.0f;
    if (i < n)
        a = x[i];
    // 1 stays 1: all results are exact
#pragma unroll 16
    for (int k = 0; k < 256; k++)
        a = a * 0.5f + 0.5f;
    if (i < n)
        y[i] = a;
}
