// loses: fast
__global__ void columns(float *out, const float *in, int rows)
{
    int width = blockDim.x, t = threadIdx.x;
    float sum = 0;
    int k = 0;
#pragma unroll 1
    for (; k + 2 <= rows; k += 2) {
        float next[2];
#pragma unroll
        for (int j = 0; j < 2; j++)
            next[j] = in[(k + j) * width + t];
#pragma unroll
        for (int j = 0; j < 2; j++)
            sum += next[j];
    }
#pragma unroll 1
    for (; k < rows; k++)
        sum += in[k * width + t];
    out[t] = sum;
}
