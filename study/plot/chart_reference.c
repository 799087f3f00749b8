#include "study/plot/chart_reference.h"

#include <math.h>
#include <string.h>

typedef struct {
    double sum, largest;
    guint count;
    char *where;
} Errors;

static void compare_points(const WsChart *chart, const WsChartCurve *curve,
                           const WsChartCurve *reference, Errors *errors)
{
    for (guint r = 0; r < reference->points->len; r++) {
        const WsChartPoint *wanted = &g_array_index(reference->points, WsChartPoint, r);
        for (guint i = 0; i < curve->points->len; i++) {
            const WsChartPoint *point = &g_array_index(curve->points, WsChartPoint, i);
            if (point->x != wanted->x || wanted->y == 0)
                continue;
            double error = fabs(point->y - wanted->y) / fabs(wanted->y);
            errors->sum += error;
            if (errors->count++ > 0 && error <= errors->largest)
                continue;
            g_autofree char *x = ws_chart_x_text(chart, point->x);
            g_free(errors->where);
            errors->where = g_strdup_printf("%s=%s%s%s", chart->x_label, x,
                                            *curve->name != '\0' ? ", " : "", curve->name);
            errors->largest = error;
        }
    }
}

/* The curve of `name`, or the only one: a table of measurements need not know all columns. */
static gint place_of(const WsChartPanel *panel, const char *name)
{
    for (guint i = 0; i < panel->curves->len; i++)
        if (strcmp(((const WsChartCurve *)g_ptr_array_index(panel->curves, i))->name, name) == 0)
            return (gint)i;
    return panel->curves->len == 1 ? 0 : -1;
}

static void put_reference(WsChart *chart, WsChartPanel *panel, WsChartPanel *from, Errors *errors)
{
    for (guint c = 0; c < from->curves->len; c++) {
        const WsChartCurve *given = g_ptr_array_index(from->curves, c);
        gint at = place_of(panel, given->name);
        if (at < 0)
            continue;
        const WsChartCurve *curve = g_ptr_array_index(panel->curves, (guint)at);
        WsChartCurve *reference = g_new0(WsChartCurve, 1);
        compare_points(chart, curve, given, errors);
        reference->name =
            g_strconcat(curve->name, *curve->name != '\0' ? ", " : "", "reference", NULL);
        reference->points = g_array_ref(given->points);
        reference->place = curve->place;
        reference->is_reference = TRUE;
        g_ptr_array_insert(panel->curves, at + 1, reference);
    }
}

gboolean ws_chart_add_reference(WsChart *chart, const WsChartOptions *options, GError **error)
{
    WsChartOptions of_reference = *options;
    g_autoptr(GPtrArray) by = g_ptr_array_new();
    for (char *const *name = options->by; name != NULL && *name != NULL; name++)
        if (ws_table_column(options->reference, *name) >= 0)
            g_ptr_array_add(by, *name);
    g_ptr_array_add(by, NULL);
    of_reference.by = (char *const *)by->pdata;
    if (options->facet != NULL && ws_table_column(options->reference, options->facet) < 0)
        of_reference.facet = NULL;
    of_reference.where = NULL;
    of_reference.reference = NULL;
    of_reference.relative_to = NULL;
    g_autoptr(WsChart) other = ws_chart_new(options->reference, &of_reference, error);
    if (other == NULL)
        return FALSE;
    Errors errors = {0};
    for (guint p = 0; p < chart->panels->len; p++) {
        WsChartPanel *panel = g_ptr_array_index(chart->panels, p);
        for (guint o = 0; o < other->panels->len; o++) {
            WsChartPanel *from = g_ptr_array_index(other->panels, o);
            if (of_reference.facet == NULL || strcmp(from->name, panel->name) == 0)
                put_reference(chart, panel, from, &errors);
        }
    }
    chart->note = errors.count == 0
                      ? g_strdup("the reference has no point of the chart")
                      : g_strdup_printf("error to the reference: %.1f %% on average of %u points, "
                                        "%.1f %% at most (%s)",
                                        100 * errors.sum / errors.count, errors.count,
                                        100 * errors.largest, errors.where);
    g_free(errors.where);
    return TRUE;
}
