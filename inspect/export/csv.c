/*
 * CSV (RFC 4180), one row an event. Which columns an event fills says docs/use/trace.md; the others
 * are empty. Masks are hexadecimal, lane 0 lowest.
 */
#include <string.h>

#include "inspect/export/exporter.h"
#include "isa/base/csv_cell.h"

static void begin(WsExport *export)
{
    ws_trace_put(&export->out, "launch,cycle,sm,sub_core,warp,block,warp_in_block,event,address,"
                               "instruction,file,line,mask,mask2,value,text\r\n");
}

/* Columns that an event of a block leaves empty. */
enum { SUB_CORE = 3, WARP = 4, WARP_IN_BLOCK = 6 };

/* What an event has of the last four columns. */
typedef struct {
    gboolean has_mask, has_mask2, has_value;
    guint64 mask, mask2, value;
    const char *text;
} Row;

static void put_text(WsTraceWriter *out, const char *text)
{
    if (strpbrk(text, ",\"\r\n") == NULL) {
        ws_trace_put(out, text);
        return;
    }
    ws_trace_put_char(out, '"');
    for (; *text != '\0'; text++) {
        if (*text == '"')
            ws_trace_put_char(out, '"');
        ws_trace_put_char(out, *text);
    }
    ws_trace_put_char(out, '"');
}

/* A file is called as the program says, so the cell could be a formula. */
static void put_name(WsTraceWriter *out, const char *text)
{
    if (g_ascii_isalnum(text[0]) && strpbrk(text, ",;\"\r\n") == NULL) {
        ws_trace_put(out, text);
        return;
    }
    g_autoptr(GString) cell = g_string_new(NULL);
    ws_csv_append_cell(cell, text);
    ws_trace_put(out, cell->str);
}

static void put_head(WsExport *export, const WsTraceEvent *event)
{
    WsTraceWriter *out = &export->out;
    const guint64 numbers[] = {export->launch.number, event->cycle, event->sm,
                               event->sub_core,       event->warp,  event->block,
                               event->warp_in_block};

    gboolean block = ws_trace_is_of_block(event);

    for (guint i = 0; i < G_N_ELEMENTS(numbers); i++) {
        if (!(block && (i == SUB_CORE || i == WARP || i == WARP_IN_BLOCK)))
            ws_trace_put_decimal(out, numbers[i]);
        ws_trace_put_char(out, ',');
    }
    ws_trace_put(out, ws_trace_event_name(event->kind));
    ws_trace_put_char(out, ',');
    if (event->instruction != WS_NO_INSTRUCTION)
        ws_trace_put_decimal(out, ws_instruction_address(event->instruction));
    ws_trace_put_char(out, ',');
    if (event->kind == WS_TRACE_ISSUE) {
        const WsInstructionText *text = ws_instruction_text(export->texts, event->instruction);

        put_text(out, text->text);
        ws_trace_put_char(out, ',');
        put_name(out, text->file);
        ws_trace_put_char(out, ',');
        if (text->line != 0)
            ws_trace_put_decimal(out, text->line);
    } else {
        ws_trace_put(out, ",,");
    }
}

static Row lanes(guint64 mask)
{
    return (Row){.has_mask = TRUE, .mask = mask};
}

static Row two_masks(guint64 mask, guint64 mask2)
{
    return (Row){.has_mask = TRUE, .has_mask2 = TRUE, .mask = mask, .mask2 = mask2};
}

static Row value(guint64 value)
{
    return (Row){.has_value = TRUE, .value = value};
}

static Row scoreboard_row(WsExport *export, const WsTraceEvent *event)
{
    return (Row){.has_value = event->scoreboard.until != WS_UNKNOWN_CYCLE,
                 .value = event->scoreboard.until,
                 .text = ws_register_set_text(export->texts, &event->scoreboard.registers)};
}

