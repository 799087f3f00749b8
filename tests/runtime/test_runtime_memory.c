/* The CUDA runtime's pitched memory, arrays and memory pools, as programs call them. */
#include "isa/cuda/include/warpstep/array_types.h"
#include "tests/support/suite.h"

#include <stdint.h>
#include <string.h>

const char *cudaGetErrorName(cudaError_t error);
cudaError_t cudaMalloc(void **ret, size_t size);
cudaError_t cudaFree(void *pointer);
cudaError_t cudaMemset(void *pointer, int value, size_t count);
cudaError_t cudaMemset2DAsync(void *pointer, size_t pitch, int value, size_t width, size_t height,
                              cudaStream_t stream);
cudaError_t cudaMalloc3D(struct cudaPitchedPtr *ret, struct cudaExtent extent);
cudaError_t cudaMemset3D(struct cudaPitchedPtr pointer, int value, struct cudaExtent extent);
cudaError_t cudaMemcpy3D(const struct cudaMemcpy3DParms *parameters);
struct cudaChannelFormatDesc cudaCreateChannelDesc(int x, int y, int z, int w,
                                                   enum cudaChannelFormatKind kind);
cudaError_t cudaMallocArray(cudaArray_t *ret, const struct cudaChannelFormatDesc *format,
                            size_t width, size_t height, unsigned int flags);
cudaError_t cudaMalloc3DArray(cudaArray_t *ret, const struct cudaChannelFormatDesc *format,
                              struct cudaExtent extent, unsigned int flags);
cudaError_t cudaFreeArray(cudaArray_t array);
cudaError_t cudaArrayGetInfo(struct cudaChannelFormatDesc *format, struct cudaExtent *extent,
                             unsigned int *flags, cudaArray_t array);
cudaError_t cudaMemcpy2DToArray(cudaArray_t to, size_t x, size_t y, const void *from, size_t pitch,
                                size_t width, size_t height, enum cudaMemcpyKind kind);
cudaError_t cudaMemcpy2DFromArray(void *to, size_t pitch, cudaArray_const_t from, size_t x,
                                  size_t y, size_t width, size_t height, enum cudaMemcpyKind kind);
cudaError_t cudaMemcpy2DArrayToArray(cudaArray_t to, size_t to_x, size_t to_y,
                                     cudaArray_const_t from, size_t from_x, size_t from_y,
                                     size_t width, size_t height, enum cudaMemcpyKind kind);
cudaError_t cudaMemcpyToArray(cudaArray_t to, size_t x, size_t y, const void *from, size_t count,
                              enum cudaMemcpyKind kind);
cudaError_t cudaMemcpyFromArray(void *to, cudaArray_const_t from, size_t x, size_t y, size_t count,
                                enum cudaMemcpyKind kind);
cudaError_t cudaCreateTextureObject(cudaTextureObject_t *ret,
                                    const struct cudaResourceDesc *resource,
                                    const struct cudaTextureDesc *sampling,
                                    const struct cudaResourceViewDesc *view);
cudaError_t cudaDestroyTextureObject(cudaTextureObject_t texture);
cudaError_t cudaGetTextureObjectResourceDesc(struct cudaResourceDesc *ret,
                                             cudaTextureObject_t texture);
cudaError_t cudaGetTextureObjectTextureDesc(struct cudaTextureDesc *ret,
                                            cudaTextureObject_t texture);
cudaError_t cudaDeviceGetDefaultMemPool(cudaMemPool_t *ret, int device);
cudaError_t cudaDeviceGetMemPool(cudaMemPool_t *ret, int device);
cudaError_t cudaDeviceSetMemPool(int device, cudaMemPool_t pool);
cudaError_t cudaMemPoolCreate(cudaMemPool_t *ret, const struct cudaMemPoolProps *properties);
cudaError_t cudaMemPoolDestroy(cudaMemPool_t pool);
cudaError_t cudaMemPoolSetAttribute(cudaMemPool_t pool, enum cudaMemPoolAttr attribute,
                                    void *value);
cudaError_t cudaMemPoolGetAttribute(cudaMemPool_t pool, enum cudaMemPoolAttr attribute,
                                    void *value);
