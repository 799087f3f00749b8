// Each thread writes its own number, counted along x, then y, then z of the whole grid.
__global__ void number(int *out)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    int z = blockIdx.z * blockDim.z + threadIdx.z;
    int width = gridDim.x * blockDim.x, height = gridDim.y * blockDim.y;
    int i = (z * height + y) * width + x;
    out[i] = i;
}
