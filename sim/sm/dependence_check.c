#include "sim/sm/dependence_check.h"

void ws_find_waits(const WsIssueTable *table, const guint64 *entries, const WsIssueInfo *issue,
                   guint64 since, guint64 until[WS_WAIT_COUNT])
{
    const WsDependence *dependence = ws_issue_inputs(table, issue);
    guint64 old = since < table->latest ? 0 : ws_entry(since - table->latest, 0);

    for (guint i = 0; i < issue->inputs; i++, dependence++) {
        guint64 entry = entries[dependence->entry];
        if (entry < old)
            continue;
        guint64 *wait = &until[table->wait[ws_entry_kind(entry)]];
        *wait = MAX(*wait, ws_dependence_cycle(table, entry, dependence->relation));
    }
    /* A write must come after the write before it: issue late enough for that. */
    for (guint i = 0; i < issue->ordered; i++, dependence++) {
        guint64 entry = entries[dependence->entry];
        if (entry < old)
            continue;
        guint kind = ws_entry_kind(entry);
        guint64 cycle = ws_entry_cycle(entry), early = kind < WS_VARIABLE ? issue->latency - 1u : 0;
        guint64 *wait = &until[table->wait[kind]];
        *wait = MAX(*wait, cycle > early ? cycle - early : 0);
    }
}

void ws_find_war_waits(const WsIssueTable *table, const guint64 *war, const WsIssueInfo *issue,
                       guint64 until[WS_WAIT_COUNT])
{
    const WsDependence *output = ws_issue_outputs(table, issue);

    for (guint i = 0; i < issue->outputs; i++) {
        if (output[i].entry < table->first_predicate && war[output[i].entry] != 0) {
            guint64 *wait = &until[table->wait[ws_entry_kind(war[output[i].entry])]];
            *wait = MAX(*wait, ws_entry_cycle(war[output[i].entry]));
        }
    }
}

gboolean ws_outputs_are_read(const WsIssueTable *table, const guint64 *war,
                             const WsIssueInfo *issue, guint64 cycle)
{
    const WsDependence *output = ws_issue_outputs(table, issue);

    for (guint i = 0; i < issue->outputs; i++)
        if (output[i].entry < table->first_predicate &&
            ws_entry_cycle(war[output[i].entry]) > cycle)
            return FALSE;
    return TRUE;
}

void ws_set_war_reads(const WsIssueTable *table, guint64 *war, const WsIssueInfo *issue,
                      guint64 cycle)
{
    const WsDependence *read = ws_issue_war_reads(table, issue);
    guint kind = WS_VARIABLE + issue->execution_class;

    for (guint i = 0; i < issue->war_reads; i++) {
        guint64 *entry = &war[read[i].entry];
        *entry = ws_entry(MAX(ws_entry_cycle(*entry), cycle), kind);
    }
}
