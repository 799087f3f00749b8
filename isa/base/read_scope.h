/*
 * Which files may be read for a target: the one place where the library opens what a user named.
 *
 * A scope has folders. A file is inside if it lies under one of them when all symbolic links have
 * been followed. A confined scope reads only files that are inside; any other scope reads all, and
 * tells which are inside. Only regular files are opened, never a pipe or a device.
 *
 * Where Linux has openat2() (5.6), it decides what is inside, in one step with opening. Elsewhere
 * every part of the path is opened by itself, and a symbolic link is outside.
 */
#ifndef WS_ISA_BASE_READ_SCOPE_H
#define WS_ISA_BASE_READ_SCOPE_H

#include "isa/base/error.h"

/* As gio/gio.h has it, which nearly every source would read through this header. */
typedef struct _GResource GResource;
typedef struct WsReadScope WsReadScope;

typedef enum {
    WS_READ_DONE,
    WS_READ_FAILED,    /* errno says why */
    WS_READ_OUTSIDE,   /* refused, whether it exists or not */
    WS_READ_FOLDER,    /* is a folder */
    WS_READ_IRREGULAR, /* a pipe, a device or a socket */
    WS_READ_TOO_LARGE,
    WS_READ_NO_MEMORY
} WsReadOutcome;

WsReadScope *ws_read_scope_new(gboolean confined);

/*
 * Files of a resource bundle instead of the disk, confined: the file `name`/FILE is `folder`/FILE
 * of the bundle.
 */
WsReadScope *ws_read_scope_new_of_resource(GResource *resource, const char *folder,
                                           const char *name);
void ws_read_scope_free(WsReadScope *scope);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(WsReadScope, ws_read_scope_free)

/*
 * Adds a folder, the link followed if it is one: who calls this trusts the name. Nothing is under
 * one that cannot be opened.
 */
void ws_read_scope_add(WsReadScope *scope, const char *folder);

/*
 * A scope as `scope` (NULL: one that is not confined), with `folders` (NULL-terminated, or NULL)
 * too: for a confined one, those of them that are inside.
 */
WsReadScope *ws_read_scope_with(const WsReadScope *scope, const char *const *folders);

/*
 * From here on the file of this very name (but for "./" in front) has these contents, whatever is
 * on the disk; it is inside. Scopes made from this one share it.
 */
void ws_read_scope_put(WsReadScope *scope, const char *path, GBytes *contents);

/*
 * From here on every file that is read adds its path and contents to `digest`, which must outlive
 * the scope and those made from it. One thread at a time.
 */
void ws_read_scope_digest(WsReadScope *scope, GChecksum *digest);

/*
 * Adds `hash`, that of files which were read for someone else before, to the digest of the scope,
 * as if they were read now. Without a digest it does nothing; `scope` may be NULL.
 */
void ws_read_scope_add_hash(const WsReadScope *scope, const char *hash);

/*
 * Reads a file of at most `max_bytes`. The bytes are followed by a NUL that is not counted.
 * `ret_inside` may be NULL. `scope` may be NULL: everything may be read, nothing is inside.
 */
WsReadOutcome ws_read_scope_read(const WsReadScope *scope, const char *path, gsize max_bytes,
                                 GBytes **ret, gboolean *ret_inside);

/* Whether it would be read: the same without reading. */
WsReadOutcome ws_read_scope_look(const WsReadScope *scope, const char *path);

/*
 * What an outcome means, as a part of a message: "is not a regular file". errno must still be that
 * of the failure. Free with g_free.
 */
char *ws_read_outcome_text(const WsReadScope *scope, WsReadOutcome outcome);

/*
 * For tests: opens `path`, relative to the folder open as `folder`, without openat2(). Errors: -1
 * and errno, EXDEV if it leads out of the folder or through a symbolic link.
 */
int ws_open_beneath_by_parts(int folder, const char *path, int flags);

#endif
