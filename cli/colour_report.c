#include "cli/colour_report.h"

#include "cli/command.h"
#include "cli/terminal.h"

#include <string.h>

/* Words at the beginning of a line, behind blanks, that take a style: the word, or the whole line.
 */
static const struct {
    const char *word;
    WsStyle style;
    gboolean line;
} words[] = {
    {"passed", WS_STYLE_PASSED, FALSE},
    {"FAILED", WS_STYLE_FAILED, FALSE},
    {"status", WS_STYLE_FAILED, TRUE},
    {"In short", WS_STYLE_HEADING, FALSE},
};

/* At the left edge, and first in the text or above lines that are not: "Memory". */
static gboolean is_heading(char *const *lines, guint index)
{
    const char *line = lines[index], *next = lines[index + 1];

    return line[0] != '\0' && line[0] != ' ' &&
           (index == 0 || (lines[index - 1][0] == '\0' && next != NULL && next[0] == ' '));
}

/*
 * "  kernel.cu:27        30.4 % ...", a row of the table of source lines: the share, and where it
 * stands.
 */
static gboolean find_share(const char *line, const char **ret_from, const char **ret_to,
                           double *ret_share)
{
    gsize place = strcspn(line + strspn(line, " "), " ");
    const char *colon = memchr(line, ':', strspn(line, " ") + place);
    const char *from = line + strspn(line, " ") + place;
    char *end;

    if (line[0] != ' ' || colon == NULL || !g_ascii_isdigit(colon[1]))
        return FALSE;
    from += strspn(from, " ");
    double value = g_ascii_strtod(from, &end);
    if (end == from || !g_str_has_prefix(end, " %"))
        return FALSE;
    *ret_from = from;
    *ret_to = end + strlen(" %");
    *ret_share = value / 100;
    return TRUE;
}

static void append_styled(GString *out, WsStyle style, const char *from, const char *to)
{
    g_string_append(out, ws_style_begin(style, TRUE));
    g_string_append_len(out, from, to - from);
    g_string_append(out, ws_style_end(style, TRUE));
}

static void append_line(GString *out, const char *line)
{
    const char *text = line + strspn(line, " "), *from = line, *to = line;
    WsStyle style = WS_STYLE_PLAIN;
    double share;

    for (gsize i = 0; i < G_N_ELEMENTS(words); i++) {
        gsize length = strlen(words[i].word);
        if (!g_str_has_prefix(text, words[i].word) || strchr(" :", text[length]) == NULL)
            continue;
        style = words[i].style;
        from = text;
        to = words[i].line ? text + strlen(text) : text + length;
    }
    if (style == WS_STYLE_PLAIN && find_share(line, &from, &to, &share))
        style = ws_style_of_share(share);
    g_string_append_len(out, line, from - line);
    append_styled(out, style, from, to);
    g_string_append(out, to);
}

/*
 * A copy of `text` in which headings, what passed and FAILED, the status of a run that stopped
 * early and the shares of hot source lines are coloured. Without the sequences it is `text`. Free
 * with g_free.
 */
static char *colour_text(const char *text)
{
    GString *out = g_string_new(NULL);
    g_auto(GStrv) lines = g_strsplit(text, "\n", -1);

    for (guint i = 0; lines[i] != NULL; i++) {
        if (is_heading(lines, i) && !g_str_has_prefix(lines[i], "In short:"))
            append_styled(out, WS_STYLE_HEADING, lines[i], lines[i] + strlen(lines[i]));
        else
            append_line(out, lines[i]);
        if (lines[i + 1] != NULL)
            g_string_append_c(out, '\n');
    }
    return g_string_free(out, FALSE);
}

void ws_put_report(const char *text)
{
    g_autofree char *coloured = ws_terminal_colour(stdout) ? colour_text(text) : g_strdup(text);

    ws_put(coloured);
}
