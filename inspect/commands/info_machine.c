/* `info barriers`, `info scoreboard`, `info requests`. */
#include "inspect/commands/private.h"
#include "inspect/session/paths.h"
#include "sim/sm/eligibility.h"

static void append_slots(GString *out, guint64 slots)
{
    if (slots == 0)
        g_string_append(out, " none");
    for (; slots != 0; slots &= slots - 1)
        g_string_append_printf(out, " %d", __builtin_ctzll(slots));
}

static void append_block_barriers(GString *out, const WsBlockState *block)
{
    gboolean any = FALSE;

    for (guint i = 0; i < WS_NAMED_BARRIERS; i++) {
        const WsBarrier *barrier = &block->barriers[i];

        if (barrier->arrived == 0)
            continue;
        any = TRUE;
        g_string_append_printf(out, "barrier %u: arrived, by slot:", i);
        append_slots(out, barrier->arrived);
        g_string_append(out, "; missing:");
        append_slots(out, block->alive & ~barrier->arrived);
        g_string_append_c(out, '\n');
    }
    if (!any)
        g_string_append(out, "No warp of the block waits at a barrier.\n");
}

gboolean ws_info_barriers(WsCommandLine *line, GError **error)
{
    const WsDivergenceModel *model;
    const WsWarp *warp;
    WsWarpPlace place;

    if (!ws_command_line_place(line, &place, error))
        return FALSE;
    warp = &place.sm->state->warps[place.slot];
    append_block_barriers(line->out, &place.sm->state->blocks[warp->block_slot]);
    model = place.sm->context->divergence;
    for (guint i = 0; model->get != NULL && warp->path.active != 0 && i < 16; i++) {
        guint64 lanes = model->get(ws_sm_path_state(place.sm, place.slot), &warp->path, i);
        g_autofree char *name = NULL;
        char set[WS_MAX_WARP_SIZE + 1];

        if (lanes == 0)
            continue;
        ws_lane_set(lanes, place.sm->context->decoded->warp_size, set);
        name = ws_convergence_name(place.sm, place.slot, i, lanes);
        g_string_append_printf(line->out, "convergence barrier B%-2u %s%s%s\n", i, set,
                               name != NULL ? "  " : "", name != NULL ? name : "");
    }
    return TRUE;
}

/* ---- scoreboard ---------------------------------------------------------------------------------
 */

gboolean ws_info_scoreboard(WsCommandLine *line, GError **error)
{
    guint64 cycle = ws_timeline_cycle(line->timeline);
    const WsIssueTable *table;
    const guint64 *entries;
    gboolean any = FALSE;
    WsWarpPlace place;

    if (!ws_command_line_place(line, &place, error))
        return FALSE;
    table = place.sm->context->issue_table;
    entries = ws_sm_entries(place.sm, &place.sm->state->warps[place.slot]);
    for (guint32 i = 0; i < table->first_barrier; i++) {
        guint64 ready = ws_entry_cycle(entries[i]);
        char name[16];

        if (ready <= cycle)
            continue;
        any = TRUE;
        ws_scoreboard_entry_name(table, i, name, sizeof name);
        g_string_append_printf(line->out, "%-5s", name);
        if (ready >= WS_NEVER)
            g_string_append(line->out, " waits for memory\n");
        else
            g_string_append_printf(line->out,
                                   " available at %" G_GUINT64_FORMAT ", in %" G_GUINT64_FORMAT
                                   " cycles, for a reader on the same pipe\n",
                                   ready, ready - cycle);
    }
    if (!any)
        g_string_append(line->out, "No register waits for a result.\n");
    return TRUE;
}

/* ---- requests -----------------------------------------------------------------------------------
 */

/* When accesses under way are answered, by what: found by running on. */
typedef struct {
    guint32 sm;
    guint64 cycle;
    GArray *answers; /* of WsTraceEvent */
} Answers;

static guint64 note_answer(void *data, const WsSm *sm, const WsTraceEvent *event)
{
    Answers *answers = data;

    if (event->sm == answers->sm &&
        event->cycle - MIN(event->cycle, event->response.latency) < answers->cycle)
        g_array_append_val(answers->answers, *event);
    return WS_NEVER;
}

static const WsTraceEvent *find_answer(const Answers *answers, const WsSmAccess *access)
{
    for (guint i = 0; i < answers->answers->len; i++) {
        const WsTraceEvent *event = &g_array_index(answers->answers, WsTraceEvent, i);

        if (event->warp == access->slot && event->instruction == access->pc &&
            event->cycle - event->response.latency == access->cycle)
            return event;
    }
    return NULL;
}

gboolean ws_info_requests(WsCommandLine *line, GError **error)
{
    enum { HORIZON = 100000 };
    const WsProgram *program = ws_session_job(line->session)->program;
    g_autoptr(GArray) found = g_array_new(FALSE, FALSE, sizeof(WsTraceEvent));
    Answers answers = {.cycle = ws_timeline_cycle(line->timeline), .answers = found};
    WsQuery query = {.kinds = WS_TRACE_BIT(RESPONSE), .find = note_answer, .data = &answers};
    WsFinding finding;
    gboolean any = FALSE;
    WsWarpPlace place;

    if (!ws_command_line_place(line, &place, error))
        return FALSE;
    answers.sm = place.sm->number;
    if (!ws_timeline_look_ahead(line->timeline, &query, HORIZON, &finding, error) ||
        !ws_command_line_place(line, &place, error))
        return FALSE;
    for (guint32 i = 0; i < place.sm->pending.count; i++) {
        const WsSmAccess *access = &ws_state_array_index(&place.sm->pending, WsSmAccess, i);
        const WsTraceEvent *answer;
        g_autofree char *source = NULL;
        g_autofree char *text = NULL;

        if (!access->under_way)
            continue;
        any = TRUE;
        source = ws_framed_place(program, access->pc);
        text = ws_plain_instruction_text(program, access->pc);
        answer = find_answer(&answers, access);
        g_string_append_printf(line->out, "%s slot %-2u  %-32s %-16s issued at %" G_GUINT64_FORMAT,
                               access->slot == place.slot ? "*" : " ", access->slot, text, source,
                               access->cycle);
        if (answer != NULL)
            g_string_append_printf(line->out, ", response from %s at %" G_GUINT64_FORMAT,
                                   ws_memory_level_name((WsMemoryLevel)answer->response.level),
                                   answer->cycle);
        g_string_append_c(line->out, '\n');
    }
    if (!any)
        g_string_append(line->out, "No memory access of the SM is in flight.\n");
    return TRUE;
}
