#include "sim/expression/real.h"

#include <math.h>

static gboolean is_known(WsOperator operator)
{
    switch (operator) {
    case WS_OPERATOR_INVERT:
    case WS_OPERATOR_BIT_AND:
    case WS_OPERATOR_BIT_OR:
    case WS_OPERATOR_BIT_XOR:
    case WS_OPERATOR_SHIFT_LEFT:
    case WS_OPERATOR_SHIFT_RIGHT:
        return FALSE;
    default:
        return TRUE;
    }
}

char *ws_real_check(const WsSyntax *syntax, gsize *ret_offset)
{
    for (guint i = 0; i < syntax->count; i++) {
        const WsNode *node = &syntax->nodes[i];
        gboolean has_operator = node->kind == WS_NODE_UNARY || node->kind == WS_NODE_BINARY;

        *ret_offset = node->offset;
        if (has_operator && !is_known(node->operator))
            return g_strdup("figures are numbers with a point: & | ^ ~ << >> have no meaning here");
    }
    return NULL;
}

gboolean ws_real_is_condition(const WsSyntax *syntax)
{
    g_autofree gboolean *condition = g_new0(gboolean, syntax->count);

    for (guint i = 0; i < syntax->count; i++) {
        const WsNode *node = &syntax->nodes[i];

        if (node->kind == WS_NODE_CHOICE)
            condition[i] = condition[node->operand[1]] && condition[node->operand[2]];
        else
            condition[i] =
                ws_operator_compares(node->operator) ||
                node->operator== WS_OPERATOR_AND || node->operator== WS_OPERATOR_OR || node->
                operator== WS_OPERATOR_NOT;
    }
    return condition[syntax->count - 1];
}

static double apply_binary(WsOperator operator, double a, double b)
{
    switch (operator) {
    case WS_OPERATOR_ADD:
        return a + b;
    case WS_OPERATOR_SUBTRACT:
        return a - b;
    case WS_OPERATOR_MULTIPLY:
        return a * b;
    case WS_OPERATOR_DIVIDE:
        return b == 0 ? (double)NAN : a / b;
    case WS_OPERATOR_CEIL_DIV:
        return b == 0 ? (double)NAN : ceil(a / b);
    case WS_OPERATOR_REMAINDER:
        return b == 0 ? (double)NAN : fmod(a, b);
    case WS_OPERATOR_MIN:
        return a < b ? a : b;
    case WS_OPERATOR_MAX:
        return a > b ? a : b;
    case WS_OPERATOR_LESS_OR_EQUAL:
        return a <= b;
    case WS_OPERATOR_LESS:
        return a < b;
    case WS_OPERATOR_GREATER_OR_EQUAL:
        return a >= b;
    case WS_OPERATOR_GREATER:
        return a > b;
    case WS_OPERATOR_EQUAL:
        return a == b;
    case WS_OPERATOR_NOT_EQUAL:
        return a != b;
    case WS_OPERATOR_AND:
        return a != 0 && b != 0;
    default:
        return a != 0 || b != 0;
    }
}

static double apply_unary(WsOperator operator, double a)
{
    if (operator== WS_OPERATOR_NOT)
        return a == 0;
    return operator== WS_OPERATOR_NEGATE ? -a : a;
}

double ws_real_evaluate(const WsSyntax *syntax, const double *names)
{
    g_autofree double *values = g_new0(double, syntax->count);

    for (guint i = 0; i < syntax->count; i++) {
        const WsNode *node = &syntax->nodes[i];
        double a = values[node->operand[0]], b = values[node->operand[1]];

        switch (node->kind) {
        case WS_NODE_WHOLE:
            values[i] = (double)node->number;
            break;
        case WS_NODE_REAL:
            values[i] = node->real;
            break;
        case WS_NODE_UNARY:
            values[i] = isnan(a) ? a : apply_unary(node->operator, a);
            break;
        case WS_NODE_BINARY:
            values[i] = isnan(a) || isnan(b) ? (double)NAN : apply_binary(node->operator, a, b);
            break;
        case WS_NODE_CHOICE:
            values[i] = isnan(a) ? a : a != 0 ? b : values[node->operand[2]];
            break;
        default:
            values[i] = names[i];
            break;
        }
    }
    return values[syntax->count - 1];
}
