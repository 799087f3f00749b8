#include "study/plot/samples.h"

#include "study/results/aligned_text.h"

#include <math.h>
#include <string.h>

char *ws_samples_name(const WsChart *chart, const WsChartCurve *curve, double place)
{
    g_autofree char *x = ws_chart_x_text(chart, place);
    return *curve->name == '\0' || chart->names->len < 2
               ? g_strdup_printf("%s %s", chart->x_label, x)
               : g_strdup_printf("%s %s, %s %s", chart->x_label, x, chart->curves_label,
                                 curve->name);
}

/* The ends of the samples, and some space beyond them. */
static void find_ends(const WsChart *chart, double space, double *ret_low, double *ret_high)
{
    double low = INFINITY, high = -INFINITY;
    for (guint p = 0; p < chart->panels->len; p++) {
        const WsChartPanel *panel = g_ptr_array_index(chart->panels, p);
        for (guint c = 0; c < panel->curves->len; c++) {
            const GArray *points = ((const WsChartCurve *)panel->curves->pdata[c])->points;
            for (guint i = 0; i < points->len; i++) {
                low = MIN(low, g_array_index(points, WsChartPoint, i).y);
                high = MAX(high, g_array_index(points, WsChartPoint, i).y);
            }
        }
    }
    double factor = chart->log_y ? pow(high / low, space) : 1;
    double beyond = high > low ? space * (high - low) : space * fabs(high);
    *ret_low = chart->log_y ? low / factor : low - beyond;
    *ret_high = chart->log_y ? high * factor : high + beyond;
}

/* ---- figures ----------------------------------------------------------------------------------
 */

WsFigure *ws_samples_figure(const WsChart *chart)
{
    const double space = 0.05;
    double low, high;
    WsFigure *figure = ws_figure_new(chart);
    find_ends(chart, space, &low, &high);
    ws_figure_name_axis(&figure->x, chart->x_label, chart->categories);
    ws_figure_number_axis(&figure->y, chart->y_label, low, high, chart->log_y);
    ws_figure_name_curves(figure, chart);
    return figure;
}

void ws_samples_add_all(WsFigure *figure, const WsChart *chart, WsSamplesAdd *add)
{
    for (guint p = 0; p < chart->panels->len; p++) {
        const WsChartPanel *panel = g_ptr_array_index(chart->panels, p);
        for (guint c = 0; c < panel->curves->len; c++) {
            const WsChartCurve *curve = g_ptr_array_index(panel->curves, c);
            for (guint i = 0; i < ws_chart_place_count(chart); i++) {
                g_autoptr(GPtrArray) samples = ws_chart_samples(curve, i);
                if (samples->len > 0)
                    add(figure, figure->panels->pdata[p], chart, curve, samples,
                        i + ws_chart_bar_offset(chart, curve));
            }
        }
    }
}

void ws_samples_add_line(WsFigurePanel *panel, double x, double y, double x2, double y2)
{
    ws_figure_add(
        panel,
        (WsFigureMark){
            .shape = WS_FIGURE_LINE, .x = x, .y = y, .x2 = x2, .y2 = y2, .colour = WS_FIGURE_INK});
}

void ws_samples_add_dot(WsFigurePanel *panel, const WsChart *chart, const WsChartCurve *curve,
                        const WsChartPoint *point, double x)
{
    g_autofree char *name = ws_samples_name(chart, curve, point->x);
    g_autofree char *number = ws_chart_number(point->y, 4);
    const char *rest = point->name != NULL ? point->name : "";
    ws_figure_add(panel,
                  (WsFigureMark){.shape = WS_FIGURE_DOT,
                                 .x = x,
                                 .y = point->y,
                                 .colour = (int)curve->place,
                                 .text = g_strdup_printf(
                                     "%s%s%s%s%s: %s %s", name, *rest != '\0' ? ", " : "",
                                     *rest != '\0' ? chart->points_label : "",
                                     *rest != '\0' ? " " : "", rest, chart->y_label, number)});
}

/* ---- text -------------------------------------------------------------------------------------
 */

enum { FIGURES = 17 }; /* characters of the median and of the number of samples */

static void append_line(GString *out, const char *name, guint names, const GPtrArray *samples,
                        const WsTextScale *scale, WsSamplesDraw *draw)
{
    g_autofree char *cells = g_strnfill(scale->width, ' ');
    g_autofree char *median = ws_chart_number(ws_distribution_of(samples).median, 4);
    draw(cells, scale, samples);
    g_string_append(out, "  ");
    ws_append_left(out, name, names);
    g_string_append_printf(out, " |%s| %8s %5u\n", cells, median, samples->len);
}

static void append_panel(GString *out, const WsChart *chart, const WsChartPanel *panel, guint names,
                         const WsTextScale *scale, WsSamplesDraw *draw)
{
    gboolean one = chart->names->len < 2;
    for (guint i = 0; i < ws_chart_place_count(chart); i++) {
        if (!one)
            g_string_append_printf(out, "%s\n", chart->categories[i]);
        for (guint c = 0; c < panel->curves->len; c++) {
            const WsChartCurve *curve = g_ptr_array_index(panel->curves, c);
            g_autoptr(GPtrArray) samples = ws_chart_samples(curve, i);
            if (samples->len > 0)
                append_line(out, one ? chart->categories[i] : curve->name, names, samples, scale,
                            draw);
        }
    }
}

char *ws_samples_text(const WsChart *chart, guint width, WsSamplesDraw *draw, const char *legend)
{
    GString *out = g_string_new(NULL);
    guint names = ws_text_names(chart, width / 3), taken = names + 5 + FIGURES;
    WsTextScale scale = {.logarithmic = chart->log_y,
                         .width = width > taken + 20 ? width - taken : 20};
    find_ends(chart, 0, &scale.low, &scale.high);
    for (guint p = 0; p < chart->panels->len; p++) {
        const WsChartPanel *panel = g_ptr_array_index(chart->panels, p);
        ws_text_head(out, chart, panel);
        g_string_append_printf(out, "%*s %8s %5s\n", (int)(names + 5 + scale.width), "", "median",
                               "count");
        append_panel(out, chart, panel, names, &scale, draw);
        ws_text_axis(out, &scale, names + 4, chart->y_label);
    }
    g_string_append_printf(out, "%s\n", legend);
    ws_text_shares(out, chart);
    return g_string_free(out, FALSE);
}
