#include "study/plot/chart_order.h"

#include "study/results/table_query.h"

static gint larger_first(gconstpointer a, gconstpointer b, gpointer data)
{
    const double *keys = data;
    guint first = *(const guint *)a, second = *(const guint *)b;
    return keys[first] != keys[second] ? (keys[first] < keys[second] ? 1 : -1)
                                       : (first > second) - (first < second);
}

/* The numbers 0, 1, ... with the largest key first. g_free. */
static guint *sorted(const double *keys, guint count)
{
    guint *order = g_new(guint, MAX(count, 1));
    for (guint i = 0; i < count; i++)
        order[i] = i;
    g_qsort_with_data(order, (gint)count, sizeof *order, larger_first, (gpointer)keys);
    return order;
}

static gint compare_x(gconstpointer a, gconstpointer b)
{
    double first = ((const WsChartPoint *)a)->x, second = ((const WsChartPoint *)b)->x;
    return (first > second) - (first < second);
}

void ws_chart_order(WsChart *chart, const double *keys)
{
    guint count = ws_chart_place_count(chart);
    g_autofree guint *order = sorted(keys, count), *rank = g_new(guint, MAX(count, 1));
    char **names = g_new0(char *, count + 1);
    for (guint i = 0; i < count; i++) {
        rank[order[i]] = i;
        names[i] = chart->categories[order[i]];
    }
    g_free(chart->categories);
    chart->categories = names;
    for (guint p = 0; p < chart->panels->len; p++) {
        const WsChartPanel *panel = g_ptr_array_index(chart->panels, p);
        for (guint c = 0; c < panel->curves->len; c++) {
            GArray *points = ((const WsChartCurve *)panel->curves->pdata[c])->points;
            for (guint i = 0; i < points->len; i++) {
                WsChartPoint *point = &g_array_index(points, WsChartPoint, i);
                point->x = rank[(guint)point->x];
            }
            g_array_sort(points, compare_x);
        }
    }
}

void ws_chart_order_curves(WsChart *chart)
{
    guint count = chart->names->len;
    g_autofree double *keys = g_new(double, MAX(count, 1));
    for (guint i = 0; i < count; i++)
        if (!ws_cell_number(chart->names->pdata[i], &keys[i]))
            return;
    g_autofree guint *order = sorted(keys, count), *rank = g_new(guint, MAX(count, 1));
    g_autofree gpointer *names = g_memdup2(chart->names->pdata, count * sizeof *names);
    for (guint i = 0; i < count; i++) {
        rank[order[i]] = i;
        chart->names->pdata[i] = names[order[i]];
    }
    for (guint p = 0; p < chart->panels->len; p++) {
        const WsChartPanel *panel = g_ptr_array_index(chart->panels, p);
        for (guint c = 0; c < panel->curves->len; c++) {
            WsChartCurve *curve = g_ptr_array_index(panel->curves, c);
            curve->place = rank[curve->place];
        }
    }
}