cudaError_t cudaMemPoolSetAccess(cudaMemPool_t pool, const struct cudaMemAccessDesc *accesses,
                                 size_t count);
cudaError_t cudaMemPoolGetAccess(enum cudaMemAccessFlags *ret, cudaMemPool_t pool,
                                 struct cudaMemLocation *location);
cudaError_t cudaMallocFromPoolAsync(void **ret, size_t size, cudaMemPool_t pool,
                                    cudaStream_t stream);

#define IS(call, error) ck_assert_str_eq(cudaGetErrorName(call), #error)
#define OK(call)        IS(call, cudaSuccess)

enum { WIDTH = 5, HEIGHT = 3, DEPTH = 2, BYTES = WIDTH * HEIGHT * DEPTH };

/* A box inside a box, each with a pitch and rows of its own. */
START_TEST(slices_with_a_pitch)
{
    char box[BYTES + 1] = "", back[BYTES + 1] = "";
    const struct cudaExtent whole = {WIDTH, HEIGHT, DEPTH};
    struct cudaPitchedPtr device;
    OK(cudaMalloc3D(&device, whole));
    ck_assert_uint_eq(device.pitch, 512);
    ck_assert_uint_eq(device.xsize, WIDTH);
    ck_assert_uint_eq(device.ysize, HEIGHT);
    OK(cudaMemset3D(device, '.', whole));
    for (int i = 0; i < BYTES; i++)
        box[i] = (char)('A' + i);
    struct cudaMemcpy3DParms in = {.srcPtr = {box, WIDTH, WIDTH, HEIGHT},
                                   .srcPos = {1, 1, 0},
                                   .dstPtr = device,
                                   .dstPos = {2, 0, 1},
                                   .extent = {3, 2, 1},
                                   .kind = cudaMemcpyHostToDevice};
    OK(cudaMemcpy3D(&in));
    OK(cudaMemset2DAsync((char *)device.ptr + 4, device.pitch, '-', 1, 2, NULL));
    struct cudaMemcpy3DParms out = {.srcPtr = device,
                                    .dstPtr = {back, WIDTH, WIDTH, HEIGHT},
                                    .extent = whole,
                                    .kind = cudaMemcpyDeviceToHost};
    OK(cudaMemcpy3D(&out));
    ck_assert_str_eq(back, "....-....-.......GHI..LMN.....");
    in.extent.width = 5; /* from x = 1 on, of rows of 5 */
    IS(cudaMemcpy3D(&in), cudaErrorInvalidPitchValue);
    in.extent = (struct cudaExtent){3, 3, 2}; /* from y = 1 on, of slices of 3 */
    IS(cudaMemcpy3D(&in), cudaErrorInvalidValue);
    out.extent.depth = 200; /* behind the allocation */
    IS(cudaMemcpy3D(&out), cudaErrorInvalidValue);
    out.extent.depth = 0;
    OK(cudaMemcpy3D(&out));
    out.srcPtr.ptr = NULL;
    IS(cudaMemcpy3D(&out), cudaErrorInvalidValue);
    IS(cudaMalloc3D(&device, (struct cudaExtent){1, (size_t)1 << 40, 1 << 30}),
       cudaErrorMemoryAllocation);
    OK(cudaFree(device.ptr));
}
END_TEST

