#include "cli/report_text.h"

#include "isa/size.h"
#include "sim/line_profile.h"

#include <math.h>
#include <string.h>

enum { COLUMNS = 100, BAR = 20, TOP_LINES = 12, TOP_BRANCHES = 12, TOP_LAUNCHES = 40 };
enum { REMARK = 35 };       /* column of the remarks of fields */
enum { WORTH_A_LINE = 20 }; /* shares of less than one part in so many are left out */

/* ---- numbers ----------------------------------------------------------------------------------
 */

/* 1234567 -> "1,234,567". Free with g_free. */
static char *grouped(guint64 value)
{
    g_autofree char *digits = g_strdup_printf("%" G_GUINT64_FORMAT, value);
    GString *out = g_string_new(NULL);
    gsize length = strlen(digits);
    for (gsize i = 0; i < length; i++) {
        if (i > 0 && (length - i) % 3 == 0)
            g_string_append_c(out, ',');
        g_string_append_c(out, digits[i]);
    }
    return g_string_free(out, FALSE);
}

static double share(guint64 part, guint64 whole)
{
    return whole == 0 ? 0 : (double)part / (double)whole;
}

/* "45.2 %", or "-" for 0/0. Free with g_free. */
static char *percent(guint64 part, guint64 whole)
{
    if (whole == 0)
        return g_strdup("-");
    return g_strdup_printf("%.1f %%", 100 * share(part, whole));
}

/* Appends `text`, cut to `width` characters with "..." at the end where it is longer. */
static void append_cut(GString *out, const char *text, glong width)
{
    if (g_utf8_strlen(text, -1) <= width) {
        g_string_append(out, text);
        return;
    }
    const char *end = g_utf8_offset_to_pointer(text, width - 3);
    g_string_append_len(out, text, end - text);
    g_string_append(out, "...");
}

/* "1 block", "2 blocks". Free with g_free. */
static char *count_of(guint64 value, const char *what)
{
    g_autofree char *number = grouped(value);
    return g_strdup_printf("%s %s%s", number, what, value == 1 ? "" : "s");
}

static void heading(GString *out, const char *text)
{
    g_string_append_printf(out, "\n%s\n", text);
}

static void field(GString *out, const char *name, guint64 value, const char *remark)
{
    g_autofree char *number = grouped(value);
    g_string_append_printf(out, "  %-19s %11s  %s\n", name, number, remark);
}

static void field_text(GString *out, const char *name, const char *value, const char *remark)
{
    g_string_append_printf(out, "  %-19s %11s  %s\n", name, value, remark);
}

/* The words of `text` and a newline, in lines that begin at column `indent`. */
static void append_wrapped(GString *out, const char *text, int indent)
{
    g_auto(GStrv) words = g_strsplit(text, " ", -1);
    int column = indent;
    for (guint i = 0; words[i] != NULL; i++) {
        int length = (int)strlen(words[i]);
        if (column > indent && column + 1 + length > COLUMNS) {
            g_string_append_printf(out, "\n%*s", indent, "");
            column = indent;
        } else if (column > indent) {
            g_string_append_c(out, ' ');
            column++;
        }
        g_string_append(out, words[i]);
        column += length;
    }
    g_string_append_c(out, '\n');
}

/* ---- the answer in a sentence ------------------------------------------------------------------
 */

/* The stall that warps spent most time in; WS_STALL_SELECTED if they never waited. */
static WsStall main_stall(const guint64 stalls[WS_STALL_COUNT])
{
    WsStall best = WS_STALL_SELECTED;
    guint64 most = 0;
    for (guint i = 0; i < WS_STALL_COUNT; i++) {
        if (i == WS_STALL_SELECTED || stalls[i] <= most)
            continue;
        best = (WsStall)i;
        most = stalls[i];
    }
    return best;
}

