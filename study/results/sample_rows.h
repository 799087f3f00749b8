/* Files of samples (sim/samples/sample_file.h) as tables, and columns of a table as rows of it. */
#ifndef WS_STUDY_RESULTS_SAMPLE_ROWS_H
#define WS_STUDY_RESULTS_SAMPLE_ROWS_H

#include "study/results/csv.h"

/* Whether the name is that of a file of samples: it ends in .npz. */
gboolean ws_is_sample_file(const char *path);

/* A row for each sample, a column for each array; "" for NaN. Errors: WS_ERROR_INPUT. */
WsTable *ws_table_of_samples(const char *path, GError **error);

/* Names of the two columns that ws_table_unpivot() makes. */
#define WS_FIGURE_COLUMN "figure"
#define WS_VALUE_COLUMN  "value"

/*
 * One row for each row and column whose name matches `pattern` ("stall_*"), the name in the column
 * `figure` and the cell in `value`, beside the columns `kept` (NULL-terminated), in the order of
 * the columns. Those that are 0 or empty in all rows are left out. Errors: WS_ERROR_USAGE (no
 * column matches; no column of a name in `kept`).
 */
WsTable *ws_table_unpivot(const WsTable *table, const char *pattern, char *const *kept,
                          GError **error);

#endif
