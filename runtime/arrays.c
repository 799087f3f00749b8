/*
 * CUDA arrays: device memory with a format. Elements lie one behind the other, x fastest, then y,
 * then z or the layer: a GPU keeps its order to itself, and programs cannot see it.
 */
#include "runtime/runtime.h"

#include <string.h>

WS_RUNTIME_API struct cudaChannelFormatDesc cudaCreateChannelDesc(int x, int y, int z, int w,
                                                                  enum cudaChannelFormatKind kind);
WS_RUNTIME_API cudaError_t cudaGetChannelDesc(struct cudaChannelFormatDesc *ret,
                                              cudaArray_const_t array);
WS_RUNTIME_API cudaError_t cudaMallocArray(cudaArray_t *ret,
                                           const struct cudaChannelFormatDesc *format, size_t width,
                                           size_t height, unsigned int flags);
WS_RUNTIME_API cudaError_t cudaMalloc3DArray(cudaArray_t *ret,
                                             const struct cudaChannelFormatDesc *format,
                                             struct cudaExtent extent, unsigned int flags);
WS_RUNTIME_API cudaError_t cudaFreeArray(cudaArray_t array);
WS_RUNTIME_API cudaError_t cudaArrayGetInfo(struct cudaChannelFormatDesc *ret_format,
                                            struct cudaExtent *ret_extent, unsigned int *ret_flags,
                                            cudaArray_t array);

enum { ARRAY = 0x57536172, KNOWN_FLAGS = 0x0f };

/* ---- formats -----------------------------------------------------------------------------------
 */

struct cudaChannelFormatDesc cudaCreateChannelDesc(int x, int y, int z, int w,
                                                   enum cudaChannelFormatKind kind)
{
    return (struct cudaChannelFormatDesc){x, y, z, w, kind};
}

guint ws_format_channels(const struct cudaChannelFormatDesc *format)
{
    const int bits[] = {format->x, format->y, format->z, format->w};
    guint count = 0;
    while (count < 4 && bits[count] != 0)
        count++;
    for (guint i = 0; i < 4; i++)
        if (bits[i] != (i < count ? bits[0] : 0))
            return 0;
    const gboolean is_size = bits[0] == 8 || bits[0] == 16 || bits[0] == 32;
    const gboolean is_kind = format->f == cudaChannelFormatKindSigned ||
                             format->f == cudaChannelFormatKindUnsigned ||
                             (format->f == cudaChannelFormatKindFloat && bits[0] != 8);
    return is_size && is_kind && count != 3 ? count : 0;
}

/* ---- arrays ------------------------------------------------------------------------------------
 */

WsArray *ws_array_of(cudaArray_const_t array)
{
    return array != NULL && array->magic == ARRAY ? (WsArray *)(gsize)array : NULL;
}

struct cudaPitchedPtr ws_array_memory(const WsArray *array)
{
    const gsize row = array->texel_bytes * array->extent.width;
    return (struct cudaPitchedPtr){(void *)array->address, row, row, MAX(array->extent.height, 1)};
}

/* What the sizes say together with the flags. */
static gboolean is_shape(const struct cudaExtent *extent, unsigned int flags)
{
    const gboolean layered = (flags & cudaArrayLayered) != 0;
    if (extent->width == 0 || (flags & ~(unsigned)KNOWN_FLAGS) != 0)
        return FALSE;
    if ((flags & cudaArrayCubemap) != 0)
        return extent->width == extent->height && extent->depth != 0 &&
               (layered ? extent->depth % 6 == 0 : extent->depth == 6);
    return layered ? extent->depth != 0 : extent->height != 0 || extent->depth == 0;
}

static gsize multiply(gsize a, gsize b)
{
    return b != 0 && a > WS_DEVICE_RANGE / b ? WS_DEVICE_RANGE : a * b;
}

static cudaError_t make(WsRuntime *runtime, const struct cudaChannelFormatDesc *format,
                        const struct cudaExtent *extent, unsigned int flags, cudaArray_t *ret)
{
    const guint channels = ws_format_channels(format);
    void *memory;
    if (channels == 0)
        return cudaErrorInvalidChannelDescriptor;
    if (!is_shape(extent, flags))
        return cudaErrorInvalidValue;
    const gsize texel = channels * (gsize)format->x / 8;
    const gsize row = multiply(texel, extent->width);
    const cudaError_t error = ws_memory_allocate(
        runtime, multiply(multiply(row, MAX(extent->height, 1)), MAX(extent->depth, 1)),
        WS_MEMORY_DEVICE, &memory);
    if (error != cudaSuccess)
        return error;
    WsArray *array = g_new0(WsArray, 1);
    *array = (WsArray){.magic = ARRAY,
                       .format = *format,
                       .extent = *extent,
                       .flags = flags,
                       .channels = channels,
                       .texel_bytes = texel,
                       .address = (guint64)(gsize)memory};
    *ret = array;
    return cudaSuccess;
}

cudaError_t cudaMalloc3DArray(cudaArray_t *ret, const struct cudaChannelFormatDesc *format,
                              struct cudaExtent extent, unsigned int flags)
{
    WsRuntime *runtime = ws_runtime_enter();
    cudaError_t error = ws_runtime_use(runtime);
    if (error == cudaSuccess && (ret == NULL || format == NULL))
        error = cudaErrorInvalidValue;
    if (error == cudaSuccess)
        error = make(runtime, format, &extent, flags, ret);
    return ws_runtime_leave(runtime, error);
}

cudaError_t cudaMallocArray(cudaArray_t *ret, const struct cudaChannelFormatDesc *format,
                            size_t width, size_t height, unsigned int flags)
{
    return cudaMalloc3DArray(ret, format, (struct cudaExtent){width, height, 0}, flags);
}

/* What a call needs: the device, and an array that is one. */
static cudaError_t use(WsRuntime *runtime, cudaArray_const_t array, WsArray **ret)
{
    const cudaError_t error = ws_runtime_use(runtime);
    *ret = ws_array_of(array);
    return error == cudaSuccess && *ret == NULL ? cudaErrorInvalidResourceHandle : error;
}

cudaError_t cudaFreeArray(cudaArray_t array)
{
    WsRuntime *runtime = ws_runtime_enter();
    WsArray *found;
    cudaError_t error = array == NULL ? ws_runtime_use(runtime) : use(runtime, array, &found);
    if (error == cudaSuccess && array != NULL) {
        ws_memory_free(runtime, found->address);
        found->magic = 0;
        g_free(found);
    }
    return ws_runtime_leave(runtime, error);
}

cudaError_t cudaArrayGetInfo(struct cudaChannelFormatDesc *ret_format,
                             struct cudaExtent *ret_extent, unsigned int *ret_flags,
                             cudaArray_t array)
{
    WsRuntime *runtime = ws_runtime_enter();
    WsArray *found;
    const cudaError_t error = use(runtime, array, &found);
    if (error == cudaSuccess && ret_format != NULL)
        *ret_format = found->format;
    if (error == cudaSuccess && ret_extent != NULL)
        *ret_extent = found->extent;
    if (error == cudaSuccess && ret_flags != NULL)
        *ret_flags = found->flags;
    return ws_runtime_leave(runtime, error);
}

cudaError_t cudaGetChannelDesc(struct cudaChannelFormatDesc *ret, cudaArray_const_t array)
{
    return cudaArrayGetInfo(ret, NULL, NULL, (cudaArray_t)(gsize)array);
}
