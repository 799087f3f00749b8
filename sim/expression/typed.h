/*
 * Expressions on the values of lanes, in the grammar of syntax.h and with C's types and
 * conversions: "c > 2 && r == 1", "tile[threadIdx.y][k]", "p->next", "(float)n / 2".
 *
 * An expression is compiled once, against a scope, and then evaluated for all lanes of a warp at a
 * time. Whole numbers wrap around. && || and ?: leave out for each lane what does not decide. A
 * lane for which a part that decides has no value has none: a division by zero, an element outside
 * of its array, a variable that the program keeps nowhere. It never gets a wrong one.
 */
#ifndef WS_SIM_EXPRESSION_TYPED_H
#define WS_SIM_EXPRESSION_TYPED_H

#include "sim/expression/scope.h"

typedef struct WsTyped WsTyped;

/*
 * The scope and what it gives must live longer. Returns NULL with what is wrong in `ret_problem`,
 * to be freed, and the byte that it is about.
 */
WsTyped *ws_typed_new(const char *text, const WsScope *scope, char **ret_problem,
                      gsize *ret_offset);
void ws_typed_free(WsTyped *typed);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(WsTyped, ws_typed_free)

const WsValueType *ws_typed_type(const WsTyped *typed);

/*
 * Evaluates it for the lanes of `mask`. Of a scalar the row has the value; of an array or struct
 * the bytes from the begin of ws_typed_object() on. The row is the expression's, up to the next
 * time.
 */
const WsRow *ws_typed_evaluate(WsTyped *typed, gconstpointer where, guint64 mask);

/* Whether the expression names a thing that lies somewhere, and can be changed or looked into. */
gboolean ws_typed_is_place(const WsTyped *typed);
/* The object of that; NULL: memory. */
const WsObject *ws_typed_object(const WsTyped *typed);
/* Where in the object it is, evaluated as above. */
const WsRow *ws_typed_place(WsTyped *typed, gconstpointer where, guint64 mask);
/* A scalar at such bytes; those outside of the object have no value. */
void ws_typed_load(const WsScope *scope, gconstpointer where, const WsObject *object,
                   const WsValueType *type, const WsRow *offset, guint64 mask, WsRow *ret);

/* Whether it looks into an object of the kind, or into memory where `object` is NULL there. */
gboolean ws_typed_loads(const WsTyped *typed, guint kind, gboolean memory);

/* Whether the value is that of a comparison or of logic. */
gboolean ws_typed_is_truth(const WsTyped *typed);
/* NULL, or why it cannot be a condition. g_free. */
char *ws_typed_check_condition(const WsTyped *typed);

/* What a type computes as, behind C's promotions. */
WsArithmetic ws_arithmetic_of(const WsValueType *type);

#endif
