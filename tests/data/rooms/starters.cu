// Kernels of the kinds that `init` guesses for, for the unit tests of sim/starter.
#include <cstdio>

__global__ void scaled(int n, float a, const float *x, float *y)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        y[i] = a * x[i];
}

__global__ void transposed(const double *in, double *out, int width, int height)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < width && y < height)
        out[x * height + y] = in[y * width + x];
}

__global__ void block_sums(const int *in, int *sums)
{
    extern __shared__ int part[];
    part[threadIdx.x] = in[blockIdx.x * blockDim.x + threadIdx.x];
    for (unsigned step = blockDim.x / 2; step > 0; step /= 2) {
        __syncthreads();
        if (threadIdx.x < step)
            part[threadIdx.x] += part[threadIdx.x + step];
    }
    if (threadIdx.x == 0)
        sums[blockIdx.x] = part[0];
}

__global__ void histogram(const unsigned char *text, unsigned *bins, long long count)
{
    for (long long i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += gridDim.x * blockDim.x)
        atomicAdd(&bins[text[i]], 1u);
}

__global__ void gathered(const short *from, const int *where, short *to, unsigned n)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        to[i] = from[where[i]];
}

__global__ void by_mode(int mode, int n, int *out)
{
    int i = threadIdx.x;
    if (mode == 3) {
        out[i] = i;
        out[i + n] = 2 * i;
    } else if (mode > 10) {
        out[i] = -i;
    }
    if (n > 1000000)
        out[0] = 7;
}

__global__ void never(const int *flag, int *out)
{
    while (*(volatile const int *)flag == 0)
        ;
    out[threadIdx.x] = 1;
}

__global__ void nothing_given()
{
    printf("block %d\n", blockIdx.x);
}

struct Pair {
    int a, b;
};

__global__ void of_structure(Pair pair, Pair *pairs, bool swap, char c)
{
    pairs[threadIdx.x].a = swap ? pair.b : pair.a;
    pairs[threadIdx.x].b = c;
}

int main()
{
    // nothing_given<<<1, 1>>>(); is not counted
    nothing_given<<<2, 32>>>();
    nothing_given<<<1, 32>>>();
    return 0;
}
