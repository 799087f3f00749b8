// Kernels that use again what they have read: how fast they are depends on what L1 keeps, and so on how many warps
// share it and in which order they run.

// y = A x, a row a thread. The lanes of a warp read 32 lines and use 4 bytes of each at a time.
__global__ void matvec(float *y, const float *a, const float *x, int rows, int columns)
{
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= rows)
        return;
    float sum = 0;
#pragma unroll 4
    for (int k = 0; k < columns; k++)
        sum += a[row * columns + k] * x[k];
    y[row] = sum;
}

// A warp adds a row, lane by lane.
__global__ void matvec_reference(float *y, const float *a, const float *x, int rows, int columns)
{
    int warps = gridDim.x * blockDim.x / 32;
    for (int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32; row < rows; row += warps) {
        double sum = 0;
        for (int k = threadIdx.x % 32; k < columns; k += 32)
            sum += (double)a[row * columns + k] * x[k];
        for (int step = 16; step > 0; step /= 2)
            sum += __shfl_down_sync(0xffffffff, sum, step);
        if (threadIdx.x % 32 == 0)
            y[row] = sum;
    }
}

// A function from a table: between two entries a straight line. Where a lane reads is anywhere in the table.
__global__ void lookup(float *out, const float *in, const float *table, int n, int entries)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        float place = in[i] * (entries - 1);
        int k = min((int)place, entries - 2);
        float low = table[k], high = table[k + 1];
        out[i] = low + (place - k) * (high - low);
    }
}

// What it must be for the table 0, 1, 2, ...: a straight line as a whole.
__global__ void lookup_reference(float *out, const float *in, const float *table, int n, int entries)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        out[i] = in[i] * (entries - 1);
}

// Columns of a picture through a filter of 2 radius + 1 taps, as in a convolution of rows and then columns. The
// picture has `radius` more rows above and below. Warps of a block read nearly the same rows.
__global__ void convolution(float *out, const float *in, const float *taps, int width, int radius)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    float sum = 0;
#pragma unroll 4
    for (int v = 0; v <= 2 * radius; v++)
        sum += taps[v] * in[(y + v) * width + x];
    out[y * width + x] = sum;
}

// From the last tap to the first, in double precision.
__global__ void convolution_reference(float *out, const float *in, const float *taps, int width, int radius)
{
    for (int i = threadIdx.x; i < width * width; i += blockDim.x) {
        double sum = 0;
        for (int v = 2 * radius; v >= 0; v--)
            sum += (double)taps[v] * in[i + v * width];
        out[i] = sum;
    }
}

// The nearest of `clusters` centres for each point (k-means). A point's features lie one after the other, so that
// the lanes of a warp read 32 lines; they read them again for each centre.
__global__ void kmeans(int *nearest, const float *points, const float *centres, int n, int clusters, int features)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float best = 3.4e38f;
    int found = 0;
    for (int c = 0; c < clusters; c++) {
        float distance = 0;
        for (int f = 0; f < features; f++) {
            float d = points[i * features + f] - centres[c * features + f];
            distance += d * d;
        }
        if (distance < best) {
            best = distance;
            found = c;
        }
    }
    nearest[i] = found;
}

// The centres in the opposite order; of equal ones the first counts.
__global__ void kmeans_reference(int *nearest, const float *points, const float *centres, int n, int clusters,
                                 int features)
{
    for (int i = threadIdx.x; i < n; i += blockDim.x) {
        float best = 3.4e38f;
        for (int c = clusters - 1; c >= 0; c--) {
            float distance = 0;
            for (int f = 0; f < features; f++) {
                float d = points[i * features + f] - centres[c * features + f];
                distance += d * d;
            }
            if (distance <= best) {
                best = distance;
                nearest[i] = c;
            }
        }
    }
}
