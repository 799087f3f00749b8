/* Conversions of PTX to and from 8-bit floats against a search for the nearest, on the host: all 16-bit floats, and 32-bit ones
 * around each 8-bit one and each middle of two. Prints what differs, then "done". */
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <vector>

static float half_value(unsigned h)
{
    const int exponent = h >> 10 & 31, mantissa = h & 1023;
    const float size = exponent == 31  ? (mantissa ? NAN : INFINITY)
                       : exponent == 0 ? std::ldexp((float)mantissa, -24)
                                       : std::ldexp((float)(mantissa + 1024), exponent - 25);
    return h >> 15 ? -size : size;
}

/* The value of a byte without its sign; 5 bits of exponent leave numbers that are none, 4 leave one. */
static float small_value(unsigned byte, int exponent_bits)
{
    const int bits = 7 - exponent_bits, bias = (1 << (exponent_bits - 1)) - 1;
    const int exponent = byte >> bits & ((1 << exponent_bits) - 1), mantissa = byte & ((1 << bits) - 1);
    if (exponent_bits == 5 && exponent == 31)
        return mantissa ? NAN : INFINITY;
    if (exponent_bits == 4 && byte == 0x7f)
        return NAN;
    return exponent == 0 ? std::ldexp((float)mantissa, 1 - bias - bits) : std::ldexp((float)(mantissa + (1 << bits)), exponent - bias - bits);
}

static unsigned nearest(float x, int exponent_bits, bool relu)
{
    const unsigned largest = exponent_bits == 4 ? 0x7e : 0x7b;
    if (std::isnan(x))
        return 0x7f;
    if (relu && std::signbit(x))
        return 0;
    const unsigned sign = std::signbit(x) ? 0x80 : 0;
    const double size = std::fabs((double)x);
    unsigned best = size >= small_value(largest, exponent_bits) ? largest : 0;
    for (unsigned byte = 1; byte <= largest && best != largest; byte++) {
        const double closer = std::fabs(small_value(byte, exponent_bits) - size), than = std::fabs(small_value(best, exponent_bits) - size);
        if (closer < than || (closer == than && byte % 2 == 0))
            best = byte;
    }
    return best | sign;
}

#define FROM_FLOATS(name, form)                                                                                   \
    static __device__ unsigned name(float high, float low)                                                        \
    {                                                                                                             \
        unsigned d;                                                                                               \
        asm("{ .reg .b16 t; cvt.rn.satfinite." form ".f32 t, %1, %2; cvt.u32.u16 %0, t; }" : "=r"(d) : "f"(high), "f"(low)); \
        return d;                                                                                                 \
    }
#define FROM_HALVES(name, form)                                                                            \
    static __device__ unsigned name(unsigned halves)                                                       \
    {                                                                                                      \
        unsigned d;                                                                                        \
        asm("{ .reg .b16 t; cvt.rn.satfinite." form ".f16x2 t, %1; cvt.u32.u16 %0, t; }" : "=r"(d) : "r"(halves)); \
        return d;                                                                                          \
    }
#define TO_HALVES(name, form)                                                                              \
    static __device__ unsigned name(unsigned bytes)                                                        \
    {                                                                                                      \
        unsigned d;                                                                                        \
        asm("{ .reg .b16 t; cvt.u16.u32 t, %1; cvt.rn." form " %0, t; }" : "=r"(d) : "r"(bytes));          \
        return d;                                                                                          \
    }
FROM_FLOATS(e4m3_of_floats, "e4m3x2")
FROM_FLOATS(e5m2_of_floats, "e5m2x2")
FROM_FLOATS(e4m3_of_floats_relu, "relu.e4m3x2")
FROM_FLOATS(e5m2_of_floats_relu, "relu.e5m2x2")
FROM_HALVES(e4m3_of_halves, "e4m3x2")
FROM_HALVES(e5m2_of_halves, "e5m2x2")
TO_HALVES(halves_of_e4m3, "f16x2.e4m3x2")
TO_HALVES(halves_of_e5m2, "f16x2.e5m2x2")

