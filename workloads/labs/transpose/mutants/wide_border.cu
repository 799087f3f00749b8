// loses: right_wide
__global__ void transpose(float *out, const float *in, int width, int height)
{
    __shared__ float tile[32][33];
    int x = blockIdx.x * 32 + threadIdx.x;
    int y = blockIdx.y * 32 + threadIdx.y;
    int bound = (width & 31) == 31 ? width - 1 : width;
    for (int i = 0; i < 32; i += 8)
        if (x < bound && y + i < height)
            tile[threadIdx.y + i][threadIdx.x] = in[(y + i) * width + x];
    __syncthreads();
    x = blockIdx.y * 32 + threadIdx.x;
    y = blockIdx.x * 32 + threadIdx.y;
    for (int i = 0; i < 32; i += 8)
        if (x < height && y + i < bound)
            out[(y + i) * height + x] = tile[threadIdx.x][threadIdx.y + i];
}