/* "kernel.cu:14", without the folders; "" if not known. Free with g_free. */
static char *place_text(const WsProgram *program, guint32 file, guint32 line)
{
    if (file == 0)
        return g_strdup("(no source line)");
    g_autofree char *name = g_path_get_basename(program->files[file]);
    g_autofree char *shown = ws_printable(name);
    return g_strdup_printf("%s:%u", shown, line);
}

static void append_summary(GString *out, const WsJob *job, const WsCounters *total, GArray *lines)
{
    WsStall stall = main_stall(total->stalls);
    if (stall == WS_STALL_SELECTED || total->warp_cycles == 0)
        return;
    g_autofree char *part = percent(total->stalls[stall], total->warp_cycles);
    g_autofree char *sentence = g_strdup_printf("%s of the warps' time is %s: %s", part,
                                                ws_stall_name(stall), ws_stall_help(stall));
    g_string_append(out, "\nIn short: ");
    append_wrapped(out, sentence, 10);
    if (stall == WS_STALL_NOT_SELECTED)
        g_string_append(out, "Warps are ready and wait for their turn: only fewer instructions "
                             "make this faster\n");
    const WsLineCounters *worst = NULL;
    for (guint i = 0; i < lines->len; i++) {
        const WsLineCounters *line = &g_array_index(lines, WsLineCounters, i);
        if (worst == NULL || line->counters.stalls[stall] > worst->counters.stalls[stall])
            worst = line;
    }
    if (worst == NULL || worst->file == 0 || worst->counters.stalls[stall] == 0)
        return;
    g_autofree char *place = place_text(job->program, worst->file, worst->line);
    g_autofree char *there = percent(worst->counters.stalls[stall], total->stalls[stall]);
    g_autofree char *source = ws_source_line(job->sources, worst->file, worst->line);
    g_string_append_printf(out, "Of it, %s at %s", there, place);
    if (source != NULL)
        g_string_append_printf(out, ": %s", source);
    g_string_append_c(out, '\n');
}

/* ---- figures ----------------------------------------------------------------------------------
 */

/* Times that lanes of a warp were split, by whatever instruction. */
static guint64 count_splits(GArray *lines)
{
    guint64 sum = 0;
    for (guint i = 0; i < lines->len; i++)
        sum += g_array_index(lines, WsLineCounters, i).counters.divergent;
    return sum;
}

static void append_lane_rows(GString *out, const WsJob *job, const WsCounters *total, GArray *lines)
{
    guint64 size = job->device->warp_size;
    double issued = (double)total->warp_instructions;
    g_autofree char *lanes = percent(total->thread_instructions, total->warp_instructions * size);
    g_autofree char *remark =
        issued == 0 ? g_strdup("")
                    : g_strdup_printf("%.1f of %" G_GUINT64_FORMAT
                                      " lanes active per instruction, %.1f with a true guard",
                                      (double)total->thread_instructions / issued, size,
                                      (double)total->thread_instructions_pred_on / issued);
    field_text(out, "lane efficiency", lanes, remark);
    g_autofree char *split = percent(total->branches_divergent, total->branches_executed);
    guint64 splits = count_splits(lines);
    g_autofree char *divergent = grouped(total->branches_divergent);
    g_autofree char *executed = grouped(total->branches_executed);
    g_autofree char *exits = grouped(splits - MIN(splits, total->branches_divergent));
    g_autofree char *diverged = grouped(total->warps_diverged);
    g_autofree char *launched = grouped(total->warps_launched);
    g_autofree char *counts = g_strdup_printf("%s of %s branches and %s exits split %s of %s warps",
                                              divergent, executed, exits, diverged, launched);
    field_text(out, "divergent branches", split, counts);
}

