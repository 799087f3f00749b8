#include "isa/ptx/source_texts.h"

#include <string.h>

static const char file_mark[] = "\n//< ", line_mark[] = "//|";
enum { FILE_MARK = sizeof file_mark - 1, LINE_MARK = sizeof line_mark - 1, MAX_BYTES = 4 << 20 };

/* The name in `.file 1 "name"`, or NULL: the line is none of those. */
static char *file_of(const char *line, gsize length)
{
    g_autofree char *text = g_strndup(line, length);
    const char *directive = g_strstrip(text);
    const char *first = strchr(directive, '"');
    const char *last = strrchr(directive, '"');
    return g_str_has_prefix(directive, ".file") && last > first
               ? g_strndup(first + 1, (gsize)(last - first) - 1)
               : NULL;
}

/* A file's text: of `texts`, or read where that is NULL. NULL: it is left out. */
static char *text_of(const char *name, GHashTable *texts)
{
    char *text = NULL;
    gsize length = 0;
    if (texts != NULL)
        return g_strdup(g_hash_table_lookup(texts, name));
    if (g_str_has_prefix(name, "warpstep/") || strchr(name, '\\') != NULL ||
        !g_file_get_contents(name, &text, &length, NULL))
        return NULL;
    if (length <= MAX_BYTES && memchr(text, '\0', length) == NULL)
        return text;
    g_free(text);
    return NULL;
}

static void append_source(GString *out, const char *name, GHashTable *texts)
{
    g_autofree char *text = text_of(name, texts);
    if (text == NULL)
        return;
    g_string_append_printf(out, "%s%s\n", file_mark, name);
    for (const char *line = text; *line != '\0';) {
        const gsize bytes = strcspn(line, "\n");
        g_string_append(out, line_mark);
        g_string_append_len(out, line, (gssize)bytes);
        g_string_append_c(out, '\n');
        line += bytes + (line[bytes] == '\n');
    }
}

char *ws_ptx_with_texts(const char *ptx, GHashTable *texts)
{
    g_autoptr(GHashTable) seen = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    GString *out = g_string_new(ptx);
    for (const char *line = ptx; *line != '\0';) {
        const gsize length = strcspn(line, "\n");
        g_autofree char *name = file_of(line, length);
        line += length + (line[length] == '\n');
        if (name == NULL || g_hash_table_contains(seen, name))
            continue;
        const gsize before = out->len;
        append_source(out, name, texts);
        if (out->len - strlen(ptx) > MAX_BYTES)
            g_string_truncate(out, before);
        g_hash_table_add(seen, g_steal_pointer(&name));
    }
    return g_string_free(out, FALSE);
}

char *ws_ptx_with_sources(const char *ptx)
{
    return ws_ptx_with_texts(ptx, NULL);
}

void ws_ptx_append_sources(GString *ptx, const char *from, gsize length)
{
    const char *at = g_strstr_len(from, (gssize)length, file_mark);
    if (at != NULL)
        g_string_append_len(ptx, at, from + length - at);
}

/* What stands behind "//|" in the lines from here on; the end of the last of them in `ret_end`. */
static char *read_lines(const char *line, const char *end, const char **ret_end)
{
    g_autoptr(GString) text = g_string_new(NULL);
    while (end - line >= LINE_MARK && memcmp(line, line_mark, LINE_MARK) == 0) {
        const char *next = memchr(line, '\n', (gsize)(end - line));
        const char *behind = next != NULL ? next : end;
        g_string_append_len(text, line + LINE_MARK, behind - line - LINE_MARK);
        g_string_append_c(text, '\n');
        line = next != NULL ? next + 1 : end;
    }
    *ret_end = line;
    return g_utf8_make_valid(text->str, (gssize)text->len);
}

GHashTable *ws_ptx_sources(const char *ptx, gsize length)
{
    const char *end = ptx + length;
    const char *at = g_strstr_len(ptx, (gssize)length, file_mark);
    if (at == NULL)
        return NULL;
    GHashTable *found = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free);
    while (at != NULL) {
        const char *name = at + FILE_MARK;
        const char *behind = memchr(name, '\n', (gsize)(end - name));
        if (behind == NULL)
            break;
        char *key = g_utf8_make_valid(name, behind - name);
        /* The line feed in front of the next mark is one that ends a line of this file. */
        g_hash_table_replace(found, key, read_lines(behind + 1, end, &at));
        at = g_strstr_len(at - 1, end - at + 1, file_mark);
    }
    return found;
}
