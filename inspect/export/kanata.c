/*
 * Kanata log, version 4, for Konata: a row for each instruction that a warp issues. Lane 0 has the
 * stages W (waits to issue), Is (issues) and X (its result is on its way), lane 1 the stall reason
 * while it waits. Arrows lead to an instruction from those that it
 * had to wait for. The thread is SM x 64 + warp slot.
 *
 * The format, with its rule that time only goes on: docs/kanata-log-format.md of Konata.
 */
#include "inspect/export/exporter.h"
#include "isa/bytecode/accesses.h"

enum { NO_ROW = G_MAXUINT32 };

typedef struct {
    guint64 id;
    guint32 instruction;
    gboolean result; /* is on its way */
} Row;

/* Who wrote a register last. */
typedef struct {
    guint64 row;   /* + 1; 0 = nobody */
    guint64 ready; /* cycle at which the result was there; G_MAXUINT64 before */
} Writer;

enum { FILES = WS_FILE_BARRIER + 1, REGISTERS = 256 };

typedef struct {
    Writer (*writers)[REGISTERS]; /* [FILES]; NULL before the first issue */
    guint64 since;                /* cycle at which `next` began */
    gboolean waits;               /* `next` has begun */
    guint64 next;                 /* row of the instruction that it issues next */
    GArray *issued;               /* of Row, oldest first, that have not retired */
} Warp;

typedef struct {
    gboolean started;
    guint64 cycle; /* of what was written last */
    guint64 rows, retired;
    Warp *warps; /* [SM][slot] */
    guint32 warp_count;
    GArray *fresh; /* of guint32: warps that issued in `cycle` */
} Kanata;

static void begin(WsExport *export)
{
    ws_trace_put(&export->out, "Kanata\t0004\n");
}

static void launch_begin(WsExport *export)
{
    Kanata *kanata = export->state;

    if (kanata->warps != NULL)
        return;
    kanata->warp_count = export->launch.sms * WS_EXPORT_WARPS;
    kanata->warps = g_new0(Warp, kanata->warp_count);
    kanata->fresh = g_array_new(FALSE, FALSE, sizeof(guint32));
}

static void clear(WsExport *export)
{
    Kanata *kanata = export->state;

    for (guint32 i = 0; i < kanata->warp_count; i++) {
        if (kanata->warps[i].issued != NULL)
            g_array_unref(kanata->warps[i].issued);
        g_free(kanata->warps[i].writers);
    }
    g_free(kanata->warps);
    if (kanata->fresh != NULL)
        g_array_unref(kanata->fresh);
}

/* ---- commands -----------------------------------------------------------------------------------
 */

static void put_command(WsTraceWriter *out, char command, guint64 id)
{
    ws_trace_put_char(out, command);
    ws_trace_put_char(out, '\t');
    ws_trace_put_decimal(out, id);
}

static void put_stage(WsTraceWriter *out, char command, guint64 id, guint lane, const char *stage)
{
    put_command(out, command, id);
    ws_trace_put(out, lane == 0 ? "\t0\t" : "\t1\t");
    ws_trace_put(out, stage);
    ws_trace_put_char(out, '\n');
}

static void retire(WsExport *export, guint64 id, gboolean flush)
{
    Kanata *kanata = export->state;

    put_command(&export->out, 'R', id);
    ws_trace_put_char(&export->out, '\t');
    ws_trace_put_decimal(&export->out, flush ? 0 : kanata->retired++);
    ws_trace_put(&export->out, flush ? "\t1\n" : "\t0\n");
}

/* ---- time ---------------------------------------------------------------------------------------
 */

/* What issued in the cycle before this one: it is done, or its result is on its way. */
static void follow_up(WsExport *export)
{
    Kanata *kanata = export->state;

    for (guint i = 0; i < kanata->fresh->len; i++) {
        Warp *warp = &kanata->warps[g_array_index(kanata->fresh, guint32, i)];
        Row row;

        if (warp->issued == NULL || warp->issued->len == 0)
            continue;
        row = g_array_index(warp->issued, Row, warp->issued->len - 1);
        if (row.result) {
            put_stage(&export->out, 'S', row.id, 0, "X");
            continue;
        }
        retire(export, row.id, FALSE);
        g_array_set_size(warp->issued, warp->issued->len - 1);
    }
    g_array_set_size(kanata->fresh, 0);
}

