#include "inspect/page/embedded_pages.h"

#include "inspect/page/page_parts.h"
#include "inspect/page/page_template.h"

#include <json-glib/json-glib.h>

const char *ws_embedded_pages_policy(void)
{
    return ws_embedded_pages_csp;
}

void ws_embedded_pages_add(GString *html, const char *id, const char *text, const WsRunPage *page)
{
    g_autofree char *shown = g_markup_escape_text(text, -1);

    g_string_append_printf(html, "<details class=\"run-page\" id=\"%s\"><summary>%s</summary>\n",
                           id, shown);
    for (guint i = 0; i < WS_PAGE_REST; i++) {
        g_string_append(html, "<script type=\"text/plain\">");
        ws_page_append_part(html, page, i);
        g_string_append(html, "</script>\n");
    }
    g_string_append(html, "</details>\n");
}

void ws_embedded_pages_finish(GString *html)
{
    g_autoptr(JsonBuilder) json = json_builder_new();

    json_builder_begin_array(json);
    for (guint i = 0; i < WS_PAGE_PARTS; i++)
        json_builder_add_string_value(json, ws_run_page_template[i]);
    json_builder_end_array(json);
    g_autoptr(JsonNode) root = json_builder_get_root(json);
    g_autofree char *common = json_to_string(root, FALSE);
    g_string_append(html, "<script type=\"application/json\" id=\"run-page-common\">");
    ws_page_append_json(html, common);
    g_string_append_printf(html, "</script>\n<script>%s</script>\n", ws_embedded_pages_script);
}
