/* Surface objects: handles are the addresses of what kernels have to know of an array. */
#include "runtime/runtime.h"

#include <string.h>

WS_RUNTIME_API cudaError_t cudaCreateSurfaceObject(cudaSurfaceObject_t *ret,
                                                   const struct cudaResourceDesc *resource);
WS_RUNTIME_API cudaError_t cudaDestroySurfaceObject(cudaSurfaceObject_t surface);

/* In device memory, which is zero when it is given, up to the array. */
static cudaError_t make(WsRuntime *runtime, const WsArray *array, cudaSurfaceObject_t *ret)
{
    const struct cudaPitchedPtr memory = ws_array_memory(array);
    const struct __ws_surface made = {.address = array->address,
                                      .row_bytes = (int)memory.pitch,
                                      .height = (int)memory.ysize,
                                      .depth = (int)MAX(array->extent.depth, 1)};
    void *at = NULL;
    if (memory.pitch > G_MAXINT32 || memory.ysize > G_MAXINT32 || array->extent.depth > G_MAXINT32)
        return cudaErrorNotSupported;
    const cudaError_t error = ws_memory_allocate(runtime, sizeof made, WS_MEMORY_DEVICE, &at);
    if (error != cudaSuccess)
        return error;
    memcpy(ws_memory_find(runtime, at, sizeof made)->data, &made, sizeof made);
    *ret = (gsize)at;
    return cudaSuccess;
}

cudaError_t cudaCreateSurfaceObject(cudaSurfaceObject_t *ret,
                                    const struct cudaResourceDesc *resource)
{
    WsRuntime *runtime = ws_runtime_enter();
    cudaError_t error = ws_runtime_use(runtime);
    if (error == cudaSuccess &&
        (ret == NULL || resource == NULL || resource->resType != cudaResourceTypeArray))
        error = cudaErrorInvalidValue;
    const WsArray *array = error == cudaSuccess ? ws_array_of(resource->res.array.array) : NULL;
    if (error == cudaSuccess && array == NULL)
        error = cudaErrorInvalidResourceHandle;
    if (error == cudaSuccess && (array->flags & cudaArraySurfaceLoadStore) == 0)
        error = cudaErrorInvalidValue;
    if (error == cudaSuccess)
        error = make(runtime, array, ret);
    return ws_runtime_leave(runtime, error);
}

cudaError_t cudaDestroySurfaceObject(cudaSurfaceObject_t surface)
{
    WsRuntime *runtime = ws_runtime_enter();
    const cudaError_t error = ws_runtime_use(runtime);
    if (error == cudaSuccess)
        ws_memory_free(runtime, surface);
    return ws_runtime_leave(runtime, error);
}
