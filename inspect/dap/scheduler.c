#include "inspect/dap/adapter.h"
#include "inspect/session/choices.h"
#include "inspect/session/why.h"
#include "sim/sm/eligibility.h"

/* ---- the warps of the sub-core ------------------------------------------------------------------
 */

static char *warp_text(const WsSm *sm, guint32 slot)
{
    const WsWarp *warp = &sm->state->warps[slot];

    return g_strdup_printf("slot %u: block %u warp %u", slot,
                           sm->state->blocks[warp->block_slot].linear, warp->warp_in_block);
}

static gboolean is_found(const WsTraceEvent *choice)
{
    return choice->kind == WS_TRACE_CHOICE;
}

static void add_state(const WsDapAdapter *adapter, WsWarpPlace place, const WsTraceEvent *choice,
                      guint64 cycle, JsonArray *list)
{
    WsStall stall = ws_warp_stall(place.sm, place.slot, cycle);
    gboolean chosen = is_found(choice) && choice->warp == place.slot;
    g_autofree char *why = NULL, *which = NULL;

    if (chosen)
        stall = WS_STALL_SELECTED;
    why = g_strdup_printf("%s: %s", ws_stall_name(stall), ws_stall_help(stall));
    which = is_found(choice) ? warp_text(place.sm, choice->warp)
                             : g_strdup("none: no warp of the sub-core can issue in this cycle");
    ws_dap_add_variable(list, "this warp", why, NULL, 0);
    ws_dap_add_variable(list, "chosen", which, NULL, 0);
    ws_dap_add_variable(list, "policy", ws_device_policy_name(adapter->job->device), NULL, 0);
}

/* Since when and until when the warp waits, and for whom: looks behind and ahead in the run. */
static void add_why(const WsDapAdapter *adapter, WsWarpPlace place, JsonArray *list)
{
    g_autofree char *text = NULL;
    WsWhy why;

    if (!ws_session_why(adapter->session, place, &why, NULL))
        return;
    text = g_strdelimit(g_strchomp(ws_why_text(adapter->session, &why)), "\n", ' ');
    ws_dap_add_variable(list, "why", text, NULL, 0);
}

void ws_dap_list_scheduler(WsDapAdapter *adapter, const WsDapReference *scope, WsWarpPlace place,
                           JsonArray *list)
{
    guint64 cycle = ws_timeline_cycle(ws_session_timeline(adapter->session));
    WsTraceEvent choices[WS_MAX_SUB_CORES];
    const WsSmState *state = place.sm->state;
    const WsTraceEvent *choice = &choices[state->warps[place.slot].sub_core];

    /* Where warps are has not changed then. */
    if (!ws_find_choices(ws_session_timeline(adapter->session), place.sm->number, choices, NULL))
        return;
    add_state(adapter, place, choice, cycle, list);
    add_why(adapter, place, list);
    for (guint64 rest = state->resident; rest != 0; rest &= rest - 1) {
        guint32 slot = (guint32)__builtin_ctzll(rest);
        WsStall stall = is_found(choice) && choice->warp == slot
                            ? WS_STALL_SELECTED
                            : ws_warp_stall(place.sm, slot, cycle);
        g_autofree char *name = NULL;

        if (state->warps[slot].sub_core != state->warps[place.slot].sub_core)
            continue;
        name = warp_text(place.sm, slot);
        ws_dap_add_variable(list, name, ws_stall_name(stall), NULL, 0);
    }
}
