#include "isa/cuda/comment.h"

#include <glib.h>

const char *ws_skip_comment(const char *at, const char *end)
{
    if (end - at < 2 || at[0] != '/')
        return at;
    if (at[1] == '/') {
        while (at < end && *at != '\n')
            at += *at == '\\' && end - at > 1 ? 2 : 1;
        return MIN(at, end);
    }
    if (at[1] != '*')
        return at;
    const char *close = g_strstr_len(at + 2, end - at - 2, "*/");
    return close == NULL ? end : close + 2;
}

const char *ws_skip_comment_or_literal(const char *start, const char *at, const char *end)
{
    const char *comment_end = ws_skip_comment(at, end);
    if (comment_end != at)
        return comment_end;
    if (*at != '"' && (*at != '\'' || (at > start && g_ascii_isxdigit(at[-1]))))
        return at;
    const char quote = *at;
    const char *behind = at + 1;
    while (behind < end && *behind != quote && *behind != '\n')
        behind += *behind == '\\' && end - behind > 1 ? 2 : 1;
    return behind < end ? behind + 1 : end;
}
