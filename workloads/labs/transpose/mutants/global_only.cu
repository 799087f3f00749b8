// loses: shared, coalesced, fast
__global__ void transpose(float *out, const float *in, int width, int height)
{
    int x = blockIdx.x * 32 + threadIdx.x;
    int y = blockIdx.y * 32 + threadIdx.y;
    for (int i = 0; i < 32; i += 8)
        if (x < width && y + i < height)
            out[x * height + y + i] = in[(y + i) * width + x];
}
