/* `info warps` and `info sub-cores`. */
#include <string.h>

#include "inspect/commands/private.h"
#include "inspect/session/choices.h"

enum { WIDTH = 100 /* columns of a row */, SLOT_WIDTH = 31 /* of them, which warp it is */ };

/* Which warps are wanted: what is not given is G_MAXUINT32. */
typedef struct {
    gboolean all;
    guint32 sm, block, sub_core;
    guint stall; /* WS_STALL_COUNT = any */
} Filter;

static gboolean read_filter(const WsCommandLine *line, Filter *ret, GError **error)
{
    const char *names[4 + WS_STALL_COUNT + 1] = {"all", "sm", "block", "sub-core"};
    guint32 *const numbers[] = {NULL, &ret->sm, &ret->block, &ret->sub_core};

    *ret = (Filter){
        .sm = G_MAXUINT32, .block = G_MAXUINT32, .sub_core = G_MAXUINT32, .stall = WS_STALL_COUNT};
    for (guint i = 0; i < WS_STALL_COUNT; i++)
        names[4 + i] = ws_stall_name((WsStall)i);
    for (char **word = line->words; *word != NULL; word++) {
        gint choice = ws_command_line_choice("info warps", *word, names, error);
        gint64 number;

        if (choice < 0)
            return FALSE;
        if (choice == 0) {
            ret->all = TRUE;
            continue;
        }
        if (choice >= 4) {
            ret->stall = (guint)choice - 4;
            continue;
        }
        if (word[1] == NULL || !ws_command_line_number(*++word, &number, error)) {
            if (error != NULL && *error == NULL)
                ws_set_error(error, WS_ERROR_USAGE, "info warps: %s of what number?",
                             names[choice]);
            return FALSE;
        }
        *numbers[choice] = (guint32)CLAMP(number, 0, G_MAXINT32);
    }
    return TRUE;
}

static gboolean passes(const Filter *filter, const WsSm *sm, guint32 slot, WsStall stall)
{
    const WsWarp *warp = &sm->state->warps[slot];

    return (filter->sm == G_MAXUINT32 || sm->number == filter->sm) &&
           (filter->block == G_MAXUINT32 ||
            sm->state->blocks[warp->block_slot].linear == filter->block) &&
           (filter->sub_core == G_MAXUINT32 || warp->sub_core == filter->sub_core) &&
           (filter->stall == WS_STALL_COUNT || stall == filter->stall);
}

/* What a row says beside which warp it is: rows that say the same are folded. */
static char *row_text(const WsCommandLine *line, const WsSm *sm, guint32 slot, WsStall stall)
{
    const WsProgram *program = ws_session_job(line->session)->program;
    const WsWarp *warp = &sm->state->warps[slot];
    guint32 pc = warp->state == WS_WARP_DRAIN ? warp->wait_pc : warp->path.pc;
    GString *row = g_string_new(NULL);
    char glyphs[WS_MAX_WARP_SIZE + 1];
    WsLaneStates states;

    ws_lane_states(sm, slot, &states);
    ws_lane_glyphs(&states, sm->context->decoded->warp_size, glyphs);
    g_string_printf(row, "%s %-18s %04x ", glyphs, ws_stall_name(stall),
                    ws_instruction_address(pc));
    ws_append_place(row, SLOT_WIDTH, program, pc);
    /* Still one line, and too long: there is no call, but a statement. */
    char *construct = strchr(row->str, '\n') == NULL && SLOT_WIDTH + row->len > WIDTH
                          ? strstr(row->str, " (")
                          : NULL;
    if (construct != NULL)
        *construct = '\0';
    return g_string_free(row, FALSE);
}

/* Rows of one SM under way. */
typedef struct {
    const WsSm *sm;
    char *text;       /* of the rows so far, or NULL */
    guint32 from, to; /* slots */
    guint32 count;
    gboolean focused;
} Fold;

static void flush(GString *out, Fold *fold)
{
    g_autofree char *slots = NULL;
    g_autofree char *block = NULL;
    const WsWarp *warp;

    if (fold->text == NULL)
        return;
    warp = &fold->sm->state->warps[fold->from];
    block = ws_block_name(fold->sm, fold->from);
    slots = fold->count == 1 ? g_strdup_printf("%u", fold->from)
                             : g_strdup_printf("%u..%u", fold->from, fold->to);
    g_string_append_printf(out, "%s %3u  %-6s", fold->focused ? "*" : " ", fold->sm->number, slots);
    if (fold->count == 1)
        g_string_append_printf(out, " %2u.%-2u %-11s", warp->sub_core, warp->warp_in_block, block);
    else
        g_string_append_printf(out, " %3u warps       ", fold->count);
    g_string_append_printf(out, "%s\n", fold->text);
    g_clear_pointer(&fold->text, g_free);
}

static void add_row(GString *out, Fold *fold, const WsSm *sm, guint32 slot, char *text,
                    gboolean focused)
{
    if (fold->text != NULL && fold->sm == sm && !fold->focused && !focused &&
        strcmp(fold->text, text) == 0) {
        fold->to = slot;
        fold->count++;
        g_free(text);
        return;
    }
    flush(out, fold);
    *fold =
        (Fold){.sm = sm, .text = text, .from = slot, .to = slot, .count = 1, .focused = focused};
}