static void go_to(WsExport *export, guint64 cycle)
{
    Kanata *kanata = export->state;

    if (!kanata->started) {
        ws_trace_printf(&export->out, "C=\t%" G_GUINT64_FORMAT "\n", cycle);
        kanata->started = TRUE;
        kanata->cycle = cycle;
    }
    while (kanata->cycle < cycle) {
        guint64 next = kanata->fresh->len != 0 ? kanata->cycle + 1 : cycle;

        put_command(&export->out, 'C', next - kanata->cycle);
        ws_trace_put_char(&export->out, '\n');
        kanata->cycle = next;
        follow_up(export);
    }
}

/* ---- rows ---------------------------------------------------------------------------------------
 */

static guint64 begin_row(WsExport *export, const WsTraceEvent *event)
{
    Kanata *kanata = export->state;
    guint64 id = kanata->rows++;

    put_command(&export->out, 'I', id);
    ws_trace_put_char(&export->out, '\t');
    ws_trace_put_decimal(&export->out, id);
    ws_trace_put_char(&export->out, '\t');
    ws_trace_put_decimal(&export->out, event->sm * WS_EXPORT_WARPS + event->warp);
    ws_trace_put_char(&export->out, '\n');
    return id;
}

static void take_stall(WsExport *export, Warp *warp, const WsTraceEvent *event)
{
    if (event->stall.reason == WS_STALL_DRAIN)
        return;
    if (!warp->waits) {
        warp->waits = TRUE;
        warp->since = event->cycle;
        warp->next = begin_row(export, event);
        put_stage(&export->out, 'S', warp->next, 0, "W");
    }
    put_stage(&export->out, 'S', warp->next, 1, ws_stall_name((WsStall)event->stall.reason));
}

/* ---- dependences --------------------------------------------------------------------------------
 */

/* Of the places that the instruction writes, or reads. Returns how many there are. */
static guint find_writers(const WsExport *export, Warp *warp, guint32 number, gboolean written,
                          Writer *ret[WS_MAX_ACCESSES * 4])
{
    WsRegisterAccess accesses[WS_MAX_ACCESSES];
    guint count, found = 0;

    count = ws_instruction_accesses(&export->launch.program->instructions[number], accesses);
    for (guint i = 0; i < count; i++)
        for (guint word = 0; word < MIN(accesses[i].words, 4); word++)
            if (accesses[i].write == written && accesses[i].index + word < REGISTERS)
                ret[found++] = &warp->writers[accesses[i].file][accesses[i].index + word];
    return found;
}

/* Arrows from whoever the instruction waited for, each once. */
static void put_dependences(WsExport *export, Warp *warp, const Row *row, guint64 since)
{
    Writer *read[WS_MAX_ACCESSES * 4];
    guint count = find_writers(export, warp, row->instruction, FALSE, read);

    for (guint i = 0; i < count; i++) {
        gboolean told = read[i]->row == 0 || read[i]->ready < since;

        for (guint k = 0; k < i && !told; k++)
            told = read[k]->row == read[i]->row;
        if (told)
            continue;
        put_command(&export->out, 'W', row->id);
        ws_trace_put_char(&export->out, '\t');
        ws_trace_put_decimal(&export->out, read[i]->row - 1);
        ws_trace_put(&export->out, "\t0\n");
    }
}

/* The row's results come at `ready`, or nobody knows when. */
static void note_results(WsExport *export, Warp *warp, const Row *row, guint64 ready)
{
    Writer *written[WS_MAX_ACCESSES * 4];
    guint count = find_writers(export, warp, row->instruction, TRUE, written);

    for (guint i = 0; i < count; i++)
        if (ready == G_MAXUINT64 || written[i]->row == row->id + 1)
            *written[i] = (Writer){row->id + 1, ready};
}

/* ---- issues and results -------------------------------------------------------------------------
 */

static void put_lanes(WsExport *export, const WsTraceEvent *event)
{
    ws_trace_put(&export->out, "lanes 0x");
    ws_trace_put_hex(&export->out, event->issue.active, 1);
    ws_trace_put(&export->out, ", with a true guard 0x");
    ws_trace_put_hex(&export->out, event->issue.executed, 1);
}

