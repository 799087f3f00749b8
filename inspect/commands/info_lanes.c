/* `info lanes`, `info registers`, `info stack`. */
#include <string.h>

#include "inspect/commands/private.h"
#include "inspect/session/paths.h"
#include "sim/base/meeting_text.h"

static const char *state_name(char glyph)
{
    switch (glyph) {
    case '#':
        return "active";
    case 'p':
        return "active, predicated off";
    case 'd':
        return "waits on another path";
    case 'x':
        return "exited";
    default:
        return "never launched";
    }
}

gboolean ws_info_lanes(WsCommandLine *line, GError **error)
{
    const WsFocus *focus = ws_session_focus(line->session);
    WsLaneStates states;
    WsWarpPlace place;
    guint32 size;

    if (!ws_command_line_place(line, &place, error))
        return FALSE;
    size = place.sm->context->decoded->warp_size;
    ws_lane_states(place.sm, place.slot, &states);
    g_string_append(line->out, "  lane  thread        state\n");
    for (guint32 lane = 0; lane < size;) {
        char glyph = ws_lane_glyph(&states, lane);
        guint32 thread[3], last = lane;
        g_autofree char *lanes = NULL;
        g_autofree char *name = NULL;

        /* Lanes of one state fold into one row; the one that is looked at has its own. */
        while (last + 1 < size && ws_lane_glyph(&states, last + 1) == glyph &&
               last + 1 != focus->lane && lane != focus->lane)
            last++;
        ws_thread_of(place.sm, place.slot, lane, thread);
        name = glyph == '.' ? g_strdup("-")
                            : g_strdup_printf("(%u,%u,%u)", thread[0], thread[1], thread[2]);
        lanes = last == lane ? g_strdup_printf("%u", lane) : g_strdup_printf("%u..%u", lane, last);
        g_string_append_printf(line->out, "%s %-6s %-12s  %c %s\n", lane == focus->lane ? "*" : " ",
                               lanes, name, glyph, state_name(glyph));
        lane = last + 1;
    }
    return TRUE;
}

/* ---- registers ----------------------------------------------------------------------------------
 */

static void append_all(WsCommandLine *line, WsWarpPlace place, guint32 lane)
{
    enum { COLUMNS = 4 };
    const WsWarpRegisters *registers = &place.sm->state->registers[place.slot];
    guint32 count = place.sm->context->kernel->registers;
    guint32 size = place.sm->context->decoded->warp_size;

    for (guint32 i = 0; i < count; i++) {
        guint32 bits = registers->registers[(gsize)i * size + lane];

        g_string_append_printf(line->out, "%sR%-3u %08x %-11d%s", i % COLUMNS == 0 ? "" : "  ", i,
                               bits, (gint32)bits,
                               i % COLUMNS == COLUMNS - 1 || i + 1 == count ? "\n" : "");
    }
    for (guint i = 0; i < WS_PT; i++)
        g_string_append_printf(line->out, "P%u %u%s", i,
                               (guint)(registers->predicates[i] >> lane & 1),
                               i + 1 == WS_PT ? "\n" : "  ");
}

gboolean ws_info_registers(WsCommandLine *line, GError **error)
{
    WsWarpPlace place;

    if (!ws_command_line_place(line, &place, error))
        return FALSE;
    if (line->words[0] == NULL)
        append_all(line, place, ws_session_focus(line->session)->lane);
    for (char **word = line->words; *word != NULL; word++) {
        g_string_append_printf(line->out, "%s\n", *word);
        if (!ws_print_in_lanes(line, *word, error))
            return FALSE;
    }
    return TRUE;
}

/* ---- paths --------------------------------------------------------------------------------------
 */

static void append_path(WsCommandLine *line, guint number, guint64 lanes, guint32 size, guint32 pc,
                        const char *how)
{
    const WsProgram *program = ws_session_job(line->session)->program;
    g_autoptr(GString) row = g_string_new(NULL);

    g_string_append_printf(row, "#%u  ", number);
    for (guint lane = 0; lane < size; lane++)
        g_string_append_c(row, lanes >> lane & 1 ? (number == 0 ? '#' : 'd') : '-');
    g_string_append_printf(row, "  %s %04x  ", how, ws_instruction_address(pc));
    ws_append_framed(line->out, row->str, program, pc);
}

/* How a path waits: where it is known at which join, that is what is told. */
static char *how_of(const WsProgram *program, const WsLanesAt *path)
{
    g_autofree char *join = path->at_join ? ws_meeting_name(program, path->pc - 1) : NULL;

    return join != NULL ? g_strdup_printf("wait at the %s, to resume at", join)
                        : g_strdup(path->how);
}

/* "runs until the end of the while (line 10), 0090, now at" */
static char *run_text(const WsProgram *program, guint32 stop)
{
    g_autofree char *join = stop != WS_NOWHERE ? ws_meeting_name(program, stop) : NULL;

    if (stop == WS_NOWHERE)
        return g_strdup("runs at");
    return join != NULL ? g_strdup_printf("runs until the %s, %04x, now at", join,
                                          ws_instruction_address(stop))
                        : g_strdup_printf("runs until %04x, now at", ws_instruction_address(stop));
}

gboolean ws_info_stack(WsCommandLine *line, GError **error)
{
    WsLanesAt others[WS_MAX_PATHS];
    const WsProgram *program = ws_session_job(line->session)->program;
    const WsWarp *warp;
    WsWarpPlace place;
    guint32 size;
    guint count;

    if (!ws_command_line_place(line, &place, error))
        return FALSE;
    warp = &place.sm->state->warps[place.slot];
    size = place.sm->context->decoded->warp_size;
    if (warp->state != WS_WARP_DRAIN && warp->path.active != 0) {
        g_autofree char *stop = run_text(program, warp->path.stop);

        append_path(line, 0, warp->path.active, size, warp->path.pc, stop);
    }
    count = place.sm->context->divergence->waiting(ws_sm_path_state(place.sm, place.slot),
                                                   &warp->path, others);
    for (guint i = 0; i < count; i++) {
        g_autofree char *how = how_of(program, &others[i]);

        append_path(line, i + 1, others[i].lanes, size, others[i].pc, how);
    }
    ws_report_meetings(place, line->out);
    return TRUE;
}
