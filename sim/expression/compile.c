/* From a tree to the steps of an expression on lanes. */
#include <string.h>

#include "isa/base/float_bits.h"
#include "sim/expression/compile_private.h"

/* ---- classes ------------------------------------------------------------------------------------
 */

WsArithmetic ws_arithmetic_of(const WsValueType *type)
{
    if (type->kind == WS_CTYPE_POINTER)
        return WS_CLASS_U64;
    if (ws_value_type_is_float(type))
        return type->size == 8 ? WS_CLASS_F64 : WS_CLASS_F32;
    if (type->size == 8)
        return type->kind == WS_CTYPE_UNSIGNED ? WS_CLASS_U64 : WS_CLASS_S64;
    return type->size == 4 && type->kind == WS_CTYPE_UNSIGNED ? WS_CLASS_U32 : WS_CLASS_S32;
}

static const WsValueType *type_of_class(WsArithmetic class)
{
    static const WsBaseType types[] = {
        [WS_CLASS_S32] = WS_BASE_INT,   [WS_CLASS_U32] = WS_BASE_UNSIGNED,
        [WS_CLASS_S64] = WS_BASE_LONG,  [WS_CLASS_U64] = WS_BASE_UNSIGNED_LONG,
        [WS_CLASS_F32] = WS_BASE_FLOAT, [WS_CLASS_F64] = WS_BASE_DOUBLE};

    return ws_base_type(types[class]);
}

/* To the class that both are computed in. */
static guint convert_to_class(WsCompiler *compiler, const WsCompiled *item, WsArithmetic class)
{
    WsArithmetic own = ws_arithmetic_of(item->type);

    return own == class ? item->row : ws_compiler_convert(compiler, item, type_of_class(class));
}

/* ---- unary --------------------------------------------------------------------------------------
 */

static gboolean compile_unary(WsCompiler *compiler, guint index)
{
    const WsNode *node = ws_compiler_node(compiler, index);
    guint of = node->operand[0];
    WsCompiled *item = &compiler->items[of], *ret = &compiler->items[index];
    WsArithmetic class;

    if (node->operator== WS_OPERATOR_ADDRESS) {
        if (!item->is_place)
            return ws_compiler_fail(compiler, node->offset,
                                    g_strdup("only what has a name has an address"));
        *ret = *item;
        ws_compiler_take_address(compiler, ret, item->type);
        return TRUE;
    }
    if (node->operator== WS_OPERATOR_DEREFERENCE)
        return ws_compiler_dereference(compiler, of, node->offset, ret);
    if (!ws_compiler_make_value(compiler, of))
        return FALSE;
    class = ws_arithmetic_of(item->type);
    if ((item->type->kind == WS_CTYPE_POINTER && node->operator!= WS_OPERATOR_NOT) ||
        (class >= WS_CLASS_F32 && node->operator== WS_OPERATOR_INVERT))
        return ws_compiler_refuse(compiler, node->offset, item->type, "a number is expected");
    *ret = *item;
    ret->is_constant = FALSE;
    ret->is_truth = node->operator== WS_OPERATOR_NOT;
    if (node->operator== WS_OPERATOR_NOT)
        ret->type = ws_base_type(WS_BASE_INT);
    else
        ret->type = type_of_class(class);
    if (node->operator!= WS_OPERATOR_PLUS)
        ret->row = ws_compiler_add(compiler, (WsStep){.kind = WS_STEP_UNARY,
                                                      .operator= node->operator,
                                                      .class = class,
                                                      .a = item->row});
    return TRUE;
}

