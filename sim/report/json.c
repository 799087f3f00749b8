#include "sim/report/json.h"
#include "sim/launch/buffer_slice.h"
#include "sim/launch/code_regions.h"

#include "sim/base/json_members.h"
#include "sim/base/json_text.h"
#include "sim/report/bottleneck.h"
#include "sim/report/findings_json.h"
#include "sim/report/float_operations.h"
#include "sim/report/line_profile.h"
#include "sim/report/memory_use.h"
#include "sim/report/waits.h"

#include <math.h>

static const char *const schema = "warpstep-run-1";
static const char *const functional_schema = "warpstep-functional-1";

static double ratio(double part, double whole)
{
    return whole == 0 ? (double)NAN : part / whole;
}

/* ---- counters ---------------------------------------------------------------------------------
 */

static void add_stalls(JsonBuilder *json, const guint64 stalls[WS_STALL_COUNT], gboolean zeros)
{
    ws_json_open_object(json, "stalls");
    for (guint i = 0; i < WS_STALL_COUNT; i++)
        if (zeros || stalls[i] != 0)
            ws_json_add_integer(json, ws_stall_name((WsStall)i), stalls[i]);
    json_builder_end_object(json);
}

static void add_memory(JsonBuilder *json, const WsCounters *counters)
{
    ws_json_open_object(json, "memory");
    ws_json_add_integer(json, "global_load_requests", counters->global_load_requests);
    ws_json_add_integer(json, "global_load_sectors", counters->global_load_sectors);
    ws_json_add_integer(json, "global_store_requests", counters->global_store_requests);
    ws_json_add_integer(json, "global_store_sectors", counters->global_store_sectors);
    ws_json_add_integer(json, "local_load_requests", counters->local_load_requests);
    ws_json_add_integer(json, "local_store_requests", counters->local_store_requests);
    ws_json_add_integer(json, "texture_requests", counters->texture_requests);
    ws_json_add_integer(json, "texture_sectors", counters->texture_sectors);
    ws_json_add_integer(json, "shared_wavefronts", counters->shared_wavefronts);
    ws_json_add_integer(json, "shared_bank_conflicts", counters->shared_bank_conflicts);
    ws_json_add_number(json, "l1_hit_rate",
                       ratio((double)counters->l1_hits, (double)counters->l1_lookups));
    ws_json_add_number(json, "l2_hit_rate",
                       ratio((double)counters->l2_hits, (double)counters->l2_lookups));
    ws_json_add_integer(json, "dram_read_bytes", counters->dram_read_bytes);
    ws_json_add_integer(json, "dram_write_bytes", counters->dram_write_bytes);
    json_builder_end_object(json);
}

static void add_sub_cores(JsonBuilder *json, const WsCounters *counters, const WsDevice *device)
{
    json_builder_set_member_name(json, "ipc_sub_cores");
    json_builder_begin_array(json);
    for (guint i = 0; i < device->sub_cores && counters->active_sm_cycles != 0; i++)
        json_builder_add_double_value(json, (double)counters->sub_core_instructions[i] /
                                                (double)counters->active_sm_cycles);
    json_builder_end_array(json);
}

static void add_counters(JsonBuilder *json, const WsCounters *counters, guint64 operations,
                         const WsDevice *device)
{
    double issued = (double)counters->warp_instructions;
    ws_json_add_integer(json, "cycles", counters->cycles);
    ws_json_add_integer(json, "elapsed_cycles", counters->elapsed_cycles);
    ws_json_add_integer(json, "active_sm_cycles", counters->active_sm_cycles);
    ws_json_add_integer(json, "warp_instructions", counters->warp_instructions);
    ws_json_add_integer(json, "thread_instructions", counters->thread_instructions);
    ws_json_add_integer(json, "thread_instructions_pred_on", counters->thread_instructions_pred_on);
    ws_json_add_number(json, "ipc", ratio(issued, (double)counters->active_sm_cycles));
    add_sub_cores(json, counters, device);
    ws_json_add_integer(json, "float_operations", operations);
    ws_json_add_number(json, "tflops", ws_tflops(operations, counters->elapsed_cycles, device));
    ws_json_add_number(
        json, "lane_efficiency",
        ratio((double)counters->thread_instructions, (double)device->warp_size * issued));
    ws_json_open_object(json, "branches");
    ws_json_add_integer(json, "executed", counters->branches_executed);
    ws_json_add_integer(json, "divergent", counters->branches_divergent);
    json_builder_end_object(json);
    ws_json_open_object(json, "warps");
    ws_json_add_integer(json, "launched", counters->warps_launched);
    ws_json_add_integer(json, "diverged", counters->warps_diverged);
    ws_json_add_integer(json, "diverged_warp_cycles", counters->diverged_warp_cycles);
    json_builder_end_object(json);
    ws_json_open_object(json, "blocks");
    ws_json_add_integer(json, "launched", counters->blocks_launched);
    json_builder_end_object(json);
    ws_json_add_integer(json, "warp_cycles", counters->warp_cycles);
    add_stalls(json, counters->stalls, TRUE);
    add_memory(json, counters);
}

