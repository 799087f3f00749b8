/*
 * Exporters: formats of traces. Each is one file with a WsExporter, and one row in exporters.def.
 * It writes as events come, and keeps no more than the state of what is under way.
 */
#ifndef WS_INSPECT_EXPORT_EXPORTER_H
#define WS_INSPECT_EXPORT_EXPORTER_H

#include "inspect/export/export.h"
#include "inspect/export/instruction_texts.h"
#include "inspect/export/trace_writer.h"
#include "sim/base/instruction_place.h"

/* Warp slots of an SM, at most. */
enum { WS_EXPORT_WARPS = 64 };

struct WsExporter {
    const char *name;   /* for --format: "text" */
    guint64 kinds;      /* events that it shows if none are named */
    gboolean any_kinds; /* it can show others as well */
    gsize state_bytes;  /* of WsExport.state, zeroed; 0 = none */
    /* Each may be NULL. Begin and end of the file, of a launch, and an event. */
    void (*begin)(WsExport *export);
    void (*launch_begin)(WsExport *export);
    void (*event)(WsExport *export, const WsTraceEvent *event);
    void (*launch_end)(WsExport *export, guint64 cycle);
    void (*end)(WsExport *export);
    void (*clear)(WsExport *export); /* frees what the state holds */
};

struct WsExport {
    const WsExporter *exporter;
    const WsTraceFilter *filter;
    WsObserver observer;
    gboolean begun;
    WsTraceLaunch launch;      /* the one that runs, or that ran last */
    WsInstructionTexts *texts; /* of its program */
    void *state;
    WsTraceWriter out;
};

/* The version that files say, "0.1.0", and the name of what made them. */
#define WS_TRACE_GENERATOR "warpstep " WS_VERSION

#endif
