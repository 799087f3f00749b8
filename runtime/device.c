/* The device: there is one, and its properties are those of the simulated GPU. */
#include "runtime/runtime.h"

#include <string.h>

WS_RUNTIME_API cudaError_t cudaGetDeviceCount(int *ret);
WS_RUNTIME_API cudaError_t cudaGetDevice(int *ret);
WS_RUNTIME_API cudaError_t cudaSetDevice(int device);
WS_RUNTIME_API cudaError_t cudaSetDeviceFlags(unsigned int flags);
WS_RUNTIME_API cudaError_t cudaGetDeviceProperties(struct cudaDeviceProp *ret, int device);
WS_RUNTIME_API cudaError_t cudaDeviceGetAttribute(int *ret, enum cudaDeviceAttr attribute,
                                                  int device);
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
WS_RUNTIME_API cudaError_t cudaDeviceCanAccessPeer(int *ret, int device, int peer);
WS_RUNTIME_API cudaError_t cudaDeviceEnablePeerAccess(int peer, unsigned int flags);
WS_RUNTIME_API cudaError_t cudaDeviceDisablePeerAccess(int peer);
WS_RUNTIME_API cudaError_t cudaDeviceGetStreamPriorityRange(int *ret_least, int *ret_greatest);
WS_RUNTIME_API cudaError_t cudaRuntimeGetVersion(int *ret);
WS_RUNTIME_API cudaError_t cudaDriverGetVersion(int *ret);
WS_RUNTIME_API cudaError_t cudaProfilerStart(void);
WS_RUNTIME_API cudaError_t cudaProfilerStop(void);

/* The version whose language and functions the headers follow. */
enum { CUDA_VERSION = 12000 };

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

cudaError_t cudaDeviceGetStreamPriorityRange(int *ret_least, int *ret_greatest)
{
    const cudaError_t error = give(ret_least, 0);
    return error == cudaSuccess ? give(ret_greatest, 0) : error;
}

cudaError_t cudaRuntimeGetVersion(int *ret)
{
    return give(ret, CUDA_VERSION);
}

cudaError_t cudaDriverGetVersion(int *ret)
{
    return give(ret, CUDA_VERSION);
}

cudaError_t cudaProfilerStart(void)
{
    return only_use(TRUE, cudaSuccess);
}

cudaError_t cudaProfilerStop(void)
{
    return only_use(TRUE, cudaSuccess);
}

/* A thread has the stack that its kernel needs, and there is no heap: neither is bounded. */
cudaError_t cudaDeviceSetLimit(enum cudaLimit limit, size_t value)
{
    WsRuntime *runtime = ws_runtime_enter();
    cudaError_t error = ws_runtime_use(runtime);
    if (error == cudaSuccess && (guint)limit >= G_N_ELEMENTS(runtime->limits))
        error = cudaErrorInvalidValue;
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
    if (error == cudaSuccess)
        *ret = runtime->limits[limit];
    return ws_runtime_leave(runtime, error);
}

/* ---- properties --------------------------------------------------------------------------------
 */

