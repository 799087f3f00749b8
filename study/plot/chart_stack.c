#include "study/plot/chart_stack.h"

static WsChartPoint *point_at(const WsChartPanel *panel, guint curve, guint point)
{
    const WsChartCurve *of = panel->curves->pdata[curve];

    return &g_array_index(of->points, WsChartPoint, point);
}

static gboolean stack_panel(const WsChartPanel *panel, GError **error)
{
    for (guint c = 0; c < panel->curves->len; c++) {
        const WsChartCurve *curve = panel->curves->pdata[c], *first = panel->curves->pdata[0];

        if (curve->points->len != first->points->len) {
            ws_set_error(error, WS_ERROR_USAGE, "--stack: '%s' has %u points, '%s' %u", first->name,
                         first->points->len, curve->name, curve->points->len);
            return FALSE;
        }
        for (guint i = 0; i < curve->points->len; i++) {
            WsChartPoint *point = point_at(panel, c, i);

            if (point->y < 0 || point->x != point_at(panel, 0, i)->x) {
                ws_set_error(error, WS_ERROR_USAGE, "--stack: '%s' %s", curve->name,
                             point->y < 0 ? "has a value below 0" : "has another x than the first");
                return FALSE;
            }
            point->y += c != 0 ? point_at(panel, c - 1, i)->y : 0;
        }
    }
    return TRUE;
}

gboolean ws_chart_stack(WsChart *chart, GError **error)
{
    if (chart->categories != NULL || chart->log_y || ws_chart_has_references(chart)) {
        ws_set_error(error, WS_ERROR_USAGE, "--stack: %s",
                     chart->categories != NULL ? "the x axis has words, not numbers"
                     : chart->log_y            ? "a logarithmic axis has no sums"
                                               : "a reference has no place in a stack");
        return FALSE;
    }
    for (guint p = 0; p < chart->panels->len; p++)
        if (!stack_panel(chart->panels->pdata[p], error))
            return FALSE;
    chart->stacked = TRUE;
    return TRUE;
}

double ws_chart_below(const WsChart *chart, const WsChartPanel *panel, guint curve, guint point)
{
    return chart->stacked && curve != 0 ? point_at(panel, curve - 1, point)->y : 0;
}
