/*
 * Chrome's Trace Event format (JSON), which chrome://tracing and Perfetto open. A process is an SM,
 * a thread one of a warp slot's rows: what it issues, and what it waits for. Accesses to memory are
 * asynchronous events. One microsecond is one cycle.
 */
#include "inspect/export/exporter.h"

enum { THREADS = 2, ISSUES = 0, WAITS = 1 };

typedef struct {
    guint64 since;
    guint32 instruction;
    guint8 reason; /* WS_STALL_SELECTED: none */
    gboolean named;
} Warp;

typedef struct {
    gboolean any; /* an event has been written */
    guint64 accesses;
    Warp *warps; /* [SM][slot] */
    gboolean *sms_named;
} Chrome;

static void begin(WsExport *export)
{
    ws_trace_put(&export->out, "{\"otherData\":{\"generator\":\"" WS_TRACE_GENERATOR
                               "\",\"one microsecond\":\"one cycle\"},\"traceEvents\":[\n");
}

static void launch_begin(WsExport *export)
{
    Chrome *chrome = export->state;

    if (chrome->warps == NULL)
        chrome->warps = g_new0(Warp, (gsize) export->launch.sms * WS_EXPORT_WARPS);
    if (chrome->sms_named == NULL)
        chrome->sms_named = g_new0(gboolean, export->launch.sms);
}

static void clear(WsExport *export)
{
    Chrome *chrome = export->state;

    g_free(chrome->warps);
    g_free(chrome->sms_named);
}

/* ---- parts of an event --------------------------------------------------------------------------
 */

/* {"ph":PHASE,"pid":SM,"tid":..., without what follows. */
static void put_head(WsExport *export, char phase, const WsTraceEvent *event, guint thread)
{
    Chrome *chrome = export->state;
    WsTraceWriter *out = &export->out;

    ws_trace_put(out, chrome->any ? ",\n{\"ph\":\"" : "{\"ph\":\"");
    chrome->any = TRUE;
    ws_trace_put_char(out, phase);
    ws_trace_put(out, "\",\"pid\":");
    ws_trace_put_decimal(out, event->sm);
    ws_trace_put(out, ",\"tid\":");
    ws_trace_put_decimal(out, event->warp * THREADS + thread);
}

static void put_field(WsTraceWriter *out, const char *name, guint64 value)
{
    ws_trace_put(out, ",\"");
    ws_trace_put(out, name);
    ws_trace_put(out, "\":");
    ws_trace_put_decimal(out, value);
}

static void put_name(WsTraceWriter *out, const char *name)
{
    ws_trace_put(out, ",\"name\":");
    ws_trace_put_json_string(out, name);
}

static void put_mask(WsTraceWriter *out, const char *name, guint64 mask)
{
    ws_trace_put(out, ",\"");
    ws_trace_put(out, name);
    ws_trace_put(out, "\":\"0x");
    ws_trace_put_hex(out, mask, 1);
    ws_trace_put_char(out, '"');
}

static void put_instruction(WsExport *export, guint32 instruction)
{
    const WsInstructionText *text = ws_instruction_text(export->texts, instruction);

    ws_trace_put(&export->out, ",\"args\":{\"instruction\":");
    ws_trace_put_json_string(&export->out, text->text);
    ws_trace_put(&export->out, ",\"source\":");
    ws_trace_put_json_string(&export->out, text->framed);
}

static void put_metadata(WsExport *export, const WsTraceEvent *event, guint thread,
                         const char *what, const char *name)
{
    put_head(export, 'M', event, thread);
    put_name(&export->out, what);
    ws_trace_put(&export->out, ",\"args\":{\"name\":");
    ws_trace_put_json_string(&export->out, name);
    ws_trace_put(&export->out, "}}");
}

static void put_names(WsExport *export, const WsTraceEvent *event, Warp *warp)
{
    Chrome *chrome = export->state;
    g_autofree char *sm = g_strdup_printf("SM %u", event->sm);
    g_autofree char *issues = g_strdup_printf("warp %u", event->warp);
    g_autofree char *waits = g_strdup_printf("warp %u waits", event->warp);

    if (!chrome->sms_named[event->sm])
        put_metadata(export, event, 0, "process_name", sm);
    chrome->sms_named[event->sm] = TRUE;
    put_metadata(export, event, ISSUES, "thread_name", issues);
    put_metadata(export, event, WAITS, "thread_name", waits);
    warp->named = TRUE;
}

/* ---- events -------------------------------------------------------------------------------------
 */

