/*
 * The CUDA runtime as the compiler's code and programs call it: registration by hand, with PTX, so
 * that no compiler for CUDA is needed.
 */
#include "isa/cuda/include/warpstep/runtime_types.h"
#include "tests/support/suite.h"

#include <signal.h>
#include <stdint.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

typedef struct {
    unsigned int x, y, z;
} Dim3;

void **__cudaRegisterFatBinary(const void *wrapper);
void __cudaRegisterFunction(void **handle, const void *host, const char *device, const char *name,
                            int limit, void *a, void *b, void *c, void *d, int *e);
void __cudaRegisterVar(void **handle, const void *host, const char *device, const char *name,
                       int is_extern, size_t size, int is_constant, int is_global);
unsigned int __cudaPushCallConfiguration(Dim3 grid, Dim3 block, size_t shared, void *stream);
cudaError_t __cudaPopCallConfiguration(Dim3 *grid, Dim3 *block, size_t *shared, void *stream);
const char *cudaGetErrorName(cudaError_t error);
const char *cudaGetErrorString(cudaError_t error);
cudaError_t cudaGetLastError(void);
cudaError_t cudaPeekAtLastError(void);
cudaError_t cudaMalloc(void **ret, size_t size);
cudaError_t cudaMallocHost(void **ret, size_t size);
cudaError_t cudaMallocManaged(void **ret, size_t size, unsigned int flags);
cudaError_t cudaMallocPitch(void **ret, size_t *pitch, size_t width, size_t height);
cudaError_t cudaFree(void *pointer);
cudaError_t cudaFreeHost(void *pointer);
cudaError_t cudaHostRegister(void *pointer, size_t size, unsigned int flags);
cudaError_t cudaHostUnregister(void *pointer);
cudaError_t cudaHostGetDevicePointer(void **ret, void *host, unsigned int flags);
cudaError_t cudaMemcpy(void *to, const void *from, size_t count, enum cudaMemcpyKind kind);
cudaError_t cudaMemcpy2D(void *to, size_t to_pitch, const void *from, size_t from_pitch,
                         size_t width, size_t height, enum cudaMemcpyKind kind);
cudaError_t cudaMemset(void *pointer, int value, size_t count);
cudaError_t cudaMemcpyToSymbol(const void *symbol, const void *from, size_t count, size_t offset,
                               enum cudaMemcpyKind kind);
cudaError_t cudaMemcpyFromSymbol(void *to, const void *symbol, size_t count, size_t offset,
                                 enum cudaMemcpyKind kind);
cudaError_t cudaGetSymbolAddress(void **ret, const void *symbol);
cudaError_t cudaGetSymbolSize(size_t *ret, const void *symbol);
cudaError_t cudaDeviceSetLimit(enum cudaLimit limit, size_t value);
cudaError_t cudaDeviceGetLimit(size_t *ret, enum cudaLimit limit);
cudaError_t cudaLaunchKernel(const void *function, Dim3 grid, Dim3 block, void **arguments,
                             size_t shared, cudaStream_t stream);
cudaError_t cudaLaunchCooperativeKernel(const void *function, Dim3 grid, Dim3 block,
                                        void **arguments, size_t shared, cudaStream_t stream);
cudaError_t cudaFuncGetAttributes(struct cudaFuncAttributes *ret, const void *function);
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *ret, const void *function,
                                                          int block_size, size_t shared);
cudaError_t cudaOccupancyMaxPotentialBlockSize(int *ret_grid, int *ret_block, const void *function,
                                               size_t shared, int limit);
cudaError_t cudaStreamCreate(cudaStream_t *ret);
cudaError_t cudaStreamDestroy(cudaStream_t stream);
cudaError_t cudaStreamSynchronize(cudaStream_t stream);
cudaError_t cudaEventCreate(cudaEvent_t *ret);
cudaError_t cudaEventDestroy(cudaEvent_t event);
cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream);
cudaError_t cudaEventElapsedTime(float *ret, cudaEvent_t start, cudaEvent_t end);
cudaError_t cudaGetDeviceCount(int *ret);
cudaError_t cudaSetDevice(int device);
cudaError_t cudaGetDeviceProperties(struct cudaDeviceProp *ret, int device);
cudaError_t cudaDeviceGetAttribute(int *ret, enum cudaDeviceAttr attribute, int device);
cudaError_t cudaDeviceSynchronize(void);
cudaError_t cudaDeviceReset(void);

