#include "isa/cuda/include_names.h"

#include "isa/base/byte_order_mark.h"

#include <limits.h>
#include <string.h>

/* The end of the line that begins at `at`, which a backslash at its end makes longer. */
static const char *line_end(const char *at, const char *end)
{
    for (;;) {
        const char *found = memchr(at, '\n', (gsize)(end - at));
        if (found == NULL)
            return end;
        const char *before = found;
        if (before > at && before[-1] == '\r')
            before--;
        if (before == at || before[-1] != '\\')
            return found;
        at = found + 1;
    }
}

static const char *skip_blanks(const char *at, const char *end)
{
    while (at < end && (*at == ' ' || *at == '\t' || *at == '\f' || *at == '\v'))
        at++;
    return at;
}

static gboolean is_directive(const char *at, const char *end)
{
    at = skip_blanks(at, end);
    return at < end && (*at == '#' || (*at == '%' && at + 1 < end && at[1] == ':'));
}

static void names_of_line(const char *begin, const char *at, const char *end, guint32 line,
                          void (*found)(const WsIncludeName *name, gpointer data), gpointer data)
{
    while (at < end) {
        char close = *at == '"' ? '"' : *at == '<' ? '>' : '\0';
        gsize longest = MIN((gsize)(end - at - 1), PATH_MAX);
        const char *behind = close == '\0' ? NULL : memchr(at + 1, close, longest);
        /* In `#if A < B && __has_include(<C>)` the last bracket opens the name. */
        if (behind == NULL || (close == '>' && memchr(at + 1, '<', (gsize)(behind - at)) != NULL)) {
            at++;
            continue;
        }
        g_autofree char *name = g_strndup(at + 1, (gsize)(behind - at - 1));
        if (name[0] != '\0')
            found(&(WsIncludeName){.name = name,
                                   .quoted = close == '"',
                                   .line = line,
                                   .column = (guint32)(at - begin) + 1},
                  data);
        at = behind + 1;
    }
}

void ws_cuda_include_names(const char *text, gsize length,
                           void (*found)(const WsIncludeName *name, gpointer data), gpointer data)
{
    static const char asks[] = "__has_include";
    const char *end = text + length;
    guint32 line = 1;
    for (const char *at = text + ws_byte_order_mark(text, length); at < end;) {
        const char *stop = line_end(at, end);
        const char *from = is_directive(at, stop) ? at : NULL;
        if (from == NULL)
            from = g_strstr_len(at, stop - at, asks);
        if (from != NULL)
            names_of_line(at, from, stop, line, found, data);
        for (const char *c = at; c < stop; c++)
            line += *c == '\n'; /* behind a backslash */
        line++;
        at = stop + 1;
    }
}
