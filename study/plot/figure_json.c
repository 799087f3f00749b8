#include "study/plot/figure_json.h"

#include "sim/base/json_members.h"
#include "study/plot/palette.h"

static void add_flag(JsonBuilder *json, const char *name, gboolean value)
{
    json_builder_set_member_name(json, name);
    json_builder_add_boolean_value(json, value);
}

static void add_axis(JsonBuilder *json, const char *name, const WsFigureAxis *axis)
{
    ws_json_open_object(json, name);
    ws_json_add_text(json, "label", axis->label);
    if (axis->names != NULL)
        ws_json_add_texts(json, "names", axis->names);
    ws_json_add_number(json, "low", axis->low);
    ws_json_add_number(json, "high", axis->high);
    add_flag(json, "log", axis->logarithmic);
    json_builder_end_object(json);
}

/* Colours of the scale are told; the others are the page's own, which has a dark side. */
static void add_colour(JsonBuilder *json, const WsFigure *figure, const WsFigureMark *mark)
{
    double share =
        mark->colour == WS_FIGURE_SCALE ? ws_figure_share(&figure->scale, mark->value) : 0;
    if (mark->colour != WS_FIGURE_SCALE) {
        ws_json_add_integer(json, "colour", mark->colour);
    } else if (mark->shape == WS_FIGURE_TEXT) {
        ws_json_add_text(json, "fill", ws_scale_is_light(share) ? "#000000" : "#ffffff");
    } else {
        g_autofree char *fill = g_strdup_printf("#%06x", ws_scale_at(share));
        ws_json_add_text(json, "fill", fill);
    }
}

static void add_mark(JsonBuilder *json, const WsFigure *figure, const WsFigureMark *mark)
{
    static const char *const shapes[] = {"rectangle", "line", "dot", "text"};
    json_builder_begin_object(json);
    ws_json_add_text(json, "shape", shapes[mark->shape]);
    ws_json_add_number(json, "x", mark->x);
    ws_json_add_number(json, "y", mark->y);
    if (mark->shape == WS_FIGURE_RECTANGLE || mark->shape == WS_FIGURE_LINE) {
        ws_json_add_number(json, "x2", mark->x2);
        ws_json_add_number(json, "y2", mark->y2);
    }
    add_colour(json, figure, mark);
    if (mark->pale)
        add_flag(json, "pale", TRUE);
    if (mark->shape == WS_FIGURE_TEXT) {
        ws_json_add_integer(json, "side", mark->side);
        ws_json_add_number(json, "room", mark->room);
    }
    if (mark->text != NULL)
        ws_json_add_text(json, "text", mark->text);
    json_builder_end_object(json);
}

static void add_panel(JsonBuilder *json, const WsFigure *figure, const WsFigurePanel *panel)
{
    json_builder_begin_object(json);
    ws_json_add_text(json, "name", panel->name);
    ws_json_open_list(json, "marks");
    for (guint i = 0; i < panel->marks->len; i++)
        add_mark(json, figure, &g_array_index(panel->marks, WsFigureMark, i));
    json_builder_end_array(json);
    json_builder_end_object(json);
}

static void add_scale(JsonBuilder *json, const WsFigure *figure)
{
    add_axis(json, "scale", &figure->scale);
    ws_json_open_list(json, "scaleColours");
    for (guint i = 0; i < WS_SCALE_COLOURS; i++)
        json_builder_add_string_value(json, ws_scale_colour(i));
    json_builder_end_array(json);
}

void ws_figure_add_json(JsonBuilder *json, const char *name, const WsFigure *figure)
{
    ws_json_open_object(json, name);
    add_axis(json, "x", &figure->x);
    add_axis(json, "y", &figure->y);
    if (figure->second_label != NULL) {
        ws_json_add_text(json, "secondLabel", figure->second_label);
        ws_json_add_number(json, "secondWhole", figure->second_whole);
    }
    ws_json_add_text(json, "legendLabel", figure->legend_label);
    ws_json_add_texts(json, "legend", figure->legend);
    if (figure->has_scale)
        add_scale(json, figure);
    add_flag(json, "hasMissing", figure->has_missing);
    ws_json_open_list(json, "panels");
    for (guint p = 0; p < figure->panels->len; p++)
        add_panel(json, figure, g_ptr_array_index(figure->panels, p));
    json_builder_end_array(json);
    json_builder_end_object(json);
}
