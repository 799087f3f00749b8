/* Thrust's algorithms on the device against those of C++ on the host. Prints what differs, then "done". */
#include <thrust/adjacent_difference.h>
#include <thrust/binary_search.h>
#include <thrust/complex.h>
#include <thrust/copy.h>
#include <thrust/count.h>
#include <thrust/device_vector.h>
#include <thrust/execution_policy.h>
#include <thrust/extrema.h>
#include <thrust/fill.h>
#include <thrust/find.h>
#include <thrust/for_each.h>
#include <thrust/gather.h>
#include <thrust/generate.h>
#include <thrust/host_vector.h>
#include <thrust/inner_product.h>
#include <thrust/iterator/constant_iterator.h>
#include <thrust/logical.h>
#include <thrust/partition.h>
#include <thrust/random.h>
#include <thrust/reduce.h>
#include <thrust/remove.h>
#include <thrust/replace.h>
#include <thrust/reverse.h>
#include <thrust/scan.h>
#include <thrust/scatter.h>
#include <thrust/sequence.h>
#include <thrust/sort.h>
#include <thrust/tabulate.h>
#include <thrust/transform.h>
#include <thrust/transform_reduce.h>
#include <thrust/unique.h>

#include <algorithm>
#include <cstdio>
#include <functional>
#include <memory> /* libstdc++ has its own __noinline__ there */
#include <numeric>
#include <random>
#include <vector>

typedef thrust::device_vector<int> Ints;

static void expect(const char *what, bool good)
{
    if (!good)
        std::printf("%s\n", what);
}
template <typename T> static void expect(const char *what, const thrust::device_vector<T> &got, const std::vector<T> &wanted)
{
    thrust::host_vector<T> items = got;
    items.resize(std::min(items.size(), wanted.size()));
    for (size_t i = 0; i < wanted.size(); i++)
        if (i >= items.size() || !(items[i] == wanted[i])) {
            std::printf("%s of %zu: item %zu\n", what, wanted.size(), i);
            return;
        }
}
static std::vector<int> numbers(int n, int below, unsigned int seed)
{
    std::vector<int> v(n);
    for (int &x : v) {
        seed = seed * 1664525u + 1013904223u;
        x = (int)(seed >> 8) % below - below / 4;
    }
    return v;
}
struct Even {
    __host__ __device__ bool operator()(int x) const
    {
        return x % 2 == 0;
    }
};
struct Square {
    __host__ __device__ int operator()(int x) const
    {
        return x * x;
    }
};
struct Axpy {
    int a;
    __host__ __device__ int operator()(int x, int y) const
    {
        return a * x + y;
    }
};
struct AddSecond {
    template <typename Tuple> __host__ __device__ void operator()(Tuple t) const
    {
        thrust::get<0>(t) += 10 * thrust::get<1>(t);
    }
};
struct LastDigit {
    __host__ __device__ bool operator()(int a, int b) const
    {
        return a % 10 < b % 10;
    }
};

static void try_vectors()
{
    Ints a(5, 7), b;
    a[2] = 3;
    a[3] += a[2];
    a.push_back(9);
    b = a;
    b.resize(8);
    b.insert(b.begin() + 1, a.begin(), a.begin() + 2);
    b.erase(b.begin() + 4);
    expect("vector", b, {7, 7, 7, 7, 10, 7, 9, 0, 0});
    std::vector<int> host = {4, 5, 6};
    Ints c(host.begin(), host.end()), d = host;
    thrust::host_vector<int> back = c;
    expect("equal", c == d && back[1] == 5 && c.front() == 4 && c.back() == 6);
    std::vector<int> out(3);
    thrust::copy(c.begin(), c.end(), out.begin());
    expect("copied back", out == host);
    thrust::copy(out.begin(), out.begin() + 2, c.begin() + 1);
    expect("copied", c, {4, 4, 5});
    int *raw = thrust::raw_pointer_cast(c.data());
    thrust::device_ptr<int> pointer(raw);
    expect("pointer", pointer[1] == 4 && *(pointer + 2) == 5 && thrust::raw_pointer_cast(&c[1]) == raw + 1);
    thrust::tuple<int, float> t(1, 2.5f);
    thrust::pair<int, int> p = thrust::make_pair(3, 4);
    int x, y;
    thrust::tie(x, y) = p;
    expect("tuple", thrust::get<1>(t) == 2.5f && x == 3 && y == 4 && t < thrust::make_tuple(1, 3.0f));
}

