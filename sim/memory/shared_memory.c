#include "sim/memory/shared_memory.h"

#include "sim/device/ideal_device.h"

#include <string.h>

void ws_shared_memory_init(WsSharedMemory *shared, WsStateArena *arena, const WsDevice *device)
{
    shared->arena = arena;
    shared->block_count =
        device->ideal_blocks ? WS_IDEAL_BLOCKS : (guint32)device->max_blocks_per_sm;
    shared->blocks = ws_state_new(arena, WsSharedBlock, shared->block_count);
    shared->banks = (guint32)device->shared_banks;
    shared->conflicts[0] = device->shared_conflicts == 1;
    shared->conflicts[1] = shared->conflicts[0] && !device->ideal_atomics;
}

void ws_shared_memory_clear(WsSharedMemory *shared)
{
    for (guint32 i = 0; i < shared->block_count; i++) {
        ws_state_free(shared->arena, shared->blocks[i].data);
        ws_state_free(shared->arena, shared->blocks[i].writers);
    }
    ws_state_free(shared->arena, shared->blocks);
}

void ws_shared_memory_begin_block(WsSharedMemory *shared, guint32 block_slot, guint64 bytes)
{
    WsSharedBlock *block = &shared->blocks[block_slot];
    if (bytes > block->capacity) {
        ws_state_free(shared->arena, block->data);
        block->data = ws_state_alloc(shared->arena, bytes, 1);
        block->capacity = bytes;
    } else if (bytes > 0) {
        memset(block->data, 0, bytes);
    }
    block->bytes = bytes;
}

void ws_shared_memory_keep_writers(WsSharedMemory *shared, guint32 block_slot)
{
    WsSharedBlock *block = &shared->blocks[block_slot];

    ws_state_free(shared->arena, block->writers);
    block->writers = ws_state_new(shared->arena, WsSharedWriter, block->bytes / 4 + 1);
}

gboolean ws_shared_memory_holds(const WsSharedMemory *shared, guint32 block_slot,
                                const WsAddressSpan *span, guint32 bytes)
{
    guint64 size = shared->blocks[block_slot].bytes;
    return span->misaligned == 0 && span->high < size && bytes <= size - span->high;
}

gint ws_shared_memory_check(const WsSharedMemory *shared, guint32 block_slot, const guint64 *offset,
                            guint64 mask, guint32 bytes, const char **ret)
{
    guint64 size = shared->blocks[block_slot].bytes;
    for (guint64 rest = mask; rest != 0; rest &= rest - 1) {
        guint lane = (guint)__builtin_ctzll(rest);
        if (offset[lane] & (bytes - 1))
            *ret = "misaligned";
        else if (offset[lane] >= size || bytes > size - offset[lane])
            *ret = "out of bounds";
        else
            continue;
        return (gint)lane;
    }
    return -1;
}

/* A pass for each lane in a bank: atomics on one word do not share it. */
static WsBankPasses atomic_passes(const guint64 *offset, guint64 mask, guint32 warp_size,
                                  guint32 bytes, guint32 banks)
{
    guint32 in_bank[64] = {0};
    guint32 most = 0, words = MAX(bytes / 4, 1);
    for (guint64 rest = mask; rest != 0; rest &= rest - 1) {
        guint32 bank = (guint32)(offset[__builtin_ctzll(rest)] / 4 % banks);
        in_bank[bank]++;
        most = MAX(most, in_bank[bank]);
    }
    guint32 group = ws_bank_group_lanes(banks, bytes), groups = (warp_size + group - 1) / group;
    WsBankPasses passes = {.wavefronts = most * words, .least = MIN(words, most * words)};
    passes.conflicts = passes.wavefronts > groups ? passes.wavefronts - groups : 0;
    return passes;
}

/* Accesses of up to a word by no more lanes than there are banks, of which a pass serves all but
 * those with other words of the same bank. */
static WsBankPasses word_passes(const WsSharedMemory *shared, const guint64 *offset, guint64 mask,
                                guint32 bytes, const WsAddressSpan *span)
{
    gboolean is_power = (shared->banks & (shared->banks - 1)) == 0;
    WsBankPasses passes = {.wavefronts = 1, .least = 1};

    /* Words of one stretch as long as there are banks are all in other banks, or the same. */
    if (span == NULL || span->high / 4 - span->low / 4 >= shared->banks)
        passes.wavefronts = span != NULL && span->rising && bytes == 4 && is_power
                                ? ws_bank_depth_of_own(offset, 32, shared->banks)
                                : ws_bank_depth(offset, mask, 4, shared->banks);
    passes.conflicts = passes.wavefronts - 1;
    return passes;
}

