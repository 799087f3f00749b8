/*
 * Compiled programs, kept by the contents of all files that they are made of.
 *
 * A list has the names of these files; its own name says what else decides what comes out. The
 * program's name is by that and by the contents. Both are written beside their places and renamed,
 * so that any number of processes may use a folder at once. The oldest programs go.
 */
#ifndef WS_CLI_PROGRAM_CACHE_H
#define WS_CLI_PROGRAM_CACHE_H

#include <glib.h>

/* Where programs of the user are: warpstep/programs in XDG_CACHE_HOME, else in ~/.cache. g_free. */
char *ws_program_cache_folder(void);

/* The program that was kept for `key` (letters and digits), if its files are as they were; or NULL.
 * g_free. */
char *ws_program_cache_find(const char *folder, const char *key);

/*
 * Keeps `program`, which is in the folder and is renamed, with the `files` (char*) that it was made
 * of. Its path from then on; NULL: it could not be kept, and is where it was. g_free.
 */
char *ws_program_cache_keep(const char *folder, const char *key, const GPtrArray *files,
                            const char *program);

#endif
