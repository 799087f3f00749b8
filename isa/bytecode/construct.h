/*
 * What a branch is in the source: the statement or operator that a user wrote. Lanes that part in
 * one meet at its end, so a branch, a BSSY and a BSYNC each name one (WsLocation.construct).
 */
#ifndef WS_ISA_BYTECODE_CONSTRUCT_H
#define WS_ISA_BYTECODE_CONSTRUCT_H

#include <glib.h>

typedef enum {
    WS_CONSTRUCT_NONE,
    WS_CONSTRUCT_IF,
    WS_CONSTRUCT_FOR,
    WS_CONSTRUCT_WHILE,
    WS_CONSTRUCT_DO,
    WS_CONSTRUCT_SWITCH,
    WS_CONSTRUCT_CONDITIONAL, /* ?: */
    WS_CONSTRUCT_AND,
    WS_CONSTRUCT_OR,
    WS_CONSTRUCT_MACRO,     /* a use of the macro `name`, which holds branches */
    WS_CONSTRUCT_FUNCTION,  /* the body of the function `name`: where its returns lead */
    WS_CONSTRUCT_ROUND,     /* the body of the loop `parent`: where `continue` leads */
    WS_CONSTRUCT_REST,      /* what both sides of `parent` have in common at their ends */
    WS_CONSTRUCT_OPERATION, /* `name` of the PTX, which takes branches to compute */
    WS_CONSTRUCT_KINDS
} WsConstructKind;

typedef struct {
    WsConstructKind kind;
    guint32 file;     /* index into WsProgram.files */
    guint32 line;     /* of the word or operator that it begins with */
    guint32 end_line; /* last line of it; 0 = not known */
    guint32 parent;   /* the construct right around it, 0 = none */
    char *name;       /* MACRO, FUNCTION, OPERATION; else NULL */
    /* While a program is made: */
    guint32 meets;    /* the one at whose end lanes meet that part in this one, 0 = not known */
    gboolean returns; /* lanes of a kernel may end in it: the others meet at its end all the same */
} WsConstruct;

/* "while", "?:", "f()", "CLAMP": what a user calls it. Free with g_free. */
char *ws_construct_name(const WsConstruct *constructs, guint32 index);
gboolean ws_construct_is_loop(WsConstructKind kind);   /* for, while, do */
gboolean ws_construct_has_sides(WsConstructKind kind); /* if, switch, ?: */
void ws_constructs_free(WsConstruct *constructs, guint32 count);

#endif
