/* The result of a run as JSON (docs/reference/formats.md lists the names). */
#ifndef WS_SIM_REPORT_JSON_H
#define WS_SIM_REPORT_JSON_H

#include "sim/report/result.h"

/* Deterministic to the byte. Free with g_free. */
char *ws_report_json(const WsJob *job, const WsResult *result);

#endif