static void end_wait(WsExport *export, Warp *warp, const WsTraceEvent *event, guint64 cycle)
{
    WsTraceWriter *out = &export->out;

    if (warp->reason == WS_STALL_SELECTED)
        return;
    put_head(export, 'X', event, WAITS);
    put_name(out, ws_stall_name((WsStall)warp->reason));
    put_field(out, "ts", warp->since);
    put_field(out, "dur", cycle - warp->since);
    put_instruction(export, warp->instruction);
    ws_trace_put(out, "}}");
    warp->reason = WS_STALL_SELECTED;
}

static void put_issue(WsExport *export, const WsTraceEvent *event)
{
    WsTraceWriter *out = &export->out;

    put_head(export, 'X', event, ISSUES);
    put_name(out, ws_instruction_text(export->texts, event->instruction)->mnemonic);
    put_field(out, "ts", event->cycle);
    put_field(out, "dur", 1);
    put_instruction(export, event->instruction);
    put_mask(out, "active", event->issue.active);
    put_mask(out, "executed", event->issue.executed);
    put_field(out, "block", event->block);
    ws_trace_put(out, "}}");
}

static void put_end_of_access(WsExport *export, char phase, const WsTraceEvent *event,
                              guint64 cycle)
{
    const Chrome *chrome = export->state;
    WsTraceWriter *out = &export->out;

    put_head(export, phase, event, ISSUES);
    ws_trace_put(out, ",\"cat\":\"memory\"");
    put_field(out, "id", chrome->accesses);
    put_name(out, ws_memory_level_name((WsMemoryLevel)event->response.level));
    put_field(out, "ts", cycle);
    put_instruction(export, event->instruction);
    ws_trace_put(out, "}}");
}

static void put_instant(WsExport *export, const WsTraceEvent *event)
{
    WsTraceWriter *out = &export->out;

    put_head(export, 'i', event, ISSUES);
    put_name(out, ws_trace_event_name(event->kind));
    put_field(out, "ts", event->cycle);
    ws_trace_put(out, ",\"s\":\"t\"");
    put_instruction(export, event->instruction);
    ws_trace_put(out, "}}");
}

static void take_event(WsExport *export, const WsTraceEvent *event)
{
    Chrome *chrome = export->state;
    Warp *warp = &chrome->warps[event->sm * WS_EXPORT_WARPS + event->warp];

    if (G_UNLIKELY(!warp->named))
        put_names(export, event, warp);
    switch ((WsTraceKind)event->kind) {
    case WS_TRACE_STALL:
        end_wait(export, warp, event, event->cycle);
        warp->since = event->cycle;
        warp->instruction = event->instruction;
        warp->reason = event->stall.reason;
        break;
    case WS_TRACE_ISSUE:
        end_wait(export, warp, event, event->cycle);
        put_issue(export, event);
        break;
    case WS_TRACE_RESPONSE:
        put_end_of_access(export, 'b', event, event->cycle - event->response.latency);
        put_end_of_access(export, 'e', event, event->cycle);
        chrome->accesses++;
        break;
    case WS_TRACE_WARP_END:
        end_wait(export, warp, event, event->cycle);
        break;
    default:
        put_instant(export, event);
        break;
    }
}

/* Warps that are left wait no longer: the run has stopped. */
static void launch_end(WsExport *export, guint64 cycle)
{
    Chrome *chrome = export->state;

    for (guint32 i = 0; i < export->launch.sms * WS_EXPORT_WARPS; i++) {
        const WsTraceEvent of = {.sm = i / WS_EXPORT_WARPS, .warp = i % WS_EXPORT_WARPS};

        end_wait(export, &chrome->warps[i], &of, MAX(cycle, chrome->warps[i].since));
    }
}

static void end(WsExport *export)
{
    ws_trace_put(&export->out, "\n]}\n");
}

const WsExporter ws_exporter_chrome = {
    .name = "chrome",
    .kinds = WS_TRACE_BIT(STALL) | WS_TRACE_BIT(ISSUE) | WS_TRACE_BIT(RESPONSE) |
             WS_TRACE_BIT(WARP_END) | WS_TRACE_BIT(DIVERGE) | WS_TRACE_BIT(RECONVERGE) |
             WS_TRACE_BIT(BARRIER_ARRIVE) | WS_TRACE_BIT(BARRIER_RELEASE) | WS_TRACE_BIT(STOP),
    .state_bytes = sizeof(Chrome),
    .begin = begin,
    .launch_begin = launch_begin,
    .event = take_event,
    .launch_end = launch_end,
    .end = end,
    .clear = clear,
};
