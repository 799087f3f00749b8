/* "Did you mean": the valid name that a wrong one stands for. */
#ifndef WS_ISA_BASE_NEAREST_NAME_H
#define WS_ISA_BASE_NEAREST_NAME_H

#include <glib.h>

/*
 * The entry of the NULL-terminated list `names` that `name` stands for, or NULL. In this order: the
 * same but for capitals and the kind of dash; what the table of synonyms gives (nearest_name.c:
 * `float` for f32, `blocks` for grid); the nearest by edit distance, unless more than a third of
 * the characters differ; the only one that begins with `name`, of at least four characters; what
 * the nearest synonym gives.
 */
const char *ws_nearest_name(const char *name, const char *const *names);

#endif
