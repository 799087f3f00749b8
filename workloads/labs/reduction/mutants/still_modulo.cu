// loses: together
__constant__ int factor = 2; // compilers that know that s is a power of two need no division

__global__ void step_2(int *sums, const int *in, int n)
{
    __shared__ int x[256];
    int t = threadIdx.x, i = blockIdx.x * 256 + t;
    x[t] = i < n ? in[i] : 0;
    __syncthreads();
#pragma unroll 1
    for (int s = 1; s < 256; s *= factor) {
        if (t % (2 * s) == 0)
            x[t] += x[t + s];
        __syncthreads();
    }
    if (t == 0)
        sums[blockIdx.x] = x[0];
}

__global__ void step_3(int *sums, const int *in, int n)
{
    __shared__ int x[256];
    int t = threadIdx.x, i = blockIdx.x * 256 + t;
    x[t] = i < n ? in[i] : 0;
    __syncthreads();
#pragma unroll 1
    for (int s = 128; s > 0; s /= 2) {
        if (t < s)
            x[t] += x[t + s];
        __syncthreads();
    }
    if (t == 0)
        sums[blockIdx.x] = x[0];
}

__global__ void step_4(int *sums, const int *in, int n)
{
    __shared__ int x[256];
    int t = threadIdx.x, i = blockIdx.x * 512 + t;
    x[t] = (i < n ? in[i] : 0) + (i + 256 < n ? in[i + 256] : 0);
    __syncthreads();
#pragma unroll 1
    for (int s = 128; s > 0; s /= 2) {
        if (t < s)
            x[t] += x[t + s];
        __syncthreads();
    }
    if (t == 0)
        sums[blockIdx.x] = x[0];
}

__global__ void step_5(int *sums, const int *in, int n)
{
    __shared__ int x[256];
    int t = threadIdx.x, i = blockIdx.x * 512 + t;
    x[t] = (i < n ? in[i] : 0) + (i + 256 < n ? in[i + 256] : 0);
    __syncthreads();
#pragma unroll 1
    for (int s = 128; s > 32; s /= 2) {
        if (t < s)
            x[t] += x[t + s];
        __syncthreads();
    }
    if (t < 32) {
        int sum = x[t] + x[t + 32];
        for (int s = 16; s > 0; s /= 2)
            sum += __shfl_down_sync(0xffffffff, sum, s);
        if (t == 0)
            sums[blockIdx.x] = sum;
    }
}

__global__ void step_6(int *sums, const int *in, int n)
{
    __shared__ int x[8];
    int t = threadIdx.x, stride = gridDim.x * 256, sum = 0;
    int i = blockIdx.x * 256 + t;
#pragma unroll 1
    for (; i + 3 * stride < n; i += 4 * stride)
        sum += in[i] + in[i + stride] + in[i + 2 * stride] + in[i + 3 * stride];
#pragma unroll 1
    for (; i < n; i += stride)
        sum += in[i];
    for (int s = 16; s > 0; s /= 2)
        sum += __shfl_down_sync(0xffffffff, sum, s);
    if (t % 32 == 0)
        x[t / 32] = sum;
    __syncthreads();
    if (t < 32) {
        sum = t < 8 ? x[t] : 0;
        for (int s = 4; s > 0; s /= 2)
            sum += __shfl_down_sync(0xffffffff, sum, s);
        if (t == 0)
            sums[blockIdx.x] = sum;
    }
}