/* scale(float *x, int n): x[i] *= by for i < n. follow(void **list): **list = 7. */
static const char ptx[] =
    ".version 7.5\n.target sm_80\n.address_size 64\n"
    ".const .align 4 .f32 by = 0f40000000;\n"
    ".global .align 4 .u32 total;\n"
    ".visible .entry scale(.param .u64 x, .param .u32 n)\n{\n"
    ".reg .pred %p<2>;\n.reg .b32 %r<6>;\n.reg .f32 %f<4>;\n.reg .b64 %rd<6>;\n"
    "ld.param.u64 %rd1, [x];\nld.param.u32 %r1, [n];\n"
    "mov.u32 %r2, %ctaid.x;\nmov.u32 %r3, %ntid.x;\nmov.u32 %r4, %tid.x;\n"
    "mad.lo.s32 %r5, %r2, %r3, %r4;\nsetp.ge.s32 %p1, %r5, %r1;\n@%p1 bra DONE;\n"
    "mul.wide.s32 %rd2, %r5, 4;\nadd.s64 %rd3, %rd1, %rd2;\n"
    "ld.global.f32 %f1, [%rd3];\nld.const.f32 %f2, [by];\nmul.f32 %f3, %f1, %f2;\n"
    "st.global.f32 [%rd3], %f3;\nmov.u64 %rd4, total;\nred.global.add.u32 [%rd4], 1;\n"
    "DONE:\nret;\n}\n"
    ".visible .entry follow(.param .u64 list)\n{\n.reg .b32 %r<2>;\n.reg .b64 %rd<4>;\n"
    "ld.param.u64 %rd1, [list];\nld.global.u64 %rd2, [%rd1];\nmov.u32 %r1, 7;\n"
    "st.global.u32 [%rd2], %r1;\nret;\n}\n";

static const struct {
    int magic, version;
    const void *data;
    void *unused;
} wrapper = {0x466243b1, 1, ptx, NULL};

enum { COUNT = 100 };
static char scale, follow, by, total; /* what the host has for them */

static void set_up(void)
{
    void **handle = __cudaRegisterFatBinary(&wrapper);
    __cudaRegisterFunction(handle, &scale, "scale", "scale", -1, NULL, NULL, NULL, NULL, NULL);
    __cudaRegisterFunction(handle, &follow, "follow", "follow", -1, NULL, NULL, NULL, NULL, NULL);
    __cudaRegisterVar(handle, &by, "by", "by", 0, 4, 1, 0);
    __cudaRegisterVar(handle, &total, "total", "total", 0, 4, 0, 0);
}

static void tear_down(void)
{
    cudaDeviceReset();
}

static cudaError_t launch(float *x, int n, unsigned blocks)
{
    const Dim3 grid = {blocks, 1, 1}, block = {32, 1, 1};
    void *arguments[] = {&x, &n};
    return cudaLaunchKernel(&scale, grid, block, arguments, 0, NULL);
}

#define IS(call, error) ck_assert_str_eq(cudaGetErrorName(call), #error)
#define OK(call)        IS(call, cudaSuccess)

START_TEST(values_come_and_go)
{
    float x[COUNT], *device;
    const float three = 3;
    int count = 0;
    size_t size;
    for (int i = 0; i < COUNT; i++)
        x[i] = (float)i;
    OK(cudaMalloc((void **)&device, sizeof x));
    OK(cudaMemcpy(device, x, sizeof x, cudaMemcpyHostToDevice));
    OK(launch(device, COUNT, 4));
    OK(cudaMemcpyToSymbol(&by, &three, sizeof three, 0, cudaMemcpyHostToDevice));
    OK(launch(device, 50, 4));
    OK(cudaDeviceSynchronize());
    OK(cudaMemcpy(x, device, sizeof x, cudaMemcpyDefault));
    ck_assert_float_eq(x[10], 60);
    ck_assert_float_eq(x[50], 100);
    OK(cudaMemcpyFromSymbol(&count, &total, sizeof count, 0, cudaMemcpyDeviceToHost));
    ck_assert_int_eq(count, COUNT + 50);
    OK(cudaGetSymbolSize(&size, &total));
    ck_assert_uint_eq(size, 4);
    void *address;
    OK(cudaGetSymbolAddress(&address, &total));
    OK(cudaGetSymbolAddress(&address, &total));
    OK(cudaMemset(address, 0, size));
    OK(launch(device, 3, 4));
    OK(cudaMemcpy(&count, address, size, cudaMemcpyDeviceToHost));
    ck_assert_int_eq(count, 3);
    IS(cudaMemcpy(&count, address, size + 1, cudaMemcpyDeviceToHost), cudaErrorInvalidValue);
    IS(cudaFree(address), cudaErrorInvalidValue);
    OK(cudaMemset(device, 0, 4));
    OK(cudaMemcpy(x, device, 8, cudaMemcpyDeviceToHost));
    ck_assert_float_eq(x[0], 0);
    ck_assert_float_eq(x[1], 18);
    OK(cudaFree(device));
    OK(cudaFree(NULL));
    IS(cudaFree(device), cudaErrorInvalidValue);
}
END_TEST

