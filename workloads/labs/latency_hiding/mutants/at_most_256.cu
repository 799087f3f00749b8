// loses: right_drawn
__global__ void columns(float *out, const float *in, int rows)
{
    int width = blockDim.x, t = threadIdx.x;
    float sum = 0;
    rows = rows < 256 ? rows : 256; // a column never has more
    int k = 0;
#pragma unroll 1
    for (; k + 16 <= rows; k += 16) {
        float next[16];
#pragma unroll
        for (int j = 0; j < 16; j++)
            next[j] = in[(k + j) * width + t];
#pragma unroll
        for (int j = 0; j < 16; j++)
            sum += next[j];
    }
#pragma unroll 1
    for (; k < rows; k++)
        sum += in[k * width + t];
    out[t] = sum;
}
