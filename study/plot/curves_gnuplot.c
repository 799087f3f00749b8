#include "study/plot/curves.h"
#include "study/plot/gnuplot.h"
#include "study/plot/palette.h"

static void add_data(GString *out, const WsChart *chart)
{
    for (guint p = 0; p < chart->panels->len; p++) {
        const WsChartPanel *panel = g_ptr_array_index(chart->panels, p);
        for (guint c = 0; c < panel->curves->len; c++) {
            const WsChartCurve *curve = g_ptr_array_index(panel->curves, c);
            g_string_append_printf(out, "$d%u_%u << EOD\n", p, c);
            for (guint i = 0; i < curve->points->len; i++) {
                const WsChartPoint *point = &g_array_index(curve->points, WsChartPoint, i);
                ws_gnuplot_number(
                    out,
                    point->x + (ws_chart_has_bars(chart) ? ws_chart_bar_offset(chart, curve) : 0));
                ws_gnuplot_number(out, point->y);
                g_string_append_c(out, '\n');
                if (!chart->stacked || i + 1 == curve->points->len)
                    continue;
                ws_gnuplot_number(out, point[1].x); /* bands have steps too */
                ws_gnuplot_number(out, point->y);
                g_string_append_c(out, '\n');
            }
            g_string_append(out, "EOD\n");
        }
    }
}

/* Names that do not fit beside each other stand slanted. */
static void add_categories(GString *out, const WsChart *chart)
{
    enum { CHARACTERS_OF_AXIS = 80 };
    guint count = g_strv_length(chart->categories), longest = 0, rows, columns;
    ws_gnuplot_layout(chart->panels->len, &rows, &columns);
    g_string_append(out, "set xtics (");
    for (guint i = 0; i < count; i++) {
        g_autofree char *name = ws_gnuplot_quoted(chart->categories[i]);
        g_string_append_printf(out, "%s%s %u", i == 0 ? "" : ", ", name, i);
        longest = MAX(longest, (guint)g_utf8_strlen(chart->categories[i], -1));
    }
    g_string_append_printf(
        out, ") noenhanced%s\nset xrange [-0.5:%u.5]\n",
        (longest + 1) * count * columns > CHARACTERS_OF_AXIS ? " rotate by -30 left" : "",
        count - 1);
    if (!ws_chart_has_bars(chart))
        return;
    g_string_append(out, "set style fill solid\nset boxwidth");
    ws_gnuplot_number(out, ws_chart_bar_width(chart));
    g_string_append(out, " absolute\n");
}

static void add_axes(GString *out, const WsChart *chart)
{
    g_autofree char *x = ws_gnuplot_quoted(chart->x_label), *y = ws_gnuplot_quoted(chart->y_label);
    g_string_append_printf(out, "set xlabel %s noenhanced\nset ylabel %s noenhanced\nset grid\n", x,
                           y);
    WsChartRange range = ws_chart_range(chart);
    if (chart->log_x)
        ws_gnuplot_logarithm(out, 'x', range.x_min, range.x_max);
    if (chart->log_y)
        ws_gnuplot_logarithm(out, 'y', range.y_min, range.y_max);
    else if (range.y_max > range.y_min) {
        g_string_append(out, "set yrange [");
        ws_gnuplot_number(out, range.y_min);
        g_string_append(out, ":");
        ws_gnuplot_number(out, range.y_max * 1.05);
        g_string_append(out, "]\n");
    }
    if (chart->categories != NULL)
        add_categories(out, chart);
}

enum { LOWEST_WORDS = 3, LEVELS = 3, BETWEEN_LEVELS = 32 }; /* hundredths of the height */

