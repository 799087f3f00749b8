/*
 * Where the lanes of a warp join again, on the blocks of a function in the intermediate form.
 *
 * A join is the nearest block that all lanes which do not end pass. Guarded exits and blocks that
 * only lead to an early end do not count: lanes that exit leave every convergence barrier.
 */
#ifndef WS_ISA_CONVERGE_CONVERGENCE_H
#define WS_ISA_CONVERGE_CONVERGENCE_H

#include "isa/ir/block_set.h"
#include "isa/ir/walk.h"

/* BSSY, BSYNC and YIELD. New blocks may be added at the end. */
void ws_place_convergence(WsIrFunction *function);

typedef struct {
    WsGraph *graph;      /* successors; a guarded EXIT has only its fall-through */
    guint32 *dominators; /* immediate */
    guint32 *joins;      /* immediate post-dominator, graph->count = the end */
    guint8 *ends_early;  /* blocks from which the main exit is not reached */
    guint8 *meets;       /* blocks of which two successors do not end early */
} WsJoins;

WsJoins *ws_joins_new(const WsIrFunction *function);
void ws_joins_free(WsJoins *joins);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(WsJoins, ws_joins_free)

/*
 * Makes `ret` the set of the blocks that control reaches from `block` without passing `join`,
 * blocks that end early among them. `include` also starts at `block` itself; else `block` is in it
 * only if control comes back to it.
 */
void ws_joins_region(const WsJoins *joins, guint32 block, gboolean include, guint32 join,
                     WsBlockSet *ret);

/* Which blocks end in a branch that may split a warp: one byte a block, freed with g_free(). */
guint8 *ws_divergent_branches(const WsIrFunction *function, const WsJoins *joins);

/* Leaves out each WARPSYNC.ALL of a block that no divergent branch can make lanes run apart. */
void ws_drop_needless_barrier_meetings(WsIrFunction *function, const WsJoins *joins,
                                       const guint8 *divergent);

/*
 * Loops that wait for memory to change: puts YIELD on their back edges. Where such a loop takes a
 * lock, the block behind it is split after the release, since lanes that hold the lock must not
 * wait for those that want it. Returns one entry a block (of the function as it is then): the
 * block in which lanes that leave the loop by that block's branch are to join, or WS_NO_NODE.
 */
guint32 *ws_yield_in_spin_loops(WsIrFunction *function);

#endif
