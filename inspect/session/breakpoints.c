#include "inspect/session/breakpoints.h"

#include <string.h>

#include "sim/report/line_profile.h"

/* ---- places -------------------------------------------------------------------------------------
 */

void ws_code_place_clear(WsCodePlace *place)
{
    g_free(place->instructions);
    *place = (WsCodePlace){0};
}

static gboolean whole_number(const char *text, guint64 *ret)
{
    char *end;

    if (!g_ascii_isdigit(*text))
        return FALSE;
    *ret = g_ascii_strtoull(text, &end, 10);
    return *end == '\0';
}

static gboolean is_file(const char *path, const char *wanted)
{
    g_autofree char *base = g_path_get_basename(path);

    return wanted == NULL || strcmp(path, wanted) == 0 || strcmp(base, wanted) == 0;
}

/* Where a run of instructions of the line begins. */
static void find_line(const WsProgram *program, const char *file, guint32 line, GArray *ret)
{
    gboolean before = FALSE;

    for (guint32 i = 0; i < program->instruction_count; i++) {
        guint32 number, at;
        gboolean here;

        ws_line_of_instruction(program, i, &number, &at);
        here = number != 0 && at == line && is_file(program->files[number], file);
        if (here && !before)
            g_array_append_val(ret, i);
        before = here;
    }
}

/* The next line behind `line` that has instructions; 0 if there is none. */
static guint32 next_line(const WsProgram *program, const char *file, guint32 line)
{
    guint32 best = 0;

    for (guint32 i = 0; i < program->instruction_count; i++) {
        guint32 number, at;

        ws_line_of_instruction(program, i, &number, &at);
        if (number != 0 && at > line && is_file(program->files[number], file) &&
            (best == 0 || at < best))
            best = at;
    }
    return best;
}

static void find_kernel(const WsProgram *program, const char *name, GArray *ret)
{
    for (guint32 i = 0; i < program->kernel_count; i++)
        if (strcmp(program->kernels[i].name, name) == 0 ||
            strcmp(program->kernels[i].display_name, name) == 0)
            g_array_append_val(ret, program->kernels[i].first);
}

static gboolean explain_nothing(const WsProgram *program, const char *file, guint64 line,
                                const char *text, GError **error)
{
    guint32 next = line != 0 ? next_line(program, file, (guint32)MIN(line, G_MAXUINT32)) : 0;

    if (next != 0)
        ws_set_error(error, WS_ERROR_USAGE,
                     "'%s': no instruction comes from this line; the next one with any is %u", text,
                     next);
    else
        ws_set_error(error, WS_ERROR_USAGE,
                     "'%s': a line (12, FILE:12), an instruction (*7) or a kernel is expected that "
                     "the program has",
                     text);
    return FALSE;
}

gboolean ws_code_place_find(const WsProgram *program, const char *text, WsCodePlace *ret,
                            GError **error)
{
    g_autoptr(GArray) found = g_array_new(FALSE, FALSE, sizeof(guint32));
    const char *colon = strrchr(text, ':');
    g_autofree char *file = NULL;
    guint64 number = 0;

    *ret = (WsCodePlace){0};
    if (*text == '*' && whole_number(text + 1, &number)) {
        guint32 index = (guint32)MIN(number, G_MAXUINT32);

        if (number < program->instruction_count)
            g_array_append_val(found, index);
        number = 0;
    } else if (whole_number(text, &number)) {
        find_line(program, NULL, (guint32)MIN(number, G_MAXUINT32), found);
    } else if (colon != NULL && whole_number(colon + 1, &number)) {
        file = g_strndup(text, (gsize)(colon - text));
        find_line(program, file, (guint32)MIN(number, G_MAXUINT32), found);
    } else {
        find_kernel(program, text, found);
    }
    if (found->len == 0)
        return explain_nothing(program, file, number, text, error);
    ret->count = found->len;
    ret->instructions = (guint32 *)(void *)g_array_free(g_steal_pointer(&found), FALSE);
    return TRUE;
}

/* ---- breakpoints --------------------------------------------------------------------------------
 */

void ws_breakpoint_free(WsBreakpoint *breakpoint)
{
    if (breakpoint == NULL)
        return;
    g_free(breakpoint->text);
    g_free(breakpoint->name);
    ws_code_place_clear(&breakpoint->place);
    ws_condition_free(breakpoint->condition);
    g_free(breakpoint);
}

WsBreakpoint *ws_breakpoint_parse(const WsProgram *program, const WsKernel *kernel,
                                  const char *text, GError **error)
{
    const char *condition = strstr(text, " if ");
    g_autofree char *place =
        g_strstrip(condition != NULL ? g_strndup(text, (gsize)(condition - text)) : g_strdup(text));
    WsBreakpoint *breakpoint = g_new0(WsBreakpoint, 1);

    breakpoint->kind = WS_STOP_AT;
    breakpoint->text = g_strstrip(g_strdup(text));
    if (!ws_code_place_find(program, place, &breakpoint->place, error) ||
        (condition != NULL &&
         (breakpoint->condition = ws_condition_new(condition + 4, kernel, error)) == NULL)) {
        ws_breakpoint_free(breakpoint);
        return NULL;
    }
    return breakpoint;
}

