#include "inspect/page/page_samples.h"

#include "sim/base/json_members.h"

enum { SPANS = 256, FIRST_WIDTH = 16 };

typedef struct {
    guint64 l1_lookups, l1_hits, l2_lookups, l2_hits, dram_bytes;
    guint64 stalls[WS_STALL_COUNT];
} Span;

struct WsPageSamples {
    WsSampleSink sink; /* sink.every is the width of a span */
    guint count;       /* spans in use */
    Span spans[SPANS];
};

static void add_span(Span *to, const Span *from)
{
    to->l1_lookups += from->l1_lookups;
    to->l1_hits += from->l1_hits;
    to->l2_lookups += from->l2_lookups;
    to->l2_hits += from->l2_hits;
    to->dram_bytes += from->dram_bytes;
    for (guint i = 0; i < WS_STALL_COUNT; i++)
        to->stalls[i] += from->stalls[i];
}

/* Two neighbours become one. */
static void halve(WsPageSamples *samples)
{
    for (guint i = 0; i < SPANS; i++) {
        Span sum = {0};

        for (guint k = 2 * i; k < SPANS && k < 2 * i + 2; k++)
            add_span(&sum, &samples->spans[k]);
        samples->spans[i] = sum;
    }
    samples->count = (samples->count + 1) / 2;
    samples->sink.every *= 2;
}

static void take(void *data, const WsSample *sample)
{
    WsPageSamples *samples = data;
    const WsCounters *count = &sample->counters;
    Span span = {count->l1_lookups, count->l1_hits,     count->l2_lookups,
                 count->l2_hits,    sample->dram_bytes, {0}};

    for (guint i = 0; i < WS_STALL_COUNT; i++)
        span.stalls[i] = count->stalls[i];
    while (sample->cycle / samples->sink.every >= SPANS)
        halve(samples);
    guint place = (guint)(sample->cycle / samples->sink.every);

    add_span(&samples->spans[place], &span);
    samples->count = MAX(samples->count, place + 1);
}

WsPageSamples *ws_page_samples_new(void)
{
    WsPageSamples *samples = g_new0(WsPageSamples, 1);

    samples->sink = (WsSampleSink){.every = FIRST_WIDTH, .data = samples, .take = take};
    return samples;
}

void ws_page_samples_free(WsPageSamples *samples)
{
    g_free(samples);
}

const WsSampleSink *ws_page_samples_sink(WsPageSamples *samples)
{
    return &samples->sink;
}

/* ---- JSON ---------------------------------------------------------------------------------------
 */

/* The number at `offset` of each span. */
static void add_numbers(JsonBuilder *json, const WsPageSamples *samples, gsize offset)
{
    for (guint i = 0; i < samples->count; i++)
        json_builder_add_int_value(json,
                                   (gint64)G_STRUCT_MEMBER(guint64, &samples->spans[i], offset));
    json_builder_end_array(json);
}

void ws_page_add_samples(JsonBuilder *json, const WsPageSamples *samples)
{
    static const struct {
        const char *name;
        gsize offset;
    } lists[] = {{"l1_lookups", G_STRUCT_OFFSET(Span, l1_lookups)},
                 {"l1_hits", G_STRUCT_OFFSET(Span, l1_hits)},
                 {"l2_lookups", G_STRUCT_OFFSET(Span, l2_lookups)},
                 {"l2_hits", G_STRUCT_OFFSET(Span, l2_hits)},
                 {"dram_bytes", G_STRUCT_OFFSET(Span, dram_bytes)}};

    json_builder_set_member_name(json, "samples");
    if (samples == NULL) {
        json_builder_add_null_value(json);
        return;
    }
    json_builder_begin_object(json);
    ws_json_add_integer(json, "width", samples->sink.every);
    for (guint i = 0; i < G_N_ELEMENTS(lists); i++) {
        ws_json_open_list(json, lists[i].name);
        add_numbers(json, samples, lists[i].offset);
    }
    ws_json_open_list(json, "stalls");
    for (guint i = 0; i < WS_STALL_COUNT; i++) {
        json_builder_begin_array(json);
        add_numbers(json, samples, G_STRUCT_OFFSET(Span, stalls) + i * sizeof(guint64));
    }
    json_builder_end_array(json);
    json_builder_end_object(json);
}
