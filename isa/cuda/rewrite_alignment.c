#include "isa/cuda/rewrite_alignment.h"

#include "isa/cuda/comment.h"

#include <string.h>

/* Specifiers in front of an alignas(...), from the first of them on. */
typedef struct {
    gsize begin;
    gboolean any, space; /* a memory space is among them */
} Specifiers;

static gboolean is_word(char c)
{
    return g_ascii_isalnum(c) || c == '_';
}

static gboolean is_one_of(const char *word, gsize length, const char *const *names)
{
    for (; *names != NULL; names++)
        if (strlen(*names) == length && memcmp(*names, word, length) == 0)
            return TRUE;
    return FALSE;
}

/* Behind the bracket that closes the one at `at`, or NULL. */
static const char *behind_brackets(const char *start, const char *at, const char *end)
{
    int depth = 0;
    while (at < end) {
        const char *behind = ws_skip_comment_or_literal(start, at, end);
        if (behind != at) {
            at = behind;
            continue;
        }
        depth += (*at == '(') - (*at == ')');
        at++;
        if (depth == 0)
            return at;
    }
    return NULL;
}

/* Behind `alignas(...)` whose word ends at `at`, or NULL. */
static const char *behind_alignas(const char *start, const char *at, const char *end)
{
    while (at < end && g_ascii_isspace(*at))
        at++;
    return at < end && *at == '(' ? behind_brackets(start, at, end) : NULL;
}

/* The bytes from `middle` to `end` come in front of those from `begin` to `middle`. */
static void turn(char *text, gsize begin, gsize middle, gsize end)
{
    g_autofree char *front = g_memdup2(text + begin, middle - begin);
    memmove(text + begin, text + middle, end - middle);
    memcpy(text + begin + (end - middle), front, middle - begin);
}

/* The word from `at` to `behind`. Returns behind what has been done with. */
static const char *take_word(const char *given, const char *at, const char *behind, const char *end,
                             Specifiers *specifiers, char **mended)
{
    static const char *const spaces[] = {"__shared__", "__device__", "__constant__", NULL};
    static const char *const others[] = {"extern", "static", "const", "volatile", "inline", NULL};
    const gsize length = (gsize)(behind - at), whole = (gsize)(end - given);
    if (length == 7 && memcmp(at, "alignas", 7) == 0) {
        const char *close = behind_alignas(given, behind, end);
        if (close == NULL || !specifiers->space) {
            *specifiers = (Specifiers){0};
            return behind;
        }
        if (*mended == NULL) {
            *mended = g_malloc0(whole + 1); /* as all texts of sources, it has a NUL behind it */
            memcpy(*mended, given, whole);
        }
        turn(*mended, specifiers->begin, (gsize)(at - given), (gsize)(close - given));
        specifiers->begin += (gsize)(close - at);
        return close;
    }
    const gboolean space = is_one_of(at, length, spaces);
    if (!space && !is_one_of(at, length, others)) {
        *specifiers = (Specifiers){0};
        return behind;
    }
    if (!specifiers->any)
        specifiers->begin = (gsize)(at - given);
    specifiers->any = TRUE;
    specifiers->space |= space;
    return behind;
}

GBytes *ws_cuda_rewrite_alignment(GBytes *text)
{
    gsize length;
    const char *given = g_bytes_get_data(text, &length);
    const char *end = given + length;
    char *mended = NULL;
    Specifiers specifiers = {0};
    if (g_strstr_len(given, (gssize)length, "alignas") == NULL)
        return g_bytes_ref(text);
    for (const char *at = given; at < end;) {
        const char *behind = ws_skip_comment_or_literal(given, at, end);
        if (behind == at && is_word(*at)) {
            while (behind < end && is_word(*behind))
                behind++;
            behind = take_word(given, at, behind, end, &specifiers, &mended);
        } else if (behind == at) {
            if (!g_ascii_isspace(*at))
                specifiers = (Specifiers){0};
            behind = at + 1;
        }
        at = behind;
    }
    return mended == NULL ? g_bytes_ref(text) : g_bytes_new_take(mended, length);
}
