/*
 * Texts that a room writes, compared byte for byte with files in tests/golden/rooms/.
 *
 * WS_REGENERATE_GOLDEN=1 in the environment writes the files again: look at what git says has
 * changed.
 */
#ifndef WS_TESTS_GOLDEN_TEXT_H
#define WS_TESTS_GOLDEN_TEXT_H

#include <glib.h>

/* Fails the test, with the first line that differs, unless `actual` is the file's text. */
void golden_text_check(const char *name, const char *actual);

/* The text with `what` replaced: of folders and versions, which are others elsewhere. g_free. */
char *golden_text_replace(const char *text, const char *what, const char *with);

#endif
