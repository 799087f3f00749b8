// Values of <cuda_fp8.h>: for each conversion the FNV-1a hash of its results, on the device and on the host. All halves, all
// bfloat16 and all 8-bit numbers are converted; of floats and doubles each exponent with many fractions, both sides of each
// middle between two 8-bit numbers among them. What nvcc 13.0 prints on an H100 is in fp8_values.txt.
#include <cstdio>
#include <cstring>
#include <cuda_fp8.h>

constexpr int COUNT = 65536, KINDS = 34;

__host__ __device__ float float_of(unsigned int bits)
{
    float x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

// 256 exponents (the sign is bit 31) times 256 fractions: all values of the upper 4 bits, with ends that decide the rounding.
__host__ __device__ float float_at(int i)
{
    const unsigned int ends[8] = {0, 1, 0x3ffff, 0x40000, 0x40001, 0x7fffe, 0x7ffff, 0x20000};
    return float_of((i >> 8) << 24 | (i >> 7 & 1) << 23 | (i >> 3 & 15) << 19 | ends[i & 7]);
}

// The same with ends that a float has not; the exponents are those of floats.
__host__ __device__ double double_at(int i)
{
    const unsigned long long ends[8] = {0, 1, 0x3ffffffffffff, 0x2000000000000, 0x2000000000001, 0x1ffffffffffff, 0x1fffffff, 0x4000000000000};
    const long long exponent = (i >> 7 & 255) + 896;
    const unsigned long long bits = (unsigned long long)(i >> 15) << 63 | exponent << 52 | (unsigned long long)(i >> 3 & 15) << 48 | (ends[i & 7] >> 2);
    double x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

template <typename T> __host__ __device__ unsigned long long bits_of(T x)
{
    unsigned long long bits = 0;
    memcpy(&bits, &x, sizeof x);
    return bits;
}

template <typename ONE, typename TWO, typename FOUR> __host__ __device__ unsigned long long of_type(int kind, int i)
{
    ONE x;
    x.__x = (__nv_fp8_storage_t)i;
    TWO pair;
    pair.__x = (__nv_fp8x2_storage_t)i;
    const float f = float_at(i), g = float_at((i * 7 + 3) & 65535);
    switch (kind) {
    case 0: return ONE(f).__x;
    case 1: return ONE(double_at(i)).__x;
    case 2: return ONE((short)i).__x | ONE((unsigned short)i).__x << 8 | ONE(i * 3 - 70000).__x << 16;
    case 3: return bits_of((float)x);
    case 4: return bits_of(static_cast<__half_raw>((__half)x)) | bits_of(static_cast<__nv_bfloat16_raw>((__nv_bfloat16)x)) << 16;
    case 5: return bits_of((double)x);
    case 6: return (unsigned long long)(long long)(int)x + (unsigned long long)x * 3 + (unsigned short)(short)x + (bool)x;
    case 7: return (unsigned char)x | (unsigned long long)(unsigned char)(signed char)x << 8 | (unsigned long long)(unsigned int)x << 16;
    case 8: return TWO(make_float2(f, g)).__x | (unsigned long long)TWO(make_double2(f, g)).__x << 16;
    case 9: return FOUR(make_float4(f, g, -f, -g)).__x;
    case 10: return bits_of((float2)pair);
    default: return TWO((__half2)pair).__x;
    }
}

__host__ __device__ unsigned long long value(int kind, int i)
{
    __half_raw h;
    h.x = (unsigned short)i;
    __nv_bfloat16_raw b;
    b.x = (unsigned short)i;
    const float f = float_at(i);
    if (kind < 12)
        return of_type<__nv_fp8_e4m3, __nv_fp8x2_e4m3, __nv_fp8x4_e4m3>(kind, i);
    if (kind < 24)
        return of_type<__nv_fp8_e5m2, __nv_fp8x2_e5m2, __nv_fp8x4_e5m2>(kind - 12, i);
    switch (kind - 24) {
    case 0: return __nv_cvt_halfraw_to_fp8(h, __NV_SATFINITE, __NV_E4M3);
    case 1: return __nv_cvt_halfraw_to_fp8(h, __NV_SATFINITE, __NV_E5M2);
    case 2: return __nv_cvt_halfraw_to_fp8(h, __NV_NOSAT, __NV_E4M3);
    case 3: return __nv_cvt_halfraw_to_fp8(h, __NV_NOSAT, __NV_E5M2);
    case 4: return __nv_cvt_bfloat16raw_to_fp8(b, __NV_SATFINITE, __NV_E4M3);
    case 5: return __nv_cvt_bfloat16raw_to_fp8(b, __NV_NOSAT, __NV_E5M2);
    case 6: return __nv_cvt_float_to_fp8(f, __NV_NOSAT, __NV_E4M3);
    case 7: return __nv_cvt_float_to_fp8(f, __NV_NOSAT, __NV_E5M2);
    case 8: return __nv_cvt_double_to_fp8(double_at(i), __NV_NOSAT, __NV_E4M3);
    default: return __nv_cvt_double_to_fp8(double_at(i), __NV_NOSAT, __NV_E5M2);
    }
}

__global__ void fill(unsigned long long *values)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    for (int kind = 0; kind < KINDS; kind++)
        values[kind * COUNT + i] = value(kind, i);
}

unsigned int hash(const unsigned long long *values)
{
    unsigned int h = 2166136261u;
    for (int i = 0; i < COUNT; i++)
        for (int k = 0; k < 8; k++)
            h = (h ^ (values[i] >> 8 * k & 255)) * 16777619u;
    return h;
}

int main()
{
    static unsigned long long device[KINDS * COUNT], host[COUNT];
    unsigned long long *values;
    if (cudaMalloc(&values, sizeof device) != cudaSuccess)
        return 1;
    fill<<<COUNT / 256, 256>>>(values);
    if (cudaMemcpy(device, values, sizeof device, cudaMemcpyDeviceToHost) != cudaSuccess)
        return 1;
    for (int kind = 0; kind < KINDS; kind++) {
        for (int i = 0; i < COUNT; i++)
            host[i] = value(kind, i);
        printf("%2d device %08x host %08x\n", kind, hash(device + kind * COUNT), hash(host));
    }
    return 0;
}
