/* Copies from and to CUDA arrays: widths and offsets are bytes and rows, as with cudaMemcpy2D(). */
#include "runtime/runtime.h"

/* A place in an array: bytes into a row, and the row. */
typedef struct {
    cudaArray_const_t array;
    gsize x, y;
} Place;

WS_RUNTIME_API cudaError_t cudaMemcpy2DToArray(cudaArray_t to, size_t x, size_t y, const void *from,
                                               size_t pitch, size_t width, size_t height,
                                               enum cudaMemcpyKind kind);
WS_RUNTIME_API cudaError_t cudaMemcpy2DToArrayAsync(cudaArray_t to, size_t x, size_t y,
                                                    const void *from, size_t pitch, size_t width,
                                                    size_t height, enum cudaMemcpyKind kind,
                                                    cudaStream_t stream);
WS_RUNTIME_API cudaError_t cudaMemcpy2DFromArray(void *to, size_t pitch, cudaArray_const_t from,
                                                 size_t x, size_t y, size_t width, size_t height,
                                                 enum cudaMemcpyKind kind);
WS_RUNTIME_API cudaError_t cudaMemcpy2DFromArrayAsync(void *to, size_t pitch,
                                                      cudaArray_const_t from, size_t x, size_t y,
                                                      size_t width, size_t height,
                                                      enum cudaMemcpyKind kind,
                                                      cudaStream_t stream);
WS_RUNTIME_API cudaError_t cudaMemcpy2DArrayToArray(cudaArray_t to, size_t to_x, size_t to_y,
                                                    cudaArray_const_t from, size_t from_x,
                                                    size_t from_y, size_t width, size_t height,
                                                    enum cudaMemcpyKind kind);
WS_RUNTIME_API cudaError_t cudaMemcpyToArray(cudaArray_t to, size_t x, size_t y, const void *from,
                                             size_t count, enum cudaMemcpyKind kind);
WS_RUNTIME_API cudaError_t cudaMemcpyToArrayAsync(cudaArray_t to, size_t x, size_t y,
                                                  const void *from, size_t count,
                                                  enum cudaMemcpyKind kind, cudaStream_t stream);
WS_RUNTIME_API cudaError_t cudaMemcpyFromArray(void *to, cudaArray_const_t from, size_t x, size_t y,
                                               size_t count, enum cudaMemcpyKind kind);
WS_RUNTIME_API cudaError_t cudaMemcpyFromArrayAsync(void *to, cudaArray_const_t from, size_t x,
                                                    size_t y, size_t count,
                                                    enum cudaMemcpyKind kind, cudaStream_t stream);

/* The rows of an array from a place on, for a box of `width` bytes and `height` rows. */
static cudaError_t rows_from(const Place *place, gsize width, gsize height,
                             struct cudaPitchedPtr *ret)
{
    const WsArray *array = ws_array_of(place->array);
    if (array == NULL)
        return cudaErrorInvalidResourceHandle;
    *ret = ws_array_memory(array);
    if (place->x > ret->pitch || width > ret->pitch - place->x || place->y > ret->ysize ||
        height > ret->ysize - place->y)
        return cudaErrorInvalidValue;
    ret->ptr = (guint8 *)ret->ptr + place->y * ret->pitch + place->x;
    return cudaSuccess;
}

/* Where a side has an array, `to` or `from` is filled in. */
static cudaError_t copy_rows(const Place *to_place, struct cudaPitchedPtr to,
                             const Place *from_place, struct cudaPitchedPtr from, gsize width,
                             gsize height, enum cudaMemcpyKind kind)
{
    WsRuntime *runtime = ws_runtime_enter();
    const struct cudaExtent extent = {width, height, 1};
    cudaError_t error = ws_runtime_wait(runtime);
    if (error == cudaSuccess && to_place != NULL)
        error = rows_from(to_place, width, height, &to);
    if (error == cudaSuccess && from_place != NULL)
        error = rows_from(from_place, width, height, &from);
    if (error == cudaSuccess && (width > to.pitch || width > from.pitch))
        error = cudaErrorInvalidPitchValue;
    if (error == cudaSuccess)
        error = ws_copy_box(runtime, &to, &from, &extent, kind);
    return ws_runtime_leave(runtime, error);
}

