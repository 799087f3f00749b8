/* CUDA C through clang. */
#ifndef WS_ISA_CUDA_CUDA_H
#define WS_ISA_CUDA_CUDA_H

#include "isa/bytecode/program.h"

/*
 * The declarations of a .cu file whose qualified name contains `name`, as clang's syntax tree: JSON
 * objects, each from a line "{" to a line "}". Free with g_free. Errors: WS_ERROR_INPUT.
 */
char *ws_cuda_syntax_tree(const char *path, const WsCompileOptions *options, const char *name,
                          GError **error);

#endif
