/*
 * Perfetto's protobuf trace: track events, for ui.perfetto.dev and trace_processor. A track for
 * each SM and below it, for each warp slot, one for what it issues, one for what it waits for and
 * as many as it has accesses to memory under way at a time. One nanosecond is one cycle.
 *
 * Field numbers are those of protos/perfetto/trace/ in Perfetto's sources. Messages are written as
 * they are needed: a packet is smaller than a line of text.
 */
#include <string.h>

#include "inspect/export/warp_slices.h"

/* Fields, by message. */
enum {
    TRACE_PACKET = 1,
    PACKET_TIMESTAMP = 8,
    PACKET_SEQUENCE = 10,
    PACKET_TRACK_EVENT = 11,
    PACKET_INTERNED = 12,
    PACKET_SEQUENCE_FLAGS = 13,
    PACKET_TRACK_DESCRIPTOR = 60,
    TRACK_UUID = 1,
    TRACK_NAME = 2,
    TRACK_PARENT = 5,
    EVENT_ANNOTATION = 4,
    EVENT_TYPE = 9,
    EVENT_NAME_IID = 10,
    EVENT_TRACK = 11,
    INTERNED_NAME = 2,
    NAME_IID = 1,
    NAME_TEXT = 2,
    ANNOTATION_UINT = 3,
    ANNOTATION_STRING = 6,
    ANNOTATION_POINTER = 7,
    ANNOTATION_NAME = 10
};

enum { SLICE_BEGIN = 1, SLICE_END = 2, INSTANT = 3 };
enum { STATE_CLEARED = 1, NEEDS_STATE = 2, SEQUENCE = 1 };
enum { VARINT = 0, BYTES = 2 };

/* Tracks of a warp slot: accesses to memory take those from MEMORY on. */
enum { ISSUES = 0, WAITS = 1, MEMORY = 2, TRACKS = 64 };

typedef struct {
    guint accesses;                /* tracks named so far */
    guint64 busy[TRACKS - MEMORY]; /* end of the last access on each */
} WarpAccesses;

typedef struct {
    gboolean started;
    guint64 names;    /* interned so far */
    GHashTable *iids; /* name -> iid */
    GString *packet, *event, *part;
    WsWarpSlices slices;
    WarpAccesses *warps; /* [SM][slot] */
} Perfetto;

static void launch_begin(WsExport *export)
{
    Perfetto *perfetto = export->state;

    if (perfetto->warps != NULL)
        return;
    ws_warp_slices_begin(&perfetto->slices, export);
    perfetto->warps = g_new0(WarpAccesses, (gsize) export->launch.sms * WS_EXPORT_WARPS);
    perfetto->iids = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    perfetto->packet = g_string_new(NULL);
    perfetto->event = g_string_new(NULL);
    perfetto->part = g_string_new(NULL);
}

static void clear(WsExport *export)
{
    Perfetto *perfetto = export->state;

    if (perfetto->warps == NULL)
        return;
    g_hash_table_unref(perfetto->iids);
    g_string_free(perfetto->packet, TRUE);
    g_string_free(perfetto->event, TRUE);
    g_string_free(perfetto->part, TRUE);
    g_free(perfetto->warps);
    ws_warp_slices_clear(&perfetto->slices);
}

/* ---- protobuf -----------------------------------------------------------------------------------
 */

static void append_varint(GString *out, guint64 value)
{
    while (value >= 0x80) {
        g_string_append_c(out, (char)(value | 0x80));
        value >>= 7;
    }
    g_string_append_c(out, (char)value);
}

static void append_number(GString *out, guint field, guint64 value)
{
    append_varint(out, field << 3 | VARINT);
    append_varint(out, value);
}

static void append_bytes(GString *out, guint field, const char *bytes, gsize length)
{
    append_varint(out, field << 3 | BYTES);
    append_varint(out, length);
    g_string_append_len(out, bytes, (gssize)length);
}

static void append_text(GString *out, guint field, const char *text)
{
    append_bytes(out, field, text, strlen(text));
}

static void append_message(GString *out, guint field, const GString *message)
{
    append_bytes(out, field, message->str, message->len);
}

