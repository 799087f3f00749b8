/*
 * Whether an assignment does what its author means: the figures that gates name are there, the
 * reference gets all points, and each file of mutants/ loses the checks that it says, and no other.
 *
 * mutants/NAME.cu (or what the program's ending is) takes the place of the reference's program, and
 * mutants/NAME.yaml that of its answers. The first line has a comment "loses: CHECK, CHECK".
 */
#ifndef WS_GRADE_VERIFY_VERIFY_H
#define WS_GRADE_VERIFY_VERIFY_H

#include "grade/assignment/assignment.h"

/*
 * `cache` is that of ws_grader_new(). Appends a line for each thing looked at, and what is wrong,
 * to `report`. `ret_good`: whether all is as it should be. Errors: WS_ERROR_INPUT for a figure that
 * is not there, a file that cannot be read or one that does not say what it loses.
 */
gboolean ws_assignment_verify(const WsAssignment *assignment, const char *cache, GString *report,
                              gboolean *ret_good, GError **error);

#endif
