/* Occupancy of a launch, and launches side by side. */
#include "cli/report_parts.h"
#include "isa/base/size.h"

#include <math.h>

enum { TOP_LAUNCHES = 40 };
enum { WORTH_A_LINE = 20 }; /* shares of less than one part in so many are left out */

static gint compare_losses(gconstpointer a, gconstpointer b, gpointer data)
{
    const guint64 *losses = data;
    guint x = *(const guint *)a, y = *(const guint *)b;
    if (losses[x] != losses[y])
        return losses[x] < losses[y] ? 1 : -1;
    return x < y ? -1 : x > y;
}

/* "tail 12.0 % (...), ramp_up 0.3 %": in shares of all warp slots, the largest first. */
static char *losses_text(const WsOccupancySummary *occupancy, double slots)
{
    GString *out = g_string_new(NULL);
    guint order[WS_LOSS_COUNT];
    for (guint i = 0; i < WS_LOSS_COUNT; i++)
        order[i] = i;
    g_qsort_with_data(order, WS_LOSS_COUNT, sizeof *order, compare_losses,
                      (gpointer)occupancy->losses);
    for (guint i = 0; i < WS_LOSS_COUNT && occupancy->losses[order[i]] != 0; i++) {
        WsOccupancyLoss loss = (WsOccupancyLoss)order[i];
        double part = 100 * (double)occupancy->losses[loss] / slots;
        if (i != 0 && part < 0.05)
            break;
        g_string_append_printf(out, "%s%s %.1f %%", i == 0 ? "" : ", ",
                               ws_occupancy_loss_name(loss), part);
        if (i == 0 || part >= 1)
            g_string_append_printf(out, " (%s)", ws_occupancy_loss_help(loss));
    }
    return g_string_free(out, FALSE);
}

static void append_losses(WsReport *report, const WsJob *job, const WsOccupancySummary *occupancy,
                          const WsCounters *counters)
{
    double slots = (double)(job->device->max_warps_per_sm * counters->active_sm_cycles);
    guint64 lost = occupancy->possible_warp_cycles - counters->warp_cycles;
    if (slots == 0 || lost == 0)
        return;
    g_autofree char *part = g_strdup_printf("%.1f %%", 100 * (double)lost / slots);
    g_autofree char *causes = losses_text(occupancy, slots);
    ws_report_field_text(report, "occupancy, lost", part, causes);
}

/* What achieved occupancy does not see: it is over the active cycles of SMs. */
static void append_other_sms(WsReport *report, const WsLaunchResult *launch, const guint32 grid[3])
{
    const WsOccupancySummary *occupancy = &launch->occupancy;
    guint64 active = launch->counters.active_sm_cycles, waited = occupancy->imbalance_sm_cycles;
    guint32 used = occupancy->sm_count - occupancy->idle_sms;
    g_autofree char *sms = g_strdup_printf("%u of %u", used, occupancy->sm_count);
    g_autofree char *blocks = ws_count_of(ws_size_volume(grid), "block");
    g_autofree char *remark = g_strdup_printf("had a block: the grid has %s", blocks);
    ws_report_field_text(report, "SMs used", sms, remark);
    if (waited * WORTH_A_LINE < active + waited)
        return;
    g_autofree char *part = ws_percent(waited, active + waited);
    ws_report_field_text(report, "SM imbalance", part,
                         "of the SMs' time: done, while others still ran");
}

/* Occupancy is a means: said where it and the speed do not go together. */
static void append_against_ipc(WsReport *report, const WsJob *job, const WsLaunchResult *launch)
{
    const WsCounters *counters = &launch->counters;
    double peak = (double)job->device->sub_cores;
    double ipc = ws_share(counters->warp_instructions, counters->active_sm_cycles);
    double achieved = launch->occupancy.achieved;
    g_autofree char *remark = NULL;
    if (achieved >= 0.5 && ipc < 0.25 * peak)
        remark = g_strdup_printf("high occupancy is not high performance: %.1f %% with an IPC of "
                                 "%.3f of %.0f",
                                 100 * achieved, ipc, peak);
    else if (achieved < 0.5 && ipc >= 0.5 * peak)
        remark = g_strdup_printf("low occupancy is no fault by itself: %.1f %% with an IPC of "
                                 "%.3f of %.0f",
                                 100 * achieved, ipc, peak);
    if (remark != NULL)
        ws_report_field_text(report, "", "", remark);
}

void ws_report_occupancy(WsReport *report, const WsJob *job, const WsLaunchResult *launch)
{
    const WsOccupancySummary *occupancy = &launch->occupancy;
    g_autofree char *limits =
        occupancy->limiters != NULL ? g_strjoinv(", ", occupancy->limiters) : g_strdup("");
    g_autofree char *possible = g_strdup_printf("%.1f %%", 100 * occupancy->theoretical);
    g_autofree char *blocks = ws_count_of(occupancy->blocks_per_sm, "block");
    g_autofree char *size = ws_count_of(occupancy->warps_per_block, "warp");
    g_autofree char *registers = ws_count_of(launch->registers_per_thread, "register");
    g_autofree char *remark =
        g_strdup_printf("limit: %s (%s of %s, %s)", limits, blocks, size, registers);
    ws_report_field_text(report, "occupancy, possible", possible, remark);
    g_autofree char *reached = isnan(occupancy->achieved)
                                   ? g_strdup("-")
                                   : g_strdup_printf("%.1f %%", 100 * occupancy->achieved);
    double slots = (double)job->device->max_warps_per_sm;
    g_autofree char *warps =
        isnan(occupancy->achieved)
            ? g_strdup("")
            : g_strdup_printf("%.1f of %.0f warp slots in use, over active SM cycles",
                              occupancy->achieved * slots, slots);
    ws_report_field_text(report, "occupancy, achieved", reached, warps);
    append_losses(report, job, occupancy, &launch->counters);
    append_against_ipc(report, job, launch);
    append_other_sms(report, launch, job->launches[0].grid);
}

void ws_report_launches(WsReport *report, const WsJob *job, const WsResult *result)
{
    ws_report_heading(report, "Launches (occupancy: achieved, of what is possible)");
    ws_report_add(report, "  %4s %-30s %12s %12s %7s %10s %10s\n", "", "kernel", "cycles", "instr.",
                  "IPC", "occupancy", "possible");
    for (guint32 i = 0; i < MIN(result->launch_count, TOP_LAUNCHES); i++) {
        const WsLaunchResult *launch = &result->launches[i];
        const WsCounters *counters = &launch->counters;
        g_autofree char *cycles = ws_grouped(counters->cycles);
        g_autofree char *issued = ws_grouped(counters->warp_instructions);
        g_autofree char *name = ws_cut(launch->kernel, 30);
        double achieved = isnan(launch->occupancy.achieved) ? 0 : launch->occupancy.achieved;
        ws_report_add(report, "  %4u %-30s %12s %12s %7.3f %8.1f %% %8.1f %%\n", i, name, cycles,
                      issued, ws_share(counters->warp_instructions, counters->active_sm_cycles),
                      100 * achieved, 100 * launch->occupancy.theoretical);
    }
    if (result->launch_count > TOP_LAUNCHES)
        ws_report_add(report, "  ... and %u more\n", result->launch_count - TOP_LAUNCHES);
    WsOccupancySummary sum;
    ws_result_sum_losses(result, &sum);
    append_losses(report, job, &sum, &result->total);
}
