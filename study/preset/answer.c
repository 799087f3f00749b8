/* The answers of the preset studies, out of the rows of a curve. */
#include "sim/device/passes.h"
#include "sim/occupancy/occupancy.h"
#include "study/preset/preset.h"

#include "isa/base/size.h"

#include <math.h>
#include <string.h>

static const double FULL = 0.95;      /* of the best: the knee */
static const double STARVED = 0.8;    /* of the best, behind the knee: worth a word */
static const double FEW_WARPS = 0.25; /* of the slots of an SM */
static const double SAME = 1.01;      /* times as much or less: no difference */

/* The row came to its end with the right results. */
static gboolean is_good(const WsTable *table, const GPtrArray *rows, guint row)
{
    return strcmp(ws_preset_cell(table, rows, row, "status"), "ok") == 0;
}

/* The row with the largest (or smallest) number in a column; -1 if there is none. */
static int extreme(const WsTable *table, const GPtrArray *rows, const char *column,
                   gboolean largest)
{
    int best = -1;
    for (guint i = 0; i < rows->len; i++) {
        double value = ws_preset_number(table, rows, i, column);
        if (!is_good(table, rows, i) || isnan(value))
            continue;
        double other = best < 0 ? value : ws_preset_number(table, rows, (guint)best, column);
        if (best < 0 || (largest ? value > other : value < other))
            best = (int)i;
    }
    return best;
}

/* The first good row, and the last one; -1 if there is none. */
static void ends(const WsTable *table, const GPtrArray *rows, int *ret_first, int *ret_last)
{
    *ret_first = *ret_last = -1;
    for (guint i = 0; i < rows->len; i++) {
        if (!is_good(table, rows, i))
            continue;
        *ret_first = *ret_first < 0 ? (int)i : *ret_first;
        *ret_last = (int)i;
    }
}

/* The parameter of the study is the first column. */
static const char *value_of(const WsTable *table, const GPtrArray *rows, int row)
{
    return ws_preset_cell(table, rows, (guint)row, table->columns[0]);
}

static double cycles_of(const WsTable *table, const GPtrArray *rows, int row)
{
    return ws_preset_number(table, rows, (guint)row, "cycles");
}

/* The row of the launch as it stands; -1 if it is not among them. */
static int present_row(const WsTable *table, const GPtrArray *rows, const char *now)
{
    for (guint i = 0; now != NULL && i < rows->len; i++)
        if (is_good(table, rows, i) && strcmp(value_of(table, rows, (int)i), now) == 0)
            return (int)i;
    return -1;
}

static char *nothing_ran(void)
{
    return g_strdup("no point completed with correct results");
}

/* Where all are alike; else NULL. */
static char *no_difference(const WsTable *table, const GPtrArray *rows, int least, int most)
{
    double from = cycles_of(table, rows, least), to = cycles_of(table, rows, most);
    int first, last;
    ends(table, rows, &first, &last);
    if (first == last)
        return g_strdup_printf("%s=%s is the only value, with %.0f cycles", table->columns[0],
                               value_of(table, rows, least), from);
    if (to > SAME * from)
        return NULL;
    return from == to ? g_strdup_printf("%s makes no difference: %.0f cycles each time",
                                        table->columns[0], from)
                      : g_strdup_printf("%s makes almost no difference: %.0f to %.0f cycles",
                                        table->columns[0], from, to);
}

/* ---- warps ------------------------------------------------------------------------------------
 */

static void append_limit(GString *out, const WsJob *job)
{
    WsOccupancy result;
    ws_preset_occupancy(job, &result);
    g_string_append_printf(out, "; an SM holds %u of them (limited by", result.warps_per_sm);
    for (guint i = 0, count = 0; i < WS_OCCUPANCY_LIMIT_COUNT; i++)
        if (result.limiting[i])
            g_string_append_printf(out, "%s%s", count++ == 0 ? " " : " and ",
                                   ws_occupancy_limit_name(i));
    g_string_append_c(out, ')');
}

