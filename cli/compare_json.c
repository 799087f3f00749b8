/* A run beside a profile, as JSON. */
#include "cli/compare_report.h"
#include "sim/base/json_members.h"
#include "sim/base/json_text.h"

#include <math.h>

static const char *const schema = "warpstep-compare-1";

static const char *const figure_names[WS_SOURCE_FIGURE_COUNT] = {
    "samples",   "instructions", "lanes",         "lanes_pred_on",
    "divergent", "sectors",      "extra_sectors", "extra_wavefronts"};

static double ratio(double simulated, double measured)
{
    return measured == 0 ? (double)NAN : simulated / measured;
}

static void add_metric(JsonBuilder *json, const WsComparedMetric *row)
{
    const WsMappedMetric *mapped = &row->mapped;

    json_builder_begin_object(json);
    ws_json_add_text(json, "metric", row->metric);
    if (row->measured->section != NULL) {
        ws_json_add_text(json, "section", row->measured->section);
        ws_json_add_text(json, "label", row->measured->name);
    }
    ws_json_add_text(json, "status", ws_metric_status_name(mapped->status));
    if (mapped->status == WS_METRIC_MAPPED) {
        ws_json_add_text(json, "figure", mapped->figure);
        ws_json_add_text(json, "group", ws_metric_group_name(mapped->group));
        ws_json_add_text(json, "unit", mapped->unit);
        ws_json_add_number(json, "simulated", mapped->simulated);
        ws_json_add_number(json, "measured", row->value);
        ws_json_add_number(json, "difference", mapped->simulated - row->value);
        ws_json_add_number(json, "ratio", ratio(mapped->simulated, row->value));
        ws_json_add_text(json, "note", *mapped->note != '\0' ? mapped->note : NULL);
    } else {
        ws_json_add_text(json, "text", row->measured->text);
        ws_json_add_text(json, "why", mapped->why);
    }
    json_builder_end_object(json);
}

static void add_measured_line(JsonBuilder *json, const WsComparedLine *line)
{
    ws_json_open_object(json, "measured");
    ws_json_add_number(json, "share", line->measured_share);
    for (guint i = 0; i < WS_SOURCE_FIGURE_COUNT; i++)
        ws_json_add_number(json, figure_names[i], line->sums.figures[i]);
    ws_json_open_object(json, "stalls");
    for (guint i = 0; i < WS_STALL_COUNT; i++)
        if (!isnan(line->sums.stalls[i]) && line->sums.stalls[i] != 0)
            ws_json_add_number(json, ws_stall_name((WsStall)i), line->sums.stalls[i]);
    json_builder_end_object(json);
    json_builder_end_object(json);
}

static void add_simulated_line(JsonBuilder *json, const WsComparedLine *line)
{
    const WsInstructionCounters *counters = &line->counters;

    ws_json_open_object(json, "simulated");
    ws_json_add_number(json, "share", line->simulated_share);
    ws_json_add_integer(json, "instructions", (gint64)counters->issued);
    ws_json_add_integer(json, "lanes", (gint64)counters->lanes);
    ws_json_add_integer(json, "lanes_pred_on", (gint64)counters->lanes_on);
    ws_json_add_integer(json, "divergent", (gint64)counters->divergent);
    ws_json_add_integer(json, "sectors", (gint64)counters->sectors);
    ws_json_add_integer(json, "extra_sectors", (gint64)counters->extra_sectors);
    ws_json_add_integer(json, "extra_wavefronts", (gint64)counters->extra_wavefronts);
    ws_json_open_object(json, "stalls");
    for (guint i = 0; i < WS_STALL_COUNT; i++)
        if (counters->stalls[i] != 0)
            ws_json_add_integer(json, ws_stall_name((WsStall)i), (gint64)counters->stalls[i]);
    json_builder_end_object(json);
    json_builder_end_object(json);
}

static void add_lines(JsonBuilder *json, const GArray *lines)
{
    ws_json_open_list(json, "lines");
    for (guint i = 0; i < lines->len; i++) {
        const WsComparedLine *line = &g_array_index(lines, WsComparedLine, i);

        json_builder_begin_object(json);
        ws_json_add_text(json, "file", *line->file != '\0' ? line->file : NULL);
        ws_json_add_integer(json, "line", line->line);
        if (line->simulated)
            add_simulated_line(json, line);
        else
            ws_json_add_text(json, "simulated", NULL);
        if (line->measured)
            add_measured_line(json, line);
        else
            ws_json_add_text(json, "measured", NULL);
        json_builder_end_object(json);
    }
    json_builder_end_array(json);
}

