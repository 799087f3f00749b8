#include "sim/report/bottleneck.h"

#include "isa/base/size.h"

#include <math.h>
#include <string.h>

/* What the causes are looked for in. */
typedef struct {
    const WsJob *job;
    const WsResult *result;
    const WsCounters *total;
    const GArray *lines;          /* of WsLineCounters */
    WsOccupancySummary occupancy; /* of the only launch; of several, what they have in common */
} Facts;

static double share(guint64 part, guint64 whole)
{
    return whole == 0 ? 0 : (double)part / (double)whole;
}

static double share_of_stalls(const Facts *facts, const WsStall *stalls, guint count)
{
    guint64 sum = 0;
    for (guint i = 0; i < count; i++)
        sum += facts->total->stalls[stalls[i]];
    return share(sum, facts->total->warp_cycles);
}

/* The line with most of what `of` gives, noted in `ret`. Returns how much. */
static guint64 worst_line(const Facts *facts, guint64 (*of)(const Facts *, const WsLineCounters *),
                          WsBottleneck *ret)
{
    guint64 most = 0;
    for (guint i = 0; i < facts->lines->len; i++) {
        const WsLineCounters *line = &g_array_index(facts->lines, WsLineCounters, i);
        guint64 value = of(facts, line);
        if (value <= most)
            continue;
        most = value;
        ret->file = line->file;
        ret->line = line->line;
    }
    return most;
}

static guint64 splits_at(const Facts *facts, const WsLineCounters *line)
{
    return line->counters.divergent;
}

static guint64 issues_at(const Facts *facts, const WsLineCounters *line)
{
    return line->counters.issued;
}

static guint64 off_lanes_at(const Facts *facts, const WsLineCounters *line)
{
    return line->counters.lanes - line->counters.lanes_on;
}

static guint64 conflicts_at(const Facts *facts, const WsLineCounters *line)
{
    return line->counters.extra_wavefronts;
}

static guint64 extra_sectors_at(const Facts *facts, const WsLineCounters *line)
{
    return line->counters.extra_sectors;
}

/* ---- the run stopped ---------------------------------------------------------------------------
 */

static gboolean find_stop(const Facts *facts, WsBottleneck *ret)
{
    static const char *const meanings[] = {
        [WS_STATUS_FAULT] = "the kernel made an invalid access or executed an invalid instruction",
        [WS_STATUS_DEADLOCK] = "threads wait for others that never arrive",
        [WS_STATUS_LIVELOCK] = "threads spin for ever, and others wait for them",
        [WS_STATUS_LIMIT] = "the run was stopped",
        [WS_STATUS_INTERRUPTED] = "the run was stopped",
    };
    const WsResult *result = facts->result;
    if (result->stop.message == NULL || result->status < WS_STATUS_FAULT ||
        result->status > WS_STATUS_INTERRUPTED)
        return FALSE;
    const WsProgram *program = facts->job->program;
    if (result->stop.instruction >= 0 && result->stop.instruction < program->instruction_count)
        ws_line_of_instruction(program, (guint32)result->stop.instruction, &ret->file, &ret->line);
    else if (result->status == WS_STATUS_LIVELOCK)
        worst_line(facts, issues_at, ret); /* those that spin */
    ret->name = ws_status_name(result->status);
    ret->bound = NAN;
    ret->text = g_strdup_printf("%s; %s", result->stop.message, meanings[result->status]);
    return TRUE;
}

/* ---- wasted work -------------------------------------------------------------------------------
 */

static gboolean find_divergence(const Facts *facts, WsBottleneck *ret)
{
    const WsCounters *total = facts->total;
    ret->total = total->warp_instructions * facts->job->device->warp_size;
    ret->count = ret->total - total->thread_instructions;
    ret->bound = share(ret->count, ret->total);
    guint64 most = worst_line(facts, splits_at, ret);
    if (total->warps_diverged == 0 || most == 0)
        return FALSE;
    ret->text = g_strdup_printf(
        "divergence: %.1f %% of the lanes' issue slots are unused, and %" G_GUINT64_FORMAT
        " of %" G_GUINT64_FORMAT " warps diverged, most often (%" G_GUINT64_FORMAT
        " times) at the line below. Gain: at most these %.1f %%",
        100 * ret->bound, total->warps_diverged, total->warps_launched, most, 100 * ret->bound);
    return TRUE;
}

