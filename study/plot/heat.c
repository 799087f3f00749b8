/* Heat maps: y as the colour of a cell, by x and by the curves' parameter. */
#include "study/plot/chart_kind.h"
#include "study/plot/chart_order.h"
#include "study/plot/palette.h"
#include "study/plot/text_parts.h"
#include "study/plot/vega.h"
#include "study/results/aligned_text.h"

#include <math.h>
#include <string.h>

static gboolean arrange(WsChart *chart, GError **error)
{
    if (*chart->curves_label == '\0') {
        ws_set_error(error, WS_ERROR_USAGE,
                     "a heat map needs a second parameter: --by COLUMN names its rows");
        return FALSE;
    }
    ws_chart_order_curves(chart);
    return TRUE;
}

/* The cells of a panel, [row][place]; NaN: missing. g_free. */
static double *cells_of(const WsChart *chart, const WsChartPanel *panel)
{
    guint places = ws_chart_place_count(chart), count = places * chart->names->len;
    double *cells = g_new(double, count);
    for (guint i = 0; i < count; i++)
        cells[i] = NAN;
    for (guint c = 0; c < panel->curves->len; c++) {
        const WsChartCurve *curve = g_ptr_array_index(panel->curves, c);
        for (guint i = 0; i < curve->points->len; i++) {
            const WsChartPoint *point = &g_array_index(curve->points, WsChartPoint, i);
            cells[curve->place * places + (guint)point->x] = point->y;
        }
    }
    return cells;
}

static WsFigureAxis scale_of(const WsChart *chart)
{
    double low = INFINITY, high = -INFINITY;
    WsFigureAxis scale = {0};
    for (guint p = 0; p < chart->panels->len; p++) {
        g_autofree double *cells = cells_of(chart, chart->panels->pdata[p]);
        for (guint i = 0; i < ws_chart_place_count(chart) * chart->names->len; i++) {
            low = fmin(low, cells[i]);
            high = fmax(high, cells[i]);
        }
    }
    ws_figure_number_axis(&scale, chart->y_label, low, high, chart->log_y);
    return scale;
}

/* ---- the figure -------------------------------------------------------------------------------
 */

static char *cell_tip(const WsChart *chart, guint row, guint place, double value)
{
    g_autofree char *number = isnan(value) ? g_strdup("no value") : ws_chart_number(value, 4);
    return g_strdup_printf("%s %s, %s %s: %s %s", chart->x_label, chart->categories[place],
                           chart->curves_label, (const char *)chart->names->pdata[row],
                           chart->y_label, number);
}

static void add_cell(WsFigure *figure, WsFigurePanel *panel, const WsChart *chart, guint row,
                     guint place, double value)
{
    const double half = 0.48; /* with a gap between cells */
    gboolean missing = isnan(value);
    ws_figure_add(panel, (WsFigureMark){.shape = WS_FIGURE_RECTANGLE,
                                        .x = place - half,
                                        .x2 = place + half,
                                        .y = row - half,
                                        .y2 = row + half,
                                        .colour = missing ? WS_FIGURE_MISSING : WS_FIGURE_SCALE,
                                        .value = value,
                                        .text = cell_tip(chart, row, place, value)});
    figure->has_missing |= missing;
    if (!missing)
        ws_figure_add(panel, (WsFigureMark){.shape = WS_FIGURE_TEXT,
                                            .x = place,
                                            .y = row,
                                            .room = 2 * half,
                                            .colour = WS_FIGURE_SCALE,
                                            .value = value,
                                            .text = ws_chart_number(value, 3)});
}

static WsFigure *make_figure(const WsChart *chart)
{
    WsFigure *figure = ws_figure_new(chart);
    guint places = ws_chart_place_count(chart);
    g_ptr_array_add(chart->names, NULL);
    ws_figure_name_axis(&figure->y, chart->curves_label, (char *const *)chart->names->pdata);
    g_ptr_array_set_size(chart->names, (gint)chart->names->len - 1);
    ws_figure_name_axis(&figure->x, chart->x_label, chart->categories);
    figure->has_scale = TRUE;
    figure->scale = scale_of(chart);
    for (guint p = 0; p < chart->panels->len; p++) {
        g_autofree double *cells = cells_of(chart, chart->panels->pdata[p]);
        for (guint i = 0; i < places * chart->names->len; i++)
            add_cell(figure, figure->panels->pdata[p], chart, i / places, i % places, cells[i]);
    }
    return figure;
}

