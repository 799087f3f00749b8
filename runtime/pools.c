/*
 * Memory pools. A pool is a handle with attributes: memory that is freed goes back at once, and
 * takes no time, so that there is nothing to keep.
 */
#include "runtime/runtime.h"
#include "runtime/stream_capture.h"

#include <string.h>

WS_RUNTIME_API cudaError_t cudaDeviceGetDefaultMemPool(cudaMemPool_t *ret, int device);
WS_RUNTIME_API cudaError_t cudaDeviceGetMemPool(cudaMemPool_t *ret, int device);
WS_RUNTIME_API cudaError_t cudaDeviceSetMemPool(int device, cudaMemPool_t pool);
WS_RUNTIME_API cudaError_t cudaMemPoolCreate(cudaMemPool_t *ret,
                                             const struct cudaMemPoolProps *properties);
WS_RUNTIME_API cudaError_t cudaMemPoolDestroy(cudaMemPool_t pool);
WS_RUNTIME_API cudaError_t cudaMemPoolTrimTo(cudaMemPool_t pool, size_t keep);
WS_RUNTIME_API cudaError_t cudaMemPoolSetAttribute(cudaMemPool_t pool,
                                                   enum cudaMemPoolAttr attribute, void *value);
WS_RUNTIME_API cudaError_t cudaMemPoolGetAttribute(cudaMemPool_t pool,
                                                   enum cudaMemPoolAttr attribute, void *value);
WS_RUNTIME_API cudaError_t cudaMemPoolSetAccess(cudaMemPool_t pool,
                                                const struct cudaMemAccessDesc *accesses,
                                                size_t count);
WS_RUNTIME_API cudaError_t cudaMemPoolGetAccess(enum cudaMemAccessFlags *ret, cudaMemPool_t pool,
                                                struct cudaMemLocation *location);
WS_RUNTIME_API cudaError_t cudaMallocFromPoolAsync(void **ret, size_t size, cudaMemPool_t pool,
                                                   cudaStream_t stream);

typedef struct {
    guint32 magic;
    guint64 attributes[cudaMemPoolAttrReleaseThreshold + 1]; /* those that can be set */
} Pool;

enum { POOL = 0x5753706d };

/* Reuse is allowed unless the program says otherwise, and nothing is kept. */
static Pool *new_pool(void)
{
    Pool *pool = g_new0(Pool, 1);
    pool->magic = POOL;
    for (guint i = cudaMemPoolReuseFollowEventDependencies;
         i <= cudaMemPoolReuseAllowInternalDependencies; i++)
        pool->attributes[i] = 1;
    return pool;
}

static Pool *pool_of(cudaMemPool_t pool)
{
    return pool != NULL && ((Pool *)pool)->magic == POOL ? (Pool *)pool : NULL;
}

static Pool *default_pool(WsRuntime *runtime)
{
    if (runtime->default_pool == NULL)
        runtime->default_pool = new_pool();
    return runtime->default_pool;
}

static cudaError_t get(cudaMemPool_t *ret, int device, gboolean current)
{
    WsRuntime *runtime = ws_runtime_enter();
    cudaError_t error = ws_runtime_use(runtime);
    if (error == cudaSuccess && device != 0)
        error = cudaErrorInvalidDevice;
    if (error == cudaSuccess && ret == NULL)
        error = cudaErrorInvalidValue;
    if (error == cudaSuccess)
        *ret = (cudaMemPool_t)(current && runtime->pool != NULL ? runtime->pool
                                                                : default_pool(runtime));
    return ws_runtime_leave(runtime, error);
}

cudaError_t cudaDeviceGetDefaultMemPool(cudaMemPool_t *ret, int device)
{
    return get(ret, device, FALSE);
}

cudaError_t cudaDeviceGetMemPool(cudaMemPool_t *ret, int device)
{
    return get(ret, device, TRUE);
}

/* What a call needs: the device, and a pool that is one. */
static cudaError_t use(WsRuntime *runtime, cudaMemPool_t pool)
{
    const cudaError_t error = ws_runtime_use(runtime);
    return error == cudaSuccess && pool_of(pool) == NULL ? cudaErrorInvalidValue : error;
}

cudaError_t cudaDeviceSetMemPool(int device, cudaMemPool_t pool)
{
    WsRuntime *runtime = ws_runtime_enter();
    cudaError_t error = use(runtime, pool);
    if (error == cudaSuccess && device != 0)
        error = cudaErrorInvalidDevice;
    if (error == cudaSuccess)
        runtime->pool = pool;
    return ws_runtime_leave(runtime, error);
}

cudaError_t cudaMemPoolCreate(cudaMemPool_t *ret, const struct cudaMemPoolProps *properties)
{
    WsRuntime *runtime = ws_runtime_enter();
    cudaError_t error = ws_runtime_use(runtime);
    if (error == cudaSuccess &&
        (ret == NULL || properties == NULL ||
         properties->allocType != cudaMemAllocationTypePinned || properties->location.id != 0 ||
         properties->location.type != cudaMemLocationTypeDevice))
        error = cudaErrorInvalidValue;
    if (error == cudaSuccess && properties->handleTypes != cudaMemHandleTypeNone)
        error = cudaErrorNotSupported; /* memory is not shared with other processes */
    if (error == cudaSuccess)
        *ret = (cudaMemPool_t)new_pool();
    return ws_runtime_leave(runtime, error);
}

