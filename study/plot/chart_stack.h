/* Curves on top of each other: what they have together, and the share of each. */
#ifndef WS_STUDY_PLOT_CHART_STACK_H
#define WS_STUDY_PLOT_CHART_STACK_H

#include "study/plot/chart.h"

/*
 * Adds to each curve what those before it in its panel have at the same x, so that it is the upper
 * edge of its band. Errors: WS_ERROR_USAGE (x is words or y logarithmic, there is a reference, the
 * curves of a panel do not have the same x, a value is negative).
 */
gboolean ws_chart_stack(WsChart *chart, GError **error);

/* The lower edge of a band: 0 for the first curve, and where the chart is not stacked. */
double ws_chart_below(const WsChart *chart, const WsChartPanel *panel, guint curve, guint point);

#endif
