/* The identifiers in a C++ text, to tell whether a macro of some name could change its meaning. */
#ifndef WS_ISA_CUDA_HEADER_WORDS_H
#define WS_ISA_CUDA_HEADER_WORDS_H

#include <glib.h>

/*
 * Adds to `words` (char*, which the table frees) each identifier of the text that is not in a
 * comment. Those in literals and in what the preprocessor skips are among them.
 */
void ws_header_words(const char *text, gsize length, GHashTable *words);

#endif
