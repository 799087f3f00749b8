#include <cstdio>
#include <cstdlib>
#include <cstring>

__global__ void fill(float *x, int n, float value)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        x[i] = value;
}

__global__ void square(float *x, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        x[i] = x[i] * x[i];
}

static void copy_line(std::FILE *from)
{
    char line[100];
    if (from != nullptr && std::fgets(line, sizeof line, from) != nullptr)
        std::printf("%s%s", line, std::strchr(line, '\n') != nullptr ? "" : "\n");
}

int main(int, char **arguments)
{
    const int n = std::atoi(arguments[2]);
    float *x, first = 0;
    if (std::strcmp(arguments[1], "reads") == 0) {
        copy_line(std::fopen("words.txt", "r"));
        copy_line(stdin);
    }
    cudaMalloc(&x, n * sizeof(float));
    fill<<<(n + 63) / 64, 64>>>(x, n, 1.5f);
    square<<<(n + 63) / 64, 64>>>(x, n);
    square<<<(n + 63) / 64, 64>>>(x, n);
    cudaMemcpy(&first, x, sizeof first, cudaMemcpyDeviceToHost);
    std::printf("%d numbers\n%.3f\n", n, first);
    return std::strcmp(arguments[1], "code") == 0 ? 3 : 0;
}
