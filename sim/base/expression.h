/*
 * Whole-number expressions, as launch files use them: "32 * warps", "ceil_div(n, block.x)".
 *
 *   expression  = product-like terms joined by the operators below, weakest first
 *                   <<  >>          shift left, shift right (rounds down)
 *                   +  -
 *                   *  /  %         / rounds towards zero, % has the sign of its left side
 *                   -x
 *   operand     = number | name | ( expression ) | min(a, b) | max(a, b) | ceil_div(a, b)
 *   number      = decimal or 0x hexadecimal, as anywhere in a launch file
 *   name        = letters, digits and _, a letter or _ first; parts joined by dots
 *
 * Operators of one line group from left to right. Values are 64-bit with sign. A result that does
 * not fit, a division by zero, a shift by less than 0 or more than 63 are errors. A text has at
 * most 1000 bytes and 64 operations that wait for their right side, so no input runs away.
 */
#ifndef WS_SIM_BASE_EXPRESSION_H
#define WS_SIM_BASE_EXPRESSION_H

#include <glib.h>

/* What names stand for. */
typedef struct {
    /* NULL with the value in `ret`, or why the name has none: a text to be freed. */
    char *(*find)(gpointer data, const char *name, gint64 *ret);
    gpointer data;
} WsNames;

typedef enum {
    WS_DIVIDE_WHOLE, /* 7 / 2 is 3 */
    WS_DIVIDE_EXACT  /* 7 / 2 is an error: for values that could have a fraction */
} WsDivision;

/*
 * Evaluates `text`. Returns NULL with the value in `ret`; or what is wrong, to be freed, with the
 * byte of `text` that it is about in `ret_offset`.
 */
char *ws_expression_evaluate(const char *text, const WsNames *names, WsDivision division,
                             gint64 *ret, gsize *ret_offset);

/* Whether one of the NULL-terminated `names` stands in `text`. */
gboolean ws_expression_mentions(const char *text, const char *const *names);

/* Whether `text` may be the name of a value: no function is called so, and it has no dot. */
gboolean ws_expression_is_name(const char *text);

#endif
