/* The files of the built-in workloads: what they say of themselves, and copies of them. */
#ifndef WS_SIM_LAUNCH_WORKLOAD_FILES_H
#define WS_SIM_LAUNCH_WORKLOAD_FILES_H

#include <glib.h>

/*
 * One line on a workload, from the title of its notes.md ("# vecadd: adding two vectors"). NULL if
 * it has none. Free with g_free.
 */
char *ws_workload_title(const char *workload);

/* The launch files of a workload, launch.yaml first, then sorted. Free with g_strfreev. */
char **ws_workload_launch_files(const char *workload);

/* The comment in a launch file's first line, or NULL. Free with g_free. */
char *ws_workload_launch_title(const char *workload, const char *file);

/*
 * The text of the study "WORKLOAD/NAME", the file studies/NAME.yaml of a built-in workload. NULL if
 * there is none. Free with g_bytes_unref.
 */
GBytes *ws_workload_study(const char *name);

/* TRUE if `name` is that of a lab that is built in ("labs/NAME"). */
gboolean ws_workload_is_lab(const char *name);

/*
 * Writes all files of a workload, or of a lab ("labs/NAME"), with the folders below it, to
 * `folder`, which is made if it is not there, and must be empty. If one cannot be written, none
 * stays. Errors: WS_ERROR_INPUT.
 */
gboolean ws_workload_copy(const char *workload, const char *folder, GError **error);

#endif
