/*
 * Copies and fills of rows and slices with a pitch. Rows are copied one by one: each has to lie in
 * one allocation.
 */
#include "runtime/stream_copies.h"

WS_RUNTIME_API cudaError_t cudaMallocPitch(void **ret, size_t *pitch, size_t width, size_t height);
WS_RUNTIME_API cudaError_t cudaMalloc3D(struct cudaPitchedPtr *ret, struct cudaExtent extent);
WS_RUNTIME_API cudaError_t cudaMemcpy2D(void *to, size_t to_pitch, const void *from,
                                        size_t from_pitch, size_t width, size_t height,
                                        enum cudaMemcpyKind kind);
WS_RUNTIME_API cudaError_t cudaMemcpy2DAsync(void *to, size_t to_pitch, const void *from,
                                             size_t from_pitch, size_t width, size_t height,
                                             enum cudaMemcpyKind kind, cudaStream_t stream);
WS_RUNTIME_API cudaError_t cudaMemcpy3D(const struct cudaMemcpy3DParms *parameters);
WS_RUNTIME_API cudaError_t cudaMemcpy3DAsync(const struct cudaMemcpy3DParms *parameters,
                                             cudaStream_t stream);
WS_RUNTIME_API cudaError_t cudaMemset2D(void *pointer, size_t pitch, int value, size_t width,
                                        size_t height);
WS_RUNTIME_API cudaError_t cudaMemset2DAsync(void *pointer, size_t pitch, int value, size_t width,
                                             size_t height, cudaStream_t stream);
WS_RUNTIME_API cudaError_t cudaMemset3D(struct cudaPitchedPtr pointer, int value,
                                        struct cudaExtent extent);
WS_RUNTIME_API cudaError_t cudaMemset3DAsync(struct cudaPitchedPtr pointer, int value,
                                             struct cudaExtent extent, cudaStream_t stream);

/* ---- memory ------------------------------------------------------------------------------------
 */

/* Rows begin at multiples of this many bytes. */
enum { ALIGNMENT = 512 };

/* Bytes of `rows` rows of `pitch` bytes, or more than there is. */
static gsize bytes_of(gsize pitch, gsize rows)
{
    return rows != 0 && pitch > WS_DEVICE_RANGE / rows ? WS_DEVICE_RANGE : pitch * rows;
}

