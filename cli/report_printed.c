/* What the kernels of a run have printed. */
#include "cli/report_parts.h"
#include "isa/base/escape.h"

void ws_report_printed(WsReport *report, const WsResult *result)
{
    g_autoptr(GString) all = g_string_new(NULL);
    guint64 lost = 0;
    for (guint32 i = 0; i < result->launch_count; i++) {
        gsize length;
        g_autofree char *text = ws_print_log_text(&result->launches[i].printed, &length);
        g_string_append_len(all, text, (gssize)length);
        lost += result->launches[i].printed.lost;
    }
    if (all->len == 0 && lost == 0)
        return;
    g_autofree char *shown = ws_escape_controls(all->str, (gssize)all->len, "\n\t");
    g_autofree char *calls = ws_count_of(lost, "call");
    ws_report_heading(report, "Printed");
    if (lost > 0)
        ws_report_add(report, "  (%s before: lost, the buffer was full; limits.printf_bytes)\n",
                      calls);
    ws_report_add(report, "%s%s", shown,
                  g_str_has_suffix(shown, "\n") || *shown == '\0' ? "" : "\n");
}
