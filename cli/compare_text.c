/* A run beside a profile, as text. */
#include "cli/compare_report.h"
#include "cli/report_layout.h"
#include "isa/base/escape.h"
#include "study/results/aligned_text.h"

#include <math.h>
#include <string.h>

enum { NAME = 33, NUMBER = 12, RATIO = 9, LINE_NAME = 21 };

/* ---- cells --------------------------------------------------------------------------------------
 */

/* Units that people read in others: of the figure, and what to multiply by. */
static const struct {
    const char *unit, *shown;
    double factor;
} scales[] = {{"second", "us", 1e6}, {"cycle/second", "GHz", 1e-9}, {"byte/second", "GB/s", 1e-9}};

/* The unit to write behind a figure, "" for counts, and the factor. */
static const char *scale_of(const char *unit, double *ret_factor)
{
    *ret_factor = 1;
    for (guint i = 0; i < G_N_ELEMENTS(scales); i++)
        if (strcmp(unit, scales[i].unit) == 0) {
            *ret_factor = scales[i].factor;
            return scales[i].shown;
        }
    return strcmp(unit, "%") == 0 ? unit : "";
}

/* "12,345", "3.142", "0.000123", "-" for NaN. Free with g_free. */
static char *number(double value)
{
    enum { MANY = 10000, SOME = 100 };
    double size = fabs(value);

    if (isnan(value))
        return g_strdup("-");
    if (size < 1e15 && (value == floor(value) || size >= MANY)) {
        g_autofree char *digits = ws_grouped((guint64)(size + 0.5));

        return g_strconcat(value < 0 ? "-" : "", digits, NULL);
    }
    return size >= SOME  ? g_strdup_printf("%.1f", value)
           : size >= 0.1 ? g_strdup_printf("%.3f", value)
                         : g_strdup_printf("%.3g", value);
}

/* Simulated to measured; "-" where there is none. Free with g_free. */
static char *ratio(double simulated, double measured)
{
    enum { MANY = 100 };

    if (isnan(simulated) || isnan(measured) || measured == 0)
        return g_strdup("-");
    return g_strdup_printf(simulated / measured < MANY ? "%.3f" : "%.0f", simulated / measured);
}

static void add_row(WsReport *report, const char *name, double simulated, double measured)
{
    g_autofree char *cut = ws_cut(name, NAME);
    g_autofree char *a = number(simulated), *b = number(measured);
    g_autofree char *difference = number(simulated - measured);
    g_autofree char *of = ratio(simulated, measured);
    g_autoptr(GString) row = g_string_new("  ");

    ws_append_left(row, cut, NAME);
    ws_append_right(row, a, NUMBER);
    ws_append_right(row, b, NUMBER);
    ws_append_right(row, difference, NUMBER);
    ws_append_right(row, of, RATIO);
    ws_report_add(report, "%s\n", row->str);
}

static void add_head(WsReport *report, const char *heading)
{
    ws_report_add(report, "\n%-*s%*s%*s%*s%*s\n", NAME + 2, heading, NUMBER, "simulated", NUMBER,
                  "measured", NUMBER, "difference", RATIO, "ratio");
}

/* ---- figures ------------------------------------------------------------------------------------
 */

static void add_figure(WsReport *report, const WsComparedMetric *row)
{
    double factor;
    const char *unit = scale_of(row->mapped.unit, &factor);
    const char *form = strchr(row->metric, '.');
    /* Of a metric in another form than usual: in which. */
    const char *other = row->mapped.shown || form == NULL ? "" : form;
    g_autofree char *name =
        g_strdup_printf("%s%s%s%s%s", row->mapped.figure, *unit != '\0' ? ", " : "", unit, other,
                        *row->mapped.note != '\0' ? " *" : "");

    add_row(report, name, factor * row->mapped.simulated, factor * row->value);
}

/* Sizes of the launch, which are mostly what they should be; the details page rounds them. */
static gboolean goes_without_saying(const WsComparedMetric *row)
{
    const double rounding = 0.005;

    return row->mapped.group == WS_GROUP_OF_LAUNCH &&
           fabs(row->mapped.simulated - row->value) <= rounding * fabs(row->value);
}

