// Variables in registers, in memory, in inlined and called functions, over branches and loops.
struct Pair {
    int sum;
    float parts[3];
};

__device__ __noinline__ int triple(int x, Pair *pair)
{
    int y = x * 3;
    pair->sum += y;
    return y + 1;
}

__device__ __forceinline__ int spread(int x)
{
    int z = x + 7;
    if (z & 1)
        z *= 2;
    return z;
}

__global__ void variables(const int *in, int *out, int n)
{
    __shared__ int tile[4][32];
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    Pair pair = {t, {1, 2, 3}};
    long long wide = (long long)t << 33;
    double share = 1.0 / (t + 1);
    int sum = 0;
    for (int i = 0; i < n; i++) {
        int v = in[(t + i * 7) & 63];
        if (v & 1)
            sum += triple(v, &pair);
        else
            sum ^= spread(v + i) + (int)(wide >> 33);
        tile[i & 3][threadIdx.x & 31] = sum;
        __syncthreads();
        if (sum > 100 && share < 0.5) {
            int excess = sum - 100;
            out[64 + t] = excess;
            sum -= excess / 2;
        }
        share += tile[(i + 1) & 3][t & 31];
    }
    out[t] = sum + pair.sum + (int)share;
}
