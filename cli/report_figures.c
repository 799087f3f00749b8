/* The figures of a run: time, issues, lanes. */
#include "cli/report_parts.h"

#include <math.h>
#include <string.h>

#include "sim/report/float_operations.h"
#include "sim/report/memory_use.h"

/* Times that lanes of a warp were split, by whatever instruction. */
static guint64 count_splits(GArray *lines)
{
    guint64 sum = 0;
    for (guint i = 0; i < lines->len; i++)
        sum += g_array_index(lines, WsLineCounters, i).counters.divergent;
    return sum;
}

static void append_lane_rows(WsReport *report, const WsJob *job, const WsCounters *total,
                             GArray *lines)
{
    guint64 size = job->device->warp_size;
    double issued = (double)total->warp_instructions;
    g_autofree char *lanes =
        ws_percent(total->thread_instructions, total->warp_instructions * size);
    g_autofree char *remark =
        issued == 0 ? g_strdup("")
                    : g_strdup_printf("%.1f of %" G_GUINT64_FORMAT
                                      " lanes active per instruction, %.1f with a true guard",
                                      (double)total->thread_instructions / issued, size,
                                      (double)total->thread_instructions_pred_on / issued);
    ws_report_field_text(report, "lane efficiency", lanes, remark);
    g_autofree char *split = ws_percent(total->branches_divergent, total->branches_executed);
    guint64 splits = count_splits(lines);
    g_autofree char *divergent = ws_grouped(total->branches_divergent);
    g_autofree char *executed = ws_grouped(total->branches_executed);
    g_autofree char *exits = ws_count_of(splits - MIN(splits, total->branches_divergent), "exit");
    g_autofree char *diverged = ws_grouped(total->warps_diverged);
    g_autofree char *launched = ws_grouped(total->warps_launched);
    g_autofree char *counts =
        g_strdup_printf("%s of %s branches diverged, and %s", divergent, executed, exits);
    ws_report_field_text(report, "divergent branches", split, counts);
    g_autofree char *part = ws_percent(total->warps_diverged, total->warps_launched);
    g_autofree char *warps =
        g_strdup_printf("%s of %s warps diverged at least once", diverged, launched);
    ws_report_field_text(report, "diverged warps", part, warps);
}

static void append_float_row(WsReport *report, const WsJob *job, const WsResult *result)
{
    guint64 count = ws_float_operations(job->program, result);
    double rate = ws_tflops(count, result->total.elapsed_cycles, job->device);
    g_autofree char *all = ws_grouped(count), *text = NULL;
    g_autoptr(GString) help = g_string_new(NULL);
    WsMemoryUse use;

    if (count == 0 || isnan(rate))
        return;
    text = g_strdup_printf("%.3f", rate);
    g_string_assign(help, "TFLOPS: ");
    ws_memory_use(job, result, &use);
    if (use.known && use.fair && use.sms < use.of)
        g_string_append_printf(help, "%.2f on %" G_GUINT64_FORMAT " such SMs; ",
                               rate * (double)use.of / (double)use.sms, use.of);
    g_string_append_printf(help, "%s operations", all);
    ws_report_field_text(report, "floating point", text, help->str);
}

void ws_report_figures(WsReport *report, const WsJob *job, const WsResult *result, GArray *lines)
{
    const WsCounters *total = &result->total;
    const WsDevice *device = job->device;
    ws_report_heading(report, "Figures");
    ws_report_field(report, "cycles", total->cycles,
                    "the longest time that any SM had a resident warp");
    g_autofree char *time =
        g_strdup_printf("first launch to last completion: %.3f us at %.0f MHz",
                        (double)total->elapsed_cycles / (double)device->clock_khz * 1e3,
                        (double)device->clock_khz / 1e3);
    ws_report_field(report, "elapsed cycles", total->elapsed_cycles, time);
    ws_report_field(report, "warp instructions", total->warp_instructions, "");
    g_autofree char *ipc =
        total->active_sm_cycles == 0
            ? g_strdup("-")
            : g_strdup_printf("%.3f", ws_share(total->warp_instructions, total->active_sm_cycles));
    g_autofree char *peak =
        g_strdup_printf("per active SM cycle, of at most %" G_GUINT64_FORMAT " (one per sub-core)",
                        device->sub_cores);
    ws_report_field_text(report, "IPC", ipc, peak);
    append_float_row(report, job, result);
    append_lane_rows(report, job, total, lines);
}

void ws_report_compiler(WsReport *report, const WsProgram *program)
{
    const char *number = program->compiler != NULL ? strrchr(program->compiler, ' ') : NULL;
    if (number == NULL)
        return;
    g_autofree char *name =
        g_strdup_printf("compiled by %.*s", (int)(number - program->compiler), program->compiler);
    ws_report_field_text(
        report, name, number + 1,
        "another version generates different code, which may take a different number of cycles");
}
