/* Two runs beside each other, as text. */
#include "cli/diff_report.h"
#include "cli/report_layout.h"
#include "inspect/compare/part_reason.h"
#include "inspect/export/export.h"

#include <math.h>
#include <string.h>

enum { NAME_WIDTH = 24, MOST_SETTINGS = 8 };

static const char *const names[WS_SIDES] = {"A", "B"};

/* "12,345" or "0.873". Free with g_free. */
static char *number(double value, guint decimals)
{
    return decimals == 0 ? ws_grouped((guint64)value)
                         : g_strdup_printf("%.*f", (int)decimals, value);
}

/* "+12.5 %", "same", "new", "gone". Free with g_free. */
static char *change(double a, double b)
{
    if (a == b)
        return g_strdup("same");
    if (a == 0 || b == 0)
        return g_strdup(a == 0 ? "new" : "gone");
    return g_strdup_printf("%+.1f %%", 100 * (b - a) / a);
}

static void add_row(WsReport *report, const char *name, double a, double b, guint decimals)
{
    g_autofree char *x = number(a, decimals), *y = number(b, decimals), *by = change(a, b);

    ws_report_add(report, "  %-*s %15s %15s %10s\n", NAME_WIDTH, name, x, y, by);
}

static void add_head(WsReport *report, const char *heading)
{
    ws_report_add(report, "\n%-*s %15s %15s %10s\n", NAME_WIDTH + 2, heading, names[0], names[1],
                  "B to A");
}

static void add_side(WsReport *report, const WsDiff *diff, guint side)
{
    const WsResult *result = diff->result[side];

    ws_report_add(report, "%s  %s on %s: %s\n", names[side], diff->job[side]->path,
                  diff->job[side]->device->name, ws_status_name(result->status));
}

/* Where one is not known, or there is none, it is not known either whether they differ. */
static void add_compilers(WsReport *report, const WsDiff *diff)
{
    const char *a = diff->job[WS_SIDE_A]->program->compiler;
    const char *b = diff->job[WS_SIDE_B]->program->compiler;

    if (a != NULL && b != NULL && strcmp(a, b) != 0)
        ws_report_add(report, "   compiled by %s | %s: cycles may differ for that reason\n", a, b);
}

/* The devices' differences, as far as they are few. */
static void add_settings(WsReport *report, const GArray *settings)
{
    for (guint i = 0; i < MIN(settings->len, MOST_SETTINGS); i++) {
        const WsSettingDifference *row = &g_array_index(settings, WsSettingDifference, i);

        ws_report_add(report, "   %s: %s | %s\n", row->path, row->value[0], row->value[1]);
    }
    if (settings->len > MOST_SETTINGS)
        ws_report_add(report, "   and %u more settings\n", settings->len - MOST_SETTINGS);
}

/* ---- where they part ----------------------------------------------------------------------------
 */

static void add_events(WsReport *report, const WsDiff *diff)
{
    for (guint i = 0; i < WS_SIDES; i++) {
        g_autofree char *line = NULL;

        if (diff->parting->has[i])
            line = ws_trace_text_line(diff->launch[i], &diff->parting->event[i]);
        ws_report_add(report, "  %s %s\n", names[i], line != NULL ? line : "       (has ended)");
    }
}

static void add_parting(WsReport *report, const WsDiff *diff)
{
    const WsFirstDifference *parting = diff->parting;
    g_autofree char *common = ws_count_of(parting->common, "event");
    g_autofree char *reason = NULL, *cycle = NULL;
    const WsTraceEvent *event;

    if (!parting->parted) {
        ws_report_add(report, "\nThe runs are the same, event by event: %s.\n", common);
        return;
    }
    event = &parting->event[ws_parting_first(parting)];
    reason = ws_parting_reason(parting);
    cycle = ws_grouped(event->cycle);
    ws_report_add(report, "\nThey first differ at cycle %s, SM %u, warp %u, after %s in common:\n",
                  cycle, event->sm, event->warp, common);
    ws_report_add(report, "  %s.\n", reason);
    add_events(report, diff);
}

/* ---- differences --------------------------------------------------------------------------------
 */

static void add_figures(WsReport *report, const GArray *figures)
{
    add_head(report, "Figures");
    for (guint i = 0; i < figures->len; i++) {
        const WsFigure *figure = &g_array_index(figures, WsFigure, i);

        if (figure->value[0] != 0 || figure->value[1] != 0)
            add_row(report, figure->name, figure->value[0], figure->value[1], figure->decimals);
    }
}

static void add_stalls(WsReport *report, const GArray *stalls)
{
    add_head(report, "Warp-cycles by reason");
    for (guint i = 0; i < stalls->len; i++) {
        const WsStallDifference *row = &g_array_index(stalls, WsStallDifference, i);

        add_row(report, ws_stall_name(row->stall), (double)row->cycles[0], (double)row->cycles[1],
                0);
    }
}

static void add_lines(WsReport *report, const GArray *lines, guint most)
{
    if (lines->len == 0 || most == 0)
        return;
    add_head(report, "Warp-cycles by line");
    for (guint i = 0; i < MIN(lines->len, most); i++) {
        const WsLineDifference *row = &g_array_index(lines, WsLineDifference, i);
        g_autofree char *place = ws_cut(row->place, NAME_WIDTH);

        add_row(report, place, (double)row->cycles[0], (double)row->cycles[1], 0);
    }
    if (lines->len > most)
        ws_report_add(report, "  ... %u more, which differ less (--lines)\n", lines->len - most);
}

static void add_buffers(WsReport *report, const GArray *buffers)
{
    if (buffers->len != 0)
        ws_report_add(report, "\nResults that differ\n");
    for (guint i = 0; i < buffers->len; i++) {
        const WsBufferDifference *row = &g_array_index(buffers, WsBufferDifference, i);
        g_autofree char *count = ws_count_of(row->elements, "element");

        ws_report_add(report, "  %s: %s, the first at [%" G_GUINT64_FORMAT "]\n", row->name, count,
                      row->first);
    }
}

char *ws_diff_text(const WsDiff *diff, guint lines)
{
    WsReport report = {.out = g_string_new(NULL), .width = G_MAXINT};

    for (guint i = 0; i < WS_SIDES; i++)
        add_side(&report, diff, i);
    add_compilers(&report, diff);
    add_settings(&report, diff->comparison->settings);
    add_parting(&report, diff);
    if (diff->parting->parted) {
        add_figures(&report, diff->comparison->figures);
        add_stalls(&report, diff->comparison->stalls);
        add_lines(&report, diff->comparison->lines, lines);
    }
    add_buffers(&report, diff->comparison->buffers);
    return ws_report_end(&report);
}
