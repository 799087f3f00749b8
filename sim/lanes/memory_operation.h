/*
 * What a memory instruction does to one lane: space, width, extension, atomic operation. Shared by
 * all spaces, so that a generic access behaves the same wherever its lanes end up.
 */
#ifndef WS_SIM_LANES_MEMORY_OPERATION_H
#define WS_SIM_LANES_MEMORY_OPERATION_H

#include "sim/lanes/lanes.h"

#include <string.h>

typedef enum {
    WS_ACTION_LOAD,
    WS_ACTION_STORE,
    WS_ACTION_ATOMIC,
    WS_ACTION_COMPARE_AND_SWAP,
    WS_ACTION_REDUCTION /* an atomic that returns nothing */
} WsMemoryAction;

/* Of a decoded instruction of kind MEMORY, whose own field it fills. */
void ws_memory_operation_init(WsMemoryOperation *ret, const WsDecoded *instruction);

/* TRUE if lanes read memory and change it. */
static inline gboolean ws_action_is_atomic(guint8 action)
{
    return action >= WS_ACTION_ATOMIC;
}

/* Registers of one access, resolved once for all lanes. */
typedef struct {
    guint32 *destination;  /* first row, or NULL if the result is dropped */
    const guint32 *value;  /* first row of Rb, or NULL for RZ */
    const guint32 *second; /* first row of Rc (CAS), or NULL for RZ */
    guint32 warp_size;     /* lanes of a row */
} WsOperandRows;

void ws_operand_rows_init(WsOperandRows *ret, const WsDecodedProgram *program,
                          const WsDecoded *instruction, WsWarpRegisters *warp);

/* ws_lane_load() of any width. */
void ws_lane_load_any(const WsMemoryOperation *operation, const WsOperandRows *rows, guint lane,
                      const guint8 *source);
/* Registers of `lane` = memory at `source`, extended as the width says. */
static inline void ws_lane_load(const WsMemoryOperation *operation, const WsOperandRows *rows,
                                guint lane, const guint8 *source)
{
    if (G_LIKELY(operation->width == WS_WIDTH_32 && rows->destination != NULL))
        memcpy(&rows->destination[lane], source, sizeof rows->destination[lane]);
    else
        ws_lane_load_any(operation, rows, lane, source);
}
/* Registers of all `lanes` = the 32 bits at `source`. The destination is not NULL. */
static inline void ws_lanes_fill(const WsOperandRows *rows, guint64 lanes, const guint8 *source)
{
    guint32 value;

    memcpy(&value, source, sizeof value);
    if (lanes == 0xffffffffu)
        for (guint lane = 0; lane < 32; lane++)
            rows->destination[lane] = value;
    else
        for (; lanes != 0; lanes &= lanes - 1)
            rows->destination[__builtin_ctzll(lanes)] = value;
}
/* ws_lane_store() of any width. */
void ws_lane_store_any(const WsMemoryOperation *operation, const WsOperandRows *rows, guint lane,
                       guint8 *target);
/* Memory at `target` = registers of `lane`. */
static inline void ws_lane_store(const WsMemoryOperation *operation, const WsOperandRows *rows,
                                 guint lane, guint8 *target)
{
    if (G_LIKELY(operation->width == WS_WIDTH_32 && rows->value != NULL))
        memcpy(target, &rows->value[lane], sizeof rows->value[lane]);
    else
        ws_lane_store_any(operation, rows, lane, target);
}
/* Operand of `lane` from `rows->value` or `rows->second`, up to 8 bytes, zero extended. */
guint64 ws_lane_operand(const WsMemoryOperation *operation, const guint32 *rows, guint32 warp_size,
                        guint lane);
/* One atomic at `target`; returns the old value. `second` counts for compare and swap only. */
guint64 ws_atomic_at(const WsMemoryOperation *operation, guint8 *target, guint64 value,
                     guint64 second);
/* Atomic at `target` with the operands of `lane`; the old value goes to `old` (8 bytes, zero
 * extended). */
void ws_lane_atomic(const WsMemoryOperation *operation, const WsOperandRows *rows, guint lane,
                    guint8 *target, guint64 *old);
/* Destination of `lane` = old value of an atomic. */
void ws_lane_return(const WsMemoryOperation *operation, const WsOperandRows *rows, guint lane,
                    guint64 old);

#endif
