/* clang's messages, as Warpstep shows them. */
#ifndef WS_ISA_CUDA_MESSAGES_H
#define WS_ISA_CUDA_MESSAGES_H

#include "isa/cuda/clang_run.h"
#include "isa/cuda/files.h"

/*
 * The error of a run that did not end well. `path` is the source. What clang says of its own crash
 * is left out. `seconds_name`: what sets limits->cpu_seconds, or NULL.
 */
void ws_cuda_set_failure(const char *path, const WsCudaFiles *files, const WsClangLimits *limits,
                         const char *seconds_name, const WsClangResult *result, GError **error);

/*
 * The name of an included file that clang did not find, and in `ret_includer` the path of the file
 * that includes it; NULL if that is not what clang says. Free both with g_free.
 */
char *ws_cuda_missing_include(const char *messages, char **ret_includer);

#endif
