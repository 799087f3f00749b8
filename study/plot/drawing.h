/* A chart as text: for a terminal, as Vega-Lite JSON, as a page. */
#ifndef WS_STUDY_PLOT_DRAWING_H
#define WS_STUDY_PLOT_DRAWING_H

#include "study/plot/chart.h"

/*
 * Drawn with characters, `width` columns and `rows` rows a panel; a letter for each curve, `*`
 * where several meet. g_free.
 */
char *ws_chart_text(const WsChart *chart, guint width, guint rows);

/* A Vega-Lite specification (version 5) with its data. g_free. */
char *ws_chart_vega(const WsChart *chart);

/*
 * One HTML file with the chart and `table` (the rows that it is drawn from); it needs nothing else,
 * and no network. `answer` (or NULL) stands on top. g_free. Where it is not built, for want of
 * esbuild, there is none.
 */
gboolean ws_chart_page_is_built(void);
char *ws_chart_page(const WsChart *chart, const WsTable *table, const char *answer);

#endif
