/* cuRAND in kernels: words that were published, skips against draws, draws of several at once against
 * draws of one, moments of the distributions. Prints what is wrong, then "done". */
#include <curand_kernel.h>

#include <cmath>
#include <cstdio>

enum { THREADS = 128, DRAWS = 64, SEEN = 16 };

static int wrong;

static void expect(bool right, const char *what, double number = 0)
{
    if (!right && wrong++ < 20)
        std::printf("%s: %.17g\n", what, number);
}

/* ---- words ---- */

/* Marsaglia's xorwow with the seed's scrambling, step by step. */
struct Xorwow {
    unsigned int v[5], d;

    explicit Xorwow(unsigned long long seed)
    {
        unsigned int t0 = ((unsigned int)seed ^ 0xaad26b49u) * 1099087573u;
        unsigned int t1 = ((unsigned int)(seed >> 32) ^ 0xf7dcefddu) * 2591861531u;
        const unsigned int start[] = {123456789u + t0, 362436069u ^ t0, 521288629u + t1, 88675123u ^ t1, 5783321u + t0};
        for (int i = 0; i < 5; i++)
            v[i] = start[i];
        d = 6615241u + t0 + t1;
    }
    unsigned int next()
    {
        unsigned int t = v[0] ^ (v[0] >> 2);
        for (int i = 0; i < 4; i++)
            v[i] = v[i + 1];
        v[4] = (v[4] ^ (v[4] << 4)) ^ (t ^ (t << 1));
        d += 362437;
        return d + v[4];
    }
};

/* The generators' first words, and those of ten sequences of XORWOW. */
struct Words {
    unsigned int xorwow[SEEN], sequences[10], philox[3][4];
    double mrg[SEEN];
};

__global__ void words(Words *out)
{
    curandState xorwow;
    curand_init(0x123456789abcdefull, 0, 0, &xorwow);
    for (int i = 0; i < SEEN; i++)
        out->xorwow[i] = curand(&xorwow);
    for (int i = 0; i < 10; i++) {
        curand_init(1234, i, 0, &xorwow);
        out->sequences[i] = curand(&xorwow);
    }
    const uint4 counters[] = {{0, 0, 0, 0}, {~0u, ~0u, ~0u, ~0u}, {0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344}};
    const uint2 keys[] = {{0, 0}, {~0u, ~0u}, {0xa4093822, 0x299f31d0}};
    for (int i = 0; i < 3; i++) {
        curandStatePhilox4_32_10_t philox;
        unsigned long long seed = (unsigned long long)keys[i].y << 32 | keys[i].x;
        unsigned long long low = (unsigned long long)counters[i].y << 32 | counters[i].x;
        curand_init(seed, (unsigned long long)counters[i].w << 32 | counters[i].z, 0, &philox);
        for (int k = 0; k < 4; k++)
            skipahead(low, &philox);
        for (int k = 0; k < 4; k++)
            out->philox[i][k] = curand(&philox);
    }
    curandStateMRG32k3a_t mrg;
    curand_init(0, 0, 0, &mrg);
    for (int i = 0; i < SEEN; i++)
        out->mrg[i] = curand_uniform_double(&mrg);
}

static void check_words(const Words &w)
{
    /* Random123, kat_vectors, philox4x32 of 10 rounds. */
    static const unsigned int philox[3][4] = {{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8},
                                              {0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd},
                                              {0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}};
    /* What programs with cuRAND's default generator print for this seed: one number of each sequence. */
    static const double sequences[] = {0.1455, 0.8202, 0.5504, 0.2948, 0.9147, 0.8690, 0.3219, 0.7829, 0.0113, 0.2855};
    /* L'Ecuyer's RngStreams, of the seeds 12345. */
    static const double mrg[] = {0.127011122046577, 0.318527565397, 0.309186015583};
    Xorwow xorwow(0x123456789abcdefull);
    for (int i = 0; i < SEEN; i++)
        expect(w.xorwow[i] == xorwow.next(), "xorwow", i);
    for (int i = 0; i < 10; i++)
        expect(std::fabs(w.sequences[i] / 4294967296.0 - sequences[i]) < 1e-4, "sequence", i);
    for (int i = 0; i < 12; i++)
        expect(w.philox[i / 4][i % 4] == philox[i / 4][i % 4], "philox", i);
    for (int i = 0; i < 3; i++)
        expect(std::fabs(w.mrg[i] - mrg[i]) < 1e-12, "mrg32k3a", w.mrg[i]);
    long long x[3] = {12345, 12345, 12345}, y[3] = {12345, 12345, 12345};
    const long long m1 = 4294967087, m2 = 4294944443;
    for (int i = 0; i < SEEN; i++) {
        long long p = ((1403580 * x[1] - 810728 * x[0]) % m1 + m1) % m1;
        long long q = ((527612 * y[2] - 1370589 * y[0]) % m2 + m2) % m2;
        x[0] = x[1], x[1] = x[2], x[2] = p;
        y[0] = y[1], y[1] = y[2], y[2] = q;
        double u = (p > q ? p - q : p - q + m1) / (double)(m1 + 1);
        expect(std::fabs(w.mrg[i] - u) < 1e-15, "mrg32k3a against its recurrence", w.mrg[i]);
    }
}

