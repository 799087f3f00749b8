/* What programs ask of the device: its settings, and numbers that are the same for all devices. */
#include "runtime/runtime.h"

#include <stddef.h>
#include <string.h>

WS_RUNTIME_API cudaError_t cudaDeviceGetAttribute(int *ret, enum cudaDeviceAttr attribute,
                                                  int device);
WS_RUNTIME_API cudaError_t cudaGetDeviceProperties(struct cudaDeviceProp *ret, int device);

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
    {cudaDevAttrMultiProcessorCount, "sms", 0},
    {cudaDevAttrKernelExecTimeout, NULL, 0},
    {cudaDevAttrIntegrated, NULL, 0},
    {cudaDevAttrCanMapHostMemory, NULL, 1},
    {cudaDevAttrComputeMode, NULL, cudaComputeModeDefault},
    {cudaDevAttrL2CacheSize, "memory.l2.bytes", 0},
    {cudaDevAttrUnifiedAddressing, NULL, 1},
    {cudaDevAttrComputeCapabilityMajor, "compute_capability.major", 0},
    {cudaDevAttrComputeCapabilityMinor, "compute_capability.minor", 0},
    {cudaDevAttrGlobalL1CacheSupported, NULL, 1},
    {cudaDevAttrLocalL1CacheSupported, NULL, 1},
    {cudaDevAttrMaxSharedMemoryPerMultiprocessor, "limits.shared_bytes_per_sm", 0},
    {cudaDevAttrMaxRegistersPerMultiprocessor, "limits.registers_per_sm", 0},
    {cudaDevAttrManagedMemory, NULL, 1},
    {cudaDevAttrIsMultiGpuBoard, NULL, 0},
    {cudaDevAttrHostNativeAtomicSupported, NULL, 0},
    {cudaDevAttrPageableMemoryAccess, NULL, 0},
    {cudaDevAttrCooperativeLaunch, NULL, 1},
    {cudaDevAttrMaxSharedMemoryPerBlockOptin, "limits.shared_bytes_per_block_optin", 0},
    {cudaDevAttrMemoryPoolsSupported, NULL, 1},
    /*
     * What programs ask before they use streams, as an H200 has it: they work, though one thing is
     * done after the other.
     */
    {cudaDevAttrGpuOverlap, NULL, 1},
    {cudaDevAttrConcurrentKernels, NULL, 1},
    {cudaDevAttrAsyncEngineCount, NULL, 3},
    {cudaDevAttrStreamPrioritiesSupported, NULL, 1},
    {cudaDevAttrConcurrentManagedAccess, NULL, 1},
    {cudaDevAttrComputePreemptionSupported, NULL, 1},
    {cudaDevAttrEccEnabled, NULL, 1},
    {cudaDevAttrSingleToDoublePrecisionPerfRatio, NULL, 2},
    /* Of compute capability 9.0, as an H200 has them (driver 580). */
    {cudaDevAttrMaxTexture1DWidth, NULL, 131072},
    {cudaDevAttrMaxTexture2DWidth, NULL, 131072},
    {cudaDevAttrMaxTexture2DHeight, NULL, 65536},
    {cudaDevAttrMaxTexture3DWidth, NULL, 16384},
    {cudaDevAttrMaxTexture3DHeight, NULL, 16384},
    {cudaDevAttrMaxTexture3DDepth, NULL, 16384},
    {cudaDevAttrMaxTexture2DLayeredWidth, NULL, 32768},
    {cudaDevAttrMaxTexture2DLayeredHeight, NULL, 32768},
    {cudaDevAttrMaxTexture2DLayeredLayers, NULL, 2048},
    {cudaDevAttrMaxTexture1DLayeredWidth, NULL, 32768},
    {cudaDevAttrMaxTexture1DLayeredLayers, NULL, 2048},
    {cudaDevAttrMaxTexture2DGatherWidth, NULL, 32768},
    {cudaDevAttrMaxTexture2DGatherHeight, NULL, 32768},
    {cudaDevAttrMaxTexture3DWidthAlt, NULL, 8192},
    {cudaDevAttrMaxTexture3DHeightAlt, NULL, 8192},
    {cudaDevAttrMaxTexture3DDepthAlt, NULL, 32768},
    {cudaDevAttrMaxTextureCubemapWidth, NULL, 32768},
    {cudaDevAttrMaxTextureCubemapLayeredWidth, NULL, 32768},
    {cudaDevAttrMaxTextureCubemapLayeredLayers, NULL, 2046},
    {cudaDevAttrMaxSurface1DWidth, NULL, 32768},
    {cudaDevAttrMaxSurface2DWidth, NULL, 131072},
    {cudaDevAttrMaxSurface2DHeight, NULL, 65536},
    {cudaDevAttrMaxSurface3DWidth, NULL, 16384},
    {cudaDevAttrMaxSurface3DHeight, NULL, 16384},
    {cudaDevAttrMaxSurface3DDepth, NULL, 16384},
    {cudaDevAttrMaxSurface1DLayeredWidth, NULL, 32768},
    {cudaDevAttrMaxSurface1DLayeredLayers, NULL, 2048},
    {cudaDevAttrMaxSurface2DLayeredWidth, NULL, 32768},
    {cudaDevAttrMaxSurface2DLayeredHeight, NULL, 32768},
    {cudaDevAttrMaxSurface2DLayeredLayers, NULL, 2048},
    {cudaDevAttrMaxSurfaceCubemapWidth, NULL, 32768},
    {cudaDevAttrMaxSurfaceCubemapLayeredWidth, NULL, 32768},
    {cudaDevAttrMaxSurfaceCubemapLayeredLayers, NULL, 2046},
    {cudaDevAttrMaxTexture1DLinearWidth, NULL, 268435456},
    {cudaDevAttrMaxTexture2DLinearWidth, NULL, 131072},
    {cudaDevAttrMaxTexture2DLinearHeight, NULL, 65000},
    {cudaDevAttrMaxTexture2DLinearPitch, NULL, 2097120},
    {cudaDevAttrMaxTexture2DMipmappedWidth, NULL, 32768},
    {cudaDevAttrMaxTexture2DMipmappedHeight, NULL, 32768},
    {cudaDevAttrMaxTexture1DMipmappedWidth, NULL, 32768},
    {cudaDevAttrSurfaceAlignment, NULL, 512},
    {cudaDevAttrPciBusId, NULL, 0},
    {cudaDevAttrPciDeviceId, NULL, 0},
    {cudaDevAttrPciDomainId, NULL, 0},
    {cudaDevAttrTccDriver, NULL, 0},
    {cudaDevAttrHostRegisterSupported, NULL, 1},
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

