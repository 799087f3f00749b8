/* Writing to a descriptor until everything is written, and files that are whole or not there. */
#ifndef WS_ISA_BASE_WRITE_ALL_H
#define WS_ISA_BASE_WRITE_ALL_H

#include <glib.h>

/* FALSE with errno if not everything could be written. */
gboolean ws_write_all(int file, const void *data, gsize length);

/*
 * Opens a new file beside `path`, which it is to become, for writing; `mode` as for open(). Its
 * name is in `ret_name` (g_free). -1 with errno.
 */
int ws_open_unfinished(const char *path, int mode, char **ret_name);

/*
 * Writes a new file beside `path` and renames it to that. FALSE with errno; then nothing has
 * changed and nothing is left behind. `mode` as for open(). Where nothing may be renamed, `path` is
 * written itself, and must not be there.
 */
gboolean ws_write_renamed(const char *path, int mode, const void *data, gsize length);

/* Whether a file of this name is one of ws_open_unfinished(). */
gboolean ws_is_unfinished(const char *name);

/* The age in seconds from which on nobody writes an unfinished file any more. */
#define WS_UNFINISHED_SECONDS 3600

/* Deletes the unfinished files in a folder, of writers that were killed, that are at least so old.
 */
void ws_remove_unfinished(const char *folder, gint64 seconds);

#endif
