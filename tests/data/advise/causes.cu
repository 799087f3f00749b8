// Kernels that lose most of their time to one known cause each. With MENDED each does the same
// amount of work in the way that people mend that cause.

__device__ __forceinline__ int thread()
{
    return blockIdx.x * blockDim.x + threadIdx.x;
}

__device__ __forceinline__ int threads()
{
    return gridDim.x * blockDim.x;
}

// ---- uncoalesced access -----------------------------------------------------------------------

// Each thread reads the elements of one row; mended: the matrix is stored by columns.
__global__ void rows(float *out, const float *in, int columns)
{
    int t = thread();
    float sum = 0;
#pragma unroll 4
    for (int k = 0; k < columns; k++)
#ifdef MENDED
        sum += in[k * threads() + t];
#else
        sum += in[t * columns + k];
#endif
    out[t] = sum;
}

// A stride of 32 elements; mended: none.
__global__ void strided(float *out, const float *in, int n, int rounds)
{
    int t = thread();
    float sum = 0;
#ifdef MENDED
    const int stride = 1;
#else
    const int stride = 32;
#endif
#pragma unroll 1
    for (int k = 0; k < rounds; k++)
        sum += in[(t + k * threads()) * stride & (n - 1)];
    out[t] = sum;
}

// ---- bank conflicts ---------------------------------------------------------------------------

// Columns of a tile; mended: rows are padded by an element.
__global__ void columns(float *out, int rounds)
{
#ifdef MENDED
    const int width = 33;
#else
    const int width = 32;
#endif
    __shared__ float tile[32 * width];
    int x = threadIdx.x % 32, y = threadIdx.x / 32;
    for (int k = y; k < 32; k += blockDim.x / 32)
        tile[k * width + x] = x + k;
    __syncthreads();
    float sum = 0;
#pragma unroll 1
    for (int k = 0; k < rounds; k++)
        sum = sum * 0.5f + tile[x * width + ((y + k) & 31)];
    out[thread()] = sum;
}

// Each thread has eight counters side by side; mended: each counter's are side by side.
__global__ void counters(int *out, const int *in, int rounds)
{
    __shared__ int count[8 * 256];
    int t = threadIdx.x;
    for (int k = 0; k < 8; k++)
        count[k * 256 + t] = 0;
    __syncthreads();
#pragma unroll 1
    for (int k = 0; k < rounds; k++)
#ifdef MENDED
        count[(k & 7) * 256 + t] += k;
#else
        count[t * 8 + (k & 7)] += k;
#endif
    int sum = 0;
    for (int k = 0; k < 8; k++)
#ifdef MENDED
        sum += count[k * 256 + t];
#else
        sum += count[t * 8 + k];
#endif
    out[thread()] = sum + in[thread()];
}

// ---- atomics ----------------------------------------------------------------------------------

// A histogram of 16 bins in global memory; mended: each block has its own in shared memory.
__global__ void histogram(int *bins, const int *in, int n)
{
#ifdef MENDED
    __shared__ int own[16];
    if (threadIdx.x < 16)
        own[threadIdx.x] = 0;
    __syncthreads();
    for (int k = thread(); k < n; k += threads())
        atomicAdd(own + (in[k] & 15), 1);
    __syncthreads();
    if (threadIdx.x < 16)
        atomicAdd(bins + threadIdx.x, own[threadIdx.x]);
#else
    for (int k = thread(); k < n; k += threads())
        atomicAdd(bins + (in[k] & 15), 1);
#endif
}

// Each thread adds to one sum; mended: a warp adds up first.
__global__ void total(int *sum, const int *in, int n)
{
#pragma unroll 1
    for (int k = thread(); k < n; k += threads()) {
#ifdef MENDED
        int value = in[k];
        for (int step = 16; step > 0; step /= 2)
            value += __shfl_down_sync(0xffffffff, value, step);
        if (threadIdx.x % 32 == 0)
            atomicMax(sum, value);
#else
        atomicMax(sum, in[k] * 32);
#endif
    }
}

// ---- barriers ---------------------------------------------------------------------------------

// One warp in eight has more to do, each time another; the barriers make all wait for it. What
// they guard belongs to one warp; mended: warps do not wait for each other.
__global__ void turns(float *out, int rounds)
{
    __shared__ float kept[256];
    int t = threadIdx.x;
    float a = t;
#ifdef MENDED
#define MEET() __syncwarp()
#else
#define MEET() __syncthreads()
#endif
#pragma unroll 1
    for (int k = 0; k < rounds; k++) {
        kept[t] = a;
        MEET();
        if (((t / 32 + k) & 7) == 0) {
#pragma unroll 1
            for (int i = 0; i < 64; i++)
                a = a * 0.5f + 1;
        }
        a += kept[t ^ 1];
        MEET();
    }
    out[thread()] = a;
}

// Sums of warps by way of shared memory, with block barriers that nobody needs; mended: barriers of
// warps.
__global__ void trees(float *out, int rounds)
{
    __shared__ float part[1024];
    int t = threadIdx.x;
    float sum = t;
#pragma unroll 1
    for (int k = 0; k < rounds; k++) {
        part[t] = sum;
        MEET();
#pragma unroll
        for (int step = 16; step > 0; step /= 2) {
            float other = part[t ^ step];
            MEET();
            sum = sum * 0.5f + other;
            part[t] = sum;
            MEET();
        }
    }
    out[thread()] = sum;
}

// ---- a chain of dependences -------------------------------------------------------------------

