/*
 * Expressions on figures that are floating-point numbers, as gates use them: "cycles <= 1.2 *
 * reference", in the grammar of syntax.h.
 *
 * Comparisons and logic give 1 or 0, % is the remainder of a division rounded towards zero,
 * ceil_div is a / b rounded up. What has no value is NaN: a figure without one, and 0 as a divisor.
 * It makes all NaN that it is part of, comparisons and logic too; ?: leaves the other side out.
 */
#ifndef WS_SIM_EXPRESSION_REAL_H
#define WS_SIM_EXPRESSION_REAL_H

#include "sim/expression/syntax.h"

/* NULL, or what has no meaning for figures, to be freed, with the byte in `ret_offset`. */
char *ws_real_check(const WsSyntax *syntax, gsize *ret_offset);
/* Whether the value is that of a comparison, of logic, or of a choice between such. */
gboolean ws_real_is_condition(const WsSyntax *syntax);
/* The value. `names`: by node, the value of what is a name with members, or at('text') with one. */
double ws_real_evaluate(const WsSyntax *syntax, const double *names);

#endif
