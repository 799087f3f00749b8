/* What kinds that draw samples have in common: box plots and dots. */
#ifndef WS_STUDY_PLOT_SAMPLES_H
#define WS_STUDY_PLOT_SAMPLES_H

#include "study/plot/distribution.h"
#include "study/plot/figure.h"
#include "study/plot/text_parts.h"

/* A figure with the places on x, a y axis that fits the samples, and the curves' legend. */
WsFigure *ws_samples_figure(const WsChart *chart);

/* Calls `add` for the samples of each curve at each place that has some. `x` is the middle of them.
 */
typedef void WsSamplesAdd(WsFigure *figure, WsFigurePanel *panel, const WsChart *chart,
                          const WsChartCurve *curve, const GPtrArray *samples, double x);
void ws_samples_add_all(WsFigure *figure, const WsChart *chart, WsSamplesAdd *add);

/* A line of a figure in the colour of ink. */
void ws_samples_add_line(WsFigurePanel *panel, double x, double y, double x2, double y2);

/* A sample as a dot, with its name and value for who points at it. */
void ws_samples_add_dot(WsFigurePanel *panel, const WsChart *chart, const WsChartCurve *curve,
                        const WsChartPoint *point, double x);

/* "policy gto, latency 400", without the latter where there is one curve. g_free. */
char *ws_samples_name(const WsChart *chart, const WsChartCurve *curve, double place);

/* A line of characters for each place and curve, drawn into `cells` of scale->width blanks; the
 * median and the number of samples stand behind it. g_free. */
typedef void WsSamplesDraw(char *cells, const WsTextScale *scale, const GPtrArray *samples);
char *ws_samples_text(const WsChart *chart, guint width, WsSamplesDraw *draw, const char *legend);

#endif
