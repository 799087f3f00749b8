/* A figure as the page reads it (page/figure.ts). */
#ifndef WS_STUDY_PLOT_FIGURE_JSON_H
#define WS_STUDY_PLOT_FIGURE_JSON_H

#include "study/plot/figure.h"

#include <json-glib/json-glib.h>

/* The figure as the member `name` of the object that is being built. */
void ws_figure_add_json(JsonBuilder *json, const char *name, const WsFigure *figure);

#endif
