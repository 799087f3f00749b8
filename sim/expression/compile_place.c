/* Compiling what lies somewhere: names, parts, elements, what pointers lead to. */
#include <string.h>

#include "sim/expression/compile_private.h"

gboolean ws_compiler_fail(WsCompiler *compiler, gsize offset, char *problem)
{
    g_free(compiler->problem);
    compiler->problem = problem;
    compiler->offset = offset;
    return FALSE;
}

gboolean ws_compiler_refuse(WsCompiler *compiler, gsize offset, const WsValueType *type,
                            const char *what)
{
    g_autofree char *name = ws_value_type_text(type);

    return ws_compiler_fail(compiler, offset,
                            g_strdup_printf("%s, not one of type '%s'", what, name));
}

static guint new_row(WsCompiler *compiler)
{
    return compiler->typed->row_count++;
}

/* Adds a step with a row of its own, and returns that. */
guint ws_compiler_add(WsCompiler *compiler, WsStep step)
{
    step.out = new_row(compiler);
    g_array_append_val(compiler->typed->steps, step);
    return step.out;
}

void ws_compiler_set_constant(WsCompiler *compiler, WsCompiled *item, WsBaseType type, guint64 bits)
{
    WsConstantRow constant = {new_row(compiler), bits};

    g_array_append_val(compiler->typed->constants, constant);
    *item = (WsCompiled){
        .type = ws_base_type(type), .row = constant.row, .is_constant = TRUE, .bits = bits};
}

/* The address of a place: a value of type `target` *. */
void ws_compiler_take_address(WsCompiler *compiler, WsCompiled *item, const WsValueType *target)
{
    guint zero = item->row;

    if (item->object != WS_NO_ROW) {
        guint begin =
            ws_compiler_add(compiler, (WsStep){.kind = WS_STEP_ADDRESS, .object = item->object});

        if (zero == WS_NO_ROW) {
            WsCompiled none;

            ws_compiler_set_constant(compiler, &none, WS_BASE_LONG, 0);
            zero = none.row;
        }
        item->row = ws_compiler_add(
            compiler,
            (WsStep){.kind = WS_STEP_OFFSET, .a = begin, .b = zero, .size = 1, .add = item->add});
    } else if (item->add != 0) {
        item->row = ws_compiler_add(compiler, (WsStep){.kind = WS_STEP_OFFSET,
                                                       .a = WS_NO_ROW,
                                                       .b = item->row,
                                                       .size = 1,
                                                       .add = item->add});
    }
    *item = (WsCompiled){.type = ws_pointer_type(compiler->typed->types, target), .row = item->row};
}

/* Makes a value of a node: loads what lies somewhere; an array is the address of its begin. */
gboolean ws_compiler_make_value(WsCompiler *compiler, guint node)
{
    WsCompiled *item = &compiler->items[node];

    if (!item->is_place)
        return TRUE;
    if (item->type->kind == WS_CTYPE_ARRAY) {
        ws_compiler_take_address(compiler, item, item->type->target);
        return TRUE;
    }
    if (!ws_value_type_is_scalar(item->type))
        return ws_compiler_refuse(compiler, ws_compiler_node(compiler, node)->offset, item->type,
                                  "a number or a pointer is expected");
    item->row = ws_compiler_add(compiler, (WsStep){.kind = WS_STEP_LOAD,
                                                   .object = item->object,
                                                   .type = item->type,
                                                   .a = item->row,
                                                   .add = item->add});
    *item = (WsCompiled){.type = item->type, .row = item->row};
    return TRUE;
}

guint ws_compiler_convert(WsCompiler *compiler, const WsCompiled *item, const WsValueType *type)
{
    if (item->type == type || (item->is_truth && type->kind == WS_CTYPE_BOOL))
        return item->row;
    if (item->is_constant) {
        WsConstantRow constant = {new_row(compiler), 0};
        WsRow from = {0}, to;

        ws_row_set_same(&from, item->bits);
        ws_row_convert(ws_arithmetic_of(item->type), &from, type, 1, &to);
        constant.bits = to.bits[0];
        g_array_append_val(compiler->typed->constants, constant);
        return constant.row;
    }
    return ws_compiler_add(compiler, (WsStep){.kind = WS_STEP_CONVERT,
                                              .class = ws_arithmetic_of(item->type),
                                              .a = item->row,
                                              .type = type});
}

/* ---- names and parts ----------------------------------------------------------------------------
 */

/* A reference stands for what it leads to. */
static void follow_reference(WsCompiler *compiler, WsCompiled *item)
{
    const WsValueType *type = item->type;
    guint row;

    if (type == NULL || !item->is_place || type->kind != WS_CTYPE_POINTER || !type->is_reference)
        return;
    row = ws_compiler_add(compiler, (WsStep){.kind = WS_STEP_LOAD,
                                             .object = item->object,
                                             .type = type,
                                             .a = item->row,
                                             .add = item->add});
    *item = (WsCompiled){.type = type->target, .is_place = TRUE, .object = WS_NO_ROW, .row = row};
}

