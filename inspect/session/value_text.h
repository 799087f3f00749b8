/* Values of expressions on lanes, as text. */
#ifndef WS_INSPECT_SESSION_VALUE_TEXT_H
#define WS_INSPECT_SESSION_VALUE_TEXT_H

#include "inspect/session/lane_scope.h"

typedef enum {
    WS_FORM_NATURAL, /* as the type says: 5, 0.5, true, {x = 1, y = 2}, 0x10000014 <x[5]> */
    WS_FORM_DECIMAL,
    WS_FORM_UNSIGNED,
    WS_FORM_HEXADECIMAL,
    WS_FORM_BINARY,
    WS_FORM_FLOAT, /* the bits as a floating-point number of the size */
    WS_FORM_CHARACTER
} WsValueForm;

/* gdb's letters: d u x t f c. FALSE: there is no such form. */
gboolean ws_value_form_by_letter(char letter, WsValueForm *ret);

/*
 * What the expression came to in a lane, from `row` of ws_typed_evaluate(). Where a part has no
 * value it says why: "<optimised out>". Of an array 64 elements at most are shown, and equal ones
 * fold. g_free.
 */
char *ws_value_text(const WsLaneScope *scope, const WsLanePlace *place, const WsTyped *typed,
                    const WsRow *row, guint lane, WsValueForm form);
/* The same of an object, `offset` bytes behind its begin, as one of the type. g_free. */
char *ws_object_text(const WsLaneScope *scope, const WsLanePlace *place, const WsObject *object,
                     const WsValueType *type, guint64 offset, guint lane, WsValueForm form);
/* The bytes that a scalar of a row is kept in, low ones first. */
guint64 ws_scalar_kept_bits(const WsValueType *type, guint64 bits);
/* A scalar of the type, from the bits of a row. */
char *ws_scalar_text(const WsLaneScope *scope, const WsValueType *type, guint64 bits,
                     WsValueForm form);

#endif
