#include "isa/ptx/replace.h"

void ws_ptx_put_guard(GString *out, const char *guard)
{
    if (guard == NULL || *guard == '\0')
        return;
    const gboolean negated = guard[1] == '!';
    g_string_append_printf(out, " @%s%s bra WS_END;", negated ? "" : "!", guard + 1 + negated);
}

void ws_ptx_put_end(GString *out, const char *guard)
{
    g_string_append(out, guard != NULL && *guard != '\0' ? " WS_END: }" : " }");
}

/* The lines of what is replaced. */
static void put_lines(GString *out, const char *from, const char *to)
{
    for (; from < to; from++)
        if (*from == '\n')
            g_string_append_c(out, '\n');
}

char *ws_ptx_replace(const char *text, gsize length, const GRegex *pattern, WsPtxReplacer put)
{
    GString *out = g_string_sized_new(length);
    g_autoptr(GMatchInfo) match = NULL;
    const char *from = text;
    g_regex_match_full(pattern, text, (gssize)length, 0, 0, &match, NULL);
    for (; g_match_info_matches(match); g_match_info_next(match, NULL)) {
        gint start, end;
        g_match_info_fetch_pos(match, 0, &start, &end);
        g_string_append_len(out, from, text + start - from);
        if (put(out, match))
            put_lines(out, text + start, text + end);
        else
            g_string_append_len(out, text + start, end - start);
        from = text + end;
    }
    g_string_append_len(out, from, text + length - from);
    return g_string_free(out, FALSE);
}
