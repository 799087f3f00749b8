/* Tornado charts: how far each parameter's values move a figure from its base, largest first. */
#include "study/plot/chart_kind.h"
#include "study/plot/chart_order.h"
#include "study/plot/distribution.h"
#include "study/plot/text_parts.h"
#include "study/plot/vega.h"
#include "study/results/aligned_text.h"
#include "study/results/table_query.h"

#include <math.h>
#include <string.h>

static const double PER_CENT = 100;

/* A share of change is told in per cent; an elasticity is not. */
static void tell_per_cent(WsChart *chart)
{
    if (strcmp(chart->y_label, "change") != 0)
        return;
    for (guint p = 0; p < chart->panels->len; p++) {
        const WsChartPanel *panel = g_ptr_array_index(chart->panels, p);
        for (guint c = 0; c < panel->curves->len; c++) {
            const GArray *points = ((const WsChartCurve *)panel->curves->pdata[c])->points;
            for (guint i = 0; i < points->len; i++)
                g_array_index(points, WsChartPoint, i).y *= PER_CENT;
        }
    }
    g_free(chart->y_label);
    chart->y_label = g_strdup("change, %");
}

/* The values of one parameter in a panel. */
typedef struct {
    GPtrArray *samples; /* by rising y */
    const char *base;   /* the value at which nothing changes, of the first such row; NULL: none */
} Row;

static void row_clear(Row *row)
{
    g_ptr_array_unref(row->samples);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Row, row_clear)

static Row row_at(const WsChartPanel *panel, guint place)
{
    Row row = {.samples = ws_chart_samples(g_ptr_array_index(panel->curves, 0), place)};
    for (guint i = 0; i < row.samples->len && row.base == NULL; i++) {
        const WsChartPoint *point = g_ptr_array_index(row.samples, i);
        if (point->y == 0)
            row.base = point->name;
    }
    return row;
}

/* "latency (400)": with the value of the base, where all panels have the same. */
static char *row_name(const WsChart *chart, guint place)
{
    const char *base = NULL;
    for (guint p = 0; p < chart->panels->len; p++) {
        g_auto(Row) row = row_at(chart->panels->pdata[p], place);
        if (row.base == NULL || (base != NULL && strcmp(base, row.base) != 0))
            return g_strdup(chart->categories[place]);
        base = row.base;
    }
    return g_strdup_printf("%s (%s)", chart->categories[place], base);
}

static void name_bases(WsChart *chart)
{
    for (guint i = 0; i < ws_chart_place_count(chart); i++) {
        char *name = row_name(chart, i);
        g_free(chart->categories[i]);
        chart->categories[i] = name;
    }
}

static gboolean arrange(WsChart *chart, GError **error)
{
    guint places = ws_chart_place_count(chart);
    g_autofree double *least = g_new0(double, places), *most = g_new0(double, places);
    tell_per_cent(chart);
    for (guint p = 0; p < chart->panels->len; p++) {
        const WsChartPanel *panel = g_ptr_array_index(chart->panels, p);
        const GArray *points = ((const WsChartCurve *)panel->curves->pdata[0])->points;
        for (guint i = 0; i < points->len; i++) {
            const WsChartPoint *point = &g_array_index(points, WsChartPoint, i);
            least[(guint)point->x] = MIN(least[(guint)point->x], point->y);
            most[(guint)point->x] = MAX(most[(guint)point->x], point->y);
        }
    }
    for (guint i = 0; i < places; i++)
        most[i] -= least[i];
    ws_chart_order(chart, most);
    name_bases(chart);
    return TRUE;
}

typedef enum { BELOW, ABOVE, OTHER, SIDES } Side;

static const char *const side_names[SIDES] = {"value below the base", "value above the base",
                                              "another value"};

static Side side_of(const Row *row, const char *value)
{
    double base, number;
    if (row->base == NULL || value == NULL || !ws_cell_number(row->base, &base) ||
        !ws_cell_number(value, &number))
        return OTHER;
    return number < base ? BELOW : ABOVE;
}