static gboolean find_name(WsCompiler *compiler, guint index)
{
    const WsScope *scope = compiler->typed->scope;
    g_autofree char *path = ws_syntax_path(compiler->typed->syntax, index);
    WsObject object = {0};

    if (path == NULL || !scope->find(scope->data, path, &object))
        return FALSE;
    compiler->items[index] = (WsCompiled){.type = object.type,
                                          .is_place = TRUE,
                                          .object = compiler->typed->objects->len,
                                          .row = WS_NO_ROW};
    g_array_append_val(compiler->typed->objects, object);
    follow_reference(compiler, &compiler->items[index]);
    return TRUE;
}

static gboolean compile_part(WsCompiler *compiler, guint index, guint of)
{
    const WsNode *node = ws_compiler_node(compiler, index);
    WsCompiled *item = &compiler->items[of];
    g_autoptr(GString) names = g_string_new(NULL);

    if (item->type->kind != WS_CTYPE_STRUCT || !item->is_place)
        return ws_compiler_refuse(compiler, node->offset, item->type,
                                  "'.' and '->' are for parts of structs");
    for (guint i = 0; i < item->type->member_count; i++) {
        const WsValueMember *member = &item->type->members[i];

        g_string_append_printf(names, "%s%s", i == 0 ? "" : ", ", member->name);
        if (strcmp(member->name, node->text) != 0)
            continue;
        compiler->items[index] = *item;
        compiler->items[index].type = member->type;
        compiler->items[index].add += member->offset;
        follow_reference(compiler, &compiler->items[index]);
        return TRUE;
    }
    return ws_compiler_fail(
        compiler, node->offset,
        g_strdup_printf("'%s' has no '%s' (it has %s)",
                        item->type->name != NULL ? item->type->name : "the struct", node->text,
                        names->str));
}

/* A name with points in it, else a part of a struct. */
gboolean ws_compile_member(WsCompiler *compiler, guint index, gboolean is_part)
{
    const WsNode *node = ws_compiler_node(compiler, index);
    const WsScope *scope = compiler->typed->scope;
    g_autofree char *path = NULL;

    if (find_name(compiler, index) || (is_part && compiler->items[node->operand[0]].type == NULL))
        return TRUE;
    if (compiler->items[node->operand[0]].type != NULL)
        return compile_part(compiler, index, node->operand[0]);
    path = ws_syntax_path(compiler->typed->syntax, index);
    return ws_compiler_fail(compiler, node->start, scope->explain(scope->data, path));
}

/* The place that a pointer leads to, `of` being its node. */
gboolean ws_compiler_dereference(WsCompiler *compiler, guint of, gsize offset, WsCompiled *ret)
{
    const WsCompiled *item = &compiler->items[of];

    if (!ws_compiler_make_value(compiler, of))
        return FALSE;
    if (item->type->kind != WS_CTYPE_POINTER)
        return ws_compiler_refuse(compiler, offset, item->type,
                                  "a pointer or an array is expected");
    if (item->type->target->kind == WS_CTYPE_VOID)
        return ws_compiler_fail(compiler, offset, g_strdup("a void * leads to nothing: cast it"));
    *ret = (WsCompiled){
        .type = item->type->target, .is_place = TRUE, .object = WS_NO_ROW, .row = item->row};
    return TRUE;
}

gboolean ws_compile_arrow(WsCompiler *compiler, guint index)
{
    const WsNode *node = ws_compiler_node(compiler, index);
    WsCompiled to;

    if (!ws_compiler_dereference(compiler, node->operand[0], node->offset, &to))
        return FALSE;
    compiler->items[node->operand[0]] = to;
    return compile_part(compiler, index, node->operand[0]);
}

gboolean ws_compile_index(WsCompiler *compiler, guint index)
{
    const WsNode *node = ws_compiler_node(compiler, index);
    WsCompiled *of = &compiler->items[node->operand[0]], *by = &compiler->items[node->operand[1]];
    WsCompiled to = *of;

    if (!ws_compiler_make_value(compiler, node->operand[1]))
        return FALSE;
    if (!ws_value_type_is_whole(by->type))
        return ws_compiler_refuse(compiler, node->offset, by->type,
                                  "a whole number is expected in [ ]");
    if (of->is_place && of->type->kind == WS_CTYPE_ARRAY)
        to.type = of->type->target;
    else if (!ws_compiler_dereference(compiler, node->operand[0], node->offset, &to))
        return FALSE;
    to.row = ws_compiler_add(
        compiler,
        (WsStep){.kind = WS_STEP_OFFSET, .a = to.row, .b = by->row, .size = (gint64)to.type->size});
    compiler->items[index] = to;
    return TRUE;
}

/* A name that is none alone may be one with what follows its point. */
gboolean ws_compile_name(WsCompiler *compiler, guint index, gboolean is_part)
{
    const WsScope *scope = compiler->typed->scope;
    const WsNode *node = ws_compiler_node(compiler, index);

    if (find_name(compiler, index) || is_part)
        return TRUE;
    return ws_compiler_fail(compiler, node->offset, scope->explain(scope->data, node->text));
}