guint64 ws_breakpoint_lanes(const WsBreakpoint *breakpoint, const WsSm *sm, guint32 slot,
                            guint32 pc, guint64 executed)
{
    const WsCodePlace *place = &breakpoint->place;
    guint32 low = 0, high = place->count;

    while (low < high) {
        guint32 middle = low + (high - low) / 2;

        if (place->instructions[middle] < pc)
            low = middle + 1;
        else
            high = middle;
    }
    if (low == place->count || place->instructions[low] != pc)
        return 0;
    return breakpoint->condition == NULL
               ? executed
               : ws_condition_lanes(breakpoint->condition, sm, slot, executed);
}

/* ---- values that are watched --------------------------------------------------------------------
 */

/* "NAME[FROM]" or "NAME[FROM:BYTES]" */
static gboolean parse_place(const char *text, char **ret_name, guint64 *ret_from,
                            guint64 *ret_bytes)
{
    const char *open = strchr(text, '['), *close = strrchr(text, ']');
    g_autofree char *inside = NULL;
    g_auto(GStrv) parts = NULL;

    if (open == NULL || close == NULL || close[1] != '\0' || close < open)
        return FALSE;
    inside = g_strndup(open + 1, (gsize)(close - open - 1));
    parts = g_strsplit(inside, ":", 2);
    if (parts[0] == NULL || !whole_number(parts[0], ret_from) ||
        (parts[1] != NULL && !whole_number(parts[1], ret_bytes)))
        return FALSE;
    *ret_name = g_strndup(text, (gsize)(open - text));
    return TRUE;
}

static gboolean watch_memory(const WsTimeline *timeline, WsBreakpoint *watch, GError **error)
{
    const WsJob *job = ws_timeline_job(timeline);
    guint64 from, bytes = 0;

    if (!parse_place(watch->text, &watch->name, &from, &bytes)) {
        ws_set_error(
            error, WS_ERROR_USAGE,
            "'%s': a register (R4, P0), shared[BYTE], shared[BYTE:BYTES] or BUFFER[ELEMENT] "
            "is expected",
            watch->text);
        return FALSE;
    }
    if (strcmp(watch->name, "shared") == 0) {
        watch->kind = WS_STOP_SHARED;
        watch->address = from;
        watch->bytes = bytes == 0 ? 1 : (guint32)MIN(bytes, 8);
        return TRUE;
    }
    for (guint32 i = 0; i < job->buffer_count; i++) {
        const WsBuffer *buffer = &job->buffers[i];
        guint size = MAX(1, ws_type_size(buffer->type));

        if (strcmp(buffer->name, watch->name) != 0)
            continue;
        if (from >= buffer->count) {
            ws_set_error(error, WS_ERROR_USAGE,
                         "'%s': the buffer has %" G_GUINT64_FORMAT " elements", watch->text,
                         buffer->count);
            return FALSE;
        }
        watch->kind = WS_STOP_GLOBAL;
        watch->address = buffer->address + from * size;
        watch->bytes = MIN(size, 8);
        watch->type = buffer->type;
        return TRUE;
    }
    ws_set_error(error, WS_ERROR_USAGE, "'%s': the launch has no buffer '%s'", watch->text,
                 watch->name);
    return FALSE;
}

WsBreakpoint *ws_watch_parse(const WsTimeline *timeline, const WsFocus *focus, const char *text,
                             GError **error)
{
    const WsJob *job = ws_timeline_job(timeline);
    guint32 launch = ws_simulation_launch(ws_timeline_simulation(timeline));
    WsBreakpoint *watch = g_new0(WsBreakpoint, 1);
    g_autoptr(WsCondition) known = NULL;

    watch->text = g_strstrip(g_strdup(text));
    watch->focus = *focus;
    if (strchr(watch->text, '[') == NULL && *watch->text != '\0')
        known = ws_condition_new(watch->text, job->launches[launch].kernel, NULL);
    if (known != NULL) {
        watch->kind = WS_STOP_REGISTER;
        watch->name = g_strdup(watch->text);
    } else if (!watch_memory(timeline, watch, error)) {
        ws_breakpoint_free(watch);
        return NULL;
    }
    return watch;
}

static guint64 bytes_value(const guint8 *bytes, guint32 count)
{
    guint64 value = 0;

    memcpy(&value, bytes, count);
    return GUINT64_FROM_LE(value);
}

gboolean ws_watch_value(const WsTimeline *timeline, const WsBreakpoint *watch, guint64 *ret)
{
    const WsSimulation *simulation = ws_timeline_simulation(timeline);
    WsWarpPlace place = {NULL, 0};
    const guint8 *bytes;
    gint64 value;
    gsize size;

    if (watch->kind == WS_STOP_GLOBAL) {
        bytes =
            ws_global_memory_at(ws_simulation_contents(simulation), watch->address, watch->bytes);
        if (bytes != NULL)
            *ret = bytes_value(bytes, watch->bytes);
        return bytes != NULL;
    }
    place = ws_find_warp(timeline, watch->focus.block, watch->focus.warp);
    if (place.sm == NULL)
        return FALSE;
    if (watch->kind == WS_STOP_REGISTER) {
        if (!ws_lane_value(place.sm, place.slot, watch->focus.lane, watch->name, &value))
            return FALSE;
        *ret = (guint64)value;
        return TRUE;
    }
    bytes =
        ws_sm_memory_shared(place.sm->memory, place.sm->state->warps[place.slot].block_slot, &size);
    if (watch->address + watch->bytes > size)
        return FALSE;
    *ret = bytes_value(bytes + watch->address, watch->bytes);
    return TRUE;
}
