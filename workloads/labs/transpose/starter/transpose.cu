// Transposes a matrix: out[x][y] = in[y][x]. `in` has `height` rows of `width` numbers, `out` has
// `width` rows of `height` numbers.
//
// A block has 32 x 8 threads and is responsible for a tile of 32 x 32 numbers: blockIdx.x counts
// tiles along a row of `in`, blockIdx.y along a column. Each thread moves four numbers.
//
// It is right, and slow: see the handout.
__global__ void transpose(float *out, const float *in, int width, int height)
{
    int x = blockIdx.x * 32 + threadIdx.x;
    int y = blockIdx.y * 32 + threadIdx.y;
    for (int i = 0; i < 32; i += 8)
        if (x < width && y + i < height)
            out[x * height + y + i] = in[(y + i) * width + x];
}
