/* Parts of packing an assignment; inside the room only. */
#ifndef WS_GRADE_PACK_PARTS_H
#define WS_GRADE_PACK_PARTS_H

#include "grade/judge/grader.h"

/* For whom numbers of the public tests are drawn. */
#define WS_PACKED_STUDENT "student"

/* The folder of Warpstep's sources in the archive for Gradescope. */
#define WS_PACKED_SOURCE "warpstep"

/* Files that lie in a folder tree, or are to: relative name -> GBytes. Sorted by name when used. */
GHashTable *ws_file_set_new(void);
/*
 * Adds a file as `name`, or all below a folder with `name` ("" for none) in front. Names with a dot
 * in front are left out, and builds of WS_PACKED_SOURCE. Errors: WS_ERROR_INPUT, also for links.
 */
gboolean ws_file_set_add(GHashTable *files, const char *path, const char *name, GError **error);
void ws_file_set_add_text(GHashTable *files, const char *name, const char *text);
/* Writes them below `folder`. Errors: WS_ERROR_INPUT. */
gboolean ws_file_set_write(GHashTable *files, const char *folder, GError **error);

/* A zip archive of the files, the same bytes for the same files; those in `programs` may be run. */
GBytes *ws_file_set_zip(GHashTable *files, const char *const *programs);

/*
 * Adds to `files` the assignment.yaml for students, and what it compares with. Errors:
 * WS_ERROR_CHECK.
 */
gboolean ws_pack_assignment_file(const WsAssignment *assignment, WsGrader *grader,
                                 GHashTable *files, GError **error);

#endif
