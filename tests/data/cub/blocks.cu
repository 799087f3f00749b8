/* CUB's parts for warps and blocks against loops on the host. Prints what differs, then "done". */
#include <cub/cub.cuh>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <vector>

enum { MOST = 4096 };
static int *device_in, *device_out;

static std::vector<int> numbers(int n, int below, unsigned int seed)
{
    std::vector<int> v(n);
    for (int &x : v) {
        seed = seed * 1664525u + 1013904223u;
        x = (int)(seed >> 8) % below - below / 4;
    }
    return v;
}

static void expect(const char *what, const std::vector<int> &wanted)
{
    std::vector<int> got(wanted.size());
    cudaError_t error = cudaMemcpy(got.data(), device_out, got.size() * sizeof(int), cudaMemcpyDeviceToHost);
    if (error != cudaSuccess) {
        std::printf("%s: %s\n", what, cudaGetErrorString(error));
        std::exit(1);
    }
    for (size_t i = 0; i < got.size(); i++)
        if (got[i] != wanted[i]) {
            std::printf("%s: item %zu is %d, not %d\n", what, i, got[i], wanted[i]);
            break;
        }
}

static void give(const std::vector<int> &v)
{
    cudaMemcpy(device_in, v.data(), v.size() * sizeof(int), cudaMemcpyHostToDevice);
    cudaMemset(device_out, 0x7e, MOST * sizeof(int));
}

/* Not commutative: the composition of x -> a x + b, modulo 2^32. */
struct Line {
    unsigned int a, b;
};
struct Compose {
    __device__ Line operator()(const Line &f, const Line &g) const
    {
        return Line{f.a * g.a, g.a * f.b + g.b};
    }
};

template <typename Block, int ITEMS> __global__ void reduce_lines(const int *in, int *out, int valid)
{
    __shared__ typename Block::TempStorage temp;
    int thread = threadIdx.y * blockDim.x + threadIdx.x;
    Line line{(unsigned int)in[thread] | 1, (unsigned int)thread};
    Line all = valid < 0 ? Block(temp).Reduce(line, Compose()) : Block(temp).Reduce(line, Compose(), valid);
    if (thread == 0) {
        out[0] = all.a;
        out[1] = all.b;
    }
}

template <int X, int Y, cub::BlockReduceAlgorithm A> void try_reduce(const char *what)
{
    typedef cub::BlockReduce<Line, X, A, Y> Block;
    std::vector<int> v = numbers(X * Y, 1000, X + Y);
    for (int valid : {-1, 1, X * Y / 3 + 1, X * Y - 1, X * Y}) {
        if (valid == 0)
            continue;
        give(v);
        reduce_lines<Block, 1><<<1, dim3(X, Y)>>>(device_in, device_out, valid);
        Line all{1, 0};
        for (int i = 0; i < (valid < 0 ? X * Y : valid); i++)
            all = Line{all.a * (v[i] | 1u), (v[i] | 1u) * all.b + i};
        expect(what, {(int)all.a, (int)all.b});
    }
}

struct Running {
    Line total;
    __device__ Line operator()(Line block)
    {
        Line old = total;
        total = Compose()(total, block);
        return old;
    }
};

/* A tile after the other, with the prefix of those before; exclusive, then inclusive. */
template <typename Block, int ITEMS> __global__ void scan_lines(const int *in, int *out, int tiles)
{
    __shared__ typename Block::TempStorage temp;
    Running exclusive{{1, 7}}, inclusive{{1, 7}};
    int thread = threadIdx.x;
    for (int tile = 0; tile < tiles; tile++) {
        Line lines[ITEMS], results[ITEMS];
        int first = (tile * blockDim.x + thread) * ITEMS;
        for (int i = 0; i < ITEMS; i++)
            lines[i] = Line{(unsigned int)in[first + i] | 1, (unsigned int)(first + i)};
        if (ITEMS == 1)
            Block(temp).ExclusiveScan(lines[0], results[0], Compose(), exclusive);
        else
            Block(temp).ExclusiveScan(lines, results, Compose(), exclusive);
        for (int i = 0; i < ITEMS; i++)
            out[first + i] = results[i].b;
        __syncthreads();
        if (ITEMS == 1)
            Block(temp).InclusiveScan(lines[0], results[0], Compose(), inclusive);
        else
            Block(temp).InclusiveScan(lines, results, Compose(), inclusive);
        for (int i = 0; i < ITEMS; i++)
            out[tiles * blockDim.x * ITEMS + first + i] = results[i].b;
        __syncthreads();
    }
}