static void try_elements(int n)
{
    std::vector<int> v = numbers(n, 1000, n), w = numbers(n, 1000, n + 1), wanted(n), map(n);
    Ints a = v, b = w, c(n);
    thrust::transform(a.begin(), a.end(), c.begin(), Square());
    std::transform(v.begin(), v.end(), wanted.begin(), Square());
    expect("transform", c, wanted);
    thrust::transform(a.begin(), a.end(), b.begin(), c.begin(), Axpy{3});
    std::transform(v.begin(), v.end(), w.begin(), wanted.begin(), Axpy{3});
    expect("transform of two", c, wanted);
    thrust::for_each(thrust::make_zip_iterator(thrust::make_tuple(c.begin(), a.begin())),
                     thrust::make_zip_iterator(thrust::make_tuple(c.end(), a.end())), AddSecond());
    for (int i = 0; i < n; i++)
        wanted[i] += 10 * v[i];
    expect("zip", c, wanted);
    int *raw = thrust::raw_pointer_cast(c.data());
    thrust::for_each_n(thrust::device, thrust::counting_iterator<int>(0), n, [=] __device__(int i) { raw[i] = 2 * i; });
    thrust::sequence(b.begin(), b.end(), 0, 2);
    expect("sequence", c == b);
    thrust::replace_if(c.begin(), c.end(), [] __host__ __device__(int x) { return x % 4 == 0; }, -1);
    for (int i = 0; i < n; i++)
        wanted[i] = 2 * i % 4 == 0 ? -1 : 2 * i;
    expect("replace", c, wanted);
    for (int i = 0; i < n; i++)
        map[i] = (int)((i * 7ll + 3) % n);
    bool coprime = n % 7 != 0;
    Ints m = map;
    thrust::gather(m.begin(), m.end(), a.begin(), c.begin());
    for (int i = 0; i < n; i++)
        wanted[i] = v[map[i]];
    expect("gather", c, wanted);
    expect("permutation", thrust::reduce(thrust::make_permutation_iterator(a.begin(), m.begin()),
                                         thrust::make_permutation_iterator(a.end(), m.end())) ==
                              std::accumulate(wanted.begin(), wanted.end(), 0));
    if (coprime) {
        thrust::scatter(a.begin(), a.end(), m.begin(), c.begin());
        for (int i = 0; i < n; i++)
            wanted[map[i]] = v[i];
        expect("scatter", c, wanted);
    }
    thrust::adjacent_difference(a.begin(), a.end(), c.begin());
    std::adjacent_difference(v.begin(), v.end(), wanted.begin());
    expect("differences", c, wanted);
    thrust::reverse(c.begin(), c.end());
    std::reverse(wanted.begin(), wanted.end());
    expect("reverse", c, wanted);
    thrust::tabulate(c.begin(), c.end(), Square());
    expect("tabulate", (int)c[n - 1] == (n - 1) * (n - 1));
}

