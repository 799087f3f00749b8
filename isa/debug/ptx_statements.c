#include "isa/debug/ptx_statements.h"

#include <string.h>

typedef struct {
    WsPtxStatements *out;
    guint32 line;
    char *name;      /* of the function whose header was last, or NULL */
    gboolean inside; /* of its body */
    gboolean in_asm;
} Reader;

static gboolean is_name_part(char c)
{
    return g_ascii_isalnum(c) || c == '_' || c == '$';
}

static gsize name_length(const char *at)
{
    gsize length = 0;
    while (is_name_part(at[length]))
        length++;
    return length;
}

/* ".func  (.param .b32 func_retval0) name(": a list in front of the name gives the result. */
static void read_header(Reader *reader, const char *at)
{
    at += strspn(at, " \t");
    if (*at == '(') {
        at = strchr(at, ')');
        if (at == NULL)
            return;
        at++;
    }
    at += strspn(at, " \t");
    g_free(reader->name);
    reader->name = g_strndup(at, name_length(at));
}

static const char *read_register(Reader *reader, const char *at, WsPtxLine *line)
{
    const gsize length = 1 + name_length(at + 1);
    if (g_ascii_isdigit(at[length - 1])) {
        g_ptr_array_add(reader->out->registers, g_strndup(at, length));
        line->register_count++;
    }
    return at + length;
}

/* "%r1", "%r1|%p2", "{%r1, %r2}" or "{tmp, %r2}" is written, if it comes first. */
static void read_results(Reader *reader, const char *at, WsPtxLine *line)
{
    const gboolean list = *at == '{';
    at += list;
    for (;;) {
        at += strspn(at, " \t");
        if (*at == '%')
            at = read_register(reader, at, line);
        else if (list && is_name_part(*at))
            at += name_length(at);
        else
            return;
        at += strspn(at, " \t");
        if (*at != (list ? ',' : '|'))
            return;
        at++;
    }
}

static void read_statement(Reader *reader, const char *at)
{
    WsPtxLine line = {.line = reader->line, .first_register = reader->out->registers->len};
    if (*at == '{') { /* "{ .reg .b32 tmp; mov.b64 {tmp, %r5}, %rd6; }" */
        at = strchr(at, ';') + 1;
        at += strspn(at, " \t");
    }
    if (*at == '@') {
        at += strcspn(at, " \t");
        at += strspn(at, " \t");
    }
    line.mnemonic =
        g_string_chunk_insert_len(reader->out->mnemonics, at, (gssize)strcspn(at, " \t;."));
    at += strcspn(at, " \t;");
    at += strspn(at, " \t");
    read_results(reader, at, &line);
    g_array_append_val(reader->out->lines, line);
    g_array_index(reader->out->functions, WsPtxFunctionLines, reader->out->functions->len - 1)
        .count++;
}

/* A statement with a register of its own. */
static gboolean is_braced(const char *at)
{
    return *at == '{' && g_str_has_prefix(at + 1 + strspn(at + 1, " \t"), ".reg ") &&
           strchr(at, ';') != NULL && strchr(at, '}') != NULL;
}

/* A label, a directive, a brace or a comment. */
static gboolean is_no_statement(const char *at)
{
    const gsize length = strlen(at);
    return length == 0 || *at == '.' || (*at == '{' && !is_braced(at)) || *at == '}' ||
           g_str_has_prefix(at, "//") || (is_name_part(*at) && at[name_length(at)] == ':');
}

static void read_body_line(Reader *reader, const char *at)
{
    if (g_str_has_prefix(at, "// begin inline asm"))
        reader->in_asm = TRUE;
    else if (g_str_has_prefix(at, "// end inline asm"))
        reader->in_asm = FALSE;
    else if (!reader->in_asm && !is_no_statement(at))
        read_statement(reader, at);
}

static void begin_body(Reader *reader)
{
    const WsPtxFunctionLines function = {.name = g_steal_pointer(&reader->name),
                                         .first = reader->out->lines->len};
    reader->inside = TRUE;
    reader->in_asm = FALSE;
    g_array_append_val(reader->out->functions, function);
}

static void read_line(Reader *reader, const char *text)
{
    const char *header = strstr(text, ".entry");
    if (header == NULL)
        header = strstr(text, ".func");
    if (reader->inside && *text == '}')
        reader->inside = FALSE;
    else if (reader->inside)
        read_body_line(reader, text + strspn(text, " \t"));
    else if (header != NULL && *text == '.')
        read_header(reader, header + strcspn(header, " \t("));
    else if (*text == '{' && reader->name != NULL)
        begin_body(reader);
}

