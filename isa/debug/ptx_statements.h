/* The statements of PTX functions, line by line, with the registers that they write. */
#ifndef WS_ISA_DEBUG_PTX_STATEMENTS_H
#define WS_ISA_DEBUG_PTX_STATEMENTS_H

#include <glib.h>

typedef struct {
    guint32 line;                           /* of the PTX, 1 on */
    const char *mnemonic;                   /* "add" of "add.s32" */
    guint32 first_register, register_count; /* that it writes, in `registers` */
} WsPtxLine;

typedef struct {
    char *name;
    guint32 first, count; /* in `lines` */
} WsPtxFunctionLines;

typedef struct {
    GArray *functions;    /* of WsPtxFunctionLines, those that have a body */
    GArray *lines;        /* of WsPtxLine: what stands in inline assembly is left out */
    GPtrArray *registers; /* of char*: "%r5"; those without a number, as %SP, are left out */
    GStringChunk *mnemonics;
} WsPtxStatements;

/* Any text will do, of one statement a line, as LLVM writes it. */
WsPtxStatements *ws_ptx_statements_new(const char *ptx);
void ws_ptx_statements_free(WsPtxStatements *statements);

/*
 * Lines of two texts of the same code: by line of `ptx`, 1 on, the line of the same statement in
 * `other`, and in front of a statement that one's; 0 in functions whose statements are not the
 * same, and outside of functions. Free with g_free. `ret_count` gets the number of lines.
 */
guint32 *ws_ptx_match_lines(const char *ptx, const char *other, guint32 *ret_count);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(WsPtxStatements, ws_ptx_statements_free)

#endif
