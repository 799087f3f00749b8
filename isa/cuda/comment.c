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
