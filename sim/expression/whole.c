#include "sim/expression/whole.h"

#include "sim/expression/syntax.h"

enum { MAX_SHIFT = 63 };

static const char too_large[] = "the result does not fit in 64 bits";

/* ---- operations -------------------------------------------------------------------------------
 */

/* Sets *ret from a and b, and returns NULL or what is wrong. */
static const char *divide(gint64 a, gint64 b, gint64 *ret)
{
    if (b == 0)
        return "division by zero";
    if (b == -1)
        return __builtin_sub_overflow((gint64)0, a, ret) ? too_large : NULL;
    *ret = a / b;
    return NULL;
}

static const char *divide_exactly(gint64 a, gint64 b, gint64 *ret)
{
    const char *problem = divide(a, b, ret);

    if (problem == NULL && *ret * b != a)
        return "the division leaves a remainder; only whole numbers can be computed";
    return problem;
}

static const char *divide_up(gint64 a, gint64 b, gint64 *ret)
{
    const char *problem = divide(a, b, ret);

    if (problem == NULL && *ret * b != a && (a < 0) == (b < 0))
        ++*ret;
    return problem;
}

static const char *shift(WsOperator operator, gint64 a, gint64 b, gint64 *ret)
{
    if (b < 0 || b > MAX_SHIFT)
        return "a shift is from 0 to 63";
    if (operator== WS_OPERATOR_SHIFT_RIGHT) {
        *ret = a >> b;
        return NULL;
    }
    *ret = (gint64)((guint64)a << b);
    return *ret >> b == a ? NULL : too_large;
}

static const char *remainder_of(gint64 a, gint64 b, gint64 *ret)
{
    if (b == 0)
        return "division by zero";
    *ret = b == -1 ? 0 : a % b;
    return NULL;
}

static gint64 compare(WsOperator operator, gint64 a, gint64 b)
{
    switch (operator) {
    case WS_OPERATOR_EQUAL:
        return a == b;
    case WS_OPERATOR_NOT_EQUAL:
        return a != b;
    case WS_OPERATOR_LESS:
        return a < b;
    case WS_OPERATOR_LESS_OR_EQUAL:
        return a <= b;
    case WS_OPERATOR_GREATER:
        return a > b;
    default:
        return a >= b;
    }
}

static const char *apply_binary(WsOperator operator, gint64 a, gint64 b, gint64 *ret)
{
    switch (operator) {
    case WS_OPERATOR_ADD:
        return __builtin_add_overflow(a, b, ret) ? too_large : NULL;
    case WS_OPERATOR_SUBTRACT:
        return __builtin_sub_overflow(a, b, ret) ? too_large : NULL;
    case WS_OPERATOR_MULTIPLY:
        return __builtin_mul_overflow(a, b, ret) ? too_large : NULL;
    case WS_OPERATOR_DIVIDE:
        return divide(a, b, ret);
    case WS_OPERATOR_REMAINDER:
        return remainder_of(a, b, ret);
    case WS_OPERATOR_CEIL_DIV:
        return divide_up(a, b, ret);
    case WS_OPERATOR_SHIFT_LEFT:
    case WS_OPERATOR_SHIFT_RIGHT:
        return shift(operator, a, b, ret);
    case WS_OPERATOR_MIN:
        *ret = MIN(a, b);
        return NULL;
    case WS_OPERATOR_MAX:
        *ret = MAX(a, b);
        return NULL;
    case WS_OPERATOR_BIT_AND:
        *ret = a & b;
        return NULL;
    case WS_OPERATOR_BIT_OR:
        *ret = a | b;
        return NULL;
    case WS_OPERATOR_BIT_XOR:
        *ret = a ^ b;
        return NULL;
    default:
        *ret = compare(operator, a, b);
        return NULL;
    }
}

static const char *apply_unary(WsOperator operator, gint64 a, gint64 *ret)
{
    *ret = a;
    switch (operator) {
    case WS_OPERATOR_NEGATE:
        return __builtin_sub_overflow((gint64)0, a, ret) ? too_large : NULL;
    case WS_OPERATOR_INVERT:
        *ret = ~a;
        return NULL;
    case WS_OPERATOR_NOT:
        *ret = a == 0;
        return NULL;
    default:
        return NULL;
    }
}

/* ---- trees ------------------------------------------------------------------------------------
 */

/* Of a node. */
typedef struct {
    gint64 value;
    char *problem; /* why it has none, or NULL */
    gsize offset;
    gboolean is_part; /* of a name with points in it */
} Value;

static void copy_problem(const Value *from, Value *to)
{
    to->problem = g_strdup(from->problem);
    to->offset = from->offset;
}

