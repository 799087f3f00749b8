/* Kinds of charts: what each makes of a table, in all that it is drawn as; the rules behind them.
 */
#include <math.h>

#include "sim/base/json_text.h"
#include "study/plot/chart_kind.h"
#include "study/plot/distribution.h"
#include "study/plot/drawing.h"
#include "study/plot/figure_json.h"
#include "study/plot/gnuplot.h"
#include "study/plot/palette.h"
#include "tests/support/golden_text.h"
#include "tests/support/suite.h"
#include "tests/support/table_of_text.h"

static const char runs[] = "warps,policy,target,status,cycles,ipc\n"
                           "16,lrr,a,ok,500,0.5\n"
                           "2,lrr,a,ok,1000,0.25\n"
                           "4,lrr,a,ok,700,0.4\n"
                           "2,gto,a,ok,990,0.26\n"
                           "4,gto,a,fault,10,0.01\n"
                           "16,gto,a,ok,123456,1.5\n"
                           "2,lrr,b,ok,2000,0.3\n"
                           "4,lrr,b,ok,1400,0.35\n"
                           "16,lrr,b,ok,900,0.2\n"
                           "16,lrr,c \"d\",ok,901,0.21\n"
                           "16,lrr,geomean,ok,,9\n";
static const char sensitivity[] = "parameter,value,y,change,elasticity\n"
                                  "policy,lrr,1000,0,\n"
                                  "policy,gto,1030,0.03,\n"
                                  "latency,400,1000,0,\n"
                                  "latency,100,650,-0.35,0.31\n"
                                  "latency,105,655,-0.345,0.31\n"
                                  "latency,800,1500,0.5,0.585\n"
                                  "fetch,ideal,1000,0,\n"
                                  "sub_cores,4,1000,0,\n"
                                  "sub_cores,2,1400,0.4,-0.485\n"
                                  "sub_cores,8,880,-0.12,-0.18\n";
static const char effects[] = "name,order,effect,factor,share\n"
                              "sms,1,-4,,0.25\n"
                              "policy,1,8,,0.5\n"
                              "policy * sms,2,1,,0.125\n"
                              "none,1,0,,\n"
                              "l1,1,1,,0.125\n";

static char *const by_policy[] = {(char *)"policy", NULL}, *const by_nothing[] = {NULL},
                   *const target_a[] = {(char *)"target=a", NULL};

static const struct {
    const char *name, *csv;
    WsChartOptions options;
} charts[] = {
    {"heat",
     runs,
     {.kind = &ws_chart_heat,
      .title = "it's \"ipc\"",
      .x = "warps",
      .y = "ipc",
      .by = by_policy,
      .where = target_a}},
    {"heat_log",
     runs,
     {.kind = &ws_chart_heat,
      .x = "policy",
      .y = "cycles",
      .by = (char *const[]){(char *)"warps", NULL},
      .facet = "target",
      .log_y = TRUE}},
    {"box", runs, {.kind = &ws_chart_box, .x = "warps", .y = "ipc", .by = by_nothing}},
    {"box_by",
     runs,
     {.kind = &ws_chart_box, .x = "warps", .y = "cycles", .by = by_policy, .log_y = TRUE}},
    {"dots", runs, {.kind = &ws_chart_dots, .x = "warps", .y = "ipc", .by = by_policy}},
    {"dots_relative",
     runs,
     {.kind = &ws_chart_dots,
      .x = "warps",
      .y = "cycles",
      .by = by_nothing,
      .where = (char *const[]){(char *)"policy=lrr", (char *)"warps=4", NULL},
      .relative_to = "warps=2"}},
    {"tornado",
     sensitivity,
     {.kind = &ws_chart_tornado, .x = "parameter", .y = "change", .by = by_nothing}},
    {"tornado_elasticity",
     sensitivity,
     {.kind = &ws_chart_tornado, .x = "parameter", .y = "elasticity", .by = by_nothing}},
    {"pareto", effects, {.kind = &ws_chart_pareto, .x = "name", .y = "share", .by = by_nothing}},
    {"pareto_signs",
     effects,
     {.kind = &ws_chart_pareto, .x = "name", .y = "effect", .by = by_nothing}},
};

