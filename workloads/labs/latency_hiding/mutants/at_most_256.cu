// loses: right_drawn, fast
__global__ void columns(float *out, const float *in, int rows)
{
    int width = blockDim.x, t = threadIdx.x;
    float sum = 0;
    int k = 0;
#pragma unroll 1
    for (; k + 16 <= (rows < 256 ? rows : 256); k += 16) {
        float next[16];
#pragma unroll
        for (int j = 0; j < 16; j++)
            next[j] = in[(k + j) * width + t];
#pragma unroll
        for (int j = 0; j < 16; j++)
            sum += next[j];
    }
#pragma unroll 1
    for (; k < rows && k < 256; k++)
        sum += in[k * width + t];
    out[t] = sum;
}
