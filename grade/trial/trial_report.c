#include "grade/trial/trial_report.h"

#include "grade/assignment/instruction_names.h"
#include "sim/base/json_members.h"
#include "sim/report/json.h"
#include "sim/report/line_profile.h"

#include <json-glib/json-glib.h>
#include <string.h>

enum { MOST_CALLS = 64 };

static void count(GHashTable *counts, WsOpcode opcode, guint64 more)
{
    char *name = ws_base_mnemonic(opcode);
    guint64 *sum = g_hash_table_lookup(counts, name);
    if (sum == NULL) {
        sum = g_new0(guint64, 1);
        g_hash_table_insert(counts, g_strdup(name), sum);
    }
    *sum += more;
    g_free(name);
}

static void add_counts(JsonBuilder *json, const char *name, GHashTable *counts)
{
    g_autoptr(GList) names = g_list_sort(g_hash_table_get_keys(counts), (GCompareFunc)strcmp);
    json_builder_set_member_name(json, name);
    json_builder_begin_object(json);
    for (GList *at = names; at != NULL; at = at->next) {
        json_builder_set_member_name(json, at->data);
        json_builder_add_int_value(json,
                                   (gint64) * (guint64 *)g_hash_table_lookup(counts, at->data));
    }
    json_builder_end_object(json);
}

static void add_executed(JsonBuilder *json, const WsJob *job, const WsInstructionCounters *sum)
{
    g_autoptr(GHashTable) counts = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free);
    for (guint32 i = 0; i < job->program->instruction_count; i++)
        if (sum[i].issued > 0)
            count(counts, job->program->instructions[i].opcode, sum[i].issued);
    add_counts(json, "executed", counts);
}

static void add_code(JsonBuilder *json, const WsJob *job)
{
    g_autoptr(GHashTable) counts = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free);
    g_autoptr(GHashTable) seen = g_hash_table_new(NULL, NULL);
    for (guint32 launch = 0; launch < job->launch_count; launch++) {
        const WsKernel *kernel = job->launches[launch].kernel;
        if (!g_hash_table_add(seen, (gpointer)kernel))
            continue;
        for (guint32 i = 0; i < kernel->count; i++)
            count(counts, job->program->instructions[kernel->first + i].opcode, 1);
    }
    add_counts(json, "code", counts);
}

static void add_line_texts(JsonBuilder *json, const WsJob *job, const WsInstructionCounters *sum)
{
    g_autoptr(GArray) lines = ws_line_profile(job->program, sum);
    json_builder_set_member_name(json, "line_texts");
    json_builder_begin_array(json);
    for (guint i = 0; i < lines->len; i++) {
        const WsLineCounters *line = &g_array_index(lines, WsLineCounters, i);
        g_autofree char *text = ws_source_line(job->sources, line->file, line->line);
        if (text == NULL)
            json_builder_add_null_value(json);
        else
            json_builder_add_string_value(json, text);
    }
    json_builder_end_array(json);
}

static void add_buffer_names(JsonBuilder *json, const WsJob *job)
{
    json_builder_set_member_name(json, "buffer_names");
    json_builder_begin_array(json);
    for (guint32 i = 0; i < job->buffer_count; i++)
        json_builder_add_string_value(json, job->buffers[i].name);
    json_builder_end_array(json);
}

static void add_writers(JsonBuilder *json, char *const *writers)
{
    json_builder_set_member_name(json, "writers");
    json_builder_begin_array(json);
    for (; *writers != NULL; writers++) {
        if (**writers == '\0')
            json_builder_add_null_value(json);
        else
            json_builder_add_string_value(json, *writers);
    }
    json_builder_end_array(json);
}

/* One parameter: a place in a buffer, or what it holds. */
static void add_parameter(JsonBuilder *json, const WsLaunch *launch, const WsParameter *parameter)
{
    json_builder_begin_object(json);
    for (guint32 i = 0; i < launch->reference_count; i++) {
        const WsReference *reference = &launch->references[i];
        if (reference->parameter_offset != parameter->offset || parameter->size != 8)
            continue;
        ws_json_add_integer(json, "buffer", reference->buffer);
        ws_json_add_integer(json, "offset", reference->byte_offset);
    }
    guint64 value = 0;
    if (parameter->size <= sizeof value)
        memcpy(&value, launch->parameters + parameter->offset, parameter->size);
    ws_json_add_integer(json, "size", parameter->size);
    g_autofree char *text = g_strdup_printf("%" G_GUINT64_FORMAT, value);
    ws_json_add_text(json, "value", text);
    json_builder_end_object(json);
}

static void add_sizes(JsonBuilder *json, const char *name, const guint32 *sizes)
{
    ws_json_open_list(json, name);
    for (guint i = 0; i < 3; i++)
        json_builder_add_int_value(json, sizes[i]);
    json_builder_end_array(json);
}

/* What the launches were made with, for programs that are to be launched alike. */
static void add_calls(JsonBuilder *json, const WsJob *job)
{
    ws_json_open_list(json, "calls");
    for (guint32 i = 0; i < MIN(job->launch_count, MOST_CALLS); i++) {
        const WsLaunch *launch = &job->launches[i];
        json_builder_begin_object(json);
        ws_json_add_text(json, "kernel", launch->kernel->display_name);
        add_sizes(json, "grid", launch->grid);
        add_sizes(json, "block", launch->block);
        ws_json_open_list(json, "parameters");
        for (guint32 k = 0; k < launch->kernel->parameter_count; k++)
            add_parameter(json, launch, &launch->kernel->parameters[k]);
        json_builder_end_array(json);
        json_builder_end_object(json);
    }
    json_builder_end_array(json);
}

char *ws_trial_report_write(const WsJob *job, const WsResult *result, char *const *writers,
                            const char *folder)
{
    guint32 instructions = job->program->instruction_count;
    g_autofree WsInstructionCounters *sum = g_new0(WsInstructionCounters, MAX(instructions, 1));
    ws_result_sum_instructions(result, instructions, sum);
    g_autofree char *run = ws_report_json(job, result);
    g_autoptr(JsonBuilder) json = json_builder_new();
    json_builder_begin_object(json);
    json_builder_set_member_name(json, "run");
    json_builder_add_value(json, json_from_string(run, NULL));
    add_line_texts(json, job, sum);
    add_executed(json, job, sum);
    add_code(json, job);
    add_buffer_names(json, job);
    add_writers(json, writers);
    add_calls(json, job);
    json_builder_end_object(json);
    g_autoptr(JsonNode) root = json_builder_get_root(json);
    g_autofree char *text = json_to_string(root, FALSE);
    g_autoptr(GString) whole = g_string_new(text);
    g_autofree char *prefix = g_strconcat(folder, "/", NULL);
    g_string_replace(whole, prefix, "", 0);
    return g_string_free(g_steal_pointer(&whole), FALSE);
}
