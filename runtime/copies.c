/* Copies and fills. */
#include "runtime/runtime.h"
#include "runtime/stream_copies.h"

#include <string.h>

WS_RUNTIME_API cudaError_t cudaMemcpy(void *to, const void *from, size_t count,
                                      enum cudaMemcpyKind kind);
WS_RUNTIME_API cudaError_t cudaMemcpyAsync(void *to, const void *from, size_t count,
                                           enum cudaMemcpyKind kind, cudaStream_t stream);
WS_RUNTIME_API cudaError_t cudaMemcpyPeer(void *to, int to_device, const void *from,
                                          int from_device, size_t count);
WS_RUNTIME_API cudaError_t cudaMemcpyPeerAsync(void *to, int to_device, const void *from,
                                               int from_device, size_t count, cudaStream_t stream);
WS_RUNTIME_API cudaError_t cudaMemset(void *pointer, int value, size_t count);
WS_RUNTIME_API cudaError_t cudaMemsetAsync(void *pointer, int value, size_t count,
                                           cudaStream_t stream);
WS_RUNTIME_API cudaError_t cudaMemcpyToSymbol(const void *symbol, const void *from, size_t count,
                                              size_t offset, enum cudaMemcpyKind kind);
WS_RUNTIME_API cudaError_t cudaMemcpyToSymbolAsync(const void *symbol, const void *from,
                                                   size_t count, size_t offset,
                                                   enum cudaMemcpyKind kind, cudaStream_t stream);
WS_RUNTIME_API cudaError_t cudaMemcpyFromSymbolAsync(void *to, const void *symbol, size_t count,
                                                     size_t offset, enum cudaMemcpyKind kind,
                                                     cudaStream_t stream);
WS_RUNTIME_API cudaError_t cudaMemcpyFromSymbol(void *to, const void *symbol, size_t count,
                                                size_t offset, enum cudaMemcpyKind kind);
WS_RUNTIME_API cudaError_t cudaGetSymbolAddress(void **ret, const void *symbol);
WS_RUNTIME_API cudaError_t cudaGetSymbolSize(size_t *ret, const void *symbol);
WS_RUNTIME_API cudaError_t cudaMemPrefetchAsync(const void *pointer, size_t count, int device,
                                                cudaStream_t stream);
WS_RUNTIME_API cudaError_t cudaMemAdvise(const void *pointer, size_t count,
                                         enum cudaMemoryAdvise advice, int device);
WS_RUNTIME_API cudaError_t cudaStreamAttachMemAsync(cudaStream_t stream, void *pointer,
                                                    size_t length, unsigned int flags);

/* ---- sides of a copy ---------------------------------------------------------------------------
 */

static gboolean is_device_range(WsRuntime *runtime, const void *pointer)
{
    return runtime->reserved != NULL && (const guint8 *)pointer >= runtime->reserved &&
           (const guint8 *)pointer < runtime->reserved + WS_DEVICE_RANGE;
}

static gboolean is_only_for_device(WsMemoryKind kind)
{
    return kind == WS_MEMORY_DEVICE || kind == WS_MEMORY_GRAPH || kind == WS_MEMORY_CONDITION ||
           kind == WS_MEMORY_VARIABLE;
}

/* What has the bytes of a side, for the time that they take. Managed memory is the device's. */
typedef enum { PLACE_DEVICE, PLACE_PINNED, PLACE_PAGEABLE } Place;

static Place place_of(const WsAllocation *allocation)
{
    if (allocation == NULL)
        return PLACE_PAGEABLE;
    return allocation->kind == WS_MEMORY_HOST || allocation->kind == WS_MEMORY_REGISTERED
               ? PLACE_PINNED
               : PLACE_DEVICE;
}

/* Copies between two places of the host go the way of those from the device. */
static WsTransfer transfer_of(Place to, Place from)
{
    if (to == PLACE_DEVICE && from == PLACE_DEVICE)
        return WS_TRANSFER_ON_DEVICE;
    if (to == PLACE_DEVICE)
        return from == PLACE_PINNED ? WS_TRANSFER_TO_DEVICE : WS_TRANSFER_PAGEABLE_TO_DEVICE;
    return to == PLACE_PINNED && from != PLACE_PAGEABLE ? WS_TRANSFER_TO_HOST
                                                        : WS_TRANSFER_PAGEABLE_TO_HOST;
}

/*
 * Where the bytes of one side of a copy are for the library; NULL: they are not where that side has
 * to be. `wants_device`: what the direction says, -1 = anywhere. `ret_place`: NULL, or what has
 * them.
 */
