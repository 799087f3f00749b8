// 48 running sums in a thread: more values alive at a time than a small register cap has room for.
__global__ void many_sums(float *out, const float *in, int n)
{
    float sum[48];
    int i = blockIdx.x * blockDim.x + threadIdx.x, threads = gridDim.x * blockDim.x;
#pragma unroll
    for (int k = 0; k < 48; k++)
        sum[k] = 0.0f;
    for (int round = 0; round < n; round++) {
        float x = in[round * threads + i];
#pragma unroll
        for (int k = 0; k < 48; k++)
            sum[k] += x * (float)(k + 1);
    }
    float total = 0.0f;
#pragma unroll
    for (int k = 0; k < 48; k++)
        total += sum[k] * (k & 1 ? -1.0f : 1.0f);
    out[i] = total;
}
