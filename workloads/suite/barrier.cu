// Kernels whose warps wait for each other at block barriers, again and again with little work between.

// The sum of each `2 * blockDim.x` numbers by a tree in shared memory.
__global__ void reduce(unsigned *sums, const unsigned *in, int pieces)
{
    extern __shared__ unsigned shared[];
    for (int piece = blockIdx.x; piece < pieces; piece += gridDim.x) {
        int i = piece * 2 * blockDim.x + threadIdx.x;
        shared[threadIdx.x] = in[i] + in[i + blockDim.x];
        for (int half = blockDim.x / 2; half > 0; half /= 2) {
            __syncthreads();
            if (threadIdx.x < half)
                shared[threadIdx.x] += shared[threadIdx.x + half];
        }
        if (threadIdx.x == 0)
            sums[piece] = shared[0];
        __syncthreads();
    }
}

// The sums of all numbers in front of each one of a piece of `2 * blockDim.x` (Blelloch 1990): up a tree, and down.
__global__ void scan(unsigned *out, const unsigned *in, int pieces)
{
    extern __shared__ unsigned shared[];
    int t = threadIdx.x, n = 2 * blockDim.x;
    for (int piece = blockIdx.x; piece < pieces; piece += gridDim.x) {
        shared[2 * t] = in[piece * n + 2 * t];
        shared[2 * t + 1] = in[piece * n + 2 * t + 1];
        int step = 1;
        for (int d = n / 2; d > 0; d /= 2) {
            __syncthreads();
            if (t < d)
                shared[step * (2 * t + 2) - 1] += shared[step * (2 * t + 1) - 1];
            step *= 2;
        }
        __syncthreads();
        if (t == 0)
            shared[n - 1] = 0;
        for (int d = 1; d < n; d *= 2) {
            step /= 2;
            __syncthreads();
            if (t < d) {
                unsigned left = shared[step * (2 * t + 1) - 1];
                shared[step * (2 * t + 1) - 1] = shared[step * (2 * t + 2) - 1];
                shared[step * (2 * t + 2) - 1] += left;
            }
        }
        __syncthreads();
        out[piece * n + 2 * t] = shared[2 * t];
        out[piece * n + 2 * t + 1] = shared[2 * t + 1];
    }
}

// One number after the other.
__global__ void scan_reference(unsigned *out, const unsigned *in, int pieces)
{
    int n = 2 * blockDim.x;
    for (int piece = blockIdx.x * blockDim.x + threadIdx.x; piece < pieces; piece += gridDim.x * blockDim.x) {
        unsigned sum = 0;
        for (int i = 0; i < n; i++) {
            out[piece * n + i] = sum;
            sum += in[piece * n + i];
        }
    }
}

// Sorts each piece of `2 * blockDim.x` keys in shared memory (Batcher's bitonic network).
__global__ void bitonic_sort(unsigned *out, const unsigned *in, int pieces)
{
    extern __shared__ unsigned shared[];
    int t = threadIdx.x, n = 2 * blockDim.x;
    for (int piece = blockIdx.x; piece < pieces; piece += gridDim.x) {
        shared[t] = in[piece * n + t];
        shared[t + blockDim.x] = in[piece * n + t + blockDim.x];
        for (int size = 2; size <= n; size *= 2)
            for (int step = size / 2; step > 0; step /= 2) {
                __syncthreads();
                int low = 2 * t - (t & (step - 1)), high = low + step;
                unsigned a = shared[low], b = shared[high];
                bool ascending = (low & size) == 0;
                shared[low] = ascending == a < b ? a : b;
                shared[high] = ascending == a < b ? b : a;
            }
        __syncthreads();
        out[piece * n + t] = shared[t];
        out[piece * n + t + blockDim.x] = shared[t + blockDim.x];
        __syncthreads();
    }
}

// A key's place is the number of those that are smaller, or equal and in front of it.
__global__ void sort_reference(unsigned *out, const unsigned *in, int pieces)
{
    int n = 2 * blockDim.x;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n * pieces; i += gridDim.x * blockDim.x) {
        int place = i / n * n;
        for (int k = i / n * n; k < i / n * n + n; k++)
            place += in[k] < in[i] || (in[k] == in[i] && k < i);
        out[place] = in[i];
    }
}

// The product of two square matrices with tiles of 16 x 16 in shared memory, a result a thread.
__global__ void matmul_tiles(float *c, const float *a, const float *b, int n)
{
    __shared__ float left[16][16], right[16][16];
    int x = threadIdx.x, y = threadIdx.y;
    int row = blockIdx.y * 16 + y, column = blockIdx.x * 16 + x;
    float sum = 0;
    for (int first = 0; first < n; first += 16) {
        left[y][x] = a[row * n + first + x];
        right[y][x] = b[(first + y) * n + column];
        __syncthreads();
        for (int k = 0; k < 16; k++)
            sum += left[y][k] * right[k][x];
        __syncthreads();
    }
    c[row * n + column] = sum;
}

__global__ void matmul_reference(float *c, const float *a, const float *b, int n)
{
    for (int i = threadIdx.x; i < n * n; i += blockDim.x) {
        float sum = 0;
        for (int k = 0; k < n; k++)
            sum += a[i / n * n + k] * b[k * n + i % n];
        c[i] = sum;
    }
}

// How many changes make one text the other (Wagner and Fischer 1974), texts as long as the block has threads. The
// table is filled diagonal by diagonal, a column a thread; a barrier after each diagonal.
__global__ void edit_distance(int *distance, const unsigned char *first, const unsigned char *second, int pairs)
{
    extern __shared__ int edge[];
    int n = blockDim.x, j = threadIdx.x;
    for (int pair = blockIdx.x; pair < pairs; pair += gridDim.x) {
        unsigned char mine = second[pair * n + j];
        int up = j + 1, corner = j;
        for (int diagonal = 0; diagonal < 2 * n - 1; diagonal++) {
            int i = diagonal - j;
            if (i >= 0 && i < n) {
                int left = j == 0 ? i + 1 : edge[(diagonal + 1) % 2 * n + j - 1];
                up = min(min(up, left) + 1, corner + (first[pair * n + i] != mine));
                corner = left;
                edge[diagonal % 2 * n + j] = up;
            }
            __syncthreads();
        }
        if (j == n - 1)
            distance[pair] = up;
    }
}

// Row by row; texts of 256 at most.
__global__ void edit_distance_reference(int *distance, const unsigned char *first, const unsigned char *second,
                                        int pairs)
{
    int n = blockDim.x;
    for (int pair = blockIdx.x * blockDim.x + threadIdx.x; pair < pairs; pair += gridDim.x * blockDim.x) {
        int row[256 + 1];
        for (int j = 0; j <= n; j++)
            row[j] = j;
        for (int i = 1; i <= n; i++) {
            int corner = row[0];
            row[0] = i;
            for (int j = 1; j <= n; j++) {
                int best = corner + (first[pair * n + i - 1] != second[pair * n + j - 1]);
                corner = row[j];
                row[j] = min(best, min(row[j], row[j - 1]) + 1);
            }
        }
        distance[pair] = row[n];
    }
}