static void set_problem(Value *to, const char *problem, gsize offset)
{
    to->problem = g_strdup(problem);
    to->offset = offset;
}

/* What does not have a value is left out where the other side decides. */
static void evaluate_logic(const WsNode *node, const Value *left, const Value *right, Value *ret)
{
    gboolean is_or = node->operator== WS_OPERATOR_OR;

    if (left->problem != NULL)
        copy_problem(left, ret);
    else if ((left->value != 0) == is_or)
        ret->value = is_or;
    else if (right->problem != NULL)
        copy_problem(right, ret);
    else
        ret->value = right->value != 0;
}

static void evaluate_binary(const WsNode *node, WsDivision division, const Value *left,
                            const Value *right, Value *ret)
{
    const char *problem;

    if (node->operator== WS_OPERATOR_AND || node->operator== WS_OPERATOR_OR) {
        evaluate_logic(node, left, right, ret);
        return;
    }
    if (left->problem != NULL || right->problem != NULL) {
        copy_problem(left->problem != NULL ? left : right, ret);
        return;
    }
    problem = node->operator== WS_OPERATOR_DIVIDE && division == WS_DIVIDE_EXACT
                  ? divide_exactly(left->value, right->value, &ret->value)
                  : apply_binary(node->operator, left->value, right->value, &ret->value);
    if (problem != NULL)
        set_problem(ret, problem, node->offset);
}

static void evaluate_name(const WsSyntax *syntax, guint index, const WsNames *names, Value *ret)
{
    g_autofree char *path = ws_syntax_path(syntax, index);

    if (path == NULL) {
        set_problem(ret, "a name is expected in front of the point", syntax->nodes[index].offset);
        return;
    }
    ret->problem = names->find(names->data, path, &ret->value);
    ret->offset = syntax->nodes[index].start;
}

static void evaluate_number(const WsNode *node, Value *ret)
{
    ret->value = (gint64)node->number;
    if (node->kind == WS_NODE_REAL)
        set_problem(ret, "a whole number is expected", node->offset);
    else if (node->number > G_MAXINT64)
        set_problem(ret, "the number does not fit in 64 bits", node->offset);
}

static void evaluate_node(const WsSyntax *syntax, guint index, const WsNames *names,
                          WsDivision division, Value *values)
{
    const WsNode *node = &syntax->nodes[index];
    const Value *left = &values[node->operand[0]], *right = &values[node->operand[1]];
    Value *ret = &values[index];
    const char *problem;

    switch (node->kind) {
    case WS_NODE_WHOLE:
    case WS_NODE_REAL:
        evaluate_number(node, ret);
        break;
    case WS_NODE_NAME:
    case WS_NODE_MEMBER:
        if (!ret->is_part)
            evaluate_name(syntax, index, names, ret);
        break;
    case WS_NODE_UNARY:
        problem = left->problem == NULL ? apply_unary(node->operator, left->value, &ret->value)
                                        : left->problem;
        if (problem != NULL)
            set_problem(ret, problem, left->problem == NULL ? node->offset : left->offset);
        break;
    case WS_NODE_BINARY:
        evaluate_binary(node, division, left, right, ret);
        break;
    case WS_NODE_CHOICE:
        if (left->problem == NULL && left->value == 0)
            right = &values[node->operand[2]];
        if (left->problem != NULL || right->problem != NULL)
            copy_problem(left->problem != NULL ? left : right, ret);
        ret->value = right->value;
        break;
    default:
        set_problem(ret, "at() has no meaning here", node->offset);
        break;
    }
}

char *ws_expression_evaluate(const char *text, const WsNames *names, WsDivision division,
                             gint64 *ret, gsize *ret_offset)
{
    char *problem = NULL;
    g_autoptr(WsSyntax) syntax = ws_syntax_parse(text, NULL, &problem, ret_offset);
    g_autofree Value *values = NULL;
    Value *root;

    if (syntax == NULL)
        return problem;
    values = g_new0(Value, syntax->count);
    for (guint i = 0; i < syntax->count; i++)
        if (syntax->nodes[i].kind == WS_NODE_MEMBER)
            values[syntax->nodes[i].operand[0]].is_part = TRUE;
    for (guint i = 0; i < syntax->count; i++)
        evaluate_node(syntax, i, names, division, values);
    root = &values[syntax->count - 1];
    *ret = root->value;
    *ret_offset = root->offset;
    problem = g_steal_pointer(&root->problem);
    for (guint i = 0; i < syntax->count; i++)
        g_free(values[i].problem);
    return problem;
}
