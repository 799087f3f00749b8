// c = a * b. `a` has `rows` rows of 64 numbers, `b` has 64 rows of `columns` numbers,
// a multiple of 512.
//
// A block has 128 threads and is responsible for 16 rows and 512 columns of `c`: blockIdx.x counts pieces
// of 512 columns, blockIdx.y pieces of 16 rows. Its rows of `a` lie in shared memory, where tile[k][r] is
// number k of row r. (Rows of 20 numbers begin at multiples of 16 bytes and in different banks.)
//
// Each thread computes 64 numbers, one after the other. It is right, and slow: see the handout.
__global__ void multiply(float *c, const float *a, const float *b, int rows, int columns)
{
    __shared__ float tile[64][20];
    int t = threadIdx.x, top = blockIdx.y * 16;
    for (int i = t; i < 64 * 16; i += 128)
        tile[i % 64][i / 64] = top + i / 64 < rows ? a[(top + i / 64) * 64 + i % 64] : 0;
    __syncthreads();
#pragma unroll 1
    for (int piece = 0; piece < 4; piece++) {
        int x = blockIdx.x * 512 + piece * 128 + t;
#pragma unroll 1
        for (int r = 0; r < 16; r++) {
            float sum = 0;
#pragma unroll 2
            for (int k = 0; k < 64; k++)
                sum += tile[k][r] * b[k * columns + x];
            if (top + r < rows)
                c[(top + r) * columns + x] = sum;
        }
    }
}
