/*
 * Sets of numbers that share what they have in common: binary tries over words of 64 bits in which
 * each node is made once (hash-consing), and results of operations are remembered. Equal sets are
 * equal handles, and an operation on two sets takes time by how much they differ, not by their
 * size. For facts of blocks, where each block changes a few of very many.
 *
 * Sets live as long as the WsSharedSets that they were made in, and are never changed.
 */
#ifndef WS_ISA_IR_SHARED_SETS_H
#define WS_ISA_IR_SHARED_SETS_H

#include <glib.h>

typedef struct WsSharedSets WsSharedSets;
typedef guint32 WsSharedSet;

enum { WS_SHARED_SET_EMPTY = 0 };

/* For numbers below `limit`. */
WsSharedSets *ws_shared_sets_new(guint32 limit);
void ws_shared_sets_free(WsSharedSets *sets);

/* The set with, or without, `count` numbers, which ascend. */
WsSharedSet ws_shared_set_with(WsSharedSets *sets, WsSharedSet set, const guint32 *numbers,
                               guint count);
WsSharedSet ws_shared_set_without(WsSharedSets *sets, WsSharedSet set, const guint32 *numbers,
                                  guint count);
WsSharedSet ws_shared_set_union(WsSharedSets *sets, WsSharedSet a, WsSharedSet b);
WsSharedSet ws_shared_set_intersection(WsSharedSets *sets, WsSharedSet a, WsSharedSet b);

gboolean ws_shared_set_contains(const WsSharedSets *sets, WsSharedSet set, guint32 number);
/* Appends to `list` (of guint32) the numbers in `a` and not in `b`, ascending. */
void ws_shared_set_list(const WsSharedSets *sets, WsSharedSet a, WsSharedSet b, GArray *list);

/*
 * For what has the same shape: levels of halves above the words of 64 bits, and the word of a set
 * or of a half (numbers at the lowest level; above, the lower half and, 32 bits up, the upper one).
 */
guint ws_shared_sets_levels(const WsSharedSets *sets);
guint64 ws_shared_sets_word(const WsSharedSets *sets, WsSharedSet set);

#endif
