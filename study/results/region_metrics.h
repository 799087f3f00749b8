/*
 * The columns of regions (sim/launch/code_regions.h) in the table of a study: those of each region,
 * `region_NAME_cycles` and so on, behind the metrics.
 */
#ifndef WS_STUDY_RESULTS_REGION_METRICS_H
#define WS_STUDY_RESULTS_REGION_METRICS_H

#include "sim/report/result.h"
#include "study/results/metrics.h"

/* Columns of one region. */
guint ws_region_metric_count(void);
/* The name is the column's part behind the region's. */
WsMetric ws_region_metric_at(guint index);
/* "region_NAME_cycles"; g_free. */
char *ws_region_column(const char *region, guint index);

/*
 * The cells of `regions` (NULL-terminated), in order, NULL-terminated; "" where the run has no such
 * region. g_strfreev.
 */
char **ws_region_metrics_of_run(const WsJob *job, const WsResult *result, char *const *regions);

#endif
