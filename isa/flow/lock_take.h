/*
 * Exchanges that take a lock, against those that give it back. Both write the lock: a loop that
 * has given its lock back is often followed by one that takes the same lock again.
 */
#ifndef WS_ISA_FLOW_LOCK_TAKE_H
#define WS_ISA_FLOW_LOCK_TAKE_H

#include "isa/bytecode/instruction.h"

/* Instructions of a basic block, and one of them. */
typedef struct {
    const WsInstruction *code;
    guint32 count;
    guint32 at;
} WsPlaceInBlock;

/* Compare-and-swap or exchange, of any memory. */
gboolean ws_is_exchange(const WsInstruction *instruction);

/*
 * Whether the exchange at `place` takes the lock that the one at `taker` takes: it leaves the same
 * number there. Where a number is not known from its block, an exchange takes a lock if its block
 * reads what it returns: who gives a lock back does not ask.
 */
gboolean ws_takes_again(const WsPlaceInBlock *place, const WsPlaceInBlock *taker);

#endif
