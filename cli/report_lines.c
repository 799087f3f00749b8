/* Tables over stall reasons and source lines. */
#include "cli/report_parts.h"

enum { BAR = 20, TOP_LINES = 12, TOP_BRANCHES = 12 };
enum { BAR_FROM = 80, HELP_FROM = 60 }; /* narrower terminals have no room for them */

static gint compare_stalls(gconstpointer a, gconstpointer b, gpointer data)
{
    const guint64 *stalls = data;
    guint x = *(const guint *)a, y = *(const guint *)b;
    if (stalls[x] != stalls[y])
        return stalls[x] < stalls[y] ? 1 : -1;
    return x < y ? -1 : x > y;
}

/* "executing 1.7 %, ready 1.9 %, stalled 96.4 %" */
static void report_states(WsReport *report, const WsCounters *total)
{
    guint64 executing = total->stalls[WS_STALL_SELECTED];
    guint64 ready = total->stalls[WS_STALL_NOT_SELECTED];
    guint64 stalled = 0;

    for (guint i = 0; i < WS_STALL_COUNT; i++)
        stalled += i == WS_STALL_SELECTED || i == WS_STALL_NOT_SELECTED ? 0 : total->stalls[i];
    if (total->warp_cycles == 0)
        return;
    g_autofree char *text = g_strdup_printf(
        "%s (%s) %.1f %%, %s (%s) %.1f %%, stalled (the rest) %.1f %%",
        ws_stall_state(WS_STALL_SELECTED), ws_stall_name(WS_STALL_SELECTED),
        100 * ws_share(executing, total->warp_cycles), ws_stall_state(WS_STALL_NOT_SELECTED),
        ws_stall_name(WS_STALL_NOT_SELECTED), 100 * ws_share(ready, total->warp_cycles),
        100 * ws_share(stalled, total->warp_cycles));
    ws_report_add(report, "  ");
    ws_report_wrapped(report, text, 2);
}

void ws_report_stalls(WsReport *report, const WsCounters *total)
{
    guint order[WS_STALL_COUNT];
    for (guint i = 0; i < WS_STALL_COUNT; i++)
        order[i] = i;
    g_qsort_with_data(order, WS_STALL_COUNT, sizeof *order, compare_stalls,
                      (gpointer)total->stalls);
    g_autofree char *all = ws_grouped(total->warp_cycles);
    g_autofree char *title = g_strdup_printf(
        "Where the %s warp-cycles went (one reason for each resident warp and cycle)", all);
    ws_report_heading(report, title);
    report_states(report, total);
    gboolean bars = report->width >= BAR_FROM, help = report->width >= HELP_FROM;
    for (guint i = 0; i < WS_STALL_COUNT; i++) {
        guint64 cycles = total->stalls[order[i]];
        if (cycles == 0)
            continue;
        double part = ws_share(cycles, total->warp_cycles);
        int length = (int)(part * BAR + 0.5);
        g_autofree char *bar = g_strnfill((gsize)length, '#');
        ws_report_add(report, "  %-18s %5.1f %% ", ws_stall_name((WsStall)order[i]), 100 * part);
        if (bars)
            ws_report_add(report, "%-*s ", BAR, bar);
        ws_report_wrapped(report, help ? ws_stall_help((WsStall)order[i]) : "",
                          bars ? 30 + BAR : 29);
    }
}

static gint compare_waited(gconstpointer a, gconstpointer b)
{
    const WsLineCounters *x = *(WsLineCounters *const *)a, *y = *(WsLineCounters *const *)b;
    guint64 p = ws_counters_waited(&x->counters) + x->counters.stalls[WS_STALL_SELECTED];
    guint64 q = ws_counters_waited(&y->counters) + y->counters.stalls[WS_STALL_SELECTED];
    if (p != q)
        return p < q ? 1 : -1;
    return x->line < y->line ? -1 : x->line > y->line;
}

static gint compare_divergent(gconstpointer a, gconstpointer b)
{
    const WsLineCounters *x = *(WsLineCounters *const *)a, *y = *(WsLineCounters *const *)b;
    if (x->counters.divergent != y->counters.divergent)
        return x->counters.divergent < y->counters.divergent ? 1 : -1;
    return x->line < y->line ? -1 : x->line > y->line;
}

