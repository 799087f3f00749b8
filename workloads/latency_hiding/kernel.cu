// Each of n threads walks a chain of LENGTH loads, each of which needs the one before, with four
// additions between them. A warp alone waits for memory nearly all the time.
#ifndef LENGTH
#define LENGTH 32
#endif
__global__ void walk(int *out, const int *next, int n)
{
    int thread = blockIdx.x * blockDim.x + threadIdx.x;
    if (thread >= n)
        return;
    int at = thread % 1024;
    int sum = 0;
#pragma unroll 1
    for (int i = 0; i < LENGTH; i++) {
        at = next[at];
        sum += at;
    }
    out[thread] = sum;
}
