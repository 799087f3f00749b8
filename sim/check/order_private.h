/* What the files of sim/check/order.h share. */
#ifndef WS_SIM_CHECK_ORDER_PRIVATE_H
#define WS_SIM_CHECK_ORDER_PRIVATE_H

#include "sim/check/known_places.h"
#include "sim/check/order.h"

enum { WS_ORDER_BARRIERS = 16 };

/* Who has come to a barrier since it let go the last time. */
typedef struct {
    guint64 *came, *waits; /* by warp: lanes */
    guint32 *ticks;        /* by warp: what is known of it to those that wait */
    WsKnownPlaces *known;  /* by those that came */
} WsOrderBarrier;

typedef struct {
    guint32 serial;
    guint32 clock;
    guint32 full;              /* tick of the last barrier of all */
    gboolean wide_fence;       /* some thread has executed one */
    gboolean wide_before_full; /* in front of that barrier */
    gboolean has_known;        /* not all of `known` are NULL */
    guint32 *warp_full;        /* by warp: tick of the last meeting of all its lanes */
    guint32 **lanes;           /* by warp: [lane][of lane], NULL until lanes meet in part */
    guint32 *across;           /* [warp][of warp], NULL until warps meet without the others */
    guint32 *fence, *wide;     /* by thread: tick of its last fence, for its block and for all */
    WsKnownPlaces **known;     /* by thread */
    WsOrderBarrier barriers[WS_ORDER_BARRIERS];
} WsOrderBlock;

/* What a thread leaves at an address: what those that find it know. */
typedef struct {
    guint32 block;
    guint16 thread;
    guint16 warp;
    guint32 own, own_wide; /* tick up to which its own accesses are known: in its block, to all */
    guint32 warp_full, full;
    gboolean wide;         /* others' accesses too are known outside of the block */
    guint32 *lanes;        /* [of lane], or NULL */
    guint32 *across;       /* [of warp], or NULL */
    WsKnownPlaces *before; /* what this and all earlier entries of the list know */
} WsOrderEntry;

typedef struct {
    GArray *entries;      /* of WsOrderEntry */
    GHashTable *by_block; /* serial -> GArray of guint32: indices of entries */
} WsOrderPlace;

struct WsOrder {
    guint32 threads, warps, warp_size;
    GPtrArray *blocks;    /* by slot: WsOrderBlock* */
    GHashTable *place_of; /* guint64* -> number + 1 */
    GPtrArray *places;    /* of WsOrderPlace* */
    guint64 entries;
    gboolean incomplete;
};

static inline WsOrderBlock *ws_order_block(const WsOrder *order, guint32 slot)
{
    return order->blocks->pdata[slot];
}

/* Whether the entries that `known` leads to know the access. */
gboolean ws_order_places_before(const WsOrder *order, const WsKnownPlaces *known,
                                const WsNote *note, guint32 reader);
void ws_order_place_free(gpointer place);

#endif
