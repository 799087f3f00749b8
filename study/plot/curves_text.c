#include "study/plot/curves.h"
#include "study/results/aligned_text.h"

#include <math.h>
#include <string.h>

enum { LEFT = 10 /* columns of the numbers beside the y axis */ };

static const char letters[] = "abcdefghijklmnopqrstuvwxyz";

typedef struct {
    const WsChart *chart;
    WsChartRange range;
    guint width, rows; /* of the field */
} Field;

static double scaled(double value, double least, double most, gboolean logarithmic)
{
    if (most == least)
        return 0;
    return logarithmic ? log(value / least) / log(most / least) : (value - least) / (most - least);
}

static guint column_of(const Field *field, double x)
{
    double at = scaled(x, field->range.x_min, field->range.x_max, field->chart->log_x);
    return (guint)lround(at * (field->width - 1));
}

static guint row_of(const Field *field, double y)
{
    double at = scaled(y, field->range.y_min, field->range.y_max, field->chart->log_y);
    return field->rows - 1 - (guint)lround(at * (field->rows - 1));
}

static char letter_of(guint curve, gboolean is_reference)
{
    return is_reference ? 'o' : letters[curve % (sizeof letters - 1)];
}

static void draw_curve(const Field *field, char *cells, const WsChartCurve *curve, char letter)
{
    for (guint i = 0; i < curve->points->len; i++) {
        const WsChartPoint *point = &g_array_index(curve->points, WsChartPoint, i);
        char *cell = &cells[row_of(field, point->y) * field->width + column_of(field, point->x)];
        *cell = *cell == ' ' || *cell == letter ? letter : '*';
    }
}

/* A column shows the mean of its points, or the last value if it has none. */
static void draw_band(const Field *field, char *cells, const WsChartCurve *curve, char letter)
{
    double y = 0;
    guint at = 0;
    for (guint column = 0; column < field->width; column++) {
        double sum = 0;
        guint count = 0;
        for (; at < curve->points->len; at++, count++) {
            const WsChartPoint *point = &g_array_index(curve->points, WsChartPoint, at);
            if (column_of(field, point->x) > column)
                break;
            sum += point->y;
        }
        y = count != 0 ? sum / count : y;
        for (guint row = row_of(field, y); y > 0 && row < field->rows; row++)
            cells[row * field->width + column] = letter;
    }
}

/* In cells that no curve needs. */
static void draw_marks(const Field *field, char *cells)
{
    for (guint i = 0; i < field->chart->marks->len; i++) {
        guint column = column_of(field, g_array_index(field->chart->marks, WsChartMark, i).x);
        for (guint row = 0; row < field->rows; row++) {
            char *cell = &cells[row * field->width + column];
            *cell = *cell == ' ' ? ':' : *cell;
        }
    }
}

static void append_row(GString *out, const Field *field, const char *cells, guint row)
{
    double share = 1 - (double)row / (field->rows - 1);
    gboolean labelled = row % 4 == 0 || row + 1 == field->rows;
    double span = field->range.y_max - field->range.y_min;
    double value = field->chart->log_y
                       ? field->range.y_min * pow(field->range.y_max / field->range.y_min, share)
                       : field->range.y_min + share * span;
    g_autofree char *label = labelled ? g_strdup_printf("%.4g", value) : g_strdup("");
    g_autofree char *text = g_strndup(cells + row * field->width, field->width);
    g_string_append_printf(out, "%*s |%s\n", LEFT, label, g_strchomp(text));
}

static void append_x_axis(GString *out, const Field *field)
{
    g_autofree char *line = g_strnfill(field->width, '-');
    g_autofree char *first = ws_chart_x_text(field->chart, field->range.x_min);
    g_autofree char *last = ws_chart_x_text(field->chart, field->range.x_max);
    int middle = (int)field->width - (int)strlen(first) - (int)strlen(last);
    int name = (int)strlen(field->chart->x_label);
    int before = MAX((middle - name) / 2, 1);
    g_string_append_printf(out, "%*s +%s\n", LEFT, "", line);
    g_string_append_printf(out, "%*s  %s%*s%s%*s%s\n", LEFT, "", first, before, "",
                           field->chart->x_label, MAX(middle - name - before, 1), "", last);
}

/* ---- bars -------------------------------------------------------------------------------------
 */

static const WsChartPoint *point_of(const WsChartCurve *curve, double x)
{
    for (guint i = 0; i < curve->points->len; i++)
        if (g_array_index(curve->points, WsChartPoint, i).x == x)
            return &g_array_index(curve->points, WsChartPoint, i);
    return NULL;
}

