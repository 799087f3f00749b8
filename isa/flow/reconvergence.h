/*
 * Placement of convergence barriers in the code of one kernel: before each branch on which lanes
 * may part, BSSY B, JOIN; at the join, BSYNC B. The join is the immediate post-dominator of the
 * branch, where paths that end in an early EXIT do not count (lanes that end are taken off every
 * barrier). A branch inside a loop whose join is outside sets its barrier once, before the loop is
 * entered. A branch that leaves a loop which takes a lock joins behind the release of the lock
 * (isa/flow/lock_release.h).
 */
#ifndef WS_ISA_FLOW_RECONVERGENCE_H
#define WS_ISA_FLOW_RECONVERGENCE_H

#include "isa/bytecode/instruction.h"

typedef struct {
    GArray *code;   /* of WsInstruction: the new code, targets relocated */
    GArray *origin; /* of guint32: for each, the old instruction (relative) it is or belongs to */
    GArray
        *entry; /* of guint32: for each old instruction, where a jump to it now lands (relative) */
} WsReconvergence;

/*
 * Instructions `first` .. `first + count - 1` of `program`; targets are numbers in the program, and
 * the new code is meant to stand at `first` again. Branches that are uniform in a warp get no
 * barrier (isa/flow/branch_uniformity.h). Neither do branches in loops with several entries, nor
 * those nested deeper than the 16 barriers; these join later, at the barrier around them. BREAK is
 * never needed: no path leaves a barrier's region except through its join or by ending.
 */
WsReconvergence *ws_place_convergence_barriers(const WsInstruction *program, guint32 first,
                                               guint32 count);
void ws_reconvergence_free(WsReconvergence *placed);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(WsReconvergence, ws_reconvergence_free)

#endif
