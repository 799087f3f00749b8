/*
 * What happens before what: an access is ordered before another one if barriers, meetings of lanes
 * and atomics behind fences lead from the one to the other, whatever the order was in this run.
 *
 * Each block has a clock that ticks when something orders its threads. A thread knows the accesses
 * of another one up to a tick: of the block's last full barrier for all threads; of the last
 * meeting for those of its warp (a table by lane once lanes meet in part); by warp where warps meet
 * at barriers of their own. A thread that has executed a fence and then writes with an atomic
 * leaves what it knows at that address, as one more entry of a list; one that reads the address so
 * knows the list up to its end.
 */
#ifndef WS_SIM_CHECK_ORDER_H
#define WS_SIM_CHECK_ORDER_H

#include "sim/check/note.h"

typedef struct WsOrder WsOrder;

/* Blocks of `threads` threads in warps of `warp_size`. */
WsOrder *ws_order_new(guint32 threads, guint32 warp_size);
void ws_order_free(WsOrder *order);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(WsOrder, ws_order_free)

void ws_order_begin_block(WsOrder *order, guint32 slot, guint32 serial);
/* The serial number and the clock of the block in a slot. */
guint32 ws_order_serial(const WsOrder *order, guint32 slot);
guint32 ws_order_clock(const WsOrder *order, guint32 slot);

/* As in sim/interpreter/watcher.h. `wide`: a fence for more than the block. */
void ws_order_lanes_meet(WsOrder *order, guint32 slot, guint32 warp, guint64 mask, gboolean all);
void ws_order_fence(WsOrder *order, guint32 slot, guint32 warp, guint64 mask, gboolean wide);
void ws_order_arrive(WsOrder *order, guint32 slot, guint32 warp, guint64 mask, guint32 number,
                     gboolean waits);
void ws_order_release_barrier(WsOrder *order, guint32 slot, guint32 number, gboolean all);

/* A thread reads or writes `place` with an atomic or in another way that orders. */
void ws_order_acquire(WsOrder *order, guint32 slot, guint32 thread, guint64 place);
void ws_order_release(WsOrder *order, guint32 slot, guint32 thread, guint64 place);

/* Whether what was noted happens before what the thread does now. */
gboolean ws_order_before(WsOrder *order, const WsNote *note, guint32 slot, guint32 thread);

/* The same by what is ordered without atomics. */
gboolean ws_order_before_in_block(const WsOrder *order, const WsNote *note, guint32 slot,
                                  guint32 thread);

/* Entries at addresses were left out, for want of room: since then all is taken to be ordered. */
gboolean ws_order_is_incomplete(const WsOrder *order);

#endif
