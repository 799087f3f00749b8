/* What the files of the PTX parser share. Not for users of the parser: see isa/ptx/ast.h. */
#ifndef WS_ISA_PTX_PARSER_H
#define WS_ISA_PTX_PARSER_H

#include "isa/ptx/ast.h"
#include "isa/ptx/lexer.h"

enum {
    WS_PTX_MAX_REGISTERS = 1 << 20,  /* of a function */
    WS_PTX_MAX_STATEMENTS = 1 << 20, /* of a module */
    WS_PTX_MAX_VARIABLES = 1 << 16,  /* of a module */
    WS_PTX_MAX_FUNCTIONS = 1 << 14,
    WS_PTX_MAX_SCOPES = 256,
    WS_PTX_MAX_OPERANDS = 64,     /* of a statement, elements of vectors included */
    WS_PTX_MAX_TARGETS = 1 << 20, /* labels of a .branchtargets */
    WS_PTX_MAX_ALIGN = 1024,
    WS_PTX_MAX_ALL_REGISTERS = 1 << 24, /* of all functions of a module */
    WS_PTX_MAX_BYTES = 64 << 20,        /* of a variable */
    WS_PTX_MAX_INITIAL_BYTES = 64 << 20 /* of all variables that are initialised */
};

/* .reg: one register, or `count` numbered ones ("%r<5>") when it is found by its prefix. */
typedef struct {
    guint32 first;
    guint32 count;
} WsPtxRegisterRange;

typedef struct {
    GHashTable *registers; /* name -> WsPtxRegisterRange*, single ones */
    GHashTable *ranges;    /* prefix -> WsPtxRegisterRange* */
    GHashTable *variables; /* name -> WsPtxVariable* */
    GHashTable *labels;    /* name -> label number + 1 */
    GArray *pending;       /* of guint32: operands that may be labels further down */
} WsPtxScope;

typedef struct {
    WsPtxModule *module;
    WsPtxLexer lexer;
    WsPtxToken token;
    WsPtxFunction *function; /* being parsed, or NULL */
    GPtrArray *scopes;       /* of WsPtxScope*, of the function */
    guint32 location;        /* of the last .loc */
    GHashTable *location_map;
    guint32 statement_count;
    guint32 variable_count;
    guint32 register_count; /* of all functions */
    guint64 initial_bytes;  /* of all variables that are initialised */
    GError **error;
} WsPtxParser;

/* Tokens. All return FALSE with the error set. */
gboolean ws_ptx_fail(WsPtxParser *parser, const WsPosition *position, const char *format, ...)
    G_GNUC_PRINTF(3, 4);
gboolean ws_ptx_advance(WsPtxParser *parser);
gboolean ws_ptx_expect(WsPtxParser *parser, char punctuation);
gboolean ws_ptx_is(const WsPtxParser *parser, char punctuation);
gboolean ws_ptx_is_dotted(const WsPtxParser *parser, const char *name);
gboolean ws_ptx_token_is(const WsPtxToken *token, const char *text);
/* Takes a punctuation if it is next; `ret_taken` says so. */
gboolean ws_ptx_accept(WsPtxParser *parser, char punctuation, gboolean *ret_taken);
const char *ws_ptx_intern(WsPtxParser *parser, const WsPtxToken *token);
gboolean ws_ptx_take_name(WsPtxParser *parser, const char *what, const char **ret);
gboolean ws_ptx_take_integer(WsPtxParser *parser, guint64 maximum, guint64 *ret);
/* Adds what follows '+', or begins with '-': a constant, as in "+8", "-4", "+-4", "+4*2". */
gboolean ws_ptx_take_offset(WsPtxParser *parser, guint64 *value);

/* The token behind the next one; FALSE if it is none of PTX. */
gboolean ws_ptx_peek(const WsPtxParser *parser, WsPtxToken *ret);
/* TRUE at a float, or at '-' in front of one, which this takes; `ret` gets its bits. */
gboolean ws_ptx_is_float(const WsPtxParser *parser);
gboolean ws_ptx_take_float(WsPtxParser *parser, gboolean *ret_wide, guint64 *ret);

/* isa/ptx/constant.c: an integer constant, which may be an expression. Not in declarations. */
gboolean ws_ptx_take_constant(WsPtxParser *parser, guint64 *ret);
/* TRUE at the integer constant WARP_SZ. */
gboolean ws_ptx_is_warp_size(const WsPtxParser *parser);

/* isa/ptx/declarations.c: .reg and variables; the token is the space. */
gboolean ws_ptx_parse_registers(WsPtxParser *parser);
gboolean ws_ptx_parse_variable(WsPtxParser *parser, gboolean is_extern, gboolean is_visible);
/* The type, name and array size of a parameter; the token is .param or .reg. */
gboolean ws_ptx_parse_parameter(WsPtxParser *parser, GPtrArray *list);
WsPtxVariable *ws_ptx_find_variable(const WsPtxParser *parser, const char *name);
gboolean ws_ptx_find_register(const WsPtxParser *parser, const char *name, guint32 *ret);

void ws_ptx_variable_free(gpointer variable);

/* isa/ptx/function.c: .entry and .func; the token is the word. */
gboolean ws_ptx_parse_function(WsPtxParser *parser);
gboolean ws_ptx_parse_location(WsPtxParser *parser);
gboolean ws_ptx_skip_section(WsPtxParser *parser);

/* isa/ptx/statement.c: one instruction, guard included. */
gboolean ws_ptx_parse_instruction(WsPtxParser *parser);
gboolean ws_ptx_parse_targets(WsPtxParser *parser);
WsPtxStatement *ws_ptx_new_statement(WsPtxParser *parser, WsPtxStatementKind kind);

#endif
