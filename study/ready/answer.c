/* The answers of the ready studies, out of the rows of a curve. */
#include "sim/occupancy/occupancy.h"
#include "study/ready/ready.h"

#include "isa/base/size.h"

#include <math.h>
#include <string.h>

static const double FULL = 0.95;   /* of the best: the knee */
static const double STARVED = 0.8; /* of the best, behind the knee: worth a word */

static gboolean is_good(const WsTable *table, const GPtrArray *rows, guint row)
{
    const char *status = ws_ready_cell(table, rows, row, "status");
    return strcmp(status, "error") != 0 && ws_ready_number(table, rows, row, "cycles") > 0;
}

/* The row with the largest (or smallest) number in a column; -1 if none could be run. */
static int extreme(const WsTable *table, const GPtrArray *rows, const char *column,
                   gboolean largest)
{
    int best = -1;
    for (guint i = 0; i < rows->len; i++) {
        double value = ws_ready_number(table, rows, i, column);
        if (!is_good(table, rows, i) || isnan(value))
            continue;
        double other = best < 0 ? value : ws_ready_number(table, rows, (guint)best, column);
        if (best < 0 || (largest ? value > other : value < other))
            best = (int)i;
    }
    return best;
}

/* The parameter of the study is the first column. */
static const char *value_of(const WsTable *table, const GPtrArray *rows, guint row)
{
    return ws_ready_cell(table, rows, row, table->columns[0]);
}

static char *nothing_ran(void)
{
    return g_strdup("no point could be run");
}

/* ---- warps ------------------------------------------------------------------------------------
 */

static void append_limit(GString *out, const WsJob *job)
{
    const WsLaunch *launch = &job->launches[0];
    const WsOccupancyQuery query = {.threads = (guint32)ws_size_volume(launch->block),
                                    .registers = launch->kernel->registers,
                                    .static_shared = launch->kernel->static_shared_bytes,
                                    .dynamic_shared = launch->dynamic_shared_bytes,
                                    .carveout = launch->carveout,
                                    .barriers = launch->kernel->barriers};
    WsOccupancy result;
    ws_occupancy(job->device, &query, &result);
    g_string_append_printf(out, "; an SM holds %u of them (limited by", result.warps_per_sm);
    for (guint i = 0; i < WS_OCCUPANCY_LIMIT_COUNT; i++)
        if (result.limiting[i])
            g_string_append_printf(out, " %s", ws_occupancy_limit_name(i));
    g_string_append_c(out, ')');
}

char *ws_ready_answer_warps(const WsTable *table, const GPtrArray *rows, const WsJob *job)
{
    int best = extreme(table, rows, "ipc", TRUE), first = -1;
    if (best < 0)
        return nothing_ran();
    double most = ws_ready_number(table, rows, (guint)best, "ipc");
    guint knee = (guint)best, lowest = (guint)best;
    for (guint i = rows->len; i-- > 0;) {
        double ipc = ws_ready_number(table, rows, i, "ipc");
        if (!is_good(table, rows, i))
            continue;
        first = (int)i;
        if (ipc >= FULL * most)
            knee = i;
    }
    for (guint i = knee; i < rows->len; i++)
        if (is_good(table, rows, i) &&
            ws_ready_number(table, rows, i, "ipc") < ws_ready_number(table, rows, lowest, "ipc"))
            lowest = i;
    double alone = ws_ready_number(table, rows, (guint)first, "ipc") /
                   g_ascii_strtod(value_of(table, rows, (guint)first), NULL);
    GString *out = g_string_new(NULL);
    g_string_append_printf(
        out, "%s warps fill it: IPC %.3f, of %.3f at best; Little's law says %.1f",
        value_of(table, rows, knee), ws_ready_number(table, rows, knee, "ipc"), most, most / alone);
    append_limit(out, job);
    if (ws_ready_number(table, rows, lowest, "ipc") < STARVED * most)
        g_string_append_printf(out, ". Behind the knee it starves: %s warps reach only %.3f",
                               value_of(table, rows, lowest),
                               ws_ready_number(table, rows, lowest, "ipc"));
    return g_string_free(out, FALSE);
}

/* ---- the fastest ------------------------------------------------------------------------------
 */

char *ws_ready_answer_fastest(const WsTable *table, const GPtrArray *rows, const WsJob *job)
{
    int best = extreme(table, rows, "cycles", FALSE), worst = extreme(table, rows, "cycles", TRUE);
    (void)job;
    if (best < 0)
        return nothing_ran();
    double least = ws_ready_number(table, rows, (guint)best, "cycles");
    double most = ws_ready_number(table, rows, (guint)worst, "cycles");
    if (least == most)
        return g_strdup_printf("it makes no difference: %.0f cycles each time", least);
    return g_strdup_printf("%s=%s is the fastest with %.0f cycles, %s=%s takes %.2f times as long",
                           table->columns[0], value_of(table, rows, (guint)best), least,
                           table->columns[0], value_of(table, rows, (guint)worst), most / least);
}

/* ---- from one end to the other ----------------------------------------------------------------
 */

char *ws_ready_answer_trend(const WsTable *table, const GPtrArray *rows, const WsJob *job)
{
    int first = -1, last = -1;
    (void)job;
    for (guint i = 0; i < rows->len; i++) {
        if (!is_good(table, rows, i))
            continue;
        first = first < 0 ? (int)i : first;
        last = (int)i;
    }
    if (first < 0)
        return nothing_ran();
    double from = ws_ready_number(table, rows, (guint)first, "cycles");
    double to = ws_ready_number(table, rows, (guint)last, "cycles");
    int best = extreme(table, rows, "cycles", FALSE), worst = extreme(table, rows, "cycles", TRUE);
    if (ws_ready_number(table, rows, (guint)worst, "cycles") ==
        ws_ready_number(table, rows, (guint)best, "cycles"))
        return g_strdup_printf("%s makes no difference: %.0f cycles each time", table->columns[0],
                               from);
    g_autofree char *end =
        best == last || best == first
            ? g_strdup("")
            : g_strdup_printf("; the fastest is %s with %.0f", value_of(table, rows, (guint)best),
                              ws_ready_number(table, rows, (guint)best, "cycles"));
    return g_strdup_printf("from %s=%s to %s the cycles go from %.0f to %.0f, %.2f times as many%s",
                           table->columns[0], value_of(table, rows, (guint)first),
                           value_of(table, rows, (guint)last), from, to, to / from, end);
}

/* ---- divergence -------------------------------------------------------------------------------
 */

char *ws_ready_answer_divergence(const WsTable *table, const GPtrArray *rows, const WsJob *job)
{
    int worst = extreme(table, rows, "cycles", TRUE);
    int least = extreme(table, rows, "lane_efficiency", FALSE);
    (void)job;
    if (worst < 0 || !is_good(table, rows, 0) || !is_good(table, rows, rows->len - 1))
        return nothing_ran();
    double none = ws_ready_number(table, rows, 0, "cycles");
    double all = ws_ready_number(table, rows, rows->len - 1, "cycles");
    return g_strdup_printf(
        "as soon as lanes part the warp runs both sides: %.0f cycles with none in the first side, "
        "%.0f with all, and up to %.0f between (%s of 32); lane efficiency goes down to %.0f %% "
        "(%s of 32)",
        none, all, ws_ready_number(table, rows, (guint)worst, "cycles"),
        value_of(table, rows, (guint)worst),
        100 * ws_ready_number(table, rows, (guint)least, "lane_efficiency"),
        value_of(table, rows, (guint)least));
}
