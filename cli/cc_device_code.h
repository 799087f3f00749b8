/* Device code in objects, programs and shared libraries. */
#ifndef WS_CLI_CC_DEVICE_CODE_H
#define WS_CLI_CC_DEVICE_CODE_H

#include <glib.h>

/*
 * Gives the symbols of an object with relocatable device code the names that the runtime has: clang
 * calls, for each source, a function of nvcc's device link with a name of its own, which it makes
 * of the path of the source. Errors: WS_ERROR_INPUT.
 */
gboolean ws_cc_rewrite_relocatable(const char *path, GError **error);

/*
 * Whether the relocatable device code of these files links, objects or what they were linked to, as
 * it does again when the program starts. Errors: WS_ERROR_INPUT, with the names and the sources
 * (isa/ptx/link.h).
 */
gboolean ws_cc_check_device_code(const GPtrArray *paths, GError **error);

#endif
