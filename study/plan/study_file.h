/*
 * Studies as files: what people write (YAML, docs/reference/formats.md), and what a study's folder
 * says of itself (JSON).
 */
#ifndef WS_STUDY_PLAN_STUDY_FILE_H
#define WS_STUDY_PLAN_STUDY_FILE_H

#include "study/plan/study_digest.h"

/*
 * TRUE if the file is YAML with the key `parameters`, a study and no launch file, or if there is no
 * such file, but a built-in study "WORKLOAD/NAME" (sim/launch/workload_files.h).
 */
gboolean ws_study_file_is_study(const char *path);

/*
 * Reads a study that someone wrote, or a built-in one: that has no folder, and names built-in
 * workloads alone. Errors: WS_ERROR_INPUT, WS_ERROR_USAGE.
 */
WsStudy *ws_study_file_read(const char *path, GError **error);

/*
 * `target` as it means the same from any folder: a path is made absolute; what is no file of this
 * folder is the name of a built-in workload. g_free.
 */
char *ws_study_target(const char *target);

/* The study as JSON, the same bytes for the same study and `digest`. g_free. */
char *ws_study_to_json(const WsStudy *study, const WsStudyDigest *digest);

/*
 * The study in the text of a file `path`, and the digest it was made with, to be cleared. Errors:
 * WS_ERROR_INPUT, WS_ERROR_USAGE.
 */
WsStudy *ws_study_from_json(const char *path, const char *text, gsize length,
                            WsStudyDigest *ret_digest, GError **error);

#endif