template <int X, int ITEMS, cub::BlockScanAlgorithm A> void try_scan(const char *what)
{
    int n = 2 * X * ITEMS;
    std::vector<int> v = numbers(n, 1000, X), wanted(2 * n);
    give(v);
    scan_lines<cub::BlockScan<Line, X, A>, ITEMS><<<1, X>>>(device_in, device_out, 2);
    Line all{1, 7};
    for (int i = 0; i < n; i++) {
        wanted[i] = all.b;
        all = Line{all.a * (v[i] | 1u), (v[i] | 1u) * all.b + i};
        wanted[n + i] = all.b;
    }
    expect(what, wanted);
}

template <int X> __global__ void sums(const int *in, int *out)
{
    typedef cub::BlockScan<int, X> Scan;
    __shared__ union {
        typename Scan::TempStorage scan;
        typename cub::BlockReduce<int, X>::TempStorage reduce;
    } temp;
    int items[3], results[3], all = 0, one;
    cub::LoadDirectBlocked(threadIdx.x, in, items);
    Scan(temp.scan).ExclusiveSum(items, results, all);
    cub::StoreDirectBlocked(threadIdx.x, out, results);
    __syncthreads();
    Scan(temp.scan).InclusiveSum(items, results);
    cub::StoreDirectBlocked(threadIdx.x, out + 3 * X, results);
    __syncthreads();
    Scan(temp.scan).ExclusiveScan(items[0], one, -5, cub::Max());
    out[6 * X + threadIdx.x] = one;
    __syncthreads();
    int sum = cub::BlockReduce<int, X>(temp.reduce).Sum(items);
    if (threadIdx.x == 0) {
        out[7 * X] = sum;
        out[7 * X + 1] = all;
    }
}

template <int X> void try_sums(const char *what)
{
    std::vector<int> v = numbers(3 * X, 50, X), wanted(7 * X + 2);
    give(v);
    sums<X><<<1, X>>>(device_in, device_out);
    int sum = 0, most = -5;
    for (int i = 0; i < 3 * X; i++) {
        wanted[i] = sum;
        sum += v[i];
        wanted[3 * X + i] = sum;
    }
    for (int i = 0; i < X; i++) {
        wanted[6 * X + i] = most;
        most = std::max(most, v[3 * i]);
    }
    wanted[7 * X] = wanted[7 * X + 1] = sum;
    expect(what, wanted);
}

template <int LANES> __global__ void warps(const int *in, int *out)
{
    typedef cub::WarpReduce<int, LANES> Reduce;
    typedef cub::WarpScan<int, LANES> Scan;
    __shared__ typename Reduce::TempStorage reduce[96];
    __shared__ typename Scan::TempStorage scan[96];
    int warp = threadIdx.x / LANES, lane = threadIdx.x % LANES, value = in[threadIdx.x], x, all;
    int sum = Reduce(reduce[warp]).Sum(value), least = Reduce(reduce[warp]).Reduce(value, cub::Min(), LANES - LANES / 3);
    int heads = Reduce(reduce[warp]).HeadSegmentedSum(value, lane % 3 == 0);
    int tails = Reduce(reduce[warp]).TailSegmentedSum(value, lane % 3 == 2);
    out += threadIdx.x;
    out[0] = lane == 0 ? sum : 0;
    out[64] = lane == 0 ? least : 0;
    out[128] = lane % 3 == 0 ? heads : 0;
    out[192] = lane % 3 == 0 ? tails : 0;
    Scan(scan[warp]).ExclusiveSum(value, x, all);
    out[256] = x;
    out[320] = all;
    Scan(scan[warp]).InclusiveScan(value, x, cub::Max());
    out[384] = x;
    Scan(scan[warp]).ExclusiveScan(value, x, 3, cub::Max());
    out[448] = x;
}

template <int LANES> void try_warps(const char *what)
{
    enum { THREADS = 64 / LANES * LANES };
    std::vector<int> v = numbers(64, 50, LANES), wanted(512, 0x7e7e7e7e);
    give(v);
    /* Logical warps that are no power of two are those of a warp. */
    int used = LANES == 32 || 32 % LANES == 0 ? 64 : LANES;
    warps<LANES><<<1, used>>>(device_in, device_out);
    for (int i = 0; i < used; i++) {
        int lane = i % LANES, first = i - lane, sum = 0, most = v[first], segment = 0, all = 0;
        for (int k = 0; k < LANES; k++)
            all += v[first + k];
        for (int k = i; k < i + 3 && k < first + LANES; k++)
            segment += v[k];
        for (int k = first; k < i; k++)
            sum += v[k];
        for (int k = first; k <= i; k++)
            most = std::max(most, v[k]);
        wanted[i] = lane == 0 ? all : 0;
        wanted[64 + i] = lane == 0 ? *std::min_element(&v[i], &v[i] + LANES - LANES / 3) : 0;
        wanted[128 + i] = wanted[192 + i] = lane % 3 == 0 ? segment : 0;
        wanted[256 + i] = sum;
        wanted[320 + i] = all;
        wanted[384 + i] = most;
        wanted[448 + i] = lane == 0 ? 3 : std::max(3, *std::max_element(&v[first], &v[i]));
    }
    expect(what, wanted);
}

