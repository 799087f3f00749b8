/*
 * A chart of a table's columns: panels of curves, as numbers. What a kind of chart makes of them is
 * in chart_kind.h, how it is drawn in the neighbours.
 */
#ifndef WS_STUDY_PLOT_CHART_H
#define WS_STUDY_PLOT_CHART_H

#include "study/results/csv.h"

typedef struct WsChartKind WsChartKind; /* chart_kind.h */

typedef struct {
    double x, y;
    guint row; /* of the table */
    const char
        *name; /* what else the row is: "matmul", "matmul, 400"; of the chart, NULL: nothing */
} WsChartPoint;

typedef struct {
    char *name;            /* "gto"; "" for the only one */
    GArray *points;        /* of WsChartPoint, by rising x */
    guint place;           /* in the chart's `names`: the same colour in each panel */
    gboolean is_reference; /* drawn as points, in the colour of the curve before */
} WsChartCurve;

typedef struct {
    char *name;        /* "latency=100"; "" for the only one */
    GPtrArray *curves; /* of WsChartCurve* */
} WsChartPanel;

typedef struct {
    double x;
    char *text;
} WsChartMark;

typedef struct {
    const WsChartKind *kind;
    char *title, *x_label, *y_label, *curves_label;
    char *points_label;         /* what the names of points are values of: "target"; "" for none */
    GStringChunk *points_names; /* holds them, each once */
    gboolean log_x, log_y;
    gboolean steps;    /* a value holds up to the next x: lines without points */
    gboolean stacked;  /* curves are the upper edges of bands (study/plot/chart_stack.h) */
    char **categories; /* x is a place in this list, NULL-terminated; NULL: x is a number */
    GPtrArray *panels; /* of WsChartPanel*, at least one */
    GPtrArray *names;  /* of char*: those of the curves of all panels */
    GArray *marks;     /* of WsChartMark, by rising x: what to look at, a line upwards each */
    guint left_out;    /* rows without a number for x or y */
    guint stopped;     /* rows of runs that did not come to their end: left out, too */
    guint wrong;       /* rows of runs with wrong results, drawn all the same */
    char *shares;      /* what the runs had of L2 and DRAM, in the title as well; NULL: not known */
    char *note;        /* on the whole, such as the error to a reference; or NULL */
} WsChart;

typedef struct {
    const WsChartKind *kind; /* NULL: curves */
    const char *title;
    const char *x, *y;  /* columns */
    char *const *by;    /* columns: a curve for each of their values; NULL-terminated */
    const char *facet;  /* column: a panel for each of its values; or NULL */
    char *const *where; /* "COLUMN=VALUE": only these rows; NULL-terminated, or NULL */
    gboolean log_x, log_y;
    gboolean steps;          /* a value holds up to the next x */
    const char *relative_to; /* "COLUMN=VALUE": y is divided by that of such a row; or NULL */
    const WsTable
        *reference; /* with the columns x, y and, where it has them, by and facet; or NULL */
} WsChartOptions;

/*
 * Of a table with a column `status` rows of runs that stopped early are left out, unless `where`
 * asks for them: their counts are those of a part. Errors: WS_ERROR_USAGE (no such column, no row
 * left, two rows for one point of a curve, nothing to relate to, a logarithm of 0; what the kind
 * does not take).
 */
WsChart *ws_chart_new(const WsTable *table, const WsChartOptions *options, GError **error);
void ws_chart_free(WsChart *chart);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(WsChart, ws_chart_free)

/* Whether measured points are drawn beside the curves. */
gboolean ws_chart_has_references(const WsChart *chart);

/*
 * Whether the curves are drawn as bars, those of one x beside each other: x is words, between which
 * there is nothing. A logarithmic axis has no foot for bars: then there are points alone.
 */
gboolean ws_chart_has_bars(const WsChart *chart);
/* Of bars, in units of x: how wide each is, and how far from x that of a curve stands. */
double ws_chart_bar_width(const WsChart *chart);
double ws_chart_bar_offset(const WsChart *chart, const WsChartCurve *curve);

/* A mark at a number of the x axis; one outside of what the chart shows is left out. */
void ws_chart_mark(WsChart *chart, double x, const char *text);

/* How many places x has; 0 where it is a number. */
guint ws_chart_place_count(const WsChart *chart);
/* Characters of the longest name of a place. */
guint ws_chart_longest_place(const WsChart *chart);

/* The place of x in words: a category, or a number. g_free. */
char *ws_chart_x_text(const WsChart *chart, double x);

/* Smallest and largest of all panels; of y 0 too, if it is not logarithmic. */
typedef struct {
    double x_min, x_max, y_min, y_max;
} WsChartRange;
WsChartRange ws_chart_range(const WsChart *chart);

/* A number for people to read in a chart: of that many digits, whole up to ten millions. g_free. */
char *ws_chart_number(double value, int digits);

#endif
