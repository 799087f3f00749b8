/* Two runs beside each other, as JSON. */
#include "cli/diff_report.h"
#include "inspect/compare/part_reason.h"
#include "inspect/export/export.h"
#include "sim/base/json_text.h"

static const char *const schema = "warpstep-diff-1";
static const char *const names[WS_SIDES] = {"a", "b"};

static void add_double(JsonBuilder *builder, const char *name, double value)
{
    json_builder_set_member_name(builder, name);
    json_builder_add_double_value(builder, value);
}

static void add_int(JsonBuilder *builder, const char *name, guint64 value)
{
    json_builder_set_member_name(builder, name);
    json_builder_add_int_value(builder, (gint64)value);
}

static void add_string(JsonBuilder *builder, const char *name, const char *value)
{
    json_builder_set_member_name(builder, name);
    if (value != NULL)
        json_builder_add_string_value(builder, value);
    else
        json_builder_add_null_value(builder);
}

static void add_cycles(JsonBuilder *builder, const guint64 cycles[WS_SIDES])
{
    for (guint i = 0; i < WS_SIDES; i++)
        add_int(builder, names[i], cycles[i]);
}

static void add_side(JsonBuilder *builder, const WsDiff *diff, guint side)
{
    json_builder_set_member_name(builder, names[side]);
    json_builder_begin_object(builder);
    add_string(builder, "target", diff->job[side]->path);
    add_string(builder, "device", diff->job[side]->device->name);
    add_string(builder, "compiler", diff->job[side]->program->compiler);
    add_string(builder, "status", ws_status_name(diff->result[side]->status));
    json_builder_end_object(builder);
}

static void add_settings(JsonBuilder *builder, const GArray *settings)
{
    json_builder_set_member_name(builder, "settings");
    json_builder_begin_array(builder);
    for (guint i = 0; i < settings->len; i++) {
        const WsSettingDifference *row = &g_array_index(settings, WsSettingDifference, i);

        json_builder_begin_object(builder);
        add_string(builder, "setting", row->path);
        for (guint k = 0; k < WS_SIDES; k++)
            add_string(builder, names[k], row->value[k]);
        json_builder_end_object(builder);
    }
    json_builder_end_array(builder);
}

static void add_parting(JsonBuilder *builder, const WsDiff *diff)
{
    const WsFirstDifference *parting = diff->parting;

    add_int(builder, "common_events", parting->common);
    json_builder_set_member_name(builder, "parting");
    if (!parting->parted) {
        json_builder_add_null_value(builder);
        return;
    }
    const WsTraceEvent *event = &parting->event[ws_parting_first(parting)];
    g_autofree char *reason = ws_parting_reason(parting);
    json_builder_begin_object(builder);
    add_int(builder, "cycle", event->cycle);
    add_int(builder, "sm", event->sm);
    add_int(builder, "warp", event->warp);
    add_string(builder, "reason", reason);
    for (guint i = 0; i < WS_SIDES; i++) {
        g_autofree char *line =
            parting->has[i] ? ws_trace_text_line(diff->launch[i], &parting->event[i]) : NULL;
        add_string(builder, names[i], line != NULL ? g_strstrip(line) : NULL);
    }
    json_builder_end_object(builder);
}

static void add_figures(JsonBuilder *builder, const GArray *figures)
{
    json_builder_set_member_name(builder, "figures");
    json_builder_begin_array(builder);
    for (guint i = 0; i < figures->len; i++) {
        const WsFigure *figure = &g_array_index(figures, WsFigure, i);

        json_builder_begin_object(builder);
        add_string(builder, "name", figure->name);
        for (guint k = 0; k < WS_SIDES; k++)
            if (figure->decimals == 0)
                add_int(builder, names[k], (guint64)figure->value[k]);
            else
                add_double(builder, names[k], figure->value[k]);
        json_builder_end_object(builder);
    }
    json_builder_end_array(builder);
}

static void add_stalls(JsonBuilder *builder, const GArray *stalls)
{
    json_builder_set_member_name(builder, "stalls");
    json_builder_begin_array(builder);
    for (guint i = 0; i < stalls->len; i++) {
        const WsStallDifference *row = &g_array_index(stalls, WsStallDifference, i);

        json_builder_begin_object(builder);
        add_string(builder, "reason", ws_stall_name(row->stall));
        add_cycles(builder, row->cycles);
        json_builder_end_object(builder);
    }
    json_builder_end_array(builder);
}

static void add_lines(JsonBuilder *builder, const GArray *lines)
{
    json_builder_set_member_name(builder, "lines");
    json_builder_begin_array(builder);
    for (guint i = 0; i < lines->len; i++) {
        const WsLineDifference *row = &g_array_index(lines, WsLineDifference, i);

        json_builder_begin_object(builder);
        add_string(builder, "line", row->place);
        add_cycles(builder, row->cycles);
        add_int(builder, "instructions_a", row->instructions[WS_SIDE_A]);
        add_int(builder, "instructions_b", row->instructions[WS_SIDE_B]);
        json_builder_end_object(builder);
    }
    json_builder_end_array(builder);
}

static void add_buffers(JsonBuilder *builder, const GArray *buffers)
{
    json_builder_set_member_name(builder, "buffers");
    json_builder_begin_array(builder);
    for (guint i = 0; i < buffers->len; i++) {
        const WsBufferDifference *row = &g_array_index(buffers, WsBufferDifference, i);

        json_builder_begin_object(builder);
        add_string(builder, "buffer", row->name);
        add_int(builder, "elements", row->elements);
        add_int(builder, "first", row->first);
        json_builder_end_object(builder);
    }
    json_builder_end_array(builder);
}

char *ws_diff_json(const WsDiff *diff)
{
    g_autoptr(JsonBuilder) builder = json_builder_new_immutable();
    g_autoptr(JsonNode) root = NULL;

    json_builder_begin_object(builder);
    add_string(builder, "schema", schema);
    add_string(builder, "version", WS_VERSION);
    for (guint i = 0; i < WS_SIDES; i++)
        add_side(builder, diff, i);
    add_settings(builder, diff->comparison->settings);
    add_parting(builder, diff);
    add_figures(builder, diff->comparison->figures);
    add_stalls(builder, diff->comparison->stalls);
    add_lines(builder, diff->comparison->lines);
    add_buffers(builder, diff->comparison->buffers);
    json_builder_end_object(builder);
    root = json_builder_get_root(builder);
    return ws_json_text(root);
}