static void clear_function(gpointer function)
{
    g_free(((WsPtxFunctionLines *)function)->name);
}

WsPtxStatements *ws_ptx_statements_new(const char *ptx)
{
    WsPtxStatements *out = g_new0(WsPtxStatements, 1);
    Reader reader = {.out = out};
    g_autoptr(GString) text = g_string_new(NULL);
    out->functions = g_array_new(FALSE, FALSE, sizeof(WsPtxFunctionLines));
    g_array_set_clear_func(out->functions, clear_function);
    out->lines = g_array_new(FALSE, FALSE, sizeof(WsPtxLine));
    out->registers = g_ptr_array_new_with_free_func(g_free);
    out->mnemonics = g_string_chunk_new(4096);
    while (*ptx != '\0') {
        const gsize length = strcspn(ptx, "\n");
        reader.line++;
        g_string_truncate(text, 0);
        g_string_append_len(text, ptx, (gssize)length);
        read_line(&reader, text->str);
        ptx += length + (ptx[length] == '\n');
    }
    g_free(reader.name);
    return out;
}

void ws_ptx_statements_free(WsPtxStatements *statements)
{
    if (statements == NULL)
        return;
    g_array_unref(statements->functions);
    g_array_unref(statements->lines);
    g_ptr_array_unref(statements->registers);
    g_string_chunk_free(statements->mnemonics);
    g_free(statements);
}

/* ---- two texts ---------------------------------------------------------------------------------
 */

/* Where each line begins; [0] is the first. */
static GArray *find_lines(const char *text)
{
    GArray *lines = g_array_new(FALSE, FALSE, sizeof(const char *));
    while (*text != '\0') {
        g_array_append_val(lines, text);
        text += strcspn(text, "\n");
        text += *text == '\n';
    }
    return lines;
}

static gboolean same_line(const GArray *lines, guint32 line, const GArray *others, guint32 other)
{
    const char *x = g_array_index(lines, const char *, line - 1);
    const char *y = g_array_index(others, const char *, other - 1);
    const gsize length = strcspn(x, "\n");
    return length == strcspn(y, "\n") && strncmp(x, y, length) == 0;
}

static gboolean same_function(const WsPtxStatements *a, const GArray *lines,
                              const WsPtxFunctionLines *x, const WsPtxStatements *b,
                              const GArray *others, const WsPtxFunctionLines *y)
{
    if (strcmp(x->name, y->name) != 0 || x->count != y->count)
        return FALSE;
    for (guint32 i = 0; i < x->count; i++)
        if (!same_line(lines, g_array_index(a->lines, WsPtxLine, x->first + i).line, others,
                       g_array_index(b->lines, WsPtxLine, y->first + i).line))
            return FALSE;
    return TRUE;
}

/* What stands in front of a statement, up to the one before or the brace, has its line. */
static void note_line(const GArray *lines, guint32 line, guint32 other, guint32 *ret)
{
    do
        ret[line] = other;
    while (--line > 0 && ret[line] == 0 && *g_array_index(lines, const char *, line - 1) != '{');
}

guint32 *ws_ptx_match_lines(const char *ptx, const char *other, guint32 *ret_count)
{
    g_autoptr(WsPtxStatements) a = ws_ptx_statements_new(ptx), b = ws_ptx_statements_new(other);
    g_autoptr(GArray) lines = find_lines(ptx), others = find_lines(other);
    guint32 *matched = g_new0(guint32, lines->len + 1);
    *ret_count = lines->len;
    for (guint f = 0; f < MIN(a->functions->len, b->functions->len); f++) {
        const WsPtxFunctionLines *x = &g_array_index(a->functions, WsPtxFunctionLines, f);
        const WsPtxFunctionLines *y = &g_array_index(b->functions, WsPtxFunctionLines, f);
        const guint32 count = same_function(a, lines, x, b, others, y) ? x->count : 0;
        for (guint32 i = 0; i < count; i++)
            note_line(lines, g_array_index(a->lines, WsPtxLine, x->first + i).line,
                      g_array_index(b->lines, WsPtxLine, y->first + i).line, matched);
    }
    return matched;
}
