#include "grade/judge/source_words.h"

#include <string.h>

/* Lines that a backslash joins become one, as the first thing a compiler does. */
static GString *join_lines(const char *text, gsize length)
{
    GString *joined = g_string_sized_new(length);
    for (gsize i = 0; i < length; i++) {
        gsize end = i + 1;
        if (text[i] == '\\' && end < length && text[end] == '\r')
            end++;
        if (text[i] == '\\' && end < length && text[end] == '\n') {
            i = end;
            continue;
        }
        g_string_append_c(joined, text[i] == '\0' ? ' ' : text[i]);
    }
    return joined;
}

/* Behind the comment or text in quotes that begins at `at`; `at` itself if none does. */
static const char *skip_opaque(const char *at)
{
    if (at[0] == '/' && at[1] == '/')
        return at + strcspn(at, "\n");
    if (at[0] == '/' && at[1] == '*') {
        const char *end = strstr(at + 2, "*/");
        return end == NULL ? at + strlen(at) : end + 2;
    }
    if (at[0] != '"' && at[0] != '\'')
        return at;
    const char *end = at + 1;
    while (*end != '\0' && *end != '\n' && *end != at[0])
        end += end[0] == '\\' && end[1] != '\0' ? 2 : 1;
    return *end == at[0] ? end + 1 : end;
}

static gboolean in_name(char c)
{
    return g_ascii_isalnum(c) || c == '_';
}

GHashTable *ws_source_words(const char *text, gsize length)
{
    GHashTable *words = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    g_autoptr(GString) joined = join_lines(text, length);
    for (const char *at = joined->str; *at != '\0';) {
        const char *behind = skip_opaque(at);
        if (behind != at) {
            at = behind;
        } else if (in_name(*at)) {
            const char *start = at;
            while (in_name(*at))
                at++;
            g_hash_table_add(words, g_strndup(start, (gsize)(at - start)));
        } else {
            at++;
        }
    }
    return words;
}