template <int X, int ITEMS, cub::BlockLoadAlgorithm L, cub::BlockStoreAlgorithm S, bool PART>
__global__ void move(const int *in, int *out, int valid)
{
    typedef cub::BlockLoad<int, X, ITEMS, L> Load;
    typedef cub::BlockStore<int, X, ITEMS, S> Store;
    __shared__ typename Load::TempStorage load;
    __shared__ typename Store::TempStorage store;
    int items[ITEMS];
    if (PART)
        Load(load).Load(in, items, valid, -9);
    else
        Load(load).Load(in, items);
    for (int i = 0; i < ITEMS; i++)
        items[i] = items[i] * 2 + (L == cub::BLOCK_LOAD_STRIPED ? 0 : (int)threadIdx.x * ITEMS + i);
    if (PART)
        Store(store).Store(out, items, valid);
    else
        Store(store).Store(out, items);
}

template <int X, int ITEMS, cub::BlockLoadAlgorithm L, cub::BlockStoreAlgorithm S> void try_move(const char *what)
{
    int n = X * ITEMS;
    std::vector<int> v = numbers(n + 1, 1000, X), wanted(n);
    for (int odd = 0; odd < 2; odd++) {
        give(v);
        for (int i = 0; i < n; i++)
            wanted[i] = 2 * v[i + odd] + (L == cub::BLOCK_LOAD_STRIPED ? 0 : i);
        move<X, ITEMS, L, S, false><<<1, X>>>(device_in + odd, device_out, n);
        expect(what, wanted);
    }
    give(v);
    int valid = n / 2 + 3;
    for (int i = 0; i < n; i++)
        wanted[i] = i < valid ? 2 * v[i] + (L == cub::BLOCK_LOAD_STRIPED ? 0 : i) : 0x7e7e7e7e;
    move<X, ITEMS, L, S, true><<<1, X>>>(device_in, device_out, valid);
    expect(what, wanted);
}

template <typename Key, int X, int ITEMS> __global__ void sort(const int *in, int *out, bool descending)
{
    typedef cub::BlockRadixSort<Key, X, ITEMS, int> Sort;
    __shared__ typename Sort::TempStorage temp;
    Key keys[ITEMS];
    int values[ITEMS];
    for (int i = 0; i < ITEMS; i++) {
        values[i] = threadIdx.x * ITEMS + i;
        keys[i] = (Key)in[values[i]] / 4;
    }
    if (descending)
        Sort(temp).SortDescendingBlockedToStriped(keys, values);
    else
        Sort(temp).Sort(keys, values);
    if (descending)
        cub::StoreDirectStriped<X>(threadIdx.x, out, values);
    else
        cub::StoreDirectBlocked(threadIdx.x, out, values);
}

template <typename Key, int X, int ITEMS> void try_sort(const char *what)
{
    int n = X * ITEMS;
    std::vector<int> v = numbers(n, 4000, X), order(n);
    for (bool descending : {false, true}) {
        for (int i = 0; i < n; i++)
            order[i] = i;
        std::stable_sort(order.begin(), order.end(), [&](int a, int b) {
            Key x = (Key)v[a] / 4, y = (Key)v[b] / 4;
            return descending ? y < x : x < y;
        });
        give(v);
        sort<Key, X, ITEMS><<<1, X>>>(device_in, device_out, descending);
        expect(what, order);
    }
}

__global__ void sort_bits(const int *in, int *out)
{
    typedef cub::BlockRadixSort<unsigned int, 64, 1> Sort;
    __shared__ typename Sort::TempStorage temp;
    unsigned int key[1] = {(unsigned int)in[threadIdx.x]};
    Sort(temp).Sort(key, 3, 9);
    out[threadIdx.x] = key[0];
}

__global__ void neighbours(const int *in, int *out)
{
    typedef cub::BlockAdjacentDifference<int, 64> Difference;
    typedef cub::BlockDiscontinuity<int, 64> Flags;
    __shared__ typename Difference::TempStorage difference;
    __shared__ typename Flags::TempStorage flags;
    int items[2], results[2], heads[2], tails[2];
    cub::LoadDirectBlocked(threadIdx.x, in, items);
    Difference(difference).SubtractLeft(items, results, cub::Difference());
    cub::StoreDirectBlocked(threadIdx.x, out, results);
    __syncthreads();
    Difference(difference).SubtractRight(items, results, cub::Difference(), 100);
    cub::StoreDirectBlocked(threadIdx.x, out + 128, results);
    Flags(flags).FlagHeadsAndTails(heads, tails, items, cub::Inequality());
    cub::StoreDirectBlocked(threadIdx.x, out + 256, heads);
    cub::StoreDirectBlocked(threadIdx.x, out + 384, tails);
}

