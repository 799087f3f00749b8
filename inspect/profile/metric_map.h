/*
 * Which metric of Nsight Compute is which figure of a simulated launch: the table ncu_metrics.def,
 * with the forms of a metric (".sum", ".avg.per_cycle_active" ...) computed, and ncu_unmapped.def
 * for those that have none.
 */
#ifndef WS_INSPECT_PROFILE_METRIC_MAP_H
#define WS_INSPECT_PROFILE_METRIC_MAP_H

#include "inspect/profile/simulated_launch.h"

typedef enum {
    WS_METRIC_MAPPED,
    WS_METRIC_NOT_MEASURED,   /* mapped, but the file has no number for it */
    WS_METRIC_NOT_MODELLED,   /* the simulated GPU has no such part */
    WS_METRIC_NO_COUNTERPART, /* the simulator does not count it, or not so */
    WS_METRIC_UNKNOWN,        /* no row has the name */
    WS_METRIC_STATUS_COUNT
} WsMetricStatus;

/* "mapped", "not measured", "not modelled", "no counterpart", "unknown name". */
const char *ws_metric_status_name(WsMetricStatus status);

typedef enum {
#define GROUP(name, ...) WS_GROUP_OF_##name,
#include "inspect/profile/metric_groups.def"
#undef GROUP
    WS_METRIC_GROUP_COUNT
} WsMetricGroup;

/* "Occupancy": the heading of a report. */
const char *ws_metric_group_name(WsMetricGroup group);

/* What a metric is to a launch. Texts are constant, or live as long as the map. */
typedef struct {
    WsMetricStatus status;
    const char *why; /* unless it is mapped: the reason */
    /* If it is mapped: */
    guint row; /* of the table: of several metrics with one figure the first row is the best */
    WsMetricGroup group;
    const char *figure; /* in words: "warp instructions" */
    const char *note;   /* where the definitions differ, or "" */
    gboolean shown;     /* this form of the metric is the one that reports show */
    gboolean samples;   /* counts samples, whose number the simulator does not know */
    char unit[32];      /* base unit: "byte/second", "%" */
    double simulated;   /* in this unit; of `samples` the share of all; NaN: 0/0 */
} WsMappedMetric;

typedef struct WsMetricMap WsMetricMap;

/* Of a launch, which outlives it. */
WsMetricMap *ws_metric_map_new(const WsSimulatedLaunch *launch);
void ws_metric_map_free(WsMetricMap *map);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(WsMetricMap, ws_metric_map_free)

/* `name` as on the raw page: "smsp__inst_executed.sum". */
void ws_metric_map_find(const WsMetricMap *map, const char *name, WsMappedMetric *ret);

/*
 * The name on the raw page of what the details page calls `label` in `section`, which may be "";
 * `unit` tells those apart that share a label. NULL: none is known. A name of the raw page, or a
 * label with one (--print-metric-name name, label-name) gives that name. Free with g_free.
 */
char *ws_metric_of_label(const char *section, const char *label, const char *unit);

#endif