static void append_figures(GString *out, const WsJob *job, const WsCounters *total, GArray *lines)
{
    const WsDevice *device = job->device;
    heading(out, "Figures");
    field(out, "cycles", total->cycles, "the longest time that any SM had a resident warp");
    g_autofree char *time =
        g_strdup_printf("first launch to last completion: %.3f us at %.0f MHz",
                        (double)total->elapsed_cycles / (double)device->clock_khz * 1e3,
                        (double)device->clock_khz / 1e3);
    field(out, "elapsed cycles", total->elapsed_cycles, time);
    field(out, "warp instructions", total->warp_instructions, "");
    g_autofree char *ipc =
        total->active_sm_cycles == 0
            ? g_strdup("-")
            : g_strdup_printf("%.3f", share(total->warp_instructions, total->active_sm_cycles));
    g_autofree char *peak =
        g_strdup_printf("per active SM cycle, of at most %" G_GUINT64_FORMAT " (one per sub-core)",
                        device->sub_cores);
    field_text(out, "IPC", ipc, peak);
    append_lane_rows(out, job, total, lines);
}

/* As field_text(), with a remark of any length. */
static void field_wrapped(GString *out, const char *name, const char *value, const char *remark)
{
    g_string_append_printf(out, "  %-19s %11s  ", name, value);
    append_wrapped(out, remark, REMARK);
}

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

static void append_losses(GString *out, const WsJob *job, const WsOccupancySummary *occupancy,
                          const WsCounters *counters)
{
    double slots = (double)(job->device->max_warps_per_sm * counters->active_sm_cycles);
    guint64 lost = occupancy->possible_warp_cycles - counters->warp_cycles;
    if (slots == 0 || lost == 0)
        return;
    g_autofree char *part = g_strdup_printf("%.1f %%", 100 * (double)lost / slots);
    g_autofree char *causes = losses_text(occupancy, slots);
    field_wrapped(out, "occupancy, lost", part, causes);
}

/* What achieved occupancy does not see: it is over the active cycles of SMs. */
static void append_other_sms(GString *out, const WsLaunchResult *launch, const guint32 grid[3])
{
    const WsOccupancySummary *occupancy = &launch->occupancy;
    guint64 active = launch->counters.active_sm_cycles, waited = occupancy->imbalance_sm_cycles;
    if (occupancy->idle_sms != 0) {
        g_autofree char *idle =
            g_strdup_printf("%u of %u", occupancy->idle_sms, occupancy->sm_count);
        g_autofree char *blocks = grouped(ws_size_volume(grid));
        g_autofree char *remark = g_strdup_printf("had no block: the grid has %s for %u SMs",
                                                  blocks, occupancy->sm_count);
        field_text(out, "idle SMs", idle, remark);
    }
    if (waited * WORTH_A_LINE < active + waited)
        return;
    g_autofree char *part = percent(waited, active + waited);
    field_text(out, "SM imbalance", part, "of the SMs' time: done, while others still ran");
}

/* Occupancy is a means: said where it and the speed do not go together. */
static void append_against_ipc(GString *out, const WsJob *job, const WsLaunchResult *launch)
{
    const WsCounters *counters = &launch->counters;
    double peak = (double)job->device->sub_cores;
    double ipc = share(counters->warp_instructions, counters->active_sm_cycles);
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
        field_wrapped(out, "", "", remark);
}

static void append_occupancy(GString *out, const WsJob *job, const WsLaunchResult *launch)
{
    const WsOccupancySummary *occupancy = &launch->occupancy;
    g_autofree char *limits =
        occupancy->limiters != NULL ? g_strjoinv(", ", occupancy->limiters) : g_strdup("");
    g_autofree char *possible = g_strdup_printf("%.1f %%", 100 * occupancy->theoretical);
    g_autofree char *blocks = count_of(occupancy->blocks_per_sm, "block");
    g_autofree char *size = count_of(occupancy->warps_per_block, "warp");
    g_autofree char *registers = count_of(launch->registers_per_thread, "register");
    g_autofree char *remark =
        g_strdup_printf("limit: %s (%s of %s, %s)", limits, blocks, size, registers);
    g_string_append_printf(out, "  %-19s %11s  ", "occupancy, possible", possible);
    append_wrapped(out, remark, 35);
    g_autofree char *reached = isnan(occupancy->achieved)
                                   ? g_strdup("-")
                                   : g_strdup_printf("%.1f %%", 100 * occupancy->achieved);
    double slots = (double)job->device->max_warps_per_sm;
    g_autofree char *warps =
        isnan(occupancy->achieved)
            ? g_strdup("")
            : g_strdup_printf("%.1f of %.0f warp slots in use, over active SM cycles",
                              occupancy->achieved * slots, slots);
    field_text(out, "occupancy, achieved", reached, warps);
    append_losses(out, job, occupancy, &launch->counters);
    append_other_sms(out, launch, job->launches[0].grid);
    append_against_ipc(out, job, launch);
}

