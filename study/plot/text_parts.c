#include "study/plot/text_parts.h"

#include "study/results/aligned_text.h"

#include <math.h>

void ws_text_head(GString *out, const WsChart *chart, const WsChartPanel *panel)
{
    if (*panel->name != '\0')
        g_string_append_printf(out, "%s\n", panel->name);
    g_string_append_printf(out, "%s%s%s\n", chart->y_label,
                           *chart->curves_label != '\0' ? ", by " : "", chart->curves_label);
}

void ws_text_shares(GString *out, const WsChart *chart)
{
    if (chart->shares != NULL)
        g_string_append_printf(out, "%s\n", chart->shares);
}

guint ws_text_column(const WsTextScale *scale, double value)
{
    double share = scale->high == scale->low ? 0
                   : scale->logarithmic ? log(value / scale->low) / log(scale->high / scale->low)
                                        : (value - scale->low) / (scale->high - scale->low);
    return (guint)lround(CLAMP(share, 0, 1) * (scale->width - 1));
}

void ws_text_axis(GString *out, const WsTextScale *scale, guint indent, const char *label)
{
    g_autofree char *low = ws_chart_number(scale->low, 4), *high = ws_chart_number(scale->high, 4);
    g_autofree char *line = g_strnfill(scale->width, '-');
    guint taken = ws_characters(low) + ws_characters(high) + ws_characters(label);
    guint rest = scale->width > taken + 2 ? scale->width - taken : 2;
    g_string_append_printf(out, "%*s%s\n%*s%s%*s%s%*s%s\n", (int)indent, "", line, (int)indent, "",
                           low, (int)(rest / 2), "", label, (int)(rest - rest / 2), "", high);
}

guint ws_text_names(const WsChart *chart, guint most)
{
    guint names = 0;
    for (guint i = 0; i < chart->names->len; i++)
        names = MAX(names, ws_characters(chart->names->pdata[i]));
    if (chart->names->len <= 1)
        names = ws_chart_longest_place(chart);
    return MIN(names, most);
}
