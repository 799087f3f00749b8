#include "isa/cuda/rewrite_launches.h"

#include "isa/cuda/comment.h"

#include <string.h>

static const char *skip_blanks(const char *at, const char *end)
{
    while (at < end && g_ascii_isspace(*at))
        at++;
    return at;
}

/* Behind three of `bracket`, or NULL. The first two are together in no other place: `a < < b`. */
static const char *three(const char *at, const char *end, char bracket)
{
    if (end - at < 3 || at[0] != bracket || at[1] != bracket)
        return NULL;
    at = skip_blanks(at + 2, end);
    return at < end && *at == bracket ? at + 1 : NULL;
}

/* The bracket that closes the launch whose configuration begins at `at`, or NULL. */
static const char *find_close(const char *at, const char *end)
{
    const char *start = at;
    int depth = 0;
    while (at < end && *at != ';') {
        const char *behind = ws_skip_comment_or_literal(start, at, end);
        if (behind != at) {
            at = behind;
            continue;
        }
        const char *close = depth == 0 ? three(at, end, '>') : NULL;
        if (close != NULL && (close = skip_blanks(close, end)) < end && *close == '(')
            return at;
        depth += (*at == '(') - (*at == ')');
        at++;
    }
    return NULL;
}

/* The third bracket comes up to the first two, what was between them behind it. */
static gboolean close_up(char *at, const char *end, char bracket)
{
    const char *behind = three(at, end, bracket);
    const gsize blanks = (gsize)(behind - at) - 3;
    memmove(at + 3, at + 2, blanks);
    at[2] = bracket;
    return blanks > 0;
}

/* As all texts of sources, it has a NUL behind it. */
static char *copy(const char *text, gsize length)
{
    char *result = g_malloc(length + 1);
    memcpy(result, text, length);
    result[length] = '\0';
    return result;
}

GBytes *ws_cuda_rewrite_launches(GBytes *text)
{
    gsize length;
    const char *given = g_bytes_get_data(text, &length);
    const char *end = given + length;
    g_autofree char *mended = NULL;
    gboolean changed = FALSE;
    for (const char *at = given; at < end;) {
        const char *behind = ws_skip_comment_or_literal(given, at, end);
        if (behind == at && (behind = three(at, end, '<')) != NULL) {
            const char *close = find_close(behind, end);
            if (close != NULL) {
                if (mended == NULL)
                    mended = copy(given, length);
                changed |= close_up(mended + (at - given), mended + length, '<');
                changed |= close_up(mended + (close - given), mended + length, '>');
            }
        }
        at = behind == NULL || behind == at ? at + 1 : behind;
    }
    if (!changed)
        return g_bytes_ref(text);
    return g_bytes_new_take(g_steal_pointer(&mended), length);
}
