/*
 * Words and marks of C++ text, one by one, with their places as clang gives them: comments and
 * literals are no tokens of interest, spliced lines are one line, and a directive of the
 * preprocessor is one token with its text. Text that clang has accepted; any other gives tokens
 * too.
 */
#ifndef WS_ISA_SOURCE_SOURCE_TOKENS_H
#define WS_ISA_SOURCE_SOURCE_TOKENS_H

#include <glib.h>

typedef enum {
    WS_SOURCE_END,
    WS_SOURCE_WORD,     /* identifier or keyword */
    WS_SOURCE_LITERAL,  /* number, string, character */
    WS_SOURCE_MARK,     /* punctuation: `mark` */
    WS_SOURCE_DIRECTIVE /* from '#' to the end of its last line */
} WsSourceTokenKind;

/* Marks of more than one character that matter; each other mark is its character. */
enum {
    WS_MARK_AND = 256, /* && */
    WS_MARK_OR,        /* || */
    WS_MARK_ASSIGN,    /* = and += -= and so on */
    WS_MARK_SCOPE,     /* :: */
    WS_MARK_OTHER      /* == <= -> ++ and so on */
};

typedef struct {
    WsSourceTokenKind kind;
    guint mark;
    const char *text;
    gsize length;
    guint32 line, column; /* from 1; columns count bytes */
} WsSourceToken;

typedef struct {
    const char *at, *end;
    const char *line_start;
    guint32 line;
    gboolean line_begins; /* no token yet in this line */
} WsSourceReader;

void ws_source_reader_init(WsSourceReader *reader, const char *text, gsize length);
/* The next token. FALSE at the end, where the token is WS_SOURCE_END with the last place. */
gboolean ws_source_next(WsSourceReader *reader, WsSourceToken *ret);
gboolean ws_source_is(const WsSourceToken *token, const char *word);
gboolean ws_source_is_mark(const WsSourceToken *token, guint mark);

#endif
