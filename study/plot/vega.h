/* Parts of Vega-Lite specifications. */
#ifndef WS_STUDY_PLOT_VEGA_H
#define WS_STUDY_PLOT_VEGA_H

#include "study/plot/chart.h"

#include <json-glib/json-glib.h>

/* Schema and title, into the object that is being built. */
void ws_vega_head(JsonBuilder *json, const WsChart *chart);
/* The channels x or y, and one of names in the order of the data. */
void ws_vega_axis(JsonBuilder *json, const char *field, const char *title, gboolean words,
                  gboolean logarithmic);
void ws_vega_group(JsonBuilder *json, const char *channel, const char *field, const char *title);

/* A point with x, y, curve, panel, and name where it has one; all points. */
JsonObject *ws_vega_point(const WsChart *chart, const WsChartPanel *panel,
                          const WsChartCurve *curve, const WsChartPoint *point);
JsonArray *ws_vega_points(const WsChart *chart);

/*
 * A specification from a template: JSON of one view, in which strings stand for parts of the chart:
 * "@x", "@y", "@by" and "@name" for its labels, "@places" and "@curves" for the lists of its places
 * and curves, "@scale" and "@zero" for the scale of y, "@palette" for the colours of names,
 * "@angle" for that of the names of places. The channels "@colour" and "@offset", by curve, are
 * left out where there is only one. `values` becomes the data (taken over); its field `panel` makes
 * a view for each where the chart has panels. g_free.
 */
char *ws_vega_fill(const WsChart *chart, const char *template, JsonArray *values);

/* A template with the string "MARK" replaced by JSON text. g_free. */
char *ws_vega_put(const char *template, const char *mark, const char *json);

#endif
