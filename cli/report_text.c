#include "cli/report_text.h"

#include "cli/report_parts.h"
#include "isa/base/size.h"
#include "sim/report/bottleneck.h"

enum { TOP_BOTTLENECKS = 4, SUMMARY_INDENT = 10 };

/* ---- the answer in a sentence ------------------------------------------------------------------
 */

static void append_summary(WsReport *report, const WsJob *job, const WsResult *result,
                           const GArray *lines)
{
    g_autoptr(GArray) found = ws_bottlenecks_find(job, result, lines);
    /* Who looks for a fault wants to read of nothing else. */
    gboolean stopped = result->status >= WS_STATUS_FAULT && result->status <= WS_STATUS_LIVELOCK;
    for (guint i = 0; i < MIN(found->len, stopped ? 1 : TOP_BOTTLENECKS); i++) {
        const WsBottleneck *bottleneck = &g_array_index(found, WsBottleneck, i);
        ws_report_add(report, "%s", i == 0 ? "\nIn short: " : "    also: ");
        ws_report_wrapped(report, bottleneck->text, SUMMARY_INDENT);
        if (bottleneck->file == 0)
            continue;
        g_autofree char *place = ws_report_place(job->program, bottleneck->file, bottleneck->line);
        g_autofree char *source = ws_source_line(job->sources, bottleneck->file, bottleneck->line);
        ws_report_add(report, "%*s%s%s%s\n", SUMMARY_INDENT, "", place, source != NULL ? ": " : "",
                      source != NULL ? source : "");
    }
}

/* A result that holds only while the other SMs leave L2 and DRAM alone says so at the top. */
static void append_warning(WsReport *report, const WsMemoryUse *use)
{
    g_autofree char *warning = ws_memory_use_warning(use);
    if (warning == NULL)
        return;
    ws_report_add(report, "    note: ");
    ws_report_wrapped(report, warning, SUMMARY_INDENT);
}

/* ", against kernel 'reference'" */
static char *check_origin(const WsJob *job, const WsExpectation *expectation)
{
    if (expectation->reference == 0)
        return g_strdup("");
    return g_strdup_printf(
        ", against kernel '%s'",
        job->reference_launches[expectation->reference - 1].kernel->display_name);
}

static void append_checks(WsReport *report, const WsJob *job, const WsResult *result)
{
    if (result->check_count == 0)
        return;
    ws_report_heading(report, "Checks");
    for (guint32 i = 0; i < result->check_count; i++) {
        const WsCheckResult *check = &result->checks[i];
        const WsExpectation *expectation = &job->expectations[check->expectation];
        const WsBuffer *buffer = &job->buffers[expectation->index];
        g_autofree char *count = ws_grouped(buffer->count);
        g_autofree char *origin = check_origin(job, expectation);
        if (check->passed) {
            ws_report_add(report, "  passed  %s: %s elements, largest error %g%s", buffer->name,
                          count, check->largest_error, origin);
        } else {
            g_autofree char *bad = ws_grouped(check->mismatches);
            ws_report_add(report,
                          "  FAILED  %s: %s of %s elements differ; %s[%" G_GUINT64_FORMAT
                          "] is %s, expected %s%s",
                          buffer->name, bad, count, buffer->name, check->first_index, check->actual,
                          check->expected, origin);
        }
        ws_report_add(report, "\n");
    }
}

static void append_mangled(WsReport *report, const WsJob *job, const WsResult *result)
{
    g_autoptr(GHashTable) shared_names = ws_program_shared_names(job->program);
    if (result->launch_count == 1 && ws_kernel_shows_mangled(job->launches[0].kernel, shared_names))
        ws_report_add(report, "in the PTX: %s\n", job->launches[0].kernel->name);
}

