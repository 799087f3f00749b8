/*
 * What timelines in a browser show of a run (chrome, perfetto): for each warp slot a row of what it
 * issues and a row of what it waits for, accesses to memory, and instants for the rest.
 */
#ifndef WS_INSPECT_EXPORT_WARP_SLICES_H
#define WS_INSPECT_EXPORT_WARP_SLICES_H

#include "inspect/export/exporter.h"

/* The events that they take. */
#define WS_SLICE_EVENTS                                                                            \
    (WS_TRACE_BIT(STALL) | WS_TRACE_BIT(ISSUE) | WS_TRACE_BIT(RESPONSE) | WS_TRACE_BIT(WARP_END) | \
     WS_TRACE_BIT(DIVERGE) | WS_TRACE_BIT(RECONVERGE) | WS_TRACE_BIT(BARRIER_ARRIVE) |             \
     WS_TRACE_BIT(BARRIER_RELEASE) | WS_TRACE_BIT(STOP))

/* A wait of a warp. */
typedef struct {
    guint64 since;
    guint32 instruction;
    guint8 reason; /* WsStall */
    gboolean open, named;
} WsWarpWait;

typedef struct {
    WsWarpWait *warps; /* [SM][slot] */
    gboolean *sms_named;
} WsWarpSlices;

/* How a format writes them. `event` has the SM and the slot; begin_wait may be NULL. */
typedef struct {
    void (*name_sm)(WsExport *export, const WsTraceEvent *event, const char *name);
    void (*name_warp)(WsExport *export, const WsTraceEvent *event, const char *issues,
                      const char *waits);
    void (*begin_wait)(WsExport *export, const WsTraceEvent *event);
    void (*end_wait)(WsExport *export, const WsTraceEvent *event, const WsWarpWait *wait,
                     guint64 cycle);
    void (*issue)(WsExport *export, const WsTraceEvent *event);
    void (*access)(WsExport *export, const WsTraceEvent *event);
    void (*instant)(WsExport *export, const WsTraceEvent *event);
} WsSliceFormat;

/* Before the events of a launch; its SMs are those of the first one. */
void ws_warp_slices_begin(WsWarpSlices *slices, const WsExport *export);
void ws_warp_slices_event(WsWarpSlices *slices, const WsSliceFormat *format, WsExport *export,
                          const WsTraceEvent *event);
/* Warps that are left wait no longer: the run has stopped. */
void ws_warp_slices_end(WsWarpSlices *slices, const WsSliceFormat *format, WsExport *export,
                        guint64 cycle);
void ws_warp_slices_clear(WsWarpSlices *slices);

#endif
