/* The findings of the checks in `run --format json`. Internal to the report. */
#ifndef WS_SIM_REPORT_FINDINGS_JSON_H
#define WS_SIM_REPORT_FINDINGS_JSON_H

#include "sim/report/result.h"

#include <json-glib/json-glib.h>

/* The member `findings`: a list, or null if nothing was looked for. */
void ws_findings_add_json(JsonBuilder *json, const WsJob *job, const WsFindings *findings);

#endif
