/*
 * Pitched memory, CUDA arrays, textures and memory pools: host functions, with the names of the
 * CUDA Runtime API. Good for C, C++ and CUDA; typed forms are C++.
 */
#ifndef WARPSTEP_ARRAY_API_H
#define WARPSTEP_ARRAY_API_H

#include "warpstep/array_types.h"
#include "warpstep/attributes.h"

static inline struct cudaExtent make_cudaExtent(size_t width, size_t height, size_t depth)
{
    struct cudaExtent made = {width, height, depth};
    return made;
}
static inline struct cudaPos make_cudaPos(size_t x, size_t y, size_t z)
{
    struct cudaPos made = {x, y, z};
    return made;
}
static inline struct cudaPitchedPtr make_cudaPitchedPtr(void *pointer, size_t pitch, size_t width,
                                                        size_t height)
{
    struct cudaPitchedPtr made = {pointer, pitch, width, height};
    return made;
}

#ifdef __cplusplus
extern "C" {
#endif
cudaError_t cudaMalloc3D(struct cudaPitchedPtr *pointer, struct cudaExtent extent);
cudaError_t cudaMemset3D(struct cudaPitchedPtr pointer, int value, struct cudaExtent extent);
cudaError_t cudaMemset3DAsync(struct cudaPitchedPtr pointer, int value, struct cudaExtent extent,
                              cudaStream_t __WS_DEFAULT(stream, 0));
cudaError_t cudaMemset2DAsync(void *pointer, size_t pitch, int value, size_t width, size_t height,
                              cudaStream_t __WS_DEFAULT(stream, 0));
cudaError_t cudaMemcpy3D(const struct cudaMemcpy3DParms *parameters);
cudaError_t cudaMemcpy3DAsync(const struct cudaMemcpy3DParms *parameters,
                              cudaStream_t __WS_DEFAULT(stream, 0));
cudaError_t cudaMemcpy2DAsync(void *to, size_t to_pitch, const void *from, size_t from_pitch,
                              size_t width, size_t height, enum cudaMemcpyKind kind,
                              cudaStream_t __WS_DEFAULT(stream, 0));

struct cudaChannelFormatDesc cudaCreateChannelDesc(int x, int y, int z, int w,
                                                   enum cudaChannelFormatKind kind);
cudaError_t cudaGetChannelDesc(struct cudaChannelFormatDesc *format, cudaArray_const_t array);
cudaError_t cudaMallocArray(cudaArray_t *array, const struct cudaChannelFormatDesc *format,
                            size_t width, size_t __WS_DEFAULT(height, 0),
                            unsigned int __WS_DEFAULT(flags, 0));
cudaError_t cudaMalloc3DArray(cudaArray_t *array, const struct cudaChannelFormatDesc *format,
                              struct cudaExtent extent, unsigned int __WS_DEFAULT(flags, 0));
cudaError_t cudaFreeArray(cudaArray_t array);
cudaError_t cudaArrayGetInfo(struct cudaChannelFormatDesc *format, struct cudaExtent *extent,
                             unsigned int *flags, cudaArray_t array);
cudaError_t cudaMemcpy2DToArray(cudaArray_t to, size_t x, size_t y, const void *from, size_t pitch,
                                size_t width, size_t height, enum cudaMemcpyKind kind);
cudaError_t cudaMemcpy2DToArrayAsync(cudaArray_t to, size_t x, size_t y, const void *from,
                                     size_t pitch, size_t width, size_t height,
                                     enum cudaMemcpyKind kind,
                                     cudaStream_t __WS_DEFAULT(stream, 0));
cudaError_t cudaMemcpy2DFromArray(void *to, size_t pitch, cudaArray_const_t from, size_t x,
                                  size_t y, size_t width, size_t height, enum cudaMemcpyKind kind);
cudaError_t cudaMemcpy2DFromArrayAsync(void *to, size_t pitch, cudaArray_const_t from, size_t x,
                                       size_t y, size_t width, size_t height,
                                       enum cudaMemcpyKind kind,
                                       cudaStream_t __WS_DEFAULT(stream, 0));
cudaError_t
cudaMemcpy2DArrayToArray(cudaArray_t to, size_t to_x, size_t to_y, cudaArray_const_t from,
                         size_t from_x, size_t from_y, size_t width, size_t height,
                         enum cudaMemcpyKind __WS_DEFAULT(kind, cudaMemcpyDeviceToDevice));
cudaError_t cudaMemcpyToArray(cudaArray_t to, size_t x, size_t y, const void *from, size_t count,
                              enum cudaMemcpyKind kind);
cudaError_t cudaMemcpyToArrayAsync(cudaArray_t to, size_t x, size_t y, const void *from,
                                   size_t count, enum cudaMemcpyKind kind,
                                   cudaStream_t __WS_DEFAULT(stream, 0));
cudaError_t cudaMemcpyFromArray(void *to, cudaArray_const_t from, size_t x, size_t y, size_t count,
                                enum cudaMemcpyKind kind);
cudaError_t cudaMemcpyFromArrayAsync(void *to, cudaArray_const_t from, size_t x, size_t y,
                                     size_t count, enum cudaMemcpyKind kind,
                                     cudaStream_t __WS_DEFAULT(stream, 0));

cudaError_t cudaCreateTextureObject(cudaTextureObject_t *texture,
                                    const struct cudaResourceDesc *resource,
                                    const struct cudaTextureDesc *sampling,
                                    const struct cudaResourceViewDesc *view);
cudaError_t cudaDestroyTextureObject(cudaTextureObject_t texture);
cudaError_t cudaGetTextureObjectResourceDesc(struct cudaResourceDesc *resource,
                                             cudaTextureObject_t texture);
cudaError_t cudaGetTextureObjectTextureDesc(struct cudaTextureDesc *sampling,
                                            cudaTextureObject_t texture);

cudaError_t cudaCreateSurfaceObject(cudaSurfaceObject_t *surface,
                                    const struct cudaResourceDesc *resource);
cudaError_t cudaDestroySurfaceObject(cudaSurfaceObject_t surface);

cudaError_t cudaDeviceGetDefaultMemPool(cudaMemPool_t *pool, int device);
cudaError_t cudaDeviceGetMemPool(cudaMemPool_t *pool, int device);
cudaError_t cudaDeviceSetMemPool(int device, cudaMemPool_t pool);
cudaError_t cudaMemPoolCreate(cudaMemPool_t *pool, const struct cudaMemPoolProps *properties);
cudaError_t cudaMemPoolDestroy(cudaMemPool_t pool);
cudaError_t cudaMemPoolTrimTo(cudaMemPool_t pool, size_t keep);
cudaError_t cudaMemPoolSetAttribute(cudaMemPool_t pool, enum cudaMemPoolAttr attribute,
                                    void *value);
cudaError_t cudaMemPoolGetAttribute(cudaMemPool_t pool, enum cudaMemPoolAttr attribute,
                                    void *value);
cudaError_t cudaMemPoolSetAccess(cudaMemPool_t pool, const struct cudaMemAccessDesc *accesses,
                                 size_t count);
cudaError_t cudaMemPoolGetAccess(enum cudaMemAccessFlags *flags, cudaMemPool_t pool,
                                 struct cudaMemLocation *location);
cudaError_t cudaMallocFromPoolAsync(void **pointer, size_t size, cudaMemPool_t pool,
                                    cudaStream_t stream);
#ifdef __cplusplus
}
#endif

