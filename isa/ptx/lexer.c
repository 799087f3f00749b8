#include "isa/ptx/lexer.h"

#include "isa/base/byte_order_mark.h"
#include "isa/base/escape.h"

#include <string.h>

enum { MAX_NAME = 1024 };

void ws_ptx_lexer_init(WsPtxLexer *ret, const char *path, const char *text, gsize length)
{
    const char *begin = text + ws_byte_order_mark(text, length);
    *ret = (WsPtxLexer){begin, text + length, begin, 1, 1, path};
}

static gboolean is_name_part(char c)
{
    return g_ascii_isalnum(c) || c == '_' || c == '$';
}

/* A name begins here: '%' only in front of the rest of one. */
static gboolean begins_name(const WsPtxLexer *lexer)
{
    char c = *lexer->at;
    if (c == '%')
        return lexer->end - lexer->at >= 2 && is_name_part(lexer->at[1]);
    return is_name_part(c) && !g_ascii_isdigit(c);
}

static WsPosition position_of(const WsPtxLexer *lexer, const char *at)
{
    guint32 column = lexer->column;
    for (const char *c = lexer->counted; c < at; c++)
        column += ((guchar)*c & 0xc0) != 0x80;
    return (WsPosition){lexer->path, lexer->line, column};
}

static gboolean fail(const WsPtxLexer *lexer, const char *at, const char *what, GError **error)
{
    WsPosition position = position_of(lexer, at);
    ws_set_error_at(error, WS_ERROR_INPUT, &position, "%s", what);
    return FALSE;
}

static void new_line(WsPtxLexer *lexer)
{
    lexer->line++;
    lexer->counted = lexer->at;
    lexer->column = 1;
}

static gboolean skip_block_comment(WsPtxLexer *lexer, GError **error)
{
    const char *start = lexer->at;
    WsPtxLexer begin = *lexer;
    lexer->at += 2;
    while (lexer->end - lexer->at >= 2) {
        if (lexer->at[0] == '*' && lexer->at[1] == '/') {
            lexer->at += 2;
            return TRUE;
        }
        if (*lexer->at++ == '\n')
            new_line(lexer);
    }
    return fail(&begin, start, "comment is never closed", error);
}

static gboolean skip_blanks(WsPtxLexer *lexer, GError **error)
{
    while (lexer->at < lexer->end) {
        char c = *lexer->at;
        gboolean two = lexer->end - lexer->at >= 2;
        if (c == '\n') {
            lexer->at++;
            new_line(lexer);
        } else if (c == ' ' || c == '\t' || c == '\r' || c == '\f' || c == '\v') {
            lexer->at++;
        } else if (two && c == '/' && lexer->at[1] == '/') {
            while (lexer->at < lexer->end && *lexer->at != '\n')
                lexer->at++;
        } else if (two && c == '/' && lexer->at[1] == '*') {
            if (!skip_block_comment(lexer, error))
                return FALSE;
        } else {
            return TRUE;
        }
    }
    return TRUE;
}

static gboolean take_name(WsPtxLexer *lexer, WsPtxToken *ret, GError **error)
{
    const char *start = lexer->at++;
    while (lexer->at < lexer->end && is_name_part(*lexer->at))
        lexer->at++;
    ret->kind = WS_PTX_TOKEN_NAME;
    ret->text = start;
    ret->length = (gsize)(lexer->at - start);
    if (ret->length > MAX_NAME)
        return fail(lexer, start, "name is longer than 1024 characters", error);
    return TRUE;
}

static gboolean take_dotted(WsPtxLexer *lexer, WsPtxToken *ret, GError **error)
{
    const char *start = ++lexer->at;
    while (lexer->at < lexer->end) {
        if (is_name_part(*lexer->at))
            lexer->at++;
        else if (lexer->end - lexer->at >= 3 && lexer->at[0] == ':' && lexer->at[1] == ':' &&
                 is_name_part(lexer->at[2]))
            lexer->at += 3;
        else
            break;
    }
    ret->kind = WS_PTX_TOKEN_DOTTED;
    ret->text = start;
    ret->length = (gsize)(lexer->at - start);
    if (ret->length == 0 || ret->length > MAX_NAME)
        return fail(lexer, start - 1, "a name of at most 1024 characters must follow '.'", error);
    return TRUE;
}

static gboolean take_string(WsPtxLexer *lexer, WsPtxToken *ret, GError **error)
{
    const char *start = ++lexer->at;
    const char *end = ws_end_of_name(start, lexer->end);
    if (end == NULL)
        return fail(lexer, start - 1, "string is never closed", error);
    lexer->at = end;
    ret->kind = WS_PTX_TOKEN_STRING;
    ret->text = start;
    ret->length = (gsize)(lexer->at - start);
    lexer->at++;
    return TRUE;
}

/* Digits of `base` from lexer->at on; FALSE if there is none or the value needs over 64 bits. */
static gboolean take_digits(WsPtxLexer *lexer, guint base, guint64 *ret)
{
    guint64 value = 0;
    const char *start = lexer->at;
    for (; lexer->at < lexer->end; lexer->at++) {
        int digit = g_ascii_xdigit_value(*lexer->at);
        if (digit < 0 || (guint)digit >= base)
            break;
        if (value > (G_MAXUINT64 - (guint)digit) / base)
            return FALSE;
        value = value * base + (guint)digit;
    }
    *ret = value;
    return lexer->at > start;
}

