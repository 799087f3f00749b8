/*
 * The CUDA runtime's host side: declarations, so that whole programs compile. Names and numbers are
 * those of the CUDA Runtime API. Good for C, C++ and CUDA; typed forms are C++.
 */
#ifndef WARPSTEP_RUNTIME_API_H
#define WARPSTEP_RUNTIME_API_H

#include "warpstep/runtime_types.h"
#include "warpstep/vector_types.h"

#ifdef __cplusplus
extern "C" {
#endif
const char *cudaGetErrorString(cudaError_t error);
const char *cudaGetErrorName(cudaError_t error);
cudaError_t cudaGetLastError(void);
cudaError_t cudaPeekAtLastError(void);

cudaError_t cudaMalloc(void **pointer, size_t size);
cudaError_t cudaMallocHost(void **pointer, size_t size);
cudaError_t cudaMallocManaged(void **pointer, size_t size, unsigned int flags);
cudaError_t cudaMallocPitch(void **pointer, size_t *pitch, size_t width, size_t height);
cudaError_t cudaMallocAsync(void **pointer, size_t size, cudaStream_t stream);
cudaError_t cudaHostAlloc(void **pointer, size_t size, unsigned int flags);
cudaError_t cudaHostGetDevicePointer(void **device, void *host, unsigned int flags);
cudaError_t cudaHostRegister(void *pointer, size_t size, unsigned int flags);
cudaError_t cudaHostUnregister(void *pointer);
cudaError_t cudaFree(void *pointer);
cudaError_t cudaFreeHost(void *pointer);
cudaError_t cudaFreeAsync(void *pointer, cudaStream_t stream);
cudaError_t cudaMemcpy(void *to, const void *from, size_t count, enum cudaMemcpyKind kind);
cudaError_t cudaMemcpyAsync(void *to, const void *from, size_t count, enum cudaMemcpyKind kind,
                            cudaStream_t __WS_DEFAULT(stream, 0));
cudaError_t cudaMemcpy2D(void *to, size_t to_pitch, const void *from, size_t from_pitch,
                         size_t width, size_t height, enum cudaMemcpyKind kind);
cudaError_t cudaMemcpyToSymbol(const void *symbol, const void *from, size_t count,
                               size_t __WS_DEFAULT(offset, 0),
                               enum cudaMemcpyKind __WS_DEFAULT(kind, cudaMemcpyHostToDevice));
cudaError_t cudaMemcpyFromSymbol(void *to, const void *symbol, size_t count,
                                 size_t __WS_DEFAULT(offset, 0),
                                 enum cudaMemcpyKind __WS_DEFAULT(kind, cudaMemcpyDeviceToHost));
cudaError_t cudaMemcpyToSymbolAsync(const void *symbol, const void *from, size_t count,
                                    size_t offset, enum cudaMemcpyKind kind,
                                    cudaStream_t __WS_DEFAULT(stream, 0));
cudaError_t cudaMemcpyFromSymbolAsync(void *to, const void *symbol, size_t count, size_t offset,
                                      enum cudaMemcpyKind kind,
                                      cudaStream_t __WS_DEFAULT(stream, 0));
cudaError_t cudaGetSymbolAddress(void **pointer, const void *symbol);
cudaError_t cudaGetSymbolSize(size_t *size, const void *symbol);
cudaError_t cudaMemset(void *pointer, int value, size_t count);
cudaError_t cudaMemsetAsync(void *pointer, int value, size_t count,
                            cudaStream_t __WS_DEFAULT(stream, 0));
cudaError_t cudaMemset2D(void *pointer, size_t pitch, int value, size_t width, size_t height);
cudaError_t cudaMemGetInfo(size_t *free, size_t *total);
cudaError_t cudaMemPrefetchAsync(const void *pointer, size_t count, int device,
                                 cudaStream_t __WS_DEFAULT(stream, 0));

cudaError_t cudaMemAdvise(const void *pointer, size_t count, enum cudaMemoryAdvise advice,
                          int device);
cudaError_t cudaMemcpyPeer(void *to, int to_device, const void *from, int from_device,
                           size_t count);
cudaError_t cudaMemcpyPeerAsync(void *to, int to_device, const void *from, int from_device,
                                size_t count, cudaStream_t __WS_DEFAULT(stream, 0));
cudaError_t cudaStreamAttachMemAsync(cudaStream_t stream, void *pointer,
                                     size_t __WS_DEFAULT(length, 0),
                                     unsigned int __WS_DEFAULT(flags, cudaMemAttachHost));

cudaError_t cudaDeviceSynchronize(void);
cudaError_t cudaDeviceReset(void);
cudaError_t cudaThreadSynchronize(void);
cudaError_t cudaThreadExit(void);
cudaError_t cudaGetDeviceCount(int *count);
cudaError_t cudaGetDevice(int *device);
cudaError_t cudaSetDevice(int device);
cudaError_t cudaSetDeviceFlags(unsigned int flags);
cudaError_t cudaGetDeviceProperties(struct cudaDeviceProp *properties, int device);
cudaError_t cudaDeviceGetAttribute(int *value, enum cudaDeviceAttr attribute, int device);
cudaError_t cudaDeviceGetP2PAttribute(int *value, enum cudaDeviceP2PAttr attribute, int from,
                                      int to);
cudaError_t cudaDeviceSetCacheConfig(enum cudaFuncCache config);
cudaError_t cudaDeviceSetSharedMemConfig(enum cudaSharedMemConfig config);
cudaError_t cudaDeviceGetCacheConfig(enum cudaFuncCache *config);
cudaError_t cudaDeviceGetSharedMemConfig(enum cudaSharedMemConfig *config);
cudaError_t cudaDeviceGetPCIBusId(char *id, int length, int device);
cudaError_t cudaDeviceSetLimit(enum cudaLimit limit, size_t value);
cudaError_t cudaDeviceGetLimit(size_t *value, enum cudaLimit limit);
cudaError_t cudaDeviceCanAccessPeer(int *can, int device, int peer);
cudaError_t cudaIpcGetMemHandle(cudaIpcMemHandle_t *handle, void *pointer);
cudaError_t cudaIpcOpenMemHandle(void **pointer, cudaIpcMemHandle_t handle, unsigned int flags);
cudaError_t cudaIpcCloseMemHandle(void *pointer);
cudaError_t cudaIpcGetEventHandle(cudaIpcEventHandle_t *handle, cudaEvent_t event);
cudaError_t cudaIpcOpenEventHandle(cudaEvent_t *event, cudaIpcEventHandle_t handle);
cudaError_t cudaDeviceDisablePeerAccess(int peer);
cudaError_t cudaDeviceGetStreamPriorityRange(int *least, int *greatest);
cudaError_t cudaDeviceEnablePeerAccess(int peer, unsigned int flags);
cudaError_t cudaRuntimeGetVersion(int *version);
cudaError_t cudaDriverGetVersion(int *version);

cudaError_t cudaStreamCreate(cudaStream_t *stream);
cudaError_t cudaStreamCreateWithFlags(cudaStream_t *stream, unsigned int flags);
cudaError_t cudaStreamCreateWithPriority(cudaStream_t *stream, unsigned int flags, int priority);
cudaError_t cudaStreamGetPriority(cudaStream_t stream, int *priority);
cudaError_t cudaStreamGetFlags(cudaStream_t stream, unsigned int *flags);
cudaError_t cudaStreamDestroy(cudaStream_t stream);
cudaError_t cudaStreamSynchronize(cudaStream_t stream);
cudaError_t cudaStreamQuery(cudaStream_t stream);
cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event,
                                unsigned int __WS_DEFAULT(flags, 0));