/* ---- text -------------------------------------------------------------------------------------
 */

static const char ramp[] = ".:-=+*#%@"; /* from the least to the most */
enum { SHADE = 2 };                     /* characters of a cell */

static char shade_of(const WsFigureAxis *scale, double value)
{
    double share = CLAMP(ws_figure_share(scale, value), 0, 1);
    return ramp[(guint)lround(share * (sizeof ramp - 2))];
}

static char *cell_text(double value)
{
    return isnan(value) ? g_strdup("n/a") : ws_chart_number(value, 3);
}

/* Characters of the widest cell, without its shade. */
static guint cell_width(const WsChart *chart)
{
    guint width = ws_chart_longest_place(chart);
    for (guint p = 0; p < chart->panels->len; p++) {
        g_autofree double *cells = cells_of(chart, chart->panels->pdata[p]);
        for (guint i = 0; i < ws_chart_place_count(chart) * chart->names->len; i++) {
            g_autofree char *text = cell_text(cells[i]);
            width = MAX(width, ws_characters(text));
        }
    }
    return width;
}

typedef struct {
    WsFigureAxis scale;
    guint names, cell, columns; /* characters; columns that fit */
} Layout;

static void append_rows(GString *out, const WsChart *chart, const double *cells,
                        const Layout *layout, guint from)
{
    guint places = ws_chart_place_count(chart), to = MIN(from + layout->columns, places);
    ws_append_left(out, chart->curves_label, layout->names);
    for (guint i = from; i < to; i++) {
        g_string_append(out, "  ");
        ws_append_right(out, chart->categories[i], layout->cell + SHADE);
    }
    g_string_append_c(out, '\n');
    for (guint row = 0; row < chart->names->len; row++) {
        ws_append_left(out, chart->names->pdata[row], layout->names);
        for (guint i = from; i < to; i++) {
            double value = cells[row * places + i];
            g_autofree char *text = cell_text(value);
            char shade = isnan(value) ? ' ' : shade_of(&layout->scale, value);
            g_string_append(out, "  ");
            ws_append_right(out, text, layout->cell);
            g_string_append_printf(out, "%c%c", shade, shade);
        }
        while (out->str[out->len - 1] == ' ')
            g_string_truncate(out, out->len - 1);
        g_string_append_c(out, '\n');
    }
}

static char *draw_text(const WsChart *chart, guint width, guint rows)
{
    GString *out = g_string_new(NULL);
    Layout layout = {.scale = scale_of(chart), .cell = cell_width(chart)};
    layout.names = ws_characters(chart->curves_label);
    for (guint i = 0; i < chart->names->len; i++)
        layout.names = MAX(layout.names, ws_characters(chart->names->pdata[i]));
    layout.names = MIN(layout.names, width / 3);
    layout.columns = MAX((width - layout.names) / (layout.cell + SHADE + 2), 1);
    for (guint p = 0; p < chart->panels->len; p++) {
        const WsChartPanel *panel = g_ptr_array_index(chart->panels, p);
        g_autofree double *cells = cells_of(chart, panel);
        ws_text_head(out, chart, panel);
        g_string_truncate(out, out->len - 1);
        g_string_append_printf(out, " and %s\n", chart->x_label);
        for (guint from = 0; from < ws_chart_place_count(chart); from += layout.columns)
            append_rows(out, chart, cells, &layout, from);
    }
    g_autofree char *low = ws_chart_number(layout.scale.low, 3);
    g_autofree char *high = ws_chart_number(layout.scale.high, 3);
    g_string_append_printf(out, "%s: %s %s %s\n", chart->y_label, low, ramp, high);
    g_free(layout.scale.label);
    ws_text_shares(out, chart);
    return g_string_free(out, FALSE);
}

