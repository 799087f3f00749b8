/* Which clang made a PTX text, as isa/cuda/include/warpstep/compiler.h had it written there. */
#ifndef WS_ISA_CUDA_COMPILER_NAME_H
#define WS_ISA_CUDA_COMPILER_NAME_H

/*
 * Takes the declaration out of `ptx`, with its line, so that the rest is what the program's own
 * text gives. Returns the name ("clang 14.0.6"; g_free), or NULL if none stands there, as in the
 * output of a program that only pretends to be clang.
 */
char *ws_cuda_take_compiler(char *ptx);

/*
 * The name of the clang that compiles here, found by compiling nothing: what WsProgram.compiler of
 * a .cu will be. NULL if there is none that works. g_free.
 */
char *ws_cuda_find_compiler(void);

#endif
