/*
 * Texts of the sources inside of PTX. PTX names the files that its lines are from; whoever shows a
 * line needs its text as it was compiled, wherever the program is by then. Behind the code, each
 * file is the comment "//< NAME" and then its lines, each behind "//|".
 */
#ifndef WS_ISA_PTX_SOURCE_TEXTS_H
#define WS_ISA_PTX_SOURCE_TEXTS_H

#include <glib.h>

/*
 * The PTX with the files behind it that its .file directives name, read from here. What cannot be
 * read is left out, and so are Warpstep's own headers and more than 4 MiB in all. g_free.
 */
char *ws_ptx_with_sources(const char *ptx);

/* The same with texts by name (char* -> char*), and nothing is read; they are the user's own. */
char *ws_ptx_with_texts(const char *ptx, GHashTable *texts);

/* Appends the files of one PTX to another, behind which they stand. */
void ws_ptx_append_sources(GString *ptx, const char *from, gsize length);

/* Name (char*) -> text (char*, valid UTF-8) of the files in there; NULL: there are none. */
GHashTable *ws_ptx_sources(const char *ptx, gsize length);

#endif
