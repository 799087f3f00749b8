/* Writing to a descriptor until everything is written. */
#ifndef WS_ISA_BASE_WRITE_ALL_H
#define WS_ISA_BASE_WRITE_ALL_H

#include <glib.h>

/* FALSE with errno if not everything could be written. */
gboolean ws_write_all(int file, const void *data, gsize length);

/*
 * Writes a new file beside `path` and renames it to that. FALSE with errno; then nothing has
 * changed and nothing is left behind. `mode` as for open().
 */
gboolean ws_write_renamed(const char *path, int mode, const void *data, gsize length);

#endif
