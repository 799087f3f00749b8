/* Dots: each row of a place by itself, with its name, and the median. */
#include "study/plot/chart_kind.h"
#include "study/plot/samples.h"
#include "study/plot/vega.h"

/*
 * Places dots that would cover each other beside each other: in the nearest of the columns 0, 1,
 * -1, 2 ... whose last dot is far enough below. Returns the column of each sample, g_free.
 */
static int *columns_of(const WsFigureAxis *y, const GPtrArray *samples)
{
    const double apart = 0.024; /* of the axis */
    int *columns = g_new(int, samples->len);
    g_autoptr(GArray) last = g_array_new(FALSE, FALSE, sizeof(double));
    for (guint i = 0; i < samples->len; i++) {
        double at = ws_figure_share(y, ((const WsChartPoint *)samples->pdata[i])->y);
        guint c = 0;
        while (c < last->len && at - g_array_index(last, double, c) < apart)
            c++;
        if (c == last->len)
            g_array_append_val(last, at);
        g_array_index(last, double, c) = at;
        columns[i] = c % 2 == 1 ? (int)(c + 1) / 2 : -(int)(c / 2);
    }
    return columns;
}

/* How far apart columns are, in units of x: closer where there are many. */
static double column_step(const WsChart *chart, const int *columns, guint count)
{
    const double widest = 0.07;
    int most = 1;
    for (guint i = 0; i < count; i++)
        most = MAX(most, ABS(columns[i]));
    return MIN(widest, ws_chart_bar_width(chart) / (2 * most));
}

static void add_dots(WsFigure *figure, WsFigurePanel *panel, const WsChart *chart,
                     const WsChartCurve *curve, const GPtrArray *samples, double x)
{
    double half = ws_chart_bar_width(chart) * 0.4, median = ws_distribution_of(samples).median;
    g_autofree int *columns = columns_of(&figure->y, samples);
    double step = column_step(chart, columns, samples->len);
    ws_samples_add_line(panel, x - half, median, x + half, median);
    for (guint i = 0; i < samples->len; i++)
        ws_samples_add_dot(panel, chart, curve, samples->pdata[i], x + columns[i] * step);
}

static WsFigure *make_figure(const WsChart *chart)
{
    WsFigure *figure = ws_samples_figure(chart);
    ws_samples_add_all(figure, chart, add_dots);
    return figure;
}

/* "o", the number of samples where there are several, "+" for more than nine; "|" the median. */
static void draw_line(char *cells, const WsTextScale *scale, const GPtrArray *samples)
{
    g_autofree guint *counts = g_new0(guint, scale->width);
    cells[ws_text_column(scale, ws_distribution_of(samples).median)] = '|';
    for (guint i = 0; i < samples->len; i++)
        counts[ws_text_column(scale, ((const WsChartPoint *)samples->pdata[i])->y)]++;
    for (guint i = 0; i < scale->width; i++)
        if (counts[i] > 0)
            cells[i] = counts[i] == 1 ? 'o' : counts[i] > 9 ? '+' : (char)('0' + counts[i]);
}

static char *draw_text(const WsChart *chart, guint width, guint rows)
{
    return ws_samples_text(chart, width, draw_line,
                           "o a sample  2 to 9 so many  + more  | the median between them");
}

/* Dots of one place are moved aside by the data, so that the picture is always the same. */
static const char template[] =
    "{\"width\": {\"step\": 70}, \"height\": 300,"
    " \"encoding\": {"
    "  \"x\": {\"field\": \"x\", \"type\": \"ordinal\", \"title\": \"@x\", \"sort\": \"@places\","
    "        \"axis\": {\"labelLimit\": 300, \"labelAngle\": \"@angle\"}},"
    "  \"y\": {\"field\": \"y\", \"type\": \"quantitative\", \"title\": \"@y\","
    "        \"scale\": {\"zero\": \"@zero\", \"type\": \"@scale\"}},"
    "  \"xOffset\": {\"field\": \"offset\", \"type\": \"quantitative\","
    "    \"scale\": {\"domain\": [-0.5, 0.5]}}},"
    " \"layer\": ["
    "  {\"mark\": {\"type\": \"point\", \"filled\": true, \"size\": 28, \"opacity\": 0.85},"
    "   \"encoding\": {\"color\": \"@colour\","
    "     \"tooltip\": [{\"field\": \"name\", \"type\": \"nominal\", \"title\": \"@name\"},"
    "       {\"field\": \"x\", \"type\": \"nominal\", \"title\": \"@x\"},"
    "       {\"field\": \"curve\", \"type\": \"nominal\", \"title\": \"@by\"},"
    "       {\"field\": \"y\", \"type\": \"quantitative\", \"title\": \"@y\"}]}},"
    "  {\"transform\": [{\"aggregate\": [{\"op\": \"median\", \"field\": \"y\", \"as\": \"y\"},"
    "       {\"op\": \"min\", \"field\": \"middle\", \"as\": \"offset\"}],"
    "     \"groupby\": [\"x\", \"curve\"]}],"
    "   \"mark\": {\"type\": \"tick\", \"color\": \"black\", \"size\": 22, \"thickness\": 1.5}}]}";

static void add_values(JsonArray *values, const WsChart *chart, const WsChartPanel *panel,
                       const WsChartCurve *curve, const GPtrArray *samples, const WsFigureAxis *y)
{
    g_autofree int *columns = columns_of(y, samples);
    double step = column_step(chart, columns, samples->len);
    double middle = ws_chart_bar_offset(chart, curve);
    for (guint i = 0; i < samples->len; i++) {
        const WsChartPoint *point = g_ptr_array_index(samples, i);
        JsonObject *value = ws_vega_point(chart, panel, curve, point);
        json_object_set_double_member(value, "offset", middle + columns[i] * step);
        json_object_set_double_member(value, "middle", middle);
        json_array_add_object_element(values, value);
    }
}

static char *draw_vega(const WsChart *chart)
{
    JsonArray *values = json_array_new();
    g_autoptr(WsFigure) figure = ws_samples_figure(chart);
    for (guint p = 0; p < chart->panels->len; p++) {
        const WsChartPanel *panel = g_ptr_array_index(chart->panels, p);
        for (guint c = 0; c < panel->curves->len; c++) {
            const WsChartCurve *curve = g_ptr_array_index(panel->curves, c);
            for (guint i = 0; i < ws_chart_place_count(chart); i++) {
                g_autoptr(GPtrArray) samples = ws_chart_samples(curve, i);
                if (samples->len > 0)
                    add_values(values, chart, panel, curve, samples, &figure->y);
            }
        }
    }
    return ws_vega_fill(chart, template, values);
}

const WsChartKind ws_chart_dots = {
    .name = "dots",
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
