/* Measured values beside the curves of a chart. */
#ifndef WS_STUDY_PLOT_CHART_REFERENCE_H
#define WS_STUDY_PLOT_CHART_REFERENCE_H

#include "study/plot/chart.h"

/*
 * Adds the curves of options->reference, each behind the curve of its name (or the only one), and
 * puts the error of the chart to them into `note`. A reference need not have the columns `by` and
 * `facet`. Errors: those of ws_chart_new.
 */
gboolean ws_chart_add_reference(WsChart *chart, const WsChartOptions *options, GError **error);

#endif
