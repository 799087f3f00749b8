/*
 * Loads and stores of all lanes at once, where one look says that none of them can be wrong: all
 * lie in one buffer, or in the memory of the block or the thread. What this file does not take goes
 * lane by lane (memory.c), with the same result.
 */
#include "sim/interpreter/private.h"
#include "sim/lanes/memory_operation.h"
#include "sim/memory/global_memory.h"

#include <string.h>

enum { WINDOW_BYTES = 16 << 20 };

/* Where lane `l` finds its address a: base + l * stride + a, modulo 2^64. */
typedef struct {
    guintptr base; /* as if address 0 lay there */
    gsize stride;
} Place;

static guint8 *at_place(const Place *place, guint lane, guint64 address)
{
    return (guint8 *)(place->base + lane * place->stride + address);
}

static gboolean is_in(guint64 size, guint64 low, guint64 high, guint32 bytes)
{
    return high < size && bytes <= size - high && low <= high;
}

static gboolean place_shared(const WsInterpreter *interpreter, const WsAddressSpan *span,
                             guint64 window, guint32 bytes, Place *ret)
{
    *ret = (Place){(guintptr)interpreter->block->shared - window, 0};
    return is_in(interpreter->shared_bytes, span->low - window, span->high - window, bytes);
}

static gboolean place_local(const WsInterpreter *interpreter, const WsInterpretedWarp *warp,
                            const WsAddressSpan *span, guint64 window, guint32 bytes, Place *ret)
{
    const guint64 stride = interpreter->local_bytes;
    *ret = (Place){
        (guintptr)interpreter->block->local + warp->context.first_thread * stride - window, stride};
    return is_in(stride, span->low - window, span->high - window, bytes);
}

/* Most accesses are to the buffers of those before. */
static gboolean place_global(WsInterpreter *interpreter, const WsMemoryOperation *operation,
                             const WsAddressSpan *span, Place *ret)
{
    const WsRegion *region = interpreter->region;
    const guint32 bytes = operation->bytes;
    if (region == NULL || span->low < region->base ||
        !is_in(region->bytes, span->low - region->base, span->high - region->base, bytes))
        region =
            ws_global_memory_find(interpreter->memory, span->low, span->high - span->low + bytes);
    if (region == NULL || (region->read_only && operation->action != WS_ACTION_LOAD))
        return FALSE;
    interpreter->region = region;
    *ret = (Place){(guintptr)region->data - region->base, 0};
    return TRUE;
}

static gboolean find_place(WsInterpreter *interpreter, const WsInterpretedWarp *warp,
                           const WsMemoryOperation *operation, const WsAddressSpan *span,
                           Place *ret)
{
    const guint64 low = span->low;
    switch ((WsSpace)operation->space) {
    case WS_SPACE_SHARED:
        return place_shared(interpreter, span, 0, operation->bytes, ret);
    case WS_SPACE_LOCAL:
        return place_local(interpreter, warp, span, 0, operation->bytes, ret);
    case WS_SPACE_GENERIC:
        if (low - WS_SHARED_WINDOW < WINDOW_BYTES)
            return place_shared(interpreter, span, WS_SHARED_WINDOW, operation->bytes, ret);
        if (low - WS_LOCAL_WINDOW < WINDOW_BYTES)
            return place_local(interpreter, warp, span, WS_LOCAL_WINDOW, operation->bytes, ret);
        if (low < WS_SHARED_WINDOW)
            return FALSE; /* it may reach into the windows */
        break;
    default:
        break;
    }
    return place_global(interpreter, operation, span, ret);
}

/* A row of words, lane by lane. */
static void move_row(const WsMemoryOperation *operation, const WsOperandRows *rows, guint8 *at)
{
    const gsize bytes = rows->warp_size * sizeof(guint32);
    if (operation->action == WS_ACTION_LOAD)
        memcpy(rows->destination, at, bytes);
    else
        memcpy(at, rows->value, bytes);
}

/* The word at one address, for all lanes. */
static void spread_word(const WsOperandRows *rows, const guint8 *at)
{
    guint32 word;
    memcpy(&word, at, sizeof word);
    for (guint lane = 0; lane < rows->warp_size; lane++) {
        rows->destination[lane] = word;
    }
}

static void move_lanes(const WsMemoryOperation *operation, const WsOperandRows *rows, guint64 mask,
                       const guint64 *address, const Place *place)
{
    const gboolean loads = operation->action == WS_ACTION_LOAD;
    const gboolean words = operation->width == WS_WIDTH_32 && !loads && rows->value != NULL;
    for (; mask; mask &= mask - 1) {
        const guint lane = (guint)__builtin_ctzll(mask);
        guint8 *at = at_place(place, lane, address[lane]);
        if (loads)
            ws_lane_load(operation, rows, lane, at);
        else if (words)
            memcpy(at, &rows->value[lane], sizeof rows->value[lane]);
        else
            ws_lane_store(operation, rows, lane, at);
    }
}

gboolean ws_interpret_span(WsInterpreter *interpreter, const WsInterpretedWarp *warp,
                           const WsDecoded *instruction, const WsOperandRows *rows, guint64 mask,
                           guint64 *address, const WsAddressSpan *span)
{
    const WsMemoryOperation *operation = &instruction->operation;
    const gboolean loads = operation->action == WS_ACTION_LOAD;
    Place place;
    if (mask == 0 || span->misaligned != 0 || (!loads && operation->action != WS_ACTION_STORE) ||
        !find_place(interpreter, warp, operation, span, &place))
        return FALSE;
    const gboolean is_local = place.stride != 0;
    const guint32 *row = loads ? rows->destination : rows->value;
    interpreter->changes += !loads && !is_local;
    const gboolean is_row = operation->width == WS_WIDTH_32 && row != NULL && !is_local;
    if (span->ascending && is_row) {
        move_row(operation, rows, at_place(&place, 0, address[0]));
        return TRUE;
    }
    if (loads && is_row && span->low == span->high && mask == interpreter->program->all_lanes) {
        spread_word(rows, at_place(&place, 0, span->low));
        return TRUE;
    }
    if (span->ascending)
        ws_fill_ascending(address, rows->warp_size, operation->bytes);
    move_lanes(operation, rows, mask, address, &place);
    return TRUE;
}
