/* Charts of one table: as numbers, drawn with characters, for Vega-Lite and gnuplot. */

#include "study/plot/drawing.h"
#include "study/plot/gnuplot.h"
#include "tests/support/golden_text.h"
#include "tests/support/suite.h"
#include "tests/support/table_of_text.h"

static const char csv[] =
    "warps,policy,latency,status,cycles,ipc,memory_share,l2_share_used,dram_share_used\n"
    "1,lrr,100,ok,1000,0.25,whole (1 of 132 SMs),0.5,3.25\n"
    "2,lrr,100,ok,520,0.48,whole (1 of 132 SMs),1.5,1.02\n"
    "4,lrr,100,mismatch,300,0.8,whole (1 of 132 SMs),,\n"
    "8,lrr,100,limit,250,1,whole (1 of 132 SMs),,\n"
    "1,gto,100,ok,990,0.26,fair (1 of 132 SMs),0.1,0.2\n"
    "2,gto,100,ok,500,0.5,fair (1 of 132 SMs),0.1,0.2\n"
    "4,gto,100,ok,290,,fair (1 of 132 SMs),0.1,0.2\n"
    "1,lrr,200,ok,1900,0.13,whole (1 of 132 SMs),0.1,0.2\n"
    "2,lrr,200,ok,950,0.26,whole (1 of 132 SMs),0.1,0.2\n"
    "4,lrr,200,ok,480,0.5,whole (1 of 132 SMs),0.1,0.2\n";
static const char measured[] = "warps,policy,cycles\n1,lrr,1100\n2,lrr,500\n1,gto,900\n4,gto,310\n";

static char *const by_policy[] = {(char *)"policy", NULL},
                   *const by_warps[] = {(char *)"warps", NULL}, *const by_nothing[] = {NULL},
                   *const at_100[] = {(char *)"latency=100", NULL},
                   *const wrong_results[] = {(char *)"status=limit", NULL};

static const struct {
    const char *name;
    WsChartOptions options;
    gboolean reference;
} charts[] = {
    {"by_policy",
     {.title = "T", .x = "warps", .y = "cycles", .by = by_policy, .where = at_100},
     FALSE},
    {"facets",
     {.x = "warps", .y = "cycles", .by = by_policy, .facet = "latency", .log_x = TRUE},
     FALSE},
    {"logarithms",
     {.x = "warps", .y = "ipc", .by = by_policy, .where = at_100, .log_x = TRUE, .log_y = TRUE},
     FALSE},
    {"relative",
     {.x = "warps", .y = "cycles", .by = by_policy, .where = at_100, .relative_to = "warps=1"},
     FALSE},
    {"reference", {.x = "warps", .y = "cycles", .by = by_policy, .where = at_100}, TRUE},
    {"words",
     {.x = "policy",
      .y = "cycles",
      .by = by_nothing,
      .where = (char *const[]){(char *)"latency=100", (char *)"warps=2", NULL}},
     FALSE},
    {"bars", {.x = "policy", .y = "cycles", .by = by_warps, .where = at_100}, FALSE},
    {"points",
     {.x = "policy", .y = "cycles", .by = by_warps, .where = at_100, .log_y = TRUE},
     FALSE},
    {"stopped", {.x = "warps", .y = "cycles", .by = by_nothing, .where = wrong_results}, FALSE},
};

static void append_numbers(GString *out, const WsChart *chart)
{
    WsChartRange range = ws_chart_range(chart);

    g_string_append_printf(
        out, "%s | %s | %s | %s | left out %u, stopped %u, wrong %u, references %d\n", chart->title,
        chart->x_label, chart->y_label, chart->curves_label ? chart->curves_label : "-",
        chart->left_out, chart->stopped, chart->wrong, ws_chart_has_references(chart));
    g_string_append_printf(out, "note %s, shares %s, x %g to %g, y %g to %g\n",
                           chart->note ? chart->note : "-", chart->shares ? chart->shares : "-",
                           range.x_min, range.x_max, range.y_min, range.y_max);
    for (guint p = 0; p < chart->panels->len; p++) {
        const WsChartPanel *panel = chart->panels->pdata[p];
        g_string_append_printf(out, "panel '%s'\n", panel->name);
        for (guint c = 0; c < panel->curves->len; c++) {
            const WsChartCurve *curve = panel->curves->pdata[c];
            g_string_append_printf(out, "curve '%s' place %u reference %d:", curve->name,
                                   curve->place, curve->is_reference);
            for (guint i = 0; i < curve->points->len; i++) {
                const WsChartPoint *point = &g_array_index(curve->points, WsChartPoint, i);
                g_string_append_printf(out, " %g,%g(%u)", point->x, point->y, point->row);
            }
            g_string_append_c(out, '\n');
        }
    }
}

