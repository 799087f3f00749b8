/* A run beside a profile, as CSV: a metric a row. */
#include "cli/compare_report.h"
#include "study/results/csv.h"
#include "study/results/metrics.h"

#include <math.h>

static void add_metric(GString *out, const WsProfileComparison *comparison,
                       const WsComparedMetric *row)
{
    const WsMappedMetric *mapped = &row->mapped;
    gboolean compared = mapped->status == WS_METRIC_MAPPED;
    double difference = mapped->simulated - row->value;
    double ratio = row->value == 0 ? (double)NAN : mapped->simulated / row->value;
    g_autofree char *launch = g_strdup_printf("%u", comparison->launch);
    g_autofree char *simulated = ws_metric_number(compared ? mapped->simulated : (double)NAN);
    g_autofree char *measured = ws_metric_number(compared ? row->value : (double)NAN);
    g_autofree char *by = ws_metric_number(compared ? difference : (double)NAN);
    g_autofree char *times = ws_metric_number(compared ? ratio : (double)NAN);
    char *const cells[] = {
        launch,
        comparison->kernel,
        (char *)(comparison->measured->id != NULL ? comparison->measured->id : ""),
        row->metric,
        (char *)ws_metric_status_name(mapped->status),
        (char *)(compared ? ws_metric_group_name(mapped->group) : ""),
        (char *)(compared ? mapped->figure : ""),
        (char *)(compared ? mapped->unit : ""),
        simulated,
        measured,
        by,
        times,
        (char *)(compared ? mapped->note : mapped->why),
        NULL,
    };

    ws_csv_append(out, cells);
}

char *ws_compare_csv(const WsCompareReport *report)
{
    GString *out = g_string_new("launch,kernel,id,metric,status,group,figure,unit,simulated,"
                                "measured,difference,ratio,note\n");

    for (guint i = 0; i < report->comparisons->len; i++) {
        const WsProfileComparison *comparison = report->comparisons->pdata[i];

        for (guint k = 0; k < comparison->metrics->len; k++)
            add_metric(out, comparison, ws_compared_metric(comparison, k));
    }
    return g_string_free(out, FALSE);
}
