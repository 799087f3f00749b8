#include "inspect/page/warp_stream.h"

/* ---- numbers and tables -------------------------------------------------------------------------
 */

void ws_append_number(GByteArray *out, guint64 value)
{
    guint8 bytes[10];
    guint count = 0;

    while (value >= 128) {
        bytes[count++] = (guint8)(value | 128);
        value >>= 7;
    }
    bytes[count++] = (guint8)value;
    g_byte_array_append(out, bytes, count);
}

static void append_difference(GByteArray *out, gint64 value)
{
    ws_append_number(out, ((guint64)value << 1) ^ (value < 0 ? G_MAXUINT64 : 0));
}

void ws_stream_tables_init(WsStreamTables *ret)
{
    ret->masks = g_hash_table_new_full(g_int64_hash, g_int64_equal, g_free, NULL);
    ret->mask_values = g_array_new(FALSE, FALSE, sizeof(guint64));
    ret->texts = g_ptr_array_new();
    ret->answered = g_hash_table_new(NULL, NULL);
}

void ws_stream_tables_clear(WsStreamTables *tables)
{
    g_hash_table_unref(tables->masks);
    g_array_unref(tables->mask_values);
    g_ptr_array_unref(tables->texts);
    g_hash_table_unref(tables->answered);
}

guint32 ws_stream_mask(WsStreamTables *tables, guint64 mask)
{
    gpointer number;

    if (g_hash_table_lookup_extended(tables->masks, &mask, NULL, &number))
        return GPOINTER_TO_UINT(number);
    number = GUINT_TO_POINTER(tables->mask_values->len);
    g_hash_table_insert(tables->masks, g_memdup2(&mask, sizeof mask), number);
    g_array_append_val(tables->mask_values, mask);
    return GPOINTER_TO_UINT(number);
}

/* There are few, and each is one constant of the simulator. */
static guint32 text_number(WsStreamTables *tables, const char *text)
{
    const char *shown = text != NULL ? text : "";

    for (guint i = 0; i < tables->texts->len; i++)
        if (g_str_equal(tables->texts->pdata[i], shown))
            return i;
    g_ptr_array_add(tables->texts, (gpointer)shown);
    return tables->texts->len - 1;
}

/* ---- life ---------------------------------------------------------------------------------------
 */

WsWarpStream *ws_warp_stream_new(const WsTraceEvent *event, guint32 launch)
{
    WsWarpStream *stream = g_new0(WsWarpStream, 1);

    stream->launch = launch;
    stream->sm = event->sm;
    stream->slot = event->warp;
    stream->sub_core = event->sub_core;
    stream->block = event->block;
    stream->warp_in_block = event->warp_in_block;
    stream->begin = stream->cycle = event->cycle;
    stream->launched = stream->entry = stream->active = stream->alive = event->warp_begin.launched;
    stream->stall.kind = stream->issue.kind = WS_TRACE_COUNT; /* none yet */
    stream->bytes = g_byte_array_new();
    stream->paths = g_array_new(FALSE, FALSE, sizeof(WsTraceEvent));
    return stream;
}

void ws_warp_stream_free(WsWarpStream *stream)
{
    g_byte_array_unref(stream->bytes);
    g_array_unref(stream->paths);
    g_free(stream);
}

/* ---- records ------------------------------------------------------------------------------------
 */

static void append_head(WsWarpStream *stream, WsWarpRecord kind, guint64 since)
{
    guint8 head = (guint8)(kind | MIN(since, 15) << 4);

    g_byte_array_append(stream->bytes, &head, 1);
    if (since >= 15)
        ws_append_number(stream->bytes, since - 15);
}

void ws_warp_stream_flush(WsWarpStream *stream)
{
    guint32 single = stream->pending;

    if (stream->pending >= 4) {
        single = stream->pending % 2;
        append_head(stream, WS_RECORD_BACK, 0);
        ws_append_number(stream->bytes, stream->pending / 2);
    }
    for (guint32 i = 0; i < single; i++)
        append_head(stream, WS_RECORD_BACK, stream->since[i % 2]);
    stream->pending = 0;
    stream->backs = 0;
}

static void begin_record(WsWarpStream *stream, WsWarpRecord kind, guint64 cycle)
{
    ws_warp_stream_flush(stream);
    append_head(stream, kind, cycle - MIN(stream->cycle, cycle));
    stream->cycle = MAX(stream->cycle, cycle);
}

