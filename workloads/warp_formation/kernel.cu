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

// What formation must leave: the first thread of a block counts them all.
__global__ void counted(int *warp, int *place, int *where)
{
    if (threadIdx.x + threadIdx.y + threadIdx.z != 0)
        return;
    int i = blockIdx.x * blockDim.x * blockDim.y * blockDim.z, in_block = 0;
    for (int z = 0; z < blockDim.z; z++)
        for (int y = 0; y < blockDim.y; y++)
            for (int x = 0; x < blockDim.x; x++, i++, in_block++) {
                warp[i] = in_block / warpSize;
                place[i] = in_block % warpSize;
                where[i] = x + 1024 * y + 1024 * 1024 * z;
            }
}

// What groups_of_eight must leave: both are computed and one is chosen.
__global__ void grouped(float *out)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float product = out[i], sum = product;
#pragma unroll 1
    for (int k = 0; k < 50; k++) {
        product = product * 1.25f;
        sum = sum + 1.25f;
    }
    out[i] = i / 8 % 2 == 0 ? product : sum;
}
