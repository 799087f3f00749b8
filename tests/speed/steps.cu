// One kernel for each kind of work of the simulator: bench_steps.py runs each at two sizes, `n` and
// its double, so that what is spent on anything but warp instructions falls out.

// Eight independent chains of fused multiply-adds.
extern "C" __global__ void chain(float *out, float a, float b, int n)
{
    float x[8];
    for (int i = 0; i < 8; i++)
        x[i] = threadIdx.x + i;
    for (int k = 0; k < n; k++)
        for (int i = 0; i < 8; i++)
            x[i] = x[i] * a + b;
    float sum = 0;
    for (int i = 0; i < 8; i++)
        sum += x[i];
    out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

// Two reads and a write of every element, in line.
extern "C" __global__ void stream(float *a, const float *b, const float *c, int n)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        a[i] = b[i] + 3.0f * c[i];
}

// Nested conditions and a loop of its own length in each lane, by pseudo-random numbers.
extern "C" __global__ void diverge(unsigned *out, int n)
{
    unsigned thread = blockIdx.x * blockDim.x + threadIdx.x, x = thread * 2654435761u + 1, sum = 0;
    for (int k = 0; k < n; k++) {
        x = x * 1664525u + 1013904223u;
        if (x & 0x10000) {
            sum += x * 3;
            if (x & 0x20000)
                sum ^= x << 3;
            else
                sum += 7 * x;
        } else {
            sum ^= x >> 5;
            for (unsigned j = 0; j < (x >> 18 & 3); j++)
                sum = sum * 5 + j;
        }
    }
    out[thread] = sum;
}

// Two block barriers a round.
extern "C" __global__ void barrier(float *out, int n)
{
    __shared__ float values[256];
    values[threadIdx.x] = threadIdx.x;
    __syncthreads();
    for (int k = 0; k < n; k++) {
        float next = values[(threadIdx.x + 1) & 255];
        __syncthreads();
        values[threadIdx.x] = next + 1.0f;
        __syncthreads();
    }
    out[blockIdx.x * 256 + threadIdx.x] = values[threadIdx.x];
}

// A product of matrices by tiles of 16 x 16.
extern "C" __global__ void matmul(const float *a, const float *b, float *c, int n)
{
    __shared__ float s[16][16], t[16][16];
    int x = threadIdx.x, y = threadIdx.y, row = blockIdx.y * 16 + y, column = blockIdx.x * 16 + x;
    float sum = 0;
    for (int k = 0; k < n; k += 16) {
        s[y][x] = a[row * n + k + x];
        t[y][x] = b[(k + y) * n + column];
        __syncthreads();
        for (int q = 0; q < 16; q++)
            sum += s[y][q] * t[q][x];
        __syncthreads();
    }
    c[row * n + column] = sum;
}

// Loads from 32 lines at once.
extern "C" __global__ void gather(float *out, const float *in, int n, unsigned mask)
{
    unsigned x = (blockIdx.x * blockDim.x + threadIdx.x) * 2654435761u + 12345u;
    float sum = 0;
    for (int k = 0; k < n; k++) {
        x = x * 1664525u + 1013904223u;
        sum += in[(x >> 8) & mask];
    }
    out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

// Shared memory without bank conflicts, with two, and with all lanes in other banks.
extern "C" __global__ void shared(float *out, int n)
{
    __shared__ float values[2048];
    for (int i = threadIdx.x; i < 2048; i += blockDim.x)
        values[i] = i;
    __syncthreads();
    float sum = 0;
    unsigned p = threadIdx.x;
    for (int k = 0; k < n; k++) {
        sum += values[p & 2047];
        sum += values[(p * 2) & 2047];
        values[(p * 33) & 2047] = sum;
        p += 32;
    }
    out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}
