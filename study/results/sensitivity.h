/*
 * How much a figure moves when one parameter leaves its base value and all others stay: from the
 * rows of any table that differ from the base in exactly one parameter.
 *
 * Of several targets (a column `target`), each is compared with its own base; what is told is the
 * geometric mean of the ratios. The elasticity is ln(y / y0) / ln(x / x0), for numbers above 0: -1
 * says that twice the parameter halves the figure.
 */
#ifndef WS_STUDY_RESULTS_SENSITIVITY_H
#define WS_STUDY_RESULTS_SENSITIVITY_H

#include "study/results/csv.h"

typedef struct {
    char *value;
    double y;          /* of several targets their geometric mean */
    double change;     /* y / y0 - 1 */
    double elasticity; /* NaN where the parameter or the figure is no number above 0 */
    guint targets;     /* compared */
} WsSensitivityValue;

typedef struct {
    char *name, *base;
    GArray *values; /* of WsSensitivityValue, without the base, in the order of the rows */
    double swing;   /* largest change less smallest, the base's 0 included */
} WsSensitivityParameter;

typedef struct {
    GPtrArray *parameters; /* of WsSensitivityParameter*, the largest swing first */
    double base;           /* the figure there; of several targets their geometric mean */
    guint targets;         /* that have a base */
    guint left_out;        /* rows beside the base that did not end well, or have no ratio */
} WsSensitivity;

typedef struct {
    const char *y;      /* column */
    char *const *where; /* "COLUMN=VALUE": only these rows; NULL-terminated, or NULL */
    char *const *base;  /* the same of parameters: values of the base; the rest is as in the first
                           of the rows; NULL-terminated, or NULL */
} WsSensitivityOptions;

/*
 * Of a table with a column `status`, in front of which the parameters stand. Errors: WS_ERROR_USAGE
 * (no such column, no row is the base or its run did not end well, no row differs from it in one
 * parameter).
 */
WsSensitivity *ws_sensitivity_new(const WsTable *table, const WsSensitivityOptions *options,
                                  GError **error);
void ws_sensitivity_free(WsSensitivity *sensitivity);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(WsSensitivity, ws_sensitivity_free)

/* One line a value: parameter, value, y, change, elasticity; the base value of each first. g_free.
 */
char *ws_sensitivity_csv(const WsSensitivity *sensitivity);

/* For people, the largest swing first. g_free. */
char *ws_sensitivity_text(const WsSensitivity *sensitivity, const char *y);

#endif
