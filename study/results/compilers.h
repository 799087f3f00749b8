/* Which compilers the rows of a study come from: several, if machines or days had others. */
#ifndef WS_STUDY_RESULTS_COMPILERS_H
#define WS_STUDY_RESULTS_COMPILERS_H

#include "study/results/csv.h"

/*
 * "clang 14.0.6 (12 points) and clang 19.1.7 (4 points)", in the order of their first rows; NULL if
 * there are no two. Rows that name none (their programs are PTX or assembly, or could not be
 * loaded) do not count. g_free.
 */
char *ws_table_compilers(const WsTable *table);

#endif