static guint8 *side_of(WsRuntime *runtime, const void *pointer, gsize bytes, int wants_device,
                       Place *ret_place)
{
    const WsAllocation *found = ws_memory_find(runtime, pointer, bytes);
    if (ret_place != NULL)
        *ret_place = place_of(found);
    if (found == NULL)
        return is_device_range(runtime, pointer) || wants_device == 1 ? NULL : (guint8 *)pointer;
    if (wants_device == 0 && is_only_for_device(found->kind))
        return NULL;
    return found->data + ((guint64)(gsize)pointer - found->address);
}

cudaError_t ws_copy(WsRuntime *runtime, void *to, const void *from, gsize count,
                    enum cudaMemcpyKind kind)
{
    static const struct {
        int to, from;
    } sides[] = {[cudaMemcpyHostToHost] = {0, 0},
                 [cudaMemcpyHostToDevice] = {1, 0},
                 [cudaMemcpyDeviceToHost] = {0, 1},
                 [cudaMemcpyDeviceToDevice] = {1, 1},
                 [cudaMemcpyDefault] = {-1, -1}};
    if ((guint)kind >= G_N_ELEMENTS(sides))
        return cudaErrorInvalidMemcpyDirection;
    if (count == 0)
        return cudaSuccess;
    if (to == NULL || from == NULL)
        return cudaErrorInvalidValue;
    Place to_place, from_place;
    guint8 *target = side_of(runtime, to, count, sides[kind].to, &to_place);
    const guint8 *source = side_of(runtime, from, count, sides[kind].from, &from_place);
    if (target == NULL || source == NULL)
        return cudaErrorInvalidValue;
    memmove(target, source, count);
    ws_timeline_move(&runtime->timeline, transfer_of(to_place, from_place), count);
    return cudaSuccess;
}

/* A node of bytes in one row. */
cudaError_t ws_copy_in_stream(WsRuntime *runtime, cudaStream_t stream, void *to, const void *from,
                              gsize count, enum cudaMemcpyKind kind)
{
    WsCapturing *capturing = ws_stream_capturing(stream);
    const struct cudaMemcpy3DParms copy = {.srcPtr = {.ptr = (void *)(gsize)from},
                                           .dstPtr = {.ptr = to},
                                           .extent = {.width = count},
                                           .kind = kind};
    if (capturing == NULL)
        return ws_copy(runtime, to, from, count, kind);
    ws_stream_capture_copy(capturing, &copy);
    return cudaSuccess;
}

/* Copies that wait for the device show what kernels have printed. */
static cudaError_t copy(void *to, const void *from, size_t count, enum cudaMemcpyKind kind,
                        cudaStream_t stream, gboolean waits)
{
    cudaError_t error;
    WsRuntime *runtime = ws_runtime_enter_copy(stream, waits, &error);
    if (error == cudaSuccess)
        error = ws_copy_in_stream(runtime, stream, to, from, count, kind);
    return ws_runtime_leave(runtime, error);
}

cudaError_t cudaMemcpy(void *to, const void *from, size_t count, enum cudaMemcpyKind kind)
{
    return copy(to, from, count, kind, NULL, TRUE);
}

cudaError_t cudaMemcpyAsync(void *to, const void *from, size_t count, enum cudaMemcpyKind kind,
                            cudaStream_t stream)
{
    return copy(to, from, count, kind, stream, FALSE);
}

cudaError_t cudaMemcpyPeer(void *to, int to_device, const void *from, int from_device, size_t count)
{
    return to_device != 0 || from_device != 0
               ? ws_runtime_return(cudaErrorInvalidDevice)
               : cudaMemcpy(to, from, count, cudaMemcpyDeviceToDevice);
}

cudaError_t cudaMemcpyPeerAsync(void *to, int to_device, const void *from, int from_device,
                                size_t count, cudaStream_t stream)
{
    return to_device != 0 || from_device != 0
               ? ws_runtime_return(cudaErrorInvalidDevice)
               : cudaMemcpyAsync(to, from, count, cudaMemcpyDeviceToDevice, stream);
}

cudaError_t ws_fill(WsRuntime *runtime, void *pointer, int value, gsize count)
{
    if (count == 0)
        return cudaSuccess;
    guint8 *at = pointer == NULL ? NULL : side_of(runtime, pointer, count, 1, NULL);
    if (at == NULL)
        return cudaErrorInvalidValue;
    memset(at, value, count);
    ws_timeline_move(&runtime->timeline, WS_TRANSFER_FILL, count);
    return cudaSuccess;
}

