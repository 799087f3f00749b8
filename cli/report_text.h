/* The result of a run as text of at most 100 columns: where did the cycles go? */
#ifndef WS_CLI_REPORT_TEXT_H
#define WS_CLI_REPORT_TEXT_H

#include "sim/result.h"

/* Free with g_free. */
char *ws_report_text(const WsJob *job, const WsResult *result);

#endif
