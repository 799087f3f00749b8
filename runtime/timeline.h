/*
 * Simulated time of a program: when its launches, copies and fills begin and end.
 *
 * An operation begins when those before it in its stream have ended, when the host has made the
 * call (host code itself takes no simulated time, but the host waits where CUDA says that it does),
 * and when there is a place for it: SMs for a kernel, one engine for copies to the device and one
 * for copies from it. The legacy default stream waits for all blocking streams, and they for it.
 *
 * Copies and fills take `start` and their bytes at `rate` (settings copies.*, measured on an H100).
 * Kernels of several streams run at the same time where the blocks of all of them fit on the device
 * together; each then takes as long as it takes alone. Times are in milliseconds.
 */
#ifndef WS_RUNTIME_TIMELINE_H
#define WS_RUNTIME_TIMELINE_H

#include <glib.h>

typedef enum {
    WS_TRANSFER_TO_DEVICE, /* from memory that the device reaches by itself (pinned) */
    WS_TRANSFER_TO_HOST,
    WS_TRANSFER_PAGEABLE_TO_DEVICE, /* by way of the driver's buffers: the host waits */
    WS_TRANSFER_PAGEABLE_TO_HOST,
    WS_TRANSFER_ON_DEVICE,
    WS_TRANSFER_FILL,
    WS_TRANSFERS
} WsTransfer;

/* Grids on a device at the same time: CUDA C++ Programming Guide, technical specifications. */
enum { WS_GRIDS_AT_ONCE = 128 };

/* Of a stream: all that was issued in it has ended at `end`. */
typedef struct {
    double end;
    gboolean is_blocking; /* with the legacy default stream */
} WsStreamClock;

typedef struct {
    double host;                      /* the host has waited until then */
    double last;                      /* the end of all that was issued */
    WsStreamClock legacy, per_thread; /* the streams that are always there */
    GPtrArray *streams;               /* of WsStreamClock, in no order: those of the program */
    double retired;         /* the end of what was issued in blocking ones that are gone */
    WsStreamClock *current; /* what the call that goes on is in */
    double engines[3];      /* of copies, free from then on: to the device, from it, on it */
    GArray *grids;          /* of those that were launched last: when each ends, and its share */
    struct {
        double start, byte; /* milliseconds */
    } costs[WS_TRANSFERS];
    guint64 moved[WS_TRANSFERS]; /* bytes, by the call that goes on */
    gboolean waits;              /* the host waits for what this call does */
    gboolean in_graph;           /* it is a node: the host waits for none */
} WsTimeline;

void ws_timeline_init(WsTimeline *timeline);
/* A stream of the program, from its creation to its end. */
void ws_timeline_add(WsTimeline *timeline, WsStreamClock *clock);
void ws_timeline_remove(WsTimeline *timeline, WsStreamClock *clock);

/* When an operation in the stream may begin: all before it has ended, and the host has issued it.
 */
double ws_timeline_ready(const WsTimeline *timeline, const WsStreamClock *clock);
/* Takes note of bytes that the current call moves: one operation for each kind of transfer. */
static inline void ws_timeline_move(WsTimeline *timeline, WsTransfer transfer, guint64 bytes)
{
    timeline->moved[transfer] += bytes;
}
/* A kernel in the current stream. `share`: of the device, that its blocks take; at most 1. */
void ws_timeline_launch(WsTimeline *timeline, double milliseconds, double share);
/* Ends the current call: what it has moved is done, and waited for. */
void ws_timeline_end_call(WsTimeline *timeline);
/* The host waits until then; and for all that was issued. */
void ws_timeline_wait_until(WsTimeline *timeline, double milliseconds);
void ws_timeline_wait(WsTimeline *timeline);

#endif