/* ---- skips ---- */

/* A number for the state, from its next four words. */
template <typename State> __device__ unsigned long long fingerprint(State state)
{
    unsigned long long all = 0;
    for (int i = 0; i < 4; i++)
        all = all * 0x9e3779b97f4a7c15ull + curand(&state);
    return all;
}

template <typename State> __device__ void skips(int *bad, int number)
{
    static const unsigned int counts[] = {0, 1, 2, 3, 4, 5, 7, 31, 32, 1000};
    unsigned int count = counts[threadIdx.x % 10], before = threadIdx.x / 10;
    State drawn, skipped;
    curand_init(99 + threadIdx.x, threadIdx.x, before, &drawn);
    curand_init(99 + threadIdx.x, threadIdx.x, 0, &skipped);
    for (unsigned int i = 0; i < before; i++)
        curand(&skipped);
    if (fingerprint(drawn) != fingerprint(skipped))
        bad[number] = 1;
    for (unsigned int i = 0; i < count; i++)
        curand(&drawn);
    skipahead(count, &skipped);
    if (fingerprint(drawn) != fingerprint(skipped))
        bad[number + 1] = 1;
}

/* The distance of sequences is 2^63 numbers times `count`. */
template <typename State> __device__ void sequences(int *bad, int number, int count)
{
    State far, next;
    curand_init(5, 3, 11, &far);
    curand_init(5, 3, 11, &next);
    for (int i = 0; i < count; i++)
        skipahead(1ull << 63, &far);
    skipahead_sequence(1, &next);
    if (fingerprint(far) != fingerprint(next))
        bad[number] = 1;
    curand_init(5, 4, 11, &next);
    if (fingerprint(far) != fingerprint(next))
        bad[number + 1] = 1;
}

__global__ void all_skips(int *bad)
{
    skips<curandState>(bad, 0);
    skips<curandStatePhilox4_32_10_t>(bad, 2);
    skips<curandStateMRG32k3a>(bad, 4);
    if (threadIdx.x != 0)
        return;
    sequences<curandState>(bad, 6, 16);
    sequences<curandStatePhilox4_32_10_t>(bad, 8, 8);
    curandStateMRG32k3a far, next;
    curand_init(5, 4, 11, &far);
    next = far;
    skipahead_subsequence(1ull << 50, &far);
    skipahead_subsequence(1ull << 50, &far);
    skipahead_sequence(1, &next);
    if (fingerprint(far) != fingerprint(next))
        bad[10] = 1;
}

__global__ void second_subsequence(curandStateMRG32k3a *state)
{
    curand_init(0, 1, 0, state);
}

/* One recurrence of MRG32k3a, 2^76 steps behind {12345, 12345, 12345}. */
static void check_subsequence(const unsigned int *got, unsigned long long m, unsigned long long oldest,
                              unsigned long long middle, unsigned long long newest)
{
    unsigned long long a[3][3] = {{0, 1, 0}, {0, 0, 1}, {oldest, middle, newest}}, b[3][3];
    for (int k = 0; k < 76; k++) {
        for (int i = 0; i < 9; i++)
            b[i / 3][i % 3] = (a[i / 3][0] * a[0][i % 3] % m + a[i / 3][1] * a[1][i % 3] % m + a[i / 3][2] * a[2][i % 3] % m) % m;
        for (int i = 0; i < 9; i++)
            a[i / 3][i % 3] = b[i / 3][i % 3];
    }
    for (int i = 0; i < 3; i++)
        expect(got[i] == (a[i][0] + a[i][1] + a[i][2]) % m * 12345 % m, "subsequence of mrg32k3a", got[i]);
}

