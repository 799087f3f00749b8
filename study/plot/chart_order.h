/* The order of a chart's places. */
#ifndef WS_STUDY_PLOT_CHART_ORDER_H
#define WS_STUDY_PLOT_CHART_ORDER_H

#include "study/plot/chart.h"

/* Puts the places in order of `keys` (one a place), largest first; equal ones stay as they are. */
void ws_chart_order(WsChart *chart, const double *keys);

/* Puts the names of curves in the order of a y axis, from its top: falling numbers; words stay. */
void ws_chart_order_curves(WsChart *chart);

#endif
