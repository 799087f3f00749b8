/* Cooperative groups against loops on the host. Prints what differs, then "done". */
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
#include <cuda/atomic>
#include <cuda/std/functional>

#include <cstdio>
#include <cstdlib>
#include <functional>
#include <utility>
#include <vector>

namespace cg = cooperative_groups;
enum { THREADS = 256, BLOCKS = 6, MOST = THREADS * BLOCKS, RESULTS = 16 };
static int *device_in, *device_out;
static std::vector<int> in(MOST), out(MOST *RESULTS);

static void run(const char *what, cudaError_t error)
{
    if (error == cudaSuccess)
        error = cudaMemcpy(out.data(), device_out, out.size() * sizeof(int), cudaMemcpyDeviceToHost);
    cudaMemset(device_out, 0x7e, out.size() * sizeof(int));
    if (error != cudaSuccess) {
        std::printf("%s: %s\n", what, cudaGetErrorString(error));
        std::exit(1);
    }
}

static void expect(const char *what, int thread, int result, int wanted)
{
    static int wrong;
    int got = out[thread * RESULTS + result];
    if (got == wanted)
        return;
    std::printf("%s: result %d of thread %d is %d, not %d\n", what, result, thread, got, wanted);
    if (++wrong == 20)
        std::exit(1);
}

/* The threads of a group by what they put in, in the order of ranks; most results follow from it. */
typedef std::vector<int> Members;

static int sum(const Members &members, size_t end)
{
    int result = 0;
    for (size_t i = 0; i < end; i++)
        result += in[members[i]];
    return result;
}
static unsigned bits(const Members &members, const std::function<bool(int)> &is)
{
    unsigned result = 0;
    for (size_t i = 0; i < members.size(); i++)
        result |= (unsigned)is(in[members[i]]) << i;
    return result;
}

/* ---- groups inside a warp ---------------------------------------------------------------------- */

template <typename Group> __device__ void use(const Group &group, int value, int *result)
{
    int same = 0;
    group.sync();
    result[0] = (int)group.size() * 1000 + (int)group.thread_rank();
    result[1] = group.shfl(value, (int)group.size() / 3);
    result[2] = group.shfl_down(value, 2);
    result[3] = group.shfl_up(value, 1);
    result[4] = (int)group.ballot(value % 3 == 0);
    result[5] = (int)group.match_any(value % 5);
    result[6] = (int)group.match_all(value / 1000000, same) * 2 + same;
    result[7] = group.any(value % 31 == 0) * 2 + group.all(value % 31 != 0);
    result[8] = cg::reduce(group, value, cg::plus<int>());
    result[9] = cg::reduce(group, value, cg::less<int>()) ^ cg::reduce(group, value, cg::greater<int>());
    result[10] = (cg::reduce(group, value, cg::bit_and<int>()) ^ cg::reduce(group, value, cg::bit_or<int>())) +
                 cg::reduce(group, value, cg::bit_xor<int>());
    result[11] = cg::inclusive_scan(group, value);
    result[12] = cg::exclusive_scan(group, value);
    result[13] = cg::inclusive_scan(group, value, cg::greater<int>());
    result[14] = (int)group.meta_group_size() * 1000 + (int)group.meta_group_rank();
    cg::invoke_one(group, [&] { result[15] = 7; });
    int first = cg::invoke_one_broadcast(group, [](int x) { return x + 1; }, value);
    if (group.thread_rank() != 0)
        result[15] = first;
    cg::sync(group);
}

