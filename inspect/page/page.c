#include "inspect/page/page.h"

#include <string.h>

#include "inspect/page/page_data.h"
#include "inspect/page/page_parts.h"
#include "inspect/page/page_template.h"
#include "sim/report/json.h"

gboolean ws_run_page_is_built(void)
{
    return ws_run_page_template[0] != NULL;
}

static char *title_of(const WsJob *job, const WsResult *result)
{
    g_autofree char *name =
        g_utf8_make_valid(result->launch_count > 0 ? result->launches[0].kernel : job->path, -1);

    return g_strdup_printf("%s on %s", name, job->device->name);
}

WsRunPage *ws_run_page_new(const WsPageRun *run)
{
    WsRunPage *page = g_new0(WsRunPage, 1);

    page->title = title_of(run->job, run->result);
    page->run = ws_report_json(run->job, run->result);
    page->data = ws_run_page_data(run);
    page->timeline = g_byte_array_free_to_bytes(ws_timeline_record_bytes(run->record));
    return page;
}

void ws_run_page_free(WsRunPage *page)
{
    if (page == NULL)
        return;
    g_free(page->title);
    g_free(page->run);
    g_free(page->data);
    g_bytes_unref(page->timeline);
    g_free(page);
}

void ws_page_append_json(GString *out, const char *json)
{
    for (const char *at = json; *at != '\0';) {
        gsize plain = strcspn(at, "<>&");

        g_string_append_len(out, at, (gssize)plain);
        at += plain;
        if (*at != '\0')
            g_string_append_printf(out, "\\u%04x", (guint)*at++);
    }
}

void ws_page_append_part(GString *out, const WsRunPage *page, guint part)
{
    g_autofree char *text = NULL;
    gsize length;

    switch (part) {
    case WS_PAGE_TITLE:
        text = g_markup_escape_text(page->title, -1);
        g_string_append(out, text);
        break;
    case WS_PAGE_RUN:
        ws_page_append_json(out, page->run);
        break;
    case WS_PAGE_DATA:
        ws_page_append_json(out, page->data);
        break;
    case WS_PAGE_TIMELINE: {
        const guint8 *bytes = g_bytes_get_data(page->timeline, &length);
        text = g_base64_encode(bytes, length);
        g_string_append(out, text);
        break;
    }
    default:
        break;
    }
}

char *ws_run_page_html(const WsPageRun *run, gsize *ret_length)
{
    g_autoptr(WsRunPage) page = ws_run_page_new(run);
    GString *out = g_string_new(NULL);

    for (guint i = 0; i < WS_PAGE_PARTS; i++) {
        g_string_append(out, ws_run_page_template[i]);
        ws_page_append_part(out, page, i);
    }
    *ret_length = out->len;
    return g_string_free(out, FALSE);
}
