#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cstdio>
#include <cstring>

template <typename T> __host__ __device__ unsigned int bits(T x)
{
    unsigned int r = 0;
    memcpy(&r, &x, sizeof x);
    return r;
}
/* A NaN has no sign or payload that counts. */
__host__ __device__ unsigned int number(__half x) { return __hisnan(x) ? 0x7fff : bits(x); }
__host__ __device__ unsigned int number(__nv_bfloat16 x) { return __hisnan(x) ? 0x7fff : bits(x); }
__host__ __device__ unsigned int number(float x) { return x != x ? 0x7fffffff : bits(x); }
__host__ __device__ unsigned int number(unsigned int x) { return x; }
__host__ __device__ unsigned int number(long long x) { return (unsigned int)x ^ (unsigned int)(x >> 32); }
template <typename P> __host__ __device__ unsigned int pair(P x)
{
    return number(x.x) | number(x.y) << 16;
}

enum { COUNT = 56 };
template <typename T, typename P> struct Case {
    T a, b, c;
    float f;
    int i;
    long long l;
};
#define EACH(type, pair_type, name)                                                                                    \
    __host__ __device__ void all(const Case<type, pair_type> &k, unsigned int *r)                                      \
    {                                                                                                                  \
        const type a = k.a, b = k.b, c = k.c;                                                                          \
        const pair_type p(a, b), q(c, a), s(b, c);                                                                     \
        int n = 0;                                                                                                     \
        r[n++] = number(__##name##2float(a));                                                                          \
        r[n++] = number(__float2##name(k.f));                                                                          \
        r[n++] = number(__float2##name##_rz(k.f));                                                                     \
        r[n++] = number(__float2##name##_rd(k.f));                                                                     \
        r[n++] = number(__float2##name##_ru(k.f));                                                                     \
        r[n++] = number(type(k.i));                                                                                    \
        r[n++] = number(__ll2##name##_rn(k.l));                                                                        \
        r[n++] = number(__ll2##name##_ru(k.l));                                                                        \
        r[n++] = number(__int2##name##_rd(k.i));                                                                       \
        r[n++] = number(__ushort2##name##_rz((unsigned short)k.i));                                                    \
        r[n++] = number((unsigned int)__##name##2int_rn(a));                                                           \
        r[n++] = number((unsigned int)__##name##2int_rd(a));                                                           \
        r[n++] = number(__##name##2uint_ru(a));                                                                        \
        r[n++] = number((unsigned int)__##name##2short_rz(a));                                                         \
        r[n++] = number((unsigned int)__##name##2ushort_rn(a));                                                        \
        r[n++] = a != a ? 0 : number(__##name##2ll_rn(a));                                                             \
        r[n++] = number((unsigned int)(int)a);                                                                         \
        r[n++] = number((unsigned int)(signed char)a);                                                                 \
        r[n++] = pair(__floats2##name##2_rn(k.f, -k.f));                                                               \
        r[n++] = number(__hadd(a, b));                                                                                 \
        r[n++] = number(__hsub(a, b));                                                                                 \
        r[n++] = number(__hmul(a, b));                                                                                 \
        r[n++] = number(__hadd_sat(a, b));                                                                             \
        r[n++] = number(__hfma(a, b, c));                                                                              \
        r[n++] = number(__hfma_sat(a, b, c));                                                                          \
        r[n++] = number(__hfma_relu(a, b, c));                                                                         \
        r[n++] = number(__hneg(a));                                                                                    \
        r[n++] = number(__habs(a));                                                                                    \
        r[n++] = number(__hmin(a, b));                                                                                 \
        r[n++] = number(__hmax(a, b));                                                                                 \
        r[n++] = number(__hmin_nan(a, b));                                                                             \
        r[n++] = number(__hmax_nan(b, a));                                                                             \
        r[n++] = pair(__hadd2(p, q));                                                                                  \
        r[n++] = pair(__hfma2(p, q, s));                                                                               \
        r[n++] = pair(__hmul2(p, q));                                                                                  \
        r[n++] = __heq(a, b) | __hne(a, b) << 1 | __hlt(a, b) << 2 | __hle(a, b) << 3 | __hgt(a, b) << 4 |             \
                 __hge(a, b) << 5 | __hequ(a, b) << 6 | __hneu(a, b) << 7 | __hltu(a, b) << 8 | __hleu(a, b) << 9 |    \
                 __hgtu(a, b) << 10 | __hgeu(a, b) << 11 | __hisnan(a) << 12 | (__hisinf(a) & 3) << 13;                \
        r[n++] = pair(__hle2(p, q));                                                                                   \
        r[n++] = __hltu2_mask(p, q);                                                                                   \
        r[n++] = __hbge2(p, q);                                                                                        \
        r[n++] = number(htrunc(a));                                                                                    \
        r[n++] = number(hceil(a));                                                                                     \
        r[n++] = number(hfloor(a));                                                                                    \
        r[n++] = number(hrint(a));                                                                                     \
        type t = a;                                                                                                    \
        t += b;                                                                                                        \
        r[n++] = number(t * c);                                                                                        \
        r[n++] = a < b;                                                                                                \
        while (n < COUNT)                                                                                              \
            r[n++] = 0;                                                                                                \
    }
EACH(__half, __half2, half)
EACH(__nv_bfloat16, __nv_bfloat162, bfloat16)

template <typename T, typename P> __host__ __device__ Case<T, P> make(unsigned int i)
{
    /* All bit patterns, beside others from a sequence of Weyl's, some of them close. */
    const unsigned int other = i * 0x9e3779b9u;
    Case<T, P> k;
    const unsigned short a = i, b = i & 0x10000 ? a + (other >> 28) - 8 : other >> 16, c = other >> 7;
    memcpy(&k.a, &a, 2);
    memcpy(&k.b, &b, 2);
    memcpy(&k.c, &c, 2);
    unsigned int f = (i & 0xffff) << 16 | (i & 0x20000 ? other >> 20 << 4 : 0x1000 << (i & 3));
    memcpy(&k.f, &f, 4);
    k.i = (int)(other >> (i & 31));
    k.l = (long long)((unsigned long long)other << (i & 31)) * (i & 64 ? -1 : 1);
    return k;
}
template <typename T, typename P> __global__ void device(unsigned int *r)
{
    const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
    all(make<T, P>(i), r + (size_t)i * COUNT);
}
template <typename T, typename P> int compare(const char *name)
{
    enum { CASES = 1 << 18 };
    unsigned int *r;
    int bad = 0;
    cudaMallocManaged(&r, (size_t)CASES * COUNT * sizeof *r);
    device<T, P><<<CASES / 256, 256>>>(r);
    if (cudaDeviceSynchronize() != cudaSuccess)
        return 1;
    for (unsigned int i = 0; i < CASES; i++) {
        unsigned int host[COUNT];
        all(make<T, P>(i), host);
        for (int n = 0; n < COUNT; n++)
            if (host[n] != r[(size_t)i * COUNT + n] && bad++ < 10)
                printf("%s case %u function %d: host %08x, device %08x\n", name, i, n, host[n], r[(size_t)i * COUNT + n]);
    }
    printf("%s: %d differ\n", name, bad);
    cudaFree(r);
    return bad != 0;
}
int main()
{
    return compare<__half, __half2>("half") | compare<__nv_bfloat16, __nv_bfloat162>("bfloat16");
}