static cudaError_t fill(void *pointer, int value, size_t count, cudaStream_t stream)
{
    cudaError_t error;
    WsRuntime *runtime = ws_runtime_enter_copy(stream, FALSE, &error);
    if (error == cudaSuccess)
        error = ws_fill(runtime, pointer, value, count);
    return ws_runtime_leave(runtime, error);
}

cudaError_t cudaMemset(void *pointer, int value, size_t count)
{
    return fill(pointer, value, count, NULL);
}

cudaError_t cudaMemsetAsync(void *pointer, int value, size_t count, cudaStream_t stream)
{
    WsCapturing *capturing = ws_stream_capturing(stream);
    const struct cudaMemsetParams row = {
        .dst = pointer, .value = (guint8)value, .elementSize = 1, .width = count, .height = 1};
    if (capturing == NULL)
        return fill(pointer, value, count, stream);
    ws_stream_capture_fill(capturing, &row);
    return cudaSuccess;
}

/* ---- variables ---------------------------------------------------------------------------------
 */

static cudaError_t find_symbol(WsRuntime *runtime, const void *symbol, gsize offset, gsize count,
                               const WsEntry **ret)
{
    const WsEntry *entry = g_hash_table_lookup(runtime->variables, symbol);
    *ret = entry;
    if (entry == NULL)
        return cudaErrorInvalidSymbol;
    if (offset > entry->size || count > entry->size - offset)
        return cudaErrorInvalidValue;
    return ws_module_load(runtime, entry->module);
}

static cudaError_t write_symbol(const void *symbol, const void *from, gsize count, gsize offset,
                                enum cudaMemcpyKind kind, cudaStream_t stream, gboolean waits)
{
    cudaError_t error;
    WsRuntime *runtime = ws_runtime_enter_copy(stream, waits, &error);
    const WsEntry *entry = NULL;
    Place place = PLACE_PAGEABLE;
    if (error == cudaSuccess && kind != cudaMemcpyHostToDevice &&
        kind != cudaMemcpyDeviceToDevice && kind != cudaMemcpyDefault)
        error = cudaErrorInvalidMemcpyDirection;
    if (error == cudaSuccess)
        error = find_symbol(runtime, symbol, offset, count, &entry);
    const guint8 *source =
        error == cudaSuccess && from != NULL
            ? side_of(runtime, from, count, kind == cudaMemcpyDeviceToDevice ? 1 : -1, &place)
            : NULL;
    if (error == cudaSuccess &&
        (source == NULL || warpstep_write_symbol(runtime->gpu, entry->module->program, entry->name,
                                                 offset, source, count) != WARPSTEP_OK))
        error = cudaErrorInvalidValue;
    if (error == cudaSuccess)
        ws_timeline_move(&runtime->timeline, transfer_of(PLACE_DEVICE, place), count);
    return ws_runtime_leave(runtime, error);
}

static cudaError_t read_symbol(void *to, const void *symbol, gsize count, gsize offset,
                               enum cudaMemcpyKind kind, cudaStream_t stream, gboolean waits)
{
    cudaError_t error;
    WsRuntime *runtime = ws_runtime_enter_copy(stream, waits, &error);
    const WsEntry *entry = NULL;
    Place place = PLACE_PAGEABLE;
    if (error == cudaSuccess && kind != cudaMemcpyDeviceToHost &&
        kind != cudaMemcpyDeviceToDevice && kind != cudaMemcpyDefault)
        error = cudaErrorInvalidMemcpyDirection;
    if (error == cudaSuccess)
        error = find_symbol(runtime, symbol, offset, count, &entry);
    guint8 *target =
        error == cudaSuccess && to != NULL
            ? side_of(runtime, to, count, kind == cudaMemcpyDeviceToDevice ? 1 : -1, &place)
            : NULL;
    if (error == cudaSuccess &&
        (target == NULL || warpstep_read_symbol(runtime->gpu, entry->module->program, entry->name,
                                                offset, target, count) != WARPSTEP_OK))
        error = cudaErrorInvalidValue;
    if (error == cudaSuccess)
        ws_timeline_move(&runtime->timeline, transfer_of(place, PLACE_DEVICE), count);
    return ws_runtime_leave(runtime, error);
}

/* Where a copy of `count` bytes begins in the variable, for a node of a graph. */
static cudaError_t place_in_symbol(const void *symbol, gsize count, gsize offset, guint8 **ret)
{
    void *address = NULL;
    size_t size = 0;
    cudaError_t error = cudaGetSymbolAddress(&address, symbol);
    if (error == cudaSuccess)
        error = cudaGetSymbolSize(&size, symbol);
    if (error == cudaSuccess && (offset > size || count > size - offset))
        error = ws_runtime_return(cudaErrorInvalidValue);
    *ret = (guint8 *)address + offset;
    return error;
}

