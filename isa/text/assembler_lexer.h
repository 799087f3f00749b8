/* Tokens of assembly text (isa/text/assembler.h). */
#ifndef WS_ISA_TEXT_ASSEMBLER_LEXER_H
#define WS_ISA_TEXT_ASSEMBLER_LEXER_H

#include "isa/base/error.h"

typedef enum {
    WS_TOKEN_END,     /* of the text */
    WS_TOKEN_NEWLINE, /* or ";" */
    WS_TOKEN_WORD,    /* letters, digits, _ . $ %, not starting with a digit */
    WS_TOKEN_NUMBER,  /* as written, starting with a digit; no sign */
    WS_TOKEN_STRING,  /* without the quotes */
    WS_TOKEN_PUNCTUATION
} WsTokenKind;

typedef struct {
    WsTokenKind kind;
    const char *text; /* into the source, not terminated */
    guint32 length;
    guint32 line;
    guint32 column;
} WsToken;

/*
 * All tokens of the text (GArray of WsToken), END last. Errors: WS_ERROR_INPUT with position for
 * text that is not UTF-8, for stray characters, and for strings and comments that do not end.
 */
GArray *ws_assembler_tokens(const char *path, const char *text, gsize length, GError **error);

/* The text of a token as a string, to be freed. */
char *ws_token_text(const WsToken *token);
gboolean ws_token_is(const WsToken *token, char punctuation);

#endif
