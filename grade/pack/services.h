/* Files for services that grade: Gradescope and GitHub Classroom. Inside the room only. */
#ifndef WS_GRADE_PACK_SERVICES_H
#define WS_GRADE_PACK_SERVICES_H

#include "isa/base/error.h"

/* The scripts that Gradescope runs, once and for each submission. */
extern const char ws_gradescope_setup[];
extern const char ws_gradescope_run[];

/* Where a tarball of Warpstep lies, which the scripts unpack: in the archive, in the tests. */
#define WS_GRADESCOPE_TARBALL "warpstep.tar.xz"
#define WS_CLASSROOM_TARBALL  ".github/warpstep.tar.xz"

/*
 * A workflow that grades a push with the tests in `tests`, by the program in `warpstep`, which it
 * builds: OWNER/NAME@COMMIT or OWNER/NAME@COMMIT:FOLDER, or NULL for what the organisation's
 * variables say. If it `unpacks`, the program is that of the tarball beside the tests. Free with
 * g_free. Errors: WS_ERROR_USAGE.
 */
char *ws_classroom_workflow(const char *tests, const char *warpstep, gboolean unpacks,
                            GError **error);

#endif
