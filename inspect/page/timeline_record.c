#include "inspect/page/timeline_record.h"

#define SHOWN_KINDS                                                                                \
    (WS_TRACE_BIT(BLOCK_BEGIN) | WS_TRACE_BIT(WARP_BEGIN) | WS_TRACE_BIT(WARP_EXIT) |              \
     WS_TRACE_BIT(WARP_END) | WS_TRACE_BIT(ISSUE) | WS_TRACE_BIT(STALL) | WS_TRACE_BIT(DIVERGE) |  \
     WS_TRACE_BIT(RECONVERGE) | WS_TRACE_BIT(PATH) | WS_TRACE_BIT(CONVERGENCE) |                   \
     WS_TRACE_BIT(BARRIER_ARRIVE) | WS_TRACE_BIT(BARRIER_RELEASE) | WS_TRACE_BIT(REQUEST) |        \
     WS_TRACE_BIT(RESPONSE) | WS_TRACE_BIT(STOP))

/* Cycles of the window fit into 32 bits: the page counts them from its first one. */
static const guint64 MOST_CYCLES = G_MAXUINT32;

static void launch_begin(void *data, const WsTraceLaunch *launch)
{
    WsTimelineRecord *record = data;
    WsTimelineLaunch added = {launch->cycle, launch->cycle};

    record->launch = launch->number;
    g_array_append_val(record->launches, added);
}

static void launch_end(void *data, guint32 launch, guint64 cycle)
{
    WsTimelineRecord *record = data;

    if (record->launches->len != 0)
        g_array_index(record->launches, WsTimelineLaunch, record->launches->len - 1).end = cycle;
}

static void note_usage(WsTimelineRecord *record, const WsTraceEvent *event)
{
    switch (event->kind) {
    case WS_TRACE_BLOCK_BEGIN: /* its slots may have been taken before */
        ws_usage_curve_warps(&record->usage, MIN(event->block_begin.since, event->cycle),
                             event->block_begin.warps);
        break;
    case WS_TRACE_WARP_END:
        ws_usage_curve_warps(&record->usage, event->cycle, -1);
        break;
    case WS_TRACE_ISSUE:
        ws_usage_curve_issue(&record->usage, event->cycle,
                             (guint)__builtin_popcountll(event->issue.active));
        break;
    default:
        break;
    }
}

static void show(WsTimelineRecord *record, const WsTraceEvent *event)
{
    gpointer *open = &record->open->pdata[event->sm * record->slots + event->warp];
    WsWarpStream *stream;
    guint before;

    if (event->kind == WS_TRACE_WARP_BEGIN) {
        *open = ws_warp_stream_new(event, record->launch);
        g_ptr_array_add(record->streams, *open);
    }
    stream = *open;
    if (stream == NULL)
        return;
    if (event->cycle >= record->window.first)
        ws_warp_stream_enter(stream, &record->tables, record->window.first);
    before = stream->bytes->len;
    if (event->kind != WS_TRACE_WARP_BEGIN)
        ws_warp_stream_add(stream, &record->tables, event);
    record->bytes += stream->bytes->len - before;
    if (event->kind == WS_TRACE_WARP_END) {
        *open = NULL;
        if (!stream->entered) /* it has gone before the window begins */
            g_ptr_array_remove_fast(record->streams, stream);
    }
}

static gboolean is_full(const WsTimelineRecord *record, const WsTraceEvent *event)
{
    return event->cycle > record->window.first &&
           (record->bytes >= record->window.max_bytes ||
            (event->kind == WS_TRACE_ISSUE && record->issues >= record->window.max_issues));
}

static void note(void *data, const WsTraceEvent *event)
{
    WsTimelineRecord *record = data;
    WsTimelineWindow *window = &record->window;

    note_usage(record, event);
    ws_sm_table_note(record->sms, event);
    if (window->first_block && event->kind == WS_TRACE_WARP_BEGIN && event->block == 0) {
        record->shown[event->sm] = TRUE;
        window->first_block = FALSE;
    }
    if (!record->shown[event->sm] || event->cycle >= window->end || ws_trace_is_of_block(event))
        return;
    if (is_full(record, event)) {
        /* Others of this cycle may be there already: the page drops them. */
        window->end = event->cycle;
        record->cut = TRUE;
        return;
    }
    record->issues += event->kind == WS_TRACE_ISSUE && event->cycle >= window->first;
    show(record, event);
}

