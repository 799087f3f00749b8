// loses: by_shuffles, fast
__global__ void step_2(int *sums, const int *in, int n)
{
    __shared__ int x[256];
    int t = threadIdx.x, i = blockIdx.x * 256 + t;
    x[t] = i < n ? in[i] : 0;
    __syncthreads();
#pragma unroll 1
    for (int s = 1; s < 256; s *= 2) {
        int at = 2 * s * t;
        if (at < 256)
            x[at] += x[at + s];
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
    __shared__ int x;
    int t = threadIdx.x, sum = 0;
    if (t == 0)
        x = 0;
    __syncthreads();
    for (int i = blockIdx.x * 256 + t; i < n; i += gridDim.x * 256)
        sum += in[i];
    atomicAdd(&x, sum);
    __syncthreads();
    if (t == 0)
        sums[blockIdx.x] = x;
}