static void append_title(WsReport *report, const WsJob *job, const WsResult *result)
{
    g_autofree char *name = ws_printable(job->device->name);
    if (result->launch_count == 1) {
        const WsLaunch *launch = &job->launches[0];
        const WsCounters *counters = &result->total;
        g_autofree char *blocks = ws_count_of(ws_size_volume(launch->grid), "block");
        g_autofree char *threads = ws_count_of(ws_size_volume(launch->block), "thread");
        g_autofree char *warps = ws_count_of(counters->warps_launched, "warp");
        ws_report_add(report, "%s on %s: %s of %s, %s started", result->launches[0].kernel, name,
                      blocks, threads, warps);
    } else {
        ws_report_add(report, "%u launches on %s", result->launch_count, name);
    }
    ws_report_add(report, "\n");
    append_mangled(report, job, result);
    if (result->status != WS_STATUS_OK)
        ws_report_add(
            report, "status: %s%s\n", ws_status_name(result->status),
            result->status == WS_STATUS_CHECK_FAILED ? "" : "; the figures are those up to there");
}

/* Counters by instruction over all launches. Free with g_free. */
static GArray *all_lines(const WsJob *job, const WsResult *result)
{
    guint32 count = job->program->instruction_count;
    g_autofree WsInstructionCounters *sum = g_new0(WsInstructionCounters, MAX(count, 1));
    ws_result_sum_instructions(result, count, sum);
    return ws_line_profile(job->program, sum);
}

static void append_functional_launches(WsReport *report, const WsResult *result)
{
    enum { MOST = 20 };
    if (result->launch_count < 2)
        return;
    ws_report_heading(report, "Launches");
    ws_report_add(report, "  %4s %-30s %15s %15s\n", "", "kernel", "warp instr.", "thread instr.");
    for (guint32 i = 0; i < MIN(result->launch_count, MOST); i++) {
        const WsCounters *counters = &result->launches[i].counters;
        g_autofree char *warps = ws_grouped(counters->warp_instructions);
        g_autofree char *threads = ws_grouped(counters->thread_instructions);
        g_autofree char *name = ws_cut(result->launches[i].kernel, 30);
        ws_report_add(report, "  %4u %-30s %15s %15s\n", i, name, warps, threads);
    }
    if (result->launch_count > MOST)
        ws_report_add(report, "  ... and %u more\n", result->launch_count - MOST);
}

static char *functional_text(const WsJob *job, const WsResult *result, int width)
{
    WsReport report = {.out = g_string_new(NULL), .width = width};
    const WsCounters *total = &result->total;
    append_title(&report, job, result);
    ws_report_add(&report, "without timing: values and instruction counts, no cycles\n");
    ws_report_field(&report, "warp instructions", total->warp_instructions, "");
    ws_report_field(&report, "thread instructions", total->thread_instructions,
                    "lanes that are active, those that a predicate switches off included");
    ws_report_compiler(&report, job->program);
    append_functional_launches(&report, result);
    ws_report_printed(&report, result);
    append_checks(&report, job, result);
    ws_report_findings(&report, job, result->findings);
    return ws_report_end(&report);
}

char *ws_report_text(const WsJob *job, const WsResult *result, int width)
{
    if (result->functional)
        return functional_text(job, result, width);
    WsReport report = {.out = g_string_new(NULL), .width = width};
    g_autoptr(GArray) lines = all_lines(job, result);
    WsMemoryUse use;
    ws_memory_use(job, result, &use);
    append_title(&report, job, result);
    append_summary(&report, job, result, lines);
    append_warning(&report, &use);
    ws_report_figures(&report, job, result, lines);
    if (result->launch_count == 1)
        ws_report_occupancy(&report, job, &result->launches[0]);
    ws_report_compiler(&report, job->program);
    if (result->launch_count > 1)
        ws_report_launches(&report, job, result);
    ws_report_stalls(&report, &result->total);
    ws_report_regions(&report, job, result);
    ws_report_lines(&report, job, &result->total, lines);
    ws_report_splits(&report, job, &result->total, lines);
    ws_report_memory(&report, &result->total, &use);
    ws_report_printed(&report, result);
    append_checks(&report, job, result);
    ws_report_findings(&report, job, result->findings);
    return ws_report_end(&report);
}
