#include "isa/cuda/asm_text.h"

#include <string.h>

typedef struct {
    const char *at, *end;
    GString *out;
    gboolean line_begins;
} Copier;

static gboolean is_name(char c)
{
    return g_ascii_isalnum(c) || c == '_' || c == '$';
}

static void copy(Copier *c, gsize count)
{
    count = MIN(count, (gsize)(c->end - c->at));
    g_string_append_len(c->out, c->at, (gssize)count);
    c->at += count;
}

static char ahead(const Copier *c, gsize count)
{
    return (gsize)(c->end - c->at) > count ? c->at[count] : '\0';
}

static gboolean starts_with(const Copier *c, const char *text, gsize length)
{
    return (gsize)(c->end - c->at) >= length && memcmp(c->at, text, length) == 0;
}

/* A name of two letters or more behind `%`: no operand of the asm statement. */
static gboolean is_register(const Copier *c)
{
    return g_ascii_isalpha(ahead(c, 1)) && (g_ascii_isalpha(ahead(c, 2)) || ahead(c, 2) == '_');
}

/* To behind the `quote` that ends the literal. */
static void copy_quoted(Copier *c, char quote, gboolean escape)
{
    copy(c, 1);
    while (c->at < c->end && *c->at != quote && *c->at != '\n') {
        if (*c->at == '\\' || (*c->at == '%' && ahead(c, 1) == '%')) {
            copy(c, 2);
            continue;
        }
        if (escape && *c->at == '%' && is_register(c))
            g_string_append_c(c->out, '%');
        copy(c, 1);
    }
    copy(c, 1);
}

/* R"tag(...)tag" from its quote on. */
static void copy_raw(Copier *c, gboolean escape)
{
    const char *open = memchr(c->at, '(', (gsize)(c->end - c->at));
    if (open == NULL) {
        copy(c, (gsize)(c->end - c->at));
        return;
    }
    g_autofree char *tag = g_strndup(c->at + 1, (gsize)(open - c->at - 1));
    g_autofree char *close = g_strdup_printf(")%s\"", tag);
    gsize length = strlen(close);
    copy(c, (gsize)(open + 1 - c->at));
    while (c->at < c->end && !starts_with(c, close, length)) {
        if (*c->at == '%' && ahead(c, 1) == '%')
            copy(c, 1);
        else if (escape && *c->at == '%' && is_register(c))
            g_string_append_c(c->out, '%');
        copy(c, 1);
    }
    copy(c, length);
}

/* The name or number at the cursor, copied. */
static char *copy_name(Copier *c)
{
    gsize length = 0;
    while (is_name(ahead(c, length)))
        length++;
    char *name = g_strndup(c->at, length);
    copy(c, length);
    return name;
}

/* A literal, a name or one other character. Returns the name, else NULL. */
static char *copy_token(Copier *c, gboolean escape)
{
    char first = *c->at;
    gboolean begins = c->line_begins;
    c->line_begins = first == '\n' || (begins && (first == ' ' || first == '\t'));
    if (begins && first == '#') {
        const char *line_end = memchr(c->at, '\n', (gsize)(c->end - c->at));
        copy(c, (gsize)((line_end == NULL ? c->end : line_end) - c->at));
    } else if (first == '"' || first == '\'') {
        copy_quoted(c, first, escape && first == '"');
    } else if (is_name(first)) {
        char *name = copy_name(c);
        if (ahead(c, 0) == '"' && g_str_has_suffix(name, "R"))
            copy_raw(c, escape);
        else if (ahead(c, 0) == '\'' && g_ascii_isdigit(first)) /* 1'000 */
            copy(c, 1);
        return name;
    } else {
        copy(c, 1);
    }
    return NULL;
}

/* Behind `asm`: qualifiers, and in parentheses code up to the first colon. */
static void copy_statement(Copier *c)
{
    while (c->at < c->end && *c->at != '(' && *c->at != ';' && *c->at != '{')
        g_free(copy_token(c, FALSE));
    if (c->at == c->end || *c->at != '(')
        return;
    copy(c, 1);
    for (guint depth = 1; c->at < c->end && depth > 0 && *c->at != ':';) {
        depth += *c->at == '(';
        depth -= *c->at == ')';
        g_free(copy_token(c, TRUE));
    }
}

GString *ws_cuda_escape_asm(const char *text, gsize length)
{
    Copier c = {text, text + length, g_string_sized_new(length + length / 64), TRUE};
    while (c.at < c.end) {
        g_autofree char *name = copy_token(&c, FALSE);
        if (g_strcmp0(name, "asm") == 0 || g_strcmp0(name, "__asm__") == 0 ||
            g_strcmp0(name, "__asm") == 0)
            copy_statement(&c);
    }
    return c.out;
}
