/* The names in a source text: what stands neither in comments nor in texts. */
#ifndef WS_GRADE_JUDGE_SOURCE_WORDS_H
#define WS_GRADE_JUDGE_SOURCE_WORDS_H

#include <glib.h>

/* The set of names (letters, digits and _) of a C-like text. Free with g_hash_table_unref. */
GHashTable *ws_source_words(const char *text, gsize length);

#endif
