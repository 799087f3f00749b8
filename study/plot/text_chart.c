#include "study/plot/drawing.h"
#include "study/results/metrics.h"

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

static void append_panel(GString *out, const Field *field, const WsChartPanel *panel)
{
    g_autofree char *cells = g_strnfill((gsize)field->width * field->rows, ' ');
    if (*panel->name != '\0')
        g_string_append_printf(out, "%*s  %s\n", LEFT, "", panel->name);
    g_string_append_printf(out, "%*s\n", LEFT + (int)strlen(field->chart->y_label) / 2,
                           field->chart->y_label);
    for (guint c = 0; c < panel->curves->len; c++) {
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
    if (chart->names->len > 1 || references) {
        const char *label = *chart->curves_label != '\0' ? chart->curves_label : chart->y_label;
        g_string_append_printf(out, "%*s  %s:", LEFT, "", label);
        for (guint i = 0; i < chart->names->len; i++)
            g_string_append_printf(out, "  %c %s", letter_of(i, FALSE),
                                   (const char *)g_ptr_array_index(chart->names, i));
        g_string_append(out, references ? "  o reference  (* several)\n" : "  (* several)\n");
    }
    if (chart->shares != NULL)
        g_string_append_printf(out, "%*s  %s\n", LEFT, "", chart->shares);
    for (guint i = 0; i < chart->marks->len; i++) {
        const WsChartMark *mark = &g_array_index(chart->marks, WsChartMark, i);
        g_autofree char *x = g_strdup_printf("%.4g", mark->x);
        g_string_append_printf(out, "%*s  : at %s: %s\n", LEFT, "", x, mark->text);
    }
}

char *ws_chart_text(const WsChart *chart, guint width, guint rows)
{
    GString *out = g_string_new(NULL);
    const Field field = {.chart = chart,
                         .range = ws_chart_range(chart),
                         .width = MAX(width, LEFT + 22) - LEFT - 2,
                         .rows = MAX(rows, 4)};
    for (guint p = 0; p < chart->panels->len; p++)
        append_panel(out, &field, g_ptr_array_index(chart->panels, p));
    append_legend(out, chart);
    return g_string_free(out, FALSE);
}
