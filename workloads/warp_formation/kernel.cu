// Which warp is a thread in, and at which place? Threads are counted along x, then y, then z.
__global__ void formation(int *warp, int *place, int *where)
{
    int thread = (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
    int threads = blockDim.x * blockDim.y * blockDim.z;
    int i = blockIdx.x * threads + thread;
    warp[i] = thread / warpSize;
    place[i] = thread % warpSize;
    where[i] = threadIdx.x | threadIdx.y << 10 | threadIdx.z << 20;
}

// Work that depends on groups of 8 threads: a warp of 8 never diverges, larger ones do.
__global__ void groups_of_eight(float *out)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float x = out[i];
    if (threadIdx.x / 8 % 2 == 0) {
#pragma unroll
        for (int k = 0; k < 50; k++)
            x = x * 1.25f;
    } else {
#pragma unroll
        for (int k = 0; k < 50; k++)
            x = x + 1.25f;
    }
    out[i] = x;
}