/* Attributes that are settings of the device, or numbers that are the same for all of them. */
static const struct {
    enum cudaDeviceAttr attribute;
    const char *setting;
    int value;
} attributes[] = {
    {cudaDevAttrMaxThreadsPerBlock, "limits.threads_per_block", 0},
    {cudaDevAttrMaxBlockDimX, "limits.block_x", 0},
    {cudaDevAttrMaxBlockDimY, "limits.block_y", 0},
    {cudaDevAttrMaxBlockDimZ, "limits.block_z", 0},
    {cudaDevAttrMaxGridDimX, "limits.grid_x", 0},
    {cudaDevAttrMaxGridDimY, "limits.grid_y", 0},
    {cudaDevAttrMaxGridDimZ, "limits.grid_z", 0},
    {cudaDevAttrMaxSharedMemoryPerBlock, "limits.shared_bytes_per_block", 0},
    {cudaDevAttrTotalConstantMemory, NULL, 65536},
    {cudaDevAttrWarpSize, "warp_size", 0},
    {cudaDevAttrMaxPitch, NULL, G_MAXINT32},
    {cudaDevAttrMaxRegistersPerBlock, "limits.registers_per_block", 0},
    {cudaDevAttrClockRate, "clock_khz", 0},
    {cudaDevAttrTextureAlignment, NULL, 512},
    {cudaDevAttrTexturePitchAlignment, NULL, 32},
    {cudaDevAttrGpuOverlap, NULL, 0},
    {cudaDevAttrMultiProcessorCount, "sms", 0},
    {cudaDevAttrKernelExecTimeout, NULL, 0},
    {cudaDevAttrIntegrated, NULL, 0},
    {cudaDevAttrCanMapHostMemory, NULL, 1},
    {cudaDevAttrComputeMode, NULL, cudaComputeModeDefault},
    {cudaDevAttrConcurrentKernels, NULL, 0},
    {cudaDevAttrEccEnabled, NULL, 0},
    {cudaDevAttrL2CacheSize, "memory.l2.bytes", 0},
    {cudaDevAttrAsyncEngineCount, NULL, 0},
    {cudaDevAttrUnifiedAddressing, NULL, 1},
    {cudaDevAttrComputeCapabilityMajor, "compute_capability.major", 0},
    {cudaDevAttrComputeCapabilityMinor, "compute_capability.minor", 0},
    {cudaDevAttrStreamPrioritiesSupported, NULL, 0},
    {cudaDevAttrGlobalL1CacheSupported, NULL, 1},
    {cudaDevAttrLocalL1CacheSupported, NULL, 1},
    {cudaDevAttrMaxSharedMemoryPerMultiprocessor, "limits.shared_bytes_per_sm", 0},
    {cudaDevAttrMaxRegistersPerMultiprocessor, "limits.registers_per_sm", 0},
    {cudaDevAttrManagedMemory, NULL, 1},
    {cudaDevAttrIsMultiGpuBoard, NULL, 0},
    {cudaDevAttrHostNativeAtomicSupported, NULL, 0},
    {cudaDevAttrPageableMemoryAccess, NULL, 0},
    {cudaDevAttrConcurrentManagedAccess, NULL, 0},
    {cudaDevAttrComputePreemptionSupported, NULL, 0},
    {cudaDevAttrCooperativeLaunch, NULL, 1},
    {cudaDevAttrMaxSharedMemoryPerBlockOptin, "limits.shared_bytes_per_block_optin", 0},
    {cudaDevAttrMemoryPoolsSupported, NULL, 1},
};

/* FALSE: there is no such attribute. */
static gboolean find_attribute(WsRuntime *runtime, enum cudaDeviceAttr attribute, int *ret)
{
    for (guint i = 0; i < G_N_ELEMENTS(attributes); i++)
        if (attributes[i].attribute == attribute) {
            const gint64 value = attributes[i].setting == NULL
                                     ? attributes[i].value
                                     : ws_runtime_setting(runtime, attributes[i].setting);
            *ret = (int)MIN(value, G_MAXINT32);
            return TRUE;
        }
    if (attribute == cudaDevAttrMaxThreadsPerMultiProcessor)
        *ret = (int)(ws_runtime_setting(runtime, "limits.warps_per_sm") *
                     ws_runtime_setting(runtime, "warp_size"));
    return attribute == cudaDevAttrMaxThreadsPerMultiProcessor;
}

cudaError_t cudaDeviceGetAttribute(int *ret, enum cudaDeviceAttr attribute, int device)
{
    WsRuntime *runtime = ws_runtime_enter();
    cudaError_t error = ws_runtime_use(runtime);
    if (error == cudaSuccess && device != 0)
        error = cudaErrorInvalidDevice;
    if (error == cudaSuccess && (ret == NULL || !find_attribute(runtime, attribute, ret)))
        error = cudaErrorInvalidValue;
    return ws_runtime_leave(runtime, error);
}