/* Lanes that no thread was started for: blocks that do not fill their last warp. */
static gboolean find_partial_warps(const Facts *facts, WsBottleneck *ret)
{
    guint64 size = facts->job->device->warp_size;
    for (guint32 i = 0; i < facts->result->launch_count; i++) {
        const guint32 *block = facts->job->launches[i].block;
        guint64 threads = ws_size_volume(block);
        guint64 warps = facts->result->launches[i].counters.warps_launched;
        guint64 warps_per_block = (threads + size - 1) / size;
        guint64 blocks = facts->result->launches[i].counters.blocks_launched;
        ret->total += warps * size;
        ret->count += blocks * (warps_per_block * size - threads);
    }
    ret->bound = share(ret->count, ret->total);
    ret->text = g_strdup_printf(
        "partial warps: the last warp of each block is not full, and %.1f %% of all lanes "
        "have no thread. Gain: at most these %.1f %%",
        100 * ret->bound, 100 * ret->bound);
    return ret->count != 0;
}

static gboolean find_predication(const Facts *facts, WsBottleneck *ret)
{
    const WsCounters *total = facts->total;
    ret->total = total->warp_instructions * facts->job->device->warp_size;
    ret->count = total->thread_instructions - total->thread_instructions_pred_on;
    ret->bound = share(ret->count, ret->total);
    worst_line(facts, off_lanes_at, ret);
    ret->text =
        g_strdup_printf("predication: %.1f %% of the lanes' issue slots go to lanes with a "
                        "false guard, for which a predicated short branch is issued nevertheless. "
                        "Gain: at most these "
                        "%.1f %%",
                        100 * ret->bound, 100 * ret->bound);
    return TRUE;
}

static gboolean find_bank_conflicts(const Facts *facts, WsBottleneck *ret)
{
    static const WsStall waits[] = {WS_STALL_SHORT_SCOREBOARD, WS_STALL_MIO_THROTTLE,
                                    WS_STALL_LG_THROTTLE};
    const WsCounters *total = facts->total;
    ret->count = total->shared_bank_conflicts;
    ret->total = total->shared_wavefronts;
    if (ret->count * 10 < ret->total || ret->count == 0)
        return FALSE;
    worst_line(facts, conflicts_at, ret);
    ret->bound = share_of_stalls(facts, waits, G_N_ELEMENTS(waits));
    ret->text = g_strdup_printf(
        "bank conflicts: %" G_GUINT64_FORMAT " of %" G_GUINT64_FORMAT
        " shared-memory wavefronts are extra. Gain: at most the %.1f %% of the warp-cycles that "
        "wait for shared memory and its queue",
        ret->count, ret->total, 100 * ret->bound);
    return TRUE;
}

/* What warps wait for whose accesses of global and local memory are too many. */
static const WsStall global_waits[] = {WS_STALL_LONG_SCOREBOARD, WS_STALL_LG_THROTTLE,
                                       WS_STALL_MIO_THROTTLE, WS_STALL_DRAIN};

static gboolean find_uncoalesced(const Facts *facts, WsBottleneck *ret)
{
    for (guint i = 0; i < facts->lines->len; i++) {
        const WsLineCounters *line = &g_array_index(facts->lines, WsLineCounters, i);
        ret->count += line->counters.extra_sectors;
        ret->total += line->counters.sectors;
    }
    if (ret->count * 4 < ret->total || ret->count == 0)
        return FALSE;
    worst_line(facts, extra_sectors_at, ret);
    ret->bound = share_of_stalls(facts, global_waits, G_N_ELEMENTS(global_waits));
    ret->text = g_strdup_printf(
        "uncoalesced access: %" G_GUINT64_FORMAT " of %" G_GUINT64_FORMAT
        " global-memory sectors are more than the requested bytes need. Gain: at most the "
        "%.1f %% of the warp-cycles that wait for global memory and its queue",
        ret->count, ret->total, 100 * ret->bound);
    return TRUE;
}

static gboolean find_local_memory(const Facts *facts, WsBottleneck *ret)
{
    const WsCounters *total = facts->total;
    ret->count = total->local_load_requests + total->local_store_requests;
    ret->total = total->warp_instructions;
    if (ret->count * 20 < ret->total || ret->count == 0)
        return FALSE;
    ret->bound = share_of_stalls(facts, global_waits, G_N_ELEMENTS(global_waits));
    ret->text = g_strdup_printf(
        "local memory: %" G_GUINT64_FORMAT " of %" G_GUINT64_FORMAT
        " instructions load or store spilled registers and local arrays. Gain: at most these and "
        "the %.1f %% of the warp-cycles that wait for global and local memory",
        ret->count, ret->total, 100 * ret->bound);
    return TRUE;
}

