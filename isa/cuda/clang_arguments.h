/* What clang is told: of the target, of our headers, and of the user's program. */
#ifndef WS_ISA_CUDA_CLANG_ARGUMENTS_H
#define WS_ISA_CUDA_CLANG_ARGUMENTS_H

#include "isa/bytecode/program.h"

/* Adds one; `arguments` are of char*, freed with g_free. */
void ws_clang_argument(GPtrArray *arguments, const char *format, ...) G_GNUC_PRINTF(2, 3);

/*
 * Adds those that do not depend on the program, and of `options` on `for_checks`, `debug` and
 * `variables` alone: language, target, optimisation.
 */
void ws_clang_arguments_for_headers(GPtrArray *arguments, const WsCompileOptions *options);

/*
 * Whether the PTX gets DWARF of variables. With precompiled headers it would not be the same, byte
 * for byte, as without.
 */
gboolean ws_clang_arguments_have_dwarf(const WsCompileOptions *options);

/* Whether LLVM's dump of the code comes on stderr (isa/cuda/code_dump.h). */
gboolean ws_clang_arguments_have_dump(const WsCompileOptions *options);

/* Adds where our headers are and that cuda_runtime.h comes before the first line. */
void ws_clang_arguments_include(GPtrArray *arguments);

/* Adds the name of the source `path`, the macros, and the folders where clang looks for includes.
 */
void ws_clang_arguments_of_user(GPtrArray *arguments, const char *path,
                                const WsCompileOptions *options);

/*
 * The two passes over a source of a whole program. `headers` is the folder of our headers on the
 * disk; the host's are behind them. The device pass writes PTX, optimised as for a launch file; the
 * host pass an object, which has the PTX of the file `ptx` in it; NULL: none.
 */
void ws_clang_arguments_device_pass(GPtrArray *arguments, const char *headers);
void ws_clang_arguments_host_pass(GPtrArray *arguments, const char *headers, const char *ptx);

/* The one pass over a source without kernels, C++ or C, as a host compiler would get it. */
void ws_clang_arguments_plain_pass(GPtrArray *arguments, const char *headers, gboolean is_c);

#endif
