/* The names of files that a CUDA C source may include. */
#ifndef WS_ISA_CUDA_INCLUDE_NAMES_H
#define WS_ISA_CUDA_INCLUDE_NAMES_H

#include <glib.h>

typedef struct {
    const char *name;
    gboolean quoted; /* "name", else <name> */
    guint32 line, column;
} WsIncludeName;

/*
 * Calls `found` for everything in quotes or pointed brackets on a preprocessor line or behind
 * __has_include: more than the preprocessor would look for (it evaluates no condition and knows no
 * comment), and all of it but names that macros put together. `text` ends with a NUL at `length`.
 */
void ws_cuda_include_names(const char *text, gsize length,
                           void (*found)(const WsIncludeName *name, gpointer data), gpointer data);

#endif