static gboolean compile_cast(WsCompiler *compiler, guint index)
{
    const WsNode *node = ws_compiler_node(compiler, index);
    const WsScope *scope = compiler->typed->scope;
    const WsCompiled *item = &compiler->items[node->operand[0]];
    const WsValueType *type = ws_base_type_by_name(node->text);

    if (type == NULL && scope->find_type != NULL)
        type = scope->find_type(scope->data, node->text);
    if (type == NULL)
        return ws_compiler_fail(compiler, node->offset,
                                g_strdup_printf("'%s' is no type", node->text));
    for (guint64 i = 0; i < node->number; i++)
        type = ws_pointer_type(compiler->typed->types, type);
    if (!ws_compiler_make_value(compiler, node->operand[0]))
        return FALSE;
    if (!ws_value_type_is_scalar(type) || (ws_value_type_is_float(type) && type->size < 4))
        return ws_compiler_refuse(compiler, node->offset, type,
                                  "casts are to numbers and pointers");
    if (type->kind == WS_CTYPE_POINTER && ws_value_type_is_float(item->type))
        return ws_compiler_refuse(compiler, node->offset, item->type, "an address is expected");
    compiler->items[index] = (WsCompiled){
        .type = type,
        .row = type->kind == WS_CTYPE_POINTER
                   ? ws_compiler_convert(compiler, item, ws_base_type(WS_BASE_UNSIGNED_LONG))
                   : ws_compiler_convert(compiler, item, type)};
    return TRUE;
}

/* ---- binary -------------------------------------------------------------------------------------
 */

static gboolean is_bits(WsOperator operator)
{
    return operator== WS_OPERATOR_BIT_AND || operator== WS_OPERATOR_BIT_OR || operator==
        WS_OPERATOR_BIT_XOR ||
        operator== WS_OPERATOR_REMAINDER ||
        operator== WS_OPERATOR_CEIL_DIV ||
        operator== WS_OPERATOR_SHIFT_LEFT ||
        operator== WS_OPERATOR_SHIFT_RIGHT;
}

/* Adds a step of two rows. */
static guint add_binary(WsCompiler *compiler, WsOperator operator, WsArithmetic class, guint a,
                        guint b)
{
    return ws_compiler_add(
        compiler,
        (WsStep){.kind = WS_STEP_BINARY, .operator= operator, .class = class, .a = a, .b = b});
}

/* pointer + n, pointer - n, pointer - pointer; comparisons of pointers are those of numbers. */
static gboolean compile_pointers(WsCompiler *compiler, const WsNode *node, const WsCompiled *a,
                                 const WsCompiled *b, WsCompiled *ret)
{
    gboolean both = a->type->kind == WS_CTYPE_POINTER && b->type->kind == WS_CTYPE_POINTER;
    const WsCompiled *pointer = a->type->kind == WS_CTYPE_POINTER ? a : b;
    const WsCompiled *number = pointer == a ? b : a;
    gint64 size = (gint64)pointer->type->target->size;
    guint row;

    if (both && node->operator== WS_OPERATOR_SUBTRACT) {
        WsCompiled sized;

        ws_compiler_set_constant(compiler, &sized, WS_BASE_LONG, (guint64)MAX(size, 1));
        row = add_binary(compiler, WS_OPERATOR_SUBTRACT, WS_CLASS_S64, a->row, b->row);
        row = add_binary(compiler, WS_OPERATOR_DIVIDE, WS_CLASS_S64, row, sized.row);
        *ret = (WsCompiled){.type = ws_base_type(WS_BASE_LONG), .row = row};
        return TRUE;
    }
    if (both || !ws_value_type_is_whole(number->type) ||
        (node->operator!=
         WS_OPERATOR_ADD &&(node->operator!= WS_OPERATOR_SUBTRACT || pointer == b)))
        return ws_compiler_refuse(compiler, node->offset, pointer->type, "a number is expected");
    row = ws_compiler_add(compiler,
                   (WsStep){.kind = WS_STEP_OFFSET,
                            .a = pointer->row,
                            .b = number->row,
                            .size = node->operator == WS_OPERATOR_SUBTRACT ? -size : size});
    *ret = (WsCompiled){.type = pointer->type, .row = row};
    return TRUE;
}

