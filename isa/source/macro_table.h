/*
 * The macros that sources define, as far as branches go: clang gives all that comes out of a macro,
 * and its arguments, the place where its name is used.
 */
#ifndef WS_ISA_SOURCE_MACRO_TABLE_H
#define WS_ISA_SOURCE_MACRO_TABLE_H

#include "isa/bytecode/construct.h"
#include "isa/source/source_tokens.h"

typedef struct {
    gboolean takes_arguments;
    gboolean branches; /* its body, or that of a macro in it, holds what may branch */
    gboolean jumps;    /* break, continue, goto or return */
    /* FOR, WHILE or IF: the body is the head of such a statement, whose own body follows the use */
    WsConstructKind heads;
    GPtrArray *words; /* of the body (char*), as long as they are looked up */
} WsSourceMacro;

/* Adds the macros that `text` defines. One that is defined twice is all that its bodies are. */
void ws_macro_table_add(GHashTable *table, const char *text, gsize length);
/* Once all are there: what a macro holds by way of others. */
void ws_macro_table_finish(GHashTable *table);
GHashTable *ws_macro_table_new(void); /* char* -> WsSourceMacro* */
const WsSourceMacro *ws_macro_table_find(GHashTable *table, const WsSourceToken *token);
/* Whether a token is a statement or an operator that may branch. */
gboolean ws_source_branches(const WsSourceToken *token);

#endif
