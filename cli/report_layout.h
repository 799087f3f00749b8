/* How reports are laid out: numbers, wrapped prose, rows cut to the width of the terminal. */
#ifndef WS_CLI_REPORT_LAYOUT_H
#define WS_CLI_REPORT_LAYOUT_H

#include <glib.h>

/*
 * A report being written. Lines may be of any length until ws_report_end() cuts them to `width`.
 */
typedef struct {
    GString *out;
    int width; /* columns */
} WsReport;

enum { WS_REPORT_REMARK = 35 }; /* column of the remarks of fields */

/* 1234567 -> "1,234,567". Free with g_free. */
char *ws_grouped(guint64 value);
/* "1 block", "2 blocks". Free with g_free. */
char *ws_count_of(guint64 value, const char *what);
double ws_share(guint64 part, guint64 whole); /* 0 of 0 is 0 */
/* "45.2 %", or "-" for 0/0. Free with g_free. */
char *ws_percent(guint64 part, guint64 whole);

void ws_report_heading(WsReport *report, const char *text);
void ws_report_add(WsReport *report, const char *format, ...) G_GNUC_PRINTF(2, 3);
/* The words of `text` and a newline; lines after the first begin at column `indent`. */
void ws_report_wrapped(WsReport *report, const char *text, int indent);
/* "  name    value  remark": the remark may be of any length. */
void ws_report_field(WsReport *report, const char *name, guint64 value, const char *remark);
void ws_report_field_text(WsReport *report, const char *name, const char *value,
                          const char *remark);
/* `text`, cut to `width` characters with "..." at the end where it is longer. Free with g_free. */
char *ws_cut(const char *text, glong width);

/* The text, each line cut to the width. Frees what the report holds. */
char *ws_report_end(WsReport *report);

#endif