/* Host and device see managed, pinned and registered memory at one address, pointers in it too. */
START_TEST(one_address_for_both_sides)
{
    int *registered = malloc(64 * sizeof *registered);
    int *managed, *pinned, **list;
    void *arguments[] = {&list};
    const Dim3 one = {1, 1, 1};
    OK(cudaMallocManaged((void **)&managed, sizeof *managed, cudaMemAttachGlobal));
    OK(cudaMallocManaged((void **)&list, sizeof *list, cudaMemAttachGlobal));
    OK(cudaMallocHost((void **)&pinned, sizeof *pinned));
    OK(cudaHostRegister(registered, 64 * sizeof *registered, cudaHostRegisterDefault));
    int *const targets[] = {managed, pinned, registered + 3};
    for (int i = 0; i < 3; i++) {
        *targets[i] = 1;
        *list = targets[i];
        OK(cudaLaunchKernel(&follow, one, one, arguments, 0, NULL));
        OK(cudaDeviceSynchronize());
        ck_assert_int_eq(*targets[i], 7);
    }
    void *same;
    OK(cudaHostGetDevicePointer(&same, pinned, 0));
    ck_assert_ptr_eq(same, pinned);
    OK(cudaHostUnregister(registered));
    IS(cudaHostUnregister(registered), cudaErrorInvalidValue);
    free(registered);
    IS(cudaFree(pinned), cudaErrorInvalidValue);
    OK(cudaFreeHost(pinned));
    OK(cudaFree(managed));
    OK(cudaFree(list));
}
END_TEST

START_TEST(rows_with_a_pitch)
{
    char rows[3][5], *device;
    size_t pitch;
    memset(rows, 'x', sizeof rows);
    OK(cudaMallocPitch((void **)&device, &pitch, 5, 3));
    ck_assert_uint_eq(pitch, 512);
    OK(cudaMemset(device, 'a', 3 * pitch));
    OK(cudaMemcpy2D(device + pitch, pitch, "12345", 5, 5, 1, cudaMemcpyHostToDevice));
    OK(cudaMemcpy2D(rows, 5, device, pitch, 5, 3, cudaMemcpyDeviceToHost));
    ck_assert_mem_eq(rows, "aaaaa12345aaaaa", 15);
    IS(cudaMemcpy2D(rows, 4, device, pitch, 5, 3, cudaMemcpyDeviceToHost),
       cudaErrorInvalidPitchValue);
    OK(cudaFree(device));
}
END_TEST

START_TEST(bad_calls)
{
    float x[COUNT], *device;
    size_t huge = (size_t)1 << 50;
    OK(cudaMalloc((void **)&device, sizeof x));
    IS(cudaMalloc((void **)&device, huge), cudaErrorMemoryAllocation);
    IS(cudaGetLastError(), cudaErrorMemoryAllocation);
    IS(cudaGetLastError(), cudaSuccess);
    OK(cudaMalloc((void **)&device, sizeof x));
    IS(cudaMemcpy(device, x, sizeof x + 1, cudaMemcpyHostToDevice), cudaErrorInvalidValue);
    IS(cudaMemcpy(x, device, sizeof x, cudaMemcpyHostToDevice), cudaErrorInvalidValue);
    IS(cudaMemcpy(x, x, sizeof x, cudaMemcpyDeviceToHost), cudaErrorInvalidValue);
    IS(cudaMemcpy(x, NULL, sizeof x, cudaMemcpyDeviceToHost), cudaErrorInvalidValue);
    IS(cudaMemcpy(x, device, 1, (enum cudaMemcpyKind)9), cudaErrorInvalidMemcpyDirection);
    IS(cudaMemset(x, 0, 4), cudaErrorInvalidValue);
    IS(cudaMemcpyToSymbol(x, x, 4, 0, cudaMemcpyHostToDevice), cudaErrorInvalidSymbol);
    IS(cudaMemcpyToSymbol(&by, x, 5, 0, cudaMemcpyHostToDevice), cudaErrorInvalidValue);
    IS(cudaSetDevice(1), cudaErrorInvalidDevice);
    IS(launch(device, COUNT, 0), cudaErrorInvalidConfiguration);
    const Dim3 grid = {1, 1, 1}, large = {1025, 1, 1};
    int n = 0;
    void *arguments[] = {&device, &n};
    IS(cudaLaunchKernel(&scale, grid, large, arguments, 0, NULL), cudaErrorInvalidConfiguration);
    IS(cudaLaunchKernel(&scale, grid, grid, arguments, 1 << 20, NULL), cudaErrorInvalidValue);
    IS(cudaLaunchKernel(x, grid, grid, arguments, 0, NULL), cudaErrorInvalidDeviceFunction);
    IS(cudaPeekAtLastError(), cudaErrorInvalidDeviceFunction);
    ck_assert_str_eq(cudaGetErrorString(cudaErrorIllegalAddress),
                     "an illegal memory access was encountered");
    ck_assert_str_eq(cudaGetErrorName((cudaError_t)12345), "unrecognized error code");
    ck_assert_str_eq(cudaGetErrorName((cudaError_t)704), "cudaErrorPeerAccessAlreadyEnabled");
    ck_assert_str_eq(cudaGetErrorString((cudaError_t)704), "peer access is already enabled");
    OK(cudaGetLastError() == cudaErrorInvalidDeviceFunction ? cudaSuccess : cudaErrorUnknown);
    OK(launch(device, COUNT, 4));
}
END_TEST