static void free_stream(gpointer stream)
{
    ws_warp_stream_free(stream);
}

WsTimelineRecord *ws_timeline_record_new(const WsTimelineWindow *window, guint32 slots)
{
    WsTimelineRecord *record = g_new0(WsTimelineRecord, 1);

    record->window = *window;
    if (window->max_bytes == 0)
        record->window.max_bytes = WS_TIMELINE_RECORD_BYTES;
    record->window.end = MIN(window->end, window->first + MOST_CYCLES);
    if (record->window.end < window->first) /* the sum was too large for 64 bits */
        record->window.end = window->end;
    record->shown = g_memdup2(window->sms, window->sm_count * sizeof *window->sms);
    record->window.sms = record->shown;
    record->slots = slots;
    record->streams = g_ptr_array_new_with_free_func(free_stream);
    record->open = g_ptr_array_new();
    g_ptr_array_set_size(record->open, (gint)(window->sm_count * slots));
    record->launches = g_array_new(FALSE, FALSE, sizeof(WsTimelineLaunch));
    record->sms = ws_sm_table_new(window->sm_count, slots);
    ws_stream_tables_init(&record->tables);
    record->observer = (WsObserver){.data = record,
                                    .kinds = SHOWN_KINDS,
                                    .launch_begin = launch_begin,
                                    .event = note,
                                    .launch_end = launch_end};
    return record;
}

void ws_timeline_record_free(WsTimelineRecord *record)
{
    if (record == NULL)
        return;
    ws_stream_tables_clear(&record->tables);
    g_ptr_array_unref(record->streams);
    g_ptr_array_unref(record->open);
    g_array_unref(record->launches);
    ws_sm_table_free(record->sms);
    g_free(record->shown);
    g_free(record);
}

const WsObserver *ws_timeline_record_observer(WsTimelineRecord *record)
{
    return &record->observer;
}

guint64 ws_timeline_record_run_end(const WsTimelineRecord *record)
{
    guint64 last = 0;

    for (guint i = 0; i < record->launches->len; i++)
        last = MAX(last, g_array_index(record->launches, WsTimelineLaunch, i).end);
    return last;
}

guint64 ws_timeline_record_sm_issues(const WsTimelineRecord *record, guint32 sm)
{
    return ws_sm_table_at(record->sms, sm)->stalls[WS_STALL_SELECTED];
}

void ws_timeline_record_finish(WsTimelineRecord *record)
{
    guint64 last = ws_timeline_record_run_end(record);

    record->window.end = MAX(MIN(record->window.end, last), record->window.first);
    for (guint i = 0; i < record->streams->len; i++)
        ws_warp_stream_enter(record->streams->pdata[i], &record->tables, record->window.first);
    ws_usage_curve_finish(&record->usage, last);
    ws_sm_table_finish(record->sms, last);
}

static void append_stream(GByteArray *out, WsTimelineRecord *record, WsWarpStream *stream)
{
    const guint32 numbers[] = {stream->launch,   stream->sm,    stream->slot,
                               stream->sub_core, stream->block, stream->warp_in_block};

    ws_warp_stream_flush(stream);
    for (guint i = 0; i < G_N_ELEMENTS(numbers); i++)
        ws_append_number(out, numbers[i]);
    ws_append_number(out, stream->begin);
    ws_append_number(out, ws_stream_mask(&record->tables, stream->launched));
    ws_append_number(out, ws_stream_mask(&record->tables, stream->entry));
    ws_append_number(out, stream->bytes->len);
    g_byte_array_append(out, stream->bytes->data, stream->bytes->len);
}

GByteArray *ws_timeline_record_bytes(WsTimelineRecord *record)
{
    g_autoptr(GByteArray) warps = g_byte_array_new();
    GByteArray *out = g_byte_array_new();
    guint shown = 0;

    for (guint i = 0; i < record->streams->len; i++) {
        WsWarpStream *stream = record->streams->pdata[i];

        if (stream->begin >= record->window.end)
            continue;
        append_stream(warps, record, stream);
        shown++;
    }
    ws_append_number(out, record->tables.mask_values->len);
    for (guint i = 0; i < record->tables.mask_values->len; i++) {
        guint64 mask = GUINT64_TO_LE(g_array_index(record->tables.mask_values, guint64, i));

        g_byte_array_append(out, (const guint8 *)&mask, sizeof mask);
    }
    ws_append_number(out, shown);
    g_byte_array_append(out, warps->data, warps->len);
    return out;
}
