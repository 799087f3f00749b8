#include "isa/text/assembler_lexer.h"

#include "isa/base/byte_order_mark.h"
#include "isa/base/escape.h"

#include <string.h>

typedef struct {
    const char *path;
    const char *at;
    const char *end;
    guint32 line;
    guint32 column;
    GArray *tokens;
} Lexer;

static gboolean fail(const Lexer *lexer, GError **error, const char *message)
{
    WsPosition position = {lexer->path, lexer->line, lexer->column};
    ws_set_error_at(error, WS_ERROR_INPUT, &position, "%s", message);
    return FALSE;
}

static void advance(Lexer *lexer)
{
    if (*lexer->at == '\n') {
        lexer->line++;
        lexer->column = 1;
    } else if ((*lexer->at & 0xc0) != 0x80) {
        lexer->column++;
    }
    lexer->at++;
}

static gboolean starts_with(const Lexer *lexer, const char *text)
{
    gsize length = strlen(text);
    return (gsize)(lexer->end - lexer->at) >= length && memcmp(lexer->at, text, length) == 0;
}

static gboolean is_word_character(char c)
{
    return g_ascii_isalnum(c) || c == '_' || c == '.' || c == '$' || c == '%';
}

static void add_token(Lexer *lexer, WsTokenKind kind, const char *from, guint32 line,
                      guint32 column)
{
    WsToken token = {kind, from, (guint32)(lexer->at - from), line, column};
    g_array_append_val(lexer->tokens, token);
}

static gboolean skip_comment(Lexer *lexer, GError **error)
{
    if (!starts_with(lexer, "/*")) {
        while (lexer->at < lexer->end && *lexer->at != '\n') {
            advance(lexer);
        }
        return TRUE;
    }
    Lexer start = *lexer;
    while (lexer->at < lexer->end && !starts_with(lexer, "*/")) {
        advance(lexer);
    }
    if (lexer->at == lexer->end) {
        return fail(&start, error, "this comment does not end");
    }
    advance(lexer);
    advance(lexer);
    return TRUE;
}

static gboolean lex_string(Lexer *lexer, GError **error)
{
    Lexer start = *lexer;
    advance(lexer);
    const char *from = lexer->at;
    const char *close = ws_end_of_name(from, lexer->end);
    if (close == NULL) {
        return fail(&start, error, "this string does not end on its line");
    }
    while (lexer->at < close) {
        advance(lexer);
    }
    add_token(lexer, WS_TOKEN_STRING, from, start.line, start.column);
    advance(lexer);
    return TRUE;
}

/* A word or a number; a number may hold a signed exponent. */
static void lex_word(Lexer *lexer)
{
    const char *from = lexer->at;
    guint32 line = lexer->line;
    guint32 column = lexer->column;
    gboolean number = g_ascii_isdigit(*from);
    gboolean hexadecimal = starts_with(lexer, "0x") || starts_with(lexer, "0X");
    while (lexer->at < lexer->end) {
        gboolean exponent_sign = number && !hexadecimal && lexer->at > from &&
                                 g_ascii_tolower(lexer->at[-1]) == 'e' &&
                                 (*lexer->at == '+' || *lexer->at == '-');
        if (!is_word_character(*lexer->at) && !exponent_sign) {
            break;
        }
        advance(lexer);
    }
    add_token(lexer, number ? WS_TOKEN_NUMBER : WS_TOKEN_WORD, from, line, column);
}

static gboolean lex_one(Lexer *lexer, GError **error)
{
    char c = *lexer->at;
    if (c == ' ' || c == '\t' || c == '\r') {
        advance(lexer);
        return TRUE;
    }
    if (c == '#' || starts_with(lexer, "//") || starts_with(lexer, "/*")) {
        return skip_comment(lexer, error);
    }
    if (c == '"') {
        return lex_string(lexer, error);
    }
    if (is_word_character(c)) {
        lex_word(lexer);
        return TRUE;
    }
    if (c == '\n' || c == ';' || (c != '\0' && strchr(",:[](){}|-!~+@=`", c) != NULL)) {
        Lexer start = *lexer;
        advance(lexer);
        add_token(lexer, c == '\n' || c == ';' ? WS_TOKEN_NEWLINE : WS_TOKEN_PUNCTUATION, start.at,
                  start.line, start.column);
        return TRUE;
    }
    return fail(lexer, error, "this character has no meaning here");
}

GArray *ws_assembler_tokens(const char *path, const char *text, gsize length, GError **error)
{
    g_autoptr(GArray) tokens = g_array_new(FALSE, FALSE, sizeof(WsToken));
    Lexer lexer = {path, text, text + length, 1, 1, tokens};
    const char *bad;
    if (!g_utf8_validate_len(text, length, &bad)) {
        while (lexer.at < bad) {
            advance(&lexer);
        }
        fail(&lexer, error, "the text is not UTF-8, or holds a zero byte");
        return NULL;
    }
    lexer.at += ws_byte_order_mark(text, length);
    while (lexer.at < lexer.end) {
        if (!lex_one(&lexer, error)) {
            return NULL;
        }
    }
    add_token(&lexer, WS_TOKEN_NEWLINE, lexer.at, lexer.line, lexer.column);
    add_token(&lexer, WS_TOKEN_END, lexer.at, lexer.line, lexer.column);
    return g_steal_pointer(&tokens);
}

char *ws_token_text(const WsToken *token)
{
    return g_strndup(token->text, token->length);
}

gboolean ws_token_is(const WsToken *token, char punctuation)
{
    return token->kind == WS_TOKEN_PUNCTUATION && *token->text == punctuation;
}
