/* The figures of regions of the source. */
#include "cli/report_parts.h"
#include "sim/launch/code_regions.h"

enum { INDENT = 6 };

/* "1,616 of 3,232 lanes active" */
static void append_lanes(GString *text, const WsInstructionCounters *counters, guint64 warp_size)
{
    g_autofree char *lanes = ws_grouped(counters->lanes);
    g_autofree char *all = ws_grouped(counters->issued * warp_size);

    g_string_append_printf(text, "; %s of %s lanes active", lanes, all);
    if (counters->lanes_on != counters->lanes) {
        g_autofree char *on = ws_grouped(counters->lanes_on);

        g_string_append_printf(text, ", %s with a true guard", on);
    }
}

/* "; warps waited: wait 200, dispatch_stall 12", the longest first. */
static void append_stalls(GString *text, const WsInstructionCounters *counters)
{
    guint64 left[WS_STALL_COUNT];
    const char *before = "; warps waited: ";

    for (guint i = 0; i < WS_STALL_COUNT; i++)
        left[i] = counters->stalls[i];
    for (WsStall most = ws_main_stall(left); most != WS_STALL_SELECTED;
         most = ws_main_stall(left)) {
        g_autofree char *cycles = ws_grouped(left[most]);

        g_string_append_printf(text, "%s%s %s", before, ws_stall_name(most), cycles);
        before = ", ";
        left[most] = 0;
    }
}

void ws_report_regions(WsReport *report, const WsJob *job, const WsResult *result)
{
    guint64 warp_size = job->device->warp_size;

    if (result->regions == NULL)
        return;
    ws_report_heading(report, "Regions (cycles with a warp at one of their instructions)");
    ws_report_add(report, "  %-18s %10s %10s %7s %10s %15s\n", "region", "cycles", "us", "time",
                  "instr.", "lane efficiency");
    for (guint32 i = 0; i < job->region_count; i++) {
        const WsCodeRegion *region = &job->regions[i];
        const WsRegionResult *figures = &result->regions[i];
        const WsInstructionCounters *counters = &figures->counters;
        g_autofree char *name = ws_printable(region->name);
        g_autofree char *cycles = ws_grouped(figures->cycles);
        g_autofree char *time = ws_percent(figures->warp_cycles, result->total.warp_cycles);
        g_autofree char *issued = ws_grouped(counters->issued);
        g_autoptr(GString) rest = g_string_new(region->place != NULL ? region->place : "no lines");

        ws_report_add(report, "  %-18s %10s %10.3f %7s %10s %13.2f %%\n", name, cycles,
                      (double)figures->cycles / (double)job->device->clock_khz * 1e3, time, issued,
                      100 * ws_share(counters->lanes, counters->issued * warp_size));
        append_lanes(rest, counters, warp_size);
        append_stalls(rest, counters);
        ws_report_add(report, "%*s", INDENT, "");
        ws_report_wrapped(report, rest->str, INDENT);
    }
}