// One sum, each step of which waits for the one before; mended: two sums.
__global__ void chain(float *out, int steps)
{
    float a = threadIdx.x, b = 1;
#ifdef MENDED
#pragma unroll 16
    for (int k = 0; k < steps / 2; k++) {
        a = a * 0.99f + 1;
        b = b * 0.99f + 1;
    }
#else
#pragma unroll 32
    for (int k = 0; k < steps; k++)
        a = a * 0.99f + 1;
#endif
    out[thread()] = a + b;
}

// Random numbers, one from the other; mended: four sequences.
__global__ void random(unsigned *out, int steps)
{
    unsigned a = threadIdx.x, b = a + 1, c = a + 2, d = a + 3;
#ifdef MENDED
#pragma unroll 4
    for (int k = 0; k < steps / 4; k++) {
        a ^= a << 13, b ^= b << 13, c ^= c << 13, d ^= d << 13;
        a ^= a >> 17, b ^= b >> 17, c ^= c >> 17, d ^= d >> 17;
        a ^= a << 5, b ^= b << 5, c ^= c << 5, d ^= d << 5;
    }
#else
#pragma unroll 16
    for (int k = 0; k < steps; k++) {
        a ^= a << 13;
        a ^= a >> 17;
        a ^= a << 5;
    }
#endif
    out[thread()] = a + b + c + d;
}

// ---- divergence -------------------------------------------------------------------------------

// Four sides, by lane; mended: by warp.
__global__ void sides(float *out, int steps)
{
    int t = thread();
    float a = t, b = 1;
#ifdef MENDED
    int side = t / 32 & 3;
#else
    int side = t & 3;
#endif
    switch (side) {
    case 0:
#pragma unroll 1
        for (int k = 0; k < steps; k++) {
            a = a * 0.5f + b;
            b = b * 0.4f + 1;
        }
        break;
    case 1:
#pragma unroll 1
        for (int k = 0; k < steps; k++) {
            a = a * 0.5f - b;
            b = b * 0.25f;
        }
        break;
    case 2:
#pragma unroll 1
        for (int k = 0; k < steps; k++) {
            a = b - a * 0.5f;
            b = b * 0.5f + 1;
        }
        break;
    default:
#pragma unroll 1
        for (int k = 0; k < steps; k++) {
            a = a * 0.25f;
            b = b * 0.5f + a;
        }
    }
    out[t] = a + b;
}

// Loops of 1 to 32 turns, by lane; mended: threads are sorted by turns.
__global__ void trips(float *out, int steps)
{
    int t = thread();
#ifdef MENDED
    int turns = (t / 32 & 31) + 1;
#else
    int turns = (t * 11 & 31) + 1;
#endif
    float a = t, b = 1;
#pragma unroll 1
    for (int k = 0; k < turns * steps; k++) {
        a = a * 0.5f + b;
        b = b * 0.4f + 1;
    }
    out[t] = a + b;
}

// ---- few resident blocks ----------------------------------------------------------------------

// `bytes` of shared memory a block keep other blocks out; mended: less of it.
__global__ void few_blocks(float *out, const float *in, int rounds)
{
    extern __shared__ float kept[];
    int t = thread();
    kept[threadIdx.x] = t;
    __syncthreads();
    float sum = 0;
#pragma unroll 1
    for (int k = 0; k < rounds; k++)
        sum = sum * 0.5f + in[k * threads() + t];
    out[t] = sum + kept[threadIdx.x ^ 1];
}

// ---- instruction fetch ------------------------------------------------------------------------

#define R4(x) x x x x
#define R64(x) R4(R4(R4(x)))

// A loop that no instruction cache holds; mended: as many steps in a short one.
__global__ void long_loop(float *out, int rounds)
{
    float a = threadIdx.x, b = a + 1, c = b + 1, d = c + 1;
#ifdef MENDED
#pragma unroll 1
    for (int k = 0; k < rounds * 64; k++) {
        R4(R4(a = a * 0.9f + b; b = b * 0.9f + c; c = c * 0.9f + d; d = d * 0.9f + a;))
    }
#else
#pragma unroll 1
    for (int k = 0; k < rounds; k++) {
        R64(R4(R4(a = a * 0.9f + b; b = b * 0.9f + c; c = c * 0.9f + d; d = d * 0.9f + a;)))
    }
#endif
    out[thread()] = a + b + c + d;
}

// ---- caches and bandwidth ---------------------------------------------------------------------

// The block reads more than L1 holds, again and again; mended: it reads an eighth as often as it
// must before it goes on.
__global__ void again(float *out, const float *table, int n, int rounds)
{
#ifdef MENDED
    const int part = n / 8;
#else
    const int part = n;
#endif
    float sum = 0;
#pragma unroll 1
    for (int first = 0; first < n; first += part)
#pragma unroll 1
        for (int k = 0; k < rounds; k++)
#pragma unroll 1
            for (int i = threadIdx.x; i < part; i += blockDim.x)
                sum = sum * 0.5f + table[first + i];
    out[threadIdx.x] = sum;
}

#ifdef MENDED
typedef short Element;
#else
typedef int Element;
#endif

// A sum over many elements, all there is to do for them; mended: elements of half the size.
__global__ void stream(int *out, const Element *in, int rounds)
{
    int t = thread(), sum = 0;
#pragma unroll 8
    for (int k = 0; k < rounds; k++)
        sum += in[k * threads() + t];
    out[t] = sum;
}