static void expect_group(const char *what, const Members &members, int groups, int number)
{
    const int size = (int)members.size();
    int least = in[members[0]], greatest = least, all = -1, some = 0, odd = 0, up_to = least;
    for (int member : members) {
        least = in[member] < least ? in[member] : least;
        greatest = in[member] > greatest ? in[member] : greatest;
        all &= in[member];
        some |= in[member];
        odd ^= in[member];
    }
    for (int i = 0; i < size; i++) {
        const int t = members[i], value = in[t];
        const unsigned equal = bits(members, [&](int x) { return x % 5 == value % 5; });
        const bool found = bits(members, [](int x) { return x % 31 == 0; }) != 0;
        up_to = value > up_to ? value : up_to;
        expect(what, t, 0, size * 1000 + i);
        expect(what, t, 1, in[members[size / 3]]);
        expect(what, t, 2, in[members[i + 2 < size ? i + 2 : i]]);
        expect(what, t, 3, in[members[i > 0 ? i - 1 : i]]);
        expect(what, t, 4, (int)bits(members, [](int x) { return x % 3 == 0; }));
        expect(what, t, 5, (int)equal);
        expect(what, t, 6, (int)(size == 32 ? ~0u : (1u << size) - 1) * 2 + 1);
        expect(what, t, 7, found ? 2 : 1);
        expect(what, t, 8, sum(members, size));
        expect(what, t, 9, least ^ greatest);
        expect(what, t, 10, (all ^ some) + odd);
        expect(what, t, 11, sum(members, i + 1));
        expect(what, t, 12, sum(members, i));
        expect(what, t, 13, up_to);
        expect(what, t, 14, groups * 1000 + number);
        expect(what, t, 15, i == 0 ? 7 : in[members[0]] + 1);
    }
}

template <unsigned Size> __global__ void tiles(const int *in, int *out)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    auto tile = cg::tiled_partition<Size>(cg::this_thread_block());
    use(tile, in[i], out + i * RESULTS);
}
template <unsigned Size> __global__ void tiles_of_tiles(const int *in, int *out)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    auto warp = cg::tiled_partition<32>(cg::this_thread_block());
    cg::thread_block_tile<Size> tile = cg::tiled_partition<Size>(warp);
    use(tile, in[i], out + i * RESULTS);
}

template <unsigned Size> static void try_tiles(const char *what)
{
    for (int parent : {(int)THREADS, 32}) {
        parent == 32 ? tiles_of_tiles<Size><<<BLOCKS, THREADS>>>(device_in, device_out)
                     : tiles<Size><<<BLOCKS, THREADS>>>(device_in, device_out);
        run(what, cudaGetLastError());
        for (int first = 0; first < MOST; first += Size) {
            Members members;
            for (int i = 0; i < (int)Size; i++)
                members.push_back(first + i);
            expect_group(what, members, parent / Size, first % parent / Size);
        }
    }
}

enum Kind { COALESCED, LABELED, LABELED_TILE, BINARY, BINARY_COALESCED, TILED, KINDS };

/* Which threads of a warp are in the group of one that has this value and lane; -1: in none. */
__host__ __device__ int part(Kind kind, int value, int lane, int rank)
{
    switch (kind) {
    case COALESCED:
        return value % 3 != 0 ? 0 : -1;
    case LABELED:
        return value % 7 != 0 ? value % 4 : -1;
    case LABELED_TILE:
        return lane / 16 * 16 + value % 3;
    case BINARY:
        return lane / 8 * 8 + value % 2;
    case BINARY_COALESCED:
        return value % 7 != 0 ? value % 2 : -1;
    default:
        return value % 3 != 0 ? rank / 4 : -1;
    }
}

__global__ void parts(Kind kind, const int *in, int *out)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x, value = in[i];
    int *result = out + i * RESULTS;
    if (kind == COALESCED) {
        if (value % 3 != 0)
            use(cg::coalesced_threads(), value, result);
    } else if (kind == LABELED) {
        if (value % 7 != 0)
            use(cg::labeled_partition(cg::coalesced_threads(), value % 4), value, result);
    } else if (kind == LABELED_TILE) {
        auto tile = cg::tiled_partition<16>(cg::this_thread_block());
        use(cg::labeled_partition(tile, (long long)(value % 3)), value, result);
    } else if (kind == BINARY) {
        auto tile = cg::tiled_partition<8>(cg::this_thread_block());
        auto group = cg::binary_partition(tile, value % 2);
        if (value % 2)
            use(group, value, result);
        else
            use(group, value, result);
        tile.sync();
    } else if (kind == BINARY_COALESCED) {
        if (value % 7 != 0)
            use(cg::binary_partition(cg::coalesced_threads(), value % 2), value, result);
    } else if (value % 3 != 0) {
        use(cg::tiled_partition(cg::coalesced_threads(), 4), value, result);
    }
}

