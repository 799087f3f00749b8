/* A short run in all formats of traces, as files in tests/golden/rooms/; and what filters let pass.
 */
#include <check.h>
#include <string.h>

#include "inspect/export/export.h"
#include "sim/base/number_list.h"
#include "tests/support/engine_fixture.h"
#include "tests/support/golden_text.h"
#include "tests/support/suite.h"

static gboolean keep(void *data, const char *bytes, gsize length)
{
    g_string_append_len(data, bytes, (gssize)length);
    return TRUE;
}

static char *trace(const char *format, const char *grid, const WsTraceFilter *filter)
{
    const char *values[] = {grid, NULL};
    Engine *e = engine_load("tests/data/rooms/two_sides.yaml", NULL, values);
    GString *text = g_string_new(NULL);
    GError *error = NULL;
    WsExport *export = ws_export_new(ws_exporter_find(format), filter, keep, text, &error);

    ck_assert_msg(export != NULL, "%s", error ? error->message : "");
    e->observers[0] = ws_export_observer(export);
    engine_run(e);
    ck_assert(ws_export_finish(export));
    ws_export_free(export); /* it knows the program */
    engine_free(e);
    if (strcmp(format, "perfetto") != 0) {
        g_autofree char *whole = g_string_free(text, FALSE);
        return golden_text_replace(whole, WS_VERSION, "VERSION");
    }
    /* Bytes: a line each 32. */
    GString *bytes = g_string_new(NULL);
    for (gsize i = 0; i < text->len; i++)
        g_string_append_printf(bytes, "%02x%s", (guint8)text->str[i], i % 32 == 31 ? "\n" : "");
    g_string_free(text, TRUE);
    return g_string_free(bytes, FALSE);
}

START_TEST(formats)
{
    const WsExporter *exporter = ws_exporters[_i];
    g_autofree char *name = g_strdup_printf("trace.%s", ws_exporter_name(exporter));
    WsTraceFilter filter;

    ws_trace_filter_init(&filter);
    g_autofree char *text = trace(ws_exporter_name(exporter), "grid=1", &filter);
    golden_text_check(name, text);
    ws_trace_filter_clear(&filter);
}
END_TEST

/* Each bound of the filter at its edge. */
START_TEST(filters)
{
    WsTraceFilter filter;

    ws_trace_filter_init(&filter);
    ck_assert(ws_trace_kinds_parse("--events", "issue,barrier_arrive,barrier_release",
                                   &filter.kinds, NULL));
    filter.from = 20;
    filter.to = 90;
    filter.blocks = ws_number_list_parse("1");
    g_autofree char *text = trace("text", "grid=2", &filter);
    golden_text_check("trace_filtered.text", text);
    ws_trace_filter_clear(&filter);

    GError *error = NULL;
    guint64 kinds;
    ck_assert(!ws_trace_kinds_parse("--events", "issue,isue", &kinds, &error));
    golden_text_check("trace_kinds.error", error->message);
    g_clear_error(&error);
}
END_TEST

/* Numbers and texts as they are written. */
START_TEST(writes)
{
    WsTraceWriter *out = g_new0(WsTraceWriter, 1);
    GString *text = g_string_new(NULL);

    out->sink = keep;
    out->data = text;
    ws_trace_put_json_string(out, "a\"b\\c\n\t\x01\x1f\x7f\u00e9");
    ws_trace_put_char(out, ' ');
    ws_trace_put_decimal(out, 0);
    ws_trace_put_char(out, ' ');
    ws_trace_put_decimal(out, G_MAXUINT64);
    ws_trace_put_char(out, ' ');
    ws_trace_put_hex(out, 0xabc, 5);
    ws_trace_put_char(out, ' ');
    ws_trace_put_hex(out, 0xabc, 1);
    ws_trace_printf(out, " %d%s", 7, "x");
    ws_trace_flush(out);
    golden_text_check("trace_writer.txt", text->str);
    for (guint i = 0; i < WS_TRACE_BUFFER_BYTES + 5; i++)
        ws_trace_put_char(out, 'y');
    ws_trace_flush(out);
    ck_assert(g_str_has_suffix(text->str, "yyyyy"));
    ck_assert(!out->failed);
    g_string_free(text, TRUE);
    g_free(out);
}
END_TEST

static void add_tests(TCase *cases)
{
    guint count = 0;

    while (ws_exporters[count] != NULL)
        count++;
    tcase_add_loop_test(cases, formats, 0, (int)count);
    tcase_add_test(cases, filters);
    tcase_add_test(cases, writes);
}

int main(void)
{
    return run_suite("export", add_tests);
}
