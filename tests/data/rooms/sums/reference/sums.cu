__global__ void sums(const int *in, int *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int sum = 0;
    for (int k = 0; i < n && k <= i; k++)
        sum += in[k];
    if (i < n)
        out[i] = sum;
}

__global__ void doubled(int *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] *= 2;
}
