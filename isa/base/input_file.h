/* Reading files that a user names: regular files only, with a cap on the size. */
#ifndef WS_ISA_BASE_INPUT_FILE_H
#define WS_ISA_BASE_INPUT_FILE_H

#include "isa/base/read_scope.h"

/*
 * The contents of `path`. Directories, devices, pipes and sockets are refused (a pipe could block
 * for ever), and so are a file of more than `max_bytes` and one that `scope` (NULL: everything may
 * be read) does not allow. The bytes are followed by a NUL that is not counted. Errors:
 * WS_ERROR_INPUT, "PATH: error: ...". `ret_inside` (or NULL): as in ws_read_scope_read().
 */
GBytes *ws_read_input_file(const char *path, gsize max_bytes, GError **error);
GBytes *ws_read_input_file_in(const WsReadScope *scope, const char *path, gsize max_bytes,
                              gboolean *ret_inside, GError **error);

#endif