typedef struct {
    int knee, best, first, last, lowest; /* rows; lowest: of those behind the knee */
    double most, least;                  /* IPC */
    double latency;                      /* cycles, at the knee: see latency_at() */
    double law;                          /* warps by Little's law, of that latency */
    double resident;                     /* warps at the knee, on average */
} Knee;

/*
 * The cycles of a warp from an issue to its next one that other warps have no part in: all of its
 * cycles but those in which it could issue and was not chosen, or in which a pipe or queue was
 * full. It is measured where the SM is full. One warp alone may see another latency: it has all
 * misses to itself that later ones find in a cache, and no queue in front of memory.
 */
static double latency_at(const WsTable *table, const GPtrArray *rows, int row)
{
    static const char *const competing[] = {"stall_not_selected", "stall_math_pipe_throttle",
                                            "stall_mio_throttle", "stall_lg_throttle"};
    double cycles = ws_preset_number(table, rows, (guint)row, "warp_cycles");
    for (guint i = 0; i < G_N_ELEMENTS(competing); i++)
        cycles -= ws_preset_number(table, rows, (guint)row, competing[i]);
    return cycles / ws_preset_number(table, rows, (guint)row, "warp_instructions");
}

static gboolean find_knee(const WsTable *table, const GPtrArray *rows, Knee *ret)
{
    *ret = (Knee){.best = extreme(table, rows, "ipc", TRUE)};
    if (ret->best < 0)
        return FALSE;
    ends(table, rows, &ret->first, &ret->last);
    ret->most = ws_preset_number(table, rows, (guint)ret->best, "ipc");
    ret->least = ws_preset_number(table, rows, (guint)extreme(table, rows, "ipc", FALSE), "ipc");
    for (ret->knee = 0; !is_good(table, rows, (guint)ret->knee) ||
                        ws_preset_number(table, rows, (guint)ret->knee, "ipc") < FULL * ret->most;)
        ret->knee++;
    ret->lowest = ret->knee;
    for (int i = ret->knee; i <= ret->last; i++)
        if (is_good(table, rows, (guint)i) &&
            ws_preset_number(table, rows, (guint)i, "ipc") <
                ws_preset_number(table, rows, (guint)ret->lowest, "ipc"))
            ret->lowest = i;
    ret->latency = latency_at(table, rows, ret->knee);
    ret->law = ret->most * ret->latency;
    ret->resident = ws_preset_number(table, rows, (guint)ret->knee, "warp_cycles") /
                    ws_preset_number(table, rows, (guint)ret->knee, "active_sm_cycles");
    return TRUE;
}

char *ws_preset_answer_warps(const WsTable *table, const GPtrArray *rows, const WsJob *job,
                             const char *now G_GNUC_UNUSED)
{
    Knee knee;
    if (!find_knee(table, rows, &knee))
        return nothing_ran();
    const char *at = value_of(table, rows, knee.knee);
    double ipc = ws_preset_number(table, rows, (guint)knee.knee, "ipc");
    double lowest = ws_preset_number(table, rows, (guint)knee.lowest, "ipc");
    GString *out = g_string_new(NULL);
    if (knee.most <= SAME * knee.least)
        g_string_append_printf(out, "more warps make no difference: IPC %.3f with %s and with %s",
                               knee.most, value_of(table, rows, knee.first),
                               value_of(table, rows, knee.last));
    else if (knee.knee == knee.last)
        g_string_append_printf(
            out,
            "even %s warps are not enough: IPC rises up to the last point, to %.3f; by Little's "
            "law %.1f would fill every issue slot, with %.1f cycles between two issues of a warp",
            at, ipc, knee.latency * (double)job->device->sub_cores, knee.latency);
    else
        g_string_append_printf(
            out,
            "%s warps are enough: IPC %.3f, of %.3f at best; Little's law says "
            "%.1f, with %.1f cycles between two issues of a warp, and on average %.1f are resident",
            at, ipc, knee.most, knee.law, knee.latency, knee.resident);
    append_limit(out, job);
    if (lowest < STARVED * knee.most && knee.most > SAME * knee.least)
        g_string_append_printf(out, ". Past the knee warps starve: %s warps reach only %.3f",
                               value_of(table, rows, knee.lowest), lowest);
    return g_string_free(out, FALSE);
}

