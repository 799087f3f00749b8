/* Metrics of a profile with what the simulator has for them. */
#include "inspect/profile/compared_parts.h"
#include "inspect/profile/measured_value.h"

#include <math.h>
#include <string.h>

/* Samples of all stall reasons together, those included that have no counterpart. */
static double count_samples(const WsMeasuredLaunch *measured)
{
    double sum = 0;

    for (guint i = 0; i < measured->values->len; i++) {
        const WsMeasuredValue *value = &g_array_index(measured->values, WsMeasuredValue, i);
        double number;

        if (g_str_has_prefix(value->name, "smsp__pcsamp_warps_issue_stalled_") &&
            !g_str_has_suffix(value->name, "_not_issued") &&
            ws_measured_number(value->text, &number) == WS_VALUE_NUMBER)
            sum += number;
    }
    return sum;
}

static char *metric_name(const WsMeasuredValue *value)
{
    char *name;

    if (value->section == NULL)
        return g_strdup(value->name);
    name = ws_metric_of_label(value->section, value->name, value->unit);
    return name != NULL ? name : g_strdup_printf("%s: %s", value->section, value->name);
}

/* The number in base units. FALSE and an error: there should be one, and is none. */
static gboolean measure(WsComparedMetric *row, GError **error)
{
    const WsMeasuredValue *value = row->measured;
    WsPosition position = {.file = value->file, .line = value->line};
    g_autofree char *base = NULL;
    double factor;

    switch (ws_measured_number(value->text, &row->value)) {
    case WS_VALUE_NUMBER:
        break;
    case WS_VALUE_NONE:
        row->mapped.status = WS_METRIC_NOT_MEASURED;
        row->mapped.why = "the profile has no number for it";
        return TRUE;
    default: {
        g_autofree char *text = ws_printable(value->text), *name = ws_printable(value->name);

        ws_set_error_at(error, WS_ERROR_INPUT, &position,
                        "%s: '%s' is no number; a decimal point and commas between thousands are "
                        "expected (run ncu with LC_ALL=C)",
                        name, text);
        return FALSE;
    }
    }
    if (!ws_measured_unit(value->unit, &factor, &base)) {
        row->mapped.status = WS_METRIC_NOT_MEASURED;
        row->mapped.why = "its unit is not known";
        return TRUE;
    }
    row->value *= factor;
    return TRUE;
}

static gboolean add_metric(WsProfileComparison *comparison, const WsMetricMap *map,
                           const WsMeasuredValue *value, double samples, GError **error)
{
    WsComparedMetric row = {.measured = value, .metric = metric_name(value), .value = (double)NAN};

    ws_metric_map_find(map, row.metric, &row.mapped);
    if (row.mapped.status == WS_METRIC_MAPPED && !measure(&row, error)) {
        g_free(row.metric);
        return FALSE;
    }
    if (row.mapped.samples)
        row.mapped.simulated *= samples;
    if (row.mapped.status != WS_METRIC_MAPPED)
        row.value = (double)NAN;
    comparison->counts[row.mapped.status]++;
    g_array_append_val(comparison->metrics, row);
    return TRUE;
}

/* ---- what reports show --------------------------------------------------------------------------
 */

/* The better of two metrics of one figure: by row of the table, then the form to be shown. */
static gboolean is_better(const WsComparedMetric *a, const WsComparedMetric *b)
{
    if (a->mapped.shown != b->mapped.shown)
        return a->mapped.shown;
    if (a->mapped.row != b->mapped.row)
        return a->mapped.row < b->mapped.row;
    return g_str_has_suffix(a->metric, ".sum") && !g_str_has_suffix(b->metric, ".sum");
}

static gboolean has_something(const WsComparedMetric *row)
{
    return row->mapped.status == WS_METRIC_MAPPED &&
           !(row->value == 0 && (row->mapped.simulated == 0 || isnan(row->mapped.simulated)));
}

static void choose_shown(GArray *metrics)
{
    g_autoptr(GHashTable) best = g_hash_table_new(g_str_hash, g_str_equal);
    GHashTableIter at;
    gpointer place;

    for (guint i = 0; i < metrics->len; i++) {
        const WsComparedMetric *row = &g_array_index(metrics, WsComparedMetric, i);
        const WsComparedMetric *known;

        if (!has_something(row))
            continue;
        place = g_hash_table_lookup(best, row->mapped.figure);
        known = place == NULL
                    ? NULL
                    : &g_array_index(metrics, WsComparedMetric, GPOINTER_TO_UINT(place) - 1);
        if (known == NULL || is_better(row, known))
            g_hash_table_insert(best, (gpointer)row->mapped.figure, GUINT_TO_POINTER(i + 1));
    }
    g_hash_table_iter_init(&at, best);
    while (g_hash_table_iter_next(&at, NULL, &place))
        g_array_index(metrics, WsComparedMetric, GPOINTER_TO_UINT(place) - 1).shown = TRUE;
}

static gint compare_shown(gconstpointer a, gconstpointer b)
{
    const WsComparedMetric *x = *(const WsComparedMetric *const *)a;
    const WsComparedMetric *y = *(const WsComparedMetric *const *)b;

    if (x->mapped.group != y->mapped.group)
        return x->mapped.group < y->mapped.group ? -1 : 1;
    if (x->mapped.group == WS_GROUP_OF_STALLS && x->value != y->value)
        return x->value > y->value ? -1 : 1;
    return (x->mapped.row > y->mapped.row) - (x->mapped.row < y->mapped.row);
}

GPtrArray *ws_profile_comparison_shown(const WsProfileComparison *comparison)
{
    GPtrArray *shown = g_ptr_array_new();

    for (guint i = 0; i < comparison->metrics->len; i++)
        if (ws_compared_metric(comparison, i)->shown)
            g_ptr_array_add(shown, (gpointer)ws_compared_metric(comparison, i));
    g_ptr_array_sort(shown, compare_shown);
    return shown;
}

gboolean ws_compare_metrics(WsProfileComparison *comparison, const WsSimulatedLaunch *launch,
                            GError **error)
{
    g_autoptr(WsMetricMap) map = ws_metric_map_new(launch);
    const WsMeasuredLaunch *measured = comparison->measured;
    double samples = count_samples(measured);

    for (guint i = 0; i < measured->values->len; i++)
        if (!add_metric(comparison, map, &g_array_index(measured->values, WsMeasuredValue, i),
                        samples, error))
            return FALSE;
    choose_shown(comparison->metrics);
    return TRUE;
}
