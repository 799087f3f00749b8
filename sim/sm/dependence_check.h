/*
 * The dependence check: when the operands of a warp's next instruction are there, by the entries of
 * its scoreboard. Inside the library only.
 *
 * Read after write: an operand is there at its entry's cycle, later or sooner by what the issue
 * table has for the writer's class and the way it is read (WsIssueTable.later). Write after write:
 * the earlier write comes first. Write after read: a register that a store or an address has still
 * to read is not written. Each wait has the stall reason of the producer's class
 * (WsIssueTable.wait): long_scoreboard, short_scoreboard or wait.
 */
#ifndef WS_SIM_SM_DEPENDENCE_CHECK_H
#define WS_SIM_SM_DEPENDENCE_CHECK_H

#include "sim/sm/issue_table.h"

/* The cycle at which the result that an entry stands for serves the dependence. */
static inline guint64 ws_dependence_cycle(const WsIssueTable *table, guint64 entry, guint relation)
{
    return ws_entry_cycle(entry) + (guint64)(gint64)table->later[ws_entry_kind(entry)][relation];
}

/*
 * TRUE if nothing holds the operands back at `cycle`; FALSE may mean that this is not known. Most
 * entries are so old that their class does not matter.
 */
static inline gboolean ws_operands_are_ready(const WsIssueTable *table, const guint64 *entries,
                                             const WsIssueInfo *issue, guint64 cycle)
{
    const WsDependence *input = issue->quick_input, *end = input + issue->quick_inputs;
    guint64 old = cycle < table->latest ? 0 : ws_entry(cycle - table->latest + 1, 0);

    if (G_UNLIKELY(issue->quick_inputs == WS_NOT_QUICK))
        return FALSE;
    for (; input != end; input++) {
        guint64 entry = entries[input->entry];
        if (entry >= old && ws_dependence_cycle(table, entry, input->relation) > cycle)
            return FALSE;
    }
    return TRUE;
}

/* The result of the instruction is what `entry` says. */
static inline void ws_set_outputs(const WsIssueTable *table, guint64 *entries,
                                  const WsIssueInfo *issue, guint64 entry)
{
    const WsDependence *output = ws_issue_outputs(table, issue);

    for (guint i = 0; i < issue->outputs; i++)
        entries[output[i].entry] = entry;
}

/*
 * Raises until[] to the cycles at which the operands are there. `since`: of results that were there
 * before this cycle nothing is said, as they are no reason for any cycle from it on.
 */
void ws_find_waits(const WsIssueTable *table, const guint64 *entries, const WsIssueInfo *issue,
                   guint64 since, guint64 until[WS_WAIT_COUNT]);

/* The same of registers that are still to be read; war[]: entries by register, 0 = not. */
void ws_find_war_waits(const WsIssueTable *table, const guint64 *war, const WsIssueInfo *issue,
                       guint64 until[WS_WAIT_COUNT]);
/* TRUE if the instruction writes no register that is still to be read at `cycle`. */
gboolean ws_outputs_are_read(const WsIssueTable *table, const guint64 *war,
                             const WsIssueInfo *issue, guint64 cycle);
/* The instruction reads its registers at `cycle`: until then nobody may overwrite them. */
void ws_set_war_reads(const WsIssueTable *table, guint64 *war, const WsIssueInfo *issue,
                      guint64 cycle);

#endif
