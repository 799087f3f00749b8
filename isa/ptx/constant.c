/*
 * Constant expressions of integers (PTX ISA, "Constant Expressions"). Types and values are those of
 * ptxas 13.0, which an initialiser shows: % takes both sides for unsigned and gives an unsigned
 * number; & | ^ as + - * / are unsigned if one side is; ?: has the type of the side that it takes;
 * shifts count modulo 64; and a division by zero is refused wherever it stands.
 */
#include "isa/ptx/parser.h"

#include <string.h>

enum { MAX_DEPTH = 64, COUNT_MASK = 63, WARP_SIZE = 32 };

typedef struct {
    guint64 bits;
    gboolean is_unsigned;
} Constant;

typedef enum {
    NO_OPERATOR,
    LOGICAL_OR,
    LOGICAL_AND,
    OR,
    XOR,
    AND,
    EQUAL,
    NOT_EQUAL,
    LESS_EQUAL,
    GREATER_EQUAL,
    SHIFT_LEFT,
    SHIFT_RIGHT,
    LESS,
    GREATER,
    ADD,
    SUBTRACT,
    MULTIPLY,
    DIVIDE,
    REMAINDER
} Operator;

/* Those of two characters before those that begin them. */
static const struct {
    const char text[3];
    guint8 operation;
    guint8 level; /* binds the tighter the higher */
} operators[] = {{"||", LOGICAL_OR, 1}, {"&&", LOGICAL_AND, 2}, {"==", EQUAL, 6},
                 {"!=", NOT_EQUAL, 6},  {"<=", LESS_EQUAL, 7},  {">=", GREATER_EQUAL, 7},
                 {"<<", SHIFT_LEFT, 8}, {">>", SHIFT_RIGHT, 8}, {"|", OR, 3},
                 {"^", XOR, 4},         {"&", AND, 5},          {"<", LESS, 7},
                 {">", GREATER, 7},     {"+", ADD, 9},          {"-", SUBTRACT, 9},
                 {"*", MULTIPLY, 10},   {"/", DIVIDE, 10},      {"%", REMAINDER, 10}};

/* Number of the operator that comes next, or G_N_ELEMENTS (operators). */
static guint find_operator(const WsPtxParser *parser)
{
    const char *at = parser->token.text;
    gsize left = (gsize)(parser->lexer.end - at);
    guint n = 0;
    if (parser->token.kind != WS_PTX_TOKEN_PUNCTUATION)
        return G_N_ELEMENTS(operators);
    while (n < G_N_ELEMENTS(operators) &&
           (strlen(operators[n].text) > left ||
            memcmp(operators[n].text, at, strlen(operators[n].text)) != 0))
        n++;
    return n;
}

static gboolean divide(WsPtxParser *parser, const WsPosition *position, Operator operation,
                       Constant a, Constant b, Constant *ret)
{
    if (b.bits == 0)
        return ws_ptx_fail(parser, position, "division by zero");
    ret->is_unsigned |= operation == REMAINDER;
    if (operation == REMAINDER)
        ret->bits = a.bits % b.bits;
    else if (ret->is_unsigned)
        ret->bits = a.bits / b.bits;
    else /* the least number by -1 wraps around */
        ret->bits = b.bits == G_MAXUINT64 ? -a.bits : (guint64)((gint64)a.bits / (gint64)b.bits);
    return TRUE;
}

static gboolean is_less(Constant a, Constant b)
{
    return a.is_unsigned || b.is_unsigned ? a.bits < b.bits : (gint64)a.bits < (gint64)b.bits;
}

/* Operators that give 0 or 1. */
static gboolean compare(Operator operation, Constant a, Constant b, gboolean *ret)
{
    switch (operation) {
    case LOGICAL_OR:
        *ret = a.bits != 0 || b.bits != 0;
        return TRUE;
    case LOGICAL_AND:
        *ret = a.bits != 0 && b.bits != 0;
        return TRUE;
    case EQUAL:
    case NOT_EQUAL:
        *ret = (a.bits == b.bits) == (operation == EQUAL);
        return TRUE;
    case LESS:
    case GREATER_EQUAL:
        *ret = is_less(a, b) == (operation == LESS);
        return TRUE;
    case GREATER:
    case LESS_EQUAL:
        *ret = is_less(b, a) == (operation == GREATER);
        return TRUE;
    default:
        return FALSE;
    }
}

/* Arithmetic shift by 0 to 63. */
static guint64 shift_right(Constant a, guint count)
{
    guint64 sign = !a.is_unsigned && (gint64)a.bits < 0 ? G_MAXUINT64 : 0;
    return count == 0 ? a.bits : a.bits >> count | sign << (64 - count);
}

static gboolean apply(WsPtxParser *parser, const WsPosition *position, Operator operation,
                      Constant a, Constant b, Constant *ret)
{
    gboolean truth;
    if (compare(operation, a, b, &truth)) {
        *ret = (Constant){truth, FALSE};
        return TRUE;
    }
    ret->is_unsigned = a.is_unsigned || b.is_unsigned;
    switch (operation) {
    case OR:
        ret->bits = a.bits | b.bits;
        break;
    case XOR:
        ret->bits = a.bits ^ b.bits;
        break;
    case AND:
        ret->bits = a.bits & b.bits;
        break;
    case SHIFT_LEFT:
        *ret = (Constant){a.bits << (b.bits & COUNT_MASK), a.is_unsigned};
        break;
    case SHIFT_RIGHT:
        *ret = (Constant){shift_right(a, (guint)(b.bits & COUNT_MASK)), a.is_unsigned};
        break;
    case ADD:
        ret->bits = a.bits + b.bits;
        break;
    case SUBTRACT:
        ret->bits = a.bits - b.bits;
        break;
    case MULTIPLY:
        ret->bits = a.bits * b.bits;
        break;
    default:
        return divide(parser, position, operation, a, b, ret);
    }
    return TRUE;
}

