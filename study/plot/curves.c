/* Curves over numbers; bars where x is words. */
#include "study/plot/curves.h"
#include "study/plot/chart_kind.h"

const WsChartKind ws_chart_curves = {
    .name = "curves",
    .has_all_curves = TRUE,
    .takes_log_y = TRUE,
    .takes_by = TRUE,
    .takes_facet = TRUE,
    .takes_relative_to = TRUE,
    .text = ws_curves_text,
    .vega = ws_curves_vega,
};
