/* Texts that nvcc takes and clang does not, made ones that both take, line by line. */
#ifndef WS_ISA_CUDA_REWRITE_SOURCE_H
#define WS_ISA_CUDA_REWRITE_SOURCE_H

#include <glib.h>

/* The text, of as many lines; `text` itself, with a reference more, if there is nothing to mend. */
GBytes *ws_cuda_rewrite_source(GBytes *text);

#endif
