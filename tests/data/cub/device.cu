/* CUB's device-wide functions against loops on the host. Prints what differs, then "done". */
#include <cub/cub.cuh>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <numeric>
#include <vector>

template <typename T> struct Array {
    T *data;
    size_t count;
    explicit Array(size_t n) : count(n)
    {
        cudaMalloc((void **)&data, (n + 1) * sizeof(T));
        cudaMemset((void *)data, 0x7e, (n + 1) * sizeof(T));
    }
    explicit Array(const std::vector<T> &v) : Array(v.size())
    {
        cudaMemcpy((void *)data, v.data(), v.size() * sizeof(T), cudaMemcpyHostToDevice);
    }
    ~Array()
    {
        cudaFree((void *)data);
    }
    void expect(const char *what, const std::vector<T> &wanted, T *from = NULL) const
    {
        std::vector<T> got(wanted.size());
        cudaError_t error = cudaMemcpy((void *)got.data(), from != NULL ? from : data, got.size() * sizeof(T),
                                       cudaMemcpyDeviceToHost);
        if (error != cudaSuccess) {
            std::printf("%s: %s\n", what, cudaGetErrorString(error));
            std::exit(1);
        }
        for (size_t i = 0; i < got.size(); i++)
            if (!(got[i] == wanted[i])) {
                std::printf("%s of %zu: item %zu\n", what, wanted.size(), i);
                break;
            }
    }
};

