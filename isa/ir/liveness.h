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
} WsLiveness;

WsLiveness *ws_liveness_new(const WsIrFunction *function);
void ws_liveness_free(WsLiveness *liveness);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(WsLiveness, ws_liveness_free)

/*
 * Per block, a GArray of guint32: the variables that are live where it begins (or, with `ends`,
 * where it ends), ascending. Those of blocks without instructions are empty.
 */
GPtrArray *ws_liveness_borders(const WsLiveness *liveness, guint32 blocks, gboolean ends);

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
