/* The sources that a page shows. Inside the room only. */
#ifndef WS_INSPECT_PAGE_PAGE_SOURCES_H
#define WS_INSPECT_PAGE_PAGE_SOURCES_H

#include <json-glib/json-glib.h>

#include "sim/launch/launch.h"

/*
 * Adds the member "files": by file of the program its name and its parts, each the number of its
 * first line and its lines. A long file is there only around lines of instructions.
 */
void ws_run_page_add_sources(JsonBuilder *json, const WsJob *job);
/* Adds the member "ptx": the same of the PTX text, around lines of launched kernels, or null. */
void ws_run_page_add_ptx(JsonBuilder *json, const WsJob *job);

#endif