static void add_losses(JsonBuilder *json, const WsOccupancySummary *occupancy)
{
    ws_json_add_integer(json, "possible_warp_cycles", occupancy->possible_warp_cycles);
    ws_json_open_object(json, "losses");
    for (guint i = 0; i < WS_LOSS_COUNT; i++)
        ws_json_add_integer(json, ws_occupancy_loss_name((WsOccupancyLoss)i), occupancy->losses[i]);
    json_builder_end_object(json);
    ws_json_add_integer(json, "idle_sms", occupancy->idle_sms);
    ws_json_add_integer(json, "imbalance_sm_cycles", occupancy->imbalance_sm_cycles);
}

static void add_occupancy(JsonBuilder *json, const WsOccupancySummary *occupancy)
{
    ws_json_open_object(json, "occupancy");
    ws_json_add_number(json, "theoretical", occupancy->theoretical);
    ws_json_add_number(json, "achieved", occupancy->achieved);
    ws_json_open_list(json, "per_sm");
    for (guint32 i = 0; i < occupancy->sm_count; i++) {
        if (isnan(occupancy->per_sm[i]))
            json_builder_add_null_value(json);
        else
            json_builder_add_double_value(json, occupancy->per_sm[i]);
    }
    json_builder_end_array(json);
    ws_json_add_integer(json, "blocks_per_sm", occupancy->blocks_per_sm);
    ws_json_add_texts(json, "limiters", occupancy->limiters);
    add_losses(json, occupancy);
    json_builder_end_object(json);
}

/* ---- lines ------------------------------------------------------------------------------------
 */

static void add_lines(JsonBuilder *json, const WsProgram *program,
                      const WsInstructionCounters *counters)
{
    g_autoptr(GArray) lines = ws_line_profile(program, counters);
    ws_json_open_list(json, "lines");
    for (guint i = 0; i < lines->len; i++) {
        const WsLineCounters *line = &g_array_index(lines, WsLineCounters, i);
        json_builder_begin_object(json);
        ws_json_add_text(json, "file", line->file == 0 ? NULL : program->files[line->file]);
        ws_json_add_integer(json, "line", line->line);
        ws_json_add_integer(json, "instructions", line->counters.issued);
        ws_json_add_integer(json, "lanes", line->counters.lanes);
        ws_json_add_integer(json, "lanes_pred_on", line->counters.lanes_on);
        ws_json_add_integer(json, "divergent", line->counters.divergent);
        ws_json_add_integer(json, "extra_wavefronts", line->counters.extra_wavefronts);
        ws_json_add_integer(json, "sectors", line->counters.sectors);
        ws_json_add_integer(json, "extra_sectors", line->counters.extra_sectors);
        add_stalls(json, line->counters.stalls, FALSE);
        json_builder_end_object(json);
    }
    json_builder_end_array(json);
}

/* By name; nothing where there are none. */
static void add_regions(JsonBuilder *json, const WsJob *job, const WsResult *result)
{
    double warp_size = (double)job->device->warp_size;

    if (result->regions == NULL)
        return;
    ws_json_open_object(json, "regions");
    for (guint32 i = 0; i < job->region_count; i++) {
        const WsRegionResult *region = &result->regions[i];
        const WsInstructionCounters *counters = &region->counters;

        ws_json_open_object(json, job->regions[i].name);
        ws_json_add_text(json, "lines", job->regions[i].place);
        ws_json_add_integer(json, "cycles", region->cycles);
        ws_json_add_number(json, "us",
                           ratio(1e3 * (double)region->cycles, (double)job->device->clock_khz));
        ws_json_add_integer(json, "active_sm_cycles", region->active_sm_cycles);
        ws_json_add_integer(json, "warp_cycles", region->warp_cycles);
        ws_json_add_number(json, "time",
                           ratio((double)region->warp_cycles, (double)result->total.warp_cycles));
        ws_json_add_integer(json, "warp_instructions", counters->issued);
        ws_json_add_integer(json, "thread_instructions", counters->lanes);
        ws_json_add_integer(json, "thread_instructions_pred_on", counters->lanes_on);
        ws_json_add_number(json, "lane_efficiency",
                           ratio((double)counters->lanes, warp_size * (double)counters->issued));
        ws_json_add_integer(json, "divergent", counters->divergent);
        ws_json_add_integer(json, "extra_wavefronts", counters->extra_wavefronts);
        ws_json_add_integer(json, "sectors", counters->sectors);
        ws_json_add_integer(json, "extra_sectors", counters->extra_sectors);
        add_stalls(json, counters->stalls, TRUE);
        json_builder_end_object(json);
    }
    json_builder_end_object(json);
}

