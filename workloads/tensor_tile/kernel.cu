// Matrix products on tensor cores, through wmma.
#include <mma.h>

using namespace nvcuda::wmma;

typedef fragment<matrix_a, 16, 16, 16, half, row_major> FragmentA;
typedef fragment<accumulator, 16, 16, 16, float> Sums;

// One warp, one tile: c = a b for 16 x 16 numbers. b lies column by column.
__global__ void tile(float *c, const half *a, const half *b)
{
    FragmentA part_a;
    fragment<matrix_b, 16, 16, 16, half, col_major> part_b;
    Sums sums;
    fill_fragment(sums, 0.0f);
    load_matrix_sync(part_a, a, 16);
    load_matrix_sync(part_b, b, 16);
    mma_sync(sums, part_a, part_b, sums);
    store_matrix_sync(c, sums, 16, mem_row_major);
}

// c = a b for n x n numbers. A block of four warps makes 32 x 32 of them, a warp 16 x 16. Of a and b
// it shares 32 x 16 and 16 x 32 numbers at a time; PAD numbers are left unused in each row.
template <int PAD> __device__ void multiply(float *c, const half *a, const half *b, int n)
{
    __shared__ __align__(32) half tile_a[32][16 + PAD], tile_b[16][32 + PAD];
    int warp = threadIdx.x / 32, row = warp / 2 * 16, column = warp % 2 * 16;
    int top = blockIdx.y * 32, left = blockIdx.x * 32;
    Sums sums;
    fill_fragment(sums, 0.0f);
    for (int k = 0; k < n; k += 16) {
        for (int i = threadIdx.x; i < 32 * 16; i += blockDim.x) {
            tile_a[i / 16][i % 16] = a[(top + i / 16) * n + k + i % 16];
            tile_b[i / 32][i % 32] = b[(k + i / 32) * n + left + i % 32];
        }
        __syncthreads();
        FragmentA part_a;
        fragment<matrix_b, 16, 16, 16, half, row_major> part_b;
        load_matrix_sync(part_a, &tile_a[row][0], 16 + PAD);
        load_matrix_sync(part_b, &tile_b[0][column], 32 + PAD);
        mma_sync(sums, part_a, part_b, sums);
        __syncthreads();
    }
    store_matrix_sync(c + (top + row) * n + left + column, sums, n, mem_row_major);
}
__global__ void gemm(float *c, const half *a, const half *b, int n)
{
    multiply<0>(c, a, b, n);
}
__global__ void gemm_padded(float *c, const half *a, const half *b, int n)
{
    multiply<8>(c, a, b, n);
}

// What gemm must leave: a thread has one sum, of products that are exact in f32.
__global__ void reference(float *c, const half *a, const half *b, int n)
{
    int column = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y * blockDim.y + threadIdx.y;
    float sum = 0;
    for (int k = 0; k < n; k++)
        sum += __half2float(a[row * n + k]) * __half2float(b[k * n + column]);
    c[row * n + column] = sum;
}