static void take_issue(WsExport *export, Warp *warp, guint32 number, const WsTraceEvent *event)
{
    Kanata *kanata = export->state;
    WsTraceWriter *out = &export->out;
    const WsInstructionText *text = ws_instruction_text(export->texts, event->instruction);
    Row row = {.instruction = event->instruction};
    guint64 since = warp->waits ? warp->since : event->cycle;

    if (warp->writers == NULL)
        warp->writers = g_malloc0(FILES * sizeof *warp->writers);
    row.id = warp->waits ? warp->next : begin_row(export, event);
    if (warp->waits)
        put_command(out, 'E', row.id), ws_trace_put(out, "\t1\tstall\n");
    warp->waits = FALSE;
    put_command(out, 'L', row.id);
    ws_trace_put(out, "\t0\t");
    ws_trace_put_hex(out, ws_instruction_address(event->instruction), 4);
    ws_trace_put(out, ": ");
    ws_trace_put(out, text->text);
    ws_trace_put_char(out, '\n');
    put_command(out, 'L', row.id);
    ws_trace_put(out, "\t1\t");
    put_lanes(export, event);
    if (text->framed[0] != '\0') {
        ws_trace_put(out, ", ");
        ws_trace_put(out, text->framed);
    }
    ws_trace_put_char(out, '\n');
    put_stage(out, 'S', row.id, 0, "Is");
    put_dependences(export, warp, &row, since);
    note_results(export, warp, &row, G_MAXUINT64);
    if (warp->issued == NULL)
        warp->issued = g_array_new(FALSE, FALSE, sizeof(Row));
    g_array_append_val(warp->issued, row);
    g_array_append_val(kanata->fresh, number);
}

/* The row's place among the warp's, or NO_ROW. */
static guint find_row(const Warp *warp, guint32 instruction, gboolean result, gboolean youngest)
{
    guint count = warp->issued == NULL ? 0 : warp->issued->len;

    for (guint i = 0; i < count; i++) {
        guint place = youngest ? count - 1 - i : i;
        const Row *row = &g_array_index(warp->issued, Row, place);

        if (row->instruction == instruction && row->result == result)
            return place;
    }
    return NO_ROW;
}

static void take_release(WsExport *export, Warp *warp, const WsTraceEvent *event)
{
    guint place = find_row(warp, event->instruction, TRUE, FALSE);

    if (place == NO_ROW)
        return;
    note_results(export, warp, &g_array_index(warp->issued, Row, place), event->cycle);
    retire(export, g_array_index(warp->issued, Row, place).id, FALSE);
    g_array_remove_index(warp->issued, place);
}

static void end_warp(WsExport *export, Warp *warp)
{
    guint count = warp->issued == NULL ? 0 : warp->issued->len;

    for (guint i = 0; i < count; i++)
        retire(export, g_array_index(warp->issued, Row, i).id, FALSE);
    if (count != 0)
        g_array_set_size(warp->issued, 0);
    if (warp->waits)
        retire(export, warp->next, TRUE);
    warp->waits = FALSE;
    g_clear_pointer(&warp->writers, g_free); /* the next warp of the slot has read nothing */
}

static void take_event(WsExport *export, const WsTraceEvent *event)
{
    Kanata *kanata = export->state;
    guint32 number = event->sm * WS_EXPORT_WARPS + event->warp;
    Warp *warp = &kanata->warps[number];
    guint place;

    go_to(export, event->cycle);
    switch ((WsTraceKind)event->kind) {
    case WS_TRACE_STALL:
        take_stall(export, warp, event);
        break;
    case WS_TRACE_ISSUE:
        take_issue(export, warp, number, event);
        break;
    case WS_TRACE_SCOREBOARD_SET:
        place = find_row(warp, event->instruction, FALSE, TRUE);
        if (place != NO_ROW)
            g_array_index(warp->issued, Row, place).result = TRUE;
        break;
    case WS_TRACE_SCOREBOARD_RELEASE:
        take_release(export, warp, event);
        break;
    case WS_TRACE_WARP_END:
        end_warp(export, warp);
        break;
    default:
        break;
    }
}

static void launch_end(WsExport *export, guint64 cycle)
{
    Kanata *kanata = export->state;

    if (kanata->started && kanata->fresh->len != 0)
        go_to(export, kanata->cycle + 1);
    for (guint32 i = 0; i < kanata->warp_count; i++)
        end_warp(export, &kanata->warps[i]);
}

const WsExporter ws_exporter_kanata = {
    .name = "kanata",
    .kinds = WS_TRACE_BIT(STALL) | WS_TRACE_BIT(ISSUE) | WS_TRACE_BIT(SCOREBOARD_SET) |
             WS_TRACE_BIT(SCOREBOARD_RELEASE) | WS_TRACE_BIT(WARP_END),
    .state_bytes = sizeof(Kanata),
    .begin = begin,
    .launch_begin = launch_begin,
    .event = take_event,
    .launch_end = launch_end,
    .clear = clear,
};
