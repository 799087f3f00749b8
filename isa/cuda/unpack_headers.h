/* Our headers as files, for runs of clang that also read the host's. */
#ifndef WS_ISA_CUDA_UNPACK_HEADERS_H
#define WS_ISA_CUDA_UNPACK_HEADERS_H

#include "isa/base/error.h"

/*
 * Writes the headers once below `cache`, into a folder that is named after their content, and
 * returns its path; g_free. Any number of processes may do so at once: the folder is made beside
 * its place and renamed. Errors: WS_ERROR_INPUT.
 */
char *ws_unpack_headers(const char *cache, GError **error);

#endif
