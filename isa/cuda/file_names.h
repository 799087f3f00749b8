/* Names of files in the PTX that clang writes, as users know them. */
#ifndef WS_ISA_CUDA_FILE_NAMES_H
#define WS_ISA_CUDA_FILE_NAMES_H

#include "isa/cuda/files.h"

/* The PTX of the source `path` with those names in its .file directives. Free with g_free. */
char *ws_cuda_restore_file_names(const char *text, gsize length, const char *path,
                                 const WsCudaFiles *files);

#endif
