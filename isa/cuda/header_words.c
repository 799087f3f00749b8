#include "isa/cuda/header_words.h"

#include "isa/cuda/comment.h"

static gboolean is_word(char c)
{
    return g_ascii_isalnum(c) || c == '_' || c == '$' || (guchar)c >= 0x80;
}

/*
 * `quote`: the quotation mark of the literal that the text is in, or NUL. One that is not closed
 * (`#error don't`) ends with its line.
 */
static char quote_behind(char quote, const char *at)
{
    if (quote == '\0')
        return *at == '"' || *at == '\'' ? *at : '\0';
    return *at == quote || *at == '\n' ? '\0' : quote;
}

void ws_header_words(const char *text, gsize length, GHashTable *words)
{
    const char *end = text + length;
    char quote = '\0';
    for (const char *at = text; at < end;) {
        const char *behind = quote == '\0' ? ws_skip_comment(at, end) : at;
        if (behind != at) {
            at = behind;
            continue;
        }
        while (behind < end && is_word(*behind))
            behind++;
        if (behind != at) {
            if (!g_ascii_isdigit(*at))
                g_hash_table_add(words, g_strndup(at, (gsize)(behind - at)));
            at = behind;
            /* 1'000'000 has no literals. */
            if (at < end && *at == '\'' && quote == '\0' && g_ascii_isdigit(at[-1]))
                at++;
            continue;
        }
        if (quote != '\0' && *at == '\\' && end - at > 1 && at[1] != '\n') {
            at += 2;
            continue;
        }
        quote = quote_behind(quote, at++);
    }
}