static char *figure_text(const WsFigure *figure)
{
    g_autoptr(JsonBuilder) json = json_builder_new();

    json_builder_begin_object(json);
    ws_figure_add_json(json, "figure", figure);
    json_builder_end_object(json);
    g_autoptr(JsonNode) root = json_builder_get_root(json);
    return ws_json_text(root);
}

START_TEST(drawn)
{
    g_autoptr(WsTable) table = table_of_text(charts[_i].csv);
    g_autofree char *name = g_strdup_printf("chart_kind_%s.txt", charts[_i].name);
    GError *error = NULL;
    guint width, height;
    g_autoptr(WsChart) chart = ws_chart_new(table, &charts[_i].options, &error);

    ck_assert_msg(chart != NULL, "%s", error ? error->message : "");
    ws_gnuplot_size(chart, &width, &height);
    g_autofree char *wide = ws_chart_text(chart, 72, 16), *narrow = ws_chart_text(chart, 30, 16);
    g_autofree char *vega = ws_chart_vega(chart);
    g_autofree char *script = ws_gnuplot_script(chart, "svg", width, height);
    g_autoptr(WsFigure) figure = chart->kind->figure(chart);
    g_autofree char *json = figure_text(figure);
    g_autofree char *all =
        g_strdup_printf("left out %u, stopped %u, %u by %u\n%s\n%s\n%s\n%s\n%s", chart->left_out,
                        chart->stopped, width, height, wide, narrow, vega, script, json);
    golden_text_check(name, all);
}
END_TEST

/* Worked out by hand: quartiles between samples, whiskers within 1.5 times their distance. */
static const struct {
    guint count;
    double samples[9];
    WsDistribution is;
} distributions[] = {
    {1, {5}, {1, 5, 5, 5, 5, 5}},
    {2, {1, 2}, {2, 1, 1.25, 1.5, 1.75, 2}},
    {5, {1, 2, 3, 4, 100}, {5, 1, 2, 3, 4, 4}},
    {6, {-50, 1, 2, 3, 4, 5}, {6, 1, 1.25, 2.5, 3.75, 5}},
    {9, {1, 2, 3, 4, 5, 6, 7, 8, 9}, {9, 1, 3, 5, 7, 9}},
    /* the next sample below the box is an outlier: the whisker has no length */
    {4, {0, 10, 10, 10}, {4, 7.5, 7.5, 10, 10, 10}},
};

START_TEST(quartiles)
{
    WsDistribution is = distributions[_i].is,
                   of = ws_distribution(distributions[_i].samples, distributions[_i].count);

    ck_assert_uint_eq(of.count, is.count);
    ck_assert_double_eq(of.first_quartile, is.first_quartile);
    ck_assert_double_eq(of.median, is.median);
    ck_assert_double_eq(of.third_quartile, is.third_quartile);
    ck_assert_double_eq(of.high_whisker, is.high_whisker);
    ck_assert_double_eq(of.low_whisker, is.low_whisker);
    for (guint i = 0; i < is.count; i++) {
        double sample = distributions[_i].samples[i];
        double fence = 1.5 * (is.third_quartile - is.first_quartile);
        ck_assert_int_eq(ws_distribution_is_outlier(&of, sample),
                         sample < is.first_quartile - fence || sample > is.third_quartile + fence);
    }
}
END_TEST

/* Of more effects than a chart has room for the smallest are one bar. */
START_TEST(many_effects)
{
    g_autoptr(GString) csv = g_string_new("name,share\n");
    const WsChartOptions options = {
        .kind = &ws_chart_pareto, .x = "name", .y = "share", .by = by_nothing};

    for (guint i = 0; i < 31; i++)
        g_string_append_printf(csv, "effect %u,%u\n", i, i + 1);
    g_autoptr(WsTable) table = table_of_text(csv->str);
    g_autoptr(WsChart) chart = ws_chart_new(table, &options, NULL);
    const WsChartPanel *panel = chart->panels->pdata[0];
    const GArray *points = ((WsChartCurve *)panel->curves->pdata[0])->points;

    ck_assert_uint_eq(points->len, 20);
    ck_assert_str_eq(chart->categories[0], "effect 30");
    ck_assert_str_eq(chart->categories[19], "12 others");
    ck_assert_double_eq(g_array_index(points, WsChartPoint, 19).y, 12 * 13 / 2);
    ck_assert_uint_eq(ws_chart_place_count(chart), 20);
}
END_TEST

