#include "inspect/page/page_data.h"

#include "inspect/page/page_calls.h"
#include "inspect/page/page_overview.h"
#include "inspect/page/page_sources.h"
#include "isa/base/escape.h"
#include "isa/bytecode/accesses.h"
#include "isa/text/disassembler.h"
#include "sim/base/json_members.h"
#include "sim/base/json_text.h"
#include "sim/base/meeting_text.h"
#include "sim/device/settings.h"
#include "sim/report/line_profile.h"

static void add_text(JsonBuilder *json, const char *name, const char *value)
{
    g_autofree char *shown = ws_escape_controls(value, -1, "\t");

    json_builder_set_member_name(json, name);
    json_builder_add_string_value(json, shown);
}

/* ---- names --------------------------------------------------------------------------------------
 */

static void add_names(JsonBuilder *json, const WsTimelineRecord *record)
{
    ws_json_open_list(json, "stalls");
    for (guint i = 0; i < WS_STALL_COUNT; i++) {
        json_builder_begin_object(json);
        add_text(json, "name", ws_stall_name((WsStall)i));
        add_text(json, "letter", ws_stall_letter((WsStall)i));
        add_text(json, "help", ws_stall_help((WsStall)i));
        add_text(json, "state", ws_stall_state((WsStall)i));
        json_builder_end_object(json);
    }
    json_builder_end_array(json);
    ws_json_open_list(json, "pipes");
    for (guint i = 0; i < WS_PIPE_COUNT; i++)
        json_builder_add_string_value(json, ws_pipe_name((WsPipe)i));
    json_builder_end_array(json);
    ws_json_open_list(json, "levels");
    for (guint i = 0; i < WS_LEVEL_COUNT; i++)
        json_builder_add_string_value(json, ws_memory_level_name((WsMemoryLevel)i));
    json_builder_end_array(json);
    ws_json_open_list(json, "texts");
    for (guint i = 0; i < record->tables.texts->len; i++)
        json_builder_add_string_value(json, record->tables.texts->pdata[i]);
    json_builder_end_array(json);
}

/* ---- machine ------------------------------------------------------------------------------------
 */

static void add_timeline(JsonBuilder *json, const WsJob *job, const WsTimelineRecord *record)
{
    json_builder_set_member_name(json, "timeline");
    json_builder_begin_object(json);
    ws_json_add_integer(json, "first", record->window.first);
    ws_json_add_integer(json, "end", record->window.end);
    json_builder_set_member_name(json, "cut");
    json_builder_add_boolean_value(json, record->cut);
    ws_json_add_integer(json, "issues", record->issues);
    ws_json_open_list(json, "sms");
    for (guint32 i = 0; i < record->window.sm_count; i++)
        if (record->shown[i])
            json_builder_add_int_value(json, i);
    json_builder_end_array(json);
    ws_json_add_integer(json, "sub_cores", job->device->sub_cores);
    ws_json_add_integer(json, "warp_slots", job->device->max_warps_per_sm);
    ws_json_add_integer(json, "warp_size", job->device->warp_size);
    ws_json_add_integer(json, "device_sms", job->device->sms);
    json_builder_end_object(json);
}

/* The curve as columns, each with one number a span. */
static void add_usage(JsonBuilder *json, const WsUsageCurve *usage)
{
    gint64 resident = 0;

    json_builder_set_member_name(json, "usage");
    json_builder_begin_object(json);
    ws_json_add_integer(json, "width", usage->width);
    ws_json_open_list(json, "warp_cycles");
    for (guint32 i = 0; i < usage->count; i++)
        json_builder_add_int_value(json, (gint64)ws_usage_curve_warp_cycles(usage, i, &resident));
    json_builder_end_array(json);
    ws_json_open_list(json, "issues");
    for (guint32 i = 0; i < usage->count; i++)
        json_builder_add_int_value(json, (gint64)usage->spans[i].issues);
    json_builder_end_array(json);
    ws_json_open_list(json, "lanes");
    for (guint32 i = 0; i < usage->count; i++)
        json_builder_add_int_value(json, (gint64)usage->spans[i].lanes);
    json_builder_end_array(json);
    json_builder_end_object(json);
}

static void add_settings(JsonBuilder *json, const WsDevice *device)
{
    ws_json_open_list(json, "settings");
    for (guint i = 0; i < ws_setting_count(); i++) {
        const WsSetting *setting = ws_setting_at(i);
        g_autofree char *value = ws_setting_value_text(setting, device);

        json_builder_begin_array(json);
        json_builder_add_string_value(json, setting->path);
        json_builder_add_string_value(json, value);
        json_builder_add_string_value(json, setting->unit != NULL ? setting->unit : "");
        json_builder_end_array(json);
    }
    json_builder_end_array(json);
}