static gboolean compile_logic(WsCompiler *compiler, guint index)
{
    const WsNode *node = ws_compiler_node(compiler, index);
    WsCompiled *b = &compiler->items[node->operand[1]], *ret = &compiler->items[index];
    WsStep *only, end = {.kind = WS_STEP_LOGIC, .operator= node->operator};

    if (!ws_compiler_make_value(compiler, node->operand[1]))
        return FALSE;
    end.b = ws_compiler_convert(compiler, b, ws_base_type(WS_BASE_BOOL));
    only = &g_array_index(compiler->typed->steps, WsStep, ret->step);
    end.a = only->a;
    only->target = compiler->typed->steps->len;
    *ret = (WsCompiled){
        .type = ws_base_type(WS_BASE_INT), .row = ws_compiler_add(compiler, end), .is_truth = TRUE};
    return TRUE;
}

static gboolean compile_binary(WsCompiler *compiler, guint index)
{
    const WsNode *node = ws_compiler_node(compiler, index);
    WsCompiled *a = &compiler->items[node->operand[0]], *b = &compiler->items[node->operand[1]];
    WsCompiled *ret = &compiler->items[index];
    WsOperator operator= node->operator;
    gboolean compares = ws_operator_compares(operator);
    WsArithmetic class;

    if (operator== WS_OPERATOR_AND || operator== WS_OPERATOR_OR)
        return compile_logic(compiler, index);
    if (!ws_compiler_make_value(compiler, node->operand[0]) ||
        !ws_compiler_make_value(compiler, node->operand[1]))
        return FALSE;
    if ((a->type->kind == WS_CTYPE_POINTER || b->type->kind == WS_CTYPE_POINTER) && !compares)
        return compile_pointers(compiler, node, a, b, ret);
    class = ws_arithmetic_of(a->type);
    if (operator!= WS_OPERATOR_SHIFT_LEFT && operator!= WS_OPERATOR_SHIFT_RIGHT)
        class = MAX(class, ws_arithmetic_of(b->type));
    if (is_bits(operator) && (class >= WS_CLASS_F32 || ws_arithmetic_of(b->type) >= WS_CLASS_F32))
        return ws_compiler_refuse(compiler, node->offset,
                                  ws_value_type_is_float(a->type) ? a->type : b->type,
                                  "a whole number is expected");
    if (operator== WS_OPERATOR_SHIFT_LEFT || operator== WS_OPERATOR_SHIFT_RIGHT)
        ret->row = add_binary(compiler, operator, class, a->row, b->row);
    else
        ret->row = add_binary(compiler, operator, class, convert_to_class(compiler, a, class),
                              convert_to_class(compiler, b, class));
    *ret = (WsCompiled){.type = compares ? ws_base_type(WS_BASE_INT) : type_of_class(class),
                        .is_truth = compares,
                        .row = ret->row};
    return TRUE;
}

/* ---- ?: -----------------------------------------------------------------------------------------
 */

static gboolean compile_choice(WsCompiler *compiler, guint index)
{
    const WsNode *node = ws_compiler_node(compiler, index);
    WsCompiled *b = &compiler->items[node->operand[1]], *c = &compiler->items[node->operand[2]];
    WsCompiled *ret = &compiler->items[index];
    WsStep *only, end = {.kind = WS_STEP_ENDS}, choose = {.kind = WS_STEP_CHOOSE};
    WsArithmetic class;

    if (!ws_compiler_make_value(compiler, node->operand[2]))
        return FALSE;
    only = &g_array_index(compiler->typed->steps, WsStep, ret->step);
    only->target = compiler->typed->steps->len;
    choose.a = only->a;
    g_array_append_val(compiler->typed->steps, end);
    class = MAX(ws_arithmetic_of(b->type), ws_arithmetic_of(c->type));
    if (b->type->kind == WS_CTYPE_POINTER && c->type->kind == WS_CTYPE_POINTER) {
        choose.b = b->row;
        choose.c = c->row;
    } else if (b->type->kind == WS_CTYPE_POINTER || c->type->kind == WS_CTYPE_POINTER) {
        return ws_compiler_fail(compiler, node->offset,
                                g_strdup("both sides of : are numbers, or both are pointers"));
    } else {
        choose.b = convert_to_class(compiler, b, class);
        choose.c = convert_to_class(compiler, c, class);
    }
    *ret = (WsCompiled){.type = b->type->kind == WS_CTYPE_POINTER ? b->type : type_of_class(class),
                        .row = ws_compiler_add(compiler, choose)};
    return TRUE;
}

