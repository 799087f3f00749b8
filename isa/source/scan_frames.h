/*
 * What a scan of constructs is in: brackets, statements and control statements inside of each
 * other.
 */
#ifndef WS_ISA_SOURCE_SCAN_FRAMES_H
#define WS_ISA_SOURCE_SCAN_FRAMES_H

#include "isa/source/construct_scan.h"
#include "isa/source/macro_table.h"

typedef enum {
    FRAME_BLOCK,     /* { ... }, of statements or values */
    FRAME_GROUP,     /* ( ... ) or [ ... ] */
    FRAME_STATEMENT, /* anything up to its ';' */
    FRAME_CONTROL    /* if, for, while, do, switch */
} FrameKind;

typedef enum {
    STATE_HEAD,        /* the bracket of the condition comes */
    STATE_BODY,        /* the statement of it comes */
    STATE_THEN_DONE,   /* `else` may come */
    STATE_ELSE,        /* its statement comes */
    STATE_AWAIT_WHILE, /* of do */
    STATE_DO_TAIL      /* its ';' comes */
} ControlState;

typedef struct {
    FrameKind kind;
    ControlState state;
    guint32 construct;    /* CONTROL; BLOCK: the function that it is the body of; else 0 */
    gboolean is_head;     /* GROUP: the condition of the control statement below */
    gboolean grouping;    /* GROUP: round an operand, not arguments */
    gboolean macro;       /* GROUP of a macro's arguments */
    gboolean is_case;     /* STATEMENT: up to the ':' of a case */
    gboolean in_function; /* BLOCK */
    gboolean boundary;    /* BLOCK: return and break in it do not leave it for what is around */
    guint words;          /* STATEMENT: tokens so far */
    gboolean class_like, assigned; /* STATEMENT: has the words of a class; has '=' */
    WsSourceToken name;            /* STATEMENT: the word before its last bracket of parameters */
    gboolean has_start;
    WsSourceToken start; /* GROUP, STATEMENT: where the expression begins that is read */
    gboolean start_calls, condition_calls; /* it is the name of a function that is called */
    WsSourceToken condition;               /* head: where it begins */
    WsSourceToken named; /* head of an if: the name that a declaration in it has */
} Frame;

/* The first branch of an #if that is done, so that all begin alike. */
typedef struct {
    GArray *at_start; /* of Frame */
    GArray *first;    /* at the end of the first branch, NULL before that */
    gboolean skip;    /* #if 0: nothing is read */
} Conditional;

typedef struct {
    guint32 construct;
    guint depth; /* of frames */
    gboolean colon;
} OpenTernary;

typedef struct {
    WsConstructScan *scan;
    GHashTable *macros;
    GArray *frames;       /* of Frame */
    GArray *ternaries;    /* of OpenTernary */
    GArray *conditionals; /* of Conditional */
    WsSourceToken before; /* the token before */
    WsSourceToken use;    /* a macro with arguments, whose bracket may come; kind END = none */
    gboolean use_branches, use_jumps;
    guint muted; /* brackets of macros' arguments around */
    gsize copied;
    gboolean given_up;
} Scanner;

Frame *ws_scan_top(const Scanner *scanner);
Frame *ws_scan_push(Scanner *scanner, FrameKind kind);
void ws_scan_pop(Scanner *scanner);
WsSourceConstruct *ws_scan_construct(const Scanner *scanner, guint32 index);
/* A construct that begins at `token`; its place is that of a branch only once it is registered. */
guint32 ws_scan_add(Scanner *scanner, WsConstructKind kind, const WsSourceToken *token);
void ws_scan_register(Scanner *scanner, guint32 construct, const WsSourceToken *token);

/* break, continue, goto, return: what they leave is marked. TRUE if it is one. */
gboolean ws_scan_jump(Scanner *scanner, const WsSourceToken *token);
void ws_scan_tangle(Scanner *scanner); /* all control statements around */

/* The statement on top has ended with `token`: so have those that it is the end of. */
void ws_scan_statement_done(Scanner *scanner, const WsSourceToken *token);

/* Operators of expressions: ?: && ||. */
void ws_scan_operator(Scanner *scanner, const WsSourceToken *token);
void ws_scan_end_ternaries(Scanner *scanner, const WsSourceToken *token);
/* TRUE if a ':' belongs to a '?'. */
gboolean ws_scan_ternary_colon(Scanner *scanner, const WsSourceToken *token);

/* A directive of the preprocessor. */
void ws_scan_directive(Scanner *scanner, const WsSourceToken *token);
gboolean ws_scan_skips(const Scanner *scanner); /* inside of #if 0 */

#endif