START_TEST(arrays_in_planes)
{
    const struct cudaChannelFormatDesc pairs =
        cudaCreateChannelDesc(8, 8, 0, 0, cudaChannelFormatKindUnsigned);
    struct cudaChannelFormatDesc format;
    struct cudaExtent extent;
    unsigned flags;
    char back[13] = "";
    cudaArray_t array, other;
    OK(cudaMallocArray(&array, &pairs, 3, 2, cudaArraySurfaceLoadStore)); /* 6 bytes a row */
    OK(cudaArrayGetInfo(&format, &extent, &flags, array));
    ck_assert_mem_eq(&format, &pairs, sizeof pairs);
    ck_assert(extent.width == 3 && extent.height == 2 && extent.depth == 0);
    ck_assert_uint_eq(flags, cudaArraySurfaceLoadStore);
    OK(cudaMemcpyToArray(array, 0, 0, "abcdefghijkl", 12, cudaMemcpyHostToDevice));
    OK(cudaMemcpy2DToArray(array, 2, 0, "12..34", 4, 2, 2, cudaMemcpyHostToDevice));
    OK(cudaMemcpyFromArray(back, array, 0, 0, 12, cudaMemcpyDeviceToHost));
    ck_assert_str_eq(back, "ab12efgh34kl");
    OK(cudaMallocArray(&other, &pairs, 2, 0, 0));
    OK(cudaMemcpy2DArrayToArray(other, 0, 0, array, 2, 1, 4, 1, cudaMemcpyDeviceToDevice));
    OK(cudaMemcpy2DFromArray(back, 4, other, 0, 0, 4, 1, cudaMemcpyDeviceToHost));
    ck_assert_mem_eq(back, "34kl", 4);
    IS(cudaMemcpyToArray(array, 1, 1, back, 6, cudaMemcpyHostToDevice), cudaErrorInvalidValue);
    IS(cudaMemcpy2DToArray(array, 0, 1, back, 6, 6, 2, cudaMemcpyHostToDevice),
       cudaErrorInvalidValue);
    IS(cudaMemcpy2DToArray(array, 1, 0, back, 6, 6, 1, cudaMemcpyHostToDevice),
       cudaErrorInvalidValue);
    IS(cudaMemcpy2DToArray(array, 0, 0, back, 5, 6, 2, cudaMemcpyHostToDevice),
       cudaErrorInvalidPitchValue);
    IS(cudaMemcpy2DToArray(NULL, 0, 0, back, 6, 6, 2, cudaMemcpyHostToDevice),
       cudaErrorInvalidResourceHandle);
    OK(cudaFreeArray(array));
    OK(cudaFreeArray(other));
    OK(cudaFreeArray(NULL));
}
END_TEST

START_TEST(arrays_in_volumes)
{
    const struct cudaChannelFormatDesc words =
        cudaCreateChannelDesc(32, 0, 0, 0, cudaChannelFormatKindSigned);
    const struct cudaChannelFormatDesc bytes =
        cudaCreateChannelDesc(8, 0, 0, 0, cudaChannelFormatKindSigned);
    int box[2][2][3], back[2] = {0};
    cudaArray_t array, narrow;
    for (int i = 0; i < 12; i++)
        (&box[0][0][0])[i] = i;
    OK(cudaMalloc3DArray(&array, &words, (struct cudaExtent){4, 3, 2}, cudaArrayLayered));
    struct cudaMemcpy3DParms in = {.srcPtr = {box, sizeof box[0][0], 3, 2},
                                   .dstArray = array,
                                   .dstPos = {1, 1, 0},
                                   .extent = {3, 2, 2}, /* elements, as there is an array */
                                   .kind = cudaMemcpyHostToDevice};
    OK(cudaMemcpy3D(&in));
    struct cudaMemcpy3DParms out = {.srcArray = array,
                                    .srcPos = {2, 2, 1},
                                    .dstPtr = {back, sizeof back, 2, 1},
                                    .extent = {2, 1, 1},
                                    .kind = cudaMemcpyDeviceToHost};
    OK(cudaMemcpy3D(&out));
    ck_assert_int_eq(back[0], box[1][1][1]);
    ck_assert_int_eq(back[1], box[1][1][2]);
    in.dstPos.x = 2;
    IS(cudaMemcpy3D(&in), cudaErrorInvalidValue);
    in.dstPos = (struct cudaPos){1, 2, 0};
    IS(cudaMemcpy3D(&in), cudaErrorInvalidValue);
    in.dstPos = (struct cudaPos){1, 1, 1};
    IS(cudaMemcpy3D(&in), cudaErrorInvalidValue);
    in.dstPtr = in.srcPtr;
    IS(cudaMemcpy3D(&in), cudaErrorInvalidValue);
    OK(cudaMallocArray(&narrow, &bytes, 4, 3, 0));
    struct cudaMemcpy3DParms between = {.srcArray = array,
                                        .dstArray = narrow,
                                        .extent = {1, 1, 1},
                                        .kind = cudaMemcpyDeviceToDevice};
    IS(cudaMemcpy3D(&between), cudaErrorInvalidValue);
    OK(cudaFreeArray(narrow));
    OK(cudaFreeArray(array));
}
END_TEST