__global__ void convert_floats(const float *x, unsigned n, unsigned *y)
{
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    y[i * 4] = e4m3_of_floats(x[i], x[n - 1 - i]);
    y[i * 4 + 1] = e5m2_of_floats(x[i], x[n - 1 - i]);
    y[i * 4 + 2] = e4m3_of_floats_relu(x[i], x[n - 1 - i]);
    y[i * 4 + 3] = e5m2_of_floats_relu(x[i], x[n - 1 - i]);
}

__global__ void convert_words(unsigned *y)
{
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    y[i * 4] = e4m3_of_halves(i | (i ^ 0x8001) << 16);
    y[i * 4 + 1] = e5m2_of_halves(i | (i ^ 0x8001) << 16);
    y[i * 4 + 2] = halves_of_e4m3(i);
    y[i * 4 + 3] = halves_of_e5m2(i);
}

static int differences;

static void check(const char *what, unsigned from, unsigned is, unsigned wanted)
{
    if (is != wanted && differences++ < 40)
        std::printf("%s of %08x: %08x, not %08x\n", what, from, is, wanted);
}

static unsigned half_of_byte(unsigned byte, int exponent_bits)
{
    const float value = small_value(byte & 0x7f, exponent_bits);
    if (std::isnan(value))
        return 0x7fff;
    for (unsigned h = 0; h <= 0x7c00; h++)
        if (half_value(h) == value)
            return h | (byte & 0x80) << 8;
    return 0;
}

static void check_floats()
{
    std::vector<float> x = {0.0f, INFINITY, NAN, 1e38f, 1e-40f};
    for (int exponent_bits = 4; exponent_bits <= 5; exponent_bits++)
        for (unsigned byte = 0; byte < (exponent_bits == 4 ? 0x7fu : 0x7bu); byte++) {
            const float low = small_value(byte, exponent_bits), middle = exponent_bits == 4 && byte == 0x7e ? 464.0f : (low + small_value(byte + 1, exponent_bits)) / 2;
            for (float value : {low, std::nextafter(low, 1e9f), middle, std::nextafter(middle, 0.0f), std::nextafter(middle, 1e9f)})
                x.push_back(value);
        }
    for (unsigned i = 0, n = x.size(); i < n; i++)
        x.push_back(-x[i]);
    const unsigned n = x.size();
    float *from;
    unsigned *to;
    cudaMallocManaged(&from, n * sizeof(float));
    cudaMallocManaged(&to, n * 4 * sizeof(unsigned));
    std::memcpy(from, x.data(), n * sizeof(float));
    convert_floats<<<(n + 127) / 128, 128>>>(from, n, to);
    cudaDeviceSynchronize();
    for (unsigned i = 0; i < n; i++)
        for (int form = 0; form < 4; form++) {
            unsigned bits;
            std::memcpy(&bits, &x[i], 4);
            check("floats", bits, to[i * 4 + form],
                  nearest(x[i], 4 + form % 2, form >= 2) << 8 | nearest(x[n - 1 - i], 4 + form % 2, form >= 2));
        }
}

static void check_words()
{
    enum { WORDS = 1 << 16 };
    unsigned *y;
    std::vector<unsigned> bytes[2], halves[2];
    cudaMallocManaged(&y, WORDS * 4 * sizeof(unsigned));
    convert_words<<<WORDS / 256, 256>>>(y);
    cudaDeviceSynchronize();
    for (int form = 0; form < 2; form++) {
        for (unsigned i = 0; i < WORDS; i++)
            bytes[form].push_back(nearest(half_value(i), 4 + form, false));
        for (unsigned i = 0; i < 256; i++)
            halves[form].push_back(half_of_byte(i, 4 + form));
    }
    for (unsigned i = 0; i < WORDS; i++)
        for (int form = 0; form < 2; form++) {
            check("halves", i, y[i * 4 + form], bytes[form][i ^ 0x8001] << 8 | bytes[form][i]);
            check("bytes", i, y[i * 4 + 2 + form], halves[form][i >> 8] << 16 | halves[form][i & 255]);
        }
}

int main()
{
    check_floats();
    check_words();
    std::printf("%s\n", cudaGetLastError() == cudaSuccess ? "done" : "failed");
}