void ws_preset_mark_warps(WsChart *chart, const WsTable *table, const WsJob *job, gboolean alone)
{
    Knee knee;
    WsOccupancy occupancy;
    ws_preset_occupancy(job, &occupancy);
    for (guint i = 0; i < WS_OCCUPANCY_LIMIT_COUNT; i++) {
        g_autofree char *text = g_strconcat("limit: ", ws_occupancy_limit_name(i), NULL);
        if (occupancy.limits[i] != WS_OCCUPANCY_UNLIMITED)
            ws_chart_mark(chart, (double)occupancy.limits[i] * occupancy.warps_per_block, text);
    }
    if (!alone || !find_knee(table, table->rows, &knee) || knee.most <= SAME * knee.least)
        return;
    ws_chart_mark(chart, knee.law, "Little's law");
    if (knee.knee != knee.last)
        ws_chart_mark(chart, g_ascii_strtod(value_of(table, table->rows, knee.knee), NULL),
                      "the knee");
}

/* ---- the fastest ------------------------------------------------------------------------------
 */

char *ws_preset_answer_fastest(const WsTable *table, const GPtrArray *rows,
                               const WsJob *job G_GNUC_UNUSED, const char *now)
{
    int best = extreme(table, rows, "cycles", FALSE), worst = extreme(table, rows, "cycles", TRUE);
    int present = present_row(table, rows, now);
    if (best < 0)
        return nothing_ran();
    char *same = no_difference(table, rows, best, worst);
    if (same != NULL)
        return same;
    const char *name = table->columns[0];
    double least = cycles_of(table, rows, best);
    GString *out = g_string_new(NULL);
    if (present >= 0 && cycles_of(table, rows, present) == least)
        g_string_append_printf(out, "%s=%s, the present value, is the fastest with %.0f cycles",
                               name, value_of(table, rows, present), least);
    else
        g_string_append_printf(out, "%s=%s is the fastest with %.0f cycles", name,
                               value_of(table, rows, best), least);
    if (present >= 0 && present != worst && cycles_of(table, rows, present) != least)
        g_string_append_printf(out, "; %s=%s, the present value, takes %.2f times as long", name,
                               value_of(table, rows, present),
                               cycles_of(table, rows, present) / least);
    g_string_append_printf(
        out, "; %s=%s%s takes %.2f times as long", name, value_of(table, rows, worst),
        present == worst ? ", the present value," : "", cycles_of(table, rows, worst) / least);
    return g_string_free(out, FALSE);
}

/* Where nothing is expected, other blocks may give other results: they did other work. */
static gboolean results_differ(const WsTable *table, const GPtrArray *rows)
{
    const char *first = NULL;
    for (guint i = 0; i < rows->len; i++) {
        const char *results = ws_preset_cell(table, rows, i, "results");
        if (!is_good(table, rows, i) || ws_preset_number(table, rows, i, "checks") > 0)
            continue;
        if (first != NULL && strcmp(first, results) != 0)
            return TRUE;
        first = results;
    }
    return FALSE;
}

char *ws_preset_answer_block(const WsTable *table, const GPtrArray *rows, const WsJob *job,
                             const char *now)
{
    char *answer = ws_preset_answer_fastest(table, rows, job, now);
    if (!results_differ(table, rows))
        return answer;
    char *both = g_strconcat(
        answer, ". The results differ between points (column `results`): do they do the same work?",
        NULL);
    g_free(answer);
    return both;
}

