#include "inspect/export/export.h"

#include "inspect/export/exporter.h"
#include "isa/base/error.h"

static void launch_begin(void *data, const WsTraceLaunch *launch)
{
    WsExport *export = data;

    if (export->launch.program != launch->program) {
        ws_instruction_texts_free(export->texts);
        export->texts = ws_instruction_texts_new(launch->program);
    }
    export->launch = *launch;
    if (!export->begun && export->exporter->begin != NULL)
        export->exporter->begin(export);
    export->begun = TRUE;
    if (export->exporter->launch_begin != NULL)
        export->exporter->launch_begin(export);
}

static void take_event(void *data, const WsTraceEvent *event)
{
    WsExport *export = data;

    if (ws_trace_filter_passes(export->filter, event))
        export->exporter->event(export, event);
}

static void launch_end(void *data, guint32 launch, guint64 cycle)
{
    WsExport *export = data;

    if (export->exporter->launch_end != NULL)
        export->exporter->launch_end(export, cycle);
}

WsExport *ws_export_new(const WsExporter *exporter, const WsTraceFilter *filter, WsTraceSink sink,
                        void *data, GError **error)
{
    guint64 kinds = filter->kinds != 0 ? filter->kinds : exporter->kinds;
    WsExport *export;

    if (!exporter->any_kinds && (kinds & ~exporter->kinds) != 0) {
        guint kind = (guint)__builtin_ctzll(kinds & ~exporter->kinds);

        ws_set_error(error, WS_ERROR_USAGE, "the format '%s' cannot show the event '%s'",
                     exporter->name, ws_trace_event_name(kind));
        return NULL;
    }
    export = g_new0(WsExport, 1);
    export->exporter = exporter;
    export->filter = filter;
    export->out.sink = sink;
    export->out.data = data;
    export->state = exporter->state_bytes != 0 ? g_malloc0(exporter->state_bytes) : NULL;
    export->observer = (WsObserver){.data = export,
                                    .kinds = kinds,
                                    .launch_begin = launch_begin,
                                    .event = take_event,
                                    .launch_end = launch_end};
    return export;
}

void ws_export_free(WsExport *export)
{
    if (export == NULL)
        return;
    if (export->exporter->clear != NULL)
        export->exporter->clear(export);
    ws_instruction_texts_free(export->texts);
    g_free(export->state);
    g_free(export);
}

const WsObserver *ws_export_observer(WsExport *export)
{
    return &export->observer;
}

gboolean ws_export_finish(WsExport *export)
{
    if (!export->begun && export->exporter->begin != NULL)
        export->exporter->begin(export);
    if (export->exporter->end != NULL)
        export->exporter->end(export);
    ws_trace_flush(&export->out);
    return !export->out.failed;
}

/* ---- one line -----------------------------------------------------------------------------------
 */

static gboolean append(void *data, const char *bytes, gsize length)
{
    g_string_append_len(data, bytes, (gssize)length);
    return TRUE;
}

char *ws_trace_text_line(const WsTraceLaunch *launch, const WsTraceEvent *event)
{
    GString *text = g_string_new(NULL);
    WsTraceFilter everything;
    g_autoptr(WsExport) export = NULL;

    ws_trace_filter_init(&everything);
    export = ws_export_new(ws_exporter_find("text"), &everything, append, text, NULL);
    export->launch = *launch;
    export->texts = ws_instruction_texts_new(launch->program);
    export->exporter->event(export, event);
    ws_trace_flush(&export->out);
    g_string_truncate(text, text->len - 1);
    return g_string_free(text, FALSE);
}