/* ---- tables -----------------------------------------------------------------------------------
 */

static gint compare_stalls(gconstpointer a, gconstpointer b, gpointer data)
{
    const guint64 *stalls = data;
    guint x = *(const guint *)a, y = *(const guint *)b;
    if (stalls[x] != stalls[y])
        return stalls[x] < stalls[y] ? 1 : -1;
    return x < y ? -1 : x > y;
}

static void append_stalls(GString *out, const WsCounters *total)
{
    guint order[WS_STALL_COUNT];
    for (guint i = 0; i < WS_STALL_COUNT; i++)
        order[i] = i;
    g_qsort_with_data(order, WS_STALL_COUNT, sizeof *order, compare_stalls,
                      (gpointer)total->stalls);
    g_autofree char *all = grouped(total->warp_cycles);
    g_autofree char *title = g_strdup_printf(
        "Where the %s warp-cycles went (one reason for each resident warp and cycle)", all);
    heading(out, title);
    for (guint i = 0; i < WS_STALL_COUNT; i++) {
        guint64 cycles = total->stalls[order[i]];
        if (cycles == 0)
            continue;
        double part = share(cycles, total->warp_cycles);
        int length = (int)(part * BAR + 0.5);
        g_autofree char *bar = g_strnfill((gsize)length, '#');
        g_string_append_printf(out, "  %-18s %5.1f %% %-*s ", ws_stall_name((WsStall)order[i]),
                               100 * part, BAR, bar);
        append_wrapped(out, ws_stall_help((WsStall)order[i]), 30 + BAR);
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

static void append_source(GString *out, const WsJob *job, const WsLineCounters *line)
{
    g_autofree char *source = ws_source_line(job->sources, line->file, line->line);
    if (source != NULL)
        g_string_append_printf(out, "  %s", source);
}

static void append_lines(GString *out, const WsJob *job, const WsCounters *total, GArray *lines)
{
    g_autoptr(GPtrArray) sorted = sorted_lines(lines, compare_waited);
    heading(out, "Source lines by time (stalls count for the instruction that could not issue)");
    g_string_append_printf(out, "  %-18s %7s %10s %6s  %-16s %s\n", "line", "time", "instr.",
                           "lanes", "mostly", " source");
    for (guint i = 0; i < MIN(sorted->len, TOP_LINES); i++) {
        const WsLineCounters *line = sorted->pdata[i];
        const WsInstructionCounters *counters = &line->counters;
        g_autofree char *place = place_text(job->program, line->file, line->line);
        g_autofree char *time = percent(
            ws_counters_waited(counters) + counters->stalls[WS_STALL_SELECTED], total->warp_cycles);
        g_autofree char *issued = grouped(counters->issued);
        double lanes =
            counters->issued == 0 ? 0 : (double)counters->lanes / (double)counters->issued;
        g_string_append_printf(out, "  %-18s %7s %10s %6.1f  %-16s", place, time, issued, lanes,
                               ws_stall_name(main_stall(counters->stalls)));
        append_source(out, job, line);
        g_string_append_c(out, '\n');
    }
    if (sorted->len > TOP_LINES)
        g_string_append_printf(out, "  ... and %u more (--format json has them all)\n",
                               sorted->len - TOP_LINES);
}

static void append_branches(GString *out, const WsJob *job, const WsCounters *total, GArray *lines)
{
    g_autoptr(GPtrArray) sorted = sorted_lines(lines, compare_divergent);
    heading(out, "Where warps split (branches, exits and returns that only some lanes took)");
    if (sorted->len == 0 || ((WsLineCounters *)sorted->pdata[0])->counters.divergent == 0) {
        g_autofree char *branches = grouped(total->branches_executed);
        g_string_append_printf(out, "  none; %s branches were executed\n", branches);
        return;
    }
    g_string_append_printf(out, "  %-18s %12s %12s  %s\n", "line", "split", "executed", "source");
    for (guint i = 0; i < MIN(sorted->len, TOP_BRANCHES); i++) {
        const WsLineCounters *line = sorted->pdata[i];
        if (line->counters.divergent == 0)
            break;
        g_autofree char *place = place_text(job->program, line->file, line->line);
        g_autofree char *split = grouped(line->counters.divergent);
        g_autofree char *executed = grouped(line->branches);
        g_string_append_printf(out, "  %-18s %12s %12s", place, split, executed);
        append_source(out, job, line);
        g_string_append_c(out, '\n');
    }
}

static void append_requests(GString *out, const char *name, guint64 requests, guint64 sectors)
{
    if (requests == 0)
        return;
    g_autofree char *remark =
        g_strdup_printf("requests, %.1f sectors of 32 bytes each (32 words in a row: 4)",
                        (double)sectors / (double)requests);
    field(out, name, requests, remark);
}

static void append_memory(GString *out, const WsCounters *total)
{
    heading(out, "Memory");
    append_requests(out, "global loads", total->global_load_requests, total->global_load_sectors);
    append_requests(out, "global stores", total->global_store_requests,
                    total->global_store_sectors);
    if (total->local_load_requests + total->local_store_requests != 0) {
        g_autofree char *stores = grouped(total->local_store_requests);
        g_autofree char *remark =
            g_strdup_printf("requests, and %s stores: spills, local arrays", stores);
        field(out, "local loads", total->local_load_requests, remark);
    }
    append_requests(out, "texture fetches", total->texture_requests, total->texture_sectors);
    if (total->shared_wavefronts != 0) {
        g_autofree char *conflicts = grouped(total->shared_bank_conflicts);
        g_autofree char *remark =
            g_strdup_printf("wavefronts, %s of them for bank conflicts", conflicts);
        field(out, "shared memory", total->shared_wavefronts, remark);
    }
    g_autofree char *l1 = percent(total->l1_hits, total->l1_lookups);
    g_autofree char *l2 = percent(total->l2_hits, total->l2_lookups);
    if (total->l1_lookups != 0)
        field_text(out, "L1 hits", l1, "of sectors looked up");
    if (total->l2_lookups != 0)
        field_text(out, "L2 hits", l2, "of sectors looked up");
    if (total->dram_read_bytes != 0 || total->dram_write_bytes != 0) {
        g_autofree char *written = grouped(total->dram_write_bytes);
        g_autofree char *remark = g_strdup_printf("bytes, and %s bytes written", written);
        field(out, "DRAM read", total->dram_read_bytes, remark);
    }
    if (total->global_load_requests + total->global_store_requests + total->shared_wavefronts +
            total->texture_requests ==
        0)
        g_string_append(out, "  no global or shared memory was used\n");
}

static void append_checks(GString *out, const WsJob *job, const WsResult *result)
{
    if (result->check_count == 0)
        return;
    heading(out, "Checks");
    for (guint32 i = 0; i < result->check_count; i++) {
        const WsCheckResult *check = &result->checks[i];
        const WsExpectation *expectation = &job->expectations[check->expectation];
        const WsBuffer *buffer = &job->buffers[expectation->index];
        g_autofree char *count = grouped(buffer->count);
        if (check->passed) {
            g_string_append_printf(out, "  passed  %s: %s elements, largest error %g", buffer->name,
                                   count, check->largest_error);
        } else {
            g_autofree char *bad = grouped(check->mismatches);
            g_string_append_printf(out,
                                   "  FAILED  %s: %s of %s elements differ; %s[%" G_GUINT64_FORMAT
                                   "] is %s, expected %s",
                                   buffer->name, bad, count, buffer->name, check->first_index,
                                   check->actual, check->expected);
        }
        g_string_append_c(out, '\n');
    }
}

static void append_launches(GString *out, const WsJob *job, const WsResult *result)
{
    heading(out, "Launches (occupancy: achieved, of what is possible)");
    g_string_append_printf(out, "  %4s %-30s %12s %12s %7s %10s %10s\n", "", "kernel", "cycles",
                           "instr.", "IPC", "occupancy", "possible");
    for (guint32 i = 0; i < MIN(result->launch_count, TOP_LAUNCHES); i++) {
        const WsLaunchResult *launch = &result->launches[i];
        const WsCounters *counters = &launch->counters;
        g_autofree char *cycles = grouped(counters->cycles);
        g_autofree char *issued = grouped(counters->warp_instructions);
        g_autoptr(GString) name = g_string_new(NULL);
        append_cut(name, launch->kernel, 30);
        g_string_append_printf(
            out, "  %4u %-30s %12s %12s %7.3f %8.1f %% %8.1f %%\n", i, name->str, cycles, issued,
            share(counters->warp_instructions, counters->active_sm_cycles),
            isnan(launch->occupancy.achieved) ? 0 : 100 * launch->occupancy.achieved,
            100 * launch->occupancy.theoretical);
    }
    if (result->launch_count > TOP_LAUNCHES)
        g_string_append_printf(out, "  ... and %u more\n", result->launch_count - TOP_LAUNCHES);
    WsOccupancySummary sum;
    ws_result_sum_losses(result, &sum);
    append_losses(out, job, &sum, &result->total);
}

static void append_title(GString *out, const WsJob *job, const WsResult *result)
{
    g_autofree char *name = ws_printable(job->device->name);
    if (result->launch_count == 1) {
        const WsLaunch *launch = &job->launches[0];
        const WsCounters *counters = &result->total;
        g_autofree char *blocks = count_of(ws_size_volume(launch->grid), "block");
        g_autofree char *threads = count_of(ws_size_volume(launch->block), "thread");
        g_autofree char *warps = count_of(counters->warps_launched, "warp");
        g_string_append_printf(out, "%s on %s: %s of %s, %s started", result->launches[0].kernel,
                               name, blocks, threads, warps);
    } else {
        g_string_append_printf(out, "%u launches on %s", result->launch_count, name);
    }
    g_string_append_c(out, '\n');
    if (result->status != WS_STATUS_OK)
        g_string_append_printf(
            out, "status: %s%s\n", ws_status_name(result->status),
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

/* Source texts and names may be of any length: no line is longer than COLUMNS. */
static char *cut_lines(const char *text)
{
    GString *out = g_string_new(NULL);
    g_auto(GStrv) lines = g_strsplit(text, "\n", -1);
    for (guint i = 0; lines[i] != NULL; i++) {
        append_cut(out, g_strchomp(lines[i]), COLUMNS);
        if (lines[i + 1] != NULL)
            g_string_append_c(out, '\n');
    }
    return g_string_free(out, FALSE);
}

char *ws_report_text(const WsJob *job, const WsResult *result)
{
    g_autoptr(GString) out = g_string_new(NULL);
    g_autoptr(GArray) lines = all_lines(job, result);
    const WsCounters *total = &result->total;
    append_title(out, job, result);
    append_summary(out, job, total, lines);
    append_figures(out, job, total, lines);
    if (result->launch_count == 1)
        append_occupancy(out, job, &result->launches[0]);
    else if (result->launch_count > 1)
        append_launches(out, job, result);
    append_stalls(out, total);
    append_lines(out, job, total, lines);
    append_branches(out, job, total, lines);
    append_memory(out, total);
    append_checks(out, job, result);
    return cut_lines(out->str);
}
