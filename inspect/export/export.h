/* A trace that is being written: an observer that hands events to an exporter. */
#ifndef WS_INSPECT_EXPORT_EXPORT_H
#define WS_INSPECT_EXPORT_EXPORT_H

#include "inspect/export/trace_filter.h"
#include "inspect/export/trace_writer.h"

typedef struct WsExporter WsExporter;
typedef struct WsExport WsExport;

/* All exporters; NULL-terminated. */
extern const WsExporter *const ws_exporters[];
/* By name, or NULL. */
const WsExporter *ws_exporter_find(const char *name);
const char *ws_exporter_name(const WsExporter *exporter);

/*
 * `filter` outlives it. `sink` gets the bytes of the file. Errors: WS_ERROR_USAGE where the filter
 * names events that the format cannot show.
 */
WsExport *ws_export_new(const WsExporter *exporter, const WsTraceFilter *filter, WsTraceSink sink,
                        void *data, GError **error);
void ws_export_free(WsExport *export);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(WsExport, ws_export_free)

/* To be attached to one run. */
const WsObserver *ws_export_observer(WsExport *export);
/* The event's line in the format `text`, without the end of line. Free with g_free. */
char *ws_trace_text_line(const WsTraceLaunch *launch, const WsTraceEvent *event);

/* The run is over: writes the rest. FALSE if anything could not be written. */
gboolean ws_export_finish(WsExport *export);

#endif
