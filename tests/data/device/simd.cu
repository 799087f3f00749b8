/* SIMD intrinsics, DPX and SIMD video instructions of PTX against loops over the parts, on the host, with random numbers and the
 * ends of the ranges. DPX functions run on the host too. Prints what differs, then "done". */
#include <algorithm>
#include <cstdio>
#include <string>
#include <vector>

typedef long long Wide;

/* What each function gives for parts x, y of a type with the ends `low` and `high`. */
static Wide ends(Wide v, Wide low, Wide high)
{
    return std::min(std::max(v, low), high);
}
static Wide magnitude(Wide v)
{
    return v < 0 ? -v : v;
}
static Wide rounded_half(Wide sum)
{
    return (sum >= 0 ? sum + 1 : sum) >> 1;
}

/* name, sign of the parts, arguments, value */
#define EACH_PART(F, n)                                  \
    F(__vabs##n, signed, magnitude(x))                   \
    F(__vabsss##n, signed, ends(magnitude(x), low, high)) \
    F(__vneg##n, signed, -x)                             \
    F(__vnegss##n, signed, ends(-x, low, high))          \
    F(__vadd##n, unsigned, x + y)                        \
    F(__vaddss##n, signed, ends(x + y, low, high))       \
    F(__vaddus##n, unsigned, ends(x + y, low, high))     \
    F(__vsub##n, unsigned, x - y)                        \
    F(__vsubss##n, signed, ends(x - y, low, high))       \
    F(__vsubus##n, unsigned, ends(x - y, low, high))     \
    F(__vavgs##n, signed, rounded_half(x + y))           \
    F(__vavgu##n, unsigned, (x + y + 1) >> 1)            \
    F(__vhaddu##n, unsigned, (x + y) >> 1)               \
    F(__vmaxs##n, signed, std::max(x, y))                \
    F(__vmaxu##n, unsigned, std::max(x, y))              \
    F(__vmins##n, signed, std::min(x, y))                \
    F(__vminu##n, unsigned, std::min(x, y))              \
    F(__vabsdiffs##n, signed, magnitude(x - y))          \
    F(__vabsdiffu##n, unsigned, magnitude(x - y))        \
    F(__vcmpeq##n, signed, -(x == y))                    \
    F(__vcmpne##n, signed, -(x != y))                    \
    F(__vcmpges##n, signed, -(x >= y))                   \
    F(__vcmpgeu##n, unsigned, -(x >= y))                 \
    F(__vcmpgts##n, signed, -(x > y))                    \
    F(__vcmpgtu##n, unsigned, -(x > y))                  \
    F(__vcmples##n, signed, -(x <= y))                   \
    F(__vcmpleu##n, unsigned, -(x <= y))                 \
    F(__vcmplts##n, signed, -(x < y))                    \
    F(__vcmpltu##n, unsigned, -(x < y))                  \
    F(__vseteq##n, signed, x == y)                       \
    F(__vsetne##n, signed, x != y)                       \
    F(__vsetges##n, signed, x >= y)                      \
    F(__vsetgeu##n, unsigned, x >= y)                    \
    F(__vsetgts##n, signed, x > y)                       \
    F(__vsetgtu##n, unsigned, x > y)                     \
    F(__vsetles##n, signed, x <= y)                      \
    F(__vsetleu##n, unsigned, x <= y)                    \
    F(__vsetlts##n, signed, x < y)                       \
    F(__vsetltu##n, unsigned, x < y)

#define SUMS(F, n)                             \
    F(__vsads##n, signed, magnitude(x - y))    \
    F(__vsadu##n, unsigned, magnitude(x - y))

#define DPX_BOTH(F, suffix, sign)                                            \
    F(__viaddmax_##suffix, sign, std::max(wrap(x + y), z))                   \
    F(__viaddmin_##suffix, sign, std::min(wrap(x + y), z))                   \
    F(__vimax3_##suffix, sign, std::max(std::max(x, y), z))                  \
    F(__vimin3_##suffix, sign, std::min(std::min(x, y), z))
#define DPX_RELU(F, suffix)                                                       \
    F(__viaddmax_##suffix##_relu, signed, std::max(std::max(wrap(x + y), z), (Wide)0)) \
    F(__viaddmin_##suffix##_relu, signed, std::max(std::min(wrap(x + y), z), (Wide)0)) \
    F(__vimax3_##suffix##_relu, signed, std::max(std::max(std::max(x, y), z), (Wide)0)) \
    F(__vimin3_##suffix##_relu, signed, std::max(std::min(std::min(x, y), z), (Wide)0))
#define DPX_TWO(F, suffix)                                               \
    F(__vimax_##suffix##_relu, signed, std::max(std::max(x, y), (Wide)0)) \
    F(__vimin_##suffix##_relu, signed, std::max(std::min(x, y), (Wide)0))
/* Of __vib..., the word where the third argument is odd, else the answers. */
#define WHICH_PAIR(F, suffix, sign)                       \
    F(__vibmax_##suffix, sign, std::max(x, y), x >= y)    \
    F(__vibmin_##suffix, sign, std::min(x, y), x <= y)

/* name, PTX, sign of the parts, value */
#define VIDEO(F)                                                                                      \
    F(add_s_sat2, "vadd2.s32.s32.s32.sat", signed, ends(x + y, low, high))                            \
    F(sub_u4, "vsub4.u32.u32.u32", unsigned, x - y)                                                   \
    F(sub_mixed_sat4, "vsub4.s32.u32.s32.sat", unsigned, ends(x - ((y ^ 128) - 128), -128, 127))      \
    F(sub_s_to_u_sat2, "vsub2.u32.s32.s32.sat", signed, ends(x - y, 0, 65535))                        \
    F(average_s2, "vavrg2.s32.s32.s32", signed, rounded_half(x + y))                                  \
    F(average_u4, "vavrg4.u32.u32.u32", unsigned, (x + y + 1) >> 1)                                   \
    F(difference_u4, "vabsdiff4.u32.u32.u32", unsigned, magnitude(x - y))                             \
    F(least_s4, "vmin4.s32.s32.s32", signed, std::min(x, y))                                          \
    F(largest_u2, "vmax2.u32.u32.u32", unsigned, std::max(x, y))                                      \
    F(equal_u4, "vset4.u32.u32.eq", unsigned, x == y)                                                 \
    F(greater_s2, "vset2.s32.s32.gt", signed, x > y)
#define VIDEO_ADD(F)                                                                                  \
    F(difference_u_add4, "vabsdiff4.u32.u32.u32.add", unsigned, magnitude(x - y))                     \
    F(difference_s_add2, "vabsdiff2.u32.s32.s32.add", signed, magnitude(x - y))                       \
    F(add_s_add4, "vadd4.s32.s32.s32.add", signed, x + y)                                             \
    F(unequal_add4, "vset4.u32.u32.ne.add", unsigned, x != y)
#define DEFINE(name, ptx, ...)                                                                        \
    __device__ static unsigned int name(unsigned int a, unsigned int b, unsigned int c)               \
    {                                                                                                 \
        unsigned int d;                                                                               \
        asm(ptx " %0, %1, %2, %3;" : "=r"(d) : "r"(a), "r"(b), "r"(c));                               \
        return d;                                                                                     \
    }
VIDEO(DEFINE)
VIDEO_ADD(DEFINE)

/* Functions of one, two or three words, called with as many as they have. */
__host__ __device__ static unsigned int call(unsigned int (*f)(unsigned int), unsigned int a, unsigned int, unsigned int)
{
    return f(a);
}
__host__ __device__ static unsigned int call(unsigned int (*f)(unsigned int, unsigned int), unsigned int a,
                                             unsigned int b, unsigned int)
{
    return f(a, b);
}
__host__ __device__ static unsigned int call(unsigned int (*f)(unsigned int, unsigned int, unsigned int),
                                             unsigned int a, unsigned int b, unsigned int c)
{
    return f(a, b, c);
}
__host__ __device__ static unsigned int call(int (*f)(int, int), unsigned int a, unsigned int b, unsigned int)
{
    return f(a, b);
}
__host__ __device__ static unsigned int call(int (*f)(int, int, int), unsigned int a, unsigned int b, unsigned int c)
{
    return f(a, b, c);
}
__host__ __device__ static unsigned int call(unsigned int (*f)(unsigned int, unsigned int, bool *, bool *),
                                             unsigned int a, unsigned int b, unsigned int c)
{
    bool high, low;
    unsigned int best = f(a, b, &high, &low);
    return c & 1 ? best : (unsigned int)high << 16 | low;
}
__host__ __device__ static unsigned int call(unsigned int (*f)(unsigned int, unsigned int, bool *), unsigned int a,
                                             unsigned int b, unsigned int c)
{
    bool which;
    unsigned int best = f(a, b, &which);
    return c & 1 ? best : which;
}
__host__ __device__ static unsigned int call(int (*f)(int, int, bool *), unsigned int a, unsigned int b, unsigned int c)
{
    bool which;
    unsigned int best = f(a, b, &which);
    return c & 1 ? best : which;
}

#define DPX_ALL(F)                \
    DPX_BOTH(F, s16x2, signed)    \
    DPX_BOTH(F, u16x2, unsigned)  \
    DPX_RELU(F, s16x2)            \
    DPX_TWO(F, s16x2)             \
    DPX_BOTH(F, s32, signed)      \
    DPX_BOTH(F, u32, unsigned)    \
    DPX_RELU(F, s32)              \
    DPX_TWO(F, s32)
#define WHICH_ALL(F)                \
    WHICH_PAIR(F, s16x2, signed)    \
    WHICH_PAIR(F, u16x2, unsigned)  \
    WHICH_PAIR(F, s32, signed)      \
    WHICH_PAIR(F, u32, unsigned)

#define STORE(name, ...) out[at++ * n + i] = call(name, a, b, c);
#define COUNT(...) +1
enum {
    SIMD = 0 EACH_PART(COUNT, 2) EACH_PART(COUNT, 4) SUMS(COUNT, 2) SUMS(COUNT, 4) VIDEO(COUNT) VIDEO_ADD(COUNT),
    DPX = 0 DPX_ALL(COUNT) WHICH_ALL(COUNT),
};

__host__ __device__ static void dpx(const unsigned int *in, unsigned int *out, int n, int i)
{
    unsigned int a = in[i], b = in[n + i], c = in[2 * n + i];
    int at = 0;
    DPX_ALL(STORE)
    WHICH_ALL(STORE)
}

__global__ void simd(const unsigned int *in, unsigned int *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    unsigned int a = in[i], b = in[n + i], c = in[2 * n + i];
    int at = 0;
    EACH_PART(STORE, 2)
    EACH_PART(STORE, 4)
    SUMS(STORE, 2)
    SUMS(STORE, 4)
    VIDEO(STORE)
    VIDEO_ADD(STORE)
    dpx(in, out + SIMD * n, n, i);
}

static int wrong;

static void expect(const char *name, const char *where, unsigned int got, unsigned int wanted, unsigned int a,
                   unsigned int b, unsigned int c)
{
    if (got != wanted && wrong++ < 20)
        std::printf("%s%s(%08x, %08x, %08x) is %08x, not %08x\n", name, where, a, b, c, got, wanted);
}

/* Part k of a word, of `bits` bits. */
static Wide part(unsigned int word, int bits, int k, bool sign)
{
    Wide v = word >> k * bits & ((1ll << bits) - 1);
    return sign && v >> (bits - 1) ? v - (1ll << bits) : v;
}

enum Join { PARTS, TOTAL };

template <typename Value>
static unsigned int by_parts(int bits, bool sign, Join join, unsigned int a, unsigned int b, unsigned int c, Value value)
{
    const Wide size = 1ll << bits, low = sign ? -size / 2 : 0, high = low + size - 1;
    unsigned int all = 0, sum = 0;
    auto wrap = [=](Wide v) { return ((v - low) & (size - 1)) + low; };
    for (int k = 0; k < 32 / bits; k++) {
        Wide v = value(part(a, bits, k, sign), part(b, bits, k, sign), part(c, bits, k, sign), low, high, wrap);
        all |= (unsigned int)(v & (size - 1)) << k * bits;
        sum += (unsigned int)v;
    }
    return join == PARTS ? all : sum;
}

static int bits_of(const char *name)
{
    std::string s(name);
    if (s.find("x2") != std::string::npos)
        return 16;
    if (s.find("32") != std::string::npos)
        return 32;
    return s.back() == '2' ? 16 : 8;
}

static const bool is_signed = true, is_unsigned = false;
#define VALUE(v) [](Wide x, Wide y, Wide z, Wide low, Wide high, auto wrap) -> Wide { return v; }
#define CHECK_AS(name, sign, join, v)                                                                          \
    for (int i = 0; i < n; i++)                                                                                \
        expect(#name, where, out[at * n + i],                                                                  \
               by_parts(bits_of(#name), is_##sign, join, in[i], in[n + i], in[2 * n + i], VALUE(v)), in[i],    \
               in[n + i], in[2 * n + i]);                                                                      \
    at++;
#define CHECK(name, sign, v) CHECK_AS(name, sign, PARTS, v)
#define CHECK_VIDEO(name, ptx, sign, v) CHECK_AS(name, sign, PARTS, v)
#define CHECK_ADD(name, ptx, sign, v)                                                                          \
    for (int i = 0; i < n; i++)                                                                                \
        expect(#name, where, out[at * n + i],                                                                  \
               in[2 * n + i] + by_parts(bits_of(#name), is_##sign, TOTAL, in[i], in[n + i], 0, VALUE(v)),      \
               in[i], in[n + i], in[2 * n + i]);                                                               \
    at++;
#define CHECK_SUM(name, sign, v) CHECK_AS(name, sign, TOTAL, v)
#define CHECK_WHICH(name, sign, v, w) CHECK_AS(name, sign, PARTS, z & 1 ? v : w)

static void check_dpx(const char *where, const unsigned int *in, const unsigned int *out, int n)
{
    int at = 0;
    DPX_ALL(CHECK)
#undef CHECK_AS
#define CHECK_AS(name, sign, join, v)                                                                          \
    for (int i = 0; i < n; i++) {                                                                              \
        unsigned int odd = (in[2 * n + i] & 1) * 0x10001u;                                                     \
        expect(#name, where, out[at * n + i],                                                                  \
               by_parts(bits_of(#name), is_##sign, join, in[i], in[n + i], odd, VALUE(v)), in[i], in[n + i],   \
               odd);                                                                                           \
    }                                                                                                          \
    at++;
    WHICH_ALL(CHECK_WHICH)
}
#undef CHECK_AS
#define CHECK_AS(name, sign, join, v)                                                                          \
    for (int i = 0; i < n; i++)                                                                                \
        expect(#name, where, out[at * n + i],                                                                  \
               by_parts(bits_of(#name), is_##sign, join, in[i], in[n + i], 0, VALUE(v)), in[i], in[n + i], 0); \
    at++;

static void check_simd(const char *where, const unsigned int *in, const unsigned int *out, int n)
{
    int at = 0;
    EACH_PART(CHECK, 2)
    EACH_PART(CHECK, 4)
    SUMS(CHECK_SUM, 2)
    SUMS(CHECK_SUM, 4)
    VIDEO(CHECK_VIDEO)
    VIDEO_ADD(CHECK_ADD)
}

int main()
{
    static const unsigned int edges[] = {0, 1, 0x7f, 0x80, 0x81, 0xff, 0x7fff, 0x8000, 0x8001, 0xffff, 0x7fffffff, 0x80000000,
                                         0xffffffff, 0x80008000, 0x7fff7fff, 0x80808080, 0x7f7f7f7f, 0x00010001,
                                         0xff7f8001, 0x01010101};
    const int e = sizeof edges / sizeof *edges, n = e * e + 600;
    std::vector<unsigned int> in(3 * n), out((SIMD + DPX) * n), host(DPX * n);
    unsigned int seed = 7, *device_in, *device_out;
    auto number = [&] { return (seed = seed * 1664525u + 1013904223u) >> 16; };
    for (int i = 0; i < n; i++)
        for (int k = 0; k < 3; k++)
            in[k * n + i] = i < e * e ? edges[k == 0 ? i / e : k == 1 ? i % e : (i * 7) % e] : number() << 16 | number();
    for (int i = e * e; i < e * e + 100; i++) /* parts that are equal */
        in[n + i] = in[i] ^ (0xffu << i % 4 * 8);
    cudaMalloc(&device_in, in.size() * 4);
    cudaMalloc(&device_out, out.size() * 4);
    cudaMemcpy(device_in, in.data(), in.size() * 4, cudaMemcpyHostToDevice);
    simd<<<(n + 127) / 128, 128>>>(device_in, device_out, n);
    cudaMemcpy(out.data(), device_out, out.size() * 4, cudaMemcpyDeviceToHost);
    for (int i = 0; i < n; i++)
        dpx(in.data(), host.data(), n, i);
    check_simd("", in.data(), out.data(), n);
    check_dpx("", in.data(), out.data() + SIMD * n, n);
    check_dpx(" on the host", in.data(), host.data(), n);
    cudaError_t error = cudaDeviceSynchronize();
    std::printf("%s\n", error ? cudaGetErrorString(error) : wrong ? "wrong" : "done");
}
