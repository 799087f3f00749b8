/*
 * What nvcc's host code does for tests/data/nvcc/scale.cu, by hand: it registers the fat binary
 * FATBIN, launches through the interface of CUDA VERSION and prints what it sees. With LINKED it is
 * as of a link with -rdc=true.
 */
#include <stddef.h>
#include <stdio.h>
#include <string.h>

typedef struct {
    unsigned x, y, z;
} Dim3;
typedef struct {
    int magic, version;
    const void *data, *linked;
} Wrapper;

extern void **__cudaRegisterFatBinary(const Wrapper *);
extern void __cudaRegisterFatBinaryEnd(void **);
extern void __cudaUnregisterFatBinary(void **);
extern void __cudaRegisterFunction(void **, const void *, const char *, const char *, int, void *,
                                   void *, void *, void *, int *);
extern void __cudaRegisterVar(void **, const void *, const char *, const char *, int, size_t, int,
                              int);
extern void __cudaRegisterManagedVar(void **, void **, const char *, const char *, int, size_t, int,
                                     int);
extern char __cudaInitModule(void **);
extern unsigned __cudaPushCallConfiguration(Dim3, Dim3, size_t, void *);
extern int __cudaPopCallConfiguration(Dim3 *, Dim3 *, size_t *, void *);
extern int __cudaGetKernel(const void **, const void *);
extern int __cudaLaunchKernel(const void *, Dim3, Dim3, void **, size_t, void *);
extern int cudaLaunchKernel_ptsz(const void *, Dim3, Dim3, void **, size_t, void *);
extern int cudaMalloc(void **, size_t);
extern int cudaMemcpy(void *, const void *, size_t, int);
extern int cudaMemcpyToSymbol(const void *, const void *, size_t, size_t, int);
extern int cudaGetLastError(void);
extern int cudaGetDeviceProperties(void *, int);
extern int cudaGetDeviceProperties_v2(void *, int);

__asm__(".section .nv_fatbin, \"a\"\n.p2align 3\nfatbin: .incbin \"" FATBIN "\"\n.previous");
extern const char fatbin[];
static const void *const fatbins[] = {fatbin, NULL};
#ifdef LINKED
static const Wrapper wrapper
    __attribute__((section(".nvFatBinSegment"))) = {0x466243b1, 2, fatbin, fatbins};
#else
static const Wrapper wrapper
    __attribute__((section(".nvFatBinSegment"))) = {0x466243b1, 1, fatbin, NULL};
#endif
static void **module;
static int *calls; /* of the __managed__ variable */
static float factor;

static void scale(int n, float *x)
{
    Dim3 grid, block;
    size_t shared;
    void *stream, *arguments[] = {&n, &x};
    const void *kernel = NULL;
    (void)fatbins;
    __cudaPopCallConfiguration(&grid, &block, &shared, &stream);
    if (VERSION >= 13 && __cudaGetKernel(&kernel, (const void *)scale) == 0)
        __cudaLaunchKernel(kernel, grid, block, arguments, shared, stream);
    else
        cudaLaunchKernel_ptsz((const void *)scale, grid, block, arguments, shared, stream);
}

static void __attribute__((constructor)) begin(void)
{
    module = __cudaRegisterFatBinary(&wrapper);
    __cudaRegisterFunction(module, (const void *)scale, "scale", "scale", -1, NULL, NULL, NULL,
                           NULL, NULL);
    __cudaRegisterManagedVar(module, (void **)&calls, "calls", "calls", 0, 4, 0, 0);
    __cudaRegisterVar(module, &factor, "factor", "factor", 0, 4, 0, 0);
    __cudaRegisterFatBinaryEnd(module);
}

static int number_at(const char *bytes, size_t at)
{
    int value;
    memcpy(&value, bytes + at, sizeof value);
    return value;
}

/* What is at its place in the struct of each version, and that nothing is written behind it. */
static void print_properties(void)
{
    enum { BYTES = VERSION == 13 ? 1008 : VERSION == 12 ? 1032 : 728 };
    char device[BYTES + 8];
    memset(device, 0x55, sizeof device);
#if VERSION == 12
    cudaGetDeviceProperties_v2(device, 0);
#else
    cudaGetDeviceProperties(device, 0);
#endif
    printf("%s: warps of %d, %d SMs, %s\n", device, number_at(device, 308),
           number_at(device, VERSION >= 13 ? 384 : 388),
           number_at(device, BYTES) == 0x55555555 && device[BYTES - 1] == 0 ? "good" : "too long");
}

int main(int count, char **word)
{
    const Dim3 one = {1, 1, 1}, threads = {32, 1, 1};
    float host[32], by = 3;
    float *x;
    for (int i = 0; i < 32; i++)
        host[i] = (float)i;
    print_properties();
    cudaMalloc((void **)&x, sizeof host);
    cudaMemcpy(x, host, sizeof host, 1);
    for (int i = 0; i < 2; i++) {
        if (__cudaPushCallConfiguration(one, threads, 0, NULL) == 0)
            scale(31, x);
        cudaMemcpyToSymbol(&factor, &by, sizeof by, 0, 1);
    }
    cudaMemcpy(host, x, sizeof host, 2);
    __cudaInitModule(module);
    printf("%s %d: %g %g, %d calls, error %d\n", word[0], count, host[10], host[31], *calls,
           cudaGetLastError());
    if (__cudaPushCallConfiguration(one, threads, 0, NULL) == 0)
        scale(1, (float *)(void *)calls); /* kernels reach what host code has the address of */
    printf("%d calls\n", *calls);
    __cudaUnregisterFatBinary(module);
    return count > 1 ? 5 : 0;
}
