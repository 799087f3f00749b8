#include "inspect/session/paths.h"

#include <string.h>

gboolean ws_has_stack(const WsSm *sm)
{
    return sm->context->divergence->stack != NULL;
}

guint ws_warp_stack(const WsSm *sm, guint32 slot, WsStackEntry ret[WS_MAX_STACK])
{
    const WsWarp *warp = &sm->state->warps[slot];

    if (!ws_has_stack(sm) || warp->state == WS_WARP_DRAIN)
        return 0;
    return sm->context->divergence->stack(ws_sm_path_state(sm, slot), &warp->path, ret);
}

gboolean ws_has_convergence(const WsSm *sm)
{
    return sm->context->divergence->get != NULL;
}

GArray *ws_warp_convergence(const WsSm *sm, guint32 slot)
{
    GArray *groups = g_array_new(FALSE, FALSE, sizeof(WsConvergenceGroup));
    WsLaneStates states;

    if (!ws_has_convergence(sm))
        return groups;
    ws_lane_states(sm, slot, &states);
    for (guint32 barrier = 0; barrier < WS_CONVERGENCE_BARRIERS; barrier++) {
        guint64 rest = states.active | states.waiting;

        while (rest != 0) { /* as a path would see it that begins with this lane */
            WsPath path = {.active = rest & -rest};
            guint64 lanes =
                sm->context->divergence->get(ws_sm_path_state(sm, slot), &path, barrier);
            WsConvergenceGroup group = {barrier, lanes};

            if (lanes != 0)
                g_array_append_val(groups, group);
            rest &= ~(lanes | path.active);
        }
    }
    return groups;
}

WsMeetingLanes ws_meeting_lanes(const WsSm *sm, guint32 slot, const WsLanesAt *at)
{
    const WsWarp *warp = &sm->state->warps[slot];
    WsMeetingLanes lanes = {.waiting = at->lanes, .wanted = at->wanted};
    WsLanesAt others[WS_MAX_PATHS];
    guint count = sm->context->divergence->waiting(ws_sm_path_state(sm, slot), &warp->path, others);

    if (warp->path.pc == at->pc - 1)
        lanes.left = warp->path.active;
    for (guint i = 0; i < count; i++)
        if (others[i].pc == at->pc - 1)
            lanes.left |= others[i].lanes;
    lanes.left &= lanes.wanted;
    return lanes;
}

/* Paths of the warp that wait alike have the same sentence: it is there once, with their number. */
static char **fold_sentences(GPtrArray *sentences)
{
    GPtrArray *folded = g_ptr_array_new();

    for (guint i = 0; i < sentences->len; i++) {
        const char *sentence = sentences->pdata[i];
        guint first = 0, count = 0;

        for (guint k = sentences->len; k-- > 0;)
            if (strcmp(sentences->pdata[k], sentence) == 0) {
                first = k;
                count++;
            }
        if (first == i)
            g_ptr_array_add(folded, count == 1 ? g_strdup(sentence)
                                               : g_strdup_printf("%s (%u paths)", sentence, count));
    }
    g_ptr_array_add(folded, NULL);
    return (char **)g_ptr_array_free(folded, FALSE);
}

char **ws_warp_meetings(const WsSm *sm, guint32 slot)
{
    const WsWarp *warp = &sm->state->warps[slot];
    g_autoptr(GPtrArray) sentences = g_ptr_array_new_with_free_func(g_free);
    WsLanesAt others[WS_MAX_PATHS];
    guint count = 0;

    if (warp->state != WS_WARP_DRAIN)
        count = sm->context->divergence->waiting(ws_sm_path_state(sm, slot), &warp->path, others);
    for (guint i = 0; i < count; i++) {
        char *sentence = NULL;

        if (others[i].at_join && others[i].wanted != 0) {
            WsMeetingLanes lanes = ws_meeting_lanes(sm, slot, &others[i]);

            sentence = ws_meeting_sentence(sm->context->program, others[i].pc - 1, &lanes);
        }
        if (sentence != NULL)
            g_ptr_array_add(sentences, sentence);
    }
    return fold_sentences(sentences);
}

char *ws_convergence_name(const WsSm *sm, guint32 slot, guint32 barrier, guint64 lanes)
{
    const WsProgram *program = sm->context->program;
    const WsWarp *warp = &sm->state->warps[slot];
    WsLanesAt others[WS_MAX_PATHS];
    guint32 pc = warp->path.pc;
    guint count = 0;

    if (!(warp->path.active & lanes)) {
        count = sm->context->divergence->waiting(ws_sm_path_state(sm, slot), &warp->path, others);
        for (guint i = 0; i < count; i++)
            if (others[i].lanes & lanes)
                pc = others[i].pc - others[i].at_join;
    }
    return ws_meeting_opening(program,
                              ws_meeting_set_by(program, sm->context->kernel, barrier, pc));
}

gboolean ws_lane_instruction(const WsSm *sm, guint32 slot, guint32 lane, guint32 *ret)
{
    const WsWarp *warp = &sm->state->warps[slot];
    WsLanesAt others[WS_MAX_PATHS];
    guint count;

    if (warp->state == WS_WARP_DRAIN)
        return FALSE;
    if (warp->path.active >> lane & 1) {
        *ret = warp->path.pc;
        return TRUE;
    }
    count = sm->context->divergence->waiting(ws_sm_path_state(sm, slot), &warp->path, others);
    for (guint i = 0; i < count; i++)
        if (others[i].lanes >> lane & 1) {
            *ret = others[i].pc;
            return TRUE;
        }
    return FALSE;
}
