/* Which functions the instructions of a page's run are inlined in. */
#ifndef WS_INSPECT_PAGE_PAGE_CALLS_H
#define WS_INSPECT_PAGE_PAGE_CALLS_H

#include <json-glib/json-glib.h>

#include "sim/launch/launch.h"

/* Whether the instruction is of a kernel that the job launches. */
gboolean ws_job_launches(const WsJob *job, guint32 instruction);

/*
 * The member "calls": a list of what stands in front of a line and behind it ("f() at ", ", called
 * at k.cu:30"), with the instructions that are there. Those that no function was inlined for are
 * in none.
 */
void ws_page_add_calls(JsonBuilder *json, const WsJob *job);

#endif
