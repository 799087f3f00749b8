#include "study/plot/vega.h"

#include "sim/base/json_members.h"
#include "sim/base/json_text.h"
#include "study/plot/palette.h"

#include <string.h>

static const char SCHEMA[] = "https://vega.github.io/schema/vega-lite/v5.json";

void ws_vega_head(JsonBuilder *json, const WsChart *chart)
{
    ws_json_add_text(json, "$schema", SCHEMA);
    ws_json_add_text(json, "title", chart->title);
}

void ws_vega_axis(JsonBuilder *json, const char *field, const char *title, gboolean words,
                  gboolean logarithmic)
{
    ws_json_open_object(json, field);
    ws_json_add_text(json, "field", field);
    ws_json_add_text(json, "type", words ? "ordinal" : "quantitative");
    ws_json_add_text(json, "title", title);
    if (logarithmic) {
        ws_json_open_object(json, "scale");
        ws_json_add_text(json, "type", "log");
        json_builder_end_object(json);
    }
    if (words) {
        json_builder_set_member_name(json, "sort");
        json_builder_add_null_value(json);
    }
    json_builder_end_object(json);
}

void ws_vega_group(JsonBuilder *json, const char *channel, const char *field, const char *title)
{
    ws_json_open_object(json, channel);
    ws_json_add_text(json, "field", field);
    ws_json_add_text(json, "type", "nominal");
    ws_json_add_text(json, "title", title);
    json_builder_set_member_name(json, "sort");
    json_builder_add_null_value(json);
    json_builder_end_object(json);
}

/* ---- templates --------------------------------------------------------------------------------
 */

JsonObject *ws_vega_point(const WsChart *chart, const WsChartPanel *panel,
                          const WsChartCurve *curve, const WsChartPoint *point)
{
    JsonObject *value = json_object_new();
    json_object_set_string_member(value, "x", chart->categories[(guint)point->x]);
    json_object_set_double_member(value, "y", point->y);
    json_object_set_string_member(value, "curve", curve->name);
    json_object_set_string_member(value, "panel", panel->name);
    if (point->name != NULL)
        json_object_set_string_member(value, "name", point->name);
    return value;
}

JsonArray *ws_vega_points(const WsChart *chart)
{
    JsonArray *values = json_array_new();
    for (guint p = 0; p < chart->panels->len; p++) {
        const WsChartPanel *panel = g_ptr_array_index(chart->panels, p);
        for (guint c = 0; c < panel->curves->len; c++) {
            const WsChartCurve *curve = g_ptr_array_index(panel->curves, c);
            for (guint i = 0; i < curve->points->len; i++)
                json_array_add_object_element(
                    values, ws_vega_point(chart, panel, curve,
                                          &g_array_index(curve->points, WsChartPoint, i)));
        }
    }
    return values;
}

static JsonNode *text_node(const char *text)
{
    return json_node_init_string(json_node_alloc(), text);
}

static JsonNode *array_node(JsonArray *array)
{
    JsonNode *node = json_node_new(JSON_NODE_ARRAY);
    json_node_take_array(node, array);
    return node;
}

static JsonNode *list_node(char *const *texts, guint count)
{
    JsonArray *array = json_array_new();
    for (guint i = 0; i < count; i++)
        json_array_add_string_element(array, texts[i]);
    return array_node(array);
}

static JsonNode *palette_node(void)
{
    char *colours[WS_PALETTE_COLOURS];
    for (guint i = 0; i < WS_PALETTE_COLOURS; i++)
        colours[i] = (char *)ws_palette_colour(i);
    return list_node(colours, WS_PALETTE_COLOURS);
}

static const char colour_channel[] =
    "{\"field\": \"curve\", \"type\": \"nominal\", \"title\": \"@by\", \"sort\": \"@curves\","
    " \"scale\": {\"range\": \"@palette\"}}";
static const char offset_channel[] =
    "{\"field\": \"curve\", \"type\": \"nominal\", \"title\": \"\", \"sort\": \"@curves\"}";

static JsonNode *filled(const WsChart *chart, JsonNode *node);

static JsonNode *channel(const WsChart *chart, const char *template)
{
    g_autoptr(JsonNode) plain = json_from_string(template, NULL);
    return chart->names->len > 1 ? filled(chart, plain) : NULL;
}

