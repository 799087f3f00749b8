/* Statements of PTX that are written as others before the text is parsed, line for line. */
#ifndef WS_ISA_PTX_REPLACE_H
#define WS_ISA_PTX_REPLACE_H

#include <glib.h>

/* Puts other statements in place of what was matched. FALSE: it puts none, and the text stays. */
typedef gboolean (*WsPtxReplacer)(GString *out, const GMatchInfo *match);

/* The text with what the pattern matches replaced, in as many lines; g_free. */
char *ws_ptx_replace(const char *text, gsize length, const GRegex *pattern, WsPtxReplacer put);

/*
 * A branch to the label WS_END, which stands behind the statements of a block, where the guard
 * "@%p1" or "@!%p1" does not hold. NULL or "": nothing.
 */
void ws_ptx_put_guard(GString *out, const char *guard);
void ws_ptx_put_end(GString *out, const char *guard);

#endif