static void try_results(int n)
{
    std::vector<int> v = numbers(n, 1000, n), wanted(n), keys = numbers(n, 3, n);
    Ints a = v, c(n), k = keys;
    expect("reduce", thrust::reduce(a.begin(), a.end(), 5, thrust::plus<int>()) == std::accumulate(v.begin(), v.end(), 5));
    expect("maximum", thrust::reduce(a.begin(), a.end(), -9999, thrust::maximum<int>()) == *std::max_element(v.begin(), v.end()));
    expect("squares", thrust::transform_reduce(a.begin(), a.end(), Square(), 0, thrust::plus<int>()) ==
                          std::inner_product(v.begin(), v.end(), v.begin(), 0));
    expect("inner product", thrust::inner_product(a.begin(), a.end(), k.begin(), 4) ==
                                std::inner_product(v.begin(), v.end(), keys.begin(), 4));
    expect("count", thrust::count_if(a.begin(), a.end(), Even()) == std::count_if(v.begin(), v.end(), Even()));
    expect("count of 0", thrust::count(k.begin(), k.end(), 0) == std::count(keys.begin(), keys.end(), 0));
    expect("max", thrust::max_element(a.begin(), a.end()) - a.begin() == std::max_element(v.begin(), v.end()) - v.begin());
    expect("min", thrust::min_element(a.begin(), a.end()) - a.begin() == std::min_element(v.begin(), v.end()) - v.begin());
    auto both = thrust::minmax_element(k.begin(), k.end());
    auto wants = std::minmax_element(keys.begin(), keys.end());
    expect("minmax", both.first - k.begin() == wants.first - keys.begin() && both.second - k.begin() == wants.second - keys.begin());
    expect("find", thrust::find(a.begin(), a.end(), v[n / 2]) - a.begin() == std::find(v.begin(), v.end(), v[n / 2]) - v.begin());
    expect("not found", thrust::find(a.begin(), a.end(), 5000) == a.end());
    expect("any", thrust::any_of(a.begin(), a.end(), Even()) == std::any_of(v.begin(), v.end(), Even()));
    thrust::inclusive_scan(a.begin(), a.end(), c.begin());
    std::partial_sum(v.begin(), v.end(), wanted.begin());
    expect("inclusive scan", c, wanted);
    thrust::exclusive_scan(thrust::device, a.begin(), a.end(), c.begin(), 8);
    for (int i = 0; i < n; i++)
        wanted[i] += 8 - v[i];
    expect("exclusive scan", c, wanted);
    thrust::inclusive_scan_by_key(k.begin(), k.end(), a.begin(), c.begin());
    std::vector<int> unique, sums;
    for (int i = 0; i < n; i++) {
        bool head = i == 0 || keys[i] != keys[i - 1];
        if (head)
            unique.push_back(keys[i]), sums.push_back(0);
        wanted[i] = sums.back() += v[i];
    }
    expect("scan by key", c, wanted);
    Ints unique_out(n);
    auto ends = thrust::reduce_by_key(k.begin(), k.end(), a.begin(), unique_out.begin(), c.begin());
    expect("keys", unique_out, unique);
    expect("reduce by key", c, sums);
    expect("ends", ends.first - unique_out.begin() == (int)unique.size() && ends.second - c.begin() == (int)unique.size());
}