START_TEST(arrays_that_cannot_be)
{
    cudaArray_t array;
    struct cudaChannelFormatDesc format =
        cudaCreateChannelDesc(8, 8, 8, 0, cudaChannelFormatKindUnsigned);
    IS(cudaMallocArray(&array, &format, 4, 4, 0), cudaErrorInvalidChannelDescriptor);
    format = cudaCreateChannelDesc(8, 0, 0, 0, cudaChannelFormatKindFloat);
    IS(cudaMallocArray(&array, &format, 4, 4, 0), cudaErrorInvalidChannelDescriptor);
    format = cudaCreateChannelDesc(16, 0, 0, 0, cudaChannelFormatKindFloat);
    IS(cudaMallocArray(&array, &format, 0, 4, 0), cudaErrorInvalidValue);
    IS(cudaMalloc3DArray(&array, &format, (struct cudaExtent){4, 4, 0}, cudaArrayLayered),
       cudaErrorInvalidValue);
    IS(cudaMalloc3DArray(&array, &format, (struct cudaExtent){4, 4, 5}, cudaArrayCubemap),
       cudaErrorInvalidValue);
    IS(cudaMalloc3DArray(&array, &format, (struct cudaExtent){(size_t)1 << 30, 1 << 30, 5}, 0),
       cudaErrorMemoryAllocation);
    OK(cudaMalloc3DArray(&array, &format, (struct cudaExtent){4, 4, 6}, cudaArrayCubemap));
    OK(cudaFreeArray(array));
}
END_TEST

START_TEST(texture_objects)
{
    struct cudaResourceDesc resource = {.resType = cudaResourceTypeLinear}, found;
    struct cudaTextureDesc sampling = {.filterMode = cudaFilterModeLinear}, found_sampling;
    cudaTextureObject_t texture, other;
    void *memory;
    OK(cudaMalloc(&memory, 4096));
    resource.res.linear.devPtr = memory;
    resource.res.linear.desc = cudaCreateChannelDesc(32, 0, 0, 0, cudaChannelFormatKindSigned);
    resource.res.linear.sizeInBytes = 4096;
    OK(cudaCreateTextureObject(&texture, &resource, &sampling, NULL)); /* it is not filtered */
    OK(cudaGetTextureObjectResourceDesc(&found, texture));
    ck_assert_ptr_eq(found.res.linear.devPtr, memory);
    OK(cudaGetTextureObjectTextureDesc(&found_sampling, texture));
    ck_assert_int_eq(found_sampling.filterMode, cudaFilterModeLinear);
    OK(cudaCreateTextureObject(&other, &resource, &sampling, NULL));
    ck_assert(other != texture);
    OK(cudaDestroyTextureObject(texture));
    IS(cudaDestroyTextureObject(texture), cudaErrorInvalidValue);
    IS(cudaGetTextureObjectResourceDesc(&found, texture), cudaErrorInvalidValue);
    OK(cudaDestroyTextureObject(other));
    sampling.readMode = cudaReadModeNormalizedFloat;
    IS(cudaCreateTextureObject(&texture, &resource, &sampling, NULL), cudaErrorInvalidNormSetting);
    sampling.readMode = cudaReadModeElementType;
    resource.res.linear.sizeInBytes = 4100; /* behind the end */
    IS(cudaCreateTextureObject(&texture, &resource, &sampling, NULL), cudaErrorInvalidValue);
    resource.res.linear.sizeInBytes = 1024;
    resource.res.linear.devPtr = (char *)memory + 4;
    IS(cudaCreateTextureObject(&texture, &resource, &sampling, NULL), cudaErrorInvalidValue);
    const struct cudaChannelFormatDesc ints = resource.res.linear.desc;
    resource.resType = cudaResourceTypePitch2D;
    resource.res.pitch2D.devPtr = memory;
    resource.res.pitch2D.desc = ints;
    resource.res.pitch2D.width = resource.res.pitch2D.height = 8;
    resource.res.pitch2D.pitchInBytes = 512;
    IS(cudaCreateTextureObject(&texture, &resource, &sampling, NULL),
       cudaErrorInvalidFilterSetting);
    sampling.filterMode = cudaFilterModePoint;
    OK(cudaCreateTextureObject(&texture, &resource, &sampling, NULL));
    OK(cudaDestroyTextureObject(texture));
    resource.res.pitch2D.height = 9; /* the ninth row lies behind the end */
    IS(cudaCreateTextureObject(&texture, &resource, &sampling, NULL), cudaErrorInvalidValue);
    resource.res.pitch2D.pitchInBytes = 100;
    IS(cudaCreateTextureObject(&texture, &resource, &sampling, NULL), cudaErrorInvalidValue);
    resource.resType = cudaResourceTypeMipmappedArray;
    IS(cudaCreateTextureObject(&texture, &resource, &sampling, NULL), cudaErrorNotSupported);
    OK(cudaFree(memory));
}
END_TEST