cudaError_t cudaMemPoolDestroy(cudaMemPool_t pool)
{
    WsRuntime *runtime = ws_runtime_enter();
    cudaError_t error = use(runtime, pool);
    if (error == cudaSuccess && (void *)pool == runtime->default_pool)
        error = cudaErrorInvalidValue;
    if (error == cudaSuccess) {
        if (runtime->pool == (void *)pool)
            runtime->pool = NULL;
        pool_of(pool)->magic = 0;
        g_free(pool);
    }
    return ws_runtime_leave(runtime, error);
}

cudaError_t cudaMemPoolTrimTo(cudaMemPool_t pool, size_t keep)
{
    WsRuntime *runtime = ws_runtime_enter();
    (void)keep;
    return ws_runtime_leave(runtime, use(runtime, pool));
}

/* The device always has access to its own memory, and there is no other. */
static gboolean is_device(const struct cudaMemLocation *location)
{
    return location->type == cudaMemLocationTypeDevice && location->id == 0;
}

cudaError_t cudaMemPoolSetAccess(cudaMemPool_t pool, const struct cudaMemAccessDesc *accesses,
                                 size_t count)
{
    WsRuntime *runtime = ws_runtime_enter();
    cudaError_t error = use(runtime, pool);
    if (error == cudaSuccess && accesses == NULL && count > 0)
        error = cudaErrorInvalidValue;
    for (size_t i = 0; error == cudaSuccess && i < count; i++)
        if (!is_device(&accesses[i].location) ||
            accesses[i].flags != cudaMemAccessFlagsProtReadWrite)
            error = cudaErrorInvalidDevice;
    return ws_runtime_leave(runtime, error);
}

cudaError_t cudaMemPoolGetAccess(enum cudaMemAccessFlags *ret, cudaMemPool_t pool,
                                 struct cudaMemLocation *location)
{
    WsRuntime *runtime = ws_runtime_enter();
    cudaError_t error = use(runtime, pool);
    if (error == cudaSuccess && (ret == NULL || location == NULL || !is_device(location)))
        error = cudaErrorInvalidValue;
    if (error == cudaSuccess)
        *ret = cudaMemAccessFlagsProtReadWrite;
    return ws_runtime_leave(runtime, error);
}

/* How much a pool holds is not counted. */
static cudaError_t check(WsRuntime *runtime, cudaMemPool_t pool, enum cudaMemPoolAttr attribute,
                         const void *value)
{
    const cudaError_t error = use(runtime, pool);
    if (error != cudaSuccess)
        return error;
    if (value == NULL || attribute < cudaMemPoolReuseFollowEventDependencies ||
        attribute > cudaMemPoolAttrUsedMemHigh)
        return cudaErrorInvalidValue;
    return attribute > cudaMemPoolAttrReleaseThreshold ? cudaErrorNotSupported : cudaSuccess;
}

/* The threshold has 64 bits, the others are an int. */
static gsize size_of(enum cudaMemPoolAttr attribute)
{
    return attribute == cudaMemPoolAttrReleaseThreshold ? sizeof(guint64) : sizeof(int);
}

cudaError_t cudaMemPoolSetAttribute(cudaMemPool_t pool, enum cudaMemPoolAttr attribute, void *value)
{
    WsRuntime *runtime = ws_runtime_enter();
    const cudaError_t error = check(runtime, pool, attribute, value);
    if (error == cudaSuccess)
        memcpy(&pool_of(pool)->attributes[attribute], value, size_of(attribute));
    return ws_runtime_leave(runtime, error);
}

cudaError_t cudaMemPoolGetAttribute(cudaMemPool_t pool, enum cudaMemPoolAttr attribute, void *value)
{
    WsRuntime *runtime = ws_runtime_enter();
    const cudaError_t error = check(runtime, pool, attribute, value);
    if (error == cudaSuccess)
        memcpy(value, &pool_of(pool)->attributes[attribute], size_of(attribute));
    return ws_runtime_leave(runtime, error);
}

cudaError_t cudaMallocFromPoolAsync(void **ret, size_t size, cudaMemPool_t pool,
                                    cudaStream_t stream)
{
    WsCapturing *capturing = ws_stream_capturing(stream);
    if (capturing != NULL && pool_of(pool) != NULL) /* it is the graph's then, not the pool's */
        return ws_stream_capture_allocate(capturing, ret, size);
    WsRuntime *runtime = ws_runtime_enter();
    cudaError_t error = use(runtime, pool);
    if (error == cudaSuccess)
        error = ws_memory_allocate(runtime, size, WS_MEMORY_DEVICE, ret);
    return ws_runtime_leave(runtime, error);
}
