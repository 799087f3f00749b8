/* Whether the text of a function assigns a variable. */
#ifndef WS_ISA_DEBUG_ASSIGNED_NAMES_H
#define WS_ISA_DEBUG_ASSIGNED_NAMES_H

#include <glib.h>

/*
 * TRUE if `name`, an element or a member of it, is assigned, counted up or down, or has its address
 * taken or a method called, anywhere from line `line` of the text up to the next line that begins
 * with `}`. Comments and strings count too: TRUE may be said too often.
 */
gboolean ws_name_is_assigned(const char *text, guint32 line, const char *name);

/*
 * TRUE if line `line` of the text assigns `name`, and each time a number: literals, operators,
 * names of built-in types and the variable itself, as in `i = 0`, `i += 2`, `i++`, `a[4] = {}`.
 */
gboolean ws_name_gets_number(const char *text, guint32 line, const char *name);

/* Appends the lines (guint32) in which that is so. */
void ws_name_assigned_lines(const char *text, guint32 line, const char *name, GArray *ret_lines);

#endif
