/* Whether points hang on inputs that students know. Inside the room only. */
#ifndef WS_GRADE_VERIFY_LEARNT_H
#define WS_GRADE_VERIFY_LEARNT_H

#include "grade/judge/grader.h"

/*
 * Says which gates and rankings look at tests that are not both hidden and drawn. FALSE in
 * `ret_good` if any does, and the assignment does not accept it.
 */
void ws_verify_inputs(const WsAssignment *assignment, GString *report, gboolean *ret_good);

/*
 * Hands in a table of the results of the public tests, and says which points and places it gets
 * that the same program without tables does not. `starter`: the starter's grade, or NULL. Errors:
 * WS_ERROR_INPUT.
 */
gboolean ws_verify_table(const WsAssignment *assignment, WsGrader *grader, const char *student,
                         const WsGrade *starter, GString *report, gboolean *ret_good,
                         GError **error);

#endif