/* ---- Vega-Lite --------------------------------------------------------------------------------
 */

static const char template[] =
    "{\"width\": {\"step\": 44}, \"height\": {\"step\": 26},"
    " \"encoding\": {"
    "  \"x\": {\"field\": \"x\", \"type\": \"ordinal\", \"title\": \"@x\", \"sort\": \"@places\","
    "        \"axis\": {\"labelLimit\": 300, \"labelAngle\": \"@angle\"}},"
    "  \"y\": {\"field\": \"curve\", \"type\": \"ordinal\", \"title\": \"@by\", \"sort\": "
    "\"@curves\","
    "        \"axis\": {\"labelLimit\": 300}},"
    "  \"tooltip\": [{\"field\": \"x\", \"type\": \"nominal\", \"title\": \"@x\"},"
    "              {\"field\": \"curve\", \"type\": \"nominal\", \"title\": \"@by\"},"
    "              {\"field\": \"y\", \"type\": \"quantitative\", \"title\": \"@y\"}]},"
    " \"layer\": ["
    "  {\"transform\": [{\"filter\": \"datum.y === null\"}],"
    "   \"mark\": {\"type\": \"rect\", \"color\": \"#dddddd\"}},"
    "  {\"transform\": [{\"filter\": \"datum.y !== null\"}],"
    "   \"mark\": \"rect\","
    "   \"encoding\": {\"color\": {\"field\": \"y\", \"type\": \"quantitative\", \"title\": \"@y\","
    "     \"scale\": {\"scheme\": \"viridis\", \"type\": \"@scale\", \"zero\": \"@zero\"}}}},"
    "  {\"transform\": [{\"filter\": \"datum.y !== null\"}],"
    "   \"mark\": {\"type\": \"text\", \"fontSize\": 10},"
    "   \"encoding\": {\"text\": {\"field\": \"text\", \"type\": \"nominal\"},"
    "     \"color\": {\"condition\": {\"test\": \"datum.light\", \"value\": \"black\"},"
    "               \"value\": \"white\"}}}]}";

static void add_value(JsonArray *values, const WsChart *chart, const WsChartPanel *panel,
                      const WsFigureAxis *scale, guint i, double y)
{
    guint places = ws_chart_place_count(chart);
    JsonObject *value = json_object_new();
    json_object_set_string_member(value, "x", chart->categories[i % places]);
    json_object_set_string_member(value, "curve", chart->names->pdata[i / places]);
    json_object_set_string_member(value, "panel", panel->name);
    if (isnan(y)) {
        json_object_set_null_member(value, "y");
    } else {
        g_autofree char *text = ws_chart_number(y, 3);
        json_object_set_double_member(value, "y", y);
        json_object_set_string_member(value, "text", text);
        json_object_set_boolean_member(value, "light",
                                       ws_scale_is_light(ws_figure_share(scale, y)));
    }
    json_array_add_object_element(values, value);
}

static char *draw_vega(const WsChart *chart)
{
    JsonArray *values = json_array_new();
    WsFigureAxis scale = scale_of(chart);
    for (guint p = 0; p < chart->panels->len; p++) {
        const WsChartPanel *panel = g_ptr_array_index(chart->panels, p);
        g_autofree double *cells = cells_of(chart, panel);
        for (guint i = 0; i < ws_chart_place_count(chart) * chart->names->len; i++)
            add_value(values, chart, panel, &scale, i, cells[i]);
    }
    g_free(scale.label);
    return ws_vega_fill(chart, template, values);
}

const WsChartKind ws_chart_heat = {
    .name = "heat",
    .has_places = TRUE,
    .has_all_curves = TRUE,
    .takes_log_y = TRUE,
    .takes_by = TRUE,
    .takes_facet = TRUE,
    .takes_relative_to = TRUE,
    .arrange = arrange,
    .text = draw_text,
    .vega = draw_vega,
    .figure = make_figure,
};
