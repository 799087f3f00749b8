/* Both sides of an #if are read, each as if it alone was there. */
#include "isa/source/scan_frames.h"

enum { MAX_CONDITIONALS = 64, MAX_COPIED = 1 << 26 };

static GArray *copy_frames(Scanner *scanner)
{
    scanner->copied += (gsize)scanner->frames->len * sizeof(Frame);
    scanner->given_up |= scanner->copied > MAX_COPIED;
    return g_array_copy(scanner->frames);
}

static void take_frames(Scanner *scanner, GArray *frames)
{
    g_array_unref(scanner->frames);
    scanner->frames = frames;
    g_array_set_size(scanner->ternaries, 0);
    scanner->muted = 0;
    for (guint i = 0; i < frames->len; i++)
        scanner->muted += g_array_index(frames, Frame, i).macro;
}

gboolean ws_scan_skips(const Scanner *scanner)
{
    GArray *all = scanner->conditionals;
    return all->len > 0 && g_array_index(all, Conditional, all->len - 1).skip;
}

static void begin_conditional(Scanner *scanner, gboolean never)
{
    Conditional conditional = {.skip = never || ws_scan_skips(scanner)};
    scanner->given_up |= scanner->conditionals->len >= MAX_CONDITIONALS;
    if (scanner->given_up)
        return;
    conditional.at_start = copy_frames(scanner);
    g_array_append_val(scanner->conditionals, conditional);
}

static gboolean outer_skips(const Scanner *scanner)
{
    GArray *all = scanner->conditionals;
    return all->len > 1 && g_array_index(all, Conditional, all->len - 2).skip;
}

static void other_side(Scanner *scanner)
{
    GArray *all = scanner->conditionals;
    if (all->len == 0)
        return;
    Conditional *last = &g_array_index(all, Conditional, all->len - 1);
    if (last->first == NULL && !last->skip)
        last->first = copy_frames(scanner);
    last->skip = outer_skips(scanner);
    take_frames(scanner, g_array_copy(last->at_start));
}

static void end_conditional(Scanner *scanner)
{
    GArray *all = scanner->conditionals;
    if (all->len == 0)
        return;
    Conditional last = g_array_index(all, Conditional, all->len - 1);
    g_array_set_size(all, all->len - 1);
    if (last.first != NULL)
        take_frames(scanner, last.first);
    else if (last.skip)
        take_frames(scanner, g_array_ref(last.at_start));
    g_array_unref(last.at_start);
}

void ws_scan_directive(Scanner *scanner, const WsSourceToken *token)
{
    WsSourceReader reader;
    WsSourceToken word, next;
    ws_source_reader_init(&reader, token->text + 1, token->length - 1);
    if (!ws_source_next(&reader, &word))
        return;
    gboolean any = ws_source_next(&reader, &next);
    if (ws_source_is(&word, "if"))
        begin_conditional(scanner, any && next.length == 1 && *next.text == '0' &&
                                       !ws_source_next(&reader, &next));
    else if (ws_source_is(&word, "ifdef") || ws_source_is(&word, "ifndef"))
        begin_conditional(scanner, FALSE);
    else if (ws_source_is(&word, "else") || ws_source_is(&word, "elif"))
        other_side(scanner);
    else if (ws_source_is(&word, "endif"))
        end_conditional(scanner);
    else if (ws_source_is(&word, "line") || word.kind == WS_SOURCE_LITERAL)
        scanner->given_up = TRUE;
}