/* To the reason before the last one. */
static void add_back(WsWarpStream *stream, guint64 cycle)
{
    guint64 since = cycle - stream->cycle;

    stream->cycle = cycle;
    if (stream->backs == 2 && since == stream->since[stream->pending % 2]) {
        stream->pending++;
        return;
    }
    if (stream->pending != 0)
        ws_warp_stream_flush(stream);
    append_head(stream, WS_RECORD_BACK, since);
    stream->since[0] = stream->since[1];
    stream->since[1] = since;
    stream->backs = MIN(stream->backs + 1, 2);
}

static void append_instruction(const WsWarpStream *stream, guint32 instruction)
{
    append_difference(stream->bytes, (gint64)instruction - (gint64)stream->next);
}

static void add_issue(WsWarpStream *stream, WsStreamTables *tables, const WsTraceEvent *event)
{
    gboolean same = event->issue.active == stream->active &&
                    event->issue.executed == event->issue.active &&
                    event->issue.alive == stream->alive;

    if (same && event->instruction == stream->next) {
        begin_record(stream, WS_RECORD_ISSUE_NEXT, event->cycle);
    } else {
        begin_record(stream, same ? WS_RECORD_ISSUE_NEAR : WS_RECORD_ISSUE, event->cycle);
        append_instruction(stream, event->instruction);
    }
    if (!same) {
        ws_append_number(stream->bytes, ws_stream_mask(tables, event->issue.active));
        ws_append_number(stream->bytes, ws_stream_mask(tables, event->issue.executed));
        ws_append_number(stream->bytes, ws_stream_mask(tables, event->issue.alive));
    }
    stream->active = event->issue.active;
    stream->alive = event->issue.alive;
    stream->next = event->instruction + 1;
}

static void add_stall(WsWarpStream *stream, const WsTraceEvent *event)
{
    gboolean other = event->instruction != stream->next && event->instruction != WS_NO_INSTRUCTION;
    guint8 reason = (guint8)(event->stall.reason | (other ? 128 : 0));

    if (event->stall.reason == stream->reason_before && event->instruction == stream->stalled &&
        event->cycle > stream->cycle) {
        add_back(stream, event->cycle);
    } else {
        begin_record(stream, WS_RECORD_STALL, event->cycle);
        g_byte_array_append(stream->bytes, &reason, 1);
        if (other)
            append_instruction(stream, event->instruction);
    }
    stream->reason_before = stream->last_reason;
    stream->last_reason = event->stall.reason;
    stream->stalled = event->instruction == WS_NO_INSTRUCTION ? stream->next : event->instruction;
}

/* All paths of a change, told one by one, are one record. */
static void add_paths(WsWarpStream *stream, WsStreamTables *tables, guint64 cycle)
{
    const WsTraceEvent *paths = (const WsTraceEvent *)(void *)stream->paths->data;
    guint count = stream->paths->len != 0 ? paths[0].path.count : 0;

    begin_record(stream, WS_RECORD_PATHS, cycle);
    ws_append_number(stream->bytes, count);
    for (guint i = 0; i < count; i++) {
        ws_append_number(stream->bytes, ws_stream_mask(tables, paths[i].path.lanes));
        ws_append_number(stream->bytes, paths[i].path.pc);
        ws_append_number(stream->bytes, text_number(tables, paths[i].path.how));
    }
}

static void add_convergence(WsWarpStream *stream, WsStreamTables *tables, guint number,
                            guint64 cycle)
{
    begin_record(stream, WS_RECORD_CONVERGENCE, cycle);
    ws_append_number(stream->bytes, number);
    ws_append_number(stream->bytes, ws_stream_mask(tables, stream->convergence[number]));
}

static void add_memory(WsWarpStream *stream, WsStreamTables *tables, const WsTraceEvent *event)
{
    gboolean request = event->kind == WS_TRACE_REQUEST;

    begin_record(stream, request ? WS_RECORD_REQUEST : WS_RECORD_RESPONSE, event->cycle);
    append_instruction(stream, event->instruction);
    if (request) {
        ws_append_number(stream->bytes, event->request.sectors);
        ws_append_number(stream->bytes, event->request.wavefronts);
        ws_append_number(stream->bytes, ws_stream_mask(tables, event->request.lanes));
    } else {
        g_hash_table_add(tables->answered, GUINT_TO_POINTER(event->instruction));
        ws_append_number(stream->bytes, event->response.latency);
        ws_append_number(stream->bytes, event->response.level);
    }
}

