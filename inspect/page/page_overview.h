/* What a page says of all SMs, and what happened where. Inside the room only. */
#ifndef WS_INSPECT_PAGE_PAGE_OVERVIEW_H
#define WS_INSPECT_PAGE_PAGE_OVERVIEW_H

#include <json-glib/json-glib.h>

#include "inspect/page/page.h"

/*
 * Adds the member "sms": "width" of a span in cycles, and of each SM that had a warp a row: number,
 * blocks, warps, first cycle, cycle behind the last one, splits, lanes that waited, warp-cycles by
 * stall reason as a list, and by span, each as a list, warp-cycles, issues and lanes.
 */
void ws_page_add_overview(JsonBuilder *json, const WsTimelineRecord *record);
/* Adds "quiz": a list of questions, or null. */
void ws_page_add_quiz(JsonBuilder *json, const WsPageRun *run);
/* Adds "highlights", a list, and "opening", the number of one in it or -1. */
void ws_page_add_highlights(JsonBuilder *json, const WsPageRun *run);

#endif