static struct cudaPitchedPtr rows_at(const void *pointer, gsize pitch)
{
    return (struct cudaPitchedPtr){(void *)(gsize)pointer, pitch, pitch, 0};
}

cudaError_t cudaMemcpy2DToArray(cudaArray_t to, size_t x, size_t y, const void *from, size_t pitch,
                                size_t width, size_t height, enum cudaMemcpyKind kind)
{
    return copy_rows(&(Place){to, x, y}, rows_at(NULL, 0), NULL, rows_at(from, pitch), width,
                     height, kind);
}

cudaError_t cudaMemcpy2DToArrayAsync(cudaArray_t to, size_t x, size_t y, const void *from,
                                     size_t pitch, size_t width, size_t height,
                                     enum cudaMemcpyKind kind, cudaStream_t stream)
{
    (void)stream;
    return cudaMemcpy2DToArray(to, x, y, from, pitch, width, height, kind);
}

cudaError_t cudaMemcpy2DFromArray(void *to, size_t pitch, cudaArray_const_t from, size_t x,
                                  size_t y, size_t width, size_t height, enum cudaMemcpyKind kind)
{
    return copy_rows(NULL, rows_at(to, pitch), &(Place){from, x, y}, rows_at(NULL, 0), width,
                     height, kind);
}

cudaError_t cudaMemcpy2DFromArrayAsync(void *to, size_t pitch, cudaArray_const_t from, size_t x,
                                       size_t y, size_t width, size_t height,
                                       enum cudaMemcpyKind kind, cudaStream_t stream)
{
    (void)stream;
    return cudaMemcpy2DFromArray(to, pitch, from, x, y, width, height, kind);
}

cudaError_t cudaMemcpy2DArrayToArray(cudaArray_t to, size_t to_x, size_t to_y,
                                     cudaArray_const_t from, size_t from_x, size_t from_y,
                                     size_t width, size_t height, enum cudaMemcpyKind kind)
{
    return copy_rows(&(Place){to, to_x, to_y}, rows_at(NULL, 0), &(Place){from, from_x, from_y},
                     rows_at(NULL, 0), width, height, kind);
}

/* ---- bytes that go on in the next row ----------------------------------------------------------
 */

static cudaError_t copy_bytes(cudaArray_const_t array, gsize x, gsize y, void *pointer, gsize count,
                              enum cudaMemcpyKind kind, gboolean to_array)
{
    WsRuntime *runtime = ws_runtime_enter();
    const WsArray *found = ws_array_of(array);
    cudaError_t error = ws_runtime_wait(runtime);
    if (error == cudaSuccess && found == NULL)
        error = cudaErrorInvalidResourceHandle;
    if (error == cudaSuccess) {
        const struct cudaPitchedPtr memory = ws_array_memory(found);
        guint8 *at = (guint8 *)memory.ptr + y * memory.pitch + x;
        if (x > memory.pitch || y >= memory.ysize || count > (memory.ysize - y) * memory.pitch - x)
            error = cudaErrorInvalidValue;
        else
            error = to_array ? ws_copy(runtime, at, pointer, count, kind)
                             : ws_copy(runtime, pointer, at, count, kind);
    }
    return ws_runtime_leave(runtime, error);
}

cudaError_t cudaMemcpyToArray(cudaArray_t to, size_t x, size_t y, const void *from, size_t count,
                              enum cudaMemcpyKind kind)
{
    return copy_bytes(to, x, y, (void *)(gsize)from, count, kind, TRUE);
}

cudaError_t cudaMemcpyToArrayAsync(cudaArray_t to, size_t x, size_t y, const void *from,
                                   size_t count, enum cudaMemcpyKind kind, cudaStream_t stream)
{
    (void)stream;
    return cudaMemcpyToArray(to, x, y, from, count, kind);
}

cudaError_t cudaMemcpyFromArray(void *to, cudaArray_const_t from, size_t x, size_t y, size_t count,
                                enum cudaMemcpyKind kind)
{
    return copy_bytes(from, x, y, to, count, kind, FALSE);
}

cudaError_t cudaMemcpyFromArrayAsync(void *to, cudaArray_const_t from, size_t x, size_t y,
                                     size_t count, enum cudaMemcpyKind kind, cudaStream_t stream)
{
    (void)stream;
    return cudaMemcpyFromArray(to, from, x, y, count, kind);
}
