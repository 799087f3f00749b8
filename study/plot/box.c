/* Box plots: the distribution of y over all rows of a place. */
#include "study/plot/chart_kind.h"
#include "study/plot/samples.h"
#include "study/plot/vega.h"

#include <string.h>

static void add_box(WsFigure *figure, WsFigurePanel *panel, const WsChart *chart,
                    const WsChartCurve *curve, const GPtrArray *samples, double x)
{
    double half = ws_chart_bar_width(chart) * 0.35;
    WsDistribution of = ws_distribution_of(samples);
    const WsChartPoint *first = g_ptr_array_index(samples, 0);
    g_autofree char *name = ws_samples_name(chart, curve, first->x);
    g_autofree char *median = ws_chart_number(of.median, 4);
    g_autofree char *first_quartile = ws_chart_number(of.first_quartile, 4);
    g_autofree char *third_quartile = ws_chart_number(of.third_quartile, 4);
    char *tip = g_strdup_printf("%s: median %s, quartiles %s and %s, %u rows", name, median,
                                first_quartile, third_quartile, of.count);
    ws_figure_add(panel, (WsFigureMark){.shape = WS_FIGURE_RECTANGLE,
                                        .x = x - half,
                                        .x2 = x + half,
                                        .y = of.first_quartile,
                                        .y2 = of.third_quartile,
                                        .colour = (int)curve->place,
                                        .pale = TRUE,
                                        .text = tip});
    ws_samples_add_line(panel, x - half, of.median, x + half, of.median);
    ws_samples_add_line(panel, x, of.first_quartile, x, of.low_whisker);
    ws_samples_add_line(panel, x, of.third_quartile, x, of.high_whisker);
    ws_samples_add_line(panel, x - half / 2, of.low_whisker, x + half / 2, of.low_whisker);
    ws_samples_add_line(panel, x - half / 2, of.high_whisker, x + half / 2, of.high_whisker);
    for (guint i = 0; i < samples->len; i++) {
        const WsChartPoint *point = g_ptr_array_index(samples, i);
        if (ws_distribution_is_outlier(&of, point->y))
            ws_samples_add_dot(panel, chart, curve, point, x);
    }
}

static WsFigure *make_figure(const WsChart *chart)
{
    WsFigure *figure = ws_samples_figure(chart);
    ws_samples_add_all(figure, chart, add_box);
    return figure;
}

static void fill(char *cells, guint from, guint to, char with)
{
    memset(cells + from, with, to - from + 1);
}

/* "o  |---[==M==]------|" */
static void draw_line(char *cells, const WsTextScale *scale, const GPtrArray *samples)
{
    WsDistribution of = ws_distribution_of(samples);
    guint low = ws_text_column(scale, of.low_whisker),
          high = ws_text_column(scale, of.high_whisker);
    guint first = ws_text_column(scale, of.first_quartile);
    guint third = ws_text_column(scale, of.third_quartile);
    for (guint i = 0; i < samples->len; i++) {
        double y = ((const WsChartPoint *)samples->pdata[i])->y;
        if (ws_distribution_is_outlier(&of, y))
            cells[ws_text_column(scale, y)] = 'o';
    }
    fill(cells, low, high, '-');
    fill(cells, first, third, '=');
    cells[first] = '[';
    cells[third] = ']';
    cells[ws_text_column(scale, of.median)] = 'M';
}

static char *draw_text(const WsChart *chart, guint width, guint rows)
{
    return ws_samples_text(chart, width, draw_line,
                           "[==] quartiles  M median  -- samples within 1.5 box lengths of the box "
                           " o outlier");
}

static const char template[] =
    "{\"width\": {\"step\": 60}, \"height\": 300,"
    " \"mark\": {\"type\": \"boxplot\", \"extent\": 1.5, \"median\": {\"color\": \"black\"},"
    "          \"ticks\": {\"size\": 12}, \"size\": 24, \"box\": {\"fillOpacity\": 0.6}},"
    " \"encoding\": {"
    "  \"x\": {\"field\": \"x\", \"type\": \"ordinal\", \"title\": \"@x\", \"sort\": \"@places\","
    "        \"axis\": {\"labelLimit\": 300, \"labelAngle\": \"@angle\"}},"
    "  \"y\": {\"field\": \"y\", \"type\": \"quantitative\", \"title\": \"@y\","
    "        \"scale\": {\"zero\": \"@zero\", \"type\": \"@scale\"}},"
    "  \"xOffset\": \"@offset\", \"color\": \"@colour\"}}";

static char *draw_vega(const WsChart *chart)
{
    return ws_vega_fill(chart, template, ws_vega_points(chart));
}

const WsChartKind ws_chart_box = {
    .name = "box",
    .has_places = TRUE,
    .has_samples = TRUE,
    .takes_log_y = TRUE,
    .takes_by = TRUE,
    .takes_facet = TRUE,
    .takes_relative_to = TRUE,
    .text = draw_text,
    .vega = draw_vega,
    .figure = make_figure,
};