/* Properties that are limits of textures and surfaces. */
static const struct {
    size_t offset; /* of the int in cudaDeviceProp */
    enum cudaDeviceAttr attribute;
} texture_limits[] = {
#define LIMIT(name, attribute)                                                                     \
    {                                                                                              \
        offsetof(struct cudaDeviceProp, name), cudaDevAttrMax##attribute                           \
    }
    LIMIT(maxTexture1D, Texture1DWidth),
    LIMIT(maxTexture1DMipmap, Texture1DMipmappedWidth),
    LIMIT(maxTexture1DLinear, Texture1DLinearWidth),
    LIMIT(maxTexture2D[0], Texture2DWidth),
    LIMIT(maxTexture2D[1], Texture2DHeight),
    LIMIT(maxTexture2DMipmap[0], Texture2DMipmappedWidth),
    LIMIT(maxTexture2DMipmap[1], Texture2DMipmappedHeight),
    LIMIT(maxTexture2DLinear[0], Texture2DLinearWidth),
    LIMIT(maxTexture2DLinear[1], Texture2DLinearHeight),
    LIMIT(maxTexture2DLinear[2], Texture2DLinearPitch),
    LIMIT(maxTexture2DGather[0], Texture2DGatherWidth),
    LIMIT(maxTexture2DGather[1], Texture2DGatherHeight),
    LIMIT(maxTexture3D[0], Texture3DWidth),
    LIMIT(maxTexture3D[1], Texture3DHeight),
    LIMIT(maxTexture3D[2], Texture3DDepth),
    LIMIT(maxTexture3DAlt[0], Texture3DWidthAlt),
    LIMIT(maxTexture3DAlt[1], Texture3DHeightAlt),
    LIMIT(maxTexture3DAlt[2], Texture3DDepthAlt),
    LIMIT(maxTextureCubemap, TextureCubemapWidth),
    LIMIT(maxTexture1DLayered[0], Texture1DLayeredWidth),
    LIMIT(maxTexture1DLayered[1], Texture1DLayeredLayers),
    LIMIT(maxTexture2DLayered[0], Texture2DLayeredWidth),
    LIMIT(maxTexture2DLayered[1], Texture2DLayeredHeight),
    LIMIT(maxTexture2DLayered[2], Texture2DLayeredLayers),
    LIMIT(maxTextureCubemapLayered[0], TextureCubemapLayeredWidth),
    LIMIT(maxTextureCubemapLayered[1], TextureCubemapLayeredLayers),
    LIMIT(maxSurface1D, Surface1DWidth),
    LIMIT(maxSurface2D[0], Surface2DWidth),
    LIMIT(maxSurface2D[1], Surface2DHeight),
    LIMIT(maxSurface3D[0], Surface3DWidth),
    LIMIT(maxSurface3D[1], Surface3DHeight),
    LIMIT(maxSurface3D[2], Surface3DDepth),
    LIMIT(maxSurface1DLayered[0], Surface1DLayeredWidth),
    LIMIT(maxSurface1DLayered[1], Surface1DLayeredLayers),
    LIMIT(maxSurface2DLayered[0], Surface2DLayeredWidth),
    LIMIT(maxSurface2DLayered[1], Surface2DLayeredHeight),
    LIMIT(maxSurface2DLayered[2], Surface2DLayeredLayers),
    LIMIT(maxSurfaceCubemap, SurfaceCubemapWidth),
    LIMIT(maxSurfaceCubemapLayered[0], SurfaceCubemapLayeredWidth),
    LIMIT(maxSurfaceCubemapLayered[1], SurfaceCubemapLayeredLayers),
#undef LIMIT
};

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
        .surfaceAlignment = (size_t)GET(SurfaceAlignment),
        .hostRegisterSupported = GET(HostRegisterSupported),
        .multiProcessorCount = GET(MultiProcessorCount),
        .deviceOverlap = GET(GpuOverlap),
        .kernelExecTimeoutEnabled = GET(KernelExecTimeout),
        .integrated = GET(Integrated),
        .canMapHostMemory = GET(CanMapHostMemory),
        .concurrentKernels = GET(ConcurrentKernels),
        .ECCEnabled = GET(EccEnabled),
        .asyncEngineCount = GET(AsyncEngineCount),
        .streamPrioritiesSupported = GET(StreamPrioritiesSupported),
        .concurrentManagedAccess = GET(ConcurrentManagedAccess),
        .computePreemptionSupported = GET(ComputePreemptionSupported),
        .singleToDoublePrecisionPerfRatio = GET(SingleToDoublePrecisionPerfRatio),
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
    for (guint i = 0; i < G_N_ELEMENTS(texture_limits); i++) {
        const int limit = attribute_of(runtime, texture_limits[i].attribute);
        memcpy((guint8 *)ret + texture_limits[i].offset, &limit, sizeof limit);
    }
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
