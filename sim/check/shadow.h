/*
 * Shadow memory: for each place in memory who wrote, read and changed it last. A page of memory has
 * a cell for each word, or for each byte once an access was narrower than a word.
 */
#ifndef WS_SIM_CHECK_SHADOW_H
#define WS_SIM_CHECK_SHADOW_H

#include "sim/check/note.h"

typedef struct {
    WsNote write;
    WsNote read[2]; /* of readers that are not ordered, two that differ as much as may be */
    WsNote atomic;
} WsShadowCell;

/* Room that several share. */
typedef struct {
    guint64 left;  /* bytes */
    gboolean full; /* some cells did not get room */
} WsShadowRoom;

typedef struct WsShadow WsShadow;

/* `room` must stay. */
WsShadow *ws_shadow_new(WsShadowRoom *room);
void ws_shadow_free(WsShadow *shadow);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(WsShadow, ws_shadow_free)

/*
 * The cells of [address, address + bytes), `bytes` a power of 2 up to 16 and the address aligned to
 * it: `ret_count` of them from the one that is returned on. NULL if there is no room.
 */
WsShadowCell *ws_shadow_cells(WsShadow *shadow, guint64 address, guint32 bytes, guint32 *ret_count);

#endif