cudaError_t cudaStreamAddCallback(cudaStream_t stream, cudaStreamCallback_t callback, void *data,
                                  unsigned int flags);
cudaError_t cudaEventCreate(cudaEvent_t *event);
cudaError_t cudaEventCreateWithFlags(cudaEvent_t *event, unsigned int flags);
cudaError_t cudaEventDestroy(cudaEvent_t event);
cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t __WS_DEFAULT(stream, 0));
cudaError_t cudaEventSynchronize(cudaEvent_t event);
cudaError_t cudaEventQuery(cudaEvent_t event);
cudaError_t cudaEventElapsedTime(float *milliseconds, cudaEvent_t start, cudaEvent_t end);

cudaError_t cudaFuncSetCacheConfig(const void *function, enum cudaFuncCache config);
cudaError_t cudaFuncSetSharedMemConfig(const void *function, enum cudaSharedMemConfig config);
cudaError_t cudaFuncSetAttribute(const void *function, enum cudaFuncAttribute attribute, int value);
cudaError_t cudaFuncGetAttributes(struct cudaFuncAttributes *attributes, const void *function);
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, const void *function,
                                                          int block_size, size_t dynamic_shared);
cudaError_t cudaOccupancyMaxPotentialBlockSize(int *grid, int *block, const void *function,
                                               size_t dynamic_shared, int limit);
cudaError_t cudaLaunchKernel(const void *function, dim3 grid, dim3 block, void **arguments,
                             size_t shared, cudaStream_t stream);
cudaError_t cudaLaunchCooperativeKernel(const void *function, dim3 grid, dim3 block,
                                        void **arguments, size_t shared, cudaStream_t stream);
cudaError_t cudaProfilerStart(void);
cudaError_t cudaProfilerStop(void);

/* What the compiler calls for kernel<<<grid, block, shared, stream>>>(...). */
unsigned int __cudaPushCallConfiguration(dim3 grid, dim3 block, size_t __WS_DEFAULT(shared, 0),
                                         void *__WS_DEFAULT(stream, 0));
cudaError_t __cudaPopCallConfiguration(dim3 *grid, dim3 *block, size_t *shared, void *stream);
#ifdef __cplusplus
}
#endif