/* ---- several at once ---- */

__device__ bool same(float4 a, float4 b)
{
    return a.x == b.x && a.y == b.y && a.z == b.z && a.w == b.w;
}

template <typename State> __device__ void twos(int *bad, int number)
{
    State one, two;
    curand_init(7, threadIdx.x, 1, &one);
    two = one;
    float2 n = curand_normal2(&two);
    double2 d = curand_normal2_double(&two);
    float2 l = curand_log_normal2(&two, 0.5f, 0.25f);
    double2 e = curand_log_normal2_double(&two, 0.5, 0.25);
    if (curand_normal(&one) != n.x || curand_normal(&one) != n.y)
        bad[number] = 1;
    if (curand_normal_double(&one) != d.x || curand_normal_double(&one) != d.y)
        bad[number + 1] = 1;
    if (curand_log_normal(&one, 0.5f, 0.25f) != l.x || curand_log_normal(&one, 0.5f, 0.25f) != l.y)
        bad[number + 2] = 1;
    if (curand_log_normal_double(&one, 0.5, 0.25) != e.x || curand_log_normal_double(&one, 0.5, 0.25) != e.y)
        bad[number + 3] = 1;
    if (fingerprint(one) != fingerprint(two))
        bad[number + 4] = 1;
    two = one;
    n = curand_normal2(&two);
    l = curand_log_normal2(&one, 0.5f, 0.25f);
    if (fabsf(logf(l.x) - (0.5f + 0.25f * n.x)) > 1e-5f)
        bad[number + 5] = 1;
}

__global__ void at_once(int *bad)
{
    twos<curandState>(bad, 0);
    twos<curandStatePhilox4_32_10_t>(bad, 6);
    twos<curandStateMRG32k3a>(bad, 12);
    curandStatePhilox4_32_10_t one, four;
    curand_init(8, 0, threadIdx.x, &one);
    four = one;
    uint4 w = curand4(&four);
    if (w.x != curand(&one) || w.y != curand(&one) || w.z != curand(&one) || w.w != curand(&one))
        bad[18] = 1;
    float4 u = curand_uniform4(&four), v;
    v.x = curand_uniform(&one), v.y = curand_uniform(&one), v.z = curand_uniform(&one), v.w = curand_uniform(&one);
    if (!same(u, v))
        bad[19] = 1;
    u = curand_normal4(&four);
    v.x = curand_normal(&one), v.y = curand_normal(&one), v.z = curand_normal(&one), v.w = curand_normal(&one);
    if (!same(u, v) || fingerprint(one) != fingerprint(four))
        bad[20] = 1;
    double2 d = curand_uniform2_double(&four);
    curand(&one); /* two words for each, the second one above the first */
    if (fabs(d.x - curand(&one) * 0x1p-32) > 0x1p-20)
        bad[21] = 1;
    curand(&one);
    if (fabs(d.y - curand(&one) * 0x1p-32) > 0x1p-20)
        bad[21] = 1;
}

/* ---- distributions ---- */

enum { UNIFORM, UNIFORM_DOUBLE, NORMAL, NORMAL_DOUBLE, LOG_NORMAL, POISSON, LAST = POISSON + 5 };
__constant__ const double lambdas[] = {0.5, 9.5, 10.5, 60, 5000};
static const double host_lambdas[] = {0.5, 9.5, 10.5, 60, 5000};

template <typename State> __device__ double draw(State *state, int kind)
{
    switch (kind) {
    case UNIFORM:
        return curand_uniform(state);
    case UNIFORM_DOUBLE:
        return curand_uniform_double(state);
    case NORMAL:
        return curand_normal(state);
    case NORMAL_DOUBLE:
        return curand_normal_double(state);
    case LOG_NORMAL:
        return log((double)curand_log_normal(state, 1.0f, 0.5f));
    default:
        return curand_poisson(state, lambdas[kind - POISSON]);
    }
}

