// loses: fast
__global__ void columns(float *out, const float *in, int rows)
{
    int width = blockDim.x, t = threadIdx.x;
    float sum = 0;
#pragma unroll 1
    for (int k = 0; k < rows; k++) {
        sum += in[k * width + t];
        __syncwarp(); // keeps the compiler from bringing loads together
    }
    out[t] = sum;
}