/* Writes the packet, with what every one has. */
static void put_packet(WsExport *export)
{
    Perfetto *perfetto = export->state;
    GString *head = perfetto->part;

    append_number(perfetto->packet, PACKET_SEQUENCE, SEQUENCE);
    append_number(perfetto->packet, PACKET_SEQUENCE_FLAGS,
                  perfetto->started ? NEEDS_STATE : STATE_CLEARED);
    perfetto->started = TRUE;
    g_string_truncate(head, 0);
    append_varint(head, TRACE_PACKET << 3 | BYTES);
    append_varint(head, perfetto->packet->len);
    ws_trace_put_bytes(&export->out, head->str, head->len);
    ws_trace_put_bytes(&export->out, perfetto->packet->str, perfetto->packet->len);
    g_string_truncate(perfetto->packet, 0);
}

/* ---- tracks -------------------------------------------------------------------------------------
 */

static guint64 sm_track(guint32 sm)
{
    return (guint64)(sm + 1) << 32;
}

static guint64 warp_track(const WsTraceEvent *event, guint track)
{
    return sm_track(event->sm) | ((guint64)event->warp * TRACKS + track + 1);
}

static void name_track(WsExport *export, guint64 track, guint64 parent, const char *name)
{
    Perfetto *perfetto = export->state;
    GString *descriptor = perfetto->event;

    g_string_truncate(descriptor, 0);
    append_number(descriptor, TRACK_UUID, track);
    append_text(descriptor, TRACK_NAME, name);
    if (parent != 0)
        append_number(descriptor, TRACK_PARENT, parent);
    append_message(perfetto->packet, PACKET_TRACK_DESCRIPTOR, descriptor);
    put_packet(export);
}

static void name_sm(WsExport *export, const WsTraceEvent *event, const char *name)
{
    name_track(export, sm_track(event->sm), 0, name);
}

static void name_warp(WsExport *export, const WsTraceEvent *event, const char *issues,
                      const char *waits)
{
    guint64 parent = sm_track(event->sm);

    name_track(export, warp_track(event, ISSUES), parent, issues);
    name_track(export, warp_track(event, WAITS), parent, waits);
}

/* ---- events -------------------------------------------------------------------------------------
 */

/* The packet's event from here on; names that are new are told with it. */
static GString *begin_event(WsExport *export, guint64 cycle, guint type, guint64 track,
                            const char *name)
{
    Perfetto *perfetto = export->state;
    GString *event = perfetto->event, *part = perfetto->part;
    guint64 iid;

    append_number(perfetto->packet, PACKET_TIMESTAMP, cycle);
    g_string_truncate(event, 0);
    append_number(event, EVENT_TYPE, type);
    append_number(event, EVENT_TRACK, track);
    if (name == NULL)
        return event;
    iid = GPOINTER_TO_SIZE(g_hash_table_lookup(perfetto->iids, name));
    if (iid == 0) {
        g_autoptr(GString) interned = g_string_new(NULL);

        iid = ++perfetto->names;
        g_hash_table_insert(perfetto->iids, g_strdup(name), GSIZE_TO_POINTER(iid));
        g_string_truncate(part, 0);
        append_number(part, NAME_IID, iid);
        append_text(part, NAME_TEXT, name);
        append_message(interned, INTERNED_NAME, part);
        append_message(perfetto->packet, PACKET_INTERNED, interned);
    }
    append_number(event, EVENT_NAME_IID, iid);
    return event;
}

static void annotate_text(WsExport *export, const char *name, const char *text)
{
    Perfetto *perfetto = export->state;

    if (text[0] == '\0')
        return;
    g_string_truncate(perfetto->part, 0);
    append_text(perfetto->part, ANNOTATION_STRING, text);
    append_text(perfetto->part, ANNOTATION_NAME, name);
    append_message(perfetto->event, EVENT_ANNOTATION, perfetto->part);
}

/* Shown in hexadecimal if it is a mask. */
static void annotate_number(WsExport *export, const char *name, guint64 value, gboolean mask)
{
    Perfetto *perfetto = export->state;

    g_string_truncate(perfetto->part, 0);
    append_number(perfetto->part, mask ? ANNOTATION_POINTER : ANNOTATION_UINT, value);
    append_text(perfetto->part, ANNOTATION_NAME, name);
    append_message(perfetto->event, EVENT_ANNOTATION, perfetto->part);
}

