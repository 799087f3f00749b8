/*
 * A whole CUDA program in one source that was handed in, compiled for the device and the host and
 * linked, as `warpstep cc -O2 -pthread` does it, with clang and the linker in their sandbox: they
 * read the source, what it includes of its own folders, our headers and those of the system.
 */
#ifndef WS_ISA_CUDA_HOST_PROGRAM_H
#define WS_ISA_CUDA_HOST_PROGRAM_H

#include "isa/bytecode/program.h"

typedef struct {
    char *ptx;           /* of its kernels */
    GHashTable *sources; /* char*, name -> char*, of files of its own that clang has read */
    char *compiler;      /* "clang 14.0.6", or NULL */
    char *runtime;       /* path of libwarpstep-cudart that it loads */
} WsHostProgram;

void ws_host_program_clear(WsHostProgram *program);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(WsHostProgram, ws_host_program_clear)

/*
 * Of `options` scope, includes and bounds count. The program is written as the file `output`.
 * Without all of the kernel's protection (isa/cuda/protection.h), by which alone files of the
 * machine are kept from the source, nothing is compiled. Errors: WS_ERROR_INPUT; of them
 * `ret_fault` says whether the source is at fault.
 */
gboolean ws_host_program_build(const char *path, const WsCompileOptions *options,
                               const char *output, WsHostProgram *ret, gboolean *ret_fault,
                               GError **error);

#endif
