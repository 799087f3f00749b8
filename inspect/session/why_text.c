#include <string.h>

#include "inspect/session/paths.h"
#include "inspect/session/why.h"
#include "sim/base/call_frames.h"
#include "sim/base/instruction_place.h"
#include "sim/report/waits.h"

static void append_warp(GString *text, const WsSm *sm, guint32 slot)
{
    const WsWarp *warp = &sm->state->warps[slot];
    const guint32 *block = sm->state->blocks[warp->block_slot].index;

    g_string_append_printf(text, "block (%u,%u,%u) warp %u", block[0], block[1], block[2],
                           warp->warp_in_block);
}

static void append_place(GString *text, const WsSession *session, guint32 instruction)
{
    g_autofree char *place =
        ws_framed_instruction_place(ws_session_job(session)->program, instruction, FALSE);

    g_string_append(text, place);
}

/* "in 12 cycles, at 340" */
static void append_time(GString *text, guint64 now, guint64 cycle)
{
    guint64 left = cycle - now;

    g_string_append_printf(text, "in %" G_GUINT64_FORMAT " cycle%s, at %" G_GUINT64_FORMAT, left,
                           left == 1 ? "" : "s", cycle);
}

/* ---- who ----------------------------------------------------------------------------------------
 */

static void append_operand(GString *text, const WsSession *session, const WsWhy *why)
{
    if (why->operand[0] == '\0' && why->producer != WS_NO_INSTRUCTION) {
        g_string_append(text, "It waits for its previous instruction, ");
        append_place(text, session, why->producer);
        g_string_append_printf(text, ", issued at %" G_GUINT64_FORMAT ".\n", why->produced);
        return;
    }
    g_string_append_printf(text, "%s comes from ",
                           why->operand[0] != '\0' ? why->operand : "An operand");
    if (why->producer == WS_NO_INSTRUCTION) {
        g_string_append(text, "before the launch.\n");
        return;
    }
    append_place(text, session, why->producer);
    g_string_append_printf(text, ", issued at %" G_GUINT64_FORMAT, why->produced);
    if (why->answered != WS_NEVER)
        g_string_append_printf(text, "; the response comes from %s at %" G_GUINT64_FORMAT,
                               ws_memory_level_name(why->level), why->answered);
    g_string_append(text, ".\n");
}

static void append_last(GString *text, const WsSession *session, const WsWhy *why)
{
    if (why->producer == WS_NO_INSTRUCTION)
        return;
    g_string_append(text, "It issued ");
    append_place(text, session, why->producer);
    g_string_append_printf(text, " at %" G_GUINT64_FORMAT ".\n", why->produced);
}

static void append_missing(GString *text, const WsSession *session, const WsWhy *why,
                           const WsSm *sm)
{
    enum { MOST = 8 };
    guint count = 0;

    if (why->missing == 0) {
        g_string_append_printf(text, "All warps have arrived at barrier %u; it is about to open.\n",
                               why->barrier);
        return;
    }
    g_string_append_printf(text, "These warps have not arrived at barrier %u:\n", why->barrier);
    for (guint64 rest = why->missing; rest != 0; rest &= rest - 1, count++) {
        guint32 slot = (guint32)__builtin_ctzll(rest);
        const WsWarp *warp = &sm->state->warps[slot];

        if (count == MOST) {
            g_string_append_printf(text, "  and %d more\n", __builtin_popcountll(rest));
            return;
        }
        g_string_append(text, "  ");
        append_warp(text, sm, slot);
        g_string_append(text, " at ");
        append_place(text, session, warp->path.pc);
        g_string_append_printf(
            text, ", %s\n",
            ws_stall_name(ws_timeline_stall(ws_session_timeline(session), sm, slot)));
    }
}

static void append_other(GString *text, const WsSession *session, const WsWhy *why, const WsSm *sm)
{
    if (!why->has_other)
        return;
    if (why->reason == WS_STALL_NOT_SELECTED)
        g_string_append(text, "The scheduler selects ");
    else
        g_string_append(text, "Taken by ");
    if (why->other_slot == why->slot && why->reason != WS_STALL_NOT_SELECTED)
        g_string_append(text, "the warp itself");
    else
        append_warp(text, sm, why->other_slot);
    g_string_append(text, why->reason == WS_STALL_NOT_SELECTED ? " for " : ", ");
    append_place(text, session, why->other_instruction);
    if (why->reason != WS_STALL_NOT_SELECTED)
        g_string_append_printf(text, ", issued at %" G_GUINT64_FORMAT, why->other_cycle);
    g_string_append(text, ".\n");
}

/* The lanes of the warp that do not run, as far as the source says where they wait. */
static void append_meetings(GString *text, const WsSm *sm, guint32 slot)
{
    g_auto(GStrv) sentences = ws_warp_meetings(sm, slot);

    for (char **sentence = sentences; *sentence != NULL; sentence++)
        g_string_append_printf(text, "%s.\n", *sentence);
}

/*
 * Lanes in a loop until a value changes, and where there are such, or none that run, those that
 * wait for others of the warp. TRUE: none run, and some wait for others.
 */
