/*
 * Our headers as clang has read them (a precompiled header, PCH): reading cuda_runtime.h and what
 * it includes is most of what a small kernel takes to compile, and it is the same for all.
 *
 * clang makes it of the headers alone, in the sandbox that all its runs have, without a file, a
 * macro or a folder of a user's. It is kept with the PTX (isa/cuda/ptx_cache.h). It stands for the
 * headers only where they would be read as they were: no macro of the user's has a name that is in
 * them, and no file or folder of the user's can come before one of them. Whoever gets a failure
 * with it compiles again without it: messages are always those of the headers themselves.
 */
#ifndef WS_ISA_CUDA_PRECOMPILED_HEADERS_H
#define WS_ISA_CUDA_PRECOMPILED_HEADERS_H

#include "isa/bytecode/program.h"
#include "isa/cuda/clang_run.h"
#include "isa/cuda/files.h"

/*
 * Adds what clang has made of the headers to `view`, and makes it first if it is not kept in
 * options->bounds.header_cache, which then must hold a program already: a cache of one program
 * gains nothing. Returns the path for ws_precompiled_headers_arguments(), or NULL where the headers
 * themselves must be read; g_free. `path`: of the source.
 */
char *ws_precompiled_headers_add(const WsClangLimits *limits, const char *path,
                                 const WsCompileOptions *options, const WsCudaFiles *files,
                                 WsClangView *view);

/* Adds what makes clang take the file for the headers. */
void ws_precompiled_headers_arguments(GPtrArray *arguments, const char *precompiled);

#endif
