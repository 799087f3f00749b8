#include "study/plot/figure.h"

#include <math.h>

static void clear_mark(gpointer data)
{
    WsFigureMark *mark = data;
    g_free(mark->text);
}

static void free_panel(gpointer data)
{
    WsFigurePanel *panel = data;
    g_free(panel->name);
    g_array_unref(panel->marks);
    g_free(panel);
}

static void clear_axis(WsFigureAxis *axis)
{
    g_free(axis->label);
    g_strfreev(axis->names);
}

void ws_figure_free(WsFigure *figure)
{
    if (figure == NULL)
        return;
    g_free(figure->title);
    clear_axis(&figure->x);
    clear_axis(&figure->y);
    clear_axis(&figure->scale);
    g_free(figure->second_label);
    g_ptr_array_unref(figure->panels);
    g_free(figure->legend_label);
    g_strfreev(figure->legend);
    g_free(figure);
}

WsFigure *ws_figure_new(const WsChart *chart)
{
    WsFigure *figure = g_new0(WsFigure, 1);
    figure->title = g_strdup(chart->title);
    figure->legend_label = g_strdup("");
    figure->legend = g_new0(char *, 1);
    figure->panels = g_ptr_array_new_with_free_func(free_panel);
    for (guint p = 0; p < chart->panels->len; p++) {
        WsFigurePanel *panel = g_new0(WsFigurePanel, 1);
        panel->name = g_strdup(((const WsChartPanel *)chart->panels->pdata[p])->name);
        panel->marks = g_array_new(FALSE, FALSE, sizeof(WsFigureMark));
        g_array_set_clear_func(panel->marks, clear_mark);
        g_ptr_array_add(figure->panels, panel);
    }
    return figure;
}

void ws_figure_add(WsFigurePanel *panel, WsFigureMark mark)
{
    g_array_append_val(panel->marks, mark);
}

void ws_figure_name_axis(WsFigureAxis *axis, const char *label, char *const *names)
{
    axis->label = g_strdup(label);
    axis->names = g_strdupv((char **)names);
    axis->low = -0.5;
    axis->high = g_strv_length(axis->names) - 0.5;
}

void ws_figure_number_axis(WsFigureAxis *axis, const char *label, double low, double high,
                           gboolean logarithmic)
{
    axis->label = g_strdup(label);
    axis->low = low;
    axis->high = high > low ? high : logarithmic ? 2 * low : low + 1;
    axis->logarithmic = logarithmic;
}

double ws_figure_share(const WsFigureAxis *axis, double value)
{
    return axis->logarithmic ? log(value / axis->low) / log(axis->high / axis->low)
                             : (value - axis->low) / (axis->high - axis->low);
}

void ws_figure_name_curves(WsFigure *figure, const WsChart *chart)
{
    g_autoptr(GPtrArray) names = g_ptr_array_new();
    for (guint i = 0; chart->names->len > 1 && i < chart->names->len; i++)
        g_ptr_array_add(names, g_strdup(g_ptr_array_index(chart->names, i)));
    g_ptr_array_add(names, NULL);
    g_free(figure->legend_label);
    g_strfreev(figure->legend);
    figure->legend_label = g_strdup(chart->curves_label);
    figure->legend = (char **)g_ptr_array_steal(names, NULL);
}
