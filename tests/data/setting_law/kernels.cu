/* What every setting of a device must leave right: see tests/sim/test_setting_law.c. */

__constant__ int weights[8] = {3, 1, 4, 1, 5, 9, 2, 6};

/* Shared memory, block barriers, a loop, an atomic sum. */
extern "C" __global__ void sums(const int *x, int *out, int *total, int n)
{
    __shared__ int part[64];
    int t = threadIdx.x, v = 0;
    for (int k = blockIdx.x * 64 + t; k < n; k += 64 * gridDim.x)
        v += x[k] * weights[k & 7];
    part[t] = v;
    __syncthreads();
    for (int s = 32; s > 0; s >>= 1) {
        if (t < s)
            part[t] += part[t + s];
        __syncthreads();
    }
    if (t == 0) {
        out[blockIdx.x] = part[0];
        atomicAdd(total, part[0]);
    }
}

/* Branches that split warps, loops of many lengths, roots, divisions, doubles, local memory. */
extern "C" __global__ void paths(const float *x, float *y, double *z)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float v = x[i], kept[8];
    for (int k = 0; k < 8; k++)
        kept[k] = __fmul_rn(v, (float)k);
    for (int k = 0; k < i % 7; k++) {
        if (v > 2.0f)
            v = sqrtf(v);
        else
            v = fmaf(v, 1.5f, 0.25f);
    }
    switch (i & 3) {
    case 0:
        v = v / 3.0f;
        break;
    case 1:
        v = __fadd_rn(v, kept[(i * 5) & 7]);
        break;
    case 2:
        z[i] = 1.0;
        return;
    }
    y[i] = __fsub_rn(v, kept[(i * 3) & 7]);
    z[i] = (double)v / (i + 1);
}

/*
 * A lock that blocks take in turn, fences, a barrier that counts, 64-bit products and divisions. Those
 * that wait sleep longer and longer: where an instruction keeps a pipe for a thousand cycles, a warp
 * that asks again at once may keep the others from it for ever.
 */
extern "C" __global__ void turns(unsigned *lock, volatile unsigned long long *sum, int *odd)
{
    int count = __syncthreads_count(threadIdx.x % 3 == 1);
    if (threadIdx.x == 0) {
        for (unsigned wait = 20; atomicCAS(lock, 0u, 1u) != 0u; wait += wait / 2)
            __nanosleep(wait);
        __threadfence();
        sum[0] += (blockIdx.x + 1) * 1000003ull * 1000033ull / 7;
        __threadfence();
        atomicExch(lock, 0u);
        odd[blockIdx.x] = count;
    }
}
