#include "isa/debug/assigned_names.h"

#include <string.h>

static gboolean is_name_part(char c)
{
    return g_ascii_isalnum(c) || c == '_';
}

static const char *skip_blanks(const char *at, const char *end)
{
    while (at < end && g_ascii_isspace(*at))
        at++;
    return at;
}

/* Over "[...]", with brackets in it. */
static const char *skip_index(const char *at, const char *end)
{
    guint depth = 0;
    do {
        depth += *at == '[';
        depth -= *at == ']';
        at++;
    } while (at < end && depth > 0);
    return at;
}

/* Over members and elements. */
static const char *skip_parts(const char *at, const char *end)
{
    for (;;) {
        at = skip_blanks(at, end);
        if (at < end && *at == '[') {
            at = skip_index(at, end);
        } else if (at < end && *at == '.') {
            at = skip_blanks(at + 1, end);
            while (at < end && is_name_part(*at))
                at++;
        } else {
            return at;
        }
    }
}

/* "=", "+=", "<<=", "++", "(" and the like; not "==" and "<=". */
static gboolean assigns(const char *at, const char *end)
{
    const gsize left = (gsize)(end - at);
    if (left < 2)
        return FALSE;
    if (*at == '(' || strncmp(at, "++", 2) == 0 || strncmp(at, "--", 2) == 0)
        return TRUE;
    if (*at == '=')
        return at[1] != '=';
    if (left > 2 && (strncmp(at, "<<", 2) == 0 || strncmp(at, ">>", 2) == 0))
        return at[2] == '=';
    return strchr("+-*/%&|^", *at) != NULL && at[1] == '=';
}

/* What stands in front: "++", "--" or "&", but not "&&". */
static gboolean is_taken(const char *begin, const char *name)
{
    while (name > begin && (g_ascii_isspace(name[-1]) || name[-1] == '('))
        name--;
    if (name - begin < 2)
        return FALSE;
    return strncmp(name - 2, "++", 2) == 0 || strncmp(name - 2, "--", 2) == 0 ||
           (name[-1] == '&' && name[-2] != '&');
}

/* A pointer is written through: that does not assign it. */
static gboolean is_assigned_at(const char *begin, const char *at, const char *end, gsize length)
{
    const char *direct = skip_blanks(at + length, end);
    const gboolean indexed = direct < end && *direct == '[';
    return is_taken(begin, at) || (!indexed && assigns(skip_parts(direct, end), end));
}

static const char *find_line(const char *text, guint32 line)
{
    for (guint32 n = 1; n < line && text != NULL; n++) {
        text = strchr(text, '\n');
        text = text == NULL ? NULL : text + 1;
    }
    return text;
}

static gboolean is_name_at(const char *begin, const char *at, gsize length)
{
    return (at == begin || !is_name_part(at[-1])) && !is_name_part(at[length]);
}

void ws_name_assigned_lines(const char *text, guint32 line, const char *name, GArray *ret_lines)
{
    const gsize length = strlen(name);
    text = find_line(text, line);
    if (text == NULL)
        return;
    const char *end = strstr(text, "\n}"), *counted = text;
    end = end == NULL ? text + strlen(text) : end;
    for (const char *at = text; (at = g_strstr_len(at, end - at, name)) != NULL; at += length) {
        for (; counted < at; counted++)
            line += *counted == '\n';
        if (is_name_at(text, at, length) && is_assigned_at(text, at, end, length))
            g_array_append_val(ret_lines, line);
    }
}

static gboolean is_number_word(const char *at, gsize length, const char *name)
{
    static const char *const types[] = {"bool",     "char",  "short",  "int",    "long", "signed",
                                        "unsigned", "float", "double", "size_t", "true", "false"};
    if (strlen(name) == length && strncmp(at, name, length) == 0)
        return TRUE;
    for (guint i = 0; i < G_N_ELEMENTS(types); i++)
        if (strlen(types[i]) == length && strncmp(at, types[i], length) == 0)
            return TRUE;
    return FALSE;
}

/* Up to the end of the expression: the ";", "," or ")" behind it. A list in braces is one. */
static gboolean is_number(const char *at, const char *end, const char *name)
{
    guint depth = 0;
    while (at < end) {
        const char *word = at;
        while (at < end && (is_name_part(*at) || *at == '.'))
            at++;
        if (at > word && !g_ascii_isdigit(*word) && *word != '.' &&
            !is_number_word(word, (gsize)(at - word), name))
            return FALSE;
        if (at > word)
            continue;
        if (depth == 0 && strchr(";,)", *at) != NULL)
            return TRUE;
        if (strchr("+-*/%&|^~!<>=?: \t,(){}", *at) == NULL)
            return FALSE;
        depth += *at == '(' || *at == '{';
        depth -= *at == ')' || *at == '}';
        at++;
    }
    return FALSE;
}

/* At a name that is assigned. */
static gboolean gets_number(const char *begin, const char *at, const char *end, const char *name)
{
    const char *behind = skip_blanks(at + strlen(name), end);
    const gboolean counted =
        at - begin >= 2 && (strncmp(at - 2, "++", 2) == 0 || strncmp(at - 2, "--", 2) == 0);
    if (counted || is_taken(begin, at) || behind == end)
        return counted;
    if (strncmp(behind, "++", 2) == 0 || strncmp(behind, "--", 2) == 0)
        return TRUE;
    behind = *behind == '[' ? skip_parts(behind, end) : behind;
    behind += strcspn(behind, "=[(");
    return *behind == '=' && is_number(behind + 1, end, name);
}

/* "int a[4] = {0}": the name of a type is in front. */
static gboolean is_array_declared_at(const char *begin, const char *at, const char *end,
                                     gsize length)
{
    const char *direct = skip_blanks(at + length, end);
    if (direct == end || *direct != '[')
        return FALSE;
    while (at > begin && g_ascii_isspace(at[-1]))
        at--;
    return at > begin && is_name_part(at[-1]) && *skip_parts(direct, end) == '=';
}

gboolean ws_name_gets_number(const char *text, guint32 line, const char *name)
{
    const gsize length = strlen(name);
    gboolean found = FALSE;
    text = find_line(text, line);
    if (text == NULL)
        return FALSE;
    const char *end = text + strcspn(text, "\n");
    for (const char *at = text; (at = g_strstr_len(at, end - at, name)) != NULL; at += length) {
        if (!is_name_at(text, at, length) || (!is_assigned_at(text, at, end, length) &&
                                              !is_array_declared_at(text, at, end, length)))
            continue;
        if (!gets_number(text, at, end, name))
            return FALSE;
        found = TRUE;
    }
    return found;
}

gboolean ws_name_is_assigned(const char *text, guint32 line, const char *name)
{
    g_autoptr(GArray) lines = g_array_new(FALSE, FALSE, sizeof(guint32));
    if (text == NULL)
        return TRUE;
    ws_name_assigned_lines(text, line, name, lines);
    return lines->len > 0;
}