/* As on a GPU: the launch is fine, the next call that waits is not, and from there on no other. */
START_TEST(faults_are_told_late_and_stick)
{
    float *device;
    int count;
    OK(cudaMalloc((void **)&device, COUNT * sizeof *device));
    OK(launch(device, COUNT + 1, 4));
    OK(cudaGetLastError());
    IS(cudaDeviceSynchronize(), cudaErrorIllegalAddress);
    IS(cudaGetLastError(), cudaErrorIllegalAddress);
    IS(cudaGetLastError(), cudaErrorIllegalAddress);
    IS(launch(device, COUNT, 4), cudaErrorIllegalAddress);
    IS(cudaMemset(device, 0, 4), cudaErrorIllegalAddress);
    OK(cudaDeviceReset());
    OK(cudaGetDeviceCount(&count));
    ck_assert_int_eq(count, 1);
    IS(cudaMemset(device, 0, 4), cudaErrorInvalidValue);
    OK(cudaMalloc((void **)&device, COUNT * sizeof *device));
    float *odd = (float *)(void *)((char *)(void *)device + 2);
    OK(launch(odd, 1, 1));
    IS(cudaDeviceSynchronize(), cudaErrorMisalignedAddress);
}
END_TEST

START_TEST(streams_and_events)
{
    cudaStream_t stream;
    cudaEvent_t start, middle, end;
    float *device, first, second, both;
    OK(cudaMalloc((void **)&device, COUNT * sizeof *device));
    OK(cudaStreamCreate(&stream));
    OK(cudaEventCreate(&start));
    OK(cudaEventCreate(&middle));
    OK(cudaEventCreate(&end));
    IS(cudaEventElapsedTime(&first, start, end), cudaErrorInvalidResourceHandle);
    OK(cudaEventRecord(start, stream));
    OK(launch(device, COUNT, 4));
    OK(cudaEventRecord(middle, NULL));
    OK(launch(device, COUNT, 4));
    OK(cudaEventRecord(end, stream));
    OK(cudaEventElapsedTime(&first, start, middle));
    OK(cudaEventElapsedTime(&second, middle, end));
    OK(cudaEventElapsedTime(&both, start, end));
    ck_assert(first > 0);
    ck_assert_float_eq_tol(first, second, 1e-9f);
    ck_assert_float_eq_tol(first + second, both, 1e-9f);
    OK(cudaStreamSynchronize(stream));
    OK(cudaStreamDestroy(stream));
    OK(cudaEventDestroy(start));
    OK(cudaEventDestroy(middle));
    OK(cudaEventDestroy(end));
    IS(cudaEventRecord(NULL, NULL), cudaErrorInvalidResourceHandle);
}
END_TEST