static void try_order(int n)
{
    std::vector<int> v = numbers(n, 1000, n), keys = numbers(n, 10, n + 1), order(n), kept;
    Ints a = v, k = keys, values(n);
    thrust::sort(a.begin(), a.end());
    std::sort(v.begin(), v.end());
    expect("sort", a, v);
    expect("is sorted", thrust::is_sorted(a.begin(), a.end()));
    Ints probes(std::vector<int>{-2000, v[n / 2], 2000}), places(3);
    thrust::lower_bound(a.begin(), a.end(), probes.begin(), probes.end(), places.begin());
    expect("bounds", places, {0, (int)(std::lower_bound(v.begin(), v.end(), v[n / 2]) - v.begin()), n});
    thrust::sort(a.begin(), a.end(), thrust::greater<int>());
    std::sort(v.begin(), v.end(), std::greater<int>());
    expect("falling", a, v);
    thrust::stable_sort(a.begin(), a.end(), LastDigit());
    std::stable_sort(v.begin(), v.end(), LastDigit());
    expect("last digits", a, v);
    for (int i = 0; i < n; i++)
        order[i] = i;
    thrust::sequence(values.begin(), values.end());
    std::stable_sort(order.begin(), order.end(), [&](int x, int y) { return keys[x] < keys[y]; });
    Ints k2 = k, values2 = values;
    thrust::sort_by_key(k2.begin(), k2.end(), values2.begin());
    expect("by key", values2, order);
    thrust::sort(thrust::make_zip_iterator(thrust::make_tuple(k.begin(), values.begin())),
                 thrust::make_zip_iterator(thrust::make_tuple(k.end(), values.end())));
    expect("pairs", values, order);
    expect("keys of pairs", k == k2);
    std::sort(keys.begin(), keys.end());
    keys.erase(std::unique(keys.begin(), keys.end()), keys.end());
    k.erase(thrust::unique(k.begin(), k.end()), k.end());
    expect("unique", k, keys);
    expect("how many", k.size() == keys.size());
    a.erase(thrust::remove_if(a.begin(), a.end(), Even()), a.end());
    std::copy_if(v.begin(), v.end(), std::back_inserter(kept), Even());
    v.erase(std::remove_if(v.begin(), v.end(), Even()), v.end());
    expect("removed", a, v);
    expect("how many removed", a.size() == v.size());
    Ints all = order, places2(n);
    auto end = thrust::copy_if(thrust::make_counting_iterator(0), thrust::make_counting_iterator(n), all.begin(),
                               places2.begin(), Even());
    std::vector<int> wanted;
    for (int i = 0; i < n; i++)
        if (order[i] % 2 == 0)
            wanted.push_back(i);
    expect("copy if", places2, wanted);
    expect("how many copied", end - places2.begin() == (int)wanted.size());
    auto middle = thrust::stable_partition(all.begin(), all.end(), Even());
    auto wants = std::stable_partition(order.begin(), order.end(), Even());
    expect("partition", all, order);
    expect("middle", middle - all.begin() == wants - order.begin());
}

static __noinline__ int one()
{
    return *std::make_shared<int>(1);
}

static void try_host_and_rest()
{
    expect("shared", one() == 1);
    int raw[6] = {4, 2, 6, 2, 1, 3};
    thrust::sort(thrust::host, raw, raw + 6);
    expect("host", raw[0] == 1 && raw[5] == 6 && thrust::reduce(raw, raw + 6) == 18);
    expect("host scan", thrust::inclusive_scan(raw, raw + 6, raw) == raw + 6 && raw[5] == 18);
    std::minstd_rand theirs;
    thrust::default_random_engine ours, ahead;
    bool same = true;
    for (int i = 0; i < 100; i++)
        same = same && ours() == theirs();
    ahead.discard(100);
    thrust::uniform_int_distribution<int> dice(1, 6);
    thrust::uniform_real_distribution<float> real(2, 3);
    for (int i = 0; i < 1000; i++) {
        int x = dice(ours);
        float y = real(ours);
        same = same && x >= 1 && x <= 6 && y >= 2 && y < 3;
    }
    theirs.seed();
    theirs.discard(101);
    expect("random", same && ahead() != 0);
    thrust::complex<float> z(1, 2), w(3, -1);
    expect("complex", z * w == thrust::complex<float>(5, 5) && thrust::norm(z) == 5 && (z * w / w - z).real() < 1e-6f &&
                          thrust::conj(z).imag() == -2);
    thrust::device_vector<thrust::complex<float>> zs(100, z);
    thrust::complex<float> sum = thrust::reduce(zs.begin(), zs.end(), thrust::complex<float>(0));
    expect("sum of complex", sum == thrust::complex<float>(100, 200));
    try {
        thrust::device_ptr<int> nowhere((int *)8);
        nowhere[0] = 1;
        std::puts("no error");
    } catch (const thrust::system_error &) {
        cudaGetLastError();
    }
}

int main()
{
    try_vectors();
    for (int n : {1, 100, 5000}) {
        try_elements(n);
        try_results(n);
        try_order(n);
    }
    try_host_and_rest();
    std::puts("done");
    return 0;
}
