/* Files for services that grade: Gradescope and GitHub Classroom. Inside the room only. */
#ifndef WS_GRADE_PACK_SERVICES_H
#define WS_GRADE_PACK_SERVICES_H

#include "isa/base/error.h"

/* The scripts that Gradescope runs, once and for each submission. */
extern const char ws_gradescope_setup[];
extern const char ws_gradescope_run[];

/*
 * A workflow that grades a push with the tests in `tests`, by the program in `warpstep`:
 * OWNER/NAME@COMMIT or OWNER/NAME@COMMIT:FOLDER, or NULL for what the organisation's variables say.
 * Free with g_free. Errors: WS_ERROR_USAGE.
 */
char *ws_classroom_workflow(const char *tests, const char *warpstep, GError **error);

#endif
