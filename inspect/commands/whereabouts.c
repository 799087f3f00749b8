/* Where the session is, and why a move ended there. */
#include <string.h>

#include "inspect/commands/private.h"
#include "inspect/session/paths.h"
#include "sim/report/line_profile.h"

/* ---- where --------------------------------------------------------------------------------------
 */

static void append_source_line(GString *out, const WsJob *job, guint32 pc)
{
    g_autofree char *text = NULL;
    guint32 file, line;

    ws_line_of_instruction(job->program, pc, &file, &line);
    if (line == 0)
        return;
    text = ws_written_line(job, file, line);
    if (text != NULL)
        g_string_append_printf(out, "%u\t%s\n", line, text);
}

static void append_warp(GString *out, const WsSession *session, WsWarpPlace place, guint32 lane)
{
    WsStall stall = ws_timeline_stall(ws_session_timeline(session), place.sm, place.slot);
    const WsJob *job = ws_session_job(session);
    const WsWarp *warp = &place.sm->state->warps[place.slot];
    guint32 pc = warp->state == WS_WARP_DRAIN ? warp->wait_pc : warp->path.pc;
    guint32 size = place.sm->context->decoded->warp_size, thread[3];
    g_autofree char *name = ws_warp_name(place.sm, place.slot);
    g_autofree char *row = NULL, *text = ws_plain_instruction_text(job->program, pc);
    char glyphs[WS_MAX_WARP_SIZE + 1];
    WsLaneStates states;

    ws_thread_of(place.sm, place.slot, MIN(lane, size - 1), thread);
    ws_lane_states(place.sm, place.slot, &states);
    ws_lane_glyphs(&states, size, glyphs);
    g_string_append_printf(out, "%s, lane %u thread (%u,%u,%u)\n", name, lane, thread[0], thread[1],
                           thread[2]);
    row = g_strdup_printf("%s  %s: %s  ", glyphs, ws_stall_state(stall), ws_stall_name(stall));
    ws_append_framed(out, row, job->program, pc);
    g_string_append_printf(out, "=> %04x  %s\n", ws_instruction_address(pc), text);
    append_source_line(out, job, pc);
    ws_report_meetings(place, out);
}

void ws_report_meetings(WsWarpPlace place, GString *out)
{
    g_auto(GStrv) sentences = ws_warp_meetings(place.sm, place.slot);

    for (char **sentence = sentences; *sentence != NULL; sentence++)
        g_string_append_printf(out, "%s.\n", *sentence);
}

static void append_end(GString *out, const WsTimeline *timeline)
{
    const WsStop *stop = ws_timeline_stop(timeline);

    if (ws_timeline_cycle(timeline) != ws_timeline_end(timeline))
        return;
    if (ws_timeline_status(timeline) == WS_STATUS_OK) {
        g_string_append(out, "The run is over: all blocks are done.\n");
    } else {
        const char *details = stop->details != NULL ? stop->details : "";

        g_string_append_printf(out, "The run ends here: %s\n%s",
                               stop->message != NULL ? stop->message : "", details);
        if (*details != '\0' && !g_str_has_suffix(details, "\n"))
            g_string_append_c(out, '\n');
    }
}

void ws_report_where(WsInterpreter *interpreter, GString *out)
{
    const WsSession *session = interpreter->session;
    const WsTimeline *timeline = ws_session_timeline(session);
    const WsFocus *focus = ws_session_focus(interpreter->session);
    WsWarpPlace place = ws_session_place(session);
    guint64 cycle = ws_timeline_cycle(timeline);

    g_string_append_printf(out, "cycle %" G_GUINT64_FORMAT "  ", cycle);
    if (place.sm != NULL)
        append_warp(out, session, place, focus->lane);
    else
        g_string_append_printf(out, "block %u warp %u is not resident\n", focus->block,
                               focus->warp);
    append_end(out, timeline);
    ws_show_displays(interpreter, out);
}

/* ---- why here -----------------------------------------------------------------------------------
 */

static void append_lanes(GString *out, const char *what, guint64 lanes, guint32 size)
{
    char set[WS_MAX_WARP_SIZE + 1];

    ws_lane_set(lanes, size, set);
    g_string_append_printf(out, "%s %s\n", what, set);
}

