#include "cli/export_files.h"

#include <string.h>

static const char option_name[] = "--export";

typedef struct {
    WsExport *export;
    WsCompressor *compressor; /* between the two, or NULL */
    WsOutputStream *stream;
    const char *path; /* the caller's */
} File;

struct WsExportFiles {
    GArray *files;        /* of File */
    GPtrArray *observers; /* of const WsObserver*, NULL-terminated when asked for */
    WsTraceFilter everything;
};

/* ---- the option ---------------------------------------------------------------------------------
 */

static char *known_formats(void)
{
    GString *text = g_string_new(NULL);

    for (guint i = 0; ws_exporters[i] != NULL; i++)
        g_string_append_printf(text, "%s%s", i == 0 ? "" : ", ", ws_exporter_name(ws_exporters[i]));
    return g_string_free(text, FALSE);
}

/* The exporter and file that "FORMAT=FILE" names. */
static gboolean split(const char *text, const WsExporter **ret_exporter, const char **ret_path,
                      GError **error)
{
    const char *equals = strchr(text, '=');
    g_autofree char *shown = ws_printable(text), *name = NULL;

    if (equals == NULL || equals[1] == '\0') {
        ws_set_error(error, WS_ERROR_USAGE, "%s %s: FORMAT=FILE is expected", option_name, shown);
        return FALSE;
    }
    name = g_strndup(text, (gsize)(equals - text));
    *ret_exporter = ws_exporter_find(name);
    *ret_path = equals + 1;
    if (*ret_exporter == NULL) {
        g_autofree char *known = known_formats(), *wrong = ws_printable(name);
        ws_set_error(error, WS_ERROR_USAGE, "%s: no format '%s'; there are %s", option_name, wrong,
                     known);
    }
    return *ret_exporter != NULL;
}

gboolean ws_exports_add_outputs(char *const *exports, GArray *outputs, GError **error)
{
    for (; exports != NULL && *exports != NULL; exports++) {
        const WsExporter *exporter;
        WsOutput output = {option_name, NULL};

        if (!split(*exports, &exporter, &output.path, error))
            return FALSE;
        g_array_append_val(outputs, output);
    }
    return TRUE;
}

/* ---- files --------------------------------------------------------------------------------------
 */

WsExportFiles *ws_export_files_new(void)
{
    WsExportFiles *files = g_new0(WsExportFiles, 1);

    files->files = g_array_new(FALSE, FALSE, sizeof(File));
    files->observers = g_ptr_array_new();
    ws_trace_filter_init(&files->everything);
    return files;
}

void ws_export_files_free(WsExportFiles *files)
{
    if (files == NULL)
        return;
    for (guint i = 0; i < files->files->len; i++) {
        File *file = &g_array_index(files->files, File, i);

        ws_export_free(file->export);
        ws_compressor_free(file->compressor);
        ws_output_stream_discard(file->stream);
    }
    g_array_unref(files->files);
    g_ptr_array_unref(files->observers);
    g_free(files);
}

void ws_export_files_watch(WsExportFiles *files, const WsObserver *observer)
{
    g_ptr_array_add(files->observers, (gpointer)observer);
}

static gboolean write_bytes(void *data, const char *bytes, gsize length)
{
    return ws_output_stream_write(data, bytes, length);
}

gboolean ws_export_files_open(WsExportFiles *files, const WsExporter *exporter, const char *path,
                              const WsCompression *compression, const WsTraceFilter *filter,
                              GError **error)
{
    File file = {.path = path, .stream = ws_output_stream_open(path, error)};

    if (file.stream == NULL)
        return FALSE;
    if (compression != NULL) {
        file.compressor = ws_compressor_new(compression, write_bytes, file.stream);
        file.export = ws_export_new(exporter, filter, ws_compressor_write, file.compressor, error);
    } else {
        file.export = ws_export_new(exporter, filter, write_bytes, file.stream, error);
    }
    g_array_append_val(files->files, file);
    if (file.export == NULL)
        return FALSE;
    ws_export_files_watch(files, ws_export_observer(file.export));
    return TRUE;
}

gboolean ws_export_files_open_all(WsExportFiles *files, char *const *exports, GError **error)
{
    for (; exports != NULL && *exports != NULL; exports++) {
        const WsExporter *exporter;
        const char *path;

        if (!split(*exports, &exporter, &path, error) ||
            !ws_export_files_open(files, exporter, path, ws_compression_of_file(path),
                                  &files->everything, error))
            return FALSE;
    }
    return TRUE;
}

const WsObserver *const *ws_export_files_observers(WsExportFiles *files)
{
    if (files->observers->len == 0)
        return NULL;
    g_ptr_array_add(files->observers, NULL);
    return (const WsObserver *const *)files->observers->pdata;
}

gboolean ws_export_files_finish(WsExportFiles *files, GError **error)
{
    for (guint i = 0; i < files->files->len; i++) {
        File *file = &g_array_index(files->files, File, i);
        gboolean written = ws_export_finish(file->export);

        if (file->compressor != NULL)
            written = ws_compressor_finish(file->compressor) && written;
        /* The stream knows why it could not be written. */
        if (!ws_output_stream_is_whole(file->stream) || written) {
            if (!ws_output_stream_commit(g_steal_pointer(&file->stream), error))
                return FALSE;
            continue;
        }
        ws_set_error_at(error, WS_ERROR_INPUT, &(WsPosition){.file = file->path},
                        "cannot be compressed: the library has no memory");
        return FALSE;
    }
    return TRUE;
}
