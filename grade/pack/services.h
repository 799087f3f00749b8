/* Files for services that grade: Gradescope and GitHub Classroom. Inside the room only. */
#ifndef WS_GRADE_PACK_SERVICES_H
#define WS_GRADE_PACK_SERVICES_H

#include "grade/assignment/assignment.h"

/* The scripts that Gradescope runs, once and for each submission. */
extern const char ws_gradescope_setup[];
extern const char ws_gradescope_run[];

/* A workflow with a step for each check that students get. Free with g_free. */
char *ws_classroom_workflow(const WsAssignment *assignment);

#endif