/* Groups are numbered by their first threads, in what they are parts of. */
static void try_parts(Kind kind, const char *what)
{
    const int width = kind == LABELED_TILE ? 16 : kind == BINARY ? 8 : 32;
    parts<<<BLOCKS, THREADS>>>(kind, device_in, device_out);
    run(what, cudaGetLastError());
    for (int first = 0; first < MOST; first += width) {
        std::vector<std::pair<int, Members>> groups;
        for (int i = first, rank = 0; i < first + width; i++) {
            const int label = part(kind, in[i], i % 32, rank);
            rank += label >= 0;
            size_t j = 0;
            while (j < groups.size() && groups[j].first != label)
                j++;
            if (label >= 0 && j == groups.size())
                groups.push_back({label, {}});
            if (label >= 0)
                groups[j].second.push_back(i);
        }
        for (size_t j = 0; j < groups.size(); j++)
            expect_group(what, groups[j].second, (int)groups.size(), (int)j);
    }
}

/* ---- wider ones -------------------------------------------------------------------------------- */

struct Pair {
    double a, b;
};
template <unsigned Size> __global__ void wide(const int *in, int *out)
{
    __shared__ cg::block_tile_memory<THREADS> memory;
    __shared__ int values[THREADS];
    const int i = blockIdx.x * blockDim.x + threadIdx.x, value = in[i];
    int *result = out + i * RESULTS;
    auto tile = cg::tiled_partition<Size>(cg::this_thread_block(memory));
    result[0] = tile.size() * 1000 + tile.thread_rank();
    result[1] = tile.meta_group_size() * 1000 + tile.meta_group_rank();
    values[threadIdx.x] = value;
    for (unsigned turn = 0; turn < tile.meta_group_rank(); turn++)
        tile.sync(); /* tiles go their own ways */
    tile.sync();
    result[2] = values[tile.meta_group_rank() * Size + Size - 1 - tile.thread_rank()];
    result[3] = cg::reduce(tile, value, cg::plus<int>());
    Pair pair = cg::reduce(tile, Pair{(double)value, 1.0},
                           [](const Pair &x, const Pair &y) { return Pair{x.a + y.a, x.b + y.b}; });
    result[4] = (int)(pair.a + pair.b);
    result[5] = cg::inclusive_scan(tile, value);
    result[6] = cg::exclusive_scan(tile, value, cg::plus<int>());
    result[7] = tile.shfl(value, Size - 3) + tile.any(value == in[5]) * 2 + tile.all(value != in[5]);
}

template <unsigned Size> static void try_wide(const char *what)
{
    wide<Size><<<BLOCKS, THREADS>>>(device_in, device_out);
    run(what, cudaGetLastError());
    for (int first = 0; first < MOST; first += Size) {
        Members members;
        bool found = false;
        for (int i = 0; i < (int)Size; i++) {
            members.push_back(first + i);
            found = found || in[first + i] == in[5];
        }
        for (int i = 0; i < (int)Size; i++) {
            expect(what, first + i, 0, Size * 1000 + i);
            expect(what, first + i, 1, THREADS / Size * 1000 + first % THREADS / Size);
            expect(what, first + i, 2, in[first + Size - 1 - i]);
            expect(what, first + i, 3, sum(members, Size));
            expect(what, first + i, 4, sum(members, Size) + Size);
            expect(what, first + i, 5, sum(members, i + 1));
            expect(what, first + i, 6, sum(members, i));
            expect(what, first + i, 7, in[first + Size - 3] + (found ? 2 : 1));
        }
    }
}