START_TEST(drawn)
{
    g_autoptr(WsTable) table = table_of_text(csv), reference = table_of_text(measured);
    g_autoptr(GString) out = g_string_new(NULL);
    g_autofree char *name = g_strdup_printf("chart_%s.txt", charts[_i].name);
    WsChartOptions options = charts[_i].options;
    GError *error = NULL;
    guint width, height;

    options.reference = charts[_i].reference ? reference : NULL;
    g_autoptr(WsChart) chart = ws_chart_new(table, &options, &error);
    ck_assert_msg(chart != NULL, "%s", error ? error->message : "");
    ws_chart_mark(chart, 2, "here");
    ws_chart_mark(chart, 1.5, "before");
    ws_chart_mark(chart, 99, "outside");
    append_numbers(out, chart);
    g_autofree char *drawing = ws_chart_text(chart, 72, 16), *vega = ws_chart_vega(chart);
    g_autofree char *script = ws_gnuplot_script(chart, "svg", 800, 480);
    g_autofree char *x = ws_chart_x_text(chart, 1);
    ws_gnuplot_size(chart, &width, &height);
    g_string_append_printf(out, "%s\n%s\n%s\nx %s, %u by %u\n", drawing, vega, script, x, width,
                           height);
    golden_text_check(name, out->str);
}
END_TEST

/* Shares of memory are named wherever their column stands. */
START_TEST(shares)
{
    static const struct {
        const char *csv, *shares; /* NULL: none are named */
    } rows[] = {
        {"warps,cycles,memory_share\n1,9,whole (1 of 132 SMs)\n",
         "L2 and DRAM: whole (1 of 132 SMs)"},
        {"memory_share,warps,cycles\nwhole (1 of 132 SMs),1,9\n",
         "L2 and DRAM: whole (1 of 132 SMs)"},
        {"warps,cycles,memory_share\n1,9,\n", NULL},
        {"warps,cycles\n1,9\n", NULL},
    };
    const WsChartOptions options = {.x = "warps", .y = "cycles", .by = by_nothing};

    for (guint i = 0; i < G_N_ELEMENTS(rows); i++) {
        g_autoptr(WsTable) table = table_of_text(rows[i].csv);
        g_autoptr(WsChart) chart = ws_chart_new(table, &options, NULL);
        ck_assert_msg(g_strcmp0(chart->shares, rows[i].shares) == 0, "row %u: %s", i,
                      chart->shares);
    }
}
END_TEST

static const struct {
    const char *x, *y, *where, *relative_to;
    gboolean log_y;
} wrong[] = {{"warp", "cycles", NULL, NULL, FALSE},
             {"warps", "cycle", NULL, NULL, FALSE},
             {"warps", "cycles", NULL, NULL, FALSE},
             {"warps", "cycles", "latency=300", NULL, FALSE},
             {"warps", "cycles", "latency", NULL, FALSE},
             {"warps", "cycles", "latency=200", "warps=3", FALSE},
             {"warps", "dram_share_used", "latency=200", NULL, TRUE},
             {"warps", "policy", "latency=200", NULL, FALSE}};

START_TEST(errors)
{
    g_autoptr(WsTable) table = table_of_text(csv);
    g_autoptr(GString) out = g_string_new(NULL);

    for (guint i = 0; i < G_N_ELEMENTS(wrong); i++) {
        char *const where[] = {(char *)wrong[i].where, NULL};
        const WsChartOptions options = {.x = wrong[i].x,
                                        .y = wrong[i].y,
                                        .by = by_nothing,
                                        .where = where,
                                        .relative_to = wrong[i].relative_to,
                                        .log_y = wrong[i].log_y};
        GError *error = NULL;
        g_autoptr(WsChart) chart = ws_chart_new(table, &options, &error);
        g_string_append_printf(out, "%s\n", chart ? "good" : error->message);
        g_clear_error(&error);
    }
    golden_text_check("chart_errors.txt", out->str);
}
END_TEST

START_TEST(terminals)
{
    static const char *const paths[] = {"a.svg", "b.PNG", "c.png", "d.pdf", "svg"};
    g_autoptr(GString) out = g_string_new(NULL);

    for (guint i = 0; i < G_N_ELEMENTS(paths); i++) {
        g_autofree char *terminal = ws_gnuplot_terminal(paths[i], 640, 480);
        g_string_append_printf(out, "%s: %s\n", paths[i], terminal ? terminal : "none");
    }
    golden_text_check("chart_terminals.txt", out->str);
}
END_TEST

static void add_tests(TCase *cases)
{
    tcase_add_loop_test(cases, drawn, 0, G_N_ELEMENTS(charts));
    tcase_add_test(cases, errors);
    tcase_add_test(cases, shares);
    tcase_add_test(cases, terminals);
}

int main(void)
{
    return run_suite("chart", add_tests);
}
