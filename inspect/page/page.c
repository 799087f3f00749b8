#include "inspect/page/page.h"

#include <string.h>

#include "inspect/page/page_data.h"
#include "inspect/page/page_template.h"
#include "sim/report/json.h"

gboolean ws_run_page_is_built(void)
{
    return ws_run_page_template[0] != NULL;
}

/* JSON inside of a script element: nothing in it can end the element or begin a comment. */
static void append_json(GString *out, const char *json)
{
    for (const char *at = json; *at != '\0';) {
        gsize plain = strcspn(at, "<>&");

        g_string_append_len(out, at, (gssize)plain);
        at += plain;
        if (*at != '\0')
            g_string_append_printf(out, "\\u%04x", (guint)*at++);
    }
}

static void append_title(GString *out, const WsJob *job, const WsResult *result)
{
    g_autofree char *valid =
        g_utf8_make_valid(result->launch_count > 0 ? result->launches[0].kernel : job->path, -1);
    g_autofree char *name = g_markup_escape_text(valid, -1);

    g_string_append_printf(out, "%s on %s", name, job->device->name);
}

char *ws_run_page_html(const WsJob *job, const WsResult *result, WsTimelineRecord *record,
                       gsize *ret_length)
{
    g_autoptr(GByteArray) bytes = ws_timeline_record_bytes(record);
    g_autofree char *timeline = g_base64_encode(bytes->data, bytes->len);
    g_autofree char *run = ws_report_json(job, result);
    g_autofree char *data = ws_run_page_data(job, result, record);
    GString *out = g_string_new(ws_run_page_template[WS_PAGE_TITLE]);

    append_title(out, job, result);
    g_string_append(out, ws_run_page_template[WS_PAGE_RUN]);
    append_json(out, run);
    g_string_append(out, ws_run_page_template[WS_PAGE_DATA]);
    append_json(out, data);
    g_string_append(out, ws_run_page_template[WS_PAGE_TIMELINE]);
    g_string_append(out, timeline);
    g_string_append(out, ws_run_page_template[WS_PAGE_REST]);
    *ret_length = out->len;
    return g_string_free(out, FALSE);
}
