// Known patterns of threads and blocks that work together, all of them right: tests/cli/test_cli_check.py
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
__device__ unsigned counter, flags[64]; __device__ volatile int agg[64], incl[64]; __device__ int queue_next;
__global__ void scan_hs(int *g, const int *in)
{
    __shared__ int a[2][256];
    int t = threadIdx.x, from = 0;
    a[0][t] = in[t];
    __syncthreads();
    for (int d = 1; d < 256; d *= 2) {
        a[1 - from][t] = a[from][t] + (t >= d ? a[from][t - d] : 0);
        from = 1 - from;
        __syncthreads();
    }
    g[t] = a[from][t];
}
__global__ void bitonic(int *g, const int *in)
{
    __shared__ int a[256];
    int t = threadIdx.x;
    a[t] = in[t] * 7919 % 1009;
    __syncthreads();
    for (int k = 2; k <= 256; k *= 2)
        for (int j = k / 2; j > 0; j /= 2) {
            int o = t ^ j;
            if (o > t) {
                bool up = (t & k) == 0;
                if ((a[t] > a[o]) == up) { int x = a[t]; a[t] = a[o]; a[o] = x; }
            }
            __syncthreads();
        }
    g[t] = a[t];
}
__global__ void blelloch(int *g, const int *in)
{
    __shared__ int a[256];
    int t = threadIdx.x, off = 1;
    a[t] = in[t];
    for (int d = 128; d > 0; d >>= 1) {
        __syncthreads();
        if (t < d) { a[off * (2 * t + 2) - 1] += a[off * (2 * t + 1) - 1]; }
        off *= 2;
    }
    if (t == 0) a[255] = 0;
    for (int d = 1; d < 256; d *= 2) {
        off >>= 1;
        __syncthreads();
        if (t < d) {
            int i = off * (2 * t + 1) - 1, j = off * (2 * t + 2) - 1;
            int x = a[i]; a[i] = a[j]; a[j] += x;
        }
    }
    __syncthreads();
    g[t] = a[t];
}
__global__ void stencil(int *g, const int *in)
{
    __shared__ int a[256 + 6];
    int t = threadIdx.x, i = blockIdx.x * 256 + t;
    a[t + 3] = in[i];
    if (t < 3) { a[t] = i >= 3 ? in[i - 3] : 0; a[t + 259] = i + 256 < 1024 ? in[i + 256] : 0; }
    __syncthreads();
    int s = 0;
    for (int k = -3; k <= 3; k++) s += a[t + 3 + k];
    g[i] = s;
}
__global__ void warp_hist(int *g, const int *in)
{
    __shared__ int h[8][32];
    int t = threadIdx.x, w = t / 32;
    h[w][t % 32] = 0;
    __syncwarp();
    atomicAdd(&h[w][in[t] % 32], 1);
    __syncthreads();
    if (t < 32) { int s = 0; for (int i = 0; i < 8; i++) s += h[i][t]; atomicAdd(&g[t], s); }
}
__global__ void tiles(int *g, const int *in)
{
    __shared__ int a[256];
    auto tile = cg::tiled_partition<8>(cg::this_thread_block());
    int t = threadIdx.x;
    a[t] = in[t];
    tile.sync();
    int x = a[t ^ 7];
    for (int i = 4; i > 0; i /= 2) x += tile.shfl_down(x, i);
    tile.sync();
    a[t] = x;
    cg::this_thread_block().sync();
    g[t] = a[t / 8 * 8];
}
__global__ void lookback(int *g, const int *in)
{
    __shared__ int before;
    int t = threadIdx.x, b = blockIdx.x;
    int x = in[b * 32 + t];
    for (int d = 1; d < 32; d *= 2) { int y = __shfl_up_sync(~0u, x, d); if (t >= d) x += y; }
    if (t == 31) {
        agg[b] = x;
        __threadfence();
        atomicExch(&flags[b], b == 0 ? 2 : 1);
        int sum = 0;
        for (int p = b - 1; p >= 0; p--) {
            unsigned f;
            while ((f = atomicAdd(&flags[p], 0)) == 0) ;
            if (f == 2) { sum += p == 0 ? agg[0] : incl[p]; break; }
            sum += agg[p];
        }
        incl[b] = sum + x;
        if (b > 0) { __threadfence(); atomicExch(&flags[b], 2); }
        before = sum;
    }
    __syncwarp();
    g[b * 32 + t] = x + before;
}
__global__ void persistent(int *g, const int *in)
{
    __shared__ int item;
    for (;;) {
        if (threadIdx.x == 0) item = atomicAdd(&queue_next, 1);
        __syncthreads();
        int i = item;
        __syncthreads();
        if (i >= 16) return;
        g[i * 64 + threadIdx.x] = in[i * 64 + threadIdx.x] * 2;
    }
}
__global__ void changed(int *g, const int *in)
{
    __shared__ int again, a[64];
    int t = threadIdx.x;
    a[t] = in[t] % 50;
    do {
        __syncthreads();
        if (t == 0) again = 0;
        __syncthreads();
        int left = t > 0 ? a[t - 1] : a[t];
        __syncthreads();
        if (left > a[t]) { a[t] = left; again = 1; }
        __syncthreads();
    } while (again);
    g[t] = a[t];
}
__global__ void grid_twice(int *g, const int *in)
{
    int t = threadIdx.x, n = gridDim.x;
    for (int round = 1; round <= 3; round++) {
        g[64 + blockIdx.x * 64 + t] = in[t] + round + (round > 1 ? g[64 + (blockIdx.x + 1) % n * 64 + t] % 1 : 0);
        __syncthreads();
        if (t == 0) {
            __threadfence();
            atomicAdd(&counter, 1);
            while (atomicAdd(&counter, 0) < round * n) ;
            __threadfence();
        }
        __syncthreads();
        g[1024 + blockIdx.x * 64 + t] += g[64 + (blockIdx.x + 1) % n * 64 + t];
        __syncthreads();
        if (t == 0) {
            __threadfence();
            atomicAdd(&flags[32], 1);
            while (atomicAdd(&flags[32], 0) < round * n) ;
            __threadfence();
        }
        __syncthreads();
    }
}
struct Big { float3 p; double d; char c; };
__global__ void structs(int *g, const int *in)
{
    __shared__ Big s[64]; __shared__ Big r[64];
    int t = threadIdx.x;
    Big b; b.p = make_float3(t, 1, 2); b.d = t; b.c = 3;
    s[t] = b;
    __syncthreads();
    r[t] = s[t ^ 1];
    __syncthreads();
    g[t] = (int)r[63 - t].d + r[63 - t].c + (int)r[t].p.x;
}
__global__ void max_pair(int *g, const int *in)
{
    unsigned long long *best = (unsigned long long *)g;
    atomicMax(best, (unsigned long long)in[threadIdx.x] << 32 | threadIdx.x);
    float *f = (float *)(g + 8);
    int old = *(volatile int *)f, assumed;
    do { assumed = old; old = atomicCAS((int *)f, assumed, __float_as_int(__int_as_float(assumed) + 1)); } while (old != assumed);
}
__global__ void halves(int *g, const int *in)
{
    __shared__ short h[128];
    int t = threadIdx.x;
    h[t] = in[t]; h[127 - t] = in[t + 1];
    __syncthreads();
    g[t] = h[2 * t] + h[2 * t + 1];
}
