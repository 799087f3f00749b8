/*
 * Files without a name, in memory: they end with the processes that have them open, whatever ends
 * those. Another program opens one by the path that ws_memory_file_path() gives, if it inherits the
 * descriptor; so /proc must be mounted.
 */
#ifndef WS_ISA_CUDA_MEMORY_FILE_H
#define WS_ISA_CUDA_MEMORY_FILE_H

#include "isa/base/error.h"

/* A new file with this content. It is closed on exec. Errors: -1 and WS_ERROR_INPUT. */
int ws_memory_file_new(const void *data, gsize length, GError **error);

/* "/proc/self/fd/7". Free with g_free. */
char *ws_memory_file_path(int descriptor);

/* All of it, at most `max_bytes`, and a NUL; NULL if it cannot be read. Free with g_free. */
char *ws_memory_file_read(int descriptor, gsize max_bytes, gsize *ret_length);

#endif
