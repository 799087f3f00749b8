/* Compiling an expression: what its files share. Inside sim/expression/ only. */
#ifndef WS_SIM_EXPRESSION_COMPILE_PRIVATE_H
#define WS_SIM_EXPRESSION_COMPILE_PRIVATE_H

#include "sim/expression/typed_private.h"

/* What a node has come to. */
typedef struct {
    const WsValueType *type; /* NULL: the node is part of a name */
    gboolean is_place;
    guint object; /* of a place */
    guint row;    /* of the value, or of the bytes of a place; WS_NO_ROW: all in `add` */
    gint64 add;
    gboolean is_constant; /* `bits` are known */
    guint64 bits;
    gboolean is_truth; /* 0 or 1, whatever the type */
    guint step;        /* that waits for the end of this node: an ONLY */
} WsCompiled;

typedef struct {
    WsTyped *typed;
    WsCompiled *items; /* by node */
    guint *ahead;      /* by node: the operator node whose right side begins there, or 0 */
    char *problem;
    gsize offset;
} WsCompiler;

static inline const WsNode *ws_compiler_node(const WsCompiler *compiler, guint index)
{
    return &compiler->typed->syntax->nodes[index];
}

/* FALSE, with what is wrong at a byte; the same with "...: not one of type 'float'" behind it. */
gboolean ws_compiler_fail(WsCompiler *compiler, gsize offset, char *problem);
gboolean ws_compiler_refuse(WsCompiler *compiler, gsize offset, const WsValueType *type,
                            const char *what);
/* Adds a step with a row of its own, and returns that. */
guint ws_compiler_add(WsCompiler *compiler, WsStep step);
void ws_compiler_set_constant(WsCompiler *compiler, WsCompiled *item, WsBaseType type,
                              guint64 bits);

/* Makes a value of a node: loads what lies somewhere; an array is the address of its begin. */
gboolean ws_compiler_make_value(WsCompiler *compiler, guint node);
/* The row of a value as one of the type. */
guint ws_compiler_convert(WsCompiler *compiler, const WsCompiled *item, const WsValueType *type);
/* The address of a place: a value of type `target` *. */
void ws_compiler_take_address(WsCompiler *compiler, WsCompiled *item, const WsValueType *target);
/* The place that a pointer leads to; `of` is its node. */
gboolean ws_compiler_dereference(WsCompiler *compiler, guint of, gsize offset, WsCompiled *ret);

/* NAME, a.b, a->b, a[b]; a name with points in it may be one as a whole. */
gboolean ws_compile_name(WsCompiler *compiler, guint index, gboolean is_part);
gboolean ws_compile_member(WsCompiler *compiler, guint index, gboolean is_part);
gboolean ws_compile_arrow(WsCompiler *compiler, guint index);
gboolean ws_compile_index(WsCompiler *compiler, guint index);

#endif