gboolean ws_info_warps(WsCommandLine *line, GError **error)
{
    WsWarpPlace here = ws_session_place(line->session);
    Fold fold = {.text = NULL};
    Filter filter;
    guint32 count;
    WsSm *const *sms = ws_simulation_sms(ws_timeline_simulation(line->timeline), &count);

    if (!read_filter(line, &filter, error))
        return FALSE;
    if (!filter.all && filter.sm == G_MAXUINT32 && here.sm != NULL)
        filter.sm = here.sm->number;
    g_string_append_printf(line->out, "  %3s  %-6s %-5s %-11s%s\n", "sm", "slot", "core", "block",
                           "lanes");
    for (guint32 i = 0; i < count; i++)
        for (guint64 rest = sms[i]->state->resident; rest != 0; rest &= rest - 1) {
            guint32 slot = (guint32)__builtin_ctzll(rest);
            WsStall stall = ws_timeline_stall(line->timeline, sms[i], slot);

            if (passes(&filter, sms[i], slot, stall))
                add_row(line->out, &fold, sms[i], slot, row_text(line, sms[i], slot, stall),
                        sms[i] == here.sm && slot == here.slot);
        }
    flush(line->out, &fold);
    return TRUE;
}

/* ---- sub-cores ----------------------------------------------------------------------------------
 */

static void append_count(GString *out, const char **separator, guint count, const char *what)
{
    if (count == 0)
        return;
    g_string_append_printf(out, "%s%u %s", *separator, count, what);
    *separator = ", ";
}

/* What the warps of a sub-core do: "1 executing, 1 ready, 3 stalled: 3 long_scoreboard". */
static void append_reasons(GString *out, const WsTimeline *timeline, const WsSm *sm,
                           guint32 sub_core)
{
    guint counts[WS_STALL_COUNT] = {0};
    const char *separator = "    ";
    guint stalled = 0;

    for (guint64 rest = sm->state->resident; rest != 0; rest &= rest - 1) {
        guint32 slot = (guint32)__builtin_ctzll(rest);

        if (sm->state->warps[slot].sub_core == sub_core)
            counts[ws_timeline_stall(timeline, sm, slot)]++;
    }
    for (guint i = 0; i < WS_STALL_COUNT; i++)
        stalled += i == WS_STALL_SELECTED || i == WS_STALL_NOT_SELECTED ? 0 : counts[i];
    append_count(out, &separator, counts[WS_STALL_SELECTED], ws_stall_state(WS_STALL_SELECTED));
    append_count(out, &separator, counts[WS_STALL_NOT_SELECTED],
                 ws_stall_state(WS_STALL_NOT_SELECTED));
    append_count(out, &separator, stalled, "stalled");
    separator = stalled != 0 ? ": " : separator;
    for (guint i = WS_STALL_COUNT; i-- > 0;)
        if (i != WS_STALL_SELECTED && i != WS_STALL_NOT_SELECTED)
            append_count(out, &separator, counts[i], ws_stall_name((WsStall)i));
    if (*separator == ',')
        g_string_append_c(out, '\n');
}

/* Whom the scheduler takes in this cycle, and who could issue too. */
static void append_choice(GString *out, const WsJob *job, const WsTraceEvent *choice)
{
    guint64 others = choice->choice.eligible & ~((guint64)1 << choice->warp);
    g_autofree char *source = NULL, *text = NULL;

    if (choice->kind != WS_TRACE_CHOICE)
        return;
    source = ws_framed_place(job->program, choice->instruction);
    text = ws_plain_instruction_text(job->program, choice->instruction);
    g_string_append_printf(out, "    selects slot %u now: %s  %s", choice->warp, text, source);
    for (const char *separator = "; also eligible: "; others != 0; others &= others - 1) {
        g_string_append_printf(out, "%s%d", separator, __builtin_ctzll(others));
        separator = ", ";
    }
    g_string_append_c(out, '\n');
}

gboolean ws_info_sub_cores(WsCommandLine *line, GError **error)
{
    const WsProgram *program = ws_session_job(line->session)->program;
    WsTraceEvent choices[WS_MAX_SUB_CORES];
    WsWarpPlace here;

    if (!ws_command_line_place(line, &here, error) ||
        !ws_find_choices(line->timeline, here.sm->number, choices, error) ||
        !ws_command_line_place(line, &here, error))
        return FALSE;
    for (guint32 i = 0; i < here.sm->context->sub_cores; i++) {
        guint8 last = here.sm->state->sub_cores[i].view.last;
        guint32 slot = last != WS_NO_WARP ? ws_slot_of(here.sm, i, last) : 0;
        const WsWarp *warp = &here.sm->state->warps[slot];

        g_string_append_printf(line->out, "%s sub-core %u: ",
                               i == here.sm->state->warps[here.slot].sub_core ? "*" : " ", i);
        if (last == WS_NO_WARP || warp->last_issue == WS_NEVER) {
            g_string_append(line->out, "has issued nothing");
        } else {
            g_autofree char *source = ws_framed_place(program, warp->path.pc);

            g_string_append_printf(
                line->out, "issued last from slot %u, at %" G_GUINT64_FORMAT "; that is at %s now",
                slot, warp->last_issue, source);
        }
        g_string_append_c(line->out, '\n');
        append_choice(line->out, ws_session_job(line->session), &choices[i]);
        append_reasons(line->out, line->timeline, here.sm, i);
    }
    return TRUE;
}