WsBankPasses ws_shared_memory_passes(const WsSharedMemory *shared,
                                     const WsMemoryOperation *operation, const guint64 *offset,
                                     guint64 mask, guint32 warp_size, const WsAddressSpan *span)
{
    gboolean atomic = ws_action_is_atomic(operation->action);
    WsBankPasses passes;

    if (atomic)
        passes = atomic_passes(offset, mask, warp_size, operation->bytes, shared->banks);
    else if (operation->bytes <= 4 && warp_size <= shared->banks)
        passes = word_passes(shared, offset, mask, operation->bytes, span);
    else
        passes = ws_bank_passes(offset, mask, warp_size, operation->bytes, shared->banks,
                                operation->action == WS_ACTION_LOAD);
    if (!shared->conflicts[atomic]) {
        passes.wavefronts -= passes.conflicts;
        passes.conflicts = 0;
    }
    return passes;
}

/* A whole row in one copy: 32 bits a lane, in ascending order. */
static void move_row(guint8 *place, const WsMemoryOperation *operation, const WsOperandRows *rows)
{
    gsize bytes = (gsize)rows->warp_size * 4;

    if (operation->action == WS_ACTION_LOAD && rows->destination != NULL)
        memcpy(rows->destination, place, bytes);
    else if (operation->action == WS_ACTION_STORE && rows->value != NULL)
        memcpy(place, rows->value, bytes);
    else if (operation->action == WS_ACTION_STORE)
        memset(place, 0, bytes);
}

/* 32 bits in each lane of 32. */
static void load_row(const guint8 *data, const WsOperandRows *rows, const guint64 *offset)
{
    for (guint lane = 0; lane < 32; lane++)
        memcpy(&rows->destination[lane], data + offset[lane], sizeof rows->destination[lane]);
}

static void store_row(guint8 *data, const WsOperandRows *rows, const guint64 *offset)
{
    for (guint lane = 0; lane < 32; lane++)
        memcpy(data + offset[lane], &rows->value[lane], sizeof rows->value[lane]);
}

/* Accesses of 32 bits that need not go lane by lane; FALSE: this one does. */
static gboolean move_words(guint8 *data, const WsMemoryOperation *operation,
                           const WsOperandRows *rows, const guint64 *offset, guint64 mask,
                           const WsAddressSpan *span)
{
    gboolean load = operation->action == WS_ACTION_LOAD && rows->destination != NULL;
    gboolean store = operation->action == WS_ACTION_STORE && rows->value != NULL;

    if (operation->width != WS_WIDTH_32 || ws_action_is_atomic(operation->action) || span == NULL)
        return FALSE;
    if (span->ascending)
        move_row(data + span->low, operation, rows);
    else if (load && span->low == span->high)
        ws_lanes_fill(rows, mask, data + span->low);
    else if (load && mask == 0xffffffffu)
        load_row(data, rows, offset);
    else if (store && mask == 0xffffffffu)
        store_row(data, rows, offset);
    else
        return FALSE;
    return TRUE;
}

void ws_shared_memory_do(WsSharedMemory *shared, guint32 block_slot,
                         const WsMemoryOperation *operation, const WsOperandRows *rows,
                         const guint64 *offset, guint64 mask, const WsAddressSpan *span)
{
    guint8 *data = shared->blocks[block_slot].data;
    if (move_words(data, operation, rows, offset, mask, span))
        return;
    for (guint64 rest = mask; rest != 0; rest &= rest - 1) {
        guint lane = (guint)__builtin_ctzll(rest);
        guint8 *place = data + offset[lane];
        guint64 old;
        if (operation->action == WS_ACTION_LOAD) {
            ws_lane_load(operation, rows, lane, place);
        } else if (operation->action == WS_ACTION_STORE) {
            ws_lane_store(operation, rows, lane, place);
        } else {
            ws_lane_atomic(operation, rows, lane, place, &old);
            ws_lane_return(operation, rows, lane, old);
        }
    }
}
