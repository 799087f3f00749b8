/* What a header that is not there is, and what to do. */
#ifndef WS_ISA_CUDA_MISSING_HEADER_H
#define WS_ISA_CUDA_MISSING_HEADER_H

#include "isa/cuda/clang_view.h"

/*
 * The rest of a message that begins "'NAME' file not found": of which library it is, or the nearest
 * of our headers (those in `view`), and where else to put the file. g_free frees.
 */
char *ws_cuda_missing_header(const WsClangView *view, const char *name);

#endif
