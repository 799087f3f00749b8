#include <string.h>

#include "inspect/commands/private.h"
#include "isa/text/disassembler.h"
#include "sim/base/call_frames.h"
#include "sim/base/instruction_place.h"
#include "sim/report/line_profile.h"

gboolean ws_command_line_check(const WsCommandLine *line, guint most, GError **error)
{
    if (g_strv_length(line->words) <= most)
        return TRUE;
    ws_set_error(error, WS_ERROR_USAGE, "%s: '%s' is too much (help %s)", line->name,
                 line->words[most], line->name);
    return FALSE;
}

gboolean ws_command_line_number(const char *word, gint64 *ret, GError **error)
{
    const char *digits = *word == '+' || *word == '-' ? word + 1 : word;
    char *end;

    *ret = g_ascii_strtoll(word, &end, g_str_has_prefix(digits, "0x") ? 16 : 10);
    if (g_ascii_isdigit(*digits) && *end == '\0' && *ret != G_MAXINT64 && *ret != G_MININT64)
        return TRUE;
    ws_set_error(error, WS_ERROR_USAGE, "'%s': a whole number is expected", word);
    return FALSE;
}

gint ws_command_line_choice(const char *what, const char *word, const char *const *names,
                            GError **error)
{
    g_autofree char *all = g_strjoinv(", ", (char **)names);
    gint found = -1;

    for (guint i = 0; names[i] != NULL; i++) {
        if (strcmp(names[i], word) == 0)
            return (gint)i;
        if (g_str_has_prefix(names[i], word))
            found = found == -1 ? (gint)i : -2;
    }
    if (found >= 0)
        return found;
    ws_set_error(error, WS_ERROR_USAGE, "%s: '%s' is not one of %s", what, word, all);
    return -1;
}

gboolean ws_command_line_place(const WsCommandLine *line, WsWarpPlace *ret, GError **error)
{
    const WsFocus *focus = ws_session_focus(line->session);

    *ret = ws_session_place(line->session);
    if (ret->sm != NULL)
        return TRUE;
    ws_set_error(error, WS_ERROR_USAGE,
                 "block %u warp %u is not resident at cycle %" G_GUINT64_FORMAT
                 ": it has not started, or has ended",
                 focus->block, focus->warp, ws_timeline_cycle(line->timeline));
    return FALSE;
}

char *ws_source_place(const WsProgram *program, guint32 pc)
{
    g_autofree char *base = NULL, *construct = NULL;
    guint32 file, line;

    ws_line_of_instruction(program, pc, &file, &line);
    if (line == 0)
        return g_strdup_printf("instruction %u", pc);
    base = g_path_get_basename(program->files[file]);
    construct = ws_program_construct_text(program, pc);
    if (construct != NULL)
        return g_strdup_printf("%s:%u (%s)", base, line, construct);
    return g_strdup_printf("%s:%u", base, line);
}

char *ws_framed_place(const WsProgram *program, guint32 pc)
{
    g_autofree char *place = ws_source_place(program, pc);

    return ws_place_with_frames(program, pc, place);
}

void ws_append_place(GString *row, gsize before, const WsProgram *program, guint32 pc)
{
    enum { WIDTH = 100, INDENT = 4 };
    g_autofree char *place = ws_framed_place(program, pc);
    g_auto(GStrv) calls = g_strsplit(place, ", called", -1);
    g_autofree char *folded = g_strjoinv(",\n    called", calls);
    gsize column = before + (gsize)g_utf8_strlen(row->str, -1);
    gsize whole = (gsize)g_utf8_strlen(place, -1), first = (gsize)g_utf8_strlen(calls[0], -1);

    if (calls[1] == NULL || column + whole <= WIDTH) {
        g_string_append(row, place);
    } else if (column + first < WIDTH) {
        g_string_append(row, folded);
    } else {
        g_string_truncate(row, strlen(g_strchomp(row->str)));
        g_string_append_printf(row, "\n    %s", INDENT + whole <= WIDTH ? place : folded);
    }
}

void ws_append_framed(GString *out, const char *row, const WsProgram *program, guint32 pc)
{
    g_autoptr(GString) whole = g_string_new(row);

    ws_append_place(whole, 0, program, pc);
    g_string_append_printf(out, "%s\n", whole->str);
}

char *ws_written_line(const WsJob *job, guint32 file, guint32 line)
{
    enum { TAB = 4 };
    const char *at = job->sources[file], *end;
    g_autoptr(GString) text = g_string_new(NULL);

    for (guint32 i = 1; at != NULL && i < line; i++) {
        at = strchr(at, '\n');
        at = at != NULL ? at + 1 : NULL;
    }
    if (at == NULL || *at == '\0')
        return NULL;
    end = strchr(at, '\n');
    for (; *at == ' ' || *at == '\t'; at++)
        g_string_append_printf(text, "%*s", *at == '\t' ? TAB : 1, "");
    g_string_append_len(text, at, end != NULL ? end - at : (gssize)strlen(at));
    g_strchomp(text->str);
    return g_strdup(text->str);
}

char *ws_plain_instruction_text(const WsProgram *program, guint32 pc)
{
    WsInstruction instruction = program->instructions[pc];
    g_autofree char *text = NULL;
    char *control;

    text = ws_instruction_to_text(&instruction, NULL);
    control = strstr(text, " {");
    if (control != NULL)
        *control = '\0';
    return g_steal_pointer(&text);
}

char *ws_block_name(const WsSm *sm, guint32 slot)
{
    const guint32 *index = sm->state->blocks[sm->state->warps[slot].block_slot].index;

    return g_strdup_printf("(%u,%u,%u)", index[0], index[1], index[2]);
}