static void add_other(WsWarpStream *stream, WsStreamTables *tables, const WsTraceEvent *event)
{
    switch (event->kind) {
    case WS_TRACE_DIVERGE:
        begin_record(stream, WS_RECORD_DIVERGE, event->cycle);
        ws_append_number(stream->bytes, ws_stream_mask(tables, event->split.taken));
        ws_append_number(stream->bytes, ws_stream_mask(tables, event->split.not_taken));
        break;
    case WS_TRACE_RECONVERGE:
        begin_record(stream, WS_RECORD_RECONVERGE, event->cycle);
        ws_append_number(stream->bytes, ws_stream_mask(tables, event->joined.lanes));
        break;
    case WS_TRACE_BARRIER_ARRIVE:
    case WS_TRACE_BARRIER_RELEASE:
        begin_record(stream,
                     event->kind == WS_TRACE_BARRIER_ARRIVE ? WS_RECORD_ARRIVE : WS_RECORD_RELEASE,
                     event->cycle);
        ws_append_number(stream->bytes, event->barrier.number);
        break;
    case WS_TRACE_WARP_EXIT:
        begin_record(stream, WS_RECORD_EXIT, event->cycle);
        break;
    case WS_TRACE_WARP_END:
        begin_record(stream, WS_RECORD_END, event->cycle);
        break;
    case WS_TRACE_STOP:
        begin_record(stream, WS_RECORD_STOP, event->cycle);
        ws_append_number(stream->bytes, text_number(tables, event->stop.what));
        ws_append_number(stream->bytes,
                         event->stop.lane == G_MAXUINT32 ? 0 : (guint64)event->stop.lane + 1);
        break;
    default:
        break;
    }
}

/* What holds until it is told anew. */
static void keep(WsWarpStream *stream, const WsTraceEvent *event)
{
    switch (event->kind) {
    case WS_TRACE_ISSUE:
        stream->issue = *event;
        stream->stall.kind = WS_TRACE_COUNT;
        break;
    case WS_TRACE_STALL:
        stream->stall = *event;
        break;
    case WS_TRACE_PATH:
        if (event->path.index == 0)
            g_array_set_size(stream->paths, 0);
        g_array_append_vals(stream->paths, event, 1);
        break;
    case WS_TRACE_CONVERGENCE:
        stream->convergence[event->convergence.number & 15] = event->convergence.lanes;
        break;
    default:
        break;
    }
}

void ws_warp_stream_enter(WsWarpStream *stream, WsStreamTables *tables, guint64 first)
{
    if (stream->entered)
        return;
    stream->entered = TRUE;
    if (stream->begin >= first)
        return;
    stream->cycle = first;
    if (stream->issue.kind == WS_TRACE_ISSUE)
        stream->entry = stream->active = stream->alive = stream->issue.issue.alive;
    if (stream->paths->len != 0)
        add_paths(stream, tables, first);
    for (guint i = 0; i < G_N_ELEMENTS(stream->convergence); i++)
        if (stream->convergence[i] != 0)
            add_convergence(stream, tables, i, first);
    if (stream->stall.kind == WS_TRACE_STALL) {
        stream->stall.cycle = first;
        add_stall(stream, &stream->stall);
    }
}

void ws_warp_stream_add(WsWarpStream *stream, WsStreamTables *tables, const WsTraceEvent *event)
{
    keep(stream, event);
    if (!stream->entered)
        return;
    switch (event->kind) {
    case WS_TRACE_ISSUE:
        add_issue(stream, tables, event);
        break;
    case WS_TRACE_STALL:
        add_stall(stream, event);
        break;
    case WS_TRACE_PATH:
        if (event->path.index + 1 >= event->path.count)
            add_paths(stream, tables, event->cycle);
        break;
    case WS_TRACE_CONVERGENCE:
        add_convergence(stream, tables, event->convergence.number & 15, event->cycle);
        break;
    case WS_TRACE_REQUEST:
    case WS_TRACE_RESPONSE:
        add_memory(stream, tables, event);
        break;
    default:
        add_other(stream, tables, event);
        break;
    }
}
