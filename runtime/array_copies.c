/* Copies from and to CUDA arrays: widths and offsets are bytes and rows, as with cudaMemcpy2D(). */
#include "runtime/stream_copies.h"

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
                             gsize height, enum cudaMemcpyKind kind, cudaStream_t stream,
                             gboolean waits)
{
    const struct cudaExtent extent = {width, height, 1};
    cudaError_t error;
    WsRuntime *runtime = ws_runtime_enter_copy(stream, waits, &error);
    if (error == cudaSuccess && to_place != NULL)
        error = rows_from(to_place, width, height, &to);
    if (error == cudaSuccess && from_place != NULL)
        error = rows_from(from_place, width, height, &from);
    if (error == cudaSuccess)
        error = ws_copy_box_in_stream(runtime, stream, &to, &from, &extent, kind);
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
                     height, kind, NULL, TRUE);
}

cudaError_t cudaMemcpy2DToArrayAsync(cudaArray_t to, size_t x, size_t y, const void *from,
                                     size_t pitch, size_t width, size_t height,
                                     enum cudaMemcpyKind kind, cudaStream_t stream)
{
    return copy_rows(&(Place){to, x, y}, rows_at(NULL, 0), NULL, rows_at(from, pitch), width,
                     height, kind, stream, FALSE);
}

cudaError_t cudaMemcpy2DFromArray(void *to, size_t pitch, cudaArray_const_t from, size_t x,
                                  size_t y, size_t width, size_t height, enum cudaMemcpyKind kind)
{
    return copy_rows(NULL, rows_at(to, pitch), &(Place){from, x, y}, rows_at(NULL, 0), width,
                     height, kind, NULL, TRUE);
}

cudaError_t cudaMemcpy2DFromArrayAsync(void *to, size_t pitch, cudaArray_const_t from, size_t x,
                                       size_t y, size_t width, size_t height,
                                       enum cudaMemcpyKind kind, cudaStream_t stream)
{
    return copy_rows(NULL, rows_at(to, pitch), &(Place){from, x, y}, rows_at(NULL, 0), width,
                     height, kind, stream, FALSE);
}

cudaError_t cudaMemcpy2DArrayToArray(cudaArray_t to, size_t to_x, size_t to_y,
                                     cudaArray_const_t from, size_t from_x, size_t from_y,
                                     size_t width, size_t height, enum cudaMemcpyKind kind)
{
    return copy_rows(&(Place){to, to_x, to_y}, rows_at(NULL, 0), &(Place){from, from_x, from_y},
                     rows_at(NULL, 0), width, height, kind, NULL, TRUE);
}

/* ---- bytes that go on in the next row ----------------------------------------------------------
 */

/* Where `count` bytes from a place of an array on are; NULL where it has fewer. */
static guint8 *bytes_from(const WsArray *array, gsize x, gsize y, gsize count)
{
    const struct cudaPitchedPtr memory = ws_array_memory(array);
    if (x > memory.pitch || y >= memory.ysize || count > (memory.ysize - y) * memory.pitch - x)
        return NULL;
    return (guint8 *)memory.ptr + y * memory.pitch + x;
}

static cudaError_t copy_bytes(const Place *place, void *pointer, gsize count,
                              enum cudaMemcpyKind kind, gboolean to_array, cudaStream_t stream,
                              gboolean waits)
{
    const WsArray *found = ws_array_of(place->array);
    cudaError_t error;
    WsRuntime *runtime = ws_runtime_enter_copy(stream, waits, &error);
    if (error == cudaSuccess && found == NULL)
        error = cudaErrorInvalidResourceHandle;
    if (error == cudaSuccess) {
        guint8 *at = bytes_from(found, place->x, place->y, count);
        error = at == NULL ? cudaErrorInvalidValue
                           : ws_copy_in_stream(runtime, stream, to_array ? at : pointer,
                                               to_array ? pointer : at, count, kind);
    }
    return ws_runtime_leave(runtime, error);
}

cudaError_t cudaMemcpyToArray(cudaArray_t to, size_t x, size_t y, const void *from, size_t count,
                              enum cudaMemcpyKind kind)
{
    return copy_bytes(&(Place){to, x, y}, (void *)(gsize)from, count, kind, TRUE, NULL, TRUE);
}

cudaError_t cudaMemcpyToArrayAsync(cudaArray_t to, size_t x, size_t y, const void *from,
                                   size_t count, enum cudaMemcpyKind kind, cudaStream_t stream)
{
    return copy_bytes(&(Place){to, x, y}, (void *)(gsize)from, count, kind, TRUE, stream, FALSE);
}

cudaError_t cudaMemcpyFromArray(void *to, cudaArray_const_t from, size_t x, size_t y, size_t count,
                                enum cudaMemcpyKind kind)
{
    return copy_bytes(&(Place){from, x, y}, to, count, kind, FALSE, NULL, TRUE);
}

cudaError_t cudaMemcpyFromArrayAsync(void *to, cudaArray_const_t from, size_t x, size_t y,
                                     size_t count, enum cudaMemcpyKind kind, cudaStream_t stream)
{
    return copy_bytes(&(Place){from, x, y}, to, count, kind, FALSE, stream, FALSE);
}