static gsize pitch_of(gsize width)
{
    return width > WS_DEVICE_RANGE ? WS_DEVICE_RANGE
                                   : (width + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
}

cudaError_t cudaMallocPitch(void **ret, size_t *pitch, size_t width, size_t height)
{
    WsRuntime *runtime = ws_runtime_enter();
    cudaError_t error = ws_runtime_use(runtime);
    if (error == cudaSuccess && (ret == NULL || pitch == NULL))
        error = cudaErrorInvalidValue;
    if (error == cudaSuccess)
        error =
            ws_memory_allocate(runtime, bytes_of(pitch_of(width), height), WS_MEMORY_DEVICE, ret);
    if (error == cudaSuccess)
        *pitch = pitch_of(width);
    return ws_runtime_leave(runtime, error);
}

cudaError_t cudaMalloc3D(struct cudaPitchedPtr *ret, struct cudaExtent extent)
{
    WsRuntime *runtime = ws_runtime_enter();
    const gsize slice = bytes_of(pitch_of(extent.width), extent.height);
    void *made = NULL;
    cudaError_t error = ws_runtime_use(runtime);
    if (error == cudaSuccess && ret == NULL)
        error = cudaErrorInvalidValue;
    if (error == cudaSuccess)
        error = ws_memory_allocate(runtime, bytes_of(slice, extent.depth), WS_MEMORY_DEVICE, &made);
    if (error == cudaSuccess)
        *ret = (struct cudaPitchedPtr){made, pitch_of(extent.width), extent.width, extent.height};
    return ws_runtime_leave(runtime, error);
}

/* ---- copies ------------------------------------------------------------------------------------
 */

/* Row `y` of slice `z`. */
static guint8 *row_of(const struct cudaPitchedPtr *pointer, gsize y, gsize z)
{
    return (guint8 *)pointer->ptr + (z * pointer->ysize + y) * pointer->pitch;
}

cudaError_t ws_copy_box_in_stream(WsRuntime *runtime, cudaStream_t stream,
                                  const struct cudaPitchedPtr *to,
                                  const struct cudaPitchedPtr *from,
                                  const struct cudaExtent *extent, enum cudaMemcpyKind kind)
{
    WsCapturing *capturing = ws_stream_capturing(stream);
    cudaError_t error = cudaSuccess;
    if (extent->width > to->pitch || extent->width > from->pitch)
        return cudaErrorInvalidPitchValue;
    if (extent->width == 0 || extent->height == 0 || extent->depth == 0)
        return cudaSuccess;
    if (capturing != NULL) {
        ws_stream_capture_copy(
            capturing, &(struct cudaMemcpy3DParms){
                           .srcPtr = *from, .dstPtr = *to, .extent = *extent, .kind = kind});
        return cudaSuccess;
    }
    for (gsize z = 0; error == cudaSuccess && z < extent->depth; z++)
        for (gsize y = 0; error == cudaSuccess && y < extent->height; y++)
            error = ws_copy(runtime, row_of(to, y, z), row_of(from, y, z), extent->width, kind);
    return error;
}

static cudaError_t copy_2d(const struct cudaPitchedPtr *to, const struct cudaPitchedPtr *from,
                           enum cudaMemcpyKind kind, cudaStream_t stream, gboolean waits)
{
    const struct cudaExtent extent = {to->xsize, to->ysize, 1};
    cudaError_t error;
    WsRuntime *runtime = ws_runtime_enter_copy(stream, waits, &error);
    if (error == cudaSuccess)
        error = ws_copy_box_in_stream(runtime, stream, to, from, &extent, kind);
    return ws_runtime_leave(runtime, error);
}

cudaError_t cudaMemcpy2D(void *to, size_t to_pitch, const void *from, size_t from_pitch,
                         size_t width, size_t height, enum cudaMemcpyKind kind)
{
    return copy_2d(&(struct cudaPitchedPtr){to, to_pitch, width, height},
                   &(struct cudaPitchedPtr){(void *)(gsize)from, from_pitch, width, height}, kind,
                   NULL, TRUE);
}

cudaError_t cudaMemcpy2DAsync(void *to, size_t to_pitch, const void *from, size_t from_pitch,
                              size_t width, size_t height, enum cudaMemcpyKind kind,
                              cudaStream_t stream)
{
    return copy_2d(&(struct cudaPitchedPtr){to, to_pitch, width, height},
                   &(struct cudaPitchedPtr){(void *)(gsize)from, from_pitch, width, height}, kind,
                   stream, FALSE);
}

/* A side of a copy: one of the two, and where the box begins in it, in its elements. */
typedef struct {
    cudaArray_t handle;
    const WsArray *array;
    const struct cudaPitchedPtr *pointer;
    const struct cudaPos *at;
} Side;

static cudaError_t open_side(Side *side)
{
    side->array = ws_array_of(side->handle);
    if ((side->handle != NULL) == (side->pointer->ptr != NULL))
        return cudaErrorInvalidValue;
    return side->handle != NULL && side->array == NULL ? cudaErrorInvalidResourceHandle
                                                       : cudaSuccess;
}

static gboolean fits(gsize at, gsize size, gsize whole)
{
    return at <= whole && size <= whole - at;
}

/* The side from its position on. Its rows and slices hold the box, of `extent` bytes. */
static cudaError_t place_side(const Side *side, const struct cudaExtent *extent,
                              struct cudaPitchedPtr *ret)
{
    const WsArray *array = side->array;
    const struct cudaPos *at = side->at;
    const gsize x = at->x * (array != NULL ? array->texel_bytes : 1);
    *ret = array != NULL ? ws_array_memory(array) : *side->pointer;
    if (!fits(x, extent->width, ret->pitch))
        return array != NULL ? cudaErrorInvalidValue : cudaErrorInvalidPitchValue;
    if ((array != NULL || extent->depth > 1) && !fits(at->y, extent->height, ret->ysize))
        return cudaErrorInvalidValue;
    if (array != NULL && !fits(at->z, extent->depth, MAX(array->extent.depth, 1)))
        return cudaErrorInvalidValue;
    ret->ptr = row_of(ret, at->y, at->z) + x;
    return cudaSuccess;
}

/* The extent is in elements of the array, where there is one, and two have elements of one size. */
static cudaError_t copy_3d(WsRuntime *runtime, cudaStream_t stream,
                           const struct cudaMemcpy3DParms *parameters)
{
    Side to = {
        .handle = parameters->dstArray, .pointer = &parameters->dstPtr, .at = &parameters->dstPos};
    Side from = {
        .handle = parameters->srcArray, .pointer = &parameters->srcPtr, .at = &parameters->srcPos};
    struct cudaExtent extent = parameters->extent;
    struct cudaPitchedPtr target, source;
    cudaError_t error = open_side(&to);
    if (error == cudaSuccess)
        error = open_side(&from);
    if (error != cudaSuccess)
        return error;
    const WsArray *array = to.array != NULL ? to.array : from.array;
    if (from.array != NULL && from.array->texel_bytes != array->texel_bytes)
        return cudaErrorInvalidValue;
    if (array != NULL && extent.width > WS_DEVICE_RANGE)
        return cudaErrorInvalidValue;
    extent.width *= array != NULL ? array->texel_bytes : 1;
    error = place_side(&to, &extent, &target);
    if (error == cudaSuccess)
        error = place_side(&from, &extent, &source);
    return error == cudaSuccess
               ? ws_copy_box_in_stream(runtime, stream, &target, &source, &extent, parameters->kind)
               : error;
}

static cudaError_t check_and_copy_3d(const struct cudaMemcpy3DParms *parameters,
                                     cudaStream_t stream, gboolean waits)
{
    cudaError_t error;
    WsRuntime *runtime = ws_runtime_enter_copy(stream, waits, &error);
    if (error == cudaSuccess && parameters == NULL)
        error = cudaErrorInvalidValue;
    if (error == cudaSuccess)
        error = copy_3d(runtime, stream, parameters);
    return ws_runtime_leave(runtime, error);
}

cudaError_t cudaMemcpy3D(const struct cudaMemcpy3DParms *parameters)
{
    return check_and_copy_3d(parameters, NULL, TRUE);
}

cudaError_t cudaMemcpy3DAsync(const struct cudaMemcpy3DParms *parameters, cudaStream_t stream)
{
    return check_and_copy_3d(parameters, stream, FALSE);
}

/* ---- fills -------------------------------------------------------------------------------------
 */

/* A node of a graph fills one slice. */
static cudaError_t fill_slice(WsRuntime *runtime, WsCapturing *capturing,
                              const struct cudaPitchedPtr *pointer, gsize z, int value,
                              const struct cudaExtent *extent)
{
    cudaError_t error = cudaSuccess;
    if (capturing != NULL) {
        ws_stream_capture_fill(capturing, &(struct cudaMemsetParams){.dst = row_of(pointer, 0, z),
                                                                     .pitch = pointer->pitch,
                                                                     .value = (guint8)value,
                                                                     .elementSize = 1,
                                                                     .width = extent->width,
                                                                     .height = extent->height});
        return cudaSuccess;
    }
    for (gsize y = 0; error == cudaSuccess && y < extent->height; y++)
        error = ws_fill(runtime, row_of(pointer, y, z), value, extent->width);
    return error;
}

static cudaError_t fill_3d(const struct cudaPitchedPtr *pointer, int value,
                           const struct cudaExtent *extent, cudaStream_t stream)
{
    cudaError_t error;
    WsRuntime *runtime = ws_runtime_enter_copy(stream, FALSE, &error);
    if (error == cudaSuccess && extent->width > pointer->pitch)
        error = cudaErrorInvalidPitchValue;
    if (error == cudaSuccess && extent->depth > 1 && extent->height > pointer->ysize)
        error = cudaErrorInvalidValue;
    for (gsize z = 0; error == cudaSuccess && z < extent->depth; z++)
        error = fill_slice(runtime, ws_stream_capturing(stream), pointer, z, value, extent);
    return ws_runtime_leave(runtime, error);
}

cudaError_t cudaMemset3D(struct cudaPitchedPtr pointer, int value, struct cudaExtent extent)
{
    return fill_3d(&pointer, value, &extent, NULL);
}

cudaError_t cudaMemset3DAsync(struct cudaPitchedPtr pointer, int value, struct cudaExtent extent,
                              cudaStream_t stream)
{
    return fill_3d(&pointer, value, &extent, stream);
}

cudaError_t cudaMemset2D(void *pointer, size_t pitch, int value, size_t width, size_t height)
{
    return fill_3d(&(struct cudaPitchedPtr){pointer, pitch, width, height}, value,
                   &(struct cudaExtent){width, height, 1}, NULL);
}

cudaError_t cudaMemset2DAsync(void *pointer, size_t pitch, int value, size_t width, size_t height,
                              cudaStream_t stream)
{
    return fill_3d(&(struct cudaPitchedPtr){pointer, pitch, width, height}, value,
                   &(struct cudaExtent){width, height, 1}, stream);
}
