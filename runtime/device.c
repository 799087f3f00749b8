/* The device: there is one, and its properties are those of the simulated GPU. */
#include "runtime/runtime.h"

#include <string.h>

WS_RUNTIME_API cudaError_t cudaGetDeviceCount(int *ret);
WS_RUNTIME_API cudaError_t cudaGetDevice(int *ret);
WS_RUNTIME_API cudaError_t cudaSetDevice(int device);
WS_RUNTIME_API cudaError_t cudaSetDeviceFlags(unsigned int flags);
WS_RUNTIME_API cudaError_t cudaDeviceGetP2PAttribute(int *ret, enum cudaDeviceP2PAttr attribute,
                                                     int from, int to);
WS_RUNTIME_API cudaError_t cudaDeviceSynchronize(void);
WS_RUNTIME_API cudaError_t cudaThreadSynchronize(void);
WS_RUNTIME_API cudaError_t cudaDeviceReset(void);
WS_RUNTIME_API cudaError_t cudaThreadExit(void);
WS_RUNTIME_API cudaError_t cudaDeviceSetCacheConfig(enum cudaFuncCache config);
WS_RUNTIME_API cudaError_t cudaDeviceSetSharedMemConfig(enum cudaSharedMemConfig config);
WS_RUNTIME_API cudaError_t cudaDeviceSetLimit(enum cudaLimit limit, size_t value);
WS_RUNTIME_API cudaError_t cudaDeviceGetLimit(size_t *ret, enum cudaLimit limit);
WS_RUNTIME_API cudaError_t cudaDeviceGetCacheConfig(enum cudaFuncCache *ret);
WS_RUNTIME_API cudaError_t cudaDeviceGetSharedMemConfig(enum cudaSharedMemConfig *ret);
WS_RUNTIME_API cudaError_t cudaDeviceGetPCIBusId(char *ret, int length, int device);
WS_RUNTIME_API cudaError_t cudaDeviceCanAccessPeer(int *ret, int device, int peer);
WS_RUNTIME_API cudaError_t cudaIpcGetMemHandle(cudaIpcMemHandle_t *ret, void *pointer);
WS_RUNTIME_API cudaError_t cudaIpcOpenMemHandle(void **ret, cudaIpcMemHandle_t handle,
                                                unsigned int flags);
WS_RUNTIME_API cudaError_t cudaIpcCloseMemHandle(void *pointer);
WS_RUNTIME_API cudaError_t cudaIpcGetEventHandle(cudaIpcEventHandle_t *ret, cudaEvent_t event);
WS_RUNTIME_API cudaError_t cudaIpcOpenEventHandle(cudaEvent_t *ret, cudaIpcEventHandle_t handle);
WS_RUNTIME_API cudaError_t cudaDeviceEnablePeerAccess(int peer, unsigned int flags);
WS_RUNTIME_API cudaError_t cudaDeviceDisablePeerAccess(int peer);
WS_RUNTIME_API cudaError_t cudaDeviceGetStreamPriorityRange(int *ret_least, int *ret_greatest);
WS_RUNTIME_API cudaError_t cudaRuntimeGetVersion(int *ret);
WS_RUNTIME_API cudaError_t cudaDriverGetVersion(int *ret);
WS_RUNTIME_API cudaError_t cudaProfilerStart(void);
WS_RUNTIME_API cudaError_t cudaProfilerStop(void);

/*
 * The version whose language and functions the headers follow; and that of the driver, which has
 * what came later and is here: conditional nodes with several bodies.
 */
enum { CUDA_VERSION = 12000, DRIVER_VERSION = 12080 };

/* Opens the device; `valid`: what was given is right. */
static cudaError_t only_use(gboolean valid, cudaError_t otherwise)
{
    WsRuntime *runtime = ws_runtime_enter();
    cudaError_t error = ws_runtime_use(runtime);
    if (error == cudaSuccess && !valid)
        error = otherwise;
    return ws_runtime_leave(runtime, error);
}

static cudaError_t wait_for_device(void)
{
    WsRuntime *runtime = ws_runtime_enter();
    ws_timeline_wait(&runtime->timeline);
    return ws_runtime_leave(runtime, ws_runtime_wait(runtime));
}

static cudaError_t give(int *ret, int value)
{
    const cudaError_t error = only_use(ret != NULL, cudaErrorInvalidValue);
    if (error == cudaSuccess)
        *ret = value;
    return error;
}

cudaError_t cudaGetDeviceCount(int *ret)
{
    return give(ret, 1);
}

cudaError_t cudaGetDevice(int *ret)
{
    return give(ret, 0);
}

cudaError_t cudaSetDevice(int device)
{
    return only_use(device == 0, cudaErrorInvalidDevice);
}

cudaError_t cudaSetDeviceFlags(unsigned int flags)
{
    (void)flags;
    return only_use(TRUE, cudaSuccess);
}

cudaError_t cudaDeviceSynchronize(void)
{
    return wait_for_device();
}

cudaError_t cudaThreadSynchronize(void)
{
    return cudaDeviceSynchronize();
}

/* Errors that stick end here, as do all allocations. */
cudaError_t cudaDeviceReset(void)
{
    WsRuntime *runtime = ws_runtime_enter();
    ws_printed_flush(runtime);
    if (runtime->gpu != NULL) {
        ws_graph_memory_reset(runtime);
        ws_memory_reset(runtime);
        runtime->sticky = runtime->pending = runtime->last = cudaSuccess;
    }
    return ws_runtime_leave(runtime, cudaSuccess);
}

