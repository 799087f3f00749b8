/*
 * Text for a terminal. What a user's file holds may hold control characters, with which a terminal
 * can be made to show what is not there; they are written as escapes.
 */
#ifndef WS_ISA_BASE_ESCAPE_H
#define WS_ISA_BASE_ESCAPE_H

#include <glib.h>

/* TRUE for control characters (C0, DEL, C1) and those that change the direction of writing. */
gboolean ws_is_control(gunichar c);

/* Appends `c`, or its escape (`\x1b`, `\u202e`) if it is one of them. */
void ws_append_escaped(GString *out, gunichar c);

/*
 * A copy of `text` as valid UTF-8 in which every such character but those of `kept` is an escape.
 * Free with g_free.
 */
char *ws_escape_controls(const char *text, gssize length, const char *kept);

/* The same where lines and their tabs stay. */
char *ws_escape_text(const char *text);

/*
 * The text between the quotes of a file's name in PTX or bytecode: `\"`, `\\` and octal `\303`
 * stand for a byte, any other backslash for itself. Valid UTF-8; free with g_free.
 */
char *ws_unescape_name(const char *text, gsize length);

/* `name` in quotes, as ws_unescape_name() and C read it. Free with g_free. */
char *ws_quote_name(const char *name);

/* The place of the quote that ends such a text, which begins at `at`; NULL if none does. */
const char *ws_end_of_name(const char *at, const char *end);

#endif
