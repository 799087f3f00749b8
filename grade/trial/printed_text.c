#include "grade/trial/printed_text.h"

#include "isa/base/error.h"

#include <math.h>
#include <string.h>

enum { MOST_LETTERS = 200 };

/* Without blanks at the ends of lines, and without empty lines at the end. */
static char **lines_of(GBytes *text)
{
    gsize length;
    const char *bytes = g_bytes_get_data(text, &length);
    g_autofree char *valid = g_utf8_make_valid(bytes != NULL ? bytes : "", (gssize)length);
    char **lines = g_strsplit(valid, "\n", -1);
    guint count = g_strv_length(lines);
    for (guint i = 0; i < count; i++)
        g_strchomp(lines[i]);
    while (count > 0 && *lines[count - 1] == '\0')
        g_clear_pointer(&lines[--count], g_free);
    return lines;
}

static gboolean read_number(const char *word, double *ret)
{
    char *end;
    *ret = g_ascii_strtod(word, &end);
    return *word != '\0' && *end == '\0';
}

static gboolean words_agree(const WsProgramRun *run, const char *expected, const char *actual)
{
    double e, a;
    if (strcmp(expected, actual) == 0)
        return TRUE;
    if (!read_number(expected, &e) || !read_number(actual, &a))
        return FALSE;
    return a == e || fabs(a - e) <= run->absolute + run->relative * fabs(e);
}

/* The next word, and where it ends; "" at the end of the line. */
static char *next_word(const char **at)
{
    static const char blanks[] = " \t\r\v\f";
    *at += strspn(*at, blanks);
    const gsize length = strcspn(*at, blanks);
    char *word = g_strndup(*at, length);
    *at += length;
    return word;
}

static gboolean lines_agree(const WsProgramRun *run, const char *expected, const char *actual)
{
    if (!run->numbers)
        return strcmp(expected, actual) == 0;
    for (;;) {
        g_autofree char *e = next_word(&expected), *a = next_word(&actual);
        if (!words_agree(run, e, a))
            return FALSE;
        if (*e == '\0')
            return TRUE;
    }
}

/* In one line, and not too long. */
static char *shown(const char *line)
{
    g_autofree char *start = g_utf8_substring(line, 0, MIN(g_utf8_strlen(line, -1), MOST_LETTERS));
    g_autofree char *text = ws_printable(start);
    return g_strconcat(text, strlen(start) < strlen(line) ? " ..." : "", NULL);
}

gboolean ws_printed_text_agrees(const WsProgramRun *run, GBytes *expected, GBytes *actual,
                                WsPrintedDifference *ret)
{
    g_auto(GStrv) e = lines_of(expected), a = lines_of(actual);
    guint i = 0;
    while (e[i] != NULL && a[i] != NULL && lines_agree(run, e[i], a[i]))
        i++;
    if (e[i] == NULL && a[i] == NULL)
        return TRUE;
    *ret = (WsPrintedDifference){.line = i + 1,
                                 .expected = e[i] == NULL ? NULL : shown(e[i]),
                                 .actual = a[i] == NULL ? NULL : shown(a[i])};
    return FALSE;
}

GPtrArray *ws_printed_text_end(GBytes *text, guint most)
{
    GPtrArray *end = g_ptr_array_new_with_free_func(g_free);
    g_auto(GStrv) lines = lines_of(text);
    const guint count = g_strv_length(lines);
    for (guint i = count - MIN(count, most); i < count; i++)
        g_ptr_array_add(end, shown(lines[i]));
    return end;
}
