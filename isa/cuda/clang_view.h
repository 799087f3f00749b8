/*
 * What clang finds when it opens a file: a closed view, so that no source can make it read
 * anything else, or find out what else there is. The view has our headers, and the files that
 * isa/cuda/files.h has read; none of the system's and none of clang's own. So what comes out is the
 * same on every machine with that clang.
 *
 * It is a virtual file system of clang's own (-ivfsoverlay) without a way out, with contents in
 * memory files. Links and ".." play no part: clang looks paths up as texts.
 */
#ifndef WS_ISA_CUDA_CLANG_VIEW_H
#define WS_ISA_CUDA_CLANG_VIEW_H

#include "isa/base/error.h"

/* Where our headers are in the view. No file of a user's is there. */
#define WS_CLANG_HEADERS "/.warpstep/include"

typedef struct {
    GPtrArray *paths; /* of char*: absolute, without "." and ".." */
    GArray *contents; /* of int: the memory file of each, closed with the view */
    guint libraries;  /* ws_clang_view_want(): a bit for each that is there */
} WsClangView;

/* With our headers, but for those that ws_clang_view_want() adds. Errors: WS_ERROR_INPUT. */
WsClangView *ws_clang_view_new(GError **error);

/*
 * If `name`, as a source includes it, is a header of one of our libraries
 * (cub/block/block_scan.cuh), adds all headers of it, once; if it is one of those that few sources
 * include (WS_RARE_HEADERS), that one and what it includes. Errors: WS_ERROR_INPUT.
 */
gboolean ws_clang_view_want(WsClangView *view, const char *name, GError **error);
void ws_clang_view_free(WsClangView *view);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(WsClangView, ws_clang_view_free)

/* A file of this path and content; `path` is made absolute. Errors: WS_ERROR_INPUT. */
gboolean ws_clang_view_add(WsClangView *view, const char *path, GBytes *content, GError **error);

/* A file that only its memory file's path names. Returns that path, or NULL. */
char *ws_clang_view_add_nameless(WsClangView *view, const void *data, gsize length, GError **error);

/* Takes the file that was added last out of the view, and closes it. */
void ws_clang_view_remove_last(WsClangView *view);

/*
 * The description for -ivfsoverlay, as a memory file. `is_open`: what is not in the view is looked
 * for on the disk, where only the sandbox says what clang may read. Errors: -1 and WS_ERROR_INPUT.
 */
int ws_clang_view_overlay(const WsClangView *view, gboolean is_open, GError **error);

#endif
