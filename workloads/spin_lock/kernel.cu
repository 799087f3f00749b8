// Threads of one warp that wait for each other. out[0] is the sum over all threads that got through.

// Every thread takes the lock, adds to a plain counter and gives the lock back.
__global__ void naive(int *lock, volatile int *counter)
{
    while (atomicCAS(lock, 0, 1) != 0)
        ;
    *counter = *counter + 1;
    atomicExch(lock, 0);
}

// The same, but the thread that holds the lock waits for the others before it gives it back.
__global__ void meeting(int *lock, volatile int *counter)
{
    while (atomicCAS(lock, 0, 1) != 0)
        ;
    __syncwarp();
    *counter = *counter + 1;
    atomicExch(lock, 0);
}

// One thread of the warp after the other: nobody waits for a thread of the own warp.
__global__ void in_turn(int *lock, volatile int *counter)
{
    for (int i = 0; i < warpSize; i++) {
        if (threadIdx.x % warpSize == i) {
            while (atomicCAS(lock, 0, 1) != 0)
                ;
            *counter = *counter + 1;
            atomicExch(lock, 0);
        }
        __syncwarp();
    }
}

// One side of a branch waits for the other.
__global__ void waiter(volatile int *flag, int *out)
{
    if (threadIdx.x < 8) {
        while (*flag == 0)
            ;
        out[threadIdx.x] = *flag;
    } else {
        *flag = 7;
        out[threadIdx.x] = 1;
    }
}

// Threads 0 and 1 hand a token to each other, `rounds` times each.
__global__ void token(volatile int *turn, int *out, int rounds)
{
    int me = threadIdx.x;
    if (me < 2) {
        for (int i = 0; i < rounds; i++) {
            while (*turn % 2 != me)
                ;
            out[me] = *turn;
            *turn = *turn + 1;
        }
    }
}

// What waiter must leave in `out`.
__global__ void waited(volatile int *flag, int *out)
{
    out[threadIdx.x] = threadIdx.x < 8 ? 7 : 1;
}
