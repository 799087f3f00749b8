// VALUES numbers that a thread keeps while it waits for memory, 240 times: each takes a register, and the
// work is the same however many there are.
#ifndef VALUES
#define VALUES 16
#endif
#define ROUNDS 240

__global__ void __launch_bounds__(256) keep(const volatile unsigned *next, float *out)
{
    float kept[VALUES];
    unsigned at = threadIdx.x / 32;
    for (int k = 0; k < VALUES; k++)
        kept[k] = k;
    for (int round = 0; round < ROUNDS; round += VALUES) {
#pragma unroll
        for (int k = 0; k < VALUES; k++) {
            at = next[at];
            kept[k] = kept[k] * 0.5f + at;
        }
    }
    float sum = 0;
    for (int k = 0; k < VALUES; k++)
        sum += kept[k];
    out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}
