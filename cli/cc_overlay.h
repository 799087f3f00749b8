/* The sources of `cc` as clang is to see them where nvcc takes more than clang does. */
#ifndef WS_CLI_CC_OVERLAY_H
#define WS_CLI_CC_OVERLAY_H

#include <glib.h>

/*
 * Looks through `source` and what it includes in quotes from its own folder, and so on. Writes
 * those that isa/cuda/rewrite_launches.h changes to `folder`, behind `prefix`, and an overlay for
 * clang's file system that has them at their places. *ret_path: that of the overlay, or NULL if
 * nothing has changed; g_free frees. Errors: WS_ERROR_INPUT. A file that cannot be read is left to
 * clang.
 */
gboolean ws_cc_overlay(const char *source, const char *folder, const char *prefix, char **ret_path,
                       GError **error);

#endif
