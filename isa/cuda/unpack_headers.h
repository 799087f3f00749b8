/* Our headers as files, for runs of clang that also read the host's. */
#ifndef WS_ISA_CUDA_UNPACK_HEADERS_H
#define WS_ISA_CUDA_UNPACK_HEADERS_H

#include "isa/base/error.h"

/*
 * The folder of our headers that few sources include. For clang they lie beside the others: in the
 * view once a source names one (isa/cuda/clang_view.h), as files all.
 */
#define WS_RARE_HEADERS "rare"

/*
 * Writes the headers once below `cache`, into a folder that is named after their content, and
 * returns its path; g_free. Any number of processes may do so at once: the folder is made beside
 * its place and renamed. Errors: WS_ERROR_INPUT.
 */
char *ws_unpack_headers(const char *cache, GError **error);

#endif
