/*
 * What can differ between the lanes of a warp: a data-flow analysis over the code of one kernel.
 * Values that come from the lane (TID, LANEID, lane masks), from memory at an address that differs,
 * from atomics and from shuffles may differ; constants, parameters and uniform registers cannot.
 * What is written on a path that only some lanes take may differ from there on. The answer errs on
 * the side of "divergent".
 */
#ifndef WS_ISA_FLOW_BRANCH_UNIFORMITY_H
#define WS_ISA_FLOW_BRANCH_UNIFORMITY_H

#include "isa/flow/control_flow.h"

typedef enum {
    WS_UNIFORM,      /* the same for all threads of the grid, as far as parameters go */
    WS_WARP_UNIFORM, /* the same for the lanes of a warp (block index, votes, memory at one address)
                      */
    WS_DIVERGENT     /* may differ between lanes */
} WsUniformity;

/*
 * For every instruction of `flow` (in order from the kernel's first; `program` as given to
 * ws_control_flow_new()): how far its condition (guard, and condition operand or BRX index) is
 * uniform. Unconditional instructions are WS_UNIFORM. To be freed with g_free().
 */
guint8 *ws_condition_uniformity(const WsInstruction *program, const WsControlFlow *flow);

#endif
