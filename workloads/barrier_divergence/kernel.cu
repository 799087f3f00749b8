// Block barriers that not all threads of a warp reach together. `out` has one number a thread.

// Half of the warp waits at the barrier, the other half waits behind it for the first half.
__global__ void one_side(int *out)
{
    volatile int *to = out + threadIdx.x;
    if (threadIdx.x % 32 < 16) {
        *to = *to * 3 + 1;
        *to = *to * 5 + 2;
        *to = *to * 7 + 3;
        __syncthreads();
        *to = *to + 100;
    }
    __syncwarp();
    *to = *to + 1;
}

// Both halves come to a barrier, each to its own.
__global__ void both_sides(int *out)
{
    volatile int *to = out + threadIdx.x;
    if (threadIdx.x % 32 < 16) {
        *to = 1;
        __syncthreads();
        *to = *to + 100;
    } else {
        *to = *to + 2;
        __syncthreads();
        *to = *to * 100 + *to;
    }
}

// The same with a barrier that is not aligned: it takes the lanes of a warp wherever they are.
__global__ void both_sides_unaligned(int *out)
{
    volatile int *to = out + threadIdx.x;
    if (threadIdx.x % 32 < 16) {
        *to = 1;
        asm volatile("barrier.sync 0;" ::: "memory");
        *to = *to + 100;
    } else {
        *to = *to + 2;
        asm volatile("barrier.sync 0;" ::: "memory");
        *to = *to * 100 + *to;
    }
}

// The barrier stands where all threads pass it.
__global__ void outside(int *out)
{
    volatile int *to = out + threadIdx.x;
    if (threadIdx.x % 32 < 16)
        *to = 1;
    else
        *to = 2;
    __syncthreads();
    if (threadIdx.x % 32 < 16)
        *to = *to + 100;
    else
        *to = *to + 200;
}

// Threads that have ended are not waited for.
__global__ void ended(int *out)
{
    if (threadIdx.x % 32 >= 16)
        return;
    __syncthreads();
    out[threadIdx.x] = 1;
}

// A barrier inside an if is right where all threads of the block agree: here every other block has
// numbers to pass on, and turns them round in shared memory.
__global__ void uniform_if(int *out)
{
    __shared__ int passed[64];
    int mine = blockIdx.x * 64 + threadIdx.x;
    if (blockIdx.x % 2 == 0) {
        passed[threadIdx.x] = mine;
        __syncthreads();
        mine = passed[63 - threadIdx.x];
    }
    out[blockIdx.x * 64 + threadIdx.x] = mine;
}

// What outside and both_sides_unaligned must leave.
__global__ void of_sides(int *out)
{
    out[threadIdx.x] = threadIdx.x % 32 < 16 ? 101 : 202;
}

// What ended must leave.
__global__ void of_low_lanes(int *out)
{
    out[threadIdx.x] = threadIdx.x % 32 < 16;
}

// What uniform_if must leave.
__global__ void of_turned_blocks(int *out)
{
    int first = blockIdx.x * 64;
    out[first + threadIdx.x] = first + (blockIdx.x % 2 == 0 ? 63 - threadIdx.x : threadIdx.x);
}
