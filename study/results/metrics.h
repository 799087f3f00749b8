/*
 * What is kept of a run in a table: names as in `run --format json`, groups joined by "_"
 * (`stalls.wait` is `stall_wait`).
 */
#ifndef WS_STUDY_RESULTS_METRICS_H
#define WS_STUDY_RESULTS_METRICS_H

#include "sim/report/result.h"

typedef struct {
    const char *name, *unit, *meaning; /* unit "" for texts */
} WsMetric;

guint ws_metric_count(void);
WsMetric ws_metric_at(guint index);

/* The index, or -1. */
int ws_metric_find(const char *name);

/* Of all buffers as they are, to see whether two runs gave the same. */
guint64 ws_results_hash(const WsJob *job);

/*
 * All metrics of a run as texts, in order, NULL-terminated; "" for what there is none of (0/0).
 * g_strfreev.
 */
char **ws_metrics_of_run(const WsJob *job, const WsResult *result);

/* The same for a point that could not be run: its status is "error". */
char **ws_metrics_of_error(const char *message);

/* A number as few digits as read back the same; "" for NaN. g_free. */
char *ws_metric_number(double value);

#endif
