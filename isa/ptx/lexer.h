/* Splits PTX text into tokens. Stateless but for the place in the text; holds nothing to free. */
#ifndef WS_ISA_PTX_LEXER_H
#define WS_ISA_PTX_LEXER_H

#include "isa/base/error.h"

typedef enum {
    WS_PTX_TOKEN_END,
    WS_PTX_TOKEN_NAME,    /* identifier, with % $ _; '%' alone is punctuation */
    WS_PTX_TOKEN_DOTTED,  /* .name, also .2d and .shared::cta; text without the first dot */
    WS_PTX_TOKEN_INTEGER, /* value */
    WS_PTX_TOKEN_FLOAT32, /* value: bits (0f...) */
    WS_PTX_TOKEN_FLOAT64, /* value: bits (0d... or decimal) */
    WS_PTX_TOKEN_STRING,  /* text without the quotes */
    WS_PTX_TOKEN_PUNCTUATION
} WsPtxTokenKind;

typedef struct {
    WsPtxTokenKind kind;
    const char *text; /* into the source, not terminated */
    gsize length;
    char punctuation;
    guint64 value;
    gboolean is_unsigned; /* an integer with U, or over the largest signed one of 64 bits */
    WsPosition position;
} WsPtxToken;

typedef struct {
    const char *at;
    const char *end;
    const char *counted; /* the column is known here */
    guint32 line;
    guint32 column;
    const char *path;
} WsPtxLexer;

void ws_ptx_lexer_init(WsPtxLexer *ret, const char *path, const char *text, gsize length);

/* The next token. Errors: WS_ERROR_INPUT, a character or number that PTX does not have. */
gboolean ws_ptx_lexer_next(WsPtxLexer *lexer, WsPtxToken *ret, GError **error);

#endif
