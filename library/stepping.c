/* A run that is looked at, cycle by cycle. */
#include "library/machine.h"

#include <string.h>

#include "inspect/session/lane_expression.h"

enum { WIDTH = 100 /* columns of what commands say */ };

static warpstep_code check_stepping(warpstep *gpu)
{
    return gpu->stepping.session != NULL
               ? WARPSTEP_OK
               : ws_machine_refuse(gpu,
                                   "no run is being stepped: call warpstep_begin_stepping() first");
}

static WsTimeline *timeline_of(const warpstep *gpu)
{
    return ws_session_timeline(gpu->stepping.session);
}

warpstep_code warpstep_begin_stepping(warpstep *gpu)
{
    const warpstep_code code = ws_machine_check_idle(gpu);
    g_autoptr(GError) error = NULL;
    if (code != WARPSTEP_OK)
        return code;
    if (gpu->queue->len == 0)
        return ws_machine_refuse(gpu, "the queue is empty: call warpstep_enqueue() first");
    ws_machine_begin(gpu);
    const WsRunOptions options = ws_machine_run_options(gpu);
    gpu->stepping.session = ws_session_new(gpu->job, &options, WS_TIMELINE_BYTES, &error);
    if (gpu->stepping.session == NULL) {
        ws_machine_forget(gpu);
        return ws_machine_fail(gpu, g_steal_pointer(&error));
    }
    gpu->stepping.commands = ws_interpreter_new(gpu->stepping.session, WIDTH);
    gpu->stepping.said = g_string_new(NULL);
    ws_code_texts_set(&gpu->stepping.code, gpu->job->program);
    return WARPSTEP_OK;
}

/* What was shown of the cycle is not that of the next one. */
static void moved(warpstep *gpu)
{
    g_clear_pointer(&gpu->stepping.warps, g_array_unref);
}

/* OK, or how the run has ended. */
static warpstep_code end_of_run(warpstep *gpu)
{
    WsTimeline *timeline = timeline_of(gpu);
    return ws_timeline_cycle(timeline) < ws_timeline_end(timeline)
               ? WARPSTEP_OK
               : ws_machine_note_end(gpu, ws_timeline_status(timeline), ws_timeline_stop(timeline));
}

warpstep_code warpstep_go(warpstep *gpu, uint64_t cycle)
{
    const warpstep_code code = check_stepping(gpu);
    g_autoptr(GError) error = NULL;
    WsArrival arrival;
    if (code != WARPSTEP_OK)
        return code;
    moved(gpu);
    if (!ws_session_go(gpu->stepping.session, cycle, &arrival, &error))
        return ws_machine_fail(gpu, g_steal_pointer(&error));
    return end_of_run(gpu);
}

uint64_t warpstep_cycle(const warpstep *gpu)
{
    return gpu->stepping.session != NULL ? ws_timeline_cycle(timeline_of(gpu)) : 0;
}

int warpstep_is_over(const warpstep *gpu)
{
    return gpu->stepping.session != NULL &&
           ws_timeline_cycle(timeline_of(gpu)) >= ws_timeline_end(timeline_of(gpu));
}

warpstep_code warpstep_command(warpstep *gpu, const char *line, const char **ret)
{
    const warpstep_code code = check_stepping(gpu);
    g_autoptr(GError) error = NULL;
    *ret = "";
    if (code != WARPSTEP_OK)
        return code;
    if (!g_utf8_validate(line, -1, NULL))
        return ws_machine_refuse(gpu, "a command is text in UTF-8");
    moved(gpu);
    g_string_truncate(gpu->stepping.said, 0);
    if (!ws_interpreter_do(gpu->stepping.commands, line, gpu->stepping.said, &error))
        return ws_machine_fail(gpu, g_steal_pointer(&error));
    *ret = gpu->stepping.said->str;
    return WARPSTEP_OK;
}

warpstep_code warpstep_end_stepping(warpstep *gpu)
{
    const warpstep_code code = check_stepping(gpu);
    if (code == WARPSTEP_OK)
        ws_machine_forget(gpu);
    return code;
}

/* ---- warps -------------------------------------------------------------------------------------
 */

