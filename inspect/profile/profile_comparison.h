/* A simulated launch beside a measured one: figures, stall reasons, lines, opcodes. */
#ifndef WS_INSPECT_PROFILE_PROFILE_COMPARISON_H
#define WS_INSPECT_PROFILE_PROFILE_COMPARISON_H

#include "inspect/profile/measured_profile.h"
#include "inspect/profile/metric_map.h"

/* A metric of the profile. */
typedef struct {
    const WsMeasuredValue *measured;
    char *metric; /* name on the raw page; "section: label" where only the label is known */
    WsMappedMetric mapped;
    double value;   /* measured, in the unit of `mapped`; NaN unless the status is MAPPED */
    gboolean shown; /* reports show it without --all: one metric a figure */
} WsComparedMetric;

/* A source line. Shares are of all warp-cycles and of all samples of the launch. */
typedef struct {
    char *file; /* base name; "" where none is known */
    guint32 line;
    gboolean simulated, measured; /* which side has the line */
    WsInstructionCounters counters;
    double simulated_share, measured_share; /* NaN: not known */
    WsSourceSums sums;
} WsComparedLine;

typedef struct {
    char *opcode;
    guint64 simulated; /* warp instructions */
    double measured;   /* the same; NaN: the page has no such column */
} WsComparedOpcode;

/* A column of the source page. */
typedef struct {
    const char *name; /* of the profile */
    WsMetricStatus status;
} WsComparedColumn;

typedef struct {
    const WsMeasuredLaunch *measured;
    guint32 launch;   /* of the job */
    char *kernel;     /* display name */
    GPtrArray *notes; /* of char*: what keeps the two from being comparable */
    GArray *metrics;  /* of WsComparedMetric, in the order of the profile */
    GArray *lines;    /* of WsComparedLine, the largest share of either side first */
    GArray *opcodes;  /* of WsComparedOpcode, the most frequent first; only with a source page */
    GArray *columns;  /* of WsComparedColumn, in the order of the page */
    guint counts[WS_METRIC_STATUS_COUNT]; /* of metrics */
} WsProfileComparison;

/*
 * Launch `launch` of the run beside `measured`, which outlives it, as job and result need not.
 * Errors: WS_ERROR_INPUT, a value that should be a number and is none.
 */
WsProfileComparison *ws_profile_comparison_new(const WsJob *job, const WsResult *result,
                                               guint32 launch, const WsMeasuredLaunch *measured,
                                               GError **error);
void ws_profile_comparison_free(WsProfileComparison *comparison);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(WsProfileComparison, ws_profile_comparison_free)

static inline const WsComparedMetric *ws_compared_metric(const WsProfileComparison *comparison,
                                                         guint index)
{
    return &g_array_index(comparison->metrics, WsComparedMetric, index);
}

/* The metrics that reports show, in the order of the table: of const WsComparedMetric*. */
GPtrArray *ws_profile_comparison_shown(const WsProfileComparison *comparison);

#endif