static gboolean parse_choice(WsPtxParser *parser, guint depth, Constant *ret);

/* (x), and (.s64) or (.u64) in front of a unary expression: the '(' is taken. */
static gboolean parse_parenthesis(WsPtxParser *parser, guint depth, gboolean *ret_cast,
                                  Constant *ret)
{
    *ret_cast = parser->token.kind == WS_PTX_TOKEN_DOTTED;
    if (!*ret_cast)
        return parse_choice(parser, depth, ret) && ws_ptx_expect(parser, ')');
    ret->is_unsigned = ws_ptx_is_dotted(parser, "u64");
    if (!ret->is_unsigned && !ws_ptx_is_dotted(parser, "s64"))
        return ws_ptx_fail(parser, &parser->token.position, "only .s64 and .u64 can be cast to");
    return ws_ptx_advance(parser) && ws_ptx_expect(parser, ')');
}

gboolean ws_ptx_is_warp_size(const WsPtxParser *parser)
{
    return parser->token.kind == WS_PTX_TOKEN_NAME && ws_ptx_token_is(&parser->token, "WARP_SZ");
}

static gboolean parse_primary(WsPtxParser *parser, Constant *ret)
{
    if (ws_ptx_is_warp_size(parser)) {
        *(parser->function != NULL ? &parser->function->names_warp_size
                                   : &parser->module->names_warp_size) = TRUE;
        *ret = (Constant){WARP_SIZE, FALSE};
        return ws_ptx_advance(parser);
    }
    if (parser->token.kind == WS_PTX_TOKEN_FLOAT32 || parser->token.kind == WS_PTX_TOKEN_FLOAT64)
        return ws_ptx_fail(parser, &parser->token.position,
                           "a constant expression of floating-point numbers is not supported");
    ret->is_unsigned = parser->token.is_unsigned;
    return ws_ptx_take_integer(parser, G_MAXUINT64, &ret->bits);
}

static gboolean parse_unary(WsPtxParser *parser, guint depth, Constant *ret)
{
    char sign = parser->token.kind == WS_PTX_TOKEN_PUNCTUATION ? parser->token.punctuation : '\0';
    if (sign == '\0' || strchr("+-~!(", sign) == NULL)
        return parse_primary(parser, ret);
    if (depth >= MAX_DEPTH)
        return ws_ptx_fail(parser, &parser->token.position,
                           "constant expression of more than %d levels", MAX_DEPTH);
    gboolean cast = TRUE;
    Constant type = {0};
    if (!ws_ptx_advance(parser) ||
        (sign == '(' && !parse_parenthesis(parser, depth + 1, &cast, &type)))
        return FALSE;
    if (!cast) {
        *ret = type;
        return TRUE;
    }
    if (!parse_unary(parser, depth + 1, ret))
        return FALSE;
    if (sign == '(')
        ret->is_unsigned = type.is_unsigned;
    else if (sign == '-')
        ret->bits = -ret->bits;
    else if (sign == '~')
        *ret = (Constant){~ret->bits, TRUE};
    else if (sign == '!')
        *ret = (Constant){ret->bits == 0, FALSE};
    return TRUE;
}

/* Operators of at least `level`. */
static gboolean parse_binary(WsPtxParser *parser, guint depth, guint level, Constant *ret)
{
    if (!parse_unary(parser, depth, ret))
        return FALSE;
    for (guint n = find_operator(parser);
         n < G_N_ELEMENTS(operators) && operators[n].level >= level; n = find_operator(parser)) {
        Constant left = *ret, right;
        WsPosition position = parser->token.position;
        for (gsize i = 0; i < strlen(operators[n].text); i++)
            if (!ws_ptx_advance(parser))
                return FALSE;
        if (!parse_binary(parser, depth, operators[n].level + 1, &right) ||
            !apply(parser, &position, operators[n].operation, left, right, ret))
            return FALSE;
    }
    return TRUE;
}

static gboolean parse_choice(WsPtxParser *parser, guint depth, Constant *ret)
{
    gboolean question;
    Constant yes, no;
    if (depth >= MAX_DEPTH)
        return ws_ptx_fail(parser, &parser->token.position,
                           "constant expression of more than %d levels", MAX_DEPTH);
    if (!parse_binary(parser, depth, 0, ret) || !ws_ptx_accept(parser, '?', &question))
        return FALSE;
    if (!question)
        return TRUE;
    if (!parse_choice(parser, depth + 1, &yes) || !ws_ptx_expect(parser, ':') ||
        !parse_choice(parser, depth + 1, &no))
        return FALSE;
    *ret = ret->bits != 0 ? yes : no;
    return TRUE;
}

gboolean ws_ptx_take_constant(WsPtxParser *parser, guint64 *ret)
{
    Constant constant = {0};
    if (!parse_choice(parser, 0, &constant))
        return FALSE;
    *ret = constant.bits;
    return TRUE;
}
