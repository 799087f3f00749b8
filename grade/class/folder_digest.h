/* A digest of a folder, whatever lies in it. Inside the room only. */
#ifndef WS_GRADE_CLASS_FOLDER_DIGEST_H
#define WS_GRADE_CLASS_FOLDER_DIGEST_H

#include <glib.h>

/*
 * Adds names, kinds and contents of all that is below `folder` to `sum`, in the order of the names.
 * Links are not followed, and nothing but regular files is opened. FALSE if there is more than can
 * be looked at: deeper than 32 folders, more than 10,000 files, or more than 256 MiB.
 */
gboolean ws_folder_digest(const char *folder, GChecksum *sum);

#endif