/* Calls `function(storage, bytes)` as the protocol has it. */
template <typename Function> static void call(const char *what, Function function)
{
    size_t bytes = 0;
    cudaError_t error = function((void *)NULL, bytes);
    if (error == cudaSuccess && bytes > 0) {
        Array<char> storage(bytes);
        error = function((void *)storage.data, bytes);
    }
    if (error != cudaSuccess || bytes == 0)
        std::printf("%s: %s, %zu bytes\n", what, cudaGetErrorString(error), bytes);
}
#define CALL(function, ...) \
    call(#function, [&](void *storage, size_t &bytes) { return cub::function(storage, bytes, __VA_ARGS__); })

template <typename T> static std::vector<T> numbers(int n, int below, unsigned int seed)
{
    std::vector<T> v(n);
    for (T &x : v) {
        seed = seed * 1664525u + 1013904223u;
        x = (T)((int)(seed >> 8) % below - below / 4);
    }
    return v;
}

struct Line {
    unsigned int a, b;
    __host__ __device__ bool operator==(const Line &other) const
    {
        return a == other.a && b == other.b;
    }
};
struct Compose {
    __host__ __device__ Line operator()(const Line &f, const Line &g) const
    {
        return Line{f.a * g.a, g.a * f.b + g.b};
    }
};
struct Even {
    __host__ __device__ bool operator()(int x) const
    {
        return x % 2 == 0;
    }
};
struct Square {
    __host__ __device__ long long operator()(int x) const
    {
        return (long long)x * x;
    }
};

static void try_reduce(int n)
{
    std::vector<int> v = numbers<int>(n, 100000, n);
    Array<int> in(v), one(1);
    Array<long long> wide(1);
    Array<cub::KeyValuePair<int, int>> pair(1);
    CALL(DeviceReduce::Sum, in.data, wide.data, n);
    wide.expect("sum", {std::accumulate(v.begin(), v.end(), 0ll)});
    cub::TransformInputIterator<long long, Square, int *> squares(in.data, Square());
    CALL(DeviceReduce::Sum, squares, wide.data, n);
    wide.expect("squares", {std::accumulate(v.begin(), v.end(), 0ll, [](long long sum, int x) { return sum + Square()(x); })});
    CALL(DeviceReduce::Reduce, in.data, one.data, n, cub::Max(), 50);
    one.expect("reduce", {std::accumulate(v.begin(), v.end(), 50, [](int a, int b) { return std::max(a, b); })});
    if (n == 0)
        return;
    CALL(DeviceReduce::Min, in.data, one.data, n);
    one.expect("min", {*std::min_element(v.begin(), v.end())});
    CALL(DeviceReduce::Max, in.data, one.data, n);
    one.expect("max", {*std::max_element(v.begin(), v.end())});
    CALL(DeviceReduce::ArgMax, in.data, pair.data, n);
    int at = (int)(std::max_element(v.begin(), v.end()) - v.begin());
    pair.expect("argmax", {{at, v[at]}});
    CALL(DeviceReduce::ArgMin, in.data, pair.data, n);
    at = (int)(std::min_element(v.begin(), v.end()) - v.begin());
    pair.expect("argmin", {{at, v[at]}});
}

static void try_scan(int n)
{
    std::vector<int> v = numbers<int>(n, 1000, n), sums(n);
    std::vector<Line> lines(n), wanted(n);
    Array<int> in(v), out(n);
    CALL(DeviceScan::InclusiveSum, in.data, out.data, n);
    std::partial_sum(v.begin(), v.end(), sums.begin());
    out.expect("inclusive sum", sums);
    for (int i = 0; i < n; i++) {
        sums[i] -= v[i];
        lines[i] = Line{v[i] | 1u, (unsigned int)i};
    }
    CALL(DeviceScan::ExclusiveSum, in.data, in.data, n);
    in.expect("exclusive sum", sums);
    Array<Line> line_in(lines), line_out(n);
    CALL(DeviceScan::InclusiveScan, line_in.data, line_out.data, Compose(), n);
    std::partial_sum(lines.begin(), lines.end(), wanted.begin(), Compose());
    line_out.expect("inclusive scan", wanted);
    Line all{3, 4};
    for (int i = 0; i < n; i++) {
        wanted[i] = all;
        all = Compose()(all, lines[i]);
    }
    CALL(DeviceScan::ExclusiveScan, line_in.data, line_out.data, Compose(), (Line{3, 4}), n);
    line_out.expect("exclusive scan", wanted);
}

static void try_keys(int n)
{
    std::vector<int> keys = numbers<int>(n, 4, n), values = numbers<int>(n, 100, n + 1), unique, sums, lengths, by(n), before(n);
    for (int i = 0; i < n; i++) {
        bool head = i == 0 || keys[i] != keys[i - 1];
        if (head) {
            unique.push_back(keys[i]);
            sums.push_back(0);
            lengths.push_back(0);
        }
        sums.back() += values[i];
        lengths.back()++;
        by[i] = sums.back();
        before[i] = by[i] - values[i] + 5;
    }
    Array<int> k(keys), v(values), out_keys(n), out(n), runs(1);
    CALL(DeviceReduce::ReduceByKey, k.data, out_keys.data, v.data, out.data, runs.data, cub::Sum(), n);
    out_keys.expect("unique keys", unique);
    out.expect("sums by key", sums);
    runs.expect("runs", {(int)unique.size()});
    CALL(DeviceRunLengthEncode::Encode, k.data, out_keys.data, out.data, runs.data, n);
    out_keys.expect("encoded", unique);
    out.expect("lengths", lengths);
    CALL(DeviceScan::InclusiveSumByKey, k.data, v.data, out.data, n);
    out.expect("scan by key", by);
    CALL(DeviceScan::ExclusiveScanByKey, k.data, v.data, out.data, cub::Sum(), 5, n);
    out.expect("exclusive scan by key", before);
    CALL(DeviceSelect::Unique, k.data, out.data, runs.data, n);
    out.expect("unique", unique);
    runs.expect("how many unique", {(int)unique.size()});
}

static void try_select(int n)
{
    std::vector<int> v = numbers<int>(n, 1000, n), flags = numbers<int>(n, 2, n + 1), even, flagged, places, parts;
    for (int &flag : flags)
        flag &= 1;
    for (int i = 0; i < n; i++) {
        if (v[i] % 2 == 0)
            even.push_back(v[i]);
        if (flags[i]) {
            flagged.push_back(v[i]);
            places.push_back(i);
        }
    }
    parts = even;
    for (int i = n - 1; i >= 0; i--)
        if (v[i] % 2 != 0)
            parts.push_back(v[i]);
    Array<int> in(v), flag(flags), out(n), count(1);
    CALL(DeviceSelect::If, in.data, out.data, count.data, n, Even());
    out.expect("if", even);
    count.expect("how many", {(int)even.size()});
    CALL(DeviceSelect::Flagged, in.data, flag.data, out.data, count.data, n);
    out.expect("flagged", flagged);
    count.expect("how many flagged", {(int)flagged.size()});
    CALL(DeviceSelect::Flagged, cub::CountingInputIterator<int>(0), flag.data, out.data, count.data, n);
    out.expect("places", places);
    CALL(DevicePartition::If, in.data, out.data, count.data, n, Even());
    out.expect("partition", parts);
}

template <typename K> static void try_sort(const char *what, int n)
{
    std::vector<K> keys = numbers<K>(n, 4000, n);
    std::vector<int> order(n);
    for (K &key : keys)
        key = key / 4;
    for (bool descending : {false, true}) {
        for (int i = 0; i < n; i++)
            order[i] = i;
        Array<K> in(keys), out(n);
        Array<int> values(order), values_out(n);
        std::stable_sort(order.begin(), order.end(),
                         [&](int a, int b) { return descending ? keys[b] < keys[a] : keys[a] < keys[b]; });
        std::vector<K> sorted(n);
        for (int i = 0; i < n; i++)
            sorted[i] = keys[order[i]];
        if (descending)
            CALL(DeviceRadixSort::SortPairsDescending, in.data, out.data, values.data, values_out.data, n);
        else
            CALL(DeviceRadixSort::SortPairs, in.data, out.data, values.data, values_out.data, n);
        out.expect(what, sorted);
        values_out.expect(what, order);
        in.expect(what, keys);
        cub::DoubleBuffer<K> buffer(in.data, out.data);
        if (descending)
            CALL(DeviceRadixSort::SortKeysDescending, buffer, n);
        else
            CALL(DeviceRadixSort::SortKeys, buffer, n);
        in.expect(what, sorted, buffer.Current());
    }
}

static void try_bits(int n)
{
    std::vector<unsigned int> v = numbers<unsigned int>(n, 1 << 23, n);
    Array<unsigned int> in(v), out(n);
    CALL(DeviceRadixSort::SortKeys, in.data, out.data, n, 5, 18);
    std::stable_sort(v.begin(), v.end(), [](unsigned int a, unsigned int b) { return (a >> 5 & 0x1fff) < (b >> 5 & 0x1fff); });
    out.expect("bits", v);
}

static void try_segments()
{
    std::vector<int> ends = {0, 1, 1, 300, 301, 5000, 5000, 5040, 9000}, v = numbers<int>(9000, 1 << 20, 3), sums, most;
    std::vector<int> sorted = v;
    std::vector<cub::KeyValuePair<int, int>> pairs;
    int segments = (int)ends.size() - 1;
    for (int i = 0; i < segments; i++) {
        auto first = v.begin() + ends[i], last = v.begin() + ends[i + 1];
        sums.push_back(std::accumulate(first, last, 0));
        most.push_back(first == last ? -7 : std::max(-7, *std::max_element(first, last)));
        int at = (int)(std::max_element(first, last) - first);
        pairs.push_back(first == last ? cub::KeyValuePair<int, int>(1, std::numeric_limits<int>::lowest())
                                      : cub::KeyValuePair<int, int>(at, first[at]));
        std::sort(sorted.begin() + ends[i], sorted.begin() + ends[i + 1]);
    }
    Array<int> in(v), out(v.size()), offsets(ends);
    Array<cub::KeyValuePair<int, int>> pair(segments);
    CALL(DeviceSegmentedReduce::Sum, in.data, out.data, segments, offsets.data, offsets.data + 1);
    out.expect("segment sums", sums);
    CALL(DeviceSegmentedReduce::Reduce, in.data, out.data, segments, offsets.data, offsets.data + 1, cub::Max(), -7);
    out.expect("segment maxima", most);
    CALL(DeviceSegmentedReduce::ArgMax, in.data, pair.data, segments, offsets.data, offsets.data + 1);
    pair.expect("places of maxima", pairs);
    CALL(DeviceSegmentedRadixSort::SortKeys, in.data, out.data, (int)v.size(), segments, offsets.data, offsets.data + 1);
    out.expect("segments", sorted);
    cub::DoubleBuffer<int> keys(in.data, out.data), values(offsets.data, offsets.data);
    CALL(DeviceSegmentedSort::SortKeys, keys, (int)v.size(), segments, offsets.data, offsets.data + 1);
    in.expect("segments in buffers", sorted, keys.Current());
}

struct ByLastDigit {
    __host__ __device__ bool operator()(const Line &f, const Line &g) const
    {
        return f.a % 10 < g.a % 10;
    }
};
static void try_merge_sort(int n)
{
    std::vector<int> v = numbers<int>(n, 1000, n);
    std::vector<Line> lines;
    for (int i = 0; i < n; i++)
        lines.push_back(Line{(unsigned int)v[i], (unsigned int)i});
    Array<Line> in(lines);
    Array<int> values(v);
    CALL(DeviceMergeSort::StableSortPairs, in.data, values.data, n, ByLastDigit());
    std::stable_sort(lines.begin(), lines.end(), ByLastDigit());
    in.expect("merge sort", lines);
    for (int i = 0; i < n; i++)
        v[i] = (int)lines[i].a;
    values.expect("values of merge sort", v);
}

static void try_histogram()
{
    std::vector<float> v = numbers<float>(5000, 1200, 4);
    std::vector<int> even(10), ranged(3);
    for (float x : v) {
        if (x >= -100 && x < 400)
            even[(int)((x + 100) / 50)]++;
        if (x >= 0 && x < 500)
            ranged[x < 10 ? 0 : x < 200 ? 1 : 2]++;
    }
    Array<float> in(v), levels(std::vector<float>{0, 10, 200, 500});
    Array<int> out(10);
    CALL(DeviceHistogram::HistogramEven, in.data, out.data, 11, -100.0f, 400.0f, 5000);
    out.expect("even", even);
    CALL(DeviceHistogram::HistogramRange, in.data, out.data, 4, levels.data, 5000);
    out.expect("ranges", ranged);
}

int main()
{
    for (int n : {0, 1, 33, 2049, 30000})
        try_reduce(n);
    for (int n : {1, 255, 1024, 1025, 20000}) {
        try_scan(n);
        try_keys(n);
        try_select(n);
        try_merge_sort(n);
    }
    for (int n : {1, 4096, 4097, 10000}) {
        try_sort<int>("int", n);
        try_sort<float>("float", n);
    }
    try_sort<double>("double", 5000);
    try_sort<signed char>("char", 5000);
    try_sort<unsigned long long>("long", 5000);
    try_bits(7000);
    try_segments();
    try_histogram();
    std::puts("done");
    return 0;
}