static void add_opcodes(JsonBuilder *json, const GArray *opcodes)
{
    ws_json_open_list(json, "opcodes");
    for (guint i = 0; i < opcodes->len; i++) {
        const WsComparedOpcode *row = &g_array_index(opcodes, WsComparedOpcode, i);

        json_builder_begin_object(json);
        ws_json_add_text(json, "opcode", row->opcode);
        ws_json_add_integer(json, "simulated", (gint64)row->simulated);
        ws_json_add_number(json, "measured", row->measured);
        json_builder_end_object(json);
    }
    json_builder_end_array(json);
}

static void add_columns(JsonBuilder *json, const GArray *columns)
{
    ws_json_open_list(json, "source_columns");
    for (guint i = 0; i < columns->len; i++) {
        const WsComparedColumn *column = &g_array_index(columns, WsComparedColumn, i);

        json_builder_begin_object(json);
        ws_json_add_text(json, "column", column->name);
        ws_json_add_text(json, "status", ws_metric_status_name(column->status));
        json_builder_end_object(json);
    }
    json_builder_end_array(json);
}

static void add_measured(JsonBuilder *json, const WsMeasuredLaunch *measured)
{
    ws_json_add_text(json, "id", measured->id);
    ws_json_add_text(json, "measured_kernel", measured->kernel);
    ws_json_add_triple(json, "measured_grid", measured->grid);
    ws_json_add_triple(json, "measured_block", measured->block);
    ws_json_add_text(json, "measured_compute_capability", measured->capability);
}

static void add_launch(JsonBuilder *json, const WsProfileComparison *comparison)
{
    json_builder_begin_object(json);
    ws_json_add_text(json, "kernel", comparison->kernel);
    ws_json_add_integer(json, "launch", comparison->launch);
    add_measured(json, comparison->measured);
    g_ptr_array_add(comparison->notes, NULL);
    ws_json_add_texts(json, "notes", (char *const *)comparison->notes->pdata);
    g_ptr_array_set_size(comparison->notes, (gint)comparison->notes->len - 1);
    ws_json_open_object(json, "counts");
    for (guint i = 0; i < WS_METRIC_STATUS_COUNT; i++) {
        g_autofree char *name =
            g_strdelimit(g_strdup(ws_metric_status_name((WsMetricStatus)i)), " ", '_');

        ws_json_add_integer(json, name, comparison->counts[i]);
    }
    ws_json_add_integer(json, "advice", comparison->measured->rules);
    json_builder_end_object(json);
    ws_json_open_list(json, "metrics");
    for (guint i = 0; i < comparison->metrics->len; i++)
        add_metric(json, ws_compared_metric(comparison, i));
    json_builder_end_array(json);
    add_lines(json, comparison->lines);
    add_opcodes(json, comparison->opcodes);
    add_columns(json, comparison->columns);
    json_builder_end_object(json);
}

char *ws_compare_json(const WsCompareReport *report)
{
    g_autoptr(JsonBuilder) json = json_builder_new();

    json_builder_begin_object(json);
    ws_json_add_text(json, "schema", schema);
    ws_json_add_text(json, "version", WS_VERSION);
    ws_json_add_text(json, "target", report->target);
    ws_json_add_text(json, "device", report->device);
    ws_json_open_list(json, "launches");
    for (guint i = 0; i < report->comparisons->len; i++)
        add_launch(json, report->comparisons->pdata[i]);
    json_builder_end_array(json);
    ws_json_open_list(json, "only_simulated");
    for (guint i = 0; i < report->only_simulated->len; i++)
        json_builder_add_string_value(json, report->only_simulated->pdata[i]);
    json_builder_end_array(json);
    ws_json_open_list(json, "only_measured");
    for (guint i = 0; i < report->only_measured->len; i++) {
        const WsMeasuredLaunch *launch = report->only_measured->pdata[i];

        json_builder_begin_object(json);
        ws_json_add_text(json, "id", launch->id);
        ws_json_add_text(json, "kernel", launch->kernel);
        json_builder_end_object(json);
    }
    json_builder_end_array(json);
    json_builder_end_object(json);
    g_autoptr(JsonNode) root = json_builder_get_root(json);
    return ws_json_text(root);
}
