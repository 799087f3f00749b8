/* Weighted sums of the columns of a matrix, a thread each: what ATAX of PolyBench does last. */
__global__ void columns(float *sums, const float *matrix, const float *weights, int rows, int width)
{
    int column = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0;

    for (int row = 0; row < rows; row++)
        sum += matrix[row * width + column] * weights[row];
    sums[column] = sum;
}
