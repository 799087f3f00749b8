#include "inspect/session/breakpoints.h"

#include <string.h>

#include "sim/report/line_profile.h"

/* ---- places -------------------------------------------------------------------------------------
 */

static void code_place_clear(WsCodePlace *place)
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

/* Where an inlined call of a function begins, each of them. */
static void find_function(const WsProgram *program, const char *name, GArray *ret)
{
    const WsVariableTable *table = program->variables;
    for (guint32 s = 0; table != NULL && s < table->scopes->len; s++) {
        const WsSourceScope *scope = ws_variable_table_scope(table, s);
        if (scope->kind == WS_SOURCE_SCOPE_INLINED && scope->range_count > 0 &&
            strcmp(scope->name, name) == 0)
            g_array_append_val(ret,
                               g_array_index(table->ranges, WsCodeRange, scope->first_range).first);
    }
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
        ws_set_error(
            error, WS_ERROR_USAGE,
            "'%s': a line (12, FILE:12), an instruction (*7), or the name of a kernel or of a "
            "function that is called is expected",
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
        find_function(program, text, found);
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
    code_place_clear(&breakpoint->place);
    ws_condition_free(breakpoint->condition);
    ws_lane_expression_free(breakpoint->value);
    ws_lane_scope_free(breakpoint->scope);
    g_free(breakpoint);
}

static gboolean has_instruction(const WsLaunch *launch, guint32 instruction)
{
    return instruction >= launch->kernel->first &&
           instruction - launch->kernel->first < launch->kernel->count;
}

/* The launch whose kernel has the instruction: the one under way if it is that. */
static const WsLaunch *launch_of_instruction(const WsTimeline *timeline, guint32 instruction)
{
    const WsJob *job = ws_timeline_job(timeline);
    const WsLaunch *now = &job->launches[ws_simulation_launch(ws_timeline_simulation(timeline))];

    for (guint32 i = 0; i < job->launch_count && !has_instruction(now, instruction); i++)
        if (has_instruction(&job->launches[i], instruction))
            return &job->launches[i];
    return now;
}

gboolean ws_breakpoint_set_condition(WsBreakpoint *breakpoint, const WsTimeline *timeline,
                                     const char *text, GError **error)
{
    WsCodePlace *place = &breakpoint->place;
    guint32 kept = 0;

    breakpoint->condition =
        ws_condition_new(timeline, launch_of_instruction(timeline, place->instructions[0]), text,
                         place->instructions, place->count, error);
    if (breakpoint->condition == NULL)
        return FALSE;
    for (guint32 i = 0; i < place->count; i++)
        if (ws_condition_is_at(breakpoint->condition, place->instructions[i]))
            place->instructions[kept++] = place->instructions[i];
    place->count = kept;
    return TRUE;
}

WsBreakpoint *ws_breakpoint_parse(const WsTimeline *timeline, const char *text, GError **error)
{
    const char *condition = strstr(text, " if ");
    g_autofree char *place =
        g_strstrip(condition != NULL ? g_strndup(text, (gsize)(condition - text)) : g_strdup(text));
    WsBreakpoint *breakpoint = g_new0(WsBreakpoint, 1);

    breakpoint->kind = WS_STOP_AT;
    breakpoint->text = g_strstrip(g_strdup(text));
    if (ws_code_place_find(ws_timeline_job(timeline)->program, place, &breakpoint->place, error) &&
        (condition == NULL ||
         ws_breakpoint_set_condition(breakpoint, timeline, condition + strlen(" if "), error)))
        return breakpoint;
    ws_breakpoint_free(breakpoint);
    return NULL;
}

static gboolean is_at(const WsCodePlace *place, guint32 pc)
{
    guint32 low = 0, high = place->count;

    while (low < high) {
        guint32 middle = low + (high - low) / 2;

        if (place->instructions[middle] < pc)
            low = middle + 1;
        else
            high = middle;
    }
    return low != place->count && place->instructions[low] == pc;
}

guint64 ws_breakpoint_lanes(const WsBreakpoint *breakpoint, const WsSm *sm, guint32 slot,
                            guint32 pc, guint64 executed, guint64 *ret_unknown)
{
    const WsLanePlace where = {sm, slot, pc};

    *ret_unknown = 0;
    if (!is_at(&breakpoint->place, pc))
        return 0;
    return breakpoint->condition == NULL
               ? executed
               : ws_condition_lanes(breakpoint->condition, &where, executed, ret_unknown);
}

gboolean ws_breakpoint_reads_memory(const WsBreakpoint *breakpoint)
{
    return breakpoint->kind == WS_STOP_AT && breakpoint->condition != NULL &&
           ws_condition_reads_memory(breakpoint->condition);
}

gboolean ws_breakpoint_may_stop(const WsBreakpoint *breakpoint, const WsSm *sm, guint32 slot,
                                guint32 pc, guint64 executed)
{
    guint64 unknown;

    if (ws_breakpoint_reads_memory(breakpoint))
        return executed != 0 && is_at(&breakpoint->place, pc);
    return ws_breakpoint_lanes(breakpoint, sm, slot, pc, executed, &unknown) != 0;
}
