/* Source and bytecode around the warp. */
#include "inspect/commands/private.h"
#include "inspect/session/selected_frame.h"
#include "sim/report/line_profile.h"

enum { LINES_AROUND = 5, INSTRUCTIONS_AROUND = 6 };

static guint32 pc_of(WsWarpPlace place)
{
    const WsWarp *warp = &place.sm->state->warps[place.slot];

    return warp->state == WS_WARP_DRAIN ? warp->wait_pc : warp->path.pc;
}

gboolean ws_command_line_list(WsCommandLine *line, GError **error)
{
    const WsJob *job = ws_session_job(line->session);
    WsWarpPlace place = ws_session_place(line->session);
    guint32 file = 1, current = 0, middle;
    gint64 number = 0;

    if (!ws_command_line_check(line, 1, error) ||
        (line->words[0] != NULL && !ws_command_line_number(line->words[0], &number, error)))
        return FALSE;
    if (place.sm != NULL && (ws_session_frame(line->session) == 0 ||
                             !ws_session_frame_line(line->session, &file, &current)))
        ws_line_of_instruction(job->program, pc_of(place), &file, &current);
    middle = line->words[0] != NULL ? (guint32)CLAMP(number, 1, G_MAXINT32) : MAX(current, 1);
    if (file == 0)
        file = 1;
    for (guint32 at = middle > LINES_AROUND ? middle - LINES_AROUND : 1;
         at <= middle + LINES_AROUND; at++) {
        g_autofree char *text = ws_written_line(job, file, at);

        if (text != NULL)
            g_string_append_printf(line->out, "%s%5u  %s\n", at == current ? "=>" : "  ", at, text);
    }
    return TRUE;
}

gboolean ws_command_line_disassemble(WsCommandLine *line, GError **error)
{
    const WsProgram *program = ws_session_job(line->session)->program;
    WsLaneStates states;
    WsWarpPlace place;
    gint64 around = INSTRUCTIONS_AROUND;
    guint32 pc, first, last;

    if (!ws_command_line_check(line, 1, error) ||
        (line->words[0] != NULL && !ws_command_line_number(line->words[0], &around, error)) ||
        !ws_command_line_place(line, &place, error))
        return FALSE;
    pc = pc_of(place);
    ws_lane_states(place.sm, place.slot, &states);
    first = place.sm->context->kernel->first;
    last = first + place.sm->context->kernel->count;
    around = CLAMP(around, 0, G_MAXINT32 / 2);
    for (guint32 i = pc - MIN(pc - first, (guint32)around); i < last && i <= pc + around; i++) {
        g_autofree char *text = ws_plain_instruction_text(program, i);
        g_autofree char *source = ws_source_place(program, i);

        g_string_append_printf(line->out, "%s %04x  %-48s %s\n", i == pc ? "=>" : "  ",
                               ws_instruction_address(i), text, source);
    }
    return TRUE;
}
