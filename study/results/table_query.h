/* Columns, cells and conditions of a table, as people name them on a command line. */
#ifndef WS_STUDY_RESULTS_TABLE_QUERY_H
#define WS_STUDY_RESULTS_TABLE_QUERY_H

#include "study/results/csv.h"

static inline const char *ws_table_cell(const WsTable *table, guint row, int column)
{
    return ((char **)g_ptr_array_index(table->rows, row))[column];
}

/* The place of a column. Errors: WS_ERROR_USAGE (there is none; names the nearest). */
gboolean ws_table_find_column(const WsTable *table, const char *name, int *ret, GError **error);

/*
 * The place of the column `status`, which is the number of the parameters in front of it. Errors:
 * WS_ERROR_USAGE (there is none).
 */
gboolean ws_table_find_status(const WsTable *table, int *ret, GError **error);

/* The figure of a row whose run ended well; FALSE: there is none. */
gboolean ws_table_figure(const WsTable *table, guint row, int status, int column, double *ret);

/* The place of the column in front of the "=" of `text`. Errors: WS_ERROR_USAGE. */
gboolean ws_table_find_condition(const WsTable *table, const char *text, int *ret, GError **error);

/* Whether the row has the value behind the "=" of `text` in that column. */
gboolean ws_table_meets(const WsTable *table, guint row, int column, const char *text);

/*
 * A flag for each row: whether it meets all conditions of `where`, which is NULL-terminated or
 * NULL. g_free; NULL after an error (as above).
 */
gboolean *ws_table_wanted(const WsTable *table, char *const *where, GError **error);

/* A cell that is a finite number, and nothing else. */
gboolean ws_cell_number(const char *text, double *ret);

/*
 * The table of results: RESULTS/runs.csv of a sweep's folder, or the file itself, which may be one
 * of samples; with the columns that are derived from it (derived.h), NULL-terminated or NULL.
 * Errors: those of ws_table_read(), ws_table_of_samples() and ws_table_derive().
 */
WsTable *ws_results_read(const char *results, char *const *columns, GError **error);

#endif
