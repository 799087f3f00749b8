/*
 * What an assignment is given out as:
 *
 *   FOLDER/student/        what students get: handout, starter, public files, and an
 * assignment.yaml by which they can grade themselves, without hidden tests, answers and solution.
 * What is compared with the reference's results is compared with copies of these, and figures of
 * the reference are numbers. A workflow for GitHub Classroom lies in it too. FOLDER/gradescope.zip
 * an autograder for Gradescope, with the whole assignment
 */
#ifndef WS_GRADE_PACK_PACK_H
#define WS_GRADE_PACK_PACK_H

#include "grade/judge/grader.h"

typedef struct {
    const char *cache;   /* as in ws_grader_new() */
    const char *source;  /* a checkout of Warpstep that Gradescope builds; NULL: its image has it */
    const char *tarball; /* Warpstep as ./make-release packs it, for both to unpack; or NULL */
    const char *classroom; /* where the workflow finds the tests, as in ws_classroom_workflow() */
    const char *warpstep;  /* and the program */
    gboolean compiled;     /* both carry the programs compiled (isa/cuda/carried.h) */
} WsPackOptions;

/*
 * `folder` is made, or is empty. Errors: WS_ERROR_USAGE for places that are none, WS_ERROR_INPUT,
 * also where something would be given out that is not for students; WS_ERROR_CHECK if the reference
 * fails a test that students get.
 */
gboolean ws_assignment_pack(const WsAssignment *assignment, const char *folder,
                            const WsPackOptions *options, GError **error);

#endif
