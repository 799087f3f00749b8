/*
 * Dependences by control fields, as the hardware's compilers set them: an instruction waits for its
 * stall count and for the dependence barriers of its wait mask, and for nothing else. The
 * scoreboard is kept all the same, to notice operands that are read too early. Values are right in
 * any case.
 */
#include "sim/sm/control_fields.h"

#include "sim/sm/dependence_check.h"

static guint64 operand_cycle(const WsSm *sm, guint32 slot, const WsDependence *dependence)
{
    guint64 entry = ws_sm_entries(sm, &sm->state->warps[slot])[dependence->entry];

    return ws_dependence_cycle(sm->table, entry, dependence->relation);
}

/*
 * TRUE if lanes of the path that runs wrote it last: a register that only others wrote is not read
 * too early, whatever it waits for.
 */
static gboolean is_own(const WsSm *sm, guint32 slot, const WsDependence *dependence)
{
    const WsWarp *warp = &sm->state->warps[slot];

    return (sm->writers[warp->first_entry + dependence->entry] & warp->path.active) != 0;
}

/* TRUE if one of them still waits for a response of memory; `own` becomes TRUE if its lanes do. */
static gboolean any_missing(const WsSm *sm, guint32 slot, const WsDependence *dependences,
                            guint count, gboolean *own)
{
    gboolean missing = FALSE;

    for (guint i = 0; i < count; i++) {
        if (operand_cycle(sm, slot, &dependences[i]) < WS_NEVER)
            continue;
        missing = TRUE;
        *own |= is_own(sm, slot, &dependences[i]);
    }
    return missing;
}

void ws_control_note_writer(WsSm *sm, guint32 slot, const WsIssueInfo *issue, guint64 now)
{
    const WsDependence *output = ws_issue_outputs(sm->table, issue);
    const WsWarp *warp = &sm->state->warps[slot];
    guint32 uniform = sm->table->first_uniform;

    for (guint i = 0; i < issue->outputs; i++) {
        guint64 *writer = &sm->writers[warp->first_entry + output[i].entry];
        guint64 lanes = output[i].entry < uniform ? warp->path.active : ~(guint64)0;

        *writer = operand_cycle(sm, slot, &output[i]) > now ? *writer | lanes : lanes;
    }
}

void ws_control_find_values(WsSm *sm, guint32 slot, const WsIssueInfo *issue,
                            guint64 until[WS_WAIT_COUNT])
{
    const WsWarp *warp = &sm->state->warps[slot];
    guint64 fields = MAX(MAX(until[WS_WAIT_LONG], until[WS_WAIT_SHORT]), until[WS_WAIT_FIXED]);
    guint32 *hazard = &sm->hazards[warp->path.pc];
    gboolean own = FALSE, missing = any_missing(sm, slot, ws_issue_checks(sm->table, issue),
                                                issue->checks, &own);

    missing |= any_missing(sm, slot, ws_issue_outputs(sm->table, issue), issue->outputs, &own);
    if (missing) {
        until[WS_WAIT_LONG] = WS_NEVER;
        if (own && fields < WS_NEVER)
            *hazard = MAX(*hazard, 1);
    } else if (warp->operands.until[WS_WAIT_LONG] >= WS_NEVER) {
        /* It is there: what it waited for is no input, and no row has the cycles up to now. */
        until[WS_WAIT_LONG] = MAX(until[WS_WAIT_LONG], sm->state->now);
    }
}

void ws_control_check(WsSm *sm, guint32 slot, guint32 pc, guint64 now)
{
    const WsIssueInfo *issue = &sm->table->issues[pc];
    const WsDependence *check = ws_issue_checks(sm->table, issue);

    for (guint i = 0; i < issue->checks; i++) {
        guint64 cycle = operand_cycle(sm, slot, &check[i]);
        if (cycle > now && is_own(sm, slot, &check[i]))
            sm->hazards[pc] = MAX(sm->hazards[pc], (guint32)MIN(cycle - now, G_MAXUINT32));
    }
}

static void set(WsSm *sm, guint32 slot, guint number, guint kind, guint64 cycle)
{
    WsWarp *warp = &sm->state->warps[slot];
    guint64 *entry = &ws_sm_entries(sm, warp)[sm->table->first_barrier + number];

    warp->control.latest[number] = MAX(warp->control.latest[number], cycle);
    *entry = ws_entry(warp->control.pending[number] != 0 ? WS_NEVER : warp->control.latest[number],
                      kind);
}

void ws_control_set_read_barrier(WsSm *sm, guint32 slot, const WsIssueInfo *issue, guint64 source)
{
    if (issue->read_barrier < WS_DEPENDENCE_BARRIERS)
        set(sm, slot, issue->read_barrier, WS_VARIABLE + issue->execution_class, source);
}

void ws_control_set_barriers(WsSm *sm, guint32 slot, const WsIssueInfo *issue, guint64 ready,
                             guint64 source)
{
    WsWarp *warp = &sm->state->warps[slot];
    guint kind = WS_VARIABLE + issue->execution_class;

    ws_control_set_read_barrier(sm, slot, issue, source);
    if (issue->write_barrier < WS_DEPENDENCE_BARRIERS) {
        if (ready >= WS_NEVER)
            warp->control.pending[issue->write_barrier]++;
        set(sm, slot, issue->write_barrier, kind, ready >= WS_NEVER ? 0 : ready);
    }
}

void ws_control_response(WsSm *sm, guint32 slot, const WsIssueInfo *issue, guint64 ready)
{
    if (issue->write_barrier >= WS_DEPENDENCE_BARRIERS)
        return;
    sm->state->warps[slot].control.pending[issue->write_barrier]--;
    set(sm, slot, issue->write_barrier, WS_VARIABLE + issue->execution_class, ready);
}
