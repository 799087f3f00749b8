/*
 * Chrome's Trace Event format (JSON), which chrome://tracing and Perfetto open. A process is an SM,
 * a thread one of a warp slot's rows: what it issues, and what it waits for. Accesses to memory are
 * asynchronous events. One microsecond is one cycle.
 */
#include "inspect/export/warp_slices.h"

enum { THREADS = 2, ISSUES = 0, WAITS = 1 };

typedef struct {
    gboolean any; /* an event has been written */
    guint64 accesses;
    WsWarpSlices slices;
} Chrome;

static void begin(WsExport *export)
{
    ws_trace_put(&export->out, "{\"otherData\":{\"generator\":\"" WS_TRACE_GENERATOR
                               "\",\"one microsecond\":\"one cycle\"},\"traceEvents\":[\n");
}

static void launch_begin(WsExport *export)
{
    Chrome *chrome = export->state;

    ws_warp_slices_begin(&chrome->slices, export);
}

static void clear(WsExport *export)
{
    Chrome *chrome = export->state;

    ws_warp_slices_clear(&chrome->slices);
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

static void name_sm(WsExport *export, const WsTraceEvent *event, const char *name)
{
    put_metadata(export, event, 0, "process_name", name);
}

static void name_warp(WsExport *export, const WsTraceEvent *event, const char *issues,
                      const char *waits)
{
    put_metadata(export, event, ISSUES, "thread_name", issues);
    put_metadata(export, event, WAITS, "thread_name", waits);
}

/* ---- events -------------------------------------------------------------------------------------
 */

static void put_wait(WsExport *export, const WsTraceEvent *event, const WsWarpWait *wait,
                     guint64 cycle)
{
    WsTraceWriter *out = &export->out;

    put_head(export, 'X', event, WAITS);
    put_name(out, ws_stall_name((WsStall)wait->reason));
    put_field(out, "ts", wait->since);
    put_field(out, "dur", MAX(cycle, wait->since) - wait->since);
    put_instruction(export, wait->instruction);
    ws_trace_put(out, "}}");
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

static void put_access(WsExport *export, const WsTraceEvent *event)
{
    Chrome *chrome = export->state;

    put_end_of_access(export, 'b', event, event->cycle - event->response.latency);
    put_end_of_access(export, 'e', event, event->cycle);
    chrome->accesses++;
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

static const WsSliceFormat format = {.name_sm = name_sm,
                                     .name_warp = name_warp,
                                     .end_wait = put_wait,
                                     .issue = put_issue,
                                     .access = put_access,
                                     .instant = put_instant};

static void take_event(WsExport *export, const WsTraceEvent *event)
{
    Chrome *chrome = export->state;

    ws_warp_slices_event(&chrome->slices, &format, export, event);
}

static void launch_end(WsExport *export, guint64 cycle)
{
    Chrome *chrome = export->state;

    ws_warp_slices_end(&chrome->slices, &format, export, cycle);
}

static void end(WsExport *export)
{
    ws_trace_put(&export->out, "\n]}\n");
}

const WsExporter ws_exporter_chrome = {
    .name = "chrome",
    .kinds = WS_SLICE_EVENTS,
    .state_bytes = sizeof(Chrome),
    .begin = begin,
    .launch_begin = launch_begin,
    .event = take_event,
    .launch_end = launch_end,
    .end = end,
    .clear = clear,
};
