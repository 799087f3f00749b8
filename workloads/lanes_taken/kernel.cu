// The first `taken` lanes of each warp take one side of a branch, the others another one as long.
__global__ void sides(unsigned *out, int taken)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned x = i;
    if ((int)threadIdx.x % 32 < taken) {
#pragma unroll
        for (int step = 0; step < 100; step++)
            x = x * 3u ^ step;
    } else {
#pragma unroll
        for (int step = 0; step < 100; step++)
            x = __brev(x) + step;
    }
    out[i] = x;
}

// The same without a branch, for comparison: one thread does all.
__global__ void plain(unsigned *out, int taken, int n)
{
    for (int i = 0; i < n; i++) {
        unsigned x = i;
        bool first = i % 32 < taken;
        for (int step = 0; step < 100; step++)
            x = first ? x * 3u ^ step : __brev(x) + step;
        out[i] = x;
    }
}