/* ---- unused parts of the machine ---------------------------------------------------------------
 */

static gboolean find_small_grid(const Facts *facts, WsBottleneck *ret)
{
    ret->count = facts->occupancy.idle_sms;
    ret->total = facts->occupancy.sm_count;
    ret->bound = share(ret->count, ret->total);
    if (facts->result->launch_count == 1) {
        const guint32 *grid = facts->job->launches[0].grid;
        ret->text = g_strdup_printf("small grid: %" G_GUINT64_FORMAT " of %" G_GUINT64_FORMAT
                                    " SMs have no block, since the grid has %" G_GUINT64_FORMAT
                                    ". Gain: at most these %.1f %% of the GPU, by more blocks",
                                    ret->count, ret->total, ws_size_volume(grid), 100 * ret->bound);
    } else {
        ret->text = g_strdup_printf("small grids: %" G_GUINT64_FORMAT " of %" G_GUINT64_FORMAT
                                    " SMs get no block of any launch. Gain: at most these %.1f %% "
                                    "of the GPU, by more blocks",
                                    ret->count, ret->total, 100 * ret->bound);
    }
    return ret->count != 0;
}

static gboolean find_imbalance(const Facts *facts, WsBottleneck *ret)
{
    ret->count = facts->occupancy.imbalance_sm_cycles;
    ret->total = ret->count + facts->total->active_sm_cycles;
    ret->bound = share(ret->count, ret->total);
    ret->text = g_strdup_printf("imbalance: SMs are idle for %.1f %% of the time while others "
                                "still run. Gain: at most these %.1f %%",
                                100 * ret->bound, 100 * ret->bound);
    return ret->count != 0;
}

static double utilisation(const Facts *facts)
{
    return share(facts->total->warp_instructions,
                 facts->total->active_sm_cycles * facts->job->device->sub_cores);
}

static gboolean find_few_warps(const Facts *facts, WsBottleneck *ret)
{
    const WsCounters *total = facts->total;
    guint64 slots = facts->job->device->max_warps_per_sm;
    ret->total = slots * total->active_sm_cycles;
    ret->count = ret->total - MIN(ret->total, total->warp_cycles);
    ret->bound = 1 - utilisation(facts);
    if (share(ret->count, ret->total) < 0.75 || utilisation(facts) >= 0.5 ||
        facts->result->launch_count != 1)
        return FALSE;
    gboolean grid = facts->occupancy.theoretical > 2 * facts->occupancy.achieved;
    if (grid && facts->occupancy.idle_sms != 0) /* that is the small grid, once more */
        return FALSE;
    g_autofree char *limits = facts->occupancy.limiters == NULL
                                  ? g_strdup("")
                                  : g_strjoinv(", ", facts->occupancy.limiters);
    ret->text = g_strdup_printf(
        "few warps: %.1f of %" G_GUINT64_FORMAT
        " warp slots of an SM are in use (limit: %s), and %.1f %% of the issue slots are unused. "
        "Gain: at most these",
        (double)total->warp_cycles / (double)MAX(total->active_sm_cycles, 1), slots,
        grid ? "the grid" : limits, 100 * ret->bound);
    return TRUE;
}

/* ---- what warps wait for -----------------------------------------------------------------------
 */

static guint64 main_stall_at(const Facts *facts, const WsLineCounters *line)
{
    return line->counters.stalls[ws_main_stall(facts->total->stalls)];
}

/* Nothing is lost: the sub-cores issue nearly all the time. */
static gboolean find_issue_limit(const Facts *facts, WsBottleneck *ret)
{
    ret->count = facts->total->warp_instructions;
    ret->total = facts->total->active_sm_cycles * facts->job->device->sub_cores;
    ret->bound = 1 - utilisation(facts);
    ret->text =
        g_strdup_printf("issue limit: the sub-cores issue in %.1f %% of their cycles: only fewer "
                        "instructions make this faster",
                        100 * utilisation(facts));
    return utilisation(facts) >= 0.85;
}

static gboolean find_wait(const Facts *facts, WsBottleneck *ret)
{
    enum { STANDS_OUT = 25 }; /* per cent */
    WsStall stall = ws_main_stall(facts->total->stalls);
    if (stall == WS_STALL_SELECTED || utilisation(facts) >= 0.85)
        return FALSE;
    ret->count = facts->total->stalls[stall];
    ret->total = facts->total->warp_cycles;
    ret->bound = share(ret->count, ret->total);
    guint64 there = worst_line(facts, main_stall_at, ret);
    g_autofree char *waiting =
        g_strdup_printf("%s (%s) is %.1f %% of the warp-cycles, %.1f %% of that at the line below",
                        ws_stall_name(stall), ws_stall_help(stall), 100 * ret->bound,
                        100 * share(there, ret->count));
    ret->text = g_strdup_printf("%s%s",
                                100 * ret->bound < STANDS_OUT
                                    ? "no single stall reason dominates: the largest, "
                                    : "waiting: ",
                                waiting);
    return TRUE;
}