START_TEST(the_device_is_the_simulated_one)
{
    struct cudaDeviceProp properties;
    struct cudaFuncAttributes attributes;
    int value, grid, block;
    OK(cudaGetDeviceProperties(&properties, 0));
    ck_assert_str_eq(properties.name, "NVIDIA H200");
    ck_assert_int_eq(properties.multiProcessorCount, 132);
    ck_assert_int_eq(properties.major, 9);
    ck_assert_int_eq(properties.maxThreadsPerMultiProcessor, 2048);
    OK(cudaDeviceGetAttribute(&value, cudaDevAttrWarpSize, 0));
    ck_assert_int_eq(value, 32);
    IS(cudaDeviceGetAttribute(&value, (enum cudaDeviceAttr)99999, 0), cudaErrorInvalidValue);
    OK(cudaDeviceGetAttribute(&value, cudaDevAttrMaxTexture2DLinearPitch, 0));
    ck_assert_int_eq(value, 2097120);
    ck_assert_int_eq(properties.maxTexture2DLinear[2], value);
    ck_assert_int_eq(properties.maxSurface2DLayered[2], 2048);
    ck_assert_int_eq((int)properties.surfaceAlignment, 512);
    IS(cudaGetDeviceProperties(&properties, 1), cudaErrorInvalidDevice);
    OK(cudaFuncGetAttributes(&attributes, &scale));
    ck_assert_int_gt(attributes.numRegs, 0);
    OK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&value, &scale, 512, 0));
    ck_assert_int_eq(value, 4);
    OK(cudaOccupancyMaxPotentialBlockSize(&grid, &block, &scale, 0, 0));
    ck_assert_int_eq(block, 1024);
    ck_assert_int_eq(grid, 264);
    OK(cudaOccupancyMaxPotentialBlockSize(&grid, &block, &scale, 0, 100)); /* 21 of 96, 32 of 64 */
    ck_assert_int_eq(block, 64);
    size_t bytes;
    OK(cudaDeviceGetLimit(&bytes, cudaLimitStackSize));
    ck_assert_uint_eq(bytes, 1024);
    OK(cudaDeviceSetLimit(cudaLimitStackSize, 4096));
    OK(cudaDeviceGetLimit(&bytes, cudaLimitStackSize));
    ck_assert_uint_eq(bytes, 4096);
    IS(cudaDeviceSetLimit((enum cudaLimit)77, 1), cudaErrorInvalidValue);
    const Dim3 many = {132 * 32 + 1, 1, 1}, threads = {64, 1, 1};
    float *device = NULL;
    int none = 0;
    void *arguments[] = {&device, &none};
    IS(cudaLaunchCooperativeKernel(&scale, many, threads, arguments, 0, NULL),
       cudaErrorCooperativeLaunchTooLarge);
    OK(cudaLaunchCooperativeKernel(&scale, threads, threads, arguments, 0, NULL));
}
END_TEST

/* Arguments of a launch may launch as well. */
START_TEST(configurations_nest)
{
    Dim3 grid = {1, 2, 3}, block = {4, 5, 6};
    size_t shared;
    void *stream;
    ck_assert_uint_eq(__cudaPushCallConfiguration(grid, block, 7, &scale), 0);
    ck_assert_uint_eq(__cudaPushCallConfiguration(block, grid, 8, NULL), 0);
    OK(__cudaPopCallConfiguration(&grid, &block, &shared, (void *)&stream));
    ck_assert_uint_eq(shared, 8);
    OK(__cudaPopCallConfiguration(&grid, &block, &shared, (void *)&stream));
    ck_assert_uint_eq(shared, 7);
    ck_assert_ptr_eq(stream, &scale);
    ck_assert_uint_eq(grid.z, 3);
    ck_assert_uint_eq(block.z, 6);
    IS(__cudaPopCallConfiguration(&grid, &block, &shared, (void *)&stream),
       cudaErrorMissingConfiguration);
}
END_TEST

/* The sanitizer would end the process with a code of its own. */
const char *__asan_default_options(void);
const char *__asan_default_options(void)
{
    return "handle_segv=0";
}

/* What cudaMalloc() gives is for kernels: it ends the process, here one of its own. */
START_TEST(the_host_cannot_touch_device_memory)
{
    volatile int *device;
    int status;
    OK(cudaMalloc((void **)&device, 4));
    pid_t child = fork();
    ck_assert_int_ge(child, 0);
    if (child == 0) {
        *device = 1;
        _exit(0);
    }
    ck_assert_int_eq(waitpid(child, &status, 0), child);
    ck_assert(WIFSIGNALED(status) && WTERMSIG(status) == SIGSEGV);
}
END_TEST

static void add_tests(TCase *cases)
{
    tcase_add_checked_fixture(cases, set_up, tear_down);
    tcase_add_test(cases, values_come_and_go);
    tcase_add_test(cases, one_address_for_both_sides);
    tcase_add_test(cases, rows_with_a_pitch);
    tcase_add_test(cases, bad_calls);
    tcase_add_test(cases, faults_are_told_late_and_stick);
    tcase_add_test(cases, streams_and_events);
    tcase_add_test(cases, the_device_is_the_simulated_one);
    tcase_add_test(cases, configurations_nest);
    tcase_add_test(cases, the_host_cannot_touch_device_memory);
}

int main(void)
{
    return run_suite("runtime", add_tests);
}