static void add_bottlenecks(JsonBuilder *json, const WsJob *job, const WsResult *result)
{
    guint32 count = job->program->instruction_count;
    g_autofree WsInstructionCounters *sum = g_new0(WsInstructionCounters, MAX(count, 1));
    ws_result_sum_instructions(result, count, sum);
    g_autoptr(GArray) lines = ws_line_profile(job->program, sum);
    g_autoptr(GArray) found = ws_bottlenecks_find(job, result, lines);
    ws_json_open_list(json, "bottlenecks");
    for (guint i = 0; i < found->len; i++) {
        const WsBottleneck *bottleneck = &g_array_index(found, WsBottleneck, i);
        gboolean placed = bottleneck->file != 0;
        json_builder_begin_object(json);
        ws_json_add_text(json, "name", bottleneck->name);
        ws_json_add_text(json, "kind", ws_bottleneck_kind_name(bottleneck->kind));
        ws_json_add_text(json, "text", bottleneck->text);
        ws_json_add_integer(json, "count", bottleneck->count);
        ws_json_add_integer(json, "total", bottleneck->total);
        ws_json_add_text(json, "unit", bottleneck->unit);
        ws_json_add_number(json, "bound", bottleneck->bound);
        ws_json_add_text(json, "bound_of", bottleneck->bound_of);
        ws_json_add_text(json, "file", placed ? job->program->files[bottleneck->file] : NULL);
        ws_json_add_integer(json, "line", bottleneck->line);
        json_builder_end_object(json);
    }
    json_builder_end_array(json);
}

/* ---- parts of the document --------------------------------------------------------------------
 */

static void add_place(JsonBuilder *json, const WsJob *job, const WsStop *stop)
{
    const WsProgram *program = job->program;
    if (stop->instruction < 0 || stop->instruction >= program->instruction_count) {
        ws_json_add_text(json, "file", NULL);
        return;
    }
    guint32 file, line;
    guint32 instruction = (guint32)stop->instruction;
    ws_line_of_instruction(program, instruction, &file, &line);
    ws_json_add_text(json, "file", file == 0 ? NULL : program->files[file]);
    ws_json_add_integer(json, "line", line);
    const WsLocation *location = &program->locations[program->instructions[instruction].location];
    ws_json_add_integer(json, "ptx_line", location->ptx_line);
    ws_json_add_integer(json, "instruction", instruction);
}

static void add_optional(JsonBuilder *json, const char *name, gint32 value)
{
    if (value >= 0)
        ws_json_add_integer(json, name, (guint64)value);
    else
        ws_json_add_text(json, name, NULL);
}

static void add_error(JsonBuilder *json, const WsJob *job, const WsResult *result)
{
    const WsStop *stop = &result->stop;
    if (stop->message == NULL) {
        ws_json_add_text(json, "error", NULL);
        return;
    }
    ws_json_open_object(json, "error");
    ws_json_add_text(json, "message", stop->message);
    ws_json_add_text(json, "details", stop->details);
    ws_json_add_integer(json, "cycle", stop->cycle);
    ws_json_add_integer(json, "launch", stop->launch);
    ws_json_add_triple(json, "block", stop->block);
    ws_json_add_triple(json, "thread", stop->thread);
    add_optional(json, "sm", stop->sm);
    add_optional(json, "warp", stop->warp);
    add_optional(json, "lane", stop->lane);
    add_place(json, job, stop);
    ws_waits_add_json(json, "waits", stop->waits, job->program);
    json_builder_end_object(json);
}

