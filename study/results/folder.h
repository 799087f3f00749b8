/*
 * The folder of a study's results:
 *
 *   study.json    the study
 *   rows/NAME.csv journals: rows as they come in, each process has one of its own
 *   runs.csv      the table: one row a point, in the order of the points
 *   columns.csv   name, unit and meaning of the table's columns
 *   relative.csv  of a study with a reference: speeds relative to it, and their means
 *
 * A row is the values of the parameters, the metrics, and the id of the point
 * (ws_study_point_id()). Any number of processes, on any machines that share the folder, may add
 * rows at once: no file has two writers but by renaming, and there are no locks. A line that was
 * not written to its end does not count, nor does a row whose id the study does not have.
 */
#ifndef WS_STUDY_RESULTS_FOLDER_H
#define WS_STUDY_RESULTS_FOLDER_H

#include "study/plan/study_digest.h"
#include "study/results/csv.h"

typedef struct WsStudyFolder WsStudyFolder;

/*
 * Opens the folder `path` for `study`, which must outlive it, and reads its rows; makes it if it is
 * not there. Without a path the rows are kept in memory only. Errors: WS_ERROR_INPUT (cannot be
 * made or read; holds another study, unless `replace`: then the study takes its place, and rows of
 * points that both have stay). The same study with other files of some of its targets takes its
 * place, too, as long as those of one target are the same: ws_study_folder_changed() tells which.
 */
WsStudyFolder *ws_study_folder_open(const char *path, const WsStudy *study,
                                    const WsStudyDigest *digest, gboolean replace, GError **error);
void ws_study_folder_free(WsStudyFolder *folder);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(WsStudyFolder, ws_study_folder_free)

/* The study in a folder, and its digest, to be cleared. Errors: WS_ERROR_INPUT. */
WsStudy *ws_study_folder_study(const char *path, WsStudyDigest *ret_digest, GError **error);

/* Whether a target's files differ from those that the folder's study had when it was opened. */
gboolean ws_study_folder_changed(const WsStudyFolder *folder, guint target);

/* Whether there is a row for the point that need not be run again; one of status "error" may be. */
gboolean ws_study_folder_has(const WsStudyFolder *folder, guint point);

/* Adds a point's metrics to the journal, at once. Errors: WS_ERROR_INPUT. */
gboolean ws_study_folder_add(WsStudyFolder *folder, guint point, char *const *metrics,
                             GError **error);

/* Reads what other processes have added. */
gboolean ws_study_folder_refresh(WsStudyFolder *folder, GError **error);

/*
 * Writes runs.csv, columns.csv and relative.csv. Errors: WS_ERROR_INPUT (cannot be written; another
 * process has put another study into the folder, or the same one with other files).
 */
gboolean ws_study_folder_write_table(const WsStudyFolder *folder, GError **error);

/* Points with a row; of these, those whose status is not "ok". */
guint ws_study_folder_count(const WsStudyFolder *folder, guint *ret_failed);

/* The table as ws_study_folder_write_table() writes it. Free with ws_table_free. */
WsTable *ws_study_folder_table(const WsStudyFolder *folder);

#endif