static const struct {
    const char *csv;
    WsChartOptions options;
} wrong[] = {
    {effects, {.kind = &ws_chart_heat, .x = "name", .y = "effect", .by = by_nothing}},
    {runs, {.kind = &ws_chart_heat, .x = "warps", .y = "ipc", .by = by_nothing, .where = target_a}},
    {runs, {.kind = &ws_chart_heat, .x = "warps", .y = "ipc", .by = by_policy}},
    {runs, {.kind = &ws_chart_heat, .x = "warps", .y = "ipc", .by = by_policy, .log_x = TRUE}},
    {runs, {.kind = &ws_chart_pareto, .x = "warps", .y = "ipc", .by = by_policy}},
    {runs, {.kind = &ws_chart_pareto, .x = "warps", .y = "ipc", .facet = "policy"}},
    {effects, {.kind = &ws_chart_pareto, .x = "name", .y = "share", .log_y = TRUE}},
    {effects, {.kind = &ws_chart_pareto, .x = "name", .y = "factor"}},
    {"name,share\na,0\nb,0\n", {.kind = &ws_chart_pareto, .x = "name", .y = "share"}},
    {runs,
     {.kind = &ws_chart_dots,
      .x = "warps",
      .y = "ipc",
      .by = by_policy,
      .relative_to = "target=c"}},
    {sensitivity,
     {.kind = &ws_chart_tornado, .x = "parameter", .y = "change", .relative_to = "value=4"}},
};

START_TEST(errors)
{
    g_autoptr(GString) out = g_string_new(NULL);

    for (guint i = 0; i < G_N_ELEMENTS(wrong); i++) {
        GError *error = NULL;
        g_autoptr(WsTable) table = table_of_text(wrong[i].csv);
        g_autoptr(WsChart) chart = ws_chart_new(table, &wrong[i].options, &error);
        g_string_append_printf(out, "%s\n", chart ? "good" : error->message);
        g_clear_error(&error);
    }
    golden_text_check("chart_kind_errors.txt", out->str);
}
END_TEST

START_TEST(numbers)
{
    static const struct {
        double value;
        int digits;
        const char *text;
    } rows[] = {{0, 3, "0"},         {0.12345, 3, "0.123"}, {999.4, 3, "999"},
                {1234.5, 3, "1234"}, {-52345, 4, "-52345"}, {1.0049, 4, "1.005"},
                {2e7, 3, "2e+07"},   {0.00001, 3, "1e-05"}, {9999999, 3, "9999999"}};

    for (guint i = 0; i < G_N_ELEMENTS(rows); i++) {
        g_autofree char *text = ws_chart_number(rows[i].value, rows[i].digits);
        ck_assert_str_eq(text, rows[i].text);
    }
}
END_TEST

/* From dark to light, the ends exactly; dark text on the light part alone. */
START_TEST(scale)
{
    gboolean light = FALSE;

    ck_assert_uint_eq(ws_scale_at(0), 0x440154);
    ck_assert_uint_eq(ws_scale_at(1), 0xfde725);
    ck_assert_uint_eq(ws_scale_at(-3), 0x440154);
    ck_assert_uint_eq(ws_scale_at(0.5), 0x21918c);
    for (guint i = 0; i <= 100; i++) {
        ck_assert(ws_scale_is_light(i / 100.0) >= light);
        light = ws_scale_is_light(i / 100.0);
    }
    ck_assert(light && !ws_scale_is_light(0));
}
END_TEST

START_TEST(kinds)
{
    for (guint i = 0; ws_chart_kinds[i] != NULL; i++)
        ck_assert_ptr_eq(ws_chart_kind(ws_chart_kinds[i]->name), ws_chart_kinds[i]);
    ck_assert_ptr_eq(ws_chart_kinds[0], &ws_chart_curves);
    ck_assert_ptr_null(ws_chart_kind("pie"));
}
END_TEST

static void add_tests(TCase *cases)
{
    tcase_add_loop_test(cases, drawn, 0, G_N_ELEMENTS(charts));
    tcase_add_loop_test(cases, quartiles, 0, G_N_ELEMENTS(distributions));
    tcase_add_test(cases, many_effects);
    tcase_add_test(cases, errors);
    tcase_add_test(cases, numbers);
    tcase_add_test(cases, scale);
    tcase_add_test(cases, kinds);
}

int main(void)
{
    return run_suite("chart_kinds", add_tests);
}