START_TEST(memory_pools)
{
    cudaMemPool_t pool, current;
    uint64_t threshold = 5;
    int reuse = 0;
    void *memory;
    OK(cudaDeviceGetDefaultMemPool(&pool, 0));
    OK(cudaMemPoolGetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &threshold));
    ck_assert_uint_eq(threshold, 0);
    OK(cudaMemPoolGetAttribute(pool, cudaMemPoolReuseAllowOpportunistic, &reuse));
    ck_assert_int_eq(reuse, 1);
    IS(cudaMemPoolGetAttribute(pool, cudaMemPoolAttrUsedMemCurrent, &threshold),
       cudaErrorNotSupported);
    struct cudaMemAccessDesc access = {{cudaMemLocationTypeDevice, 0},
                                       cudaMemAccessFlagsProtReadWrite};
    enum cudaMemAccessFlags flags = cudaMemAccessFlagsProtNone;
    OK(cudaMemPoolSetAccess(pool, &access, 1));
    OK(cudaMemPoolGetAccess(&flags, pool, &access.location));
    ck_assert_int_eq(flags, cudaMemAccessFlagsProtReadWrite);
    access.location.id = 1;
    IS(cudaMemPoolSetAccess(pool, &access, 1), cudaErrorInvalidDevice);
    IS(cudaMemPoolDestroy(pool), cudaErrorInvalidValue);
    const struct cudaMemPoolProps properties = {.allocType = cudaMemAllocationTypePinned,
                                                .location = {cudaMemLocationTypeDevice, 0}};
    OK(cudaMemPoolCreate(&pool, &properties));
    threshold = UINT64_MAX;
    OK(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &threshold));
    threshold = 0;
    OK(cudaMemPoolGetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &threshold));
    ck_assert_uint_eq(threshold, UINT64_MAX);
    OK(cudaDeviceSetMemPool(0, pool));
    OK(cudaDeviceGetMemPool(&current, 0));
    ck_assert_ptr_eq(current, pool);
    OK(cudaMallocFromPoolAsync(&memory, 100, pool, NULL));
    OK(cudaMemset(memory, 0, 100));
    OK(cudaFree(memory));
    OK(cudaMemPoolDestroy(pool));
    OK(cudaDeviceGetMemPool(&current, 0));
    OK(cudaDeviceGetDefaultMemPool(&pool, 0));
    ck_assert_ptr_eq(current, pool);
    IS(cudaMallocFromPoolAsync(&memory, 100, NULL, NULL), cudaErrorInvalidValue);
}
END_TEST

static void add_tests(TCase *cases)
{
    tcase_add_test(cases, slices_with_a_pitch);
    tcase_add_test(cases, arrays_in_planes);
    tcase_add_test(cases, arrays_in_volumes);
    tcase_add_test(cases, arrays_that_cannot_be);
    tcase_add_test(cases, texture_objects);
    tcase_add_test(cases, memory_pools);
}

int main(void)
{
    return run_suite("runtime_memory", add_tests);
}