/* ---- what comes between the operands ------------------------------------------------------------
 */

/* Adds the step that lets only those lanes go on for which operand 0 of `index` is true, or not. */
static gboolean add_only(WsCompiler *compiler, guint index, WsStepKind kind)
{
    guint of = ws_compiler_node(compiler, index)->operand[0];
    WsCompiled *condition = &compiler->items[of];
    WsStep step = {.kind = kind};

    if (!ws_compiler_make_value(compiler, of))
        return FALSE;
    if (condition->type != ws_base_type(WS_BASE_BOOL)) {
        condition->row = ws_compiler_convert(compiler, condition, ws_base_type(WS_BASE_BOOL));
        condition->type = ws_base_type(WS_BASE_BOOL);
    }
    step.a = condition->row;
    compiler->items[index].step = compiler->typed->steps->len;
    g_array_append_val(compiler->typed->steps, step);
    return TRUE;
}

/* The right side of `index`, or the last one of ?:, begins. */
static gboolean begin_side(WsCompiler *compiler, guint index, guint node)
{
    const WsNode *of = ws_compiler_node(compiler, index);
    WsStep *only, end = {.kind = WS_STEP_ENDS};

    if (of->kind == WS_NODE_BINARY)
        return add_only(compiler, index,
                        of->operator== WS_OPERATOR_AND ? WS_STEP_ONLY_IF : WS_STEP_ONLY_UNLESS);
    if (node == ws_compiler_node(compiler, of->operand[1])->first)
        return add_only(compiler, index, WS_STEP_ONLY_IF);
    if (!ws_compiler_make_value(compiler, of->operand[1]))
        return FALSE;
    only = &g_array_index(compiler->typed->steps, WsStep, compiler->items[index].step);
    only->target = compiler->typed->steps->len;
    g_array_append_val(compiler->typed->steps, end);
    return add_only(compiler, index, WS_STEP_ONLY_UNLESS);
}

static void find_sides(WsCompiler *compiler)
{
    for (guint i = 0; i < compiler->typed->syntax->count; i++) {
        const WsNode *node = ws_compiler_node(compiler, i);

        if (node->kind == WS_NODE_CHOICE)
            compiler->ahead[ws_compiler_node(compiler, node->operand[2])->first] = i;
        if (node->kind == WS_NODE_CHOICE ||
            node->operator== WS_OPERATOR_AND || node->operator== WS_OPERATOR_OR)
            compiler->ahead[ws_compiler_node(compiler, node->operand[1])->first] = i;
    }
}

/* ---- nodes --------------------------------------------------------------------------------------
 */

/* C's types of numbers that are written down. */
static void compile_number(WsCompiler *compiler, const WsNode *node, WsCompiled *ret)
{
    guint64 value = node->number;
    gboolean wide = (node->suffix & WS_SUFFIX_LONG) != 0;
    gboolean is_unsigned = (node->suffix & WS_SUFFIX_UNSIGNED) != 0;
    gboolean may_be = is_unsigned || (node->suffix & WS_SUFFIX_HEX) != 0;
    WsBaseType type;

    if (!wide && !is_unsigned && value <= G_MAXINT32)
        type = WS_BASE_INT;
    else if (!wide && may_be && value <= G_MAXUINT32)
        type = WS_BASE_UNSIGNED;
    else
        type = !is_unsigned && value <= G_MAXINT64 ? WS_BASE_LONG : WS_BASE_UNSIGNED_LONG;
    ws_compiler_set_constant(compiler, ret, type, value);
}

