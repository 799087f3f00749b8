#include "inspect/page/usage_curve.h"

/* Two neighbours become one. */
static void halve(WsUsageCurve *curve)
{
    for (guint i = 0; i < WS_USAGE_SPANS; i++) {
        WsUsageSpan sum = {0};

        if (i < WS_USAGE_SPANS / 2) {
            const WsUsageSpan *a = &curve->spans[2 * i], *b = a + 1;

            sum = (WsUsageSpan){a->change + b->change,
                                a->within + a->change * (gint64)curve->width + b->within,
                                a->issues + b->issues, a->lanes + b->lanes};
        }
        curve->spans[i] = sum;
    }
    curve->width *= 2;
}

static WsUsageSpan *span_at(WsUsageCurve *curve, guint64 cycle)
{
    if (curve->width == 0)
        curve->width = 1;
    while (cycle / curve->width >= WS_USAGE_SPANS)
        halve(curve);
    return &curve->spans[cycle / curve->width];
}

void ws_usage_curve_warps(WsUsageCurve *curve, guint64 cycle, gint64 change)
{
    WsUsageSpan *span = span_at(curve, cycle);

    span->change += change;
    span->within += change * (gint64)(curve->width - cycle % curve->width);
}

void ws_usage_curve_issue(WsUsageCurve *curve, guint64 cycle, guint lanes)
{
    WsUsageSpan *span = span_at(curve, cycle);

    span->issues++;
    span->lanes += lanes;
}

void ws_usage_curve_finish(WsUsageCurve *curve, guint64 end)
{
    if (end == 0 || curve->width == 0)
        return;
    span_at(curve, end - 1);
    curve->count = (guint32)((end + curve->width - 1) / curve->width);
}

guint64 ws_usage_curve_warp_cycles(const WsUsageCurve *curve, guint32 span, gint64 *before)
{
    gint64 sum = *before * (gint64)curve->width + curve->spans[span].within;

    *before += curve->spans[span].change;
    return (guint64)MAX(sum, 0);
}