static void add_launches(JsonBuilder *json, const WsJob *job, const WsTimelineRecord *record)
{
    ws_json_open_list(json, "launches");
    for (guint i = 0; i < record->launches->len && i < job->launch_count; i++) {
        const WsLaunch *launch = &job->launches[i];
        const WsTimelineLaunch *times = &g_array_index(record->launches, WsTimelineLaunch, i);

        json_builder_begin_object(json);
        add_text(json, "kernel", launch->kernel->display_name);
        ws_json_add_triple(json, "grid", launch->grid);
        ws_json_add_triple(json, "block", launch->block);
        ws_json_add_integer(json, "begin", times->begin);
        ws_json_add_integer(json, "end", times->end);
        json_builder_end_object(json);
    }
    json_builder_end_array(json);
}

/* ---- bytecode -----------------------------------------------------------------------------------
 */

enum { NO_BARRIER = 7 };

/* One list an instruction: what it is, then its counters; the page knows the columns. */
static void add_instruction(JsonBuilder *json, const WsProgram *program, guint32 index,
                            const WsInstructionCounters *counters)
{
    const WsInstruction *instruction = &program->instructions[index];
    const WsOpcodeInfo *info = ws_opcode_info((WsOpcode)instruction->opcode);
    WsInstruction plain = *instruction;
    plain.control = (WsControl){.write_barrier = NO_BARRIER, .read_barrier = NO_BARRIER};
    g_autofree char *text = ws_instruction_to_text(&plain, program->labels);
    g_autofree char *join = ws_meeting_name(program, index);
    g_autofree char *of = join != NULL ? NULL : ws_meeting_opening(program, index);
    g_autofree char *named = join != NULL || of != NULL
                                 ? g_strdup_printf("%s // %s", text, join != NULL ? join : of)
                                 : NULL;
    g_autofree char *shown = ws_escape_controls(named != NULL ? named : text, -1, "");
    guint32 file, line;
    const guint64 numbers[] = {
        counters->issued,  counters->lanes,         counters->lanes_on,        counters->divergent,
        counters->sectors, counters->extra_sectors, counters->extra_wavefronts};

    ws_line_of_instruction(program, index, &file, &line);
    json_builder_begin_array(json);
    json_builder_add_int_value(json, index);
    json_builder_add_string_value(json, shown);
    json_builder_add_int_value(json, file);
    json_builder_add_int_value(json, line);
    json_builder_add_int_value(json, program->locations[instruction->location].ptx_line);
    json_builder_add_int_value(json, ws_class_pipe((WsClass)info->execution_class));
    for (guint i = 0; i < G_N_ELEMENTS(numbers); i++)
        json_builder_add_int_value(json, (gint64)numbers[i]);
    for (guint i = 0; i < WS_STALL_COUNT; i++)
        json_builder_add_int_value(json, (gint64)counters->stalls[i]);
    json_builder_end_array(json);
}

static void add_instructions(JsonBuilder *json, const WsJob *job, const WsResult *result)
{
    const WsProgram *program = job->program;
    g_autofree WsInstructionCounters *sum =
        g_new0(WsInstructionCounters, MAX(program->instruction_count, 1));

    ws_result_sum_instructions(result, program->instruction_count, sum);
    ws_json_open_list(json, "instructions");
    for (guint32 i = 0; i < program->instruction_count; i++)
        if (ws_job_launches(job, i))
            add_instruction(json, program, i, &sum[i]);
    json_builder_end_array(json);
}

static gboolean writes_registers(const WsInstruction *instruction)
{
    WsRegisterAccess accesses[WS_MAX_ACCESSES];
    guint count = ws_instruction_accesses(instruction, accesses);

    for (guint i = 0; i < count; i++)
        if (accesses[i].write)
            return TRUE;
    return FALSE;
}

/*
 * Instructions whose requests are answered: until then they are on their way. A store is told of
 * no answer where nothing waits for it.
 */
static void add_answered(JsonBuilder *json, const WsJob *job, const WsTimelineRecord *record)
{
    const WsProgram *program = job->program;

    ws_json_open_list(json, "answered");
    for (guint32 i = 0; i < program->instruction_count; i++)
        if (ws_job_launches(job, i) &&
            (writes_registers(&program->instructions[i]) ||
             g_hash_table_contains(record->tables.answered, GUINT_TO_POINTER(i))))
            json_builder_add_int_value(json, i);
    json_builder_end_array(json);
}

char *ws_run_page_data(const WsPageRun *run)
{
    const WsJob *job = run->job;
    const WsTimelineRecord *record = run->record;
    g_autoptr(JsonBuilder) json = json_builder_new();

    json_builder_begin_object(json);
    add_text(json, "schema", "warpstep-page-1");
    add_text(json, "target", job->path);
    add_timeline(json, job, record);
    add_names(json, record);
    add_launches(json, job, record);
    add_usage(json, &record->usage);
    ws_page_add_samples(json, run->samples);
    ws_page_add_overview(json, record);
    ws_page_add_highlights(json, run);
    ws_page_add_quiz(json, run);
    ws_run_page_add_sources(json, job);
    ws_run_page_add_ptx(json, job);
    add_instructions(json, job, run->result);
    ws_page_add_calls(json, job);
    add_answered(json, job, record);
    add_settings(json, job->device);
    json_builder_end_object(json);
    g_autoptr(JsonNode) root = json_builder_get_root(json);
    return ws_json_text(root);
}