static void add_checks(JsonBuilder *json, const WsJob *job, const WsResult *result)
{
    ws_json_open_list(json, "checks");
    for (guint32 i = 0; i < result->check_count; i++) {
        const WsCheckResult *check = &result->checks[i];
        const WsExpectation *expectation = &job->expectations[check->expectation];
        json_builder_begin_object(json);
        ws_json_add_text(json, "buffer", job->buffers[expectation->index].name);
        json_builder_set_member_name(json, "passed");
        json_builder_add_boolean_value(json, check->passed);
        ws_json_add_text(json, "file", expectation->source);
        if (expectation->reference != 0)
            ws_json_add_text(
                json, "kernel",
                job->reference_launches[expectation->reference - 1].kernel->display_name);
        ws_json_add_number(json, "rel", expectation->relative);
        ws_json_add_number(json, "abs", expectation->absolute);
        ws_json_add_integer(json, "elements", job->buffers[expectation->index].count);
        ws_json_add_integer(json, "mismatches", check->mismatches);
        ws_json_add_number(json, "largest_error", check->largest_error);
        if (!check->passed) {
            ws_json_add_integer(json, "first_index", check->first_index);
            ws_json_add_text(json, "expected", check->expected);
            ws_json_add_text(json, "actual", check->actual);
        }
        json_builder_end_object(json);
    }
    json_builder_end_array(json);
}

/* As valid UTF-8; nothing where nothing was printed. */
static void add_printed(JsonBuilder *json, const WsPrintLog *printed)
{
    gsize length;
    g_autofree char *text = ws_print_log_text(printed, &length);
    g_autofree char *valid = g_utf8_make_valid(text, (gssize)length);
    if (length == 0 && printed->lost == 0)
        return;
    ws_json_add_text(json, "printed", valid);
    ws_json_add_integer(json, "printed_calls_lost", printed->lost);
}

static void add_launch(JsonBuilder *json, const WsJob *job, const WsResult *result, guint32 index)
{
    const WsLaunchResult *launch = &result->launches[index];
    json_builder_begin_object(json);
    ws_json_add_text(json, "kernel", launch->kernel);
    ws_json_add_text(json, "mangled", job->launches[index].kernel->name);
    ws_json_add_triple(json, "grid", job->launches[index].grid);
    ws_json_add_triple(json, "block", job->launches[index].block);
    ws_json_add_integer(json, "dynamic_shared_bytes", job->launches[index].dynamic_shared_bytes);
    ws_json_add_integer(json, "registers_per_thread", launch->registers_per_thread);
    add_counters(json, &launch->counters, ws_launch_float_operations(job->program, launch),
                 job->device);
    add_occupancy(json, &launch->occupancy);
    add_printed(json, &launch->printed);
    add_lines(json, job->program, launch->instructions);
    json_builder_end_object(json);
}

/* Of several launches: what all share, null where they differ; `achieved` over all of them. */
static void add_total_occupancy(JsonBuilder *json, const WsJob *job, const WsResult *result)
{
    const WsOccupancySummary *first = &result->launches[0].occupancy;
    gboolean same = TRUE;
    for (guint32 i = 1; i < result->launch_count; i++)
        same = same && result->launches[i].occupancy.blocks_per_sm == first->blocks_per_sm &&
               result->launches[i].occupancy.theoretical == first->theoretical;
    double slots = (double)(job->device->max_warps_per_sm * result->total.active_sm_cycles);
    ws_json_open_object(json, "occupancy");
    ws_json_add_number(json, "theoretical", same ? first->theoretical : (double)NAN);
    ws_json_add_number(json, "achieved", ratio((double)result->total.warp_cycles, slots));
    ws_json_add_text(json, "per_sm", NULL);
    if (same)
        ws_json_add_integer(json, "blocks_per_sm", first->blocks_per_sm);
    else
        ws_json_add_text(json, "blocks_per_sm", NULL);
    ws_json_add_texts(json, "limiters", same ? first->limiters : NULL);
    WsOccupancySummary sum;
    ws_result_sum_losses(result, &sum);
    add_losses(json, &sum);
    json_builder_end_object(json);
}

static void add_totals(JsonBuilder *json, const WsJob *job, const WsResult *result)
{
    const char *kernel = result->launch_count > 0 ? result->launches[0].kernel : NULL;
    guint32 registers = 0;
    for (guint32 i = 0; i < result->launch_count; i++) {
        registers = MAX(registers, result->launches[i].registers_per_thread);
        if (g_strcmp0(kernel, result->launches[i].kernel) != 0)
            kernel = NULL;
    }
    ws_json_add_text(json, "device", job->device->name);
    ws_json_add_text(json, "kernel", kernel);
    ws_json_add_integer(json, "registers_per_thread", registers);
    add_counters(json, &result->total, ws_float_operations(job->program, result), job->device);
    if (result->launch_count == 1)
        add_occupancy(json, &result->launches[0].occupancy);
    else if (result->launch_count > 1)
        add_total_occupancy(json, job, result);
    else
        ws_json_add_text(json, "occupancy", NULL);
    guint32 count = job->program->instruction_count;
    g_autofree WsInstructionCounters *sum = g_new0(WsInstructionCounters, MAX(count, 1));
    ws_result_sum_instructions(result, count, sum);
    add_lines(json, job->program, sum);
}

