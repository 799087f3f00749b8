// Transposes a square matrix of `n` numbers a side, with blocks of 32 x 32, in three forms; and a
// plain copy to compare with.
__global__ void copy(float *out, const float *in, int n)
{
    int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
    out[y * n + x] = in[y * n + x];
}

// Stores of a warp go down a column: 32 lines for 32 numbers.
__global__ void naive(float *out, const float *in, int n)
{
    int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
    out[x * n + y] = in[y * n + x];
}

// Through shared memory: loads and stores run along rows, but a column of the tile lies in one
// bank.
__global__ void tiled(float *out, const float *in, int n)
{
    __shared__ float tile[32][32];
    int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
    tile[threadIdx.y][threadIdx.x] = in[y * n + x];
    __syncthreads();
    x = blockIdx.y * 32 + threadIdx.x;
    y = blockIdx.x * 32 + threadIdx.y;
    out[y * n + x] = tile[threadIdx.x][threadIdx.y];
}

// One unused number a row moves each row by one bank.
__global__ void padded(float *out, const float *in, int n)
{
    __shared__ float tile[32][33];
    int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
    tile[threadIdx.y][threadIdx.x] = in[y * n + x];
    __syncthreads();
    x = blockIdx.y * 32 + threadIdx.x;
    y = blockIdx.x * 32 + threadIdx.y;
    out[y * n + x] = tile[threadIdx.x][threadIdx.y];
}

// The form that a text prints: it reads the tile transposed and swaps the global indices as well, so
// that it does neither. Right only where threadIdx.x = threadIdx.y; and the stores are strided again.
__global__ void misplaced(float *out, const float *in, int n)
{
    __shared__ float tile[32][33];
    int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
    tile[threadIdx.y][threadIdx.x] = in[y * n + x];
    __syncthreads();
    out[x * n + y] = tile[threadIdx.x][threadIdx.y];
}

// What the results must be: a thread walks along a row.
__global__ void reference(float *out, const float *in, int n)
{
    for (int y = threadIdx.x; y < n; y += blockDim.x)
        for (int x = 0; x < n; x++)
            out[x * n + y] = in[y * n + x];
}
