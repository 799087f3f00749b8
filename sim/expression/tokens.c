#include "sim/expression/tokens.h"

#include <math.h>
#include <string.h>

#include "sim/expression/syntax.h"

static gboolean goes_on(char c)
{
    return g_ascii_isalnum(c) || c == '_';
}

static gsize word_length(const char *at)
{
    gsize length = 0;

    while (goes_on(at[length]))
        length++;
    return length;
}

/* The letters behind a number: u, l, ul, ll, ull in any order, or f. FALSE: there are others. */
static gboolean read_suffix(const char *at, gsize length, gboolean real, guint *ret)
{
    guint longs = 0;

    for (gsize i = 0; i < length; i++) {
        char c = g_ascii_tolower(at[i]);

        if (c == 'f' && real && *ret == 0)
            *ret |= WS_SUFFIX_FLOAT;
        else if (c == 'u' && !real && (*ret & WS_SUFFIX_UNSIGNED) == 0)
            *ret |= WS_SUFFIX_UNSIGNED;
        else if (c == 'l' && !real && ++longs <= 2)
            *ret |= WS_SUFFIX_LONG;
        else
            return FALSE;
    }
    return TRUE;
}

static gsize digits(const char *at)
{
    return strspn(at, "0123456789");
}

/* Bytes of digits with a point, an exponent or both; 0: there is neither. */
static gsize real_length(const char *at)
{
    gsize length = digits(at);
    gboolean real = FALSE;

    if (at[length] == '.') {
        length += 1 + digits(at + length + 1);
        real = TRUE;
    }
    if (at[length] == 'e' || at[length] == 'E') {
        gsize sign = at[length + 1] == '+' || at[length + 1] == '-' ? 1 : 0;
        gsize power = digits(at + length + 1 + sign);

        if (power > 0) {
            length += 1 + sign + power;
            real = TRUE;
        }
    }
    return real ? length : 0;
}

static void read_real(WsToken *token, gsize length)
{
    g_autofree char *text = g_strndup(token->start, length);
    gsize rest = word_length(token->start + length);

    token->kind = WS_TOKEN_REAL;
    token->real = g_ascii_strtod(text, NULL);
    token->length = length + rest;
    if (!isfinite(token->real) || !read_suffix(token->start + length, rest, TRUE, &token->suffix) ||
        token->start[token->length] == '.')
        token->problem = "a number is expected";
}

static void read_number(WsToken *token)
{
    const char *at = token->start;
    gboolean hexadecimal = at[0] == '0' && (at[1] == 'x' || at[1] == 'X');
    gsize real = hexadecimal ? 0 : real_length(at), from = hexadecimal ? 2 : 0, end = from;

    if (real != 0) {
        read_real(token, real);
        return;
    }
    token->kind = WS_TOKEN_WHOLE;
    token->length = word_length(at);
    token->suffix = hexadecimal ? WS_SUFFIX_HEX : 0;
    if (!hexadecimal && at[0] == '0' && g_ascii_isdigit(at[1])) {
        token->problem = "a whole number without leading zeros is expected";
        return;
    }
    while (hexadecimal ? g_ascii_isxdigit(at[end]) : g_ascii_isdigit(at[end])) {
        guint64 digit = (guint64)g_ascii_xdigit_value(at[end++]);

        if (!g_uint64_checked_mul(&token->number, token->number, hexadecimal ? 16 : 10) ||
            !g_uint64_checked_add(&token->number, token->number, digit)) {
            token->problem = "the number does not fit in 64 bits";
            return;
        }
    }
    if (end == from || !read_suffix(at + end, token->length - end, FALSE, &token->suffix))
        token->problem = "a whole number is expected";
}

static void read_text(WsToken *token)
{
    const char *end = strchr(token->start + 1, *token->start);

    token->kind = WS_TOKEN_TEXT;
    token->length = end == NULL ? 1 : (gsize)(end - token->start) + 1;
    if (end == NULL || token->length == 2)
        token->problem = "a text in quotes is expected";
}

WsToken ws_expression_token_at(const char *at, gboolean after_point)
{
    WsToken token = {.kind = WS_TOKEN_SIGN, .length = 1};

    while (g_ascii_isspace(*at))
        at++;
    token.start = at;
    if (*at == '\0') {
        token.kind = WS_TOKEN_END;
        token.length = 0;
    } else if (g_ascii_isalpha(*at) || *at == '_' || (after_point && g_ascii_isdigit(*at))) {
        token.kind = WS_TOKEN_NAME;
        token.length = word_length(at);
    } else if (g_ascii_isdigit(*at) || (*at == '.' && g_ascii_isdigit(at[1]))) {
        read_number(&token);
    } else if (*at == '\'' || *at == '"') {
        read_text(&token);
    }
    return token;
}

gboolean ws_expression_token_is(const WsToken *token, const char *spelling)
{
    gsize length = strlen(spelling);

    if (token->kind == WS_TOKEN_NAME)
        return token->length == length && strncmp(token->start, spelling, length) == 0;
    return token->kind == WS_TOKEN_SIGN && strncmp(token->start, spelling, length) == 0;
}
