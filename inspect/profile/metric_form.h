/* The forms of a metric, which stand behind its name: ".sum", ".avg.per_cycle_active", ".pct". */
#ifndef WS_INSPECT_PROFILE_METRIC_FORM_H
#define WS_INSPECT_PROFILE_METRIC_FORM_H

#include "inspect/profile/metric_map.h"

/* In place of a number of instances, where that of the measured GPU is not known. */
enum { WS_SUM_ONLY = 0, WS_AVERAGE_ONLY = -1 };

/* A row of ncu_metrics.def, of one launch. */
typedef struct {
    char *name;
    WsMetricGroup group;
    const char *figure, *unit, *note;
    const char *form; /* that reports show */
    gboolean counts;  /* COUNTER; else VALUE */
    gboolean samples; /* `total` is a share of samples */
    double instances, total;
    double peak; /* of a VALUE: what is 100 %; 0: nothing is */
    double most;
} WsMetricRow;

/*
 * Fills in unit and simulated value of a form; "" is the metric without one. NULL, or why there is
 * none, which is constant.
 */
const char *ws_metric_form(const WsMetricRow *row, const WsSimulatedLaunch *launch,
                           const char *form, WsMappedMetric *ret);

#endif
