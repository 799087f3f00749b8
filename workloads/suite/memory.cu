// Kernels that move numbers: each is used once or a few times, and the time is that of DRAM or of L2.

// a = b + s c (STREAM's triad).
__global__ void triad(float *a, const float *b, const float *c, float s, int n)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        a[i] = b[i] + s * c[i];
}

// Rows are read, columns are written: each store of a warp touches 32 sectors.
__global__ void transpose(float *out, const float *in, int n)
{
    int x = blockIdx.x * 32 + threadIdx.x;
    for (int y = blockIdx.y * 32 + threadIdx.y; y < blockIdx.y * 32 + 32; y += blockDim.y)
        out[x * n + y] = in[y * n + x];
}

__global__ void transpose_reference(float *out, const float *in, int n)
{
    for (int i = threadIdx.x; i < n * n; i += blockDim.x)
        out[i] = in[i % n * n + i / n];
}

// One step of Jacobi's iteration on a square of n x n numbers with a fixed border: five points.
__global__ void stencil(float *out, const float *in, int n)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= n || y >= n)
        return;
    int i = y * n + x;
    bool inside = x > 0 && x < n - 1 && y > 0 && y < n - 1;
    out[i] = inside ? 0.25f * (in[i - n] + in[i - 1] + in[i + 1] + in[i + n]) : in[i];
}

// By rows, in double precision.
__global__ void stencil_reference(float *out, const float *in, int n)
{
    for (int y = threadIdx.x; y < n; y += blockDim.x)
        for (int x = 0; x < n; x++) {
            double sum = in[y * n + x];
            if (x > 0 && x + 1 < n && y > 0 && y + 1 < n)
                sum = ((double)in[(y - 1) * n + x] + in[(y + 1) * n + x] + in[y * n + x - 1] + in[y * n + x + 1]) / 4;
            out[y * n + x] = sum;
        }
}

// Lanes read numbers that lie `stride` apart: a sector is read for each of them, and most of it is not used.
__global__ void strided(float *out, const float *in, int n, int stride)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        out[i] = in[i * stride];
}