static warpstep_warp describe(warpstep *gpu, const WsSm *sm, guint32 slot)
{
    const WsProgram *program = gpu->job->program;
    const WsWarp *warp = &sm->state->warps[slot];
    const guint32 pc = warp->state == WS_WARP_DRAIN ? warp->wait_pc : warp->path.pc;
    const WsFocus focus = ws_focus_of(sm, slot);
    WsLaneStates states;
    ws_lane_states(sm, slot, &states);
    warpstep_warp out = {.sm = sm->number,
                         .slot = slot,
                         .block = focus.block,
                         .warp = focus.warp,
                         .active = states.active,
                         .exited = states.exited,
                         .stall = ws_stall_name(ws_timeline_stall(timeline_of(gpu), sm, slot))};
    if (pc < program->instruction_count) {
        const WsLocation *at = &program->locations[program->instructions[pc].location];
        out.instruction = ws_code_texts_get(&gpu->stepping.code, pc);
        out.line = at->line;
        out.file = at->line != 0 ? program->files[at->file] : NULL;
    }
    return out;
}

static void list_warps(warpstep *gpu)
{
    guint32 count;
    WsSm *const *sms = ws_simulation_sms(ws_timeline_simulation(timeline_of(gpu)), &count);
    gpu->stepping.warps = g_array_new(FALSE, TRUE, sizeof(warpstep_warp));
    for (guint32 i = 0; i < count; i++)
        for (guint64 rest = sms[i]->state->resident; rest != 0; rest &= rest - 1) {
            const warpstep_warp warp = describe(gpu, sms[i], (guint32)__builtin_ctzll(rest));
            g_array_append_val(gpu->stepping.warps, warp);
        }
}

const warpstep_warp *warpstep_warp_at(warpstep *gpu, unsigned index)
{
    if (check_stepping(gpu) != WARPSTEP_OK)
        return NULL;
    if (gpu->stepping.warps == NULL)
        list_warps(gpu);
    return index < gpu->stepping.warps->len
               ? &g_array_index(gpu->stepping.warps, warpstep_warp, index)
               : NULL;
}

/* The SM with a warp in the slot, or NULL with the error. */
static const WsSm *find_sm(warpstep *gpu, guint number, guint slot, guint lane)
{
    if (check_stepping(gpu) != WARPSTEP_OK)
        return NULL;
    const WsSm *sm = ws_timeline_sm(timeline_of(gpu), number);
    if (sm == NULL || slot >= 64 || (sm->state->resident >> slot & 1) == 0)
        ws_machine_refuse(gpu, "SM %u has no warp in slot %u at this cycle", number, slot);
    else if (lane >= gpu->device->warp_size)
        ws_machine_refuse(gpu, "a warp has lanes 0 to %u", (guint)gpu->device->warp_size - 1);
    else
        return sm;
    return NULL;
}

warpstep_code warpstep_register(warpstep *gpu, unsigned sm, unsigned slot, unsigned lane,
                                unsigned number, uint32_t *ret)
{
    const WsSm *found = find_sm(gpu, sm, slot, lane);
    g_autofree char *name = g_strdup_printf("R%u", number);
    gint64 value = 0;
    if (found == NULL)
        return WARPSTEP_BAD_CALL;
    if (!ws_lane_value(found, slot, lane, name, &value))
        return ws_machine_refuse(gpu, "the kernel has no register %s", name);
    *ret = (guint32)value;
    return WARPSTEP_OK;
}

warpstep_code warpstep_evaluate(warpstep *gpu, unsigned sm, unsigned slot, unsigned lane,
                                const char *expression, const char **ret)
{
    const WsSm *found = find_sm(gpu, sm, slot, lane);
    g_autoptr(GError) error = NULL;
    if (found == NULL)
        return WARPSTEP_BAD_CALL;
    if (!g_utf8_validate(expression, -1, NULL))
        return ws_machine_refuse(gpu, "an expression is text in UTF-8");
    const WsTimeline *timeline = timeline_of(gpu);
    const guint32 launch = ws_simulation_launch(ws_timeline_simulation(timeline));
    g_autoptr(WsLaneScope) scope = ws_lane_scope_new(timeline, &gpu->job->launches[launch]);
    g_autoptr(WsLaneExpression) made =
        ws_lane_expression_for(scope, "evaluate", expression, found, slot, lane, &error);
    if (made == NULL)
        return ws_machine_fail(gpu, g_steal_pointer(&error));
    const WsLanePlace place = {found, slot, WS_OWN_PC};
    ws_lane_expression_evaluate(made, &place, (guint64)1 << lane);
    g_free(gpu->value_text);
    gpu->value_text = ws_lane_expression_value(made, lane, WS_FORM_NATURAL);
    *ret = gpu->value_text;
    return WARPSTEP_OK;
}
