#include "cli/report_layout.h"

#include <string.h>

char *ws_grouped(guint64 value)
{
    g_autofree char *digits = g_strdup_printf("%" G_GUINT64_FORMAT, value);
    GString *out = g_string_new(NULL);
    gsize length = strlen(digits);
    for (gsize i = 0; i < length; i++) {
        if (i > 0 && (length - i) % 3 == 0)
            g_string_append_c(out, ',');
        g_string_append_c(out, digits[i]);
    }
    return g_string_free(out, FALSE);
}

char *ws_count_of(guint64 value, const char *what)
{
    g_autofree char *number = ws_grouped(value);
    return g_strdup_printf("%s %s%s", number, what, value == 1 ? "" : "s");
}

double ws_share(guint64 part, guint64 whole)
{
    return whole == 0 ? 0 : (double)part / (double)whole;
}

char *ws_percent(guint64 part, guint64 whole)
{
    if (whole == 0)
        return g_strdup("-");
    return g_strdup_printf("%.1f %%", 100 * ws_share(part, whole));
}

char *ws_cut(const char *text, glong width)
{
    if (g_utf8_strlen(text, -1) <= width)
        return g_strdup(text);
    const char *end = g_utf8_offset_to_pointer(text, width - 3);
    return g_strdup_printf("%.*s...", (int)(end - text), text);
}

/* Appends `text` with blanks for control characters: they would move the cursor. */
static void append_plain(GString *out, const char *text)
{
    gsize start = out->len;
    g_string_append(out, text);
    for (char *at = out->str + start; *at != '\0'; at++)
        if (g_ascii_iscntrl(*at) && *at != '\n')
            *at = ' ';
}

void ws_report_heading(WsReport *report, const char *text)
{
    g_string_append_c(report->out, '\n');
    ws_report_wrapped(report, text, 2);
}

void ws_report_add(WsReport *report, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    g_autofree char *text = g_strdup_vprintf(format, arguments);
    va_end(arguments);
    append_plain(report->out, text);
}

/* Column of the end of the line at hand. */
static int column_of(const WsReport *report)
{
    const char *line = strrchr(report->out->str, '\n');
    return (int)g_utf8_strlen(line == NULL ? report->out->str : line + 1, -1);
}

void ws_report_wrapped(WsReport *report, const char *text, int indent)
{
    g_auto(GStrv) words = g_strsplit(text, " ", -1);
    int column = column_of(report);
    gboolean first = TRUE;
    for (guint i = 0; words[i] != NULL; i++) {
        int length = (int)g_utf8_strlen(words[i], -1);
        gboolean sign = words[i + 1] != NULL && words[i + 1][0] == '%'; /* stays with its number */
        int room = length + (sign ? 1 + (int)g_utf8_strlen(words[i + 1], -1) : 0);
        if (!first && words[i][0] != '%' && column + 1 + room > report->width) {
            g_string_append_printf(report->out, "\n%*s", indent, "");
            column = indent;
        } else if (!first) {
            g_string_append_c(report->out, ' ');
            column++;
        }
        append_plain(report->out, words[i]);
        column += length;
        first = FALSE;
    }
    g_string_append_c(report->out, '\n');
}

void ws_report_field(WsReport *report, const char *name, guint64 value, const char *remark)
{
    g_autofree char *number = ws_grouped(value);
    ws_report_field_text(report, name, number, remark);
}

void ws_report_field_text(WsReport *report, const char *name, const char *value, const char *remark)
{
    enum { LEAST_REMARK = 24 };
    ws_report_add(report, "  %-19s %11s  ", name, value);
    if (report->width >= WS_REPORT_REMARK + LEAST_REMARK)
        ws_report_wrapped(report, remark, WS_REPORT_REMARK);
    else
        ws_report_add(report, "%s\n", remark);
}

char *ws_report_end(WsReport *report)
{
    GString *out = g_string_new(NULL);
    g_auto(GStrv) lines = g_strsplit(report->out->str, "\n", -1);
    for (guint i = 0; lines[i] != NULL; i++) {
        g_autofree char *cut = ws_cut(lines[i], report->width);
        g_string_append(out, g_strchomp(cut));
        if (lines[i + 1] != NULL)
            g_string_append_c(out, '\n');
    }
    g_string_free(report->out, TRUE);
    report->out = NULL;
    return g_string_free(out, FALSE);
}
