/*
 * The grammar of all expressions: of launch files, of gates, of breakpoints and of what is printed.
 * It is C's, with words beside the signs and a few functions. Weakest first:
 *
 *   a ? b : c                        groups from right to left
 *   a || b     a or b
 *   a && b     a and b
 *   not a                            weaker than a comparison: not a == b is not (a == b)
 *   a | b
 *   a ^ b
 *   a & b
 *   a == b     a != b
 *   a < b      a <= b   a > b   a >= b
 *   a << b     a >> b
 *   a + b      a - b
 *   a * b      a / b    a % b
 *   -a  +a  !a  ~a  *a  &a  (TYPE) a
 *   a.m  a->m  a[b]
 *   (a)  min(a, b)  max(a, b)  ceil_div(a, b)  at('text')  NAME  NUMBER  'c'
 *
 *   NUMBER  decimal or 0x hexadecimal, without leading zeros; with u, l, ul, ll, ull behind it; or
 *           with a point or an exponent, and f behind it
 *   NAME    letters, digits and _, a letter or _ first; what follows a point may begin with a digit
 *   TYPE    int, unsigned, float ... and other types that the caller knows, with * behind it
 *
 * A comparison of a comparison (a < b < c) is refused: C gives it a meaning that nobody wants. What
 * an operator computes is up to whoever evaluates: whole.h, real.h, typed.h. A text has at most
 * 1000 bytes and 64 operations that wait for their right side, so no input runs away.
 */
#ifndef WS_SIM_EXPRESSION_SYNTAX_H
#define WS_SIM_EXPRESSION_SYNTAX_H

#include <glib.h>

enum { WS_EXPRESSION_BYTES = 1000, WS_EXPRESSION_DEPTH = 64 };

typedef enum {
    WS_OPERATOR_NONE,
#define UNARY(name, sign)                    WS_OPERATOR_##name,
#define BINARY(name, sign, word, precedence) WS_OPERATOR_##name,
#define FUNCTION(name, spelling)             WS_OPERATOR_##name,
#include "sim/expression/operators.def"
#undef UNARY
#undef BINARY
#undef FUNCTION
} WsOperator;

/* == != < <= > >= */
static inline gboolean ws_operator_compares(WsOperator operator)
{
    return operator>= WS_OPERATOR_EQUAL && operator<= WS_OPERATOR_GREATER_OR_EQUAL;
}

typedef enum {
    WS_NODE_WHOLE,  /* a whole number: `number`, `suffix` */
    WS_NODE_REAL,   /* a number with a point or exponent: `real`, `suffix` */
    WS_NODE_TEXT,   /* 'text' or "text": `text` is what stands inside */
    WS_NODE_NAME,   /* `text` */
    WS_NODE_MEMBER, /* operand 0 . text */
    WS_NODE_ARROW,  /* operand 0 -> text */
    WS_NODE_INDEX,  /* operand 0 [ operand 1 ] */
    WS_NODE_MARK,   /* at(operand 0) */
    WS_NODE_CAST,   /* (text) operand 0, with `number` stars behind the text */
    WS_NODE_UNARY,  /* `operator` of operand 0 */
    WS_NODE_BINARY, /* of operands 0 and 1; functions of two values too */
    WS_NODE_CHOICE  /* operand 0 ? operand 1 : operand 2 */
} WsNodeKind;

/* What stands behind a number. */
enum { WS_SUFFIX_UNSIGNED = 1, WS_SUFFIX_LONG = 2, WS_SUFFIX_FLOAT = 4, WS_SUFFIX_HEX = 8 };

typedef struct {
    WsNodeKind kind;
    WsOperator operator;
    guint operand[3]; /* indices of other nodes, all of them below that of this one */
    guint first;      /* the least index in its subtree, which reaches from there to the node */
    gsize offset;     /* byte that messages are about: of the operator, or of the operand */
    gsize start, end; /* bytes of the whole, parentheses around it left out */
    char *text;
    guint64 number;
    double real;
    guint suffix;
    gboolean enclosed; /* parentheses are around it */
} WsNode;

/* A tree whose nodes stand behind their operands: the root is the last one. */
typedef struct {
    char *text;
    WsNode *nodes;
    guint count;
} WsSyntax;

/* Which names stand for types in casts. */
typedef struct {
    gboolean (*is_type)(gconstpointer data, const char *name);
    gconstpointer data;
} WsTypeNames;

/*
 * `types`: NULL = nothing has an address: there are no casts, [ ], ->, unary * and &, nor 'c'.
 * Returns NULL with what is wrong in `ret_problem`, to be freed, and the byte of `text` that it is
 * about in `ret_offset`.
 */
WsSyntax *ws_syntax_parse(const char *text, const WsTypeNames *types, char **ret_problem,
                          gsize *ret_offset);
void ws_syntax_free(WsSyntax *syntax);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(WsSyntax, ws_syntax_free)

/* "a.b.c" of a name and the members behind it; NULL if the node is something else. g_free. */
char *ws_syntax_path(const WsSyntax *syntax, guint node);

/* and, or, not: NULL-terminated. */
extern const char *const ws_expression_words[];

/* Whether one of the NULL-terminated `names` stands in `text`. */
gboolean ws_expression_mentions(const char *text, const char *const *names);
/* Whether `text` may be the name of a value: it is no word of the grammar, and has no dot. */
gboolean ws_expression_is_name(const char *text);

#endif
