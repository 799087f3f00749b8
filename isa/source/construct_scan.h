/*
 * The statements and operators of a C++ text that may branch, with the places that clang gives
 * their branches, where they end and where control leaves them early.
 *
 * It is no parser: it follows brackets, statements and the words of control flow, in text that
 * clang has taken, over both sides of #if. What it cannot follow has no construct, or one whose end
 * is not known.
 */
#ifndef WS_ISA_SOURCE_CONSTRUCT_SCAN_H
#define WS_ISA_SOURCE_CONSTRUCT_SCAN_H

#include "isa/bytecode/construct.h"

typedef struct {
    WsConstructKind kind;
    guint32 line, column;
    guint32 end_line, end_column; /* its last token; 0 = not known */
    guint32 parent; /* the one around it, 0 = none; of && and || in a condition, what that is for */
    gboolean
        in_condition;  /* && and ||: of the parent's condition, so that lanes meet where its do */
    guint32 breaks_to; /* the loop or switch around it that a `break` in it leaves, 0 = none */
    guint32 continues_to; /* the loop around it that a `continue` in it goes on with */
    guint32 last_break_line, last_break_column; /* of the breaks that leave it */
    gboolean returns;                           /* a `return` leaves it */
    gboolean tangled; /* goto, labels, or macros that jump: where it ends says nothing */
    /* The function that its condition begins with a call of: clang gives branches in it that place.
     */
    char *callee;
    char *name; /* MACRO, FUNCTION */
} WsSourceConstruct;

typedef struct {
    GArray *constructs; /* of WsSourceConstruct; [0] is none; outer ones before inner ones */
    GHashTable
        *places; /* line and column, ws_source_place_key() -> index, or WS_SEVERAL_CONSTRUCTS */
} WsConstructScan;

enum { WS_SEVERAL_CONSTRUCTS = G_MAXUINT32 };

/*
 * `macros`: of all files of the program (isa/source/macro_table.h). Never NULL; without constructs
 * where the text names its lines otherwise (#line), or is nested too deeply.
 */
WsConstructScan *ws_construct_scan(const char *text, gsize length, GHashTable *macros);
void ws_construct_scan_free(WsConstructScan *scan);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(WsConstructScan, ws_construct_scan_free)

/* The construct whose branch clang places there; 0 if it is none, or may be one of several. */
guint32 ws_construct_scan_find(const WsConstructScan *scan, guint32 line, guint32 column);

#endif
