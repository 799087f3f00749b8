// Warp w works w times as long before the barrier. Each warp writes when it came and when it left.
__global__ void skewed(long long *came, long long *left, float *out)
{
    int warp = threadIdx.x / 32;
    float a = threadIdx.x;
    for (int k = 0; k < 64 * warp; k++)
        a = a * 0.5f + 1.0f;
    long long before = clock64();
    __syncthreads();
    out[threadIdx.x] = a; // the clock alone would pass the barrier
    long long after = clock64();
    if (threadIdx.x % 32 == 0) {
        came[warp] = before;
        left[warp] = after;
    }
}