#ifdef __cplusplus
/* cudaCreateChannelDesc<float4>() */
template <typename T> struct __ws_channel;
#define __WS_CHANNEL(type, channels, bits, kind)                                                   \
    template <> struct __ws_channel<type> {                                                        \
        static cudaChannelFormatDesc format()                                                      \
        {                                                                                          \
            cudaChannelFormatDesc made = {bits, channels > 1 ? bits : 0, channels > 2 ? bits : 0,  \
                                          channels > 3 ? bits : 0, cudaChannelFormatKind##kind};   \
            return made;                                                                           \
        }                                                                                          \
    };
#define __WS_CHANNELS(one, name, bits, kind)                                                       \
    __WS_CHANNEL(one, 1, bits, kind)                                                               \
    __WS_CHANNEL(name##1, 1, bits, kind)                                                           \
    __WS_CHANNEL(name##2, 2, bits, kind)                                                           \
    __WS_CHANNEL(name##4, 4, bits, kind)
__WS_CHANNELS(signed char, char, 8, Signed)
__WS_CHANNEL(char, 1, 8, Signed)
__WS_CHANNELS(unsigned char, uchar, 8, Unsigned)
__WS_CHANNELS(short, short, 16, Signed)
__WS_CHANNELS(unsigned short, ushort, 16, Unsigned)
__WS_CHANNELS(int, int, 32, Signed)
__WS_CHANNELS(unsigned int, uint, 32, Unsigned)
__WS_CHANNELS(float, float, 32, Float)
#undef __WS_CHANNELS
#undef __WS_CHANNEL

template <typename T> static inline cudaChannelFormatDesc cudaCreateChannelDesc()
{
    return __ws_channel<T>::format();
}
/* Of 16 bits, for cuda_fp16.h's types, which are not known here. */
static inline cudaChannelFormatDesc cudaCreateChannelDescHalf()
{
    cudaChannelFormatDesc made = {16, 0, 0, 0, cudaChannelFormatKindFloat};
    return made;
}
static inline cudaChannelFormatDesc cudaCreateChannelDescHalf1()
{
    return cudaCreateChannelDescHalf();
}
static inline cudaChannelFormatDesc cudaCreateChannelDescHalf2()
{
    cudaChannelFormatDesc made = {16, 16, 0, 0, cudaChannelFormatKindFloat};
    return made;
}
static inline cudaChannelFormatDesc cudaCreateChannelDescHalf4()
{
    cudaChannelFormatDesc made = {16, 16, 16, 16, cudaChannelFormatKindFloat};
    return made;
}

template <typename T>
static inline cudaError_t cudaMallocAsync(T **pointer, size_t size, cudaStream_t stream)
{
    return cudaMallocAsync((void **)pointer, size, stream);
}
template <typename T>
static inline cudaError_t cudaMallocAsync(T **pointer, size_t size, cudaMemPool_t pool,
                                          cudaStream_t stream)
{
    return cudaMallocFromPoolAsync((void **)pointer, size, pool, stream);
}
template <typename T>
static inline cudaError_t cudaMallocFromPoolAsync(T **pointer, size_t size, cudaMemPool_t pool,
                                                  cudaStream_t stream)
{
    return cudaMallocFromPoolAsync((void **)pointer, size, pool, stream);
}

#endif

#endif