/* The colours of the sides that there are, by place in the palette; -1: none. */
static void find_sides(const WsChart *chart, int ret_colours[SIDES])
{
    gboolean used[SIDES] = {FALSE};
    int next = 0;
    for (guint p = 0; p < chart->panels->len; p++)
        for (guint i = 0; i < ws_chart_place_count(chart); i++) {
            g_auto(Row) row = row_at(chart->panels->pdata[p], i);
            for (guint s = 0; s < row.samples->len; s++) {
                const WsChartPoint *point = g_ptr_array_index(row.samples, s);
                used[side_of(&row, point->name)] |= point->y != 0;
            }
        }
    for (guint side = 0; side < SIDES; side++)
        ret_colours[side] = used[side] ? next++ : -1;
}

/* ---- the figure -------------------------------------------------------------------------------
 */

/* Whether a bar's value has room at its end beside that of a longer one, which it then remembers.
 */
static gboolean has_room(const WsChartRange *range, const WsChartPoint *point, double *labelled)
{
    const double character = 0.014; /* of the range */
    guint length = point->name != NULL ? ws_characters(point->name) : 0;
    if (fabs(*labelled - point->y) < character * (length + 2) * (range->y_max - range->y_min))
        return FALSE;
    *labelled = point->y;
    return TRUE;
}

/* A bar from the base, and its value at the end. */
static void add_bar(WsFigurePanel *panel, const WsChart *chart, const Row *row,
                    const WsChartPoint *point, const int colours[SIDES], double *labelled)
{
    const double half = 0.34;
    WsChartRange range = ws_chart_range(chart);
    const char *value = point->name != NULL ? point->name : "";
    g_autofree char *number = ws_chart_number(point->y, 3);
    ws_figure_add(panel, (WsFigureMark){.shape = WS_FIGURE_RECTANGLE,
                                        .x = 0,
                                        .x2 = point->y,
                                        .y = point->x - half,
                                        .y2 = point->x + half,
                                        .colour = colours[side_of(row, point->name)],
                                        .pale = TRUE,
                                        .text = g_strdup_printf("%s %s: %s %s",
                                                                chart->categories[(guint)point->x],
                                                                value, chart->y_label, number)});
    if (!has_room(&range, point, labelled))
        return;
    ws_figure_add(panel, (WsFigureMark){.shape = WS_FIGURE_TEXT,
                                        .x = point->y,
                                        .y = point->x,
                                        .colour = WS_FIGURE_INK,
                                        .side = point->y < 0 ? -1 : 1,
                                        .text = g_strdup(value)});
}

static void add_row(WsFigurePanel *panel, const WsChart *chart, const Row *row,
                    const int colours[SIDES])
{
    double labelled = INFINITY;
    for (guint i = 0; i < row->samples->len; i++) {
        const WsChartPoint *point = g_ptr_array_index(row->samples, i);
        if (point->y < 0)
            add_bar(panel, chart, row, point, colours, &labelled);
    }
    labelled = INFINITY;
    for (guint i = row->samples->len; i-- > 0;) {
        const WsChartPoint *point = g_ptr_array_index(row->samples, i);
        if (point->y > 0)
            add_bar(panel, chart, row, point, colours, &labelled);
    }
}

static void name_sides(WsFigure *figure, const int colours[SIDES])
{
    g_autoptr(GPtrArray) names = g_ptr_array_new();
    for (guint side = 0; side < SIDES; side++)
        if (colours[side] >= 0)
            g_ptr_array_add(names, g_strdup(side_names[side]));
    g_ptr_array_add(names, NULL);
    g_strfreev(figure->legend);
    figure->legend = (char **)g_ptr_array_steal(names, NULL);
}

