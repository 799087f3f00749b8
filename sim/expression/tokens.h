/* The words and signs of an expression, one at a time. Inside sim/expression/ only. */
#ifndef WS_SIM_EXPRESSION_TOKENS_H
#define WS_SIM_EXPRESSION_TOKENS_H

#include <glib.h>

typedef enum {
    WS_TOKEN_END,
    WS_TOKEN_WHOLE,
    WS_TOKEN_REAL,
    WS_TOKEN_TEXT,
    WS_TOKEN_NAME, /* also and, or, not */
    WS_TOKEN_SIGN  /* anything else: `start` points to it */
} WsTokenKind;

typedef struct {
    WsTokenKind kind;
    const char *start;
    gsize length; /* of a SIGN: 1, its operator may be longer */
    guint64 number;
    double real;
    guint suffix;        /* WS_SUFFIX_ */
    const char *problem; /* constant text: what is wrong with it, or NULL */
} WsToken;

/* The token at `at`, blanks in front left out. `after_point`: what follows "." or "->". */
WsToken ws_expression_token_at(const char *at, gboolean after_point);
/* Whether it is this sign or word. */
gboolean ws_expression_token_is(const WsToken *token, const char *spelling);

#endif
