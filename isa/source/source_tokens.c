#include "isa/source/source_tokens.h"

#include <string.h>

void ws_source_reader_init(WsSourceReader *reader, const char *text, gsize length)
{
    *reader = (WsSourceReader){
        .at = text, .end = text + length, .line_start = text, .line = 1, .line_begins = TRUE};
}

static char peek(const WsSourceReader *reader, gsize ahead)
{
    return (gsize)(reader->end - reader->at) > ahead ? reader->at[ahead] : '\0';
}

static void new_line(WsSourceReader *reader)
{
    reader->line++;
    reader->line_start = reader->at;
}

static void step(WsSourceReader *reader)
{
    if (*reader->at++ == '\n')
        new_line(reader);
}

/* Takes a backslash at the end of a line with that end. */
static gboolean take_splice(WsSourceReader *reader)
{
    gsize length = 0;
    if (peek(reader, 0) == '\\' && peek(reader, 1) == '\n')
        length = 2;
    else if (peek(reader, 0) == '\\' && peek(reader, 1) == '\r' && peek(reader, 2) == '\n')
        length = 3;
    for (gsize i = 0; i < length; i++)
        step(reader);
    return length > 0;
}

static gboolean take_comment(WsSourceReader *reader)
{
    if (peek(reader, 0) != '/' || (peek(reader, 1) != '/' && peek(reader, 1) != '*'))
        return FALSE;
    gboolean line = peek(reader, 1) == '/';
    reader->at += 2;
    while (reader->at < reader->end) {
        if (line && *reader->at == '\n')
            break;
        if (!line && peek(reader, 0) == '*' && peek(reader, 1) == '/') {
            reader->at += 2;
            break;
        }
        if (!take_splice(reader))
            step(reader);
    }
    return TRUE;
}

static void skip_blank(WsSourceReader *reader)
{
    while (reader->at < reader->end) {
        if (take_splice(reader) || take_comment(reader))
            continue;
        if (!g_ascii_isspace(*reader->at) && *reader->at != '\v')
            break;
        reader->line_begins |= *reader->at == '\n';
        step(reader);
    }
}

static gboolean is_word(char c)
{
    return g_ascii_isalnum(c) || c == '_' || c == '$' || (guchar)c >= 0x80;
}

/* To the end of the directive's last line; comments may reach over lines. */
static void take_directive(WsSourceReader *reader)
{
    while (reader->at < reader->end && *reader->at != '\n')
        if (!take_splice(reader) && !take_comment(reader))
            step(reader);
}

/* R"x(...)x", at the quotation mark. */
static void take_raw_string(WsSourceReader *reader)
{
    enum { LONGEST = 16 };
    const char *open = reader->at + 1;
    gsize length = 0;
    while (length <= LONGEST && open + length < reader->end && open[length] != '(')
        length++;
    g_autofree char *close = g_strdup_printf(")%.*s\"", (int)MIN(length, LONGEST), open);
    const char *found = g_strstr_len(open, reader->end - open, close);
    const char *behind = found != NULL ? found + strlen(close) : reader->end;
    while (reader->at < behind)
        step(reader);
}

/* One that is not closed ends with its line. */
static void take_quoted(WsSourceReader *reader)
{
    char quote = *reader->at++;
    while (reader->at < reader->end && *reader->at != '\n' && *reader->at != quote) {
        if (take_splice(reader))
            continue;
        reader->at += peek(reader, 0) == '\\' && peek(reader, 1) != '\n' ? 1 : 0;
        if (reader->at < reader->end)
            step(reader);
    }
    if (peek(reader, 0) == quote)
        reader->at++;
}

static void take_number(WsSourceReader *reader)
{
    while (reader->at < reader->end) {
        char c = *reader->at;
        gboolean exponent = (c == '+' || c == '-') && strchr("eEpP", reader->at[-1]) != NULL;
        gboolean separator = c == '\'' && is_word(peek(reader, 1));
        if (!is_word(c) && c != '.' && !exponent && !separator)
            break;
        reader->at++;
    }
}

static guint take_mark(WsSourceReader *reader)
{
    static const char *const longer[] = {"<<=", ">>=", "->*", "...", "<=>"};
    static const char assigning[] = "+-*/%&|^";
    for (guint i = 0; i < G_N_ELEMENTS(longer); i++)
        if ((gsize)(reader->end - reader->at) >= 3 && memcmp(reader->at, longer[i], 3) == 0) {
            reader->at += 3;
            return i < 2 ? WS_MARK_ASSIGN : WS_MARK_OTHER;
        }
    char first = *reader->at++, second = peek(reader, 0);
    guint mark = (guchar)first;
    if (first == '&' && second == '&')
        mark = WS_MARK_AND;
    else if (first == '|' && second == '|')
        mark = WS_MARK_OR;
    else if (first == ':' && second == ':')
        mark = WS_MARK_SCOPE;
    else if (second == '=' && strchr(assigning, first) != NULL)
        mark = WS_MARK_ASSIGN;
    else if ((second == '=' && strchr("=!<>", first) != NULL) || (first == '-' && second == '>') ||
             (first == second && strchr("+-<", first) != NULL))
        mark = WS_MARK_OTHER;
    else
        return first == '=' ? WS_MARK_ASSIGN : mark;
    reader->at++;
    return mark;
}

/* A word, or the literal that it is the prefix of. */
static void take_word(WsSourceReader *reader, WsSourceToken *token)
{
    while (reader->at < reader->end && is_word(*reader->at))
        reader->at++;
    token->kind = WS_SOURCE_WORD;
    gsize length = (gsize)(reader->at - token->text);
    char quote = peek(reader, 0);
    if (length > 3 || (quote != '"' && quote != '\''))
        return;
    g_autofree char *prefix = g_strndup(token->text, length);
    static const char *const prefixes[] = {"L", "u", "U", "u8", "R", "LR", "uR", "UR", "u8R", NULL};
    if (!g_strv_contains(prefixes, prefix))
        return;
    token->kind = WS_SOURCE_LITERAL;
    if (prefix[length - 1] == 'R' && quote == '"')
        take_raw_string(reader);
    else
        take_quoted(reader);
}

gboolean ws_source_next(WsSourceReader *reader, WsSourceToken *ret)
{
    skip_blank(reader);
    *ret = (WsSourceToken){.text = reader->at,
                           .line = reader->line,
                           .column = (guint32)(reader->at - reader->line_start) + 1};
    if (reader->at >= reader->end)
        return FALSE;
    char c = *reader->at;
    if (c == '#' && reader->line_begins) {
        ret->kind = WS_SOURCE_DIRECTIVE;
        take_directive(reader);
    } else if (g_ascii_isdigit(c) || (c == '.' && g_ascii_isdigit(peek(reader, 1)))) {
        ret->kind = WS_SOURCE_LITERAL;
        reader->at++;
        take_number(reader);
    } else if (is_word(c)) {
        take_word(reader, ret);
    } else if (c == '"' || c == '\'') {
        ret->kind = WS_SOURCE_LITERAL;
        take_quoted(reader);
    } else {
        ret->kind = WS_SOURCE_MARK;
        ret->mark = take_mark(reader);
    }
    reader->line_begins = FALSE;
    ret->length = (gsize)(reader->at - ret->text);
    return TRUE;
}

gboolean ws_source_is(const WsSourceToken *token, const char *word)
{
    return token->kind == WS_SOURCE_WORD && strlen(word) == token->length &&
           memcmp(token->text, word, token->length) == 0;
}

gboolean ws_source_is_mark(const WsSourceToken *token, guint mark)
{
    return token->kind == WS_SOURCE_MARK && token->mark == mark;
}
