/* Traces that a command writes while it simulates: --export FORMAT=FILE, and trace. */
#ifndef WS_CLI_EXPORT_FILES_H
#define WS_CLI_EXPORT_FILES_H

#include "cli/output_file.h"
#include "inspect/export/compression.h"
#include "inspect/export/export.h"

/*
 * Appends to `outputs` (of WsOutput) the file of each of the NULL-terminated `exports`, which may
 * be NULL. Errors: WS_ERROR_USAGE.
 */
gboolean ws_exports_add_outputs(char *const *exports, GArray *outputs, GError **error);

/* Files that are being written, and all who watch the run. */
typedef struct WsExportFiles WsExportFiles;

WsExportFiles *ws_export_files_new(void);
/* Files that are not finished are thrown away. */
void ws_export_files_free(WsExportFiles *files);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(WsExportFiles, ws_export_files_free)

/* One more who watches; it outlives the files. */
void ws_export_files_watch(WsExportFiles *files, const WsObserver *observer);
/*
 * A file in one format, compressed unless `compression` is NULL. `filter` outlives the files.
 * Errors: WS_ERROR_INPUT, WS_ERROR_USAGE.
 */
gboolean ws_export_files_open(WsExportFiles *files, const WsExporter *exporter, const char *path,
                              const WsCompression *compression, const WsTraceFilter *filter,
                              GError **error);
/* Those of a list as above, with all events, compressed as the suffixes of their names say. */
gboolean ws_export_files_open_all(WsExportFiles *files, char *const *exports, GError **error);

/* Of all files and others, NULL-terminated; NULL if there is none. */
const WsObserver *const *ws_export_files_observers(WsExportFiles *files);

/* The run is over: puts the files in their places. Errors: WS_ERROR_INPUT. */
gboolean ws_export_files_finish(WsExportFiles *files, GError **error);

#endif