/* 0f3F800000 and 0d3FF0000000000000: exactly 8 or 16 digits. */
static gboolean take_float_bits(WsPtxLexer *lexer, gboolean wide, WsPtxToken *ret, GError **error)
{
    const char *start = lexer->at;
    lexer->at += 2;
    const char *digits = lexer->at;
    if (!take_digits(lexer, 16, &ret->value) || lexer->at - digits != (wide ? 16 : 8))
        return fail(lexer, start, wide ? "0d needs 16 digits" : "0f needs 8 digits", error);
    ret->kind = wide ? WS_PTX_TOKEN_FLOAT64 : WS_PTX_TOKEN_FLOAT32;
    return TRUE;
}

static gboolean take_decimal_float(WsPtxLexer *lexer, const char *start, WsPtxToken *ret,
                                   GError **error)
{
    const char *c = start;
    while (c < lexer->end && g_ascii_isdigit(*c))
        c++;
    if (c < lexer->end && *c == '.')
        c++;
    while (c < lexer->end && g_ascii_isdigit(*c))
        c++;
    if (c < lexer->end && (*c == 'e' || *c == 'E')) {
        c++;
        if (c < lexer->end && (*c == '+' || *c == '-'))
            c++;
        while (c < lexer->end && g_ascii_isdigit(*c))
            c++;
    }
    if (c - start > MAX_NAME)
        return fail(lexer, start, "number is too long", error);
    g_autofree char *text = g_strndup(start, (gsize)(c - start));
    char *end = NULL;
    double value = g_ascii_strtod(text, &end);
    if (*end != '\0')
        return fail(lexer, start, "malformed number", error);
    memcpy(&ret->value, &value, sizeof value);
    ret->kind = WS_PTX_TOKEN_FLOAT64;
    lexer->at = c;
    return TRUE;
}

static gboolean take_integer(WsPtxLexer *lexer, WsPtxToken *ret, GError **error)
{
    const char *start = lexer->at;
    char second = lexer->end - start >= 2 ? start[1] : '\0';
    guint base = 10;
    if (start[0] == '0' && (second == 'x' || second == 'X'))
        base = 16;
    else if (start[0] == '0' && (second == 'b' || second == 'B'))
        base = 2;
    else if (start[0] == '0' && g_ascii_isdigit(second))
        base = 8;
    if (base == 16 || base == 2)
        lexer->at += 2;
    if (!take_digits(lexer, base, &ret->value))
        return fail(lexer, start, "number is malformed or needs more than 64 bits", error);
    ret->is_unsigned = ret->value > G_MAXINT64 || (lexer->at < lexer->end && *lexer->at == 'U');
    if (lexer->at < lexer->end && *lexer->at == 'U')
        lexer->at++;
    else if (base == 10 && lexer->at < lexer->end &&
             (*lexer->at == '.' || *lexer->at == 'e' || *lexer->at == 'E'))
        return take_decimal_float(lexer, start, ret, error);
    if (lexer->at < lexer->end && is_name_part(*lexer->at))
        return fail(lexer, start, "malformed number", error);
    ret->kind = WS_PTX_TOKEN_INTEGER;
    return TRUE;
}

static gboolean take_number(WsPtxLexer *lexer, WsPtxToken *ret, GError **error)
{
    char second = lexer->end - lexer->at >= 2 ? lexer->at[1] : '\0';
    if (*lexer->at == '0' && (second == 'f' || second == 'F'))
        return take_float_bits(lexer, FALSE, ret, error);
    if (*lexer->at == '0' && (second == 'd' || second == 'D'))
        return take_float_bits(lexer, TRUE, ret, error);
    return take_integer(lexer, ret, error);
}

gboolean ws_ptx_lexer_next(WsPtxLexer *lexer, WsPtxToken *ret, GError **error)
{
    if (!skip_blanks(lexer, error))
        return FALSE;
    *ret = (WsPtxToken){.kind = WS_PTX_TOKEN_END, .text = lexer->at};
    ret->position = position_of(lexer, lexer->at);
    lexer->counted = lexer->at;
    lexer->column = ret->position.column;
    if (lexer->at == lexer->end)
        return TRUE;
    char c = *lexer->at;
    if (begins_name(lexer))
        return take_name(lexer, ret, error);
    if (c == '.')
        return take_dotted(lexer, ret, error);
    if (g_ascii_isdigit(c))
        return take_number(lexer, ret, error);
    if (c == '"')
        return take_string(lexer, ret, error);
    if (c != '\0' && strchr("{}()[]<>,;:=+-*/%@!?|&~^", c) != NULL) {
        ret->kind = WS_PTX_TOKEN_PUNCTUATION;
        ret->punctuation = c;
        ret->length = 1;
        lexer->at++;
        return TRUE;
    }
    return fail(lexer, lexer->at, "character that PTX does not have", error);
}