static void append_event(GString *out, const WsSession *session, const WsTraceEvent *event,
                         guint32 size)
{
    const WsProgram *program = ws_session_job(session)->program;
    g_autofree char *place = event->instruction != WS_NO_INSTRUCTION
                                 ? ws_framed_place(program, event->instruction)
                                 : g_strdup("");

    switch (event->kind) {
    case WS_TRACE_DIVERGE:
        g_string_append_printf(out, "The warp diverged at %s, in cycle %" G_GUINT64_FORMAT ".\n",
                               place, event->cycle);
        append_lanes(out, "  taken    ", event->split.taken, size);
        append_lanes(out, "  not taken", event->split.not_taken, size);
        break;
    case WS_TRACE_RECONVERGE:
        g_string_append_printf(out, "Paths reconverged at %s, in cycle %" G_GUINT64_FORMAT ".\n",
                               place, event->cycle);
        append_lanes(out, "  lanes", event->joined.lanes, size);
        break;
    case WS_TRACE_BARRIER_ARRIVE:
        g_string_append_printf(out, "The warp arrived at barrier %u at %s.\n",
                               event->barrier.number, place);
        break;
    case WS_TRACE_BARRIER_RELEASE:
        g_string_append_printf(out, "Barrier %u released the warp.\n", event->barrier.number);
        break;
    case WS_TRACE_RESPONSE:
        g_string_append_printf(out, "The access at %s completes from %s after %u cycles.\n", place,
                               ws_memory_level_name((WsMemoryLevel)event->response.level),
                               event->response.latency);
        break;
    case WS_TRACE_STALL:
        g_string_append_printf(out, "From here on the warp stalls: %s.\n",
                               ws_stall_name((WsStall)event->stall.reason));
        break;
    case WS_TRACE_WARP_EXIT:
        g_string_append(out, "The last lane of the warp has exited.\n");
        break;
    default:
        break;
    }
}

static void append_watch(GString *out, const WsArrival *arrival)
{
    g_autofree char *before = ws_watch_text(arrival->breakpoint, arrival->old_value);
    g_autofree char *after = ws_watch_text(arrival->breakpoint, arrival->new_value);

    g_string_append_printf(out, "Watchpoint %u: %s was %s, is %s\n", arrival->breakpoint->number,
                           arrival->breakpoint->text, before, after);
}

/* Lanes that stop because nobody can tell whether they should. */
static void append_unknown(GString *out, const WsArrival *arrival, guint32 size)
{
    guint lane;

    if (arrival->unknown == 0)
        return;
    lane = (guint)__builtin_ctzll(arrival->unknown);
    append_lanes(out, "  of these the condition has no value in", arrival->unknown, size);
    g_string_append_printf(out, "  lane %u: %s\n", lane,
                           ws_condition_unknown_text(arrival->breakpoint->condition, lane));
}

static void append_interruption(GString *out, const WsArrival *arrival, guint64 cycle)
{
    g_string_append_printf(out, "Interrupted at cycle %" G_GUINT64_FORMAT, cycle);
    if (arrival->left > 1)
        g_string_append_printf(out, ", with %" G_GUINT64_FORMAT " moves left", arrival->left);
    g_string_append(out, ". Any command continues from here.\n");
}

void ws_report_arrival(WsCommandLine *line, const WsArrival *arrival)
{
    GString *out = line->out;
    guint32 size = (guint32)ws_session_job(line->session)->device->warp_size;

    switch (arrival->kind) {
    case WS_ARRIVED_BREAKPOINT:
        g_string_append_printf(out, "Breakpoint %u: %s\n", arrival->breakpoint->number,
                               arrival->breakpoint->text);
        append_lanes(out, "  lanes", arrival->lanes, size);
        append_unknown(out, arrival, size);
        if (arrival->also != 0)
            g_string_append_printf(out, "  and %u more warp%s in this cycle\n", arrival->also,
                                   arrival->also == 1 ? "" : "s");
        break;
    case WS_ARRIVED_WATCH:
        append_watch(out, arrival);
        break;
    case WS_ARRIVED_INTERRUPTED:
        append_interruption(out, arrival, ws_timeline_cycle(line->timeline));
        break;
    case WS_ARRIVED_BEGINNING:
        g_string_append(out, "No earlier event of this kind.\n");
        break;
    case WS_ARRIVED_END:
        if (ws_timeline_cycle(line->timeline) != ws_timeline_end(line->timeline))
            g_string_append(out, "No event of this kind up to here.\n");
        break;
    case WS_ARRIVED_THERE:
        if (arrival->has_event)
            append_event(out, line->session, &arrival->event, size);
        break;
    }
    ws_report_where(line->interpreter, out);
}
