/*
 * The values that a parameter of a study takes, as a text:
 *
 *   VALUES = ITEM or ITEM,ITEM,...      commas inside [ ] { } ( ) and quotes do not count
 *   ITEM   = a value as it stands, or a range of numbers, both ends in it where steps reach them:
 *            A..B     steps of 1        A..B:S   steps of S        A..BxF   times F each
 *
 * "8,16,24..64:8" is 8, 16, 24, 32, ... 64; "1..64x2" is 1, 2, 4, ... 64. Steps may be below 0.
 */
#ifndef WS_STUDY_PLAN_VALUES_H
#define WS_STUDY_PLAN_VALUES_H

#include "isa/base/error.h"

enum { WS_MAX_STUDY_VALUES = 1000000 }; /* of a parameter */

/*
 * The values as texts, at least one, in order; g_strfreev. `what` names the parameter in messages.
 * Errors: WS_ERROR_USAGE (nothing given, an empty range, a value twice, too many).
 */
char **ws_study_values(const char *what, const char *text, GError **error);

/* A range's values, as in "A..B:S" (`factor` FALSE) or "A..BxF". The same errors. */
char **ws_study_range(const char *what, double from, double to, double step, gboolean factor,
                      GError **error);

#endif
