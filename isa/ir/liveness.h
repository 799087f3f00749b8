/*
 * Where the words of virtual registers and the virtual predicates are live, as segments of
 * positions.
 *
 * Instructions are numbered through the blocks in order, branches included. Instruction i reads at
 * position 2i and writes at 2i + 1. A value lives from the position of its write to that of its
 * last read, both included: so a result may take the register of an operand that ends there.
 *
 * Guards are understood: a value written under a guard and read only under the same guard is not
 * live before, and two writes under opposite guards are one full write. What no path has written
 * is not live.
 */
#ifndef WS_ISA_IR_LIVENESS_H
#define WS_ISA_IR_LIVENESS_H

#include "isa/ir/shared_sets.h"
#include "isa/ir/variables.h"

typedef struct {
    guint32 begin; /* position */
    guint32 end;   /* one past */
    guint32 next;  /* segment number + 1, 0 = last */
} WsSegment;

typedef struct {
    WsVariables variables;
    guint32 instruction_count;
    guint32 *block_first; /* [blocks + 1]: number of a block's first instruction */
    GArray *segments;     /* of WsSegment */
    guint32 *first;       /* per variable: its first segment + 1, 0 = never live */
    /* What is live between blocks, as sets of the numbers of variables that may be. */
    GArray *crossing; /* of guint32: those variables, by number */
    guint32 *number;  /* per variable: its number + 1, 0 = lives in single blocks only */
    WsSharedSets *sets;
    WsSharedSet *live_in;  /* per block: where it begins */
    WsSharedSet *live_out; /* per block: where it ends */
} WsLiveness;

WsLiveness *ws_liveness_new(const WsIrFunction *function);
void ws_liveness_free(WsLiveness *liveness);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(WsLiveness, ws_liveness_free)

/* Appends to `list` (of guint32) the variables in `a` and not in `b`: sets of live_in, live_out. */
void ws_liveness_list(const WsLiveness *liveness, WsSharedSet a, WsSharedSet b, GArray *list);

/* TRUE if the variable is in the set, one of live_in or live_out. */
gboolean ws_liveness_contains(const WsLiveness *liveness, WsSharedSet set, guint32 variable);

static inline const WsSegment *ws_liveness_first(const WsLiveness *liveness, guint32 variable)
{
    guint32 at = liveness->first[variable];
    return at == 0 ? NULL : &g_array_index(liveness->segments, WsSegment, at - 1);
}

static inline const WsSegment *ws_liveness_next(const WsLiveness *liveness,
                                                const WsSegment *segment)
{
    return segment->next == 0 ? NULL
                              : &g_array_index(liveness->segments, WsSegment, segment->next - 1);
}

#endif