/* "gto      ########## 1.03", from 0 on to either side. */
static void append_bar(GString *out, const Field *field, const char *name, guint names, double y,
                       gboolean is_reference)
{
    enum { NUMBER = 11 };
    guint width = field->width > names + NUMBER ? field->width - names - NUMBER : 1;
    double low = field->range.y_min, high = field->range.y_max;
    guint zero = (guint)lround(scaled(0, low, high, FALSE) * width);
    guint end = (guint)lround(scaled(y, low, high, FALSE) * width);
    ws_append_left(out, name, names);
    g_string_append_c(out, ' ');
    for (guint i = 0; i < MAX(zero, end); i++)
        g_string_append_c(out, i < MIN(zero, end) ? ' ' : is_reference ? 'o' : '#');
    g_string_append_printf(out, " %.4g\n", y);
}

/* A group of lines for each word of the x axis, a line for each curve. */
static void append_bars(GString *out, const Field *field, const WsChartPanel *panel)
{
    const WsChart *chart = field->chart;
    guint names = 0, most = field->width / 3;
    gboolean one = panel->curves->len == 1;
    for (guint c = 0; c < panel->curves->len; c++)
        names = MAX(names, ws_characters(((WsChartCurve *)panel->curves->pdata[c])->name));
    for (guint i = 0; one && chart->categories[i] != NULL; i++)
        names = MAX(names, ws_characters(chart->categories[i]));
    names = MIN(names, most);
    if (*panel->name != '\0')
        g_string_append_printf(out, "%s\n", panel->name);
    g_string_append_printf(out, "%s%s%s\n", chart->y_label,
                           *chart->curves_label != '\0' ? ", by " : "", chart->curves_label);
    for (guint i = 0; chart->categories[i] != NULL; i++) {
        if (!one)
            g_string_append_printf(out, "%s\n", chart->categories[i]);
        for (guint c = 0; c < panel->curves->len; c++) {
            const WsChartCurve *curve = g_ptr_array_index(panel->curves, c);
            const WsChartPoint *point = point_of(curve, i);
            if (point == NULL)
                continue;
            g_string_append(out, "  ");
            append_bar(out, field, one ? chart->categories[i] : curve->name, names, point->y,
                       curve->is_reference);
        }
    }
}

static void append_panel(GString *out, const Field *field, const WsChartPanel *panel)
{
    g_autofree char *cells = g_strnfill((gsize)field->width * field->rows, ' ');
    if (*panel->name != '\0')
        g_string_append_printf(out, "%*s  %s\n", LEFT, "", panel->name);
    g_string_append_printf(out, "%*s\n", LEFT + (int)strlen(field->chart->y_label) / 2,
                           field->chart->y_label);
    for (guint c = panel->curves->len; field->chart->stacked && c-- > 0;) { /* the lower in front */
        const WsChartCurve *curve = g_ptr_array_index(panel->curves, c);
        draw_band(field, cells, curve, letter_of(curve->place, FALSE));
    }
    for (guint c = 0; !field->chart->stacked && c < panel->curves->len; c++) {
        const WsChartCurve *curve = g_ptr_array_index(panel->curves, c);
        draw_curve(field, cells, curve, letter_of(curve->place, curve->is_reference));
    }
    draw_marks(field, cells);
    for (guint row = 0; row < field->rows; row++)
        append_row(out, field, cells, row);
    append_x_axis(out, field);
}

static void append_legend(GString *out, const WsChart *chart)
{
    gboolean references = ws_chart_has_references(chart);
    if (!ws_chart_has_bars(chart) && (chart->names->len > 1 || references)) {
        const char *label = *chart->curves_label != '\0' ? chart->curves_label : chart->y_label;
        g_string_append_printf(out, "%*s  %s:", LEFT, "", label);
        for (guint i = 0; i < chart->names->len; i++)
            g_string_append_printf(out, "  %c %s", letter_of(i, FALSE),
                                   (const char *)g_ptr_array_index(chart->names, i));
        g_string_append(out, references       ? "  o reference  (* several)\n"
                             : chart->stacked ? "\n"
                                              : "  (* several)\n");
    }
    if (chart->shares != NULL)
        g_string_append_printf(out, "%*s  %s\n", LEFT, "", chart->shares);
    for (guint i = 0; i < chart->marks->len; i++) {
        const WsChartMark *mark = &g_array_index(chart->marks, WsChartMark, i);
        g_autofree char *x = g_strdup_printf("%.4g", mark->x);
        g_string_append_printf(out, "%*s  : at %s: %s\n", LEFT, "", x, mark->text);
    }
}

char *ws_curves_text(const WsChart *chart, guint width, guint rows)
{
    GString *out = g_string_new(NULL);
    const Field field = {.chart = chart,
                         .range = ws_chart_range(chart),
                         .width = MAX(width, LEFT + 22) - LEFT - 2,
                         .rows = MAX(rows, 4)};
    for (guint p = 0; p < chart->panels->len; p++)
        (ws_chart_has_bars(chart) ? append_bars
                                  : append_panel)(out, &field, g_ptr_array_index(chart->panels, p));
    append_legend(out, chart);
    return g_string_free(out, FALSE);
}