cudaError_t cudaMemcpyToSymbol(const void *symbol, const void *from, size_t count, size_t offset,
                               enum cudaMemcpyKind kind)
{
    return write_symbol(symbol, from, count, offset, kind, NULL, TRUE);
}

cudaError_t cudaMemcpyToSymbolAsync(const void *symbol, const void *from, size_t count,
                                    size_t offset, enum cudaMemcpyKind kind, cudaStream_t stream)
{
    guint8 *at = NULL;
    if (ws_stream_capturing(stream) == NULL)
        return write_symbol(symbol, from, count, offset, kind, stream, FALSE);
    const cudaError_t error = place_in_symbol(symbol, count, offset, &at);
    return error == cudaSuccess ? cudaMemcpyAsync(at, from, count, kind, stream) : error;
}

cudaError_t cudaMemcpyFromSymbol(void *to, const void *symbol, size_t count, size_t offset,
                                 enum cudaMemcpyKind kind)
{
    return read_symbol(to, symbol, count, offset, kind, NULL, TRUE);
}

cudaError_t cudaMemcpyFromSymbolAsync(void *to, const void *symbol, size_t count, size_t offset,
                                      enum cudaMemcpyKind kind, cudaStream_t stream)
{
    guint8 *at = NULL;
    if (ws_stream_capturing(stream) == NULL)
        return read_symbol(to, symbol, count, offset, kind, stream, FALSE);
    const cudaError_t error = place_in_symbol(symbol, count, offset, &at);
    return error == cudaSuccess ? cudaMemcpyAsync(to, at, count, kind, stream) : error;
}

/* Kernels of other files may have a variable of theirs at that address: then it is refused. */
cudaError_t cudaGetSymbolAddress(void **ret, const void *symbol)
{
    WsRuntime *runtime = ws_runtime_enter();
    const WsEntry *entry = NULL;
    guint64 address = 0;
    void *memory = NULL;
    gsize bytes = 0;
    cudaError_t error = ws_runtime_use(runtime);
    if (error == cudaSuccess)
        error = find_symbol(runtime, symbol, 0, 0, &entry);
    if (error == cudaSuccess && warpstep_symbol(runtime->gpu, entry->module->program, entry->name,
                                                &address, &memory, &bytes) != WARPSTEP_OK)
        error = cudaErrorInvalidSymbol;
    if (error == cudaSuccess && !ws_memory_note_variable(runtime, address, bytes, memory))
        error = cudaErrorNotSupported;
    if (error == cudaSuccess)
        *ret = (void *)address;
    return ws_runtime_leave(runtime, error);
}

cudaError_t cudaGetSymbolSize(size_t *ret, const void *symbol)
{
    WsRuntime *runtime = ws_runtime_enter();
    const WsEntry *entry = NULL;
    cudaError_t error = ws_runtime_use(runtime);
    if (error == cudaSuccess)
        error = find_symbol(runtime, symbol, 0, 0, &entry);
    if (error == cudaSuccess)
        *ret = entry->size;
    return ws_runtime_leave(runtime, error);
}

/* ---- hints -------------------------------------------------------------------------------------
 */

/* Memory is where it is: managed memory does not move. */
static cudaError_t take_hint(const void *pointer, gsize count)
{
    WsRuntime *runtime = ws_runtime_enter();
    cudaError_t error = ws_runtime_use(runtime);
    const WsAllocation *found = ws_memory_find(runtime, pointer, count);
    if (error == cudaSuccess && (found == NULL || found->kind != WS_MEMORY_MANAGED))
        error = cudaErrorInvalidValue;
    return ws_runtime_leave(runtime, error);
}

cudaError_t cudaMemPrefetchAsync(const void *pointer, size_t count, int device, cudaStream_t stream)
{
    (void)device, (void)stream;
    return take_hint(pointer, count);
}

cudaError_t cudaMemAdvise(const void *pointer, size_t count, enum cudaMemoryAdvise advice,
                          int device)
{
    (void)advice, (void)device;
    return take_hint(pointer, count);
}

cudaError_t cudaStreamAttachMemAsync(cudaStream_t stream, void *pointer, size_t length,
                                     unsigned int flags)
{
    (void)stream, (void)flags;
    return take_hint(pointer, length);
}