#ifdef __cplusplus
/* The typed forms of C++. */
template <typename T> static inline cudaError_t cudaMalloc(T **pointer, size_t size)
{
    return cudaMalloc((void **)pointer, size);
}
template <typename T> static inline cudaError_t cudaMallocHost(T **pointer, size_t size)
{
    return cudaMallocHost((void **)pointer, size);
}
template <typename T>
static inline cudaError_t cudaMallocHost(T **pointer, size_t size, unsigned int flags)
{
    return cudaHostAlloc((void **)pointer, size, flags);
}
template <typename T>
static inline cudaError_t cudaMallocManaged(T **pointer, size_t size,
                                            unsigned int flags = cudaMemAttachGlobal)
{
    return cudaMallocManaged((void **)pointer, size, flags);
}
template <typename T>
static inline cudaError_t cudaMallocPitch(T **pointer, size_t *pitch, size_t width, size_t height)
{
    return cudaMallocPitch((void **)pointer, pitch, width, height);
}
template <typename T>
static inline cudaError_t cudaHostAlloc(T **pointer, size_t size, unsigned int flags)
{
    return cudaHostAlloc((void **)pointer, size, flags);
}
template <typename T>
static inline cudaError_t cudaHostGetDevicePointer(T **device, void *host, unsigned int flags)
{
    return cudaHostGetDevicePointer((void **)device, host, flags);
}
template <typename T>
static inline cudaError_t cudaMemcpyToSymbol(const T &symbol, const void *from, size_t count,
                                             size_t offset = 0,
                                             cudaMemcpyKind kind = cudaMemcpyHostToDevice)
{
    return cudaMemcpyToSymbol((const void *)&symbol, from, count, offset, kind);
}
template <typename T>
static inline cudaError_t cudaMemcpyFromSymbol(void *to, const T &symbol, size_t count,
                                               size_t offset = 0,
                                               cudaMemcpyKind kind = cudaMemcpyDeviceToHost)
{
    return cudaMemcpyFromSymbol(to, (const void *)&symbol, count, offset, kind);
}
template <typename T>
static inline cudaError_t cudaMemcpyToSymbolAsync(const T &symbol, const void *from, size_t count,
                                                  size_t offset = 0,
                                                  cudaMemcpyKind kind = cudaMemcpyHostToDevice,
                                                  cudaStream_t stream = 0)
{
    return cudaMemcpyToSymbolAsync((const void *)&symbol, from, count, offset, kind, stream);
}
template <typename T>
static inline cudaError_t cudaMemcpyFromSymbolAsync(void *to, const T &symbol, size_t count,
                                                    size_t offset = 0,
                                                    cudaMemcpyKind kind = cudaMemcpyDeviceToHost,
                                                    cudaStream_t stream = 0)
{
    return cudaMemcpyFromSymbolAsync(to, (const void *)&symbol, count, offset, kind, stream);
}
template <typename T>
static inline cudaError_t cudaGetSymbolAddress(void **pointer, const T &symbol)
{
    return cudaGetSymbolAddress(pointer, (const void *)&symbol);
}
template <typename T>
static inline cudaError_t cudaFuncSetCacheConfig(T *function, cudaFuncCache config)
{
    return cudaFuncSetCacheConfig((const void *)function, config);
}
template <typename T>
static inline cudaError_t cudaFuncSetAttribute(T *function, cudaFuncAttribute attribute, int value)
{
    return cudaFuncSetAttribute((const void *)function, attribute, value);
}
template <typename T>
static inline cudaError_t cudaFuncGetAttributes(cudaFuncAttributes *attributes, T *function)
{
    return cudaFuncGetAttributes(attributes, (const void *)function);
}
template <typename T>
static inline cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, T function,
                                                                        int block_size,
                                                                        size_t dynamic_shared)
{
    return cudaOccupancyMaxActiveBlocksPerMultiprocessor(blocks, (const void *)function, block_size,
                                                         dynamic_shared);
}
template <typename T>
static inline cudaError_t cudaOccupancyMaxPotentialBlockSize(int *grid, int *block, T function,
                                                             size_t dynamic_shared = 0,
                                                             int limit = 0)
{
    return cudaOccupancyMaxPotentialBlockSize(grid, block, (const void *)function, dynamic_shared,
                                              limit);
}
template <typename T>
static inline cudaError_t cudaStreamAttachMemAsync(cudaStream_t stream, T *pointer,
                                                   size_t length = 0,
                                                   unsigned int flags = cudaMemAttachHost)
{
    return cudaStreamAttachMemAsync(stream, (void *)pointer, length, flags);
}
template <typename T>
static inline cudaError_t cudaLaunchCooperativeKernel(const T *function, dim3 grid, dim3 block,
                                                      void **arguments, size_t shared = 0,
                                                      cudaStream_t stream = 0)
{
    return cudaLaunchCooperativeKernel((const void *)function, grid, block, arguments, shared,
                                       stream);
}
template <typename T>
static inline cudaError_t cudaLaunchKernel(const T *function, dim3 grid, dim3 block,
                                           void **arguments, size_t shared = 0,
                                           cudaStream_t stream = 0)
{
    return cudaLaunchKernel((const void *)function, grid, block, arguments, shared, stream);
}

#endif

#include "warpstep/array_api.h"
#include "warpstep/graph_api.h"

#endif
