/*
 * PTX that an assignment carries: compiled once by whoever made it, for machines whose clang is
 * another version. Entries are those of isa/cuda/ptx_cache.h, but their keys leave clang out: a
 * hash of the source and every file that it may include, of clang's arguments, and of our own part.
 * Names of files that lie below the assignment's folder count from there, in the key as in the PTX,
 * so that the folder may lie anywhere.
 *
 * Who writes into such a folder decides what its programs do. It belongs to the assignment, never
 * to what is handed in.
 */
#ifndef WS_ISA_CUDA_CARRIED_H
#define WS_ISA_CUDA_CARRIED_H

#include "isa/cuda/files.h"

/*
 * The key, 64 hex digits (g_free), or NULL where a file lies outside of `root`, an absolute path,
 * so that another machine may have another one. `arguments` are as in ws_ptx_cache_key().
 */
char *ws_carried_key(const char *root, const char *const *arguments, const WsCudaFiles *files);

/* As ws_ptx_cache_get() and ws_ptx_cache_put(), with names of files below `root`. */
char *ws_carried_get(const char *folder, const char *root, const char *key, WsCudaFiles *files,
                     char **ret_compiler);
void ws_carried_put(const char *folder, const char *root, const char *key, const WsCudaFiles *files,
                    const char *compiler, const char *ptx);

#endif
