/*
 * How far a thread knows the lists that atomics leave at addresses (sim/check/order.h): an
 * immutable list of (list, entries known), ascending by list. NULL knows nothing.
 */
#ifndef WS_SIM_CHECK_KNOWN_PLACES_H
#define WS_SIM_CHECK_KNOWN_PLACES_H

#include <glib.h>

typedef struct {
    guint32 place, count;
} WsKnownPlace;

typedef struct {
    guint32 references, length;
    WsKnownPlace list[];
} WsKnownPlaces;

void ws_known_places_unref(WsKnownPlaces *known);
/* Whether `count` entries of `place` are known. */
gboolean ws_known_places_has(const WsKnownPlaces *known, guint32 place, guint32 count);
/* A reference of its own to what both know together; may be one of the two. */
WsKnownPlaces *ws_known_places_join(WsKnownPlaces *a, WsKnownPlaces *b);
/* The same with up to `count` entries of `place`. */
WsKnownPlaces *ws_known_places_with(WsKnownPlaces *known, guint32 place, guint32 count);
/* Replaces `*known`, which owns a reference. */
void ws_known_places_add(WsKnownPlaces **known, WsKnownPlaces *more);

#endif
