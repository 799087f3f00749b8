constexpr int RADIUS = 3;
constexpr int BLOCK = 128;

// A sum over 2 * RADIUS + 1 neighbours; `in` has RADIUS elements more at each end.
__global__ void __launch_bounds__(BLOCK) stencil(const double *in, double *out, int numElements)
{
    __shared__ double tile[BLOCK + 2 * RADIUS];
    int global = blockIdx.x * BLOCK + threadIdx.x, local = threadIdx.x + RADIUS;
    if (global < numElements) {
        tile[local] = in[global + RADIUS];
        if (threadIdx.x < RADIUS) {
            tile[threadIdx.x] = in[global];
            tile[local + BLOCK] = in[global + BLOCK + RADIUS];
        }
    }
    __syncthreads();
    if (global >= numElements)
        return;
    double sum = 0;
    for (int d = -RADIUS; d <= RADIUS; d++)
        sum += tile[local + d];
    out[global] = sum;
}