static void add_figures(WsReport *report, const GPtrArray *shown)
{
    int last = -1;

    for (guint i = 0; i < shown->len; i++) {
        const WsComparedMetric *row = shown->pdata[i];
        WsMetricGroup group = row->mapped.group;

        if (goes_without_saying(row))
            continue;
        if (last != (int)group) {
            const char *name = ws_metric_group_name(group);
            const char *of = group != WS_GROUP_OF_STALLS ? ""
                             : row->mapped.samples       ? ", samples"
                             : *row->mapped.unit == '\0' ? ", share of warp-cycles"
                                                         : ", cycles per instruction";
            g_autofree char *heading = g_strconcat(name, of, NULL);

            add_head(report, heading);
        }
        last = (int)group;
        add_figure(report, row);
    }
}

/* What the stars stand for. */
static void add_notes(WsReport *report, const GPtrArray *shown)
{
    gboolean any = FALSE;

    for (guint i = 0; i < shown->len; i++) {
        const WsComparedMetric *row = shown->pdata[i];
        g_autofree char *text = NULL;

        if (*row->mapped.note == '\0' || goes_without_saying(row))
            continue;
        if (!any)
            ws_report_heading(report, "* Definitions differ");
        any = TRUE;
        text = g_strdup_printf("  %s: %s", row->mapped.figure, row->mapped.note);
        ws_report_wrapped(report, text, 4);
    }
}

/* ---- lines and opcodes --------------------------------------------------------------------------
 */

static void add_lines(WsReport *report, const GArray *lines, guint most)
{
    if (lines->len == 0 || most == 0)
        return;
    ws_report_add(report, "\n%-*s%*s%*s%*s%*s\n", LINE_NAME + 2, "Source lines", NUMBER, "time",
                  NUMBER, "samples", NUMBER, "instr. sim.", NUMBER, "measured");
    for (guint i = 0; i < MIN(lines->len, most); i++) {
        const WsComparedLine *line = &g_array_index(lines, WsComparedLine, i);
        g_autofree char *place = *line->file == '\0' || line->line == 0
                                     ? g_strdup("(no line)")
                                     : g_strdup_printf("%s:%u", line->file, line->line);
        g_autofree char *cut = ws_cut(place, LINE_NAME);
        g_autofree char *time = line->simulated
                                    ? g_strdup_printf("%.1f %%", 100 * line->simulated_share)
                                    : g_strdup("-");
        g_autofree char *samples = isnan(line->measured_share)
                                       ? g_strdup("-")
                                       : g_strdup_printf("%.1f %%", 100 * line->measured_share);
        g_autofree char *a = number(line->simulated ? (double)line->counters.issued : (double)NAN);
        g_autofree char *b =
            number(line->measured ? line->sums.figures[WS_SOURCE_INSTRUCTIONS] : (double)NAN);

        ws_report_add(report, "  %-*s%*s%*s%*s%*s\n", LINE_NAME, cut, NUMBER, time, NUMBER, samples,
                      NUMBER, a, NUMBER, b);
    }
    if (lines->len > most)
        ws_report_add(report, "  ... %u more (--lines)\n", lines->len - most);
}

static void add_opcodes(WsReport *report, const GArray *opcodes, guint most)
{
    if (opcodes->len == 0 || most == 0)
        return;
    add_head(report, "Warp instructions by opcode");
    for (guint i = 0; i < MIN(opcodes->len, most); i++) {
        const WsComparedOpcode *row = &g_array_index(opcodes, WsComparedOpcode, i);

        add_row(report, row->opcode, (double)row->simulated, row->measured);
    }
    if (opcodes->len > most)
        ws_report_add(report, "  ... %u more (--lines)\n", opcodes->len - most);
}

/* ---- what is compared ---------------------------------------------------------------------------
 */

static void add_counts(WsReport *report, const WsProfileComparison *comparison, gboolean all)
{
    g_autoptr(GString) text = g_string_new(NULL);
    guint columns = comparison->columns->len, mapped = 0;

    g_string_append_printf(text,
                           "The profile has %u metrics of this launch:", comparison->metrics->len);
    for (guint i = 0; i < WS_METRIC_STATUS_COUNT; i++)
        g_string_append_printf(text, "%s %u %s", i == 0 ? "" : ",", comparison->counts[i],
                               ws_metric_status_name((WsMetricStatus)i));
    if (comparison->measured->rules != 0)
        g_string_append_printf(text, "; and %u rows of advice", comparison->measured->rules);
    for (guint i = 0; i < columns; i++)
        mapped += g_array_index(comparison->columns, WsComparedColumn, i).status == WS_METRIC_MAPPED
                      ? 1
                      : 0;
    if (columns != 0)
        g_string_append_printf(text, "; of %u columns of its source page %u are compared", columns,
                               mapped);
    g_string_append(text, all ? "." : " (--all lists them).");
    ws_report_add(report, "\n");
    ws_report_wrapped(report, text->str, 2);
}

