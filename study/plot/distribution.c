#include "study/plot/distribution.h"

static double quantile(const double *samples, guint count, double share)
{
    double at = (count - 1) * share;
    guint low = (guint)at, high = MIN(low + 1, count - 1);
    return samples[low] + (at - low) * (samples[high] - samples[low]);
}

WsDistribution ws_distribution(const double *samples, guint count)
{
    const double reach = 1.5;
    WsDistribution of = {.count = count,
                         .first_quartile = quantile(samples, count, 0.25),
                         .median = quantile(samples, count, 0.5),
                         .third_quartile = quantile(samples, count, 0.75)};
    double fence = reach * (of.third_quartile - of.first_quartile);
    of.low_whisker = of.first_quartile;
    of.high_whisker = of.third_quartile;
    for (guint i = 0; i < count; i++) {
        if (samples[i] >= of.first_quartile - fence)
            of.low_whisker = MIN(of.low_whisker, samples[i]);
        if (samples[i] <= of.third_quartile + fence)
            of.high_whisker = MAX(of.high_whisker, samples[i]);
    }
    return of;
}

gboolean ws_distribution_is_outlier(const WsDistribution *distribution, double sample)
{
    return sample < distribution->low_whisker || sample > distribution->high_whisker;
}

static gint compare_y(gconstpointer a, gconstpointer b)
{
    const WsChartPoint *first = *(const WsChartPoint *const *)a;
    const WsChartPoint *second = *(const WsChartPoint *const *)b;
    return first->y != second->y ? (first->y > second->y ? 1 : -1)
                                 : (first->row > second->row) - (first->row < second->row);
}

GPtrArray *ws_chart_samples(const WsChartCurve *curve, guint place)
{
    GPtrArray *samples = g_ptr_array_new();
    for (guint i = 0; i < curve->points->len; i++) {
        WsChartPoint *point = &g_array_index(curve->points, WsChartPoint, i);
        if (point->x == place)
            g_ptr_array_add(samples, point);
    }
    g_ptr_array_sort(samples, compare_y);
    return samples;
}

WsDistribution ws_distribution_of(const GPtrArray *samples)
{
    g_autofree double *values = g_new(double, samples->len);
    for (guint i = 0; i < samples->len; i++)
        values[i] = ((const WsChartPoint *)samples->pdata[i])->y;
    return ws_distribution(values, samples->len);
}
