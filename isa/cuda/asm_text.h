/*
 * Inline assembly as nvcc reads it. In `asm("mov.u32 %0, %smid;" ...)` nvcc takes `%smid` for the
 * special register, as if it were `%%smid`; clang refuses it.
 */
#ifndef WS_ISA_CUDA_ASM_TEXT_H
#define WS_ISA_CUDA_ASM_TEXT_H

#include <glib.h>

/*
 * Preprocessed C++ with the `%` doubled, in the code of asm statements, in front of names of two
 * letters and more. Operands (`%0`, `%[name]`, `%c0`), other strings and lines stay as they are. No
 * NUL need follow the text.
 */
GString *ws_cuda_escape_asm(const char *text, gsize length);

#endif
