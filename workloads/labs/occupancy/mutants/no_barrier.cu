// loses: right_uneven
__global__ void multiply(float *c, const float *a, const float *b, int rows, int columns)
{
    __shared__ float tile[64][20];
    int t = threadIdx.x, top = blockIdx.y * 16;
    for (int i = t; i < 64 * 16; i += 128)
        tile[i % 64][i / 64] = top + i / 64 < rows ? a[(top + i / 64) * 64 + i % 64] : 0;
    int x = blockIdx.x * 512 + t;
#pragma unroll 1
    for (int r = 0; r < 16; r += 8) {
        float sum[8][4] = {};
#pragma unroll 2
        for (int k = 0; k < 64; k++) {
            float v[4];
#pragma unroll
            for (int q = 0; q < 4; q++)
                v[q] = b[k * columns + x + q * 128];
#pragma unroll
            for (int j = 0; j < 8; j++)
#pragma unroll
                for (int q = 0; q < 4; q++)
                    sum[j][q] += tile[k][r + j] * v[q];
        }
#pragma unroll
        for (int j = 0; j < 8; j++)
            if (top + r + j < rows)
#pragma unroll
                for (int q = 0; q < 4; q++)
                    c[(top + r + j) * columns + x + q * 128] = sum[j][q];
    }
}
