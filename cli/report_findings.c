/* What the checks of a run found: both threads, both lines, and what is missing. */
#include "cli/report_parts.h"
#include "sim/base/instruction_place.h"

enum { INDENT = 12 };

static const char *const titles[] = {[WS_CHECK_RACES] = "RACE",
                                     [WS_CHECK_UNINITIALISED] = "UNINITIALISED",
                                     [WS_CHECK_BOUNDS] = "BOUNDS",
                                     [WS_CHECK_BARRIERS] = "BARRIERS"};
static const char *const actions[] = {[WS_TOUCH_READ] = "reads",
                                      [WS_TOUCH_WRITE] = "writes",
                                      [WS_TOUCH_ATOMIC] = "changes with an atomic",
                                      [WS_TOUCH_INDEX] = "uses the index",
                                      [WS_TOUCH_WAIT] = "waits"};

static char *place_of(const WsJob *job, const WsTouch *touch)
{
    if (touch->line != 0)
        return ws_report_place(job->program, touch->file, touch->line);
    return touch->instruction != WS_CHECK_NO_INSTRUCTION
               ? ws_instruction_place(job->program, touch->instruction)
               : g_strdup("an unknown line");
}

static void add_touch(WsReport *report, const WsJob *job, const WsTouch *touch)
{
    g_autofree char *place = place_of(job, touch);
    g_autofree char *source = ws_source_line(job->sources, touch->file, touch->line);
    const gboolean is_inlined = touch->inlined != NULL;

    ws_report_add(report, "    block (%u,%u,%u) thread (%u,%u,%u), warp %u lane %u, %s",
                  touch->block[0], touch->block[1], touch->block[2], touch->thread[0],
                  touch->thread[1], touch->thread[2], touch->warp, touch->lane,
                  actions[touch->action]);
    if (is_inlined) {
        ws_report_add(report, "\n      ");
        ws_report_wrapped(report, touch->inlined, INDENT);
    } else {
        ws_report_add(report, " at %s", place);
    }
    if (source != NULL)
        ws_report_add(report, "%s%s", is_inlined ? "      " : ": ", source);
    if (source != NULL || !is_inlined)
        ws_report_add(report, "\n");
}

static void add_finding(WsReport *report, const WsJob *job, const WsCheckFinding *finding)
{
    g_autofree char *count = ws_grouped(finding->count);

    ws_report_add(report, "  %s  %s", titles[finding->kind], finding->place);
    if (job->launch_count > 1)
        ws_report_add(report, ", launch %u (%s)", finding->launch,
                      job->launches[finding->launch].kernel->display_name);
    if (finding->count > 1)
        ws_report_add(report, "; first of %s at %s", count,
                      finding->touches > 1 ? "these lines" : "this line");
    ws_report_add(report, "\n");
    for (guint i = 0; i < finding->touches; i++)
        add_touch(report, job, &finding->touch[i]);
    ws_report_add(report, "    ");
    ws_report_wrapped(report, finding->missing, INDENT);
}

void ws_report_findings(WsReport *report, const WsJob *job, const WsFindings *findings)
{
    if (findings == NULL)
        return;
    ws_report_heading(report, "Findings");
    for (guint i = 0; i < findings->list->len; i++)
        add_finding(report, job, findings->list->pdata[i]);
    if (findings->list->len > 0)
        return;
    ws_report_add(report, "  none, of");
    for (guint kind = 0, n = 0; kind < WS_CHECK_COUNT; kind++)
        if (findings->kinds & WS_CHECK_BIT(kind))
            ws_report_add(report, "%s %s", n++ > 0 ? "," : "", ws_check_kind_name(kind));
    ws_report_add(report, "\n");
}
