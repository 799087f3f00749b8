/* Shared by the files of the assembler only. */
#ifndef WS_ISA_TEXT_ASSEMBLER_PRIVATE_H
#define WS_ISA_TEXT_ASSEMBLER_PRIVATE_H

#include "isa/bytecode/program.h"
#include "isa/text/assembler_lexer.h"

/* A label that an operand names, to be looked up when its kernel is complete. */
typedef struct {
    guint32 instruction;
    guint32 operand;
    const WsToken *token;
} WsLabelUse;

typedef struct {
    guint32 instruction;
    char *name;
} WsLabel;

typedef struct {
    guint32 line;
    guint32 column;
} WsTextPlace;

typedef struct {
    const char *path;
    const WsToken *tokens;
    guint at; /* next token */
    guint32 parameter_base;

    GArray *instructions; /* of WsInstruction */
    GArray *places;       /* of WsTextPlace, one an instruction */
    GArray *locations;    /* of WsLocation */
    GPtrArray *files;     /* of char* */
    GArray *symbols;      /* of WsSymbol */
    guint32 constant_bytes;
    guint64 module_bytes;

    GArray *kernels;    /* of WsKernel, the last one being written */
    GArray *parameters; /* of WsParameter, of the last kernel */
    gboolean in_kernel;
    gboolean manual;            /* .reconvergence manual */
    guint32 given_registers;    /* .registers, 0 = count */
    WsTextPlace kernel_place;   /* of the kernel's name */
    GHashTable *label_numbers;  /* name -> instruction number + 1, of the last kernel */
    GArray *label_uses;         /* of WsLabelUse, of the last kernel */
    GArray *labels;             /* of WsLabel, all kernels */
    gboolean single;            /* one instruction only: no labels, no kernels */
    guint32 loc_file, loc_line; /* .loc in force, line 0 = none */
} WsAssembler;

/* The next token, without taking it. */
const WsToken *ws_assembler_peek(const WsAssembler *assembler);
const WsToken *ws_assembler_take(WsAssembler *assembler);
/* Takes the token if it is this punctuation. */
gboolean ws_assembler_accept(WsAssembler *assembler, char punctuation);
/* The same; if it is another: "expected ',', found ...". */
gboolean ws_assembler_expect(WsAssembler *assembler, char punctuation, GError **error);
/* Sets an error at the token. Returns FALSE. */
gboolean ws_assembler_fail(const WsAssembler *assembler, const WsToken *token, GError **error,
                           const char *format, ...) G_GNUC_PRINTF(4, 5);
/* "expected WHAT, found ..." at the next token. Returns FALSE. */
gboolean ws_assembler_fail_expected(const WsAssembler *assembler, const char *what, GError **error);
/* Like ws_assembler_fail(), with "; did you mean X?" if a name of the list is near. */
gboolean ws_assembler_fail_unknown(const WsAssembler *assembler, const WsToken *token,
                                   const char *what, const char *const *names, GError **error);

/* assembler_operand.c */

typedef enum { WS_SHAPE_OPERAND, WS_SHAPE_LITERAL, WS_SHAPE_NAME } WsOperandShape;

/* An operand as it is written, before it is known which slot it fills. */
typedef struct {
    WsOperandShape shape;
    WsOperand operand;    /* OPERAND: all of it; else only the flags */
    char sign;            /* '-', '~' or '!' as written, else 0 */
    gboolean negative;    /* LITERAL: written with a minus */
    const WsToken *token; /* where it starts */
    const WsToken *value; /* LITERAL, NAME: the number or the name */
    const WsToken *low;   /* LITERAL of two halves, as SASS writes them: that of the low half */
    gboolean low_negative;
} WsParsedOperand;

gboolean ws_assembler_parse_operand(WsAssembler *assembler, WsParsedOperand *ret, GError **error);
/* A whole number with optional sign, between the bounds. */
gboolean ws_assembler_parse_integer(WsAssembler *assembler, gint64 minimum, gint64 maximum,
                                    gint64 *ret, GError **error);
/* "P3", "PT" (and so on) to its number; FALSE if the word is no register of this kind. */
gboolean ws_register_number(const char *word, const char *prefix, const char *zero,
                            guint32 zero_index, guint32 *ret);
/* TRUE if a label of this name could not be told from an operand. */
gboolean ws_word_is_register(const char *word);

/* assembler_literal.c */

/* The bits of an immediate for slot `n` of `instruction`, whose modifiers are known. */
gboolean ws_assembler_literal(WsAssembler *assembler, const WsParsedOperand *parsed,
                              const WsInstruction *instruction, guint n, guint32 *ret,
                              GError **error);
gboolean ws_token_integer(const WsToken *token, guint64 *ret);
/* A decimal number, INF or QNAN. */
gboolean ws_token_float(const WsToken *token, double *ret);

/* assembler_instruction.c: guard, mnemonic, operands, control; up to the end of the line. */
gboolean ws_assembler_parse_instruction(WsAssembler *assembler, WsInstruction *ret, GError **error);

/* assembler_directive.c: the next token is a word that starts with a dot. */
gboolean ws_assembler_parse_directive(WsAssembler *assembler, GError **error);
/* Closes the kernel being written. */
gboolean ws_assembler_end_kernel(WsAssembler *assembler, GError **error);
const WsParameter *ws_assembler_find_parameter(const WsAssembler *assembler, const char *name);
const WsSymbol *ws_assembler_find_symbol(const WsAssembler *assembler, const char *name);

#endif
