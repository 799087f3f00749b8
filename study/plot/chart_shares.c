#include "study/plot/chart_shares.h"

static const double NOTABLE = 1.05; /* times a share: as in sim/report/memory_use.c */

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

/* The largest number of the column in drawn rows of runs that had the whole; 0 if there is none. */
static double most_taken(const WsChart *chart, const WsTable *table, guint share, const char *name)
{
    int column = ws_table_column(table, name);
    double most = 0;
    for (guint p = 0; column >= 0 && p < chart->panels->len; p++) {
        const WsChartPanel *panel = g_ptr_array_index(chart->panels, p);
        for (guint c = 0; c < panel->curves->len; c++) {
            const GArray *points = ((const WsChartCurve *)panel->curves->pdata[c])->points;
            for (guint i = 0; i < points->len; i++) {
                guint row = g_array_index(points, WsChartPoint, i).row;
                char **cells = g_ptr_array_index(table->rows, row);
                if (g_str_has_prefix(cells[share], "whole ("))
                    most = MAX(most, g_ascii_strtod(cells[column], NULL));
            }
        }
    }
    return most;
}

/* "; up to 7.3 times the fair share of DRAM bandwidth: see --share fair", or nothing. */
static char *list_taken(const WsChart *chart, const WsTable *table, guint share)
{
    static const struct {
        const char *column, *what;
    } parts[] = {{"memory_share_dram_taken", "DRAM bandwidth"},
                 {"memory_share_l2_taken", "L2 bandwidth"},
                 {"memory_share_l2_held", "L2"}};
    g_autoptr(GString) out = g_string_new(NULL);
    for (guint i = 0; i < G_N_ELEMENTS(parts); i++) {
        double most = most_taken(chart, table, share, parts[i].column);
        if (most >= NOTABLE)
            g_string_append_printf(out, "%s%.1f times the fair share of %s",
                                   out->len == 0 ? "; up to " : ", ", most, parts[i].what);
    }
    if (out->len > 0)
        g_string_append(out, ": see --share fair");
    return g_string_free(g_steal_pointer(&out), FALSE);
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
    g_autofree char *taken = list_taken(chart, table, (guint)column);
    chart->shares = g_strconcat("L2 and DRAM: ", list, taken, NULL);
    chart->title = g_strconcat(title, *title == '\0' ? "" : "; ", chart->shares, NULL);
}
