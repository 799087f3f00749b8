#include <cstdio>

__global__ void add_one(int *x, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        x[i] += 1;
}

int main()
{
    const int n = 1000;
    static int host[n];
    int *x;
    cudaMalloc(&x, sizeof host);
    cudaMemcpy(x, host, sizeof host, cudaMemcpyHostToDevice);
    for (int k = 0; k < 3; k++)
        add_one<<<(n + 127) / 128, 128>>>(x, n);
    cudaMemcpy(host, x, sizeof host, cudaMemcpyDeviceToHost);
    cudaFree(x);
    std::printf("%d %d: %s\n", host[0], host[n - 1], cudaGetErrorString(cudaGetLastError()));
}