static WsFigure *make_figure(const WsChart *chart)
{
    const double space = 0.16; /* for the values beside the bars, of the axis */
    WsFigure *figure = ws_figure_new(chart);
    WsChartRange range = ws_chart_range(chart);
    double span = range.y_max > range.y_min ? range.y_max - range.y_min : 1;
    int colours[SIDES];
    find_sides(chart, colours);
    ws_figure_name_axis(&figure->y, "", chart->categories);
    ws_figure_number_axis(&figure->x, chart->y_label, range.y_min - space * span,
                          range.y_max + space * span, FALSE);
    name_sides(figure, colours);
    for (guint p = 0; p < chart->panels->len; p++) {
        WsFigurePanel *panel = g_ptr_array_index(figure->panels, p);
        for (guint i = 0; i < ws_chart_place_count(chart); i++) {
            g_auto(Row) row = row_at(chart->panels->pdata[p], i);
            add_row(panel, chart, &row, colours);
        }
        ws_figure_add(panel, (WsFigureMark){.shape = WS_FIGURE_LINE,
                                            .y = figure->y.low,
                                            .y2 = figure->y.high,
                                            .colour = WS_FIGURE_INK});
    }
    return figure;
}

/* ---- text -------------------------------------------------------------------------------------
 */

/* One line a value: "latency (400)  200 |    ######|        -12". */
static void append_row(GString *out, const Row *row, const char *name, guint names, guint values,
                       const WsTextScale *scale)
{
    guint zero = ws_text_column(scale, 0);
    for (guint i = 0, lines = 0; i < row->samples->len; i++) {
        const WsChartPoint *point = g_ptr_array_index(row->samples, i);
        if (point->y == 0 && (row->samples->len > 1 || row->base == NULL))
            continue;
        g_autofree char *cells = g_strnfill(scale->width, ' ');
        guint end = ws_text_column(scale, point->y);
        memset(cells + MIN(zero, end), '#', MAX(zero, end) - MIN(zero, end) + 1);
        cells[zero] = '|';
        ws_append_left(out, lines++ == 0 ? name : "", names);
        g_string_append(out, "  ");
        ws_append_right(out, point->name != NULL ? point->name : "", values);
        g_string_append_printf(out, "  %s %+.3g\n", cells, point->y);
    }
}

static char *draw_text(const WsChart *chart, guint width, guint rows)
{
    enum { NUMBER = 9 };
    GString *out = g_string_new(NULL);
    guint names = ws_text_names(chart, width / 3), values = 0;
    WsChartRange range = ws_chart_range(chart);
    for (guint p = 0; p < chart->panels->len; p++) {
        const WsChartPanel *panel = g_ptr_array_index(chart->panels, p);
        const GArray *points = ((const WsChartCurve *)panel->curves->pdata[0])->points;
        for (guint i = 0; i < points->len; i++) {
            const char *name = g_array_index(points, WsChartPoint, i).name;
            values = MAX(values, name == NULL ? 0 : ws_characters(name));
        }
    }
    guint taken = names + values + 4 + NUMBER;
    const WsTextScale scale = {
        .low = range.y_min, .high = range.y_max, .width = width > taken + 20 ? width - taken : 20};
    for (guint p = 0; p < chart->panels->len; p++) {
        ws_text_head(out, chart, chart->panels->pdata[p]);
        for (guint i = 0; i < ws_chart_place_count(chart); i++) {
            g_auto(Row) row = row_at(chart->panels->pdata[p], i);
            append_row(out, &row, chart->categories[i], names, values, &scale);
        }
        ws_text_axis(out, &scale, names + values + 4, chart->y_label);
    }
    ws_text_shares(out, chart);
    return g_string_free(out, FALSE);
}

/* ---- Vega-Lite --------------------------------------------------------------------------------
 */

