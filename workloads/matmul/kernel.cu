// c = a b for square matrices of n numbers a side, in four forms.

// Each thread reads a row and a column from global memory: 2 n reads for a result.
__global__ void naive(float *c, const float *a, const float *b, int n)
{
    int column = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y * blockDim.y + threadIdx.y;
    float sum = 0.0f;
    for (int k = 0; k < n; k++)
        sum += a[row * n + k] * b[k * n + column];
    c[row * n + column] = sum;
}

// A block shares tiles of T x T numbers: each is read from global memory n / T times. PAD numbers
// are left unused in each row.
template <int T, int PAD>
__device__ void multiply_tiled(float *c, const float *a, const float *b, int n)
{
    __shared__ float tile_a[T][T + PAD], tile_b[T][T + PAD];
    int column = blockIdx.x * T + threadIdx.x, row = blockIdx.y * T + threadIdx.y;
    float sum = 0.0f;
    for (int t = 0; t < n; t += T) {
        tile_a[threadIdx.y][threadIdx.x] = a[row * n + t + threadIdx.x];
        tile_b[threadIdx.y][threadIdx.x] = b[(t + threadIdx.y) * n + column];
        __syncthreads();
#pragma unroll
        for (int k = 0; k < T; k++)
            sum += tile_a[threadIdx.y][k] * tile_b[k][threadIdx.x];
        __syncthreads();
    }
    c[row * n + column] = sum;
}
__global__ void tile_16(float *c, const float *a, const float *b, int n)
{
    multiply_tiled<16, 0>(c, a, b, n);
}
__global__ void tile_32(float *c, const float *a, const float *b, int n)
{
    multiply_tiled<32, 0>(c, a, b, n);
}
__global__ void tile_32_padded(float *c, const float *a, const float *b, int n)
{
    multiply_tiled<32, 1>(c, a, b, n);
}

// What the results must be: a thread has eight rows of a column.
__global__ void reference(float *c, const float *a, const float *b, int n)
{
    int column = blockIdx.x * blockDim.x + threadIdx.x;
    int row = 8 * (blockIdx.y * blockDim.y + threadIdx.y);
    float sums[8] = {};
    for (int k = 0; k < n; k++) {
        float x = b[k * n + column];
#pragma unroll
        for (int i = 0; i < 8; i++)
            sums[i] += a[(row + i) * n + k] * x;
    }
#pragma unroll
    for (int i = 0; i < 8; i++)
        c[(row + i) * n + column] = sums[i];
}
