#ifdef __clang__
#include <cuda_runtime.h>
#endif

struct Scale {
    int offset;
    float factor;
    double bias;
};

__device__ int counter;
__constant__ float taps[4] = {1, 2, 3, 4};

__device__ __noinline__ int pick(int a, Scale s)
{
    int values[4];
    for (int i = 0; i < 4; i++)
        values[i] = a * i;
    return values[a & 3] + s.offset;
}

__global__ void mixed(float *x, const float *y, int n, Scale s, char c)
{
    extern __shared__ float dynamic[];
    __shared__ float tile[256];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        tile[threadIdx.x] = y[i];
        dynamic[threadIdx.x] = c;
    }
    __syncthreads();
    switch (n) {
    case 0:
        x[i] = 1;
        break;
    case 1:
        x[i] = tile[i & 255];
        break;
    case 2:
        x[i] = dynamic[i & 255] * y[i];
        break;
    case 3:
        x[i] = y[i] / s.factor;
        break;
    default:
        x[i] = pick(i, s) / n + (float)s.bias;
    }
    atomicAdd(&counter, 1);
    x[i] += taps[i & 3];
}
