/* The result of a run as text: where did the cycles go? */
#ifndef WS_CLI_REPORT_TEXT_H
#define WS_CLI_REPORT_TEXT_H

#include "sim/report/result.h"

/* No line is longer than `width` columns, at least 40. Free with g_free. */
char *ws_report_text(const WsJob *job, const WsResult *result, int width);

#endif