cudaError_t cudaThreadExit(void)
{
    return cudaDeviceReset();
}

cudaError_t cudaDeviceSetCacheConfig(enum cudaFuncCache config)
{
    (void)config;
    return only_use(TRUE, cudaSuccess);
}

cudaError_t cudaDeviceSetSharedMemConfig(enum cudaSharedMemConfig config)
{
    (void)config;
    return only_use(TRUE, cudaSuccess);
}

cudaError_t cudaDeviceGetCacheConfig(enum cudaFuncCache *ret)
{
    if (ret != NULL)
        *ret = cudaFuncCachePreferNone;
    return only_use(ret != NULL, cudaErrorInvalidValue);
}

cudaError_t cudaDeviceGetSharedMemConfig(enum cudaSharedMemConfig *ret)
{
    if (ret != NULL)
        *ret = cudaSharedMemBankSizeFourByte;
    return only_use(ret != NULL, cudaErrorInvalidValue);
}

cudaError_t cudaDeviceGetPCIBusId(char *ret, int length, int device)
{
    static const char id[] = "0000:00:00.0";
    if (device != 0)
        return only_use(FALSE, cudaErrorInvalidDevice);
    if (ret != NULL && length >= (int)sizeof id)
        memcpy(ret, id, sizeof id);
    return only_use(ret != NULL && length >= (int)sizeof id, cudaErrorInvalidValue);
}

cudaError_t cudaDeviceCanAccessPeer(int *ret, int device, int peer)
{
    return device != 0 || peer != 0 ? only_use(FALSE, cudaErrorInvalidDevice) : give(ret, 0);
}

cudaError_t cudaDeviceEnablePeerAccess(int peer, unsigned int flags)
{
    (void)peer, (void)flags;
    return only_use(FALSE, cudaErrorInvalidDevice);
}

cudaError_t cudaDeviceDisablePeerAccess(int peer)
{
    (void)peer;
    return only_use(FALSE, cudaErrorInvalidDevice);
}

cudaError_t cudaDeviceGetP2PAttribute(int *ret, enum cudaDeviceP2PAttr attribute, int from, int to)
{
    (void)ret, (void)attribute, (void)from, (void)to;
    return only_use(FALSE, cudaErrorInvalidDevice);
}

/* ---- other processes: each has a device of its own --------------------------------------------
 */

cudaError_t cudaIpcGetMemHandle(cudaIpcMemHandle_t *ret, void *pointer)
{
    (void)ret, (void)pointer;
    return only_use(FALSE, cudaErrorNotSupported);
}

cudaError_t cudaIpcOpenMemHandle(void **ret, cudaIpcMemHandle_t handle, unsigned int flags)
{
    (void)ret, (void)handle, (void)flags;
    return only_use(FALSE, cudaErrorNotSupported);
}

cudaError_t cudaIpcCloseMemHandle(void *pointer)
{
    (void)pointer;
    return only_use(FALSE, cudaErrorNotSupported);
}

cudaError_t cudaIpcGetEventHandle(cudaIpcEventHandle_t *ret, cudaEvent_t event)
{
    (void)ret, (void)event;
    return only_use(FALSE, cudaErrorNotSupported);
}

cudaError_t cudaIpcOpenEventHandle(cudaEvent_t *ret, cudaIpcEventHandle_t handle)
{
    (void)ret, (void)handle;
    return only_use(FALSE, cudaErrorNotSupported);
}

cudaError_t cudaDeviceGetStreamPriorityRange(int *ret_least, int *ret_greatest)
{
    const cudaError_t error = give(ret_least, WS_PRIORITY_LEAST);
    return error == cudaSuccess ? give(ret_greatest, WS_PRIORITY_GREATEST) : error;
}

cudaError_t cudaRuntimeGetVersion(int *ret)
{
    return give(ret, CUDA_VERSION);
}

cudaError_t cudaDriverGetVersion(int *ret)
{
    return give(ret, DRIVER_VERSION);
}

cudaError_t cudaProfilerStart(void)
{
    return only_use(TRUE, cudaSuccess);
}

cudaError_t cudaProfilerStop(void)
{
    return only_use(TRUE, cudaSuccess);
}

/* A stack is that of functions that are recursive; what else a thread needs it has. */
cudaError_t cudaDeviceSetLimit(enum cudaLimit limit, size_t value)
{
    WsRuntime *runtime = ws_runtime_enter();
    cudaError_t error = ws_runtime_use(runtime);
    if (error == cudaSuccess && (guint)limit >= G_N_ELEMENTS(runtime->limits))
        error = cudaErrorInvalidValue;
    if (error == cudaSuccess && limit == cudaLimitDevRuntimeSyncDepth) /* CUDA 12 has none */
        error = cudaErrorUnsupportedLimit;
    if (error == cudaSuccess && !ws_runtime_set_limit(runtime, limit, value))
        error = cudaErrorInvalidValue;
    return ws_runtime_leave(runtime, error);
}

cudaError_t cudaDeviceGetLimit(size_t *ret, enum cudaLimit limit)
{
    WsRuntime *runtime = ws_runtime_enter();
    cudaError_t error = ws_runtime_use(runtime);
    if (error == cudaSuccess && (ret == NULL || (guint)limit >= G_N_ELEMENTS(runtime->limits)))
        error = cudaErrorInvalidValue;
    if (error == cudaSuccess && limit == cudaLimitDevRuntimeSyncDepth)
        error = cudaErrorUnsupportedLimit;
    if (error == cudaSuccess)
        *ret = runtime->limits[limit];
    return ws_runtime_leave(runtime, error);
}
