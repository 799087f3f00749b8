#include "sim/base/json_members.h"
#include "sim/base/json_text.h"
#include "study/plot/chart_stack.h"
#include "study/plot/curves.h"
#include "study/plot/vega.h"

#include <string.h>

static void add_point(JsonBuilder *json, const WsChart *chart, const WsChartPanel *panel,
                      guint place, guint i)
{
    const WsChartCurve *curve = g_ptr_array_index(panel->curves, place);
    const WsChartPoint *point = &g_array_index(curve->points, WsChartPoint, i);
    json_builder_begin_object(json);
    json_builder_set_member_name(json, "x");
    if (chart->categories != NULL)
        json_builder_add_string_value(json, chart->categories[(guint)point->x]);
    else
        json_builder_add_double_value(json, point->x);
    json_builder_set_member_name(json, "y");
    json_builder_add_double_value(json, point->y - ws_chart_below(chart, panel, place, i));
    ws_json_add_text(json, "curve", curve->name);
    ws_json_add_text(json, "panel", panel->name);
    json_builder_end_object(json);
}

static void add_data(JsonBuilder *json, const WsChart *chart)
{
    ws_json_open_object(json, "data");
    json_builder_set_member_name(json, "values");
    json_builder_begin_array(json);
    for (guint p = 0; p < chart->panels->len; p++) {
        const WsChartPanel *panel = g_ptr_array_index(chart->panels, p);
        for (guint c = 0; c < panel->curves->len; c++) {
            const WsChartCurve *curve = g_ptr_array_index(panel->curves, c);
            for (guint i = 0; i < curve->points->len; i++)
                add_point(json, chart, panel, c, i);
        }
    }
    json_builder_end_array(json);
    json_builder_end_object(json);
}

/* The curves: a mark and an encoding. */
static void add_curves(JsonBuilder *json, const WsChart *chart, gboolean facet)
{
    gboolean bars = ws_chart_has_bars(chart), grouped = chart->names->len > 1;
    ws_json_open_object(json, "mark");
    ws_json_add_text(json, "type",
                     bars                        ? "bar"
                     : chart->categories != NULL ? "point"
                     : chart->stacked            ? "area"
                                                 : "line");
    if (chart->steps || chart->stacked)
        ws_json_add_text(json, "interpolate", "step-after");
    else if (chart->categories == NULL) {
        json_builder_set_member_name(json, "point");
        json_builder_add_boolean_value(json, TRUE);
    }
    json_builder_end_object(json);
    ws_json_open_object(json, "encoding");
    ws_vega_axis(json, "x", chart->x_label, chart->categories != NULL, chart->log_x);
    ws_vega_axis(json, "y", chart->y_label, FALSE, chart->log_y);
    if (bars && (grouped || ws_chart_has_references(chart)))
        ws_vega_group(json, "xOffset", "curve", "");
    if (grouped || ws_chart_has_references(chart))
        ws_vega_group(json, "color", "curve", chart->curves_label);
    if (facet)
        ws_vega_group(json, "facet", "panel", "");
    json_builder_end_object(json);
}

/* A layer of lines upwards, one of their words. */
static void add_marks(JsonBuilder *json, const WsChart *chart, const char *kind)
{
    gboolean words = strcmp(kind, "text") == 0;
    json_builder_begin_object(json);
    ws_json_open_object(json, "data");
    json_builder_set_member_name(json, "values");
    json_builder_begin_array(json);
    for (guint i = 0; i < chart->marks->len; i++) {
        const WsChartMark *mark = &g_array_index(chart->marks, WsChartMark, i);
        json_builder_begin_object(json);
        json_builder_set_member_name(json, "x");
        json_builder_add_double_value(json, mark->x);
        ws_json_add_text(json, "text", mark->text);
        json_builder_end_object(json);
    }
    json_builder_end_array(json);
    json_builder_end_object(json);
    ws_json_open_object(json, "mark");
    ws_json_add_text(json, "type", kind);
    json_builder_set_member_name(json, words ? "angle" : "strokeDash");
    if (words) {
        json_builder_add_int_value(json, 270);
        json_builder_set_member_name(json, "dy"); /* beside the line */
        json_builder_add_int_value(json, -7);
    } else {
        json_builder_begin_array(json);
        json_builder_add_int_value(json, 4);
        json_builder_add_int_value(json, 4);
        json_builder_end_array(json);
    }
    json_builder_end_object(json);
    ws_json_open_object(json, "encoding");
    ws_vega_axis(json, "x", chart->x_label, FALSE, chart->log_x);
    if (words) {
        ws_json_open_object(json, "text");
        ws_json_add_text(json, "field", "text");
        ws_json_add_text(json, "type", "nominal");
        json_builder_end_object(json);
    }
    json_builder_end_object(json);
    json_builder_end_object(json);
}

static void add_layers(JsonBuilder *json, const WsChart *chart)
{
    json_builder_set_member_name(json, "layer");
    json_builder_begin_array(json);
    json_builder_begin_object(json);
    add_curves(json, chart, FALSE);
    json_builder_end_object(json);
    add_marks(json, chart, "rule");
    add_marks(json, chart, "text");
    json_builder_end_array(json);
}

char *ws_curves_vega(const WsChart *chart)
{
    g_autoptr(JsonBuilder) json = json_builder_new();
    gboolean panels = chart->panels->len > 1;
    json_builder_begin_object(json);
    ws_vega_head(json, chart);
    add_data(json, chart);
    if (chart->marks->len == 0) {
        add_curves(json, chart, panels);
    } else if (panels) { /* layers have no facet in their encoding */
        ws_vega_group(json, "facet", "panel", "");
        ws_json_open_object(json, "spec");
        add_layers(json, chart);
        json_builder_end_object(json);
    } else {
        add_layers(json, chart);
    }
    json_builder_end_object(json);
    g_autoptr(JsonNode) root = json_builder_get_root(json);
    return ws_json_text(root);
}