static gboolean append_waits(GString *text, const WsSession *session, const WsWhy *why,
                             const WsSm *sm)
{
    const WsSimulation *simulation = ws_timeline_simulation(ws_session_timeline(session));
    guint32 count;
    WsSm *const *sms = ws_simulation_sms(simulation, &count);
    g_autoptr(GPtrArray) waits =
        ws_waits_of_warp(sms, count, sm, why->slot, ws_simulation_memory(simulation));
    gboolean none_runs = sm->state->warps[why->slot].path.active == 0, tell = none_runs;
    gboolean lanes = FALSE;

    for (guint i = 0; i < waits->len; i++)
        tell = tell || ((const WsWaiting *)g_ptr_array_index(waits, i))->kind == WS_WAITS_FOR_VALUE;
    if (!tell)
        append_meetings(text, sm, why->slot);
    for (guint i = 0; i < waits->len && tell; i++) {
        const WsWaiting *waiting = g_ptr_array_index(waits, i);

        if (waiting->kind == WS_WAITS_AT_BARRIER)
            continue;
        lanes = TRUE;
        ws_waiting_append(text, waiting, ws_session_job(session)->program, FALSE);
        g_string_append(text, ".\n");
    }
    return none_runs && lanes;
}

static void append_cause(GString *text, const WsSession *session, const WsWhy *why, const WsSm *sm)
{
    gboolean lanes = append_waits(text, session, why, sm);

    switch (why->reason) {
    case WS_STALL_LONG_SCOREBOARD:
    case WS_STALL_SHORT_SCOREBOARD:
    case WS_STALL_WAIT:
        append_operand(text, session, why);
        break;
    case WS_STALL_BARRIER:
        append_last(text, session, why);
        if (!lanes)
            append_missing(text, session, why, sm);
        break;
    case WS_STALL_BRANCH_RESOLVING:
    case WS_STALL_MEMBAR:
    case WS_STALL_SLEEPING:
    case WS_STALL_DRAIN:
        append_last(text, session, why);
        break;
    default:
        append_other(text, session, why, sm);
    }
}

/* ---- when ---------------------------------------------------------------------------------------
 */

static void append_head(GString *text, const WsSession *session, const WsWhy *why, const WsSm *sm)
{
    append_warp(text, sm, why->slot);
    if (why->reason == WS_STALL_SELECTED)
        g_string_append(text, " issues in this cycle: ");
    else if (why->reason == WS_STALL_NOT_SELECTED)
        g_string_append_printf(text, " is eligible (since %" G_GUINT64_FORMAT "): ", why->since);
    else if (why->reason == WS_STALL_DRAIN)
        g_string_append_printf(text,
                               " has exited, and releases its slot when its stores have left the "
                               "SM (since %" G_GUINT64_FORMAT "): ",
                               why->since);
    else
        g_string_append_printf(text, " waits, %s since %" G_GUINT64_FORMAT ", before ",
                               ws_stall_name(why->reason), why->since);
    append_place(text, session, why->instruction);
    g_string_append(text, ".\n");
    if (why->reason != WS_STALL_SELECTED)
        g_string_append_printf(text, "%s: %s.\n", ws_stall_name(why->reason),
                               ws_stall_help(why->reason));
}

/* At the very end of the run nothing issues; a fault is of an instruction that would. */
static void append_end_of_run(GString *text, const WsSession *session, const WsWhy *why)
{
    const WsTimeline *timeline = ws_session_timeline(session);
    const WsStop *stop = ws_timeline_stop(timeline);

    if (ws_timeline_status(timeline) == WS_STATUS_LIVELOCK)
        g_string_append(text, "It waits for ever: the run ends here.\n");
    else if (stop->sm == (gint32)why->sm && stop->slot == (gint32)why->slot)
        g_string_append_printf(text, "It does not issue, and ends the run: %s.\n", stop->message);
    else
        g_string_append(text, "It does not issue any more: the run ends here.\n");
}

static void append_end(GString *text, const WsSession *session, const WsWhy *why)
{
    if (why->reason == WS_STALL_SELECTED)
        return;
    if (why->leaves && why->until != WS_NEVER) {
        g_string_append(text, "It leaves ");
        append_time(text, why->cycle, why->until);
        g_string_append(text, ".\n");
        return;
    }
    if (why->issues == WS_NEVER && why->cycle == ws_timeline_end(ws_session_timeline(session))) {
        append_end_of_run(text, session, why);
        return;
    }
    if (why->issues == WS_NEVER) {
        g_string_append(text,
                        "It does not issue again before the run ends, or for a million cycles.\n");
        return;
    }
    if (why->until < why->issues) {
        g_string_append(text, "That ends ");
        append_time(text, why->cycle, why->until);
        g_string_append(text, ". ");
    }
    g_string_append(text, "It issues ");
    append_time(text, why->cycle, why->issues);
    g_string_append(text, ".\n");
}

char *ws_why_text(const WsSession *session, const WsWhy *why)
{
    const WsSm *sm = ws_timeline_sm(ws_session_timeline(session), why->sm);
    GString *text = g_string_new(NULL);

    append_head(text, session, why, sm);
    append_cause(text, session, why, sm);
    append_end(text, session, why);
    return g_string_free(text, FALSE);
}