/* The share of L2 and DRAM, and what was taken of it; null where memory has a fixed latency. */
static void add_memory_share(JsonBuilder *json, const WsJob *job, const WsResult *result)
{
    WsMemoryUse use;
    ws_memory_use(job, result, &use);
    g_autofree char *warning = ws_memory_use_warning(&use);
    if (!use.known) {
        ws_json_add_text(json, "memory_share", NULL);
        return;
    }
    ws_json_open_object(json, "memory_share");
    ws_json_add_text(json, "kind", use.fair ? "fair" : "whole");
    ws_json_add_integer(json, "sms", use.sms);
    ws_json_add_integer(json, "of_sms", use.of);
    ws_json_add_number(json, "dram_taken", use.dram_taken);
    ws_json_add_number(json, "l2_taken", use.l2_taken);
    ws_json_add_number(json, "l2_held", use.l2_held);
    ws_json_add_text(json, "warning", warning);
    json_builder_end_object(json);
}

static void add_let(JsonBuilder *json, const WsJob *job)
{
    ws_json_open_object(json, "let");
    for (guint32 i = 0; i < job->let_count; i++) {
        json_builder_set_member_name(json, job->let[i].name);
        json_builder_add_int_value(json, job->let[i].value);
    }
    json_builder_end_object(json);
}

static void add_shown(JsonBuilder *json, const WsJob *job)
{
    if (job->shown_count == 0)
        return;
    ws_json_open_list(json, "buffers");
    for (guint32 i = 0; i < job->shown_count; i++)
        ws_buffer_slice_add_json(job, &job->shown[i], json);
    json_builder_end_array(json);
}

/* What a launch has without time. */
static void add_counts(JsonBuilder *json, const WsCounters *counters)
{
    ws_json_add_integer(json, "warps_launched", counters->warps_launched);
    ws_json_add_integer(json, "warp_instructions", counters->warp_instructions);
    ws_json_add_integer(json, "thread_instructions", counters->thread_instructions);
}

static void add_functional(JsonBuilder *json, const WsJob *job, const WsResult *result)
{
    ws_json_add_text(json, "device", job->device->name);
    add_counts(json, &result->total);
    ws_json_open_list(json, "launches");
    for (guint32 i = 0; i < result->launch_count; i++) {
        json_builder_begin_object(json);
        ws_json_add_text(json, "kernel", result->launches[i].kernel);
        ws_json_add_text(json, "mangled", job->launches[i].kernel->name);
        ws_json_add_triple(json, "grid", job->launches[i].grid);
        ws_json_add_triple(json, "block", job->launches[i].block);
        add_counts(json, &result->launches[i].counters);
        add_printed(json, &result->launches[i].printed);
        json_builder_end_object(json);
    }
    json_builder_end_array(json);
}

static void add_figures(JsonBuilder *json, const WsJob *job, const WsResult *result)
{
    add_totals(json, job, result);
    add_memory_share(json, job, result);
    ws_json_open_list(json, "launches");
    for (guint32 i = 0; i < result->launch_count; i++)
        add_launch(json, job, result, i);
    json_builder_end_array(json);
}

char *ws_report_json(const WsJob *job, const WsResult *result)
{
    g_autoptr(JsonBuilder) json = json_builder_new();
    json_builder_begin_object(json);
    ws_json_add_text(json, "schema", result->functional ? functional_schema : schema);
    ws_json_add_text(json, "version", WS_VERSION);
    ws_json_add_text(json, "compiler", job->program->compiler);
    ws_json_add_text(json, "status", ws_status_name(result->status));
    add_error(json, job, result);
    ws_json_add_texts(json, "warnings", result->warnings);
    if (!result->functional)
        add_bottlenecks(json, job, result);
    add_let(json, job);
    if (result->functional)
        add_functional(json, job, result);
    else
        add_figures(json, job, result);
    add_checks(json, job, result);
    if (!result->functional)
        add_regions(json, job, result);
    ws_findings_add_json(json, job, result->findings);
    add_shown(json, job);
    json_builder_end_object(json);
    g_autoptr(JsonNode) root = json_builder_get_root(json);
    return ws_json_text(root);
}
