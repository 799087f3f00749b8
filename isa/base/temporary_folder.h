/*
 * A folder for files that another program reads or writes, deleted with all that is in it.
 *
 * While it exists, the calling thread does not take the signals by which a user or the system ends
 * a program (SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGXFSZ): they act as soon as it is deleted, so that
 * none is left behind. Several must be freed in the reverse order of making, in the same thread.
 * A child process started meanwhile calls ws_temporary_folder_release_signals() to be stopped as
 * usual.
 */
#ifndef WS_ISA_BASE_TEMPORARY_FOLDER_H
#define WS_ISA_BASE_TEMPORARY_FOLDER_H

#include "isa/base/error.h"

typedef struct WsTemporaryFolder WsTemporaryFolder;

/* In $TMPDIR, else /tmp; only its owner may enter it. Errors: WS_ERROR_INPUT. */
WsTemporaryFolder *ws_temporary_folder_new(GError **error);

const char *ws_temporary_folder_path(const WsTemporaryFolder *folder);

/* Deletes the folder; symbolic links in it are not followed. NULL is allowed. */
void ws_temporary_folder_free(WsTemporaryFolder *folder);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(WsTemporaryFolder, ws_temporary_folder_free)

/* For g_subprocess_launcher_set_child_setup() and its like; `data` is not used. */
void ws_temporary_folder_release_signals(gpointer data);

/* Deletes a folder in it, with all that is in that. */
void ws_temporary_folder_delete(const char *path);

/* Writes a new file of the folder. Errors: WS_ERROR_INPUT. */
gboolean ws_temporary_file_write(const char *path, GBytes *contents, GError **error);

#endif
