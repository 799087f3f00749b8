// Three ways to transpose a square matrix whose side is a multiple of 32, with blocks of 32 x 32
// threads: one number a thread.
__global__ void naive(float *out, const float *in, int n)
{
    int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
    out[x * n + y] = in[y * n + x];
}

__global__ void tiled(float *out, const float *in, int n)
{
    __shared__ float tile[32][32];
    int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
    tile[threadIdx.y][threadIdx.x] = in[y * n + x];
    __syncthreads();
    x = blockIdx.y * 32 + threadIdx.x;
    y = blockIdx.x * 32 + threadIdx.y;
    float value = tile[threadIdx.x][threadIdx.y]; // a column of the tile
    out[y * n + x] = value;
}

__global__ void padded(float *out, const float *in, int n)
{
    __shared__ float tile[32][33];
    int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
    tile[threadIdx.y][threadIdx.x] = in[y * n + x];
    __syncthreads();
    x = blockIdx.y * 32 + threadIdx.x;
    y = blockIdx.x * 32 + threadIdx.y;
    float value = tile[threadIdx.x][threadIdx.y]; // a column of the tile
    out[y * n + x] = value;
}
