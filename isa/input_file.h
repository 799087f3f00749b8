/* Reading files that a user names: regular files only, with a cap on the size. */
#ifndef WS_ISA_INPUT_FILE_H
#define WS_ISA_INPUT_FILE_H

#include "isa/error.h"

/*
 * The contents of `path`. Directories, devices, pipes and sockets are refused (a pipe could block
 * for ever), and so is a file of more than `max_bytes`. The bytes are followed by a NUL that is not
 * counted. Errors: WS_ERROR_INPUT, "PATH: error: ...".
 */
GBytes *ws_read_input_file(const char *path, gsize max_bytes, GError **error);

#endif
