/*
 * PTX that clang made before, kept on the disk by content.
 *
 * The key of an entry is a hash of all that decides what comes out: the source and every file that
 * it may include, with their names, clang's arguments, our headers and front end (a digest taken
 * when Warpstep was built), our version, clang's program with the libraries beside it, and the
 * state of the system's packages, for the others. Nothing is kept of compiles that fail.
 *
 * Entries are written to a file beside their place and renamed, so that any number of processes may
 * use a folder at once. Each has a checksum; one that is damaged counts as absent. The oldest go
 * when the folder has grown too large. A cache that cannot be read or written is no error.
 */
#ifndef WS_ISA_CUDA_PTX_CACHE_H
#define WS_ISA_CUDA_PTX_CACHE_H

#include "isa/cuda/files.h"

enum {
    WS_PTX_CACHE_BYTES = 128 << 20, /* of all entries, at most */
    WS_PTX_CACHE_ENTRIES = 8192     /* likewise */
};

/*
 * The key, 64 hex digits; g_free. `arguments` (char*, NULL-terminated) are clang's without names of
 * memory files.
 */
char *ws_ptx_cache_key(const char *clang, const char *const *arguments, const WsCudaFiles *files);

/*
 * The PTX kept under `key`, or NULL. Files that clang had read are then marked so in `files`, and
 * `ret_compiler` gets what was kept of it. g_free both.
 */
char *ws_ptx_cache_get(const char *folder, const char *key, WsCudaFiles *files,
                       char **ret_compiler);

/* Keeps the PTX that `compiler` (or NULL: not known) made of `files`; makes the folder. */
void ws_ptx_cache_put(const char *folder, const char *key, const WsCudaFiles *files,
                      const char *compiler, const char *ptx);

/*
 * Headers as clang has read them (isa/cuda/precompiled_headers.h), kept in the same folder under
 * the same bound. The checksum is a CRC-32 here:
 * they are megabytes, and read for each compile.
 */
typedef struct {
    GBytes *data; /* what clang made of them; empty if it can make nothing */
    char *words;  /* the identifiers in them, each between line feeds */
    char *names;  /* likewise, the last part of the names of all files that they may include */
} WsPrecompiledHeaders;

void ws_precompiled_headers_clear(WsPrecompiledHeaders *headers);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(WsPrecompiledHeaders, ws_precompiled_headers_clear)

/* As ws_ptx_cache_key(), of what decides how the headers are read. It ends with ".pch". */
char *ws_ptx_cache_headers_key(const char *clang, const char *const *arguments);

/* FALSE if there are none under the key. */
gboolean ws_ptx_cache_get_headers(const char *folder, const char *key, WsPrecompiledHeaders *ret);

/* As ws_ptx_cache_put(). */
void ws_ptx_cache_put_headers(const char *folder, const char *key,
                              const WsPrecompiledHeaders *headers);

/* Whether any PTX is kept. */
gboolean ws_ptx_cache_has_programs(const char *folder);

/* Where programs of the user keep it: warpstep/ptx in XDG_CACHE_HOME, else in ~/.cache. g_free. */
char *ws_ptx_cache_folder(void);

#endif
