/*
 * Whether LLVM's entries on variables stand where the source has the assignments. An instruction
 * that LLVM moves takes its entry along, and entries of a block may change places; then what stands
 * in front of a statement is not what the source gives the variable there. The lines of the
 * instructions that compute values tell: on a way without a jump back, lines rise. Where an entry
 * stands on the wrong side of a statement of another line, the variable is taken to be unknown.
 */
#ifndef WS_ISA_DEBUG_SOURCE_ORDER_H
#define WS_ISA_DEBUG_SOURCE_ORDER_H

#include "isa/debug/machine_dump.h"

/* A line of 0 is not known; G_MAXUINT32 may be any. */
typedef struct {
    guint32 from; /* the assignment is in no line in front of this one */
    guint32 line; /* that it is taken to be in */
    gboolean is_sure;
    /*
     * Lines of entries on the variable in front of it, on all ways without a jump back; and whether
     * one of its block may be of any line.
     */
    guint32 least_before, most_before;
    gboolean any_before;
} WsAssignment;

typedef struct WsSourceOrder WsSourceOrder;

WsSourceOrder *ws_source_order_new(const WsMachineDump *dump, const WsMachineFunction *function);
void ws_source_order_free(WsSourceOrder *order);

/* Of entry `i` of the function, which is on a variable. */
const WsAssignment *ws_source_order_assignment(const WsSourceOrder *order, guint32 i);

/*
 * Whether the variable has the value of `assignment` in front of statement `i`, as far as lines
 * tell. `is_old`: the assignment was made before a jump back.
 */
gboolean ws_source_order_holds(const WsSourceOrder *order, guint32 i, guint32 variable,
                               const WsAssignment *assignment, gboolean is_old);

/* TRUE for a jump back from block `from` of the function to block `to`. */
gboolean ws_source_order_is_back(const WsSourceOrder *order, guint32 from, guint32 to);

#endif