/* Pointers to the lines in the order of `compare`. */
static GPtrArray *sorted_lines(GArray *lines, GCompareFunc compare)
{
    GPtrArray *sorted = g_ptr_array_new();
    for (guint i = 0; i < lines->len; i++)
        g_ptr_array_add(sorted, &g_array_index(lines, WsLineCounters, i));
    g_ptr_array_sort(sorted, compare);
    return sorted;
}

char *ws_report_place(const WsProgram *program, guint32 file, guint32 line)
{
    if (file == 0)
        return g_strdup("(no source line)");
    g_autofree char *name = g_path_get_basename(program->files[file]);
    g_autofree char *shown = ws_printable(name);
    return g_strdup_printf("%s:%u", shown, line);
}

static void append_source(WsReport *report, const WsJob *job, const WsLineCounters *line)
{
    g_autofree char *source = ws_source_line(job->sources, line->file, line->line);
    if (source != NULL)
        ws_report_add(report, "  %s", source);
}

void ws_report_lines(WsReport *report, const WsJob *job, const WsCounters *total, GArray *lines)
{
    g_autoptr(GPtrArray) sorted = sorted_lines(lines, compare_waited);
    ws_report_heading(
        report, "Source lines by time (stalls count for the instruction that could not issue)");
    ws_report_add(report, "  %-18s %7s %10s %6s %6s  %-16s %s\n", "line", "time", "instr.", "lanes",
                  "true", "mostly", " source");
    for (guint i = 0; i < MIN(sorted->len, TOP_LINES); i++) {
        const WsLineCounters *line = sorted->pdata[i];
        const WsInstructionCounters *counters = &line->counters;
        guint64 cycles = ws_counters_waited(counters) + counters->stalls[WS_STALL_SELECTED];
        g_autofree char *place = ws_report_place(job->program, line->file, line->line);
        g_autofree char *time = ws_percent(cycles, total->warp_cycles);
        g_autofree char *issued = ws_grouped(counters->issued);
        ws_report_add(report, "  %-18s %7s %10s %6.1f %6.1f  %-16s", place, time, issued,
                      ws_share(counters->lanes, counters->issued),
                      ws_share(counters->lanes_on, counters->issued),
                      ws_stall_name(ws_main_stall(counters->stalls)));
        append_source(report, job, line);
        ws_report_add(report, "\n");
    }
    if (sorted->len > TOP_LINES)
        ws_report_add(report, "  ... and %u more (--format json has them all)\n",
                      sorted->len - TOP_LINES);
}

/* What they take of the time, whether they need longer or not. */
static void append_split_warps(WsReport *report, const WsCounters *total)
{
    g_autofree char *warps = ws_count_of(total->warps_diverged, "warp");
    g_autofree char *of_time = ws_percent(total->diverged_warp_cycles, total->warp_cycles);

    ws_report_add(report, "  %s split: %s of the warp-cycles\n", warps, of_time);
}

void ws_report_splits(WsReport *report, const WsJob *job, const WsCounters *total, GArray *lines)
{
    g_autoptr(GPtrArray) sorted = sorted_lines(lines, compare_divergent);
    ws_report_heading(
        report, "Where warps diverge (branches, exits and returns that only some lanes took)");
    if (sorted->len == 0 || ((WsLineCounters *)sorted->pdata[0])->counters.divergent == 0) {
        g_autofree char *branches = ws_grouped(total->branches_executed);
        ws_report_add(report, "  none; %s branches were executed\n", branches);
        return;
    }
    ws_report_add(report, "  %-18s %12s %12s  %s\n", "line", "split", "executed", "source");
    for (guint i = 0; i < MIN(sorted->len, TOP_BRANCHES); i++) {
        const WsLineCounters *line = sorted->pdata[i];
        if (line->counters.divergent == 0)
            break;
        g_autofree char *place = ws_report_place(job->program, line->file, line->line);
        g_autofree char *split = ws_grouped(line->counters.divergent);
        g_autofree char *executed = ws_grouped(line->branches);
        ws_report_add(report, "  %-18s %12s %12s", place, split, executed);
        append_source(report, job, line);
        ws_report_add(report, "\n");
    }
    append_split_warps(report, total);
}