/* 255, which every kernel has room in, is no cap. */
char *ws_preset_answer_registers(const WsTable *table, const GPtrArray *rows, const WsJob *job,
                                 const char *now)
{
    int best = extreme(table, rows, "cycles", FALSE), present = present_row(table, rows, now);
    int worst = extreme(table, rows, "cycles", TRUE);
    if (rows->len == 1 && present >= 0)
        return g_strdup_printf("it uses %s registers without a limit, and the lowest limit is 16: "
                               "there is nothing to vary",
                               ws_preset_cell(table, rows, 0, "registers_per_thread"));
    if (best < 0 || present < 0 ||
        cycles_of(table, rows, worst) <= SAME * cycles_of(table, rows, best))
        return ws_preset_answer_fastest(table, rows, job, now);
    double without = cycles_of(table, rows, present), least = cycles_of(table, rows, best);
    const char *registers = ws_preset_cell(table, rows, (guint)present, "registers_per_thread");
    if (without <= least)
        return g_strdup_printf(
            "no register limit helps: without one it uses %s registers and %.0f cycles, "
            "under maxreg=%s %.2f times as long",
            registers, without, value_of(table, rows, worst),
            cycles_of(table, rows, worst) / without);
    return g_strdup_printf("maxreg=%s is the fastest with %.0f cycles; without a limit it uses %s "
                           "registers and %.2f times as long",
                           value_of(table, rows, best), least, registers, without / least);
}

/* ---- from one end to the other ----------------------------------------------------------------
 */

static void append_fastest(GString *out, const WsTable *table, const GPtrArray *rows, int first,
                           int last)
{
    int best = extreme(table, rows, "cycles", FALSE);
    double least = cycles_of(table, rows, best);
    if (least < cycles_of(table, rows, first) && least < cycles_of(table, rows, last))
        g_string_append_printf(out, "; the fastest is %s with %.0f", value_of(table, rows, best),
                               least);
}

char *ws_preset_answer_trend(const WsTable *table, const GPtrArray *rows,
                             const WsJob *job G_GNUC_UNUSED, const char *now)
{
    int first, last, present = present_row(table, rows, now);
    ends(table, rows, &first, &last);
    if (first < 0)
        return nothing_ran();
    char *same = no_difference(table, rows, extreme(table, rows, "cycles", FALSE),
                               extreme(table, rows, "cycles", TRUE));
    if (same != NULL)
        return same;
    const char *name = table->columns[0];
    double from = cycles_of(table, rows, first), to = cycles_of(table, rows, last);
    GString *out = g_string_new(NULL);
    if (present < 0)
        g_string_append_printf(out,
                               "from %s=%s to %s the cycles go from %.0f to %.0f, %.2f times as "
                               "many",
                               name, value_of(table, rows, first), value_of(table, rows, last),
                               from, to, to / from);
    else
        g_string_append_printf(out, "%s=%s, the present value, takes %.0f cycles", name,
                               value_of(table, rows, present), cycles_of(table, rows, present));
    for (int i = 0; present >= 0 && i < 2; i++) {
        int end = i == 0 ? first : last;
        if (end != present)
            g_string_append_printf(out, "; %s=%s takes %.2f times as long", name,
                                   value_of(table, rows, end),
                                   cycles_of(table, rows, end) / cycles_of(table, rows, present));
    }
    append_fastest(out, table, rows, first, last);
    return g_string_free(out, FALSE);
}

/* ---- a register too many ----------------------------------------------------------------------
 */

/* The row behind the largest step up in time, -1 if there is none. */
static int largest_step(const WsTable *table, const GPtrArray *rows, double *ret)
{
    int found = -1;

    *ret = SAME;
    for (guint i = 1; i < rows->len; i++) {
        double step = cycles_of(table, rows, (int)i) / cycles_of(table, rows, (int)i - 1);

        if (!is_good(table, rows, i) || !is_good(table, rows, i - 1) || !(step > *ret))
            continue;
        *ret = step;
        found = (int)i;
    }
    return found;
}

