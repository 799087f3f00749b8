/* Pareto charts: bars from the largest on, and the share that they add up to. */
#include "study/plot/chart_kind.h"
#include "study/plot/chart_order.h"
#include "study/plot/text_parts.h"
#include "study/plot/vega.h"
#include "study/results/aligned_text.h"

#include <math.h>
#include <string.h>

enum { MOST_BARS = 20 }; /* the others together are the last one */

static GArray *points_of(const WsChart *chart)
{
    const WsChartPanel *panel = g_ptr_array_index(chart->panels, 0);
    return ((const WsChartCurve *)panel->curves->pdata[0])->points;
}

static double size_at(const WsChart *chart, guint i)
{
    return fabs(g_array_index(points_of(chart), WsChartPoint, i).y);
}

static double whole_of(const WsChart *chart)
{
    double sum = 0;
    for (guint i = 0; i < points_of(chart)->len; i++)
        sum += size_at(chart, i);
    return sum;
}

/* Places from MOST_BARS - 1 on become one. */
static void join_rest(WsChart *chart)
{
    GArray *points = points_of(chart);
    guint joined = points->len - (MOST_BARS - 1);
    double sum = 0;
    for (guint i = MOST_BARS - 1; i < points->len; i++)
        sum += size_at(chart, i);
    g_array_index(points, WsChartPoint, MOST_BARS - 1).y = sum;
    g_array_set_size(points, MOST_BARS);
    char **names = g_new0(char *, MOST_BARS + 1);
    for (guint i = 0; i + 1 < MOST_BARS; i++)
        names[i] = g_strdup(chart->categories[i]);
    names[MOST_BARS - 1] = g_strdup_printf("%u others", joined);
    g_strfreev(chart->categories);
    chart->categories = names;
}

/* The bars show how large values are, whatever their sign. */
static void name_sizes(WsChart *chart)
{
    const GArray *points = points_of(chart);
    guint i = 0;
    while (i < points->len && g_array_index(points, WsChartPoint, i).y >= 0)
        i++;
    if (i == points->len)
        return;
    g_autofree char *label = chart->y_label;
    chart->y_label = g_strdup_printf("|%s|", label);
}

static gboolean arrange(WsChart *chart, GError **error)
{
    GArray *points = points_of(chart);
    guint places = ws_chart_place_count(chart);
    g_autofree double *keys = g_new(double, places);
    if (!(whole_of(chart) > 0)) {
        ws_set_error(error, WS_ERROR_USAGE, "all values of %s are 0: they have no shares",
                     chart->y_label);
        return FALSE;
    }
    for (guint i = 0; i < places; i++)
        keys[i] = -1; /* no number: behind all others */
    for (guint i = 0; i < points->len; i++)
        keys[(guint)g_array_index(points, WsChartPoint, i).x] = size_at(chart, i);
    ws_chart_order(chart, keys);
    name_sizes(chart);
    for (guint i = points->len; i < places; i++)
        g_clear_pointer(&chart->categories[i], g_free);
    if (points->len > MOST_BARS)
        join_rest(chart);
    return TRUE;
}

/* The share of the first bars up to `i`, in per cent. */
static double cumulated(const WsChart *chart, guint i)
{
    double sum = 0;
    for (guint n = 0; n <= i; n++)
        sum += size_at(chart, n);
    return 100 * sum / whole_of(chart);
}

/* ---- the figure -------------------------------------------------------------------------------
 */

enum { BARS, LINE }; /* colours */

static void add_place(WsFigure *figure, const WsChart *chart, guint i)
{
    const double half = 0.4;
    WsFigurePanel *panel = g_ptr_array_index(figure->panels, 0);
    double sum = cumulated(chart, i), at = sum / 100 * figure->second_whole;
    double value = g_array_index(points_of(chart), WsChartPoint, i).y;
    g_autofree char *number = ws_chart_number(value, 3), *share = ws_chart_number(sum, 3);
    char *tip = g_strdup_printf("%s: %s %s; %s %% with all before", chart->categories[i],
                                chart->y_label, number, share);
    ws_figure_add(panel, (WsFigureMark){.shape = WS_FIGURE_RECTANGLE,
                                        .x = i - half,
                                        .x2 = i + half,
                                        .y2 = fabs(value),
                                        .colour = BARS,
                                        .text = tip});
    ws_figure_add(panel, (WsFigureMark){.shape = WS_FIGURE_DOT, .x = i, .y = at, .colour = LINE});
    if (i > 0)
        ws_figure_add(panel,
                      (WsFigureMark){.shape = WS_FIGURE_LINE,
                                     .x = i - 1.0,
                                     .y = cumulated(chart, i - 1) / 100 * figure->second_whole,
                                     .x2 = i,
                                     .y2 = at,
                                     .colour = LINE});
}

