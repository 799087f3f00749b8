#include "cli/phases_text.h"

#include "cli/report_layout.h"
#include "study/results/aligned_text.h"

#include <math.h>
#include <string.h>

enum { LABEL = 24, LEAST_COLUMN = 12, GAP = 2 };

typedef struct {
    const GArray *phases;
    const WsPhaseSums *sums; /* [phase][run] */
    guint runs;
    guint width; /* of a column */
} Layout;

static const WsPhaseSums *sums_of(const Layout *layout, guint phase, guint run)
{
    return &layout->sums[phase * layout->runs + run];
}

/* Two columns that are compared have a third one. */
static gboolean has_change(const Layout *layout)
{
    return layout->runs == 2 || layout->phases->len == 2;
}

static void append_cell(GString *out, const Layout *layout, const char *text)
{
    g_string_append_printf(out, "%*s", GAP, "");
    ws_append_right(out, text, layout->width);
}

/* ---- values -------------------------------------------------------------------------------------
 */

/* What a line shows of a phase; NaN where there is nothing. */
typedef struct {
    guint column;
    gboolean share; /* of the warp-cycles */
} Line;

static double value_of(const Line *line, const WsPhaseSums *sums)
{
    double value = ws_phase_value(sums, line->column);

    if (!line->share)
        return value;
    return sums->sum.counters.warp_cycles != 0 ? value / (double)sums->sum.counters.warp_cycles
                                               : (double)NAN;
}

static char *text_of(const Line *line, double value)
{
    const WsSampleColumn column = ws_sample_column_at(line->column);

    if (isnan(value))
        return g_strdup("-");
    if (line->share || strcmp(column.unit, "share") == 0)
        return g_strdup_printf("%.1f %%", 100 * value);
    return column.integer ? ws_grouped((guint64)value) : g_strdup_printf("%.3f", value);
}

/* Of shares the difference in percentage points, of others the ratio. */
static char *change_of(const Line *line, double a, double b)
{
    gboolean share = line->share || strcmp(ws_sample_column_at(line->column).unit, "share") == 0;

    if (strcmp(ws_sample_column_at(line->column).name, "cycle") == 0)
        return g_strdup(""); /* where a phase begins is no figure of it */
    if (isnan(a) || isnan(b) || (!share && a == 0))
        return g_strdup("-");
    return share ? g_strdup_printf("%+.1f pp", 100 * (b - a))
                 : g_strdup_printf("%+.1f %%", 100 * (b / a - 1));
}

static void append_change(GString *out, const Layout *layout, const Line *line, double a, double b)
{
    g_autofree char *text = change_of(line, a, b);

    append_cell(out, layout, text);
}

static void append_line(GString *out, const Layout *layout, const Line *line)
{
    const char *name = ws_sample_column_at(line->column).name;
    double before = 0;

    ws_append_left(out, name, LABEL);
    for (guint p = 0; p < layout->phases->len; p++)
        for (guint run = 0; run < layout->runs; run++) {
            double value = value_of(line, sums_of(layout, p, run));
            g_autofree char *text = text_of(line, value);

            append_cell(out, layout, text);
            if (layout->runs == 2 && run == 1)
                append_change(out, layout, line, before, value);
            else if (layout->runs == 1 && p == 1 && layout->phases->len == 2)
                append_change(out, layout, line, before, value);
            before = value;
        }
    while (out->str[out->len - 1] == ' ')
        g_string_truncate(out, out->len - 1);
    g_string_append_c(out, '\n');
}

/* ---- the table ----------------------------------------------------------------------------------
 */

static void append_head(GString *out, const Layout *layout)
{
    ws_append_left(out, "", LABEL);
    for (guint p = 0; p < layout->phases->len; p++) {
        append_cell(out, layout, g_array_index(layout->phases, WsPhase, p).name);
        for (guint k = 1; layout->runs == 2 && k < 3; k++)
            append_cell(out, layout, "");
    }
    if (layout->runs == 1 && has_change(layout))
        append_cell(out, layout, "change");
    while (out->str[out->len - 1] == ' ')
        g_string_truncate(out, out->len - 1);
    g_string_append_c(out, '\n');
    if (layout->runs == 1)
        return;
    ws_append_left(out, "", LABEL);
    for (guint p = 0; p < layout->phases->len; p++) {
        append_cell(out, layout, "A");
        append_cell(out, layout, "B");
        append_cell(out, layout, "change");
    }
    g_string_append_c(out, '\n');
}

static gboolean is_nowhere(const Layout *layout, guint column)
{
    for (guint i = 0; i < layout->phases->len * layout->runs; i++)
        if (ws_phase_value(&layout->sums[i], column) > 0)
            return FALSE;
    return TRUE;
}

static guint column_width(const GArray *phases)
{
    guint width = LEAST_COLUMN;

    for (guint i = 0; i < phases->len; i++)
        width = MAX(width, ws_characters(g_array_index(phases, WsPhase, i).name));
    return width;
}

char *ws_phases_text(const GArray *phases, const WsPhaseSums *sums, guint runs)
{
    static const char *const figures[] = {"cycle",
                                          "cycles",
                                          "warp_instructions",
                                          "ipc",
                                          "lanes_per_instruction",
                                          "occupancy",
                                          "l1_hit_rate",
                                          "l2_hit_rate",
                                          "l2_bytes_per_cycle",
                                          "dram_bytes_per_cycle"};
    const Layout layout = {phases, sums, runs, column_width(phases)};
    GString *out = g_string_new(NULL);

    append_head(out, &layout);
    for (guint i = 0; i < G_N_ELEMENTS(figures); i++)
        append_line(out, &layout, &(Line){(guint)ws_sample_column_find(figures[i]), FALSE});
    g_string_append(out, "\nStalls, of the warp-cycles\n");
    for (guint i = 0; i < ws_sample_column_count(); i++)
        if (g_str_has_prefix(ws_sample_column_at(i).name, "stall_") && !is_nowhere(&layout, i))
            append_line(out, &layout, &(Line){i, TRUE});
    return g_string_free(out, FALSE);
}
