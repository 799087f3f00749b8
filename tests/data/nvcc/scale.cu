/*
 * What the fat binaries beside this file are of. nvcc 13.0 made them:
 *
 *   old='-gencode arch=compute_75,code=compute_75' new='-gencode arch=compute_90,code=compute_90'
 *   nvcc -fatbin $old $new -compress-mode=default -o zstd.fatbin scale.cu
 *   nvcc -fatbin $old $new -compress-mode=speed -o lz4.fatbin scale.cu
 *   nvcc -fatbin $old $new -compress-mode=none -o plain.fatbin scale.cu
 */
__managed__ int calls = 3;
__device__ float factor = 2.0f;

extern "C" __global__ void scale(int n, float *x)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        x[i] = factor * x[i];
    if (i == 0)
        calls++;
}
