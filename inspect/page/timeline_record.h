/*
 * The timeline of a run: what the warps of some SMs did in a window of cycles, kept small. An
 * observer of the run.
 */
#ifndef WS_INSPECT_PAGE_TIMELINE_RECORD_H
#define WS_INSPECT_PAGE_TIMELINE_RECORD_H

#include "inspect/page/sm_figures.h"
#include "inspect/page/usage_curve.h"
#include "inspect/page/warp_stream.h"
#include "sim/observe/observer.h"

enum { WS_TIMELINE_RECORD_BYTES = 16000000 }; /* before base64 */

typedef struct {
    const gboolean *sms; /* by SM: whether it is shown */
    guint32 sm_count;
    gboolean first_block; /* the SM that gets the first block is shown too */
    guint64 first, end;   /* cycles shown: from `first`, before `end` */
    /* The window ends where it would hold more. */
    guint64 max_issues;
    guint64 max_bytes; /* 0 = WS_TIMELINE_RECORD_BYTES */
} WsTimelineWindow;

/* A launch of the run. */
typedef struct {
    guint64 begin, end;
} WsTimelineLaunch;

typedef struct {
    WsTimelineWindow window; /* `end` as it came out: never behind the run's */
    gboolean *shown;         /* window.sms */
    gboolean cut;            /* it was full before its end came */
    guint64 bytes;           /* of all streams */
    guint64 issues;          /* in it */
    WsStreamTables tables;
    GPtrArray *streams; /* of WsWarpStream, as the warps began */
    GPtrArray *open;    /* by SM and slot: those of `streams` that are still there */
    GArray *launches;   /* of WsTimelineLaunch */
    WsUsageCurve usage; /* of all SMs, over the whole run */
    WsSmTable *sms;     /* each of them, likewise */
    guint32 launch, slots;
    WsObserver observer;
} WsTimelineRecord;

/* `slots`: warps that an SM holds at most. */
WsTimelineRecord *ws_timeline_record_new(const WsTimelineWindow *window, guint32 slots);
void ws_timeline_record_free(WsTimelineRecord *record);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(WsTimelineRecord, ws_timeline_record_free)

/* To be attached to one run; after it, nothing more is told. */
const WsObserver *ws_timeline_record_observer(WsTimelineRecord *record);
/* The run is over. */
void ws_timeline_record_finish(WsTimelineRecord *record);

/* After that: the cycle behind the run's last one, and instructions that an SM issued in all of it.
 */
guint64 ws_timeline_record_run_end(const WsTimelineRecord *record);
guint64 ws_timeline_record_sm_issues(const WsTimelineRecord *record, guint32 sm);

/*
 * The bytes: number of masks, these in 8 bytes each, lowest first, number of warps, and of each its
 * launch, SM, slot, sub-core, block, warp in the block, begin, lanes, lanes alive where its records
 * begin, the number of its bytes and these (warp_stream.h), whose first cycle counts from the later
 * of the warp's begin and window.first. g_byte_array_unref.
 */
GByteArray *ws_timeline_record_bytes(WsTimelineRecord *record);

#endif
