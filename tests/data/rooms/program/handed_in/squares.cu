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

static const char *mode;

static bool is(const char *which)
{
    return std::strcmp(mode, which) == 0;
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
    mode = arguments[1];
    if (is("reads")) {
        copy_line(std::fopen("words.txt", "r"));
        copy_line(stdin);
    }
    const int count = is("small") ? n / 2 : n;
    cudaMalloc(&x, count * sizeof(float));
    fill<<<(n + 63) / 64, 64>>>(x, count, is("wrong") ? 2.0f : 1.5f);
    square<<<(n + 63) / 64, 64>>>(is("far") ? x + (1 << 20) : x, count);
    if (!is("few"))
        square<<<(n + 63) / 64, 64>>>(x, count);
    cudaMemcpy(&first, x, sizeof first, cudaMemcpyDeviceToHost);
    std::fprintf(stderr, is("prints") ? "it goes wrong\nhere\n" : "");
    std::printf("%d numbers\n", n);
    if (!is("prints_less"))
        std::printf("%.3f\n", is("prints") ? 5.063 : is("wrong") ? 5.062 : first);
    std::fflush(stdout);
    if (is("signal"))
        std::abort();
    return is("code") ? 4 : 0;
}