static gboolean compile_text(WsCompiler *compiler, const WsNode *node, WsCompiled *ret)
{
    if (strlen(node->text) != 1)
        return ws_compiler_fail(compiler, node->offset,
                                g_strdup("one character is expected in quotes"));
    ws_compiler_set_constant(compiler, ret, WS_BASE_CHAR,
                             (guint64)(gint64)(signed char)*node->text);
    return TRUE;
}

static gboolean compile_real(WsCompiler *compiler, const WsNode *node, WsCompiled *ret)
{
    gboolean single = (node->suffix & WS_SUFFIX_FLOAT) != 0;

    ws_compiler_set_constant(compiler, ret, single ? WS_BASE_FLOAT : WS_BASE_DOUBLE,
                             ws_double_bits(single ? (double)(float)node->real : node->real));
    return TRUE;
}

static gboolean compile_node(WsCompiler *compiler, guint index, const gboolean *is_part)
{
    const WsNode *node = ws_compiler_node(compiler, index);
    WsCompiled *ret = &compiler->items[index];

    if (compiler->ahead[index] != 0 && !begin_side(compiler, compiler->ahead[index], index))
        return FALSE;
    switch (node->kind) {
    case WS_NODE_WHOLE:
        compile_number(compiler, node, ret);
        return TRUE;
    case WS_NODE_REAL:
        return compile_real(compiler, node, ret);
    case WS_NODE_TEXT:
        return compile_text(compiler, node, ret);
    case WS_NODE_NAME:
        return ws_compile_name(compiler, index, is_part[index]);
    case WS_NODE_MEMBER:
        return ws_compile_member(compiler, index, is_part[index]);
    case WS_NODE_ARROW:
        return ws_compile_arrow(compiler, index);
    case WS_NODE_INDEX:
        return ws_compile_index(compiler, index);
    case WS_NODE_CAST:
        return compile_cast(compiler, index);
    case WS_NODE_UNARY:
        return compile_unary(compiler, index);
    case WS_NODE_BINARY:
        return compile_binary(compiler, index);
    case WS_NODE_CHOICE:
        return compile_choice(compiler, index);
    case WS_NODE_MARK:
        break;
    }
    return ws_compiler_fail(compiler, node->offset, g_strdup("no function is called 'at' here"));
}

/* The root: of a place, where it is and then what it holds. */
static void finish(WsCompiler *compiler)
{
    WsTyped *typed = compiler->typed;
    guint root = typed->syntax->count - 1;
    const WsCompiled *item = &compiler->items[root];

    typed->type = item->type;
    typed->is_place = item->is_place;
    typed->object = item->is_place ? item->object : WS_NO_ROW;
    typed->place = item->row;
    typed->place_add = item->add;
    typed->load_step = typed->steps->len;
    typed->row = item->is_place ? WS_NO_ROW : item->row;
    if (item->is_place && ws_value_type_is_scalar(item->type) &&
        ws_compiler_make_value(compiler, root))
        typed->row = compiler->items[root].row;
}

gboolean ws_typed_compile(WsTyped *typed, char **ret_problem, gsize *ret_offset)
{
    guint count = typed->syntax->count;
    g_autofree WsCompiled *items = g_new0(WsCompiled, count);
    g_autofree guint *ahead = g_new0(guint, count);
    g_autofree gboolean *is_part = g_new0(gboolean, count);
    WsCompiler compiler = {.typed = typed, .items = items, .ahead = ahead};
    gboolean ok = TRUE;

    for (guint i = 0; i < count; i++)
        if (typed->syntax->nodes[i].kind == WS_NODE_MEMBER)
            is_part[typed->syntax->nodes[i].operand[0]] = TRUE;
    find_sides(&compiler);
    for (guint i = 0; i < count && ok; i++)
        ok = compile_node(&compiler, i, is_part);
    if (ok)
        finish(&compiler);
    *ret_problem = compiler.problem;
    *ret_offset = compiler.offset;
    return ok;
}