static WsFigure *make_figure(const WsChart *chart)
{
    const double space = 1.04; /* so that the end of the line is not cut */
    WsFigure *figure = ws_figure_new(chart);
    figure->second_whole = whole_of(chart);
    figure->second_label = g_strdup("cumulative share");
    ws_figure_name_axis(&figure->x, chart->x_label, chart->categories);
    ws_figure_number_axis(&figure->y, chart->y_label, 0, space * figure->second_whole, FALSE);
    g_strfreev(figure->legend);
    figure->legend = g_new0(char *, 3);
    figure->legend[BARS] = g_strdup(chart->y_label);
    figure->legend[LINE] = g_strdup("cumulative");
    for (guint i = 0; i < points_of(chart)->len; i++)
        add_place(figure, chart, i);
    return figure;
}

/* ---- text -------------------------------------------------------------------------------------
 */

static char *draw_text(const WsChart *chart, guint width, guint rows)
{
    enum { FIGURES = 20 };
    GString *out = g_string_new(NULL);
    guint names = ws_text_names(chart, width / 3), taken = names + 1 + FIGURES;
    const WsTextScale scale = {.high = size_at(chart, 0),
                               .width = width > taken + 20 ? width - taken : 20};
    g_string_append_printf(
        out, "%s, largest first%*s\n", chart->y_label,
        (int)(width - ws_characters(chart->y_label) - strlen(", largest first") - 1), "cumulative");
    for (guint i = 0; i < points_of(chart)->len; i++) {
        g_autofree char *bar = g_strnfill(ws_text_column(&scale, size_at(chart, i)) + 1, '#');
        g_autofree char *number =
            ws_chart_number(g_array_index(points_of(chart), WsChartPoint, i).y, 3);
        ws_append_left(out, chart->categories[i], names);
        g_string_append_printf(out, " %-*s %9s %6.1f %%\n", (int)scale.width, bar, number,
                               cumulated(chart, i));
    }
    ws_text_shares(out, chart);
    return g_string_free(out, FALSE);
}

/* ---- Vega-Lite --------------------------------------------------------------------------------
 */

/* Both axes end at the whole, so that the line begins at the top of the first bar. */
static const char template[] =
    "{\"width\": {\"step\": 44}, \"height\": 300,"
    " \"encoding\": {"
    "  \"x\": {\"field\": \"x\", \"type\": \"ordinal\", \"title\": \"@x\", \"sort\": \"@places\","
    "        \"axis\": {\"labelLimit\": 300, \"labelAngle\": \"@angle\"}},"
    "  \"tooltip\": [{\"field\": \"x\", \"type\": \"nominal\", \"title\": \"@x\"},"
    "    {\"field\": \"y\", \"type\": \"quantitative\", \"title\": \"@y\"},"
    "    {\"field\": \"cumulative\", \"type\": \"quantitative\", \"format\": \".1%\"}]},"
    " \"layer\": ["
    "  {\"mark\": {\"type\": \"bar\", \"color\": \"#0072b2\"},"
    "   \"encoding\": {\"y\": {\"field\": \"size\", \"type\": \"quantitative\", \"title\": \"@y\","
    "     \"scale\": {\"domain\": [0, \"@whole\"]}}}},"
    "  {\"mark\": {\"type\": \"line\", \"point\": {\"color\": \"#d55e00\"}, \"color\": "
    "\"#d55e00\"},"
    "   \"encoding\": {\"y\": {\"field\": \"cumulative\", \"type\": \"quantitative\","
    "     \"title\": \"cumulative share\", \"axis\": {\"format\": \"%\", \"grid\": false},"
    "     \"scale\": {\"domain\": [0, 1]}}}}],"
    " \"resolve\": {\"scale\": {\"y\": \"independent\"}}}";

static char *draw_vega(const WsChart *chart)
{
    JsonArray *values = json_array_new();
    const WsChartPanel *panel = g_ptr_array_index(chart->panels, 0);
    for (guint i = 0; i < points_of(chart)->len; i++) {
        JsonObject *value = ws_vega_point(chart, panel, panel->curves->pdata[0],
                                          &g_array_index(points_of(chart), WsChartPoint, i));
        json_object_set_double_member(value, "size", size_at(chart, i));
        json_object_set_double_member(value, "cumulative", cumulated(chart, i) / 100);
        json_array_add_object_element(values, value);
    }
    char whole[G_ASCII_DTOSTR_BUF_SIZE];
    g_ascii_dtostr(whole, sizeof whole, whole_of(chart));
    g_autofree char *with_whole = ws_vega_put(template, "@whole", whole);
    return ws_vega_fill(chart, with_whole, values);
}

const WsChartKind ws_chart_pareto = {
    .name = "pareto",
    .x = "name",
    .y = "share",
    .has_places = TRUE,
    .arrange = arrange,
    .text = draw_text,
    .vega = draw_vega,
    .figure = make_figure,
};