/* Every metric: compared with its value, or with the reason why not. */
static void add_all(WsReport *report, const WsProfileComparison *comparison)
{
    ws_report_heading(report, "Metrics of the profile");
    for (guint i = 0; i < comparison->metrics->len; i++) {
        const WsComparedMetric *row = ws_compared_metric(comparison, i);
        g_autofree char *a = number(row->mapped.simulated), *b = number(row->value);
        g_autofree char *of = ratio(row->mapped.simulated, row->value);
        g_autofree char *metric = ws_escape_controls(row->metric, -1, "");

        if (row->mapped.status == WS_METRIC_MAPPED)
            ws_report_add(report, "  %s: simulated %s, measured %s%s%s, ratio %s\n", metric, a, b,
                          *row->mapped.unit != '\0' ? " " : "", row->mapped.unit, of);
        else
            ws_report_add(report, "  %s: %s: %s\n", metric,
                          ws_metric_status_name(row->mapped.status), row->mapped.why);
    }
    for (guint i = 0; i < comparison->columns->len; i++) {
        const WsComparedColumn *column = &g_array_index(comparison->columns, WsComparedColumn, i);
        g_autofree char *name = ws_escape_controls(column->name, -1, "");

        if (column->status != WS_METRIC_MAPPED)
            ws_report_add(report, "  column \"%s\" of the source page: not compared\n", name);
    }
}

static void add_launch(WsReport *report, const WsCompareReport *of,
                       const WsProfileComparison *comparison, guint lines, gboolean all)
{
    g_autoptr(GPtrArray) shown = ws_profile_comparison_shown(comparison);
    g_autofree char *id =
        ws_printable(comparison->measured->id != NULL ? comparison->measured->id : "");
    g_autofree char *heading =
        g_strdup_printf("%s: simulated on %s beside %s%s of the profile", comparison->kernel,
                        of->device, *id != '\0' ? "launch " : "a launch", id);

    ws_report_wrapped(report, heading, 2);
    for (guint i = 0; i < comparison->notes->len; i++)
        ws_report_wrapped(report, comparison->notes->pdata[i], 2);
    add_figures(report, shown);
    add_lines(report, comparison->lines, lines);
    add_opcodes(report, comparison->opcodes, lines);
    add_notes(report, shown);
    add_counts(report, comparison, all);
    if (all)
        add_all(report, comparison);
}

/* Launches of one side alone, the first of them. */
static void add_unmatched(WsReport *report, const WsCompareReport *of)
{
    enum { MOST = 10 };
    guint simulated = of->only_simulated->len, measured = of->only_measured->len;

    for (guint i = 0; i < MIN(simulated, MOST); i++)
        ws_report_add(report, "Launched by the target, but not in the profile: %s\n",
                      (const char *)of->only_simulated->pdata[i]);
    if (simulated > MOST)
        ws_report_add(report, "  ... %u more\n", simulated - MOST);
    for (guint i = 0; i < MIN(measured, MOST); i++) {
        const WsMeasuredLaunch *launch = of->only_measured->pdata[i];
        g_autofree char *kernel = ws_printable(launch->kernel);
        g_autofree char *id = ws_printable(launch->id != NULL ? launch->id : "");

        ws_report_add(report, "In the profile, but not compared: %s%s%s\n", id,
                      *id != '\0' ? " " : "", kernel);
    }
    if (measured > MOST)
        ws_report_add(report, "  ... %u more\n", measured - MOST);
}

char *ws_compare_text(const WsCompareReport *report, guint lines, gboolean all, int width)
{
    WsReport out = {.out = g_string_new(NULL), .width = width};

    for (guint i = 0; i < report->comparisons->len; i++) {
        if (i > 0)
            ws_report_add(&out, "\n");
        add_launch(&out, report, report->comparisons->pdata[i], lines, all);
    }
    if (report->only_simulated->len + report->only_measured->len != 0)
        ws_report_add(&out, "\n");
    add_unmatched(&out, report);
    return ws_report_end(&out);
}