static Row memory_row(const WsTraceEvent *event)
{
    Row row;

    if (event->kind == WS_TRACE_RESPONSE) {
        row = lanes(event->response.lanes);
        row.has_value = TRUE;
        row.value = event->response.latency;
        row.text = ws_memory_level_name((WsMemoryLevel)event->response.level);
        return row;
    }
    row = lanes(event->request.lanes);
    row.has_value = TRUE;
    row.value = event->request.sectors != 0 ? event->request.sectors : event->request.wavefronts;
    row.text = event->request.sectors != 0      ? "sectors"
               : event->request.wavefronts != 0 ? "wavefronts"
                                                : NULL;
    return row;
}

static Row path_row(const WsTraceEvent *event)
{
    Row row = lanes(event->path.lanes);

    if (event->path.count == 0)
        return row;
    row.has_value = TRUE;
    row.value = ws_instruction_address(event->path.pc);
    row.text = event->path.how;
    return row;
}

static Row other_row(WsExport *export, const WsTraceEvent *event)
{
    Row row;

    switch ((WsTraceKind)event->kind) {
    case WS_TRACE_CONVERGENCE:
        row = lanes(event->convergence.lanes);
        row.has_value = TRUE;
        row.value = event->convergence.number;
        return row;
    case WS_TRACE_WRITE:
        row = lanes(event->write.lanes);
        row.text = ws_register_set_text(export->texts, &event->write.registers);
        return row;
    case WS_TRACE_STOP:
        return (Row){.has_value = event->stop.lane != G_MAXUINT32,
                     .value = event->stop.lane,
                     .text = event->stop.what};
    case WS_TRACE_STALL:
        return (Row){.text = ws_stall_name((WsStall)event->stall.reason)};
    default:
        return (Row){0};
    }
}

static Row row_of(WsExport *export, const WsTraceEvent *event)
{
    switch ((WsTraceKind)event->kind) {
    case WS_TRACE_BLOCK_BEGIN:
        return value(event->block_begin.warps);
    case WS_TRACE_WARP_BEGIN:
        return lanes(event->warp_begin.launched);
    case WS_TRACE_CHOICE:
        return two_masks(event->choice.eligible, event->choice.admitted);
    case WS_TRACE_ISSUE:
        return two_masks(event->issue.active, event->issue.executed);
    case WS_TRACE_DIVERGE:
        return two_masks(event->split.taken, event->split.not_taken);
    case WS_TRACE_RECONVERGE:
        return lanes(event->joined.lanes);
    case WS_TRACE_PATH:
        return path_row(event);
    case WS_TRACE_BARRIER_ARRIVE:
    case WS_TRACE_BARRIER_RELEASE:
        return value(event->barrier.number);
    case WS_TRACE_REQUEST:
    case WS_TRACE_RESPONSE:
        return memory_row(event);
    case WS_TRACE_SCOREBOARD_SET:
    case WS_TRACE_SCOREBOARD_RELEASE:
        return scoreboard_row(export, event);
    default:
        return other_row(export, event);
    }
}

static void put_event(WsExport *export, const WsTraceEvent *event)
{
    WsTraceWriter *out = &export->out;
    Row row = row_of(export, event);

    put_head(export, event);
    ws_trace_put_char(out, ',');
    if (row.has_mask) {
        ws_trace_put(out, "0x");
        ws_trace_put_hex(out, row.mask, 1);
    }
    ws_trace_put_char(out, ',');
    if (row.has_mask2) {
        ws_trace_put(out, "0x");
        ws_trace_put_hex(out, row.mask2, 1);
    }
    ws_trace_put_char(out, ',');
    if (row.has_value)
        ws_trace_put_decimal(out, row.value);
    ws_trace_put_char(out, ',');
    if (row.text != NULL)
        put_text(out, row.text);
    ws_trace_put(out, "\r\n");
}

const WsExporter ws_exporter_csv = {
    .name = "csv",
    .kinds = WS_ALL_EVENTS,
    .any_kinds = TRUE,
    .begin = begin,
    .event = put_event,
};