char *ws_preset_answer_cliff(const WsTable *table, const GPtrArray *rows, const WsJob *job,
                             const char *now)
{
    double step;
    int behind = largest_step(table, rows, &step);

    if (behind < 0)
        return ws_preset_answer_trend(table, rows, job, now);
    const guint before = (guint)behind - 1, after = (guint)behind;
    return g_strdup_printf(
        "the cliff is between %s and %s registers a thread: an SM holds %s blocks instead of %s, "
        "and it takes %.2f times as long",
        ws_preset_cell(table, rows, before, "registers_per_thread"),
        ws_preset_cell(table, rows, after, "registers_per_thread"),
        ws_preset_cell(table, rows, after, "blocks_per_sm"),
        ws_preset_cell(table, rows, before, "blocks_per_sm"), step);
}

/* ---- warp size --------------------------------------------------------------------------------
 */

/*
 * The machine that warps of all sizes run on: what ws_preset_prepare_warp_size() sets, unless
 * `pipe_lanes` is a parameter, too.
 */
static char *width_text(const WsTable *table, const GPtrArray *rows, const WsJob *job)
{
    const char *given = ws_preset_cell(table, rows, 0, "pipe_lanes");
    if (strcmp(given, "0") == 0)
        return g_strdup("on a machine as wide as its warps");
    if (*given != '\0')
        return g_strdup_printf("on pipes of %s lanes", given);
    return g_strdup_printf("on pipes of %" G_GUINT64_FORMAT " lanes", ws_pipe_lanes(job->device));
}

/* Where SMs have few warps, no size costs time: nobody waits for the pipes. */
static char *busy_text(const WsTable *table, const GPtrArray *rows, const WsJob *job,
                       const char *now)
{
    int row = MAX(present_row(table, rows, now), 0);
    double held = ws_preset_number(table, rows, (guint)row, "occupancy_achieved");
    if (job->device->sms == 1 || !(held < FEW_WARPS))
        return g_strdup("");
    return g_strdup_printf("; the SMs are almost empty (%.0f %% of their warp slots): --sms 1 "
                           "shows what a busy one does",
                           100 * held);
}

/* The price on both ends: lanes that wait for others, and instructions to be issued. */
char *ws_preset_answer_warp_size(const WsTable *table, const GPtrArray *rows, const WsJob *job,
                                 const char *now)
{
    int first, last;
    ends(table, rows, &first, &last);
    if (first < 0 || first == last)
        return ws_preset_answer_trend(table, rows, job, now);
    double small = ws_preset_number(table, rows, (guint)first, "lane_efficiency");
    double large = ws_preset_number(table, rows, (guint)last, "lane_efficiency");
    double issues = ws_preset_number(table, rows, (guint)first, "warp_instructions") /
                    ws_preset_number(table, rows, (guint)last, "warp_instructions");
    int best = extreme(table, rows, "cycles", FALSE);
    g_autofree char *width = width_text(table, rows, job);
    g_autofree char *busy = busy_text(table, rows, job, now);
    return g_strdup_printf(
        "warps of %s use %.1f %% of their lanes and of %s %.1f %%, for %.2f times as many "
        "instructions to issue; an instruction reads a register of %s threads or of %s at once. "
        "warp_size=%s is the fastest with %.0f cycles, %s%s",
        value_of(table, rows, first), 100 * small, value_of(table, rows, last), 100 * large, issues,
        value_of(table, rows, first), value_of(table, rows, last), value_of(table, rows, best),
        cycles_of(table, rows, best), width, busy);
}

/* ---- latency ----------------------------------------------------------------------------------
 */

/* All of memory is scaled together: how many times as slow it is, the first column says. */
char *ws_preset_answer_latency(const WsTable *table, const GPtrArray *rows, const WsJob *job,
                               const char *now)
{
    int first, last, present = present_row(table, rows, now);
    ends(table, rows, &first, &last);
    double least = first < 0 ? 0 : cycles_of(table, rows, extreme(table, rows, "cycles", FALSE));
    if (present < 0 || first == present || last == present ||
        cycles_of(table, rows, extreme(table, rows, "cycles", TRUE)) <= SAME * least)
        return ws_preset_answer_trend(table, rows, job, now);
    double as_it_is = g_ascii_strtod(now, NULL);
    double cycles = cycles_of(table, rows, present);
    return g_strdup_printf(
        "with a memory %.3g times as slow it takes %.2f times as long, with one %.3g times as "
        "fast %.2f times (%.0f cycles unchanged)",
        g_ascii_strtod(value_of(table, rows, last), NULL) / as_it_is,
        cycles_of(table, rows, last) / cycles,
        as_it_is / g_ascii_strtod(value_of(table, rows, first), NULL),
        cycles_of(table, rows, first) / cycles, cycles);
}

