#include "sim/lanes/memory_operation.h"

#include <string.h>

/* A reduction is an atomic operation without a result. */
static guint8 action_of(const WsOpcodeInfo *info)
{
    if (info->flags & WS_FLAG_CAS)
        return WS_ACTION_COMPARE_AND_SWAP;
    if (info->flags & WS_FLAG_ATOMIC)
        return info->slots[0] == WS_SLOT_Rd ? WS_ACTION_ATOMIC : WS_ACTION_REDUCTION;
    return info->flags & WS_FLAG_STORE ? WS_ACTION_STORE : WS_ACTION_LOAD;
}

static const guint8 width_bytes[8] = {
    [WS_WIDTH_32] = 4,  [WS_WIDTH_U8] = 1, [WS_WIDTH_S8] = 1,   [WS_WIDTH_U16] = 2,
    [WS_WIDTH_S16] = 2, [WS_WIDTH_64] = 8, [WS_WIDTH_128] = 16,
};

static const guint8 type_bytes[16] = {
    [WS_ATOMIC_U32] = 4,   [WS_ATOMIC_S32] = 4,    [WS_ATOMIC_U64] = 8,
    [WS_ATOMIC_S64] = 8,   [WS_ATOMIC_F32] = 4,    [WS_ATOMIC_F64] = 8,
    [WS_ATOMIC_F16X2] = 4, [WS_ATOMIC_BF16X2] = 4, [WS_ATOMIC_F32_FTZ] = 4,
};

void ws_memory_operation_init(WsMemoryOperation *ret, const WsDecoded *instruction)
{
    const WsOpcodeInfo *info = ws_opcode_info(instruction->opcode);

    ret->space = (guint8)ws_opcode_space(instruction->opcode);
    ret->action = action_of(info);
    ret->width = (guint8)ws_decoded_modifier(instruction, WIDTH);
    ret->cache = (guint8)ws_decoded_modifier(instruction, CACHE);
    ret->atomic = (guint8)ws_decoded_modifier(instruction, ATOMIC);
    ret->type = (guint8)ws_decoded_modifier(instruction, ATOMIC_TYPE);
    ret->bytes = ws_action_is_atomic(ret->action) ? type_bytes[ret->type] : width_bytes[ret->width];
    ret->words = (guint8)MAX(ret->bytes / 4, 1);
}

/* RZ is a pool row; its further words are zero as well. */
static const guint32 *source_rows(const WsWarpRegisters *warp, gint row, guint32 warp_size)
{
    return row < 0 ? NULL : warp->registers + (gsize)row * warp_size;
}

void ws_operand_rows_init(WsOperandRows *ret, const WsDecodedProgram *program,
                          const WsDecoded *instruction, WsWarpRegisters *warp)
{
    ret->warp_size = program->warp_size;
    ret->destination =
        instruction->d < 0 ? NULL : warp->registers + (gsize)instruction->d * program->warp_size;
    ret->value = source_rows(warp, instruction->b, program->warp_size);
    ret->second = source_rows(warp, instruction->c, program->warp_size);
}

void ws_lane_load_any(const WsMemoryOperation *operation, const WsOperandRows *rows, guint lane,
                      const guint8 *source)
{
    guint32 value[4];
    guint16 half;
    if (rows->destination == NULL)
        return;
    switch (operation->width) {
    case WS_WIDTH_U8:
        value[0] = source[0];
        break;
    case WS_WIDTH_S8:
        value[0] = (guint32)(gint32)(gint8)source[0];
        break;
    case WS_WIDTH_U16:
        memcpy(&half, source, 2);
        value[0] = half;
        break;
    case WS_WIDTH_S16:
        memcpy(&half, source, 2);
        value[0] = (guint32)(gint32)(gint16)half;
        break;
    default:
        memcpy(value, source, operation->bytes);
        break;
    }
    for (guint word = 0; word < operation->words; word++)
        rows->destination[(gsize)word * rows->warp_size + lane] = value[word];
}

static void source_words(const guint32 *rows, guint32 warp_size, guint lane, guint words,
                         guint32 ret[4])
{
    for (guint word = 0; word < words; word++)
        ret[word] = rows == NULL ? 0 : rows[(gsize)word * warp_size + lane];
}

void ws_lane_store_any(const WsMemoryOperation *operation, const WsOperandRows *rows, guint lane,
                       guint8 *target)
{
    guint32 value[4];
    source_words(rows->value, rows->warp_size, lane, operation->words, value);
    /* The low bytes of a register are the narrow value: machine and host are little-endian. */
    memcpy(target, value, operation->bytes);
}

guint64 ws_lane_operand(const WsMemoryOperation *operation, const guint32 *rows, guint32 warp_size,
                        guint lane)
{
    guint32 value[4] = {0};
    source_words(rows, warp_size, lane, operation->words, value);
    return value[0] | (guint64)value[1] << 32;
}

guint64 ws_atomic_at(const WsMemoryOperation *operation, guint8 *target, guint64 value,
                     guint64 second)
{
    guint64 memory = 0;
    memcpy(&memory, target, operation->bytes);
    guint64 result;
    if (operation->action == WS_ACTION_COMPARE_AND_SWAP)
        result = memory == value ? second : memory;
    else
        result = ws_atomic_apply(operation->atomic, operation->type, memory, value);
    memcpy(target, &result, operation->bytes);
    return memory;
}

void ws_lane_atomic(const WsMemoryOperation *operation, const WsOperandRows *rows, guint lane,
                    guint8 *target, guint64 *old)
{
    *old = ws_atomic_at(operation, target,
                        ws_lane_operand(operation, rows->value, rows->warp_size, lane),
                        ws_lane_operand(operation, rows->second, rows->warp_size, lane));
}

void ws_lane_return(const WsMemoryOperation *operation, const WsOperandRows *rows, guint lane,
                    guint64 old)
{
    if (rows->destination == NULL || operation->action == WS_ACTION_REDUCTION)
        return;
    for (guint word = 0; word < operation->words; word++)
        rows->destination[(gsize)word * rows->warp_size + lane] = (guint32)(old >> (word * 32));
}
