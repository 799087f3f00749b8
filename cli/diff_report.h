/* What `warpstep diff` prints. */
#ifndef WS_CLI_DIFF_REPORT_H
#define WS_CLI_DIFF_REPORT_H

#include "inspect/compare/comparison.h"

/* Two runs, by side. */
typedef struct {
    const WsJob *job[WS_SIDES];
    const WsResult *result[WS_SIDES];
    const WsTraceLaunch *launch[WS_SIDES]; /* the first */
    const WsFirstDifference *parting;
    const WsComparison *comparison;
} WsDiff;

/* With so many source lines at most. Free with g_free. */
char *ws_diff_text(const WsDiff *diff, guint lines);
/* Everything, in the layout that docs/use/trace.md describes. Free with g_free. */
char *ws_diff_json(const WsDiff *diff);

#endif
