#include "study/plot/drawing.h"

#include "sim/base/json_members.h"
#include "sim/base/json_text.h"
#include "study/plot/chart_kind.h"
#include "study/plot/figure_json.h"
#include "study/plot/page.h"

#include <string.h>

/* ---- the data ---------------------------------------------------------------------------------
 */

static void add_flag(JsonBuilder *json, const char *name, gboolean value)
{
    json_builder_set_member_name(json, name);
    json_builder_add_boolean_value(json, value);
}

static void add_texts(JsonBuilder *json, char *const *texts)
{
    json_builder_begin_array(json);
    for (; *texts != NULL; texts++)
        json_builder_add_string_value(json, *texts);
    json_builder_end_array(json);
}

static void add_curve(JsonBuilder *json, const WsChartCurve *curve)
{
    json_builder_begin_object(json);
    ws_json_add_text(json, "name", curve->name);
    add_flag(json, "reference", curve->is_reference);
    json_builder_set_member_name(json, "place");
    json_builder_add_int_value(json, curve->place);
    for (guint axis = 0; axis < 2; axis++) {
        json_builder_set_member_name(json, axis == 0 ? "x" : "y");
        json_builder_begin_array(json);
        for (guint i = 0; i < curve->points->len; i++) {
            const WsChartPoint *point = &g_array_index(curve->points, WsChartPoint, i);
            json_builder_add_double_value(json, axis == 0 ? point->x : point->y);
        }
        json_builder_end_array(json);
    }
    json_builder_end_object(json);
}

static void add_panels(JsonBuilder *json, const WsChart *chart)
{
    json_builder_set_member_name(json, "panels");
    json_builder_begin_array(json);
    for (guint p = 0; p < chart->panels->len; p++) {
        const WsChartPanel *panel = g_ptr_array_index(chart->panels, p);
        json_builder_begin_object(json);
        ws_json_add_text(json, "name", panel->name);
        json_builder_set_member_name(json, "curves");
        json_builder_begin_array(json);
        for (guint c = 0; c < panel->curves->len; c++)
            add_curve(json, g_ptr_array_index(panel->curves, c));
        json_builder_end_array(json);
        json_builder_end_object(json);
    }
    json_builder_end_array(json);
}

static void add_marks(JsonBuilder *json, const WsChart *chart)
{
    json_builder_set_member_name(json, "marks");
    json_builder_begin_array(json);
    for (guint i = 0; i < chart->marks->len; i++) {
        const WsChartMark *mark = &g_array_index(chart->marks, WsChartMark, i);
        json_builder_begin_object(json);
        json_builder_set_member_name(json, "value");
        json_builder_add_double_value(json, mark->x);
        ws_json_add_text(json, "name", mark->text);
        json_builder_end_object(json);
    }
    json_builder_end_array(json);
}

static char *data_text(const WsChart *chart, const WsTable *table)
{
    g_autoptr(JsonBuilder) json = json_builder_new();
    json_builder_begin_object(json);
    ws_json_add_text(json, "x", chart->x_label);
    ws_json_add_text(json, "y", chart->y_label);
    ws_json_add_text(json, "by", chart->curves_label);
    ws_json_add_text(json, "note", chart->note != NULL ? chart->note : "");
    add_flag(json, "logX", chart->log_x);
    add_flag(json, "logY", chart->log_y);
    add_flag(json, "steps", chart->steps);
    add_flag(json, "stacked", chart->stacked);
    json_builder_set_member_name(json, "categories");
    if (chart->categories != NULL)
        add_texts(json, chart->categories);
    else
        json_builder_add_null_value(json);
    g_autoptr(WsFigure) figure = chart->kind->figure == NULL ? NULL : chart->kind->figure(chart);
    if (figure != NULL) {
        ws_figure_add_json(json, "figure", figure);
    } else {
        add_panels(json, chart);
        add_marks(json, chart);
    }
    json_builder_set_member_name(json, "columns");
    add_texts(json, table->columns);
    json_builder_set_member_name(json, "rows");
    json_builder_begin_array(json);
    for (guint i = 0; i < table->rows->len; i++)
        add_texts(json, g_ptr_array_index(table->rows, i));
    json_builder_end_array(json);
    json_builder_end_object(json);
    g_autoptr(JsonNode) root = json_builder_get_root(json);
    return ws_json_text(root);
}

/* ---- the page ---------------------------------------------------------------------------------
 */

/* Nothing in the data may end the element that holds it. */
static char *without_tags(const char *json)
{
    g_auto(GStrv) parts = g_strsplit(json, "<", -1);
    return g_strjoinv("\\u003c", parts);
}

gboolean ws_chart_page_is_built(void)
{
    return ws_page_html[0] != '\0';
}

char *ws_chart_page(const WsChart *chart, const WsTable *table, const char *answer)
{
    g_autofree char *title = g_markup_escape_text(chart->title, -1);
    g_autofree char *said = answer == NULL ? NULL : g_markup_escape_text(answer, -1);
    g_autofree char *paragraph =
        said == NULL ? g_strdup("") : g_strdup_printf("<p class=\"answer\">%s</p>", said);
    g_autofree char *plain = data_text(chart, table);
    g_autofree char *data = without_tags(plain);
    const struct {
        const char *mark, *text;
    } parts[] = {{"@TITLE@", title},
                 {"@ANSWER@", paragraph},
                 {"@STYLE@", ws_page_style},
                 {"@SCRIPT@", ws_page_script},
                 {"@DATA@", data}};
    GString *out = g_string_new(NULL);
    const char *at = ws_page_html;
    /* From mark to mark, so that no text that is put in is looked through. */
    for (const char *mark = strchr(at, '@'); mark != NULL; mark = strchr(mark, '@')) {
        guint i = 0;
        while (i < G_N_ELEMENTS(parts) && !g_str_has_prefix(mark, parts[i].mark))
            i++;
        if (i == G_N_ELEMENTS(parts)) {
            mark++;
            continue;
        }
        g_string_append_len(out, at, mark - at);
        g_string_append(out, parts[i].text);
        at = mark += strlen(parts[i].mark);
    }
    g_string_append(out, at);
    return g_string_free(out, FALSE);
}