static const char template[] =
    "{\"width\": 480, \"height\": {\"step\": 26},"
    " \"encoding\": {"
    "  \"y\": {\"field\": \"x\", \"type\": \"nominal\", \"title\": null, \"sort\": \"@places\","
    "        \"scale\": {\"domain\": \"@places\"},"
    "        \"axis\": {\"labelLimit\": 400}},"
    "  \"x\": {\"field\": \"y\", \"type\": \"quantitative\", \"title\": \"@y\", \"stack\": null,"
    "        \"scale\": {\"padding\": 40}}},"
    " \"layer\": ["
    "  {\"transform\": [{\"filter\": \"datum.y !== 0\"}],"
    "   \"mark\": {\"type\": \"bar\", \"opacity\": 0.6},"
    "   \"encoding\": {\"color\": {\"field\": \"side\", \"type\": \"nominal\", \"title\": null,"
    "       \"scale\": {\"domain\": \"@sides\", \"range\": \"@palette\"},"
    "       \"legend\": {\"labelLimit\": 300}},"
    "     \"tooltip\": [{\"field\": \"x\", \"type\": \"nominal\", \"title\": \"@x\"},"
    "       {\"field\": \"name\", \"type\": \"nominal\", \"title\": \"@name\"},"
    "       {\"field\": \"y\", \"type\": \"quantitative\", \"title\": \"@y\"}]}},"
    "  {\"transform\": [{\"filter\": \"datum.y > 0\"}],"
    "   \"mark\": {\"type\": \"text\", \"align\": \"left\", \"dx\": 4},"
    "   \"encoding\": {\"text\": {\"field\": \"label\", \"type\": \"nominal\"}}},"
    "  {\"transform\": [{\"filter\": \"datum.y < 0\"}],"
    "   \"mark\": {\"type\": \"text\", \"align\": \"right\", \"dx\": -4},"
    "   \"encoding\": {\"text\": {\"field\": \"label\", \"type\": \"nominal\"}}},"
    "  {\"mark\": \"rule\", \"encoding\": {\"x\": {\"datum\": 0}, \"y\": null}}]}";

/* Longer bars first, so that the shorter ones are on top. */
static void add_values(JsonArray *values, const WsChart *chart, const WsChartPanel *panel,
                       const Row *row)
{
    WsChartRange range = ws_chart_range(chart);
    double labelled[2] = {INFINITY, INFINITY}; /* left, right */
    guint low = 0, high = row->samples->len;
    while (low < high) {
        const WsChartPoint *first = g_ptr_array_index(row->samples, low);
        const WsChartPoint *last = g_ptr_array_index(row->samples, high - 1);
        gboolean is_first = fabs(first->y) > fabs(last->y);
        const WsChartPoint *point = is_first ? first : last;
        low += is_first;
        high -= !is_first;
        JsonObject *value = ws_vega_point(chart, panel, panel->curves->pdata[0], point);
        json_object_set_string_member(value, "side", side_names[side_of(row, point->name)]);
        json_object_set_string_member(
            value, "label",
            point->name != NULL && has_room(&range, point, &labelled[point->y > 0]) ? point->name
                                                                                    : "");
        json_array_add_object_element(values, value);
    }
}

/* The sides that there are, as JSON. */
static char *list_sides(const WsChart *chart)
{
    g_autoptr(GString) out = g_string_new("[");
    int colours[SIDES];
    find_sides(chart, colours);
    for (guint side = 0; side < SIDES; side++)
        if (colours[side] >= 0)
            g_string_append_printf(out, "%s\"%s\"", out->len > 1 ? ", " : "", side_names[side]);
    g_string_append_c(out, ']');
    return g_string_free(g_steal_pointer(&out), FALSE);
}

static char *draw_vega(const WsChart *chart)
{
    JsonArray *values = json_array_new();
    g_autofree char *sides = list_sides(chart);
    g_autofree char *with_sides = ws_vega_put(template, "@sides", sides);
    for (guint p = 0; p < chart->panels->len; p++)
        for (guint i = 0; i < ws_chart_place_count(chart); i++) {
            g_auto(Row) row = row_at(chart->panels->pdata[p], i);
            add_values(values, chart, chart->panels->pdata[p], &row);
        }
    return ws_vega_fill(chart, with_sides, values);
}

const WsChartKind ws_chart_tornado = {
    .name = "tornado",
    .x = "parameter",
    .y = "change",
    .label = "value",
    .has_places = TRUE,
    .has_samples = TRUE,
    .takes_facet = TRUE,
    .arrange = arrange,
    .text = draw_text,
    .vega = draw_vega,
    .figure = make_figure,
};
