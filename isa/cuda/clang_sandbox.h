/*
 * A second wall around clang, where Linux has Landlock (5.13): clang may read its own files, the
 * system's headers and libraries and what it has inherited, and write nothing else. The first wall
 * is isa/cuda/clang_view.h, which does not depend on the kernel.
 */
#ifndef WS_ISA_CUDA_CLANG_SANDBOX_H
#define WS_ISA_CUDA_CLANG_SANDBOX_H

/* A descriptor of the rules for the program `clang`, closed on exec; -1 where there is no Landlock.
 */
int ws_clang_sandbox_new(const char *clang);

/* Puts the calling thread under them for ever; in a child process, before exec. */
void ws_clang_sandbox_enter(int rules);

#endif