/* ---- blocks and grids -------------------------------------------------------------------------- */

__device__ int turned(const cg::thread_group &group, int *values, int value)
{
    group.sync();
    values[group.thread_rank()] = value;
    group.sync();
    return values[group.size() - 1 - group.thread_rank()];
}

__global__ void blocks(const int *in, int *out)
{
    __shared__ int values[THREADS];
    cg::thread_block block = cg::this_thread_block();
    const int rank = block.thread_rank(), i = blockIdx.x * THREADS + rank;
    int *result = out + i * RESULTS;
    result[0] = (int)block.size() + block.num_threads() + block.group_dim().y * 10000 + block.dim_threads().z * 1000000;
    result[1] = block.thread_index().x + block.thread_index().y * 100 + block.thread_index().z * 10000 +
                block.group_index().x * 1000000;
    result[2] = turned(block, values, in[i]);
    cg::coalesced_group all = cg::coalesced_threads();
    result[3] = turned(all, values + rank / 32 * 32, in[i]);
    result[4] = turned(cg::tiled_partition<8>(block), values + rank / 8 * 8, in[i]);
    cg::thread_group some = cg::tiled_partition(block, 4);
    result[5] = turned(some, values + rank / 4 * 4, in[i]);
    result[6] = (int)(cg::thread_rank(some) + cg::group_size(some) * 100 + some.num_threads() * 1000);
    block.sync();
    values[rank] = in[i];
    cg::thread_block::arrival_token token = block.barrier_arrive();
    block.barrier_wait(std::move(token));
    result[7] = values[THREADS - 1 - rank];
}

static void try_blocks()
{
    blocks<<<BLOCKS, dim3(32, 4, 2)>>>(device_in, device_out);
    run("blocks", cudaGetLastError());
    for (int i = 0; i < MOST; i++) {
        const int rank = i % THREADS, block = i - rank;
        expect("blocks", i, 0, 2 * THREADS + 40000 + 2000000);
        expect("blocks", i, 1, rank % 32 + rank / 32 % 4 * 100 + rank / 128 * 10000 + i / THREADS * 1000000);
        expect("blocks", i, 2, in[block + THREADS - 1 - rank]);
        expect("blocks", i, 3, in[i ^ 31]);
        expect("blocks", i, 4, in[i ^ 7]);
        expect("blocks", i, 5, in[i ^ 3]);
        expect("blocks", i, 6, i % 4 + 400 + 4000);
        expect("blocks", i, 7, in[block + THREADS - 1 - rank]);
    }
}

__global__ void grids(int *in, int *out)
{
    cg::grid_group grid = cg::this_grid();
    const int i = (int)grid.thread_rank();
    int *result = out + i * RESULTS, value = in[i];
    result[0] = (int)grid.size() * 2 + (int)grid.num_threads() + (int)grid.num_blocks() + grid.is_valid();
    result[1] = (int)grid.block_rank() + grid.block_index().y * 100 + grid.dim_blocks().x * 10000 +
                grid.group_dim().y * 1000000;
    for (int round = 0; round < 3; round++) { /* each value goes around by 257 threads */
        out[((i + 257) % MOST) * RESULTS + 2] = value;
        grid.sync();
        value = result[2];
        cg::sync(grid);
    }
    out[((i + 300) % MOST) * RESULTS + 3] = value;
    auto token = grid.barrier_arrive();
    result[4] = value;
    grid.barrier_wait(std::move(token));
    value = result[3];
    cg::thread_group any = grid;
    result[5] = (int)(any.size() + any.thread_rank());
    result[6] = value;
}