static void try_the_rest()
{
    std::vector<int> v = numbers(128, 3, 5), wanted(512);
    give(v);
    neighbours<<<1, 64>>>(device_in, device_out);
    for (int i = 0; i < 128; i++) {
        wanted[i] = i == 0 ? v[0] : v[i] - v[i - 1];
        wanted[128 + i] = v[i] - (i == 127 ? 100 : v[i + 1]);
        wanted[256 + i] = i == 0 || v[i] != v[i - 1];
        wanted[384 + i] = i == 127 || v[i] != v[i + 1];
    }
    expect("neighbours", wanted);
    v = numbers(64, 100000, 9);
    give(v);
    sort_bits<<<1, 64>>>(device_in, device_out);
    std::stable_sort(v.begin(), v.end(), [](int a, int b) { return (a >> 3 & 63) < (b >> 3 & 63); });
    expect("bits", v);
}

struct Half {
    __device__ int operator()(int x) const
    {
        return x / 2;
    }
};
__global__ void iterators(const int *in, int *out)
{
    cub::CountingInputIterator<int> counting(40);
    cub::ConstantInputIterator<int> constant(7);
    cub::TransformInputIterator<int, Half, const int *> half(in, Half());
    cub::CacheModifiedInputIterator<cub::LOAD_LDG, const int> cached(in);
    cub::ArgIndexInputIterator<const int *> pairs(in);
    cub::KeyValuePair<ptrdiff_t, int> best = cub::ArgMax()(pairs[0], pairs[1]);
    out[0] = counting[2] + *(counting + 1);
    out[1] = constant[100];
    out[2] = half[3];
    out[3] = *++cached;
    out[4] = best.key;
    out[5] = best.value;
    out[6] = cub::Sum()(1, 2) + cub::Max()(3, 4) + cub::Min()(5, 6);
    out[7] = (half + 9) - half;
}

int main()
{
    cudaMalloc(&device_in, (MOST + 1) * sizeof(int));
    cudaMalloc(&device_out, MOST * sizeof(int));
    try_reduce<256, 1, cub::BLOCK_REDUCE_WARP_REDUCTIONS>("reduce 256");
    try_reduce<48, 1, cub::BLOCK_REDUCE_WARP_REDUCTIONS>("reduce 48");
    try_reduce<16, 1, cub::BLOCK_REDUCE_WARP_REDUCTIONS>("reduce 16");
    try_reduce<16, 8, cub::BLOCK_REDUCE_WARP_REDUCTIONS>("reduce 16 x 8");
    try_reduce<256, 1, cub::BLOCK_REDUCE_RAKING>("raking 256");
    try_reduce<100, 1, cub::BLOCK_REDUCE_RAKING>("raking 100");
    try_scan<128, 1, cub::BLOCK_SCAN_RAKING>("scan 128 x 1");
    try_scan<100, 2, cub::BLOCK_SCAN_RAKING>("scan 100 x 2");
    try_scan<32, 4, cub::BLOCK_SCAN_RAKING>("scan 32 x 4");
    try_scan<20, 1, cub::BLOCK_SCAN_RAKING>("scan 20 x 1");
    try_scan<256, 3, cub::BLOCK_SCAN_WARP_SCANS>("scan of warps 256 x 3");
    try_scan<96, 1, cub::BLOCK_SCAN_WARP_SCANS>("scan of warps 96 x 1");
    try_sums<64>("sums 64");
    try_sums<256>("sums 256");
    try_warps<32>("warps of 32");
    try_warps<8>("warps of 8");
    try_warps<12>("warps of 12");
    try_move<64, 4, cub::BLOCK_LOAD_DIRECT, cub::BLOCK_STORE_TRANSPOSE>("direct, transpose");
    try_move<64, 4, cub::BLOCK_LOAD_VECTORIZE, cub::BLOCK_STORE_VECTORIZE>("vectors");
    try_move<64, 8, cub::BLOCK_LOAD_TRANSPOSE, cub::BLOCK_STORE_DIRECT>("transpose, direct");
    try_move<96, 3, cub::BLOCK_LOAD_WARP_TRANSPOSE, cub::BLOCK_STORE_WARP_TRANSPOSE>("warp transpose");
    try_move<64, 3, cub::BLOCK_LOAD_STRIPED, cub::BLOCK_STORE_STRIPED>("striped");
    try_sort<int, 128, 4>("sort int");
    try_sort<float, 64, 3>("sort float");
    try_sort<double, 32, 1>("sort double");
    try_sort<short, 96, 2>("sort short");
    try_the_rest();
    give({10, 20, 30, 43});
    iterators<<<1, 1>>>(device_in, device_out);
    expect("iterators", {83, 7, 21, 20, 1, 20, 12, 9});
    std::puts("done");
    return 0;
}
