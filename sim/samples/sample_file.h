/*
 * A file of samples (.npz): an array for each column (sim/samples/sample_columns.h), an element for
 * each sample. Beside them stand `every`, `sms`, `warp_slots`, `sub_cores`, `warp_size` and
 * `clock_khz`, integers without dimensions, and the texts `kernels` (by launch), `device` and
 * `version`.
 */
#ifndef WS_SIM_SAMPLES_SAMPLE_FILE_H
#define WS_SIM_SAMPLES_SAMPLE_FILE_H

#include "isa/base/error.h"
#include "sim/launch/launch.h"
#include "sim/observe/sampling.h"
#include "sim/report/result.h"

typedef struct WsSampleFile WsSampleFile;

/* Of a run of the job to come, as in WsSampleSink. The job outlives it. */
WsSampleFile *ws_sample_file_new(const WsJob *job, guint64 every, gboolean by_sm);
void ws_sample_file_free(WsSampleFile *file);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(WsSampleFile, ws_sample_file_free)

/* To be given to one run. */
const WsSampleSink *ws_sample_file_sampling(WsSampleFile *file);
/* The bytes of the file, once, after the run. Errors: WS_ERROR_LIMIT (too many samples). */
GByteArray *ws_sample_file_finish(WsSampleFile *file, const WsResult *result, GError **error);

/* ---- reading ----------------------------------------------------------------------------------
 */

/* A file as numbers. Columns that this version does not know are there too. */
typedef struct {
    GPtrArray *names; /* of char* */
    double **columns; /* [name][row] */
    guint rows;
    GPtrArray *number_names; /* of char*: numbers without dimensions */
    GArray *numbers;         /* of double, in the same order */
} WsSampleTable;

/*
 * Any .npz whose one-dimensional arrays of 64-bit numbers have the same length; other arrays are
 * left out. Numbers without dimensions are there, too. Errors: WS_ERROR_INPUT, with the name of the
 * file.
 */
WsSampleTable *ws_sample_table_read(const char *path, GError **error);
void ws_sample_table_free(WsSampleTable *table);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(WsSampleTable, ws_sample_table_free)

/* The column of a name, or NULL. */
const double *ws_sample_table_column(const WsSampleTable *table, const char *name);
/* A number without dimensions; FALSE: there is none of that name. */
gboolean ws_sample_table_number(const WsSampleTable *table, const char *name, double *ret);

#endif