/* ---- shared memory ----------------------------------------------------------------------------
 */

char *ws_preset_answer_shared(const WsTable *table, const GPtrArray *rows, const WsJob *job,
                              const char *now)
{
    int first, last;
    ends(table, rows, &first, &last);
    if (first < 0 || first == last ||
        cycles_of(table, rows, extreme(table, rows, "cycles", TRUE)) <=
            SAME * cycles_of(table, rows, extreme(table, rows, "cycles", FALSE)))
        return ws_preset_answer_trend(table, rows, job, now);
    double cycles = cycles_of(table, rows, first);
    int held = first;
    while (held < last && is_good(table, rows, (guint)held + 1) &&
           cycles_of(table, rows, held + 1) <= cycles / FULL)
        held++;
    GString *out = g_string_new(NULL);
    if (held == last)
        g_string_append(out, "it costs no more than 5 %");
    else if (held == first)
        g_string_append_printf(out, "the first block that no longer fits costs %.0f %% already",
                               100 * (cycles_of(table, rows, first + 1) / cycles - 1));
    else
        g_string_append_printf(out,
                               "up to %s bytes, with %s blocks on an SM, it costs no more "
                               "than 5 %%",
                               value_of(table, rows, held),
                               ws_preset_cell(table, rows, (guint)held, "blocks_per_sm"));
    g_string_append_printf(out,
                           "; with %s bytes, when %s fits instead of %s, it takes %.2f times as "
                           "long",
                           value_of(table, rows, last),
                           ws_preset_cell(table, rows, (guint)last, "blocks_per_sm"),
                           ws_preset_cell(table, rows, (guint)first, "blocks_per_sm"),
                           cycles_of(table, rows, last) / cycles);
    return g_string_free(out, FALSE);
}

/* ---- divergence -------------------------------------------------------------------------------
 */

char *ws_preset_answer_divergence(const WsTable *table, const GPtrArray *rows,
                                  const WsJob *job G_GNUC_UNUSED, const char *now G_GNUC_UNUSED)
{
    int worst = extreme(table, rows, "cycles", TRUE);
    int least = extreme(table, rows, "lane_efficiency", FALSE), first, last;
    ends(table, rows, &first, &last);
    if (worst < 0 || least < 0 || first == last)
        return nothing_ran();
    char *same = no_difference(table, rows, extreme(table, rows, "cycles", FALSE), worst);
    if (same != NULL)
        return same;
    if (ws_preset_number(table, rows, (guint)extreme(table, rows, "warps_diverged", TRUE),
                         "warps_diverged") == 0)
        return g_strdup_printf("no warp diverges, whatever side lanes take (a short side is "
                               "predicated): %.0f cycles with %s, %.0f with %s",
                               cycles_of(table, rows, first), value_of(table, rows, first),
                               cycles_of(table, rows, last), value_of(table, rows, last));
    return g_strdup_printf(
        "if lanes diverge the warp runs both sides:  %.0f cycles with %s of them on the first "
        "side, %.0f with %s, and up to %.0f between (%s); lane efficiency falls to %.0f %% "
        "(%s)",
        cycles_of(table, rows, first), value_of(table, rows, first), cycles_of(table, rows, last),
        value_of(table, rows, last), cycles_of(table, rows, worst), value_of(table, rows, worst),
        100 * ws_preset_number(table, rows, (guint)least, "lane_efficiency"),
        value_of(table, rows, least));
}
