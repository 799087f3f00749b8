/* `info lanes`, `info registers`, `info stack`, `print`. */
#include <string.h>

#include "inspect/commands/private.h"
#include "sim/launch/buffer_slice.h"

static const char *state_name(char glyph)
{
    switch (glyph) {
    case '#':
        return "active";
    case 'p':
        return "active, guarded off";
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

/* "1120 (0x460)", or as a floating point number. */
static char *value_text(gint64 value, gboolean real)
{
    guint32 bits = (guint32)value;
    float number;

    if (!real)
        return value >= -9 && value <= 9
                   ? g_strdup_printf("%" G_GINT64_FORMAT, value)
                   : g_strdup_printf("%" G_GINT64_FORMAT " (0x%" G_GINT64_MODIFIER "x)", value,
                                     value);
    memcpy(&number, &bits, sizeof number);
    return g_strdup_printf("%.9g", (double)number);
}

/* A value in all lanes, in columns; runs of equal ones fold. */
static gboolean append_in_lanes(WsCommandLine *line, WsWarpPlace place, const char *name,
                                GError **error)
{
    enum { LANES_WIDTH = 6, COLUMN = 28 };
    guint32 size = place.sm->context->decoded->warp_size;
    guint columns = MAX(1, line->interpreter->width / COLUMN), column = 0;
    gboolean real = g_str_has_suffix(name, ".f32");
    g_autofree char *plain = real ? g_strndup(name, strlen(name) - 4) : g_strdup(name);
    gint64 value, next;

    if (!ws_lane_value(place.sm, place.slot, 0, plain, &value)) {
        ws_set_error(error, WS_ERROR_USAGE,
                     "'%s' is not known: R0, R0.s32, R0.f32, P0, UR0, lane, thread.x, a buffer "
                     "x[0:8] or shared[0:8] may be printed",
                     name);
        return FALSE;
    }
    for (guint32 lane = 0; lane < size; column++) {
        g_autofree char *text = NULL;
        g_autofree char *lanes = NULL;
        guint32 last = lane;

        ws_lane_value(place.sm, place.slot, lane, plain, &value);
        while (last + 1 < size && ws_lane_value(place.sm, place.slot, last + 1, plain, &next) &&
               next == value)
            last++;
        lanes = last == lane ? g_strdup_printf("%u", lane) : g_strdup_printf("%u..%u", lane, last);
        text = value_text(value, real);
        if (column != 0)
            g_string_append_c(line->out, column % columns == 0 ? '\n' : ' ');
        g_string_append_printf(line->out, "%*s: ", LANES_WIDTH, lanes);
        g_string_append_printf(
            line->out, "%-*s",
            (column + 1) % columns == 0 || last + 1 == size ? 0 : COLUMN - LANES_WIDTH - 3, text);
        lane = last + 1;
    }
    g_string_append_c(line->out, '\n');
    return TRUE;
}

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
        if (!append_in_lanes(line, place, *word, error))
            return FALSE;
    }
    return TRUE;
}

/* "shared[8:16]": 32-bit words of the block's shared memory, by bytes. */
static gboolean print_shared(WsCommandLine *line, GError **error)
{
    enum { WORDS = 8 };
    const char *inside = strchr(line->rest, '[') + 1;
    g_auto(GStrv) parts = g_strsplit(inside, ":", 2);
    gint64 from = 0, to;
    WsWarpPlace place;
    const guint8 *bytes;
    gsize size;

    if (!ws_command_line_place(line, &place, error))
        return FALSE;
    g_strdelimit(parts[0], "]", '\0');
    if (!ws_command_line_number(parts[0], &from, error))
        return FALSE;
    to = from + 4;
    if (parts[1] != NULL) {
        g_strdelimit(parts[1], "]", '\0');
        if (!ws_command_line_number(parts[1], &to, error))
            return FALSE;
    }
    bytes =
        ws_sm_memory_shared(place.sm->memory, place.sm->state->warps[place.slot].block_slot, &size);
    if (from < 0 || from % 4 != 0 || to <= from || (gsize)to > size) {
        ws_set_error(error, WS_ERROR_USAGE,
                     "'%s': the block has %" G_GSIZE_FORMAT
                     " bytes of shared memory, in words of 4",
                     line->rest, size);
        return FALSE;
    }
    for (gint64 at = from; at < to; at += 4) {
        guint32 bits;
        float real;

        memcpy(&bits, bytes + at, sizeof bits);
        memcpy(&real, bytes + at, sizeof real);
        if ((at - from) % (4 * WORDS) == 0)
            g_string_append_printf(line->out, "%s[%" G_GINT64_FORMAT "]", at == from ? "" : "\n",
                                   at);
        g_string_append_printf(line->out, " %08x", bits);
        if (to - from <= 4)
            g_string_append_printf(line->out, " = %d = %.9g", (gint32)bits, (double)real);
    }
    g_string_append_c(line->out, '\n');
    return TRUE;
}

gboolean ws_command_line_print(WsCommandLine *line, GError **error)
{
    WsWarpPlace place;

    if (*line->rest == '\0') {
        ws_set_error(error, WS_ERROR_USAGE, "print: of what? help print");
        return FALSE;
    }
    if (g_str_has_prefix(line->rest, "shared["))
        return print_shared(line, error);
    if (strchr(line->rest, '[') != NULL) {
        const WsJob *job = ws_session_job(line->session);
        g_autofree char *text = NULL;
        WsBufferSlice slice;

        if (!ws_buffer_slice_parse(job, "print", line->rest, &slice, error))
            return FALSE;
        text = ws_buffer_slice_text(job, &slice);
        g_string_append(line->out, text);
        return TRUE;
    }
    return ws_command_line_place(line, &place, error) &&
           append_in_lanes(line, place, line->rest, error);
}

/* ---- paths --------------------------------------------------------------------------------------
 */

static void append_path(WsCommandLine *line, guint number, guint64 lanes, guint32 size, guint32 pc,
                        const char *how)
{
    const WsProgram *program = ws_session_job(line->session)->program;
    g_autofree char *source = ws_source_place(program, pc);

    g_string_append_printf(line->out, "#%u  ", number);
    for (guint lane = 0; lane < size; lane++)
        g_string_append_c(line->out, lanes >> lane & 1 ? (number == 0 ? '#' : 'd') : '-');
    g_string_append_printf(line->out, "  %s %04x  %s\n", how, ws_instruction_address(pc), source);
}

gboolean ws_info_stack(WsCommandLine *line, GError **error)
{
    WsLanesAt others[WS_MAX_PATHS];
    const WsWarp *warp;
    WsWarpPlace place;
    guint32 size;
    guint count;

    if (!ws_command_line_place(line, &place, error))
        return FALSE;
    warp = &place.sm->state->warps[place.slot];
    size = place.sm->context->decoded->warp_size;
    if (warp->state != WS_WARP_DRAIN && warp->path.active != 0) {
        g_autofree char *stop =
            warp->path.stop != WS_NOWHERE
                ? g_strdup_printf("runs, up to %04x, at", ws_instruction_address(warp->path.stop))
                : g_strdup("runs at");

        append_path(line, 0, warp->path.active, size, warp->path.pc, stop);
    }
    count = place.sm->context->divergence->waiting(ws_sm_path_state(place.sm, place.slot),
                                                   &warp->path, others);
    for (guint i = 0; i < count; i++)
        append_path(line, i + 1, others[i].lanes, size, others[i].pc, others[i].how);
    return TRUE;
}
