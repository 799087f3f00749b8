/* `info TOPIC`. */
#include <string.h>

#include "inspect/commands/private.h"

const WsInfoTopic ws_info_topics[] = {
    {"warps", "the warps of the SM; filters: all, sm N, block N, sub-core N, a stall reason",
     ws_info_warps},
    {"lanes", "the lanes of the warp, with the thread and state of each", ws_info_lanes},
    {"registers", "registers and predicates of the lane; or the named ones, in all lanes",
     ws_info_registers},
    {"locals",
     "the variables in scope, innermost first, with their values in the lane; -lanes LIST: in "
     "these lanes, as a table",
     ws_info_locals},
    {"stack", "the paths of the warp: the running one, then the waiting ones", ws_info_stack},
    {"barriers", "barriers of the block, and convergence barriers of the warp", ws_info_barriers},
    {"scoreboard", "registers that wait for a result", ws_info_scoreboard},
    {"requests", "memory accesses of the SM in flight; * marks those of the warp",
     ws_info_requests},
    {"sub-cores",
     "what each sub-core issued last and issues now, and which other warps are eligible",
     ws_info_sub_cores},
    {"blocks", "the blocks on the SMs", ws_info_blocks},
    {"breakpoints", "breakpoints and watchpoints", ws_info_breakpoints},
    {"display", "expressions that are shown wherever a move ends", ws_info_display},
    {"marks", "names of cycles", ws_info_marks},
    {"highlights",
     "highlights of the run: failure, divergence, longest stalls; goto NAME goes there",
     ws_info_highlights},
    {"launch", "kernel, sizes, device and policy", ws_info_launch},
    {"run", "cycle, end and saved states of the session", ws_info_run},
    {NULL, NULL, NULL},
};

gboolean ws_command_line_info(WsCommandLine *line, GError **error)
{
    const char *names[G_N_ELEMENTS(ws_info_topics)];
    WsCommandLine rest = *line;
    gint choice;

    if (line->words[0] == NULL) {
        for (const WsInfoTopic *topic = ws_info_topics; topic->name != NULL; topic++)
            g_string_append_printf(line->out, "info %-12s %s\n", topic->name, topic->help);
        return TRUE;
    }
    for (guint i = 0; i < G_N_ELEMENTS(names); i++)
        names[i] = ws_info_topics[i].name;
    choice = ws_command_line_choice("info", line->words[0], names, error);
    if (choice < 0)
        return FALSE;
    rest.words++;
    return ws_info_topics[choice].tell(&rest, error);
}

gboolean ws_info_highlights(WsCommandLine *line, GError **error)
{
    enum { NAME_WIDTH = 21 };
    const WsHighlights *highlights;

    if (!ws_session_find_highlights(line->session, &highlights, error))
        return FALSE;
    for (guint i = 0; i < WS_HIGHLIGHT_COUNT; i++) {
        const WsHighlight *highlight = ws_highlights_at(highlights, (WsHighlightKind)i);
        g_autofree char *text = NULL, *place = NULL;

        if (!highlight->there)
            continue;
        text = ws_highlight_text(highlights, (WsHighlightKind)i);
        if (highlight->instruction != WS_NO_INSTRUCTION)
            place = ws_framed_place(ws_session_job(line->session)->program, highlight->instruction);
        g_string_append_printf(line->out, "%-*s %s%s%s\n", NAME_WIDTH,
                               ws_highlight_name((WsHighlightKind)i), place != NULL ? place : "",
                               place != NULL ? ": " : "", text);
    }
    return TRUE;
}

gboolean ws_info_launch(WsCommandLine *line, GError **error)
{
    const WsJob *job = ws_session_job(line->session);
    guint32 index = ws_simulation_launch(ws_timeline_simulation(line->timeline));
    const WsLaunch *launch = &job->launches[index];

    g_string_append_printf(line->out,
                           "launch %u of %u: %s, grid (%u,%u,%u), block (%u,%u,%u), %u registers\n",
                           index + 1, job->launch_count, launch->kernel->display_name,
                           launch->grid[0], launch->grid[1], launch->grid[2], launch->block[0],
                           launch->block[1], launch->block[2], launch->kernel->registers);
    g_string_append_printf(line->out, "%s, policy %s, divergence %s\n", job->device->name,
                           ws_device_policy_name(job->device),
                           ws_divergence_model(job->device->divergence)->name);
    return TRUE;
}

gboolean ws_info_run(WsCommandLine *line, GError **error)
{
    guint64 end = ws_timeline_end(line->timeline);

    g_string_append_printf(line->out, "cycle %" G_GUINT64_FORMAT,
                           ws_timeline_cycle(line->timeline));
    if (end != WS_NEVER)
        g_string_append_printf(line->out, " of %" G_GUINT64_FORMAT ", status %s", end,
                               ws_status_name(ws_timeline_status(line->timeline)));
    g_string_append_printf(line->out, ", digest of the state %016" G_GINT64_MODIFIER "x\n",
                           ws_timeline_digest(line->timeline));
    return TRUE;
}

/* ---- blocks -------------------------------------------------------------------------------------
 */

gboolean ws_info_blocks(WsCommandLine *line, GError **error)
{
    guint32 count;
    WsSm *const *sms = ws_simulation_sms(ws_timeline_simulation(line->timeline), &count);

    g_string_append(line->out, "  sm  block         warps  at a barrier  exited\n");
    for (guint32 i = 0; i < count; i++)
        for (guint32 k = 0; k < WS_MAX_BLOCK_SLOTS; k++) {
            const WsBlockState *block = &sms[i]->state->blocks[k];
            g_autofree char *name =
                g_strdup_printf("(%u,%u,%u)", block->index[0], block->index[1], block->index[2]);

            if (block->used)
                g_string_append_printf(
                    line->out, "%4u  %-12s  %5u  %12d  %6d\n", sms[i]->number, name,
                    sms[i]->context->warps_per_block, __builtin_popcountll(block->waiting),
                    (gint)sms[i]->context->warps_per_block - __builtin_popcountll(block->alive));
        }
    return TRUE;
}
