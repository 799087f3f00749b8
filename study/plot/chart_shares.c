#include "study/plot/chart_shares.h"

static void add_shares(GPtrArray *shares, const WsChartCurve *curve, const WsTable *table,
                       guint column)
{
    for (guint i = 0; i < curve->points->len; i++) {
        guint row = g_array_index(curve->points, WsChartPoint, i).row;
        char *text = ((char **)g_ptr_array_index(table->rows, row))[column];
        if (*text != '\0' && !g_ptr_array_find_with_equal_func(shares, text, g_str_equal, NULL))
            g_ptr_array_add(shares, text);
    }
}

/* Each text once: "whole (1 of 132 SMs), fair (1 of 132 SMs)". */
static char *list_shares(const WsChart *chart, const WsTable *table, guint column)
{
    g_autoptr(GPtrArray) shares = g_ptr_array_new();
    for (guint p = 0; p < chart->panels->len; p++) {
        const WsChartPanel *panel = g_ptr_array_index(chart->panels, p);
        for (guint c = 0; c < panel->curves->len; c++)
            add_shares(shares, g_ptr_array_index(panel->curves, c), table, column);
    }
    g_ptr_array_add(shares, NULL);
    return g_strjoinv(", ", (char **)shares->pdata);
}

void ws_chart_name_shares(WsChart *chart, const WsTable *table)
{
    int column = ws_table_column(table, "memory_share");
    if (column < 0)
        return;
    g_autofree char *list = list_shares(chart, table, (guint)column);
    if (*list == '\0')
        return;
    g_autofree char *title = chart->title;
    chart->shares = g_strconcat("L2 and DRAM: ", list, NULL);
    chart->title = g_strconcat(title, *title == '\0' ? "" : "; ", chart->shares, NULL);
}
