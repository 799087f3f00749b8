/* Looking at another warp or lane. */
#include <string.h>

#include "inspect/commands/private.h"

/* Where somebody wants to look: what is not given is G_MAXUINT32. */
typedef struct {
    gboolean has_block, has_thread;
    guint32 block[3], thread[3];
    guint32 warp, lane, sm, slot;
} Wanted;

/* "3", "3,1", "(3,1,0)" */
static gboolean read_coordinates(const char *word, guint32 ret[3], GError **error)
{
    g_autofree char *inside = g_strdup(word);
    g_auto(GStrv) parts = NULL;

    g_strdelimit(inside, "()", ' ');
    parts = g_strsplit(g_strstrip(inside), ",", 4);
    ret[0] = ret[1] = ret[2] = 0;
    for (guint i = 0; parts[i] != NULL; i++) {
        gint64 number;

        if (i == 3 || !ws_command_line_number(g_strstrip(parts[i]), &number, NULL) || number < 0 ||
            number > G_MAXINT32) {
            ws_set_error(error, WS_ERROR_USAGE, "'%s': X, X,Y or X,Y,Z is expected", word);
            return FALSE;
        }
        ret[i] = (guint32)number;
    }
    return TRUE;
}

static gboolean read_wanted(const WsCommandLine *line, Wanted *ret, GError **error)
{
    static const char *const names[] = {"block", "thread", "warp", "lane", "sm", "slot", NULL};
    guint32 *const numbers[] = {NULL, NULL, &ret->warp, &ret->lane, &ret->sm, &ret->slot};

    *ret =
        (Wanted){.warp = G_MAXUINT32, .lane = G_MAXUINT32, .sm = G_MAXUINT32, .slot = G_MAXUINT32};
    for (char **word = line->words; *word != NULL; word += 2) {
        gint choice = ws_command_line_choice("focus", *word, names, error);
        gint64 number;

        if (choice < 0)
            return FALSE;
        if (word[1] == NULL) {
            ws_set_error(error, WS_ERROR_USAGE, "focus: %s of what number?", names[choice]);
            return FALSE;
        }
        if (choice == 0 || choice == 1) {
            *(choice == 0 ? &ret->has_block : &ret->has_thread) = TRUE;
            if (!read_coordinates(word[1], choice == 0 ? ret->block : ret->thread, error))
                return FALSE;
            continue;
        }
        if (!ws_command_line_number(word[1], &number, error))
            return FALSE;
        *numbers[choice] = (guint32)CLAMP(number, 0, G_MAXINT32);
    }
    return TRUE;
}

static gboolean has_size(const guint32 index[3], const guint32 size[3], const char *what,
                         GError **error)
{
    for (guint i = 0; i < 3; i++)
        if (index[i] >= size[i]) {
            ws_set_error(error, WS_ERROR_USAGE,
                         "there is no %s (%u,%u,%u): the sizes are (%u,%u,%u)", what, index[0],
                         index[1], index[2], size[0], size[1], size[2]);
            return FALSE;
        }
    return TRUE;
}

static guint32 linear(const guint32 index[3], const guint32 size[3])
{
    return index[0] + size[0] * (index[1] + size[1] * index[2]);
}

static gboolean find_software(const WsCommandLine *line, const Wanted *wanted, WsFocus *focus,
                              GError **error)
{
    const WsJob *job = ws_session_job(line->session);
    const WsLaunch *launch =
        &job->launches[ws_simulation_launch(ws_timeline_simulation(line->timeline))];
    guint32 size = (guint32)job->device->warp_size;
    guint32 threads = launch->block[0] * launch->block[1] * launch->block[2];

    if (wanted->has_block) {
        if (!has_size(wanted->block, launch->grid, "block", error))
            return FALSE;
        focus->block = linear(wanted->block, launch->grid);
    }
    if (wanted->has_thread) {
        guint32 thread = linear(wanted->thread, launch->block);

        if (!has_size(wanted->thread, launch->block, "thread", error))
            return FALSE;
        focus->warp = thread / size;
        focus->lane = thread % size;
    }
    if (wanted->warp != G_MAXUINT32)
        focus->warp = wanted->warp;
    if (wanted->lane != G_MAXUINT32)
        focus->lane = wanted->lane;
    if (focus->lane < size && focus->warp < (threads + size - 1) / size)
        return TRUE;
    ws_set_error(error, WS_ERROR_USAGE, "a block has %u warps of %u lanes here",
                 (threads + size - 1) / size, size);
    return FALSE;
}

static gboolean find_hardware(const WsCommandLine *line, const Wanted *wanted, WsFocus *focus,
                              GError **error)
{
    WsWarpPlace here = ws_session_place(line->session);
    guint32 number = wanted->sm != G_MAXUINT32 ? wanted->sm : here.sm != NULL ? here.sm->number : 0;
    const WsSm *sm = ws_timeline_sm(line->timeline, number);
    guint32 slot = wanted->slot;

    if (sm == NULL || sm->state->resident == 0) {
        ws_set_error(error, WS_ERROR_USAGE, "SM %u has no warps at this cycle", number);
        return FALSE;
    }
    if (slot == G_MAXUINT32)
        slot = (guint32)__builtin_ctzll(sm->state->resident);
    if (slot >= 64 || !(sm->state->resident >> slot & 1)) {
        ws_set_error(error, WS_ERROR_USAGE, "slot %u of SM %u has no warp at this cycle", slot,
                     number);
        return FALSE;
    }
    *focus = ws_focus_of(sm, slot);
    if (wanted->lane != G_MAXUINT32)
        focus->lane = MIN(wanted->lane, sm->context->decoded->warp_size - 1);
    return TRUE;
}

gboolean ws_command_line_focus(WsCommandLine *line, GError **error)
{
    WsFocus focus = *ws_session_focus(line->session);
    Wanted wanted;
    gboolean ok;

    if (!read_wanted(line, &wanted, error))
        return FALSE;
    if (wanted.sm != G_MAXUINT32 || wanted.slot != G_MAXUINT32)
        ok = find_hardware(line, &wanted, &focus, error);
    else
        ok = find_software(line, &wanted, &focus, error);
    if (!ok)
        return FALSE;
    *ws_session_focus(line->session) = focus;
    ws_report_where(line->interpreter, line->out);
    return TRUE;
}
