/*
 * Maps from small numbers to numbers, in the shape of the sets of isa/ir/shared_sets.h: a map that
 * came from another one by a few changes shares the rest with it, and what two such maps differ in
 * is found by looking only where they do not share.
 */
#ifndef WS_ISA_IR_SHARED_MAPS_H
#define WS_ISA_IR_SHARED_MAPS_H

#include "isa/ir/shared_sets.h"

typedef struct WsSharedMaps WsSharedMaps;
typedef guint32 WsSharedMap;

enum { WS_SHARED_MAP_EMPTY = 0, WS_SHARED_MAP_NOTHING = 0 /* what a number without a value has */ };

/* For the numbers that `sets` are of; `sets` must stay. */
WsSharedMaps *ws_shared_maps_new(const WsSharedSets *sets);
void ws_shared_maps_free(WsSharedMaps *maps);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(WsSharedMaps, ws_shared_maps_free)

guint32 ws_shared_map_get(const WsSharedMaps *maps, WsSharedMap map, guint32 number);
/* `map` itself stays as it is. */
WsSharedMap ws_shared_map_set(WsSharedMaps *maps, WsSharedMap map, guint32 number, guint32 value);
/*
 * Calls `visit` with both values for each number of `within` for which both maps have a value and
 * not the same one.
 */
void ws_shared_map_compare(const WsSharedMaps *maps, WsSharedMap a, WsSharedMap b,
                           WsSharedSet within, void (*visit)(guint32, guint32, gpointer),
                           gpointer data);

#endif
