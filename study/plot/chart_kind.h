/*
 * Kinds of charts: each is one file here with a WsChartKind, and a row of chart_kinds.def. A kind
 * says which rows become points, and how points become text, Vega-Lite and a figure, which gnuplot
 * and the page draw. The kind is taken when the chart is made; ws_chart_text() and its neighbours
 * ask it.
 */
#ifndef WS_STUDY_PLOT_CHART_KIND_H
#define WS_STUDY_PLOT_CHART_KIND_H

#include "study/plot/chart.h"
#include "study/plot/figure.h"

struct WsChartKind {
    const char *name;  /* of --kind: "heat" */
    const char *x, *y; /* columns where the user names none; NULL: those of a sweep */
    const char *label; /* column with the names of points, where the table has it; or NULL */
    /* x is always places beside each other: no logarithmic x, marks and references */
    gboolean has_places;
    /* all other parameters are the curves, where the user names none */
    gboolean has_all_curves;
    /* rows of a curve with the same x are samples, not a mistake; points have names */
    gboolean has_samples;
    gboolean takes_log_y;
    gboolean takes_by, takes_facet, takes_relative_to;

    /* What else the kind wants of the chart: an order of places, a label. NULL: nothing. */
    gboolean (*arrange)(WsChart *chart, GError **error);
    /* As ws_chart_text(), without what all kinds have at the end. */
    char *(*text)(const WsChart *chart, guint width, guint rows);
    /* As ws_chart_vega(). */
    char *(*vega)(const WsChart *chart);
    /* NULL: curves_gnuplot.c and the page's curves.ts draw it. ws_figure_free. */
    WsFigure *(*figure)(const WsChart *chart);
};

#define KIND(name, summary) extern const WsChartKind ws_chart_##name;
#include "study/plot/chart_kinds.def"
#undef KIND

/* All of them, NULL at the end; the first is the default. */
extern const WsChartKind *const ws_chart_kinds[];

/* The kind of a name, or NULL. */
const WsChartKind *ws_chart_kind(const char *name);

#endif
