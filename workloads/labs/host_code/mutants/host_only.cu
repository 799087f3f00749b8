// loses: right
#include <cstdio>
#include <cstdlib>

__global__ void square(float *x, long long n)
{
    long long i = blockIdx.x * (long long)blockDim.x + threadIdx.x;
    if (i < n)
        x[i] = x[i] * x[i];
}

static void check(cudaError_t error)
{
    if (error == cudaSuccess)
        return;
    std::printf("error: %s\n", cudaGetErrorString(error));
    std::exit(1);
}

static double sum_of_squares(long long n, int block, int round)
{
    size_t bytes = n * sizeof(float);
    double sum = 0;
    float *x;
    if (n == 0)
        return 0;
    check(cudaMalloc(&x, bytes));
    float *host = static_cast<float *>(std::malloc(bytes));
    for (long long i = 0; i < n; i++)
        host[i] = i % 10 + round;
    for (long long i = 0; i < n; i++)
        host[i] *= host[i];
    if (block > 1024)
        check(cudaErrorInvalidConfiguration);
    check(cudaFree(x));
    for (long long i = 0; i < n; i++)
        sum += host[i];
    std::free(host);
    return sum;
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
