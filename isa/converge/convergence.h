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

/* Whether block `b` is an EXIT and nothing else. */
gboolean ws_is_bare_exit(const WsIrFunction *function, guint32 b);

/*
 * Leaves out each WARPSYNC.ALL of a block that no divergent branch can make lanes run apart and
 * that is not in `apart`, one byte a block.
 */
void ws_remove_redundant_barrier_warpsyncs(WsIrFunction *function, const WsJoins *joins,
                                           const guint8 *divergent, const guint8 *apart);

/*
 * WARPSYNC of all lanes for shuffles and the like, and __syncwarp(), becomes WARPSYNC.ALL where it
 * is the only place at which lanes that are apart can meet. One byte a block each, zero before:
 * `ret_apart` gets the blocks where lanes may be apart because of such operations, `ret_open` the
 * branches that are to have no convergence barrier. Uniform branches of loops that lanes may come
 * to apart are added to `divergent`.
 */
void ws_settle_warp_meetings(WsIrFunction *function, const WsJoins *joins, guint8 *divergent,
                             guint8 *ret_apart, guint8 *ret_open);

/*
 * The kernel (0) and its bodies (1 + their numbers), callers in front of what they call: what lanes
 * hold while a body is executed. A call that may enter its own body again counts for nothing.
 */
typedef struct {
    const WsIrFunction *function;
    guint32 count;
    guint32 *order; /* the procedures */
    guint32 *held;  /* per procedure: barriers of regions that call it, as bits */
    guint32 *of;    /* per block: its procedure */
    guint8 *recurs; /* per block: ends in a call that may enter its own body again */
    WsGraph *calls; /* from procedures to the blocks that end in other calls */
} WsProcedures;

/* A body that begins with a loop gets a block in front of it. */
void ws_free_bodies(WsIrFunction *function);

WsProcedures *ws_procedures_new(const WsIrFunction *function, const WsJoins *joins);
void ws_procedures_free(WsProcedures *procedures);
/* What lanes hold at the calls of `procedure`: per block two sets of barriers, as bits. */
void ws_procedures_hold(WsProcedures *procedures, guint32 procedure, const guint32 *inside,
                        const guint32 *begun);

/*
 * Loops that wait for memory to change: puts YIELD on their back edges. Where such a loop takes a
 * lock, the block behind it is split after the release, since lanes that hold the lock must not
 * wait for those that want it. Returns one entry a block (of the function as it is then): the
 * block in which lanes that leave the loop by that block's branch are to join, or WS_NO_NODE.
 */
guint32 *ws_yield_in_spin_loops(WsIrFunction *function);

#endif
