/*
 * Columns of a table that are computed from others: "NAME=EXPRESSION" in the grammar of
 * sim/expression/syntax.h, on figures (real.h), such as "cpi=cycles / warp_instructions". A name in
 * an expression is a column, or a derived column in front of it; an empty cell or a word has no
 * value, and neither has what depends on it.
 */
#ifndef WS_STUDY_RESULTS_DERIVED_H
#define WS_STUDY_RESULTS_DERIVED_H

#include "study/results/csv.h"

typedef struct WsDerived WsDerived;

/*
 * For rows with these columns. Both lists are NULL-terminated, `texts` may be NULL. Errors:
 * WS_ERROR_USAGE (no name, the name of another column, a column that is not there, a wrong
 * expression, with its text and the place).
 */
WsDerived *ws_derived_new(char *const *texts, char *const *columns, GError **error);
void ws_derived_free(WsDerived *derived);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(WsDerived, ws_derived_free)

guint ws_derived_count(const WsDerived *derived);
/* The name, and the expression as it was written. */
const char *ws_derived_name(const WsDerived *derived, guint index);
const char *ws_derived_expression(const WsDerived *derived, guint index);

/* A row with the derived cells behind its own. NULL-terminated; g_strfreev. */
char **ws_derived_row(const WsDerived *derived, char *const *cells);

/* Adds the columns to a table. Errors: as above. */
gboolean ws_table_derive(WsTable *table, char *const *texts, GError **error);

#endif
