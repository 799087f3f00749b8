/* A compiled expression. Inside sim/expression/ only. */
#ifndef WS_SIM_EXPRESSION_TYPED_PRIVATE_H
#define WS_SIM_EXPRESSION_TYPED_PRIVATE_H

#include "sim/expression/typed.h"

/* No row: of a place, its bytes are all in `add`. */
enum { WS_NO_ROW = G_MAXUINT };

typedef enum {
    WS_STEP_LOAD,    /* out = the scalar of `type` at row a + add of object `object` */
    WS_STEP_CONVERT, /* out = a, of `class`, as `type` */
    WS_STEP_UNARY,   /* out = `operator` of a */
    WS_STEP_BINARY,
    WS_STEP_OFFSET,  /* out = a + b * size + add; a may be WS_NO_ROW */
    WS_STEP_ADDRESS, /* out = address of the object */
    /* Only lanes for which a is true (not: not) go on, up to the step that ends it; where there are
     * none, this goes on at `target`. */
    WS_STEP_ONLY_IF,
    WS_STEP_ONLY_UNLESS,
    WS_STEP_LOGIC, /* ends it: out = a && b, a || b */
    WS_STEP_ENDS,  /* ends it */
    WS_STEP_CHOOSE /* out = a ? b : c */
} WsStepKind;

typedef struct {
    WsStepKind kind;
    WsOperator operator;
    WsArithmetic class;
    gboolean real; /* a is a float: for its truth */
    guint a, b, c, out;
    guint object; /* into `objects`; WS_NO_ROW: memory */
    const WsValueType *type;
    gint64 size, add;
    guint target;
} WsStep;

struct WsTyped {
    WsSyntax *syntax;
    const WsScope *scope;
    WsTypeStore *types;
    GArray *steps;   /* of WsStep */
    GArray *objects; /* of WsObject */
    WsRow *rows;
    guint row_count;
    GArray *constants; /* of Constant: rows that do not change */

    /* What it comes to. */
    const WsValueType *type;
    guint row; /* of the value; of an array or struct, of the place */
    gboolean is_place;
    guint object; /* of a place */
    guint place;  /* row with the place, or WS_NO_ROW */
    gint64 place_add;
    guint load_step; /* the step that loads a place's value; steps before it find the place */
    WsRow *result;   /* what a place comes to */
};

/* A row that always holds this. */
typedef struct {
    guint row;
    guint64 bits;
} WsConstantRow;

/* FALSE with `ret_problem`, and the byte. */
gboolean ws_typed_compile(WsTyped *typed, char **ret_problem, gsize *ret_offset);

#endif
