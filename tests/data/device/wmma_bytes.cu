/* wmma of bytes against plain sums on the host: each shape, type and layout, from global and from
 * shared memory, wrapping and saturated. Prints what differs, then "done". */
#include <mma.h>

#include <cstdio>
#include <cstring>
#include <vector>

using namespace nvcuda;

enum { LINE = 48 }; /* elements from line to line, whatever the layout */

template <typename L> struct Layout {
    static const bool columns = false;
};
template <> struct Layout<wmma::col_major> {
    static const bool columns = true;
};

/* d = 3 (a b + c), and without the factor where `saturate`. */
template <int M, int N, int K, typename T, typename LA, typename LB>
__global__ void multiply(const T *a, const T *b, const int *c, int *d, bool shared, bool saturate)
{
    __shared__ __align__(32) T of_a[32 * LINE], of_b[32 * LINE];
    wmma::fragment<wmma::matrix_a, M, N, K, T, LA> fa;
    wmma::fragment<wmma::matrix_b, M, N, K, T, LB> fb;
    wmma::fragment<wmma::accumulator, M, N, K, int> sum;
    static_assert(fa.num_elements == M / 2 && fb.num_elements == N / 2 && sum.num_elements == 8, "");
    for (int i = threadIdx.x; i < 32 * LINE; i += 32) {
        of_a[i] = a[i];
        of_b[i] = b[i];
    }
    __syncthreads();
    if (shared) {
        wmma::load_matrix_sync(fa, of_a, LINE);
        wmma::load_matrix_sync(fb, of_b, LINE);
    } else {
        wmma::load_matrix_sync(fa, a, LINE);
        wmma::load_matrix_sync(fb, b, LINE);
    }
    wmma::load_matrix_sync(sum, c, LINE, saturate ? wmma::mem_col_major : wmma::mem_row_major);
    if (saturate) {
        wmma::mma_sync(sum, fa, fb, sum, true);
    } else {
        wmma::mma_sync(sum, fa, fb, sum);
        for (int i = 0; i < sum.num_elements; i++)
            sum.x[i] *= 3;
    }
    wmma::store_matrix_sync(d, sum, LINE, shared ? wmma::mem_col_major : wmma::mem_row_major);
}

template <int M, int N, int K> __global__ void fill(int *d)
{
    wmma::fragment<wmma::accumulator, M, N, K, int> sum;
    wmma::fill_fragment(sum, 7.0f);
    wmma::store_matrix_sync(d, sum, LINE, wmma::mem_row_major);
}

static int wrong;
static unsigned int seed = 1;

static unsigned int number()
{
    seed = seed * 1664525u + 1013904223u;
    return seed >> 8;
}

static void expect(int got, long long wanted, const char *where, int row, int column)
{
    if (got != wanted && wrong++ < 20)
        std::printf("%s: row %d, column %d is %d, not %lld\n", where, row, column, got, wanted);
}

template <typename E> static E *copy(const std::vector<E> &v)
{
    E *p;
    cudaMalloc(&p, v.size() * sizeof(E));
    cudaMemcpy(p, v.data(), v.size() * sizeof(E), cudaMemcpyHostToDevice);
    return p;
}

static int at(bool columns, int row, int column)
{
    return columns ? column * LINE + row : row * LINE + column;
}

template <int M, int N, int K, typename T, typename LA, typename LB> static void check(bool shared, bool saturate)
{
    std::vector<T> a(32 * LINE), b(32 * LINE);
    std::vector<int> c(32 * LINE), d(32 * LINE);
    for (int i = 0; i < 32 * LINE; i++) {
        a[i] = (T)number();
        b[i] = (T)number();
        c[i] = saturate ? (number() & 1 ? 2147480000 : -2147480000) : (int)(number() << 9);
    }
    T *da = copy(a), *db = copy(b);
    int *dc = copy(c), *dd = copy(d);
    multiply<M, N, K, T, LA, LB><<<1, 32>>>(da, db, dc, dd, shared, saturate);
    cudaMemcpy(d.data(), dd, d.size() * sizeof(int), cudaMemcpyDeviceToHost);
    char where[80];
    std::snprintf(where, sizeof where, "%dx%dx%d %s %s %s %s %s", M, N, K, (T)-1 < 0 ? "s8" : "u8",
                  Layout<LA>::columns ? "col" : "row", Layout<LB>::columns ? "col" : "row",
                  shared ? "shared" : "global", saturate ? "satfinite" : "");
    for (int i = 0; i < M; i++)
        for (int j = 0; j < N; j++) {
            long long sum = c[at(saturate, i, j)];
            for (int k = 0; k < K; k++)
                sum += a[at(Layout<LA>::columns, i, k)] * b[at(Layout<LB>::columns, k, j)];
            if (saturate)
                sum = sum > 2147483647 ? 2147483647 : sum < -2147483647 - 1 ? -2147483647 - 1 : sum;
            else
                sum = (int)(3 * (unsigned int)sum);
            expect(d[at(shared, i, j)], sum, where, i, j);
        }
    cudaFree(da);
    cudaFree(db);
    cudaFree(dc);
    cudaFree(dd);
}

template <int M, int N, int K, typename T, typename LA, typename LB> static void check_ways()
{
    for (int way = 0; way < 4; way++)
        check<M, N, K, T, LA, LB>(way & 1, way & 2);
}

template <int M, int N, int K, typename T> static void check_layouts()
{
    check_ways<M, N, K, T, wmma::row_major, wmma::row_major>();
    check_ways<M, N, K, T, wmma::row_major, wmma::col_major>();
    check_ways<M, N, K, T, wmma::col_major, wmma::row_major>();
    check_ways<M, N, K, T, wmma::col_major, wmma::col_major>();
}

template <int M, int N, int K> static void check_shape()
{
    check_layouts<M, N, K, signed char>();
    check_layouts<M, N, K, unsigned char>();
    std::vector<int> d(32 * LINE);
    int *p = copy(d);
    fill<M, N, K><<<1, 32>>>(p);
    cudaMemcpy(d.data(), p, d.size() * sizeof(int), cudaMemcpyDeviceToHost);
    for (int i = 0; i < M; i++)
        for (int j = 0; j < N; j++)
            expect(d[at(false, i, j)], 7, "fill_fragment", i, j);
    cudaFree(p);
}

int main()
{
    check_shape<16, 16, 16>();
    check_shape<32, 8, 16>();
    check_shape<8, 32, 16>();
    cudaError_t error = cudaDeviceSynchronize();
    std::printf("%s\n", error ? cudaGetErrorString(error) : wrong ? "wrong" : "done");
}