static void annotate_instruction(WsExport *export, guint32 instruction)
{
    const WsInstructionText *text = ws_instruction_text(export->texts, instruction);

    annotate_text(export, "instruction", text->text);
    annotate_text(export, "source", text->framed);
}

static void end_event(WsExport *export)
{
    Perfetto *perfetto = export->state;

    append_message(perfetto->packet, PACKET_TRACK_EVENT, perfetto->event);
    put_packet(export);
}

static void put_end(WsExport *export, guint64 cycle, guint64 track)
{
    begin_event(export, cycle, SLICE_END, track, NULL);
    end_event(export);
}

static void end_wait(WsExport *export, const WsTraceEvent *event, const WsWarpWait *wait,
                     guint64 cycle)
{
    put_end(export, cycle, warp_track(event, WAITS));
}

static void begin_wait(WsExport *export, const WsTraceEvent *event)
{
    begin_event(export, event->cycle, SLICE_BEGIN, warp_track(event, WAITS),
                ws_stall_name((WsStall)event->stall.reason));
    annotate_instruction(export, event->instruction);
    end_event(export);
}

static void put_issue(WsExport *export, const WsTraceEvent *event)
{
    guint64 track = warp_track(event, ISSUES);

    begin_event(export, event->cycle, SLICE_BEGIN, track,
                ws_instruction_text(export->texts, event->instruction)->mnemonic);
    annotate_instruction(export, event->instruction);
    annotate_number(export, "active", event->issue.active, TRUE);
    annotate_number(export, "executed", event->issue.executed, TRUE);
    annotate_number(export, "block", event->block, FALSE);
    end_event(export);
    put_end(export, event->cycle + 1, track);
}

/* An access that took until now: on the first track that was free when it began. */
static void put_access(WsExport *export, const WsTraceEvent *event)
{
    const Perfetto *perfetto = export->state;
    WarpAccesses *warp = &perfetto->warps[event->sm * WS_EXPORT_WARPS + event->warp];
    guint64 since = event->cycle - event->response.latency, track;
    guint n = 0;

    while (n + 1 < G_N_ELEMENTS(warp->busy) && warp->busy[n] > since)
        n++;
    track = warp_track(event, MEMORY + n);
    if (n >= warp->accesses) {
        g_autofree char *name = g_strdup_printf("warp %u memory %u", event->warp, n);
        name_track(export, track, sm_track(event->sm), name);
        warp->accesses = n + 1;
    }
    warp->busy[n] = event->cycle;
    begin_event(export, since, SLICE_BEGIN, track,
                ws_memory_level_name((WsMemoryLevel)event->response.level));
    annotate_instruction(export, event->instruction);
    annotate_number(export, "lanes", event->response.lanes, TRUE);
    end_event(export);
    put_end(export, event->cycle, track);
}

static void put_instant(WsExport *export, const WsTraceEvent *event)
{
    begin_event(export, event->cycle, INSTANT, warp_track(event, ISSUES),
                ws_trace_event_name(event->kind));
    annotate_instruction(export, event->instruction);
    end_event(export);
}

static const WsSliceFormat format = {.name_sm = name_sm,
                                     .name_warp = name_warp,
                                     .begin_wait = begin_wait,
                                     .end_wait = end_wait,
                                     .issue = put_issue,
                                     .access = put_access,
                                     .instant = put_instant};

static void take_event(WsExport *export, const WsTraceEvent *event)
{
    Perfetto *perfetto = export->state;

    ws_warp_slices_event(&perfetto->slices, &format, export, event);
}

static void launch_end(WsExport *export, guint64 cycle)
{
    Perfetto *perfetto = export->state;

    ws_warp_slices_end(&perfetto->slices, &format, export, cycle);
}

const WsExporter ws_exporter_perfetto = {
    .name = "perfetto",
    .kinds = WS_SLICE_EVENTS,
    .state_bytes = sizeof(Perfetto),
    .launch_begin = launch_begin,
    .event = take_event,
    .launch_end = launch_end,
    .clear = clear,
};
