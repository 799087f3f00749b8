/*
 * `__shared__ alignas(16) float x[4];`, as nvcc takes it: for clang, to which __shared__ is an
 * attribute of its own kind, alignas stands in front of the declaration.
 */
#ifndef WS_ISA_CUDA_REWRITE_ALIGNMENT_H
#define WS_ISA_CUDA_REWRITE_ALIGNMENT_H

#include <glib.h>

/*
 * The text with alignas(...) moved in front of the specifiers that stand before it, if a memory
 * space is among them; all else stays in its place. `text` itself, with a reference more, if there
 * are none.
 */
GBytes *ws_cuda_rewrite_alignment(GBytes *text);

#endif