/* Sums of x - mean, its square, third and fourth power; least and largest. */
template <typename State> __global__ void moments(double (*out)[6], int kind, double mean)
{
    State state;
    curand_init(2024 + kind, threadIdx.x, 0, &state);
    double sum[6] = {0, 0, 0, 0, 1e30, -1e30};
    for (int i = 0; i < DRAWS; i++) {
        double x = draw(&state, kind), power = 1;
        for (int k = 0; k < 4; k++)
            sum[k] += power *= x - mean;
        sum[4] = fmin(sum[4], x);
        sum[5] = fmax(sum[5], x);
    }
    for (int k = 0; k < 6; k++)
        out[threadIdx.x][k] = sum[k];
}

template <typename State> static void check_moments(const char *name, double (*sums)[6])
{
    for (int kind = 0; kind < LAST; kind++) {
        double lambda = kind >= POISSON ? host_lambdas[kind - POISSON] : 0, m[4] = {0, 0, 0, 0}, least = 1e30, most = -1e30;
        double mean = kind <= UNIFORM_DOUBLE ? 0.5 : kind == LOG_NORMAL ? 1 : lambda;
        double variance = kind <= UNIFORM_DOUBLE ? 1 / 12.0 : kind == LOG_NORMAL ? 0.25 : kind < POISSON ? 1 : lambda;
        double fourth = (kind <= UNIFORM_DOUBLE ? 1.8 : kind < POISSON ? 3 : 3 + 1 / lambda) * variance * variance;
        double third = kind >= POISSON ? lambda : 0;
        moments<State><<<1, THREADS>>>(sums, kind, mean);
        cudaDeviceSynchronize();
        const double n = THREADS * DRAWS;
        for (int t = 0; t < THREADS; t++) {
            for (int k = 0; k < 4; k++)
                m[k] += sums[t][k] / n;
            least = std::fmin(least, sums[t][4]);
            most = std::fmax(most, sums[t][5]);
        }
        char what[64];
        std::snprintf(what, sizeof what, "%s, distribution %d", name, kind);
        const double scale = std::sqrt(variance / n);
        expect(std::fabs(m[0]) < 4.5 * scale, what, m[0] / scale);
        expect(std::fabs(m[1] - variance) < 4.5 * std::sqrt((fourth - variance * variance) / n), what, m[1]);
        expect(std::fabs(m[2] - third) < 20 * scale * variance, what, m[2]);
        if (kind < POISSON)
            expect(std::fabs(m[3] - fourth) < 60 * scale * std::pow(variance, 1.5), what, m[3]);
        if (kind <= UNIFORM_DOUBLE)
            expect(least > 0 && least < 1e-3 && most <= 1 && most > 0.999, what, least);
    }
}

template <int Count> static void check_flags(void (*kernel)(int *), const char *what, int *bad)
{
    for (int i = 0; i < Count; i++)
        bad[i] = 0;
    kernel<<<1, THREADS>>>(bad);
    cudaDeviceSynchronize();
    for (int i = 0; i < Count; i++)
        expect(bad[i] == 0, what, i);
}

int main()
{
    static_assert(sizeof(curandState) == 48 && sizeof(curandStatePhilox4_32_10_t) == 64, "as in CUDA");
    Words *device_words;
    double(*sums)[6];
    curandStateMRG32k3a *mrg;
    int *bad;
    cudaMallocManaged(&mrg, sizeof *mrg);
    cudaMallocManaged(&device_words, sizeof *device_words);
    cudaMallocManaged(&sums, THREADS * sizeof *sums);
    cudaMallocManaged(&bad, 32 * sizeof *bad);
    words<<<1, 1>>>(device_words);
    cudaDeviceSynchronize();
    check_words(*device_words);
    check_flags<11>(all_skips, "skip", bad);
    second_subsequence<<<1, 1>>>(mrg);
    cudaDeviceSynchronize();
    check_subsequence(mrg->s1, 4294967087u, 4294967087u - 810728, 1403580, 0);
    check_subsequence(mrg->s2, 4294944443u, 4294944443u - 1370589, 0, 527612);
    check_flags<22>(at_once, "several at once", bad);
    check_moments<curandState>("xorwow", sums);
    check_moments<curandStatePhilox4_32_10_t>("philox", sums);
    check_moments<curandStateMRG32k3a>("mrg32k3a", sums);
    cudaError_t error = cudaDeviceSynchronize();
    std::printf("%s\n", error ? cudaGetErrorString(error) : wrong ? "wrong" : "done");
}
