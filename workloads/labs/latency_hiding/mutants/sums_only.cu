// loses: fast
__global__ void columns(float *out, const float *in, int rows)
{
    int width = blockDim.x, t = threadIdx.x;
    float sums[8] = {0};
    int k = 0;
#pragma unroll 1
    for (; k + 8 <= rows; k += 8) {
#pragma unroll
        for (int j = 0; j < 8; j++) {
            sums[j] += in[(k + j) * width + t]; // eight sums, but each waits before the next load
            __syncwarp();
        }
    }
    float sum = 0;
#pragma unroll
    for (int j = 0; j < 8; j++)
        sum += sums[j];
#pragma unroll 1
    for (; k < rows; k++)
        sum += in[k * width + t];
    out[t] = sum;
}
