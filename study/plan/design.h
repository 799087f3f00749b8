/*
 * Which points a study has.
 *
 *   cross product   all combinations of the values; the last parameter changes fastest
 *   zip             the first values of all parameters, the second ones, and so on
 *   one at a time   first all parameters with their first value, the base; then, parameter by
 *                   parameter, each other value of it with all others at the base. Of several
 *                   targets each has all of these points, the first target first.
 *
 * In a fractional factorial design some parameters of a cross product are generated: their value
 * follows from those of others, so each of them halves the number of points. With -1 for the first
 * value of a parameter and +1 for the second, a generator is a product: "policy=sms*ways" says that
 * policy has its second value where sms and ways both have their first or both their second one,
 * and "policy=-sms*ways" where one of them has (Box, Hunter and Hunter, Statistics for
 * Experimenters, chapter 6).
 */
#ifndef WS_STUDY_PLAN_DESIGN_H
#define WS_STUDY_PLAN_DESIGN_H

#include "study/plan/study.h"

/* How many points there are; above WS_MAX_STUDY_POINTS some number above it. */
guint64 ws_design_points(const WsStudy *study);

/* The number of the value that a parameter has at a point. */
guint ws_design_value(const WsStudy *study, guint point, guint parameter);

/*
 * Takes the study's `generators` over into its parameters. Errors: WS_ERROR_USAGE (no such
 * parameter, one with other than two values, one that is generated itself; no cross product).
 */
gboolean ws_design_take_generators(WsStudy *study, GError **error);

/*
 * Adds generators for the last parameters so that one of 2^p combinations is left, by "1/4": those
 * of the highest resolution that a bounded search finds (with resolution R, no effect of k
 * parameters is confounded with one of fewer than R - k). The same study gets the same generators.
 * Parameters with other than two values, and targets, take no part. Errors: WS_ERROR_USAGE.
 */
gboolean ws_design_add_fraction(WsStudy *study, const char *fraction, GError **error);

#endif
