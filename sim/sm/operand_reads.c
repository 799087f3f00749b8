#include "sim/sm/operand_reads.h"

/* The operands of an instruction and how many: what it waits for, or, where control fields are
 * obeyed, what it checks. */
static const WsDependence *operands_of(const WsIssueTable *table, const WsIssueInfo *issue,
                                       guint *count)
{
    *count = table->control ? issue->checks : issue->inputs;
    return table->control ? ws_issue_checks(table, issue) : ws_issue_inputs(table, issue);
}

guint64 ws_first_read(const WsSm *sm, const WsWarp *warp, guint32 pc, guint64 now)
{
    const WsIssueTable *table = sm->table;
    const guint64 *entries = ws_sm_entries(sm, warp);
    guint64 last[WS_REGISTER_BANKS] = {0}, ret = now;
    guint32 read[WS_REGISTER_BANKS] = {0}; /* the register of `last` */
    guint count;
    const WsDependence *operands = operands_of(table, &table->issues[pc], &count);

    for (guint i = 0; i < count; i++) {
        guint entry = operands[i].entry, bank = entry % WS_REGISTER_BANKS;
        guint kind = ws_entry_kind(entries[entry]);
        guint64 written;

        if (entry >= table->first_predicate || kind >= WS_VARIABLE ||
            (last[bank] != 0 && read[bank] == entry))
            continue;
        written = ws_entry_cycle(entries[entry]) + table->written[kind];
        if (written <= now)
            continue;
        if (last[bank] != 0) /* the earlier one comes from the register file */
            ret = MAX(ret, MIN(last[bank], written) + 1);
        if (written > last[bank]) {
            last[bank] = written;
            read[bank] = entry;
        }
    }
    return ret;
}

guint ws_wait_to_write(const WsSm *sm, WsRegisterPorts *ports, const WsIssueInfo *issue,
                       guint64 now)
{
    const WsIssueTable *table = sm->table;
    guint later = table->written[issue->execution_class], entry;

    if (issue->outputs == 0)
        return 0;
    entry = ws_issue_outputs(table, issue)->entry;
    if (entry >= table->first_predicate)
        return 0;
    if (issue->resource == WS_RESOURCE_XU) {
        ws_ports_write_xu(ports, entry % WS_REGISTER_BANKS, now + issue->latency - 1);
        return 0;
    }
    if (later == 0)
        return 0;
    return ws_ports_wait_to_write(ports, entry % WS_REGISTER_BANKS, now + issue->latency + later);
}

guint ws_hold_for_product(const WsSm *sm, const WsWarp *warp, guint32 pc, guint64 now, guint *late)
{
    const WsIssueTable *table = sm->table;
    const WsIssueInfo *issue = &table->issues[pc];
    guint64 *entries = ws_sm_entries(sm, warp);
    guint64 read = now + *late; /* the cycle from which it takes what it needs */
    guint held = table->hold[issue->execution_class], count;
    const WsDependence *operands = operands_of(table, issue, &count);
    const WsDependence *frozen = ws_issue_frozen(table, issue);

    for (guint i = 0; i < count; i++) {
        guint64 entry = entries[operands[i].entry];
        guint kind = ws_entry_kind(entry);

        if (operands[i].relation == WS_RELATION_FACTOR && kind < WS_VARIABLE)
            read = MAX(read, ws_entry_cycle(entry) + table->written[kind]);
    }
    held += (guint)(read - now) - *late;
    *late = (guint)(read - now);
    /* Compiled code counts what it waits for, and the warp does not count now either. */
    for (guint i = 0; i < table->frozen[pc]; i++) {
        guint64 *entry = &entries[frozen[i].entry];

        if (ws_entry_kind(*entry) < WS_VARIABLE && ws_entry_cycle(*entry) + table->latest > now)
            *entry += ws_entry(held, 0);
    }
    return held;
}

void ws_delay_high_outputs(const WsSm *sm, const WsWarp *warp, const WsIssueInfo *issue)
{
    const WsDependence *output = ws_issue_outputs(sm->table, issue);
    guint64 *entries = ws_sm_entries(sm, warp);

    for (guint i = 1; i < issue->outputs; i++)
        entries[output[i].entry] += ws_entry(sm->table->high_later[issue->execution_class], 0);
}