/* ---- the table ---------------------------------------------------------------------------------
 */

/* A cause is told from `least` of its bound on. */
static const struct {
    const char *name;
    WsBottleneckKind kind;
    double least;
    const char *unit, *bound_of;
    gboolean (*find)(const Facts *facts, WsBottleneck *ret);
} causes[] = {
    {NULL, WS_BOTTLENECK_STOP, 0, "", "", find_stop},
    {"divergence", WS_BOTTLENECK_WASTED, 0.05, "lane slots", "lane slots", find_divergence},
    {"partial_warps", WS_BOTTLENECK_WASTED, 0.05, "lanes", "lane slots", find_partial_warps},
    {"predication", WS_BOTTLENECK_WASTED, 0.1, "lane slots", "lane slots", find_predication},
    {"bank_conflicts", WS_BOTTLENECK_WASTED, 0.05, "wavefronts", "warp-cycles",
     find_bank_conflicts},
    {"uncoalesced", WS_BOTTLENECK_WASTED, 0.05, "sectors", "warp-cycles", find_uncoalesced},
    {"local_memory", WS_BOTTLENECK_WASTED, 0.05, "instructions", "warp-cycles", find_local_memory},
    {"small_grid", WS_BOTTLENECK_UNUSED, 0.05, "SMs", "SMs", find_small_grid},
    {"imbalance", WS_BOTTLENECK_UNUSED, 0.2, "SM-cycles", "SM-cycles", find_imbalance},
    {"few_warps", WS_BOTTLENECK_UNUSED, 0.5, "warp slots", "issue slots", find_few_warps},
    {"issue_limit", WS_BOTTLENECK_WAITING, 0, "issue slots", "issue slots", find_issue_limit},
    {"wait", WS_BOTTLENECK_WAITING, 0, "warp-cycles", "warp-cycles", find_wait},
};

/* The first row is that of a run that stopped: it is called as its status is. */
const char *ws_bottleneck_name(guint number)
{
    return number + 1 < G_N_ELEMENTS(causes) ? causes[number + 1].name : NULL;
}

const char *ws_bottleneck_kind_name(WsBottleneckKind kind)
{
    static const char *const names[] = {"stop", "wasted", "unused", "waiting"};
    return names[kind];
}

static void clear(gpointer bottleneck)
{
    g_free(((WsBottleneck *)bottleneck)->text);
}

static gint compare(gconstpointer a, gconstpointer b)
{
    const WsBottleneck *x = a, *y = b;
    if (x->kind != y->kind)
        return x->kind < y->kind ? -1 : 1;
    if (x->bound != y->bound && x->kind != WS_BOTTLENECK_STOP)
        return x->bound > y->bound ? -1 : 1;
    return strcmp(x->name, y->name);
}

GArray *ws_bottlenecks_find(const WsJob *job, const WsResult *result, const GArray *lines)
{
    GArray *found = g_array_new(FALSE, TRUE, sizeof(WsBottleneck));
    g_array_set_clear_func(found, clear);
    Facts facts = {.job = job, .result = result, .total = &result->total, .lines = lines};
    if (result->launch_count == 1)
        facts.occupancy = result->launches[0].occupancy;
    else
        ws_result_sum_losses(result, &facts.occupancy);
    if (result->launch_count > 1)
        facts.occupancy.sm_count = result->launches[0].occupancy.sm_count;
    for (guint i = 0; i < G_N_ELEMENTS(causes); i++) {
        WsBottleneck bottleneck = {.name = causes[i].name,
                                   .kind = causes[i].kind,
                                   .unit = causes[i].unit,
                                   .bound_of = causes[i].bound_of};
        gboolean is_there = causes[i].kind == WS_BOTTLENECK_STOP || result->total.warp_cycles != 0;
        if (is_there && causes[i].find(&facts, &bottleneck) &&
            !(bottleneck.bound < causes[i].least))
            g_array_append_val(found, bottleneck);
        else
            g_free(bottleneck.text);
    }
    g_array_sort(found, compare);
    return found;
}
