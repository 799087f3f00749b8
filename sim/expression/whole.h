/*
 * Whole-number expressions, as launch files use them: "32 * warps", "ceil_div(n, block.x)", in the
 * grammar of syntax.h.
 *
 * Values have 64 bits with sign. `/` rounds towards zero, % has the sign of its left side, >>
 * rounds down; comparisons and logic give 1 or 0. A result that does not fit, a division by zero, a
 * shift by less than 0 or more than 63 are errors, unless ?:, && or || leave them out.
 */
#ifndef WS_SIM_EXPRESSION_WHOLE_H
#define WS_SIM_EXPRESSION_WHOLE_H

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

#endif
