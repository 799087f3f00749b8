/* What `warpstep compare` prints. */
#ifndef WS_CLI_COMPARE_REPORT_H
#define WS_CLI_COMPARE_REPORT_H

#include "inspect/profile/profile_comparison.h"

typedef struct {
    const char *target;
    char *device;              /* that was simulated */
    GPtrArray *comparisons;    /* of WsProfileComparison*, in the order of the target */
    GPtrArray *only_simulated; /* of char*: kernels of launches that the profile has not */
    GPtrArray *only_measured;  /* of const WsMeasuredLaunch*: not launched by the target */
} WsCompareReport;

/* With so many source lines and opcodes at most; `all`: every metric. Free with g_free. */
char *ws_compare_text(const WsCompareReport *report, guint lines, gboolean all, int width);
/* Everything, in the layout that docs/use/profile.md describes. Free with g_free. */
char *ws_compare_json(const WsCompareReport *report);
/* A metric of the profile a row. Free with g_free. */
char *ws_compare_csv(const WsCompareReport *report);

#endif