/* What a mark stands for; NULL: what it is the value of is left out. */
static JsonNode *meaning(const WsChart *chart, const char *mark)
{
    const struct {
        const char *mark, *text;
    } texts[] = {{"@x", chart->x_label},
                 {"@y", chart->y_label},
                 {"@by", chart->curves_label},
                 {"@name", *chart->points_label != '\0' ? chart->points_label : "row"},
                 {"@scale", chart->log_y ? "log" : "linear"}};
    enum { SHORT_NAME = 6, SLANTED = -40 }; /* characters, degrees */
    for (guint i = 0; i < G_N_ELEMENTS(texts); i++)
        if (strcmp(mark, texts[i].mark) == 0)
            return text_node(texts[i].text);
    if (strcmp(mark, "@places") == 0)
        return list_node(chart->categories, ws_chart_place_count(chart));
    if (strcmp(mark, "@curves") == 0)
        return list_node((char *const *)chart->names->pdata, chart->names->len);
    if (strcmp(mark, "@palette") == 0)
        return palette_node();
    if (strcmp(mark, "@zero") == 0) /* a logarithmic scale does not know the word */
        return chart->log_y ? NULL : json_node_init_boolean(json_node_alloc(), FALSE);
    if (strcmp(mark, "@angle") == 0)
        return json_node_init_int(json_node_alloc(),
                                  ws_chart_longest_place(chart) > SHORT_NAME ? SLANTED : 0);
    return channel(chart, strcmp(mark, "@colour") == 0 ? colour_channel : offset_channel);
}

static gboolean is_mark(JsonNode *node)
{
    return JSON_NODE_HOLDS_VALUE(node) && json_node_get_value_type(node) == G_TYPE_STRING &&
           json_node_get_string(node)[0] == '@';
}

/* The node with its marks replaced, as a new one. Templates are a few levels deep. */
static JsonNode *filled(const WsChart *chart, JsonNode *node)
{
    if (is_mark(node))
        return meaning(chart, json_node_get_string(node));
    if (JSON_NODE_HOLDS_ARRAY(node)) {
        JsonArray *from = json_node_get_array(node), *array = json_array_new();
        for (guint i = 0; i < json_array_get_length(from); i++)
            json_array_add_element(array, filled(chart, json_array_get_element(from, i)));
        return array_node(array);
    }
    if (!JSON_NODE_HOLDS_OBJECT(node))
        return json_node_copy(node);
    JsonObject *from = json_node_get_object(node), *object = json_object_new();
    g_autoptr(GList) names = json_object_get_members(from);
    for (GList *name = names; name != NULL; name = name->next) {
        JsonNode *member = filled(chart, json_object_get_member(from, name->data));
        if (member != NULL)
            json_object_set_member(object, name->data, member);
    }
    JsonNode *whole = json_node_new(JSON_NODE_OBJECT);
    json_node_take_object(whole, object);
    return whole;
}

static void add_members(JsonBuilder *json, JsonObject *object)
{
    g_autoptr(GList) names = json_object_get_members(object);
    for (GList *name = names; name != NULL; name = name->next) {
        json_builder_set_member_name(json, name->data);
        json_builder_add_value(json, json_object_dup_member(object, name->data));
    }
}

char *ws_vega_put(const char *template, const char *mark, const char *json)
{
    g_autofree char *quoted = g_strdup_printf("\"%s\"", mark);
    g_auto(GStrv) parts = g_strsplit(template, quoted, -1);
    return g_strjoinv(json, parts);
}

/* What the runs had of L2 and DRAM stands below the title: it is long. */
static void add_title(JsonBuilder *json, const WsChart *chart)
{
    if (chart->shares == NULL) {
        ws_vega_head(json, chart);
        return;
    }
    gsize length = strlen(chart->title) - strlen(chart->shares);
    g_autofree char *title = g_strndup(chart->title, length - MIN(length, strlen("; ")));
    g_auto(GStrv) lines = g_strsplit(chart->shares, "; ", -1);
    ws_json_add_text(json, "$schema", SCHEMA);
    ws_json_open_object(json, "title");
    ws_json_add_text(json, "text", title);
    ws_json_add_texts(json, "subtitle", lines);
    json_builder_end_object(json);
}

char *ws_vega_fill(const WsChart *chart, const char *template, JsonArray *values)
{
    g_autoptr(JsonNode) plain = json_from_string(template, NULL);
    g_autoptr(JsonNode) view = filled(chart, plain);
    g_autoptr(JsonBuilder) json = json_builder_new();
    gboolean panels = chart->panels->len > 1;
    json_builder_begin_object(json);
    add_title(json, chart);
    ws_json_open_object(json, "data");
    json_builder_set_member_name(json, "values");
    json_builder_add_value(json, array_node(values));
    json_builder_end_object(json);
    if (panels) {
        ws_vega_group(json, "facet", "panel", "");
        json_builder_set_member_name(json, "columns");
        json_builder_add_int_value(json, 3);
        ws_json_open_object(json, "spec");
    }
    add_members(json, json_node_get_object(view));
    if (panels)
        json_builder_end_object(json);
    json_builder_end_object(json);
    g_autoptr(JsonNode) root = json_builder_get_root(json);
    return ws_json_text(root);
}
