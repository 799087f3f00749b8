/*
 * Regions: parts of a program by their source lines, whose figures a run gives by themselves.
 *
 * Marks in the source make them, each a comment on a line of its own:
 *
 *   // warpstep: region NAME      from the next line on
 *   // warpstep: end              to the line before; `end NAME` where regions overlap
 *
 * A region of a name that is there already is a further part of it. An instruction belongs to a
 * region if its line does or, where it was inlined, the line of a call that it came in by, if the
 * program tells that (PTX of clang 14 does not, of functions that clang inlined).
 */
#ifndef WS_SIM_LAUNCH_CODE_REGIONS_H
#define WS_SIM_LAUNCH_CODE_REGIONS_H

#include "sim/launch/launch.h"

enum { WS_MAX_CODE_REGIONS = 64 };

typedef struct WsCodeRegion {
    char *name;
    char *place;               /* "kernel.cu:12-20, 31" */
    guint8 *holds;             /* by instruction of the program: it belongs to the region */
    GArray *ranges;            /* of WsLineRange */
    guint32 instruction_count; /* of those that do */
} WsCodeRegion;

/* Lines of a file of the program, both ends included. */
typedef struct {
    guint32 file, from, to;
} WsLineRange;

/*
 * Makes the regions that the marks in job->sources tell of. Errors: WS_ERROR_INPUT, a mark that
 * cannot be understood or has no counterpart.
 */
gboolean ws_job_find_regions(WsJob *job, GError **error);
/*
 * Adds the region "[NAME=]LINES": ranges "A", "A-B", "FILE:A-B" joined by commas; without a file
 * the last one named, or the program's own. The name is the text where none is given. Errors:
 * WS_ERROR_USAGE, which names `option`: no such file, no instruction from these lines.
 */
gboolean ws_job_add_region(WsJob *job, const char *option, const char *text, GError **error);
void ws_code_regions_free(WsCodeRegion *regions, guint32 count);

#endif