static void try_grids()
{
    void *arguments[] = {&device_in, &device_out};
    for (int again = 0; again < 2; again++) {
        run("grids", cudaLaunchCooperativeKernel((void *)grids, dim3(BLOCKS / 2, 2), dim3(THREADS), arguments));
        for (int i = 0; i < MOST; i++) {
            const int from = (i + MOST - 3 * 257) % MOST;
            expect("grids", i, 0, MOST * 3 + BLOCKS + 1);
            expect("grids", i, 1, i / THREADS + i / THREADS / 3 * 100 + 30000 + 2000000);
            expect("grids", i, 4, in[from]);
            expect("grids", i, 5, MOST + i);
            expect("grids", i, 6, in[(from + MOST - 300) % MOST]);
        }
    }
}

/* ---- results in atomics ------------------------------------------------------------------------ */

__global__ void updates(const int *in, int *out)
{
    __shared__ cuda::atomic<int, cuda::thread_scope_block> sum, greatest, next, before;
    const int i = threadIdx.x, value = in[i];
    int *result = out + i * RESULTS;
    auto tile = cg::tiled_partition<16>(cg::this_thread_block());
    if (i == 0) {
        sum = 5;
        greatest = 3;
        next = 1000;
        before = 2000;
    }
    __syncthreads();
    cg::reduce_update_async(tile, sum, value, cg::plus<int>());
    cg::reduce_update_async(tile, greatest, value, cg::greater<int>());
    cg::reduce_store_async(tile, &result[0], value, cg::less<int>());
    for (unsigned turn = 0; turn < tile.meta_group_size(); turn++) { /* so that it is known what was there */
        if (turn == tile.meta_group_rank()) {
            result[1] = cg::inclusive_scan_update(tile, next, value);
            result[2] = cg::exclusive_scan_update(tile, before, value, cg::plus<int>());
        }
        __syncthreads();
    }
    result[3] = sum;
    result[4] = greatest;
    result[5] = cuda::std::identity()(next.load());
    result[6] = __dp4a(make_char4(1, -2, 3, i), make_char4(4, 5, 6, 7), 8) + (int)__dp4a(make_uchar4(200, 0, 0, 1), make_uchar4(2, 0, 0, i), 1u);
}

static void try_updates()
{
    updates<<<1, THREADS>>>(device_in, device_out);
    run("updates", cudaGetLastError());
    int total = 0, greatest = 3, before = 0;
    for (int i = 0; i < THREADS; i++) {
        total += in[i];
        greatest = in[i] > greatest ? in[i] : greatest;
    }
    for (int i = 0; i < THREADS; i++) {
        int least = in[i];
        for (int j = i / 16 * 16; j < i / 16 * 16 + 16; j++)
            least = in[j] < least ? in[j] : least;
        if (i % 16 == 0)
            expect("updates", i, 0, least);
        expect("updates", i, 2, 2000 + before);
        before += in[i];
        expect("updates", i, 1, 1000 + before);
        expect("updates", i, 3, 5 + total);
        expect("updates", i, 4, greatest);
        expect("updates", i, 5, 1000 + total);
        expect("updates", i, 6, 4 - 10 + 18 + 7 * (int)(signed char)i + 8 + 400 + i + 1);
    }
}

int main()
{
    unsigned int seed = 1;
    for (int &x : in) {
        seed = seed * 1664525u + 1013904223u;
        x = (int)(seed >> 8) % 1000;
    }
    cudaMalloc(&device_in, in.size() * sizeof(int));
    cudaMalloc(&device_out, out.size() * sizeof(int));
    cudaMemcpy(device_in, in.data(), in.size() * sizeof(int), cudaMemcpyHostToDevice);
    try_tiles<32>("tiles of 32");
    try_tiles<16>("tiles of 16");
    try_tiles<4>("tiles of 4");
    try_parts(COALESCED, "coalesced");
    try_parts(LABELED, "labeled");
    try_parts(LABELED_TILE, "labeled in tiles");
    try_parts(BINARY, "binary");
    try_parts(BINARY_COALESCED, "binary in coalesced");
    try_parts(TILED, "tiles of a coalesced");
    try_wide<64>("tiles of 64");
    try_wide<128>("tiles of 128");
    try_blocks();
    try_grids();
    try_updates();
    std::puts("done");
    return 0;
}
