/*
 * Formulas on the figures of runs, as gates of an assignment use them: "cycles <= 1.2 * reference".
 *
 * They have the grammar of all expressions (sim/expression/syntax.h). What has a name is a figure:
 *
 *   figure     = a path of `run --format json`: memory.shared_bank_conflicts, regions.inner.cycles
 *              | reference                 the formula's first figure, of the reference's run
 *              | reference.PATH            any figure of that run
 *              | tests.NAME.PATH           a figure of another test's run
 *              | at('text').PATH           a figure of the source lines that hold this text
 *
 * Values are floating point; comparisons give 1 or 0. A figure without a value (a rate 0/0, a path
 * that the run does not have) makes the whole formula fail (sim/expression/real.h).
 */
#ifndef WS_GRADE_FORMULA_FORMULA_H
#define WS_GRADE_FORMULA_FORMULA_H

#include <glib.h>

typedef struct WsFormula WsFormula;

typedef enum { WS_FIGURE_OWN, WS_FIGURE_REFERENCE, WS_FIGURE_TEST } WsFigureOf;

typedef struct {
    char *text;    /* as written */
    WsFigureOf of; /* whose run */
    char *test;    /* WS_FIGURE_TEST: its name */
    char *marker;  /* text of at('...'), or NULL */
    char *path;    /* "memory.l1_hit_rate" */
} WsFigure;

/*
 * Returns NULL and what is wrong in `ret_problem`, to be freed, with the byte that it is about in
 * `ret_offset`.
 */
WsFormula *ws_formula_parse(const char *text, char **ret_problem, gsize *ret_offset);
void ws_formula_free(WsFormula *formula);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(WsFormula, ws_formula_free)

const char *ws_formula_text(const WsFormula *formula);

/* The figures of the formula, each once, in the order of their first mention. */
guint ws_formula_figure_count(const WsFormula *formula);
const WsFigure *ws_formula_figure(const WsFormula *formula, guint index);

/* Whether the value is that of a comparison. */
gboolean ws_formula_is_condition(const WsFormula *formula);

/* The value; `values` has one for each figure. NaN where a figure has none or 0 divides. */
double ws_formula_value(const WsFormula *formula, const double *values);

/*
 * The text with the figures of the reference's run replaced by their values, for those who do not
 * have it, and by figure, where `tests` is not NULL, with those of other tests instead. Free with
 * g_free.
 */
char *ws_formula_without_reference(const WsFormula *formula, const double *values,
                                   const char *const *tests);

#endif
