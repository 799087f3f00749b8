/* The drawings of curves and bars, for curves.c and the drawings of all kinds. */
#ifndef WS_STUDY_PLOT_CURVES_H
#define WS_STUDY_PLOT_CURVES_H

#include "study/plot/chart.h"

char *ws_curves_text(const WsChart *chart, guint width, guint rows);
char *ws_curves_vega(const WsChart *chart);
/* A script of gnuplot, and the size in pixels that fits the panels. */
char *ws_curves_script(const WsChart *chart, const char *terminal);
void ws_curves_size(const WsChart *chart, guint *ret_width, guint *ret_height);

#endif