/* Lines from the bottom to the top, each with its words along it. */
static void add_marks(GString *out, const WsChart *chart)
{
    for (guint i = 0; i < chart->marks->len; i++) {
        const WsChartMark *mark = &g_array_index(chart->marks, WsChartMark, i);
        g_autofree char *text = ws_gnuplot_quoted(mark->text);
        g_string_append(out, "set arrow from first");
        ws_gnuplot_number(out, mark->x);
        g_string_append(out, ", graph 0 to first");
        ws_gnuplot_number(out, mark->x);
        g_string_append(out, ", graph 1 nohead dashtype 2 linecolor rgb '#666666'\nset label ");
        g_string_append_printf(out, "%s at first", text);
        ws_gnuplot_number(out, mark->x);
        /* at different heights, so that neighbours can be read */
        g_string_append_printf(out,
                               ", graph 0.%02u rotate by 90 offset character 0.8, 0 noenhanced "
                               "textcolor rgb '#444444'\n",
                               LOWEST_WORDS + i % LEVELS * BETWEEN_LEVELS);
    }
}

static const char *style_of(const WsChart *chart, const WsChartCurve *curve)
{
    return curve->is_reference && ws_chart_has_bars(chart)
               ? "points pointtype 6 pointsize 1.2 linewidth 2"
           : curve->is_reference       ? "points pointtype 6 pointsize 1.2"
           : ws_chart_has_bars(chart)  ? "boxes"
           : chart->stacked            ? "filledcurves y1=0 fillstyle solid noborder"
           : chart->steps              ? "steps linewidth 2"
           : chart->categories != NULL ? "points pointtype 7 pointsize 1"
                                       : "linespoints linewidth 2 pointtype 7 pointsize 0.5";
}

static void add_panel(GString *out, const WsChart *chart, guint p)
{
    const WsChartPanel *panel = g_ptr_array_index(chart->panels, p);
    g_autofree char *name = ws_gnuplot_quoted(*panel->name != '\0' ? panel->name : chart->title);
    g_string_append_printf(out, "set title %s noenhanced\n", name);
    g_autofree char *label = ws_gnuplot_quoted(chart->curves_label);
    if (chart->names->len > 1 || panel->curves->len > 1)
        g_string_append_printf(out, "set key outside right noenhanced title %s noenhanced\n",
                               label);
    else
        g_string_append(out, "set key off\n");
    for (guint n = 0; n < panel->curves->len; n++) {
        guint c = chart->stacked ? panel->curves->len - 1 - n : n; /* the lower bands in front */
        const WsChartCurve *curve = g_ptr_array_index(panel->curves, c);
        g_autofree char *title = ws_gnuplot_quoted(curve->name);
        g_string_append_printf(out, "%s $d%u_%u using 1:2 with %s linecolor rgb '%s' title %s",
                               n == 0 ? "plot" : ",", p, c, style_of(chart, curve),
                               /* a point on a bar of its own colour would not be seen */
                               curve->is_reference && ws_chart_has_bars(chart)
                                   ? "#000000"
                                   : ws_palette_colour(curve->place),
                               title);
    }
    g_string_append_c(out, '\n');
}

void ws_curves_size(const WsChart *chart, guint *ret_width, guint *ret_height)
{
    guint rows, columns;
    ws_gnuplot_layout(chart->panels->len, &rows, &columns);
    *ret_width = columns == 1 ? 800 : 480 * columns;
    *ret_height = rows == 1 ? 480 : 360 * rows;
}

char *ws_curves_script(const WsChart *chart, const char *terminal)
{
    GString *out = g_string_new(NULL);
    guint rows, columns;
    ws_gnuplot_layout(chart->panels->len, &rows, &columns);
    add_data(out, chart);
    g_autofree char *title = ws_gnuplot_quoted(chart->title);
    g_string_append_printf(out, "set terminal %s\n", terminal);
    add_axes(out, chart);
    add_marks(out, chart);
    if (chart->panels->len > 1)
        g_string_append_printf(out, "set multiplot layout %u,%u title %s noenhanced\n", rows,
                               columns, title);
    for (guint p = 0; p < chart->panels->len; p++)
        add_panel(out, chart, p);
    if (chart->panels->len > 1)
        g_string_append(out, "unset multiplot\n");
    return g_string_free(out, FALSE);
}
