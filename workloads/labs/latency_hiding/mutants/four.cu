// loses: fast
__global__ void columns(float *out, const float *in, int rows)
{
    int width = blockDim.x, t = threadIdx.x;
    float sum = 0;
    int k = 0;
#pragma unroll 1
    for (; k + 4 <= rows; k += 4) {
        float next[4];
#pragma unroll
        for (int j = 0; j < 4; j++)
            next[j] = in[(k + j) * width + t];
#pragma unroll
        for (int j = 0; j < 4; j++)
            sum += next[j];
    }
#pragma unroll 1
    for (; k < rows; k++)
        sum += in[k * width + t];
    out[t] = sum;
}
