/*
 * Where lanes that leave a loop which takes a lock are to join. Lanes that hold a lock must not
 * wait for those that want it, so the join stands behind the instruction that gives it back.
 */
#ifndef WS_ISA_FLOW_LOCK_RELEASE_H
#define WS_ISA_FLOW_LOCK_RELEASE_H

#include "isa/flow/control_flow.h"
#include "isa/flow/loops.h"

/*
 * The block that begins behind the release of the lock which the loop around `branch` (a block that
 * leaves it) takes with a compare-and-swap or an exchange; WS_NO_NODE if there is none. The release
 * is a store or an exchange to the same address operand, on the way from the loop to the end that
 * all lanes take (`post`: immediate post-dominators), and no exchange that takes the lock again
 * (isa/flow/lock_take.h): before one of these the loop itself has given the lock back. If it stands
 * inside a block, nothing is returned and `ret_split` is the number of the instruction behind it,
 * for ws_control_flow_split().
 */
guint32 ws_join_behind_release(const WsInstruction *program, const WsControlFlow *flow,
                               const WsLoops *loops, const guint32 *post, guint32 branch,
                               guint32 *ret_split);

/* The same flow with a block that begins at instruction `number` of the program. */
WsControlFlow *ws_control_flow_split(const WsControlFlow *flow, guint32 first, guint32 count,
                                     guint32 number);

#endif