static int attribute_of(WsRuntime *runtime, enum cudaDeviceAttr attribute)
{
    int value = 0;
    find_attribute(runtime, attribute, &value);
    return value;
}

/* Settings have texts in quotes. */
static char *unquoted(char *text)
{
    const gsize length = strlen(text);
    if (length < 2 || text[0] != '"' || text[length - 1] != '"')
        return text;
    text[length - 1] = '\0';
    return text + 1;
}

static void fill_properties(WsRuntime *runtime, struct cudaDeviceProp *ret)
{
#define GET(name) attribute_of(runtime, cudaDevAttr##name)
    *ret = (struct cudaDeviceProp){
        .totalGlobalMem = WS_DEVICE_RANGE,
        .sharedMemPerBlock = (size_t)GET(MaxSharedMemoryPerBlock),
        .regsPerBlock = GET(MaxRegistersPerBlock),
        .warpSize = GET(WarpSize),
        .memPitch = (size_t)GET(MaxPitch),
        .maxThreadsPerBlock = GET(MaxThreadsPerBlock),
        .maxThreadsDim = {GET(MaxBlockDimX), GET(MaxBlockDimY), GET(MaxBlockDimZ)},
        .maxGridSize = {GET(MaxGridDimX), GET(MaxGridDimY), GET(MaxGridDimZ)},
        .clockRate = GET(ClockRate),
        .totalConstMem = (size_t)GET(TotalConstantMemory),
        .major = GET(ComputeCapabilityMajor),
        .minor = GET(ComputeCapabilityMinor),
        .textureAlignment = (size_t)GET(TextureAlignment),
        .texturePitchAlignment = (size_t)GET(TexturePitchAlignment),
        .maxTexture1D = 131072,
        .maxTexture2D = {131072, 65536},
        .maxTexture3D = {16384, 16384, 16384},
        .multiProcessorCount = GET(MultiProcessorCount),
        .canMapHostMemory = GET(CanMapHostMemory),
        .computeMode = GET(ComputeMode),
        .unifiedAddressing = GET(UnifiedAddressing),
        .l2CacheSize = GET(L2CacheSize),
        .maxThreadsPerMultiProcessor = GET(MaxThreadsPerMultiProcessor),
        .globalL1CacheSupported = GET(GlobalL1CacheSupported),
        .localL1CacheSupported = GET(LocalL1CacheSupported),
        .sharedMemPerMultiprocessor = (size_t)GET(MaxSharedMemoryPerMultiprocessor),
        .regsPerMultiprocessor = GET(MaxRegistersPerMultiprocessor),
        .managedMemory = GET(ManagedMemory),
        .cooperativeLaunch = GET(CooperativeLaunch),
        .sharedMemPerBlockOptin = (size_t)GET(MaxSharedMemoryPerBlockOptin),
        .maxBlocksPerMultiProcessor = (int)ws_runtime_setting(runtime, "limits.blocks_per_sm"),
        .reservedSharedMemPerBlock =
            (size_t)ws_runtime_setting(runtime, "limits.reserved_shared_bytes_per_block"),
    };
#undef GET
    g_autofree char *name = g_strdup(warpstep_setting(runtime->gpu, "name"));
    g_strlcpy(ret->name, unquoted(name), sizeof ret->name);
}

cudaError_t cudaGetDeviceProperties(struct cudaDeviceProp *ret, int device)
{
    WsRuntime *runtime = ws_runtime_enter();
    cudaError_t error = ws_runtime_use(runtime);
    if (error == cudaSuccess && device != 0)
        error = cudaErrorInvalidDevice;
    if (error == cudaSuccess && ret == NULL)
        error = cudaErrorInvalidValue;
    if (error == cudaSuccess)
        fill_properties(runtime, ret);
    return ws_runtime_leave(runtime, error);
}
