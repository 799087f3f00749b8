/*
 * Two runs side by side, event by event, until they part. Each runs on a host thread of its own and
 * waits for the other where it is far ahead, so that neither's events are kept for long.
 */
#ifndef WS_INSPECT_COMPARE_LOCKSTEP_H
#define WS_INSPECT_COMPARE_LOCKSTEP_H

#include "sim/observe/observer.h"

enum { WS_SIDE_A, WS_SIDE_B, WS_SIDES };

/* Where two runs part: the first event that is not the same, of one or of both. */
typedef struct {
    gboolean parted;
    gboolean has[WS_SIDES]; /* FALSE: this run had ended */
    WsTraceEvent event[WS_SIDES];
    /* What the events' warps had last been told to wait for, by both runs; kind ISSUE: nothing. */
    gboolean has_wait[WS_SIDES];
    WsTraceEvent wait[WS_SIDES]; /* of the warp of event[side] */
    guint64 common;              /* events that were the same */
} WsFirstDifference;

typedef struct WsLockstep WsLockstep;

WsLockstep *ws_lockstep_new(void);
void ws_lockstep_free(WsLockstep *lockstep);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(WsLockstep, ws_lockstep_free)

/* To be attached to the run of a side. */
const WsObserver *ws_lockstep_observer(WsLockstep *lockstep, guint side);
/* The run of a side is over; on its thread. */
void ws_lockstep_end(WsLockstep *lockstep, guint side);

/* When both are over. */
const WsFirstDifference *ws_lockstep_first_difference(const WsLockstep *lockstep);
/* What a side's run was told of its first launch; its `program` NULL if there was none. */
const WsTraceLaunch *ws_lockstep_launch(const WsLockstep *lockstep, guint side);

#endif
