#include "isa/base/read_scope.h"

#include <errno.h>
#include <fcntl.h>
#include <gio/gio.h>
#include <linux/openat2.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

typedef struct {
    char *name;     /* as given, "./" in front left out */
    char *absolute; /* without "." and ".." */
    int descriptor;
} Folder;

struct WsReadScope {
    gboolean confined;
    GArray *folders; /* of Folder */
    GResource *resource;
    char *resource_folder, *resource_name;
    GHashTable *put;   /* path without "./" in front -> GBytes; or NULL */
    GChecksum *digest; /* or NULL; not owned */
};

/* O_NONBLOCK: opening a named pipe must not wait for a writer. */
enum { OPEN_FLAGS = O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY };

static void clear_folder(gpointer data)
{
    Folder *folder = data;
    g_free(folder->name);
    g_free(folder->absolute);
    if (folder->descriptor >= 0)
        close(folder->descriptor);
}

WsReadScope *ws_read_scope_new(gboolean confined)
{
    WsReadScope *scope = g_new0(WsReadScope, 1);
    scope->confined = confined;
    scope->folders = g_array_new(FALSE, FALSE, sizeof(Folder));
    g_array_set_clear_func(scope->folders, clear_folder);
    return scope;
}

WsReadScope *ws_read_scope_new_of_resource(GResource *resource, const char *folder,
                                           const char *name)
{
    WsReadScope *scope = ws_read_scope_new(TRUE);
    scope->resource = g_resource_ref(resource);
    scope->resource_folder = g_strdup(folder);
    scope->resource_name = g_strdup(name);
    return scope;
}

void ws_read_scope_free(WsReadScope *scope)
{
    if (scope == NULL)
        return;
    g_array_unref(scope->folders);
    g_clear_pointer(&scope->resource, g_resource_unref);
    g_free(scope->resource_folder);
    g_free(scope->resource_name);
    g_clear_pointer(&scope->put, g_hash_table_unref);
    g_free(scope);
}

static const char *without_dot(const char *path)
{
    while (path[0] == '.' && path[1] == '/') {
        path += 2;
        path += strspn(path, "/");
    }
    return path[0] == '\0' ? "." : path;
}

static void add_open(WsReadScope *scope, const char *folder, int descriptor)
{
    const Folder added = {.name = g_strdup(without_dot(folder)),
                          .absolute = g_canonicalize_filename(folder, NULL),
                          .descriptor = descriptor};
    g_array_append_val(scope->folders, added);
}

void ws_read_scope_add(WsReadScope *scope, const char *folder)
{
    add_open(scope, folder, open(folder, O_PATH | O_DIRECTORY | O_CLOEXEC));
}

/* ---- under a folder ---------------------------------------------------------------------------
 */

int ws_open_beneath_by_parts(int folder, const char *path, int flags)
{
    g_autofree char *whole = g_canonicalize_filename(path, "/r");
    g_auto(GStrv) parts = g_strsplit(whole + strlen("/r"), "/", -1);
    if (path[0] == '/' || strncmp(whole, "/r/", 3) != 0) {
        errno = EXDEV;
        return -1;
    }
    int at = folder;
    for (guint i = 1; parts[i] != NULL && at >= 0; i++) { /* the text begins with a slash */
        gboolean last = parts[i + 1] == NULL;
        int next =
            openat(at, parts[i], (last ? flags : O_PATH | O_DIRECTORY | O_CLOEXEC) | O_NOFOLLOW);
        int reason = errno;
        struct stat status;
        /* O_PATH opens the link itself; O_DIRECTORY says of one that it is no folder. */
        gboolean link = next >= 0 ? fstat(next, &status) == 0 && S_ISLNK(status.st_mode)
                                  : fstatat(at, parts[i], &status, AT_SYMLINK_NOFOLLOW) == 0 &&
                                        S_ISLNK(status.st_mode);
        if (at != folder)
            close(at);
        if (link && next >= 0) {
            close(next);
            next = -1;
        }
        errno = link ? EXDEV : reason;
        at = next;
    }
    return at;
}

static int open_beneath(int folder, const char *path, int flags)
{
    const struct open_how how = {.flags = (guint64)(guint)flags,
                                 .resolve = RESOLVE_BENEATH | RESOLVE_NO_MAGICLINKS};
    if (folder < 0) {
        errno = ENOENT;
        return -1;
    }
    long descriptor = -1;
    /* EAGAIN: a folder was renamed meanwhile. */
    for (guint i = 0; i < 100; i++) {
        descriptor = syscall(SYS_openat2, folder, path, &how, sizeof how);
        if (descriptor >= 0 || errno != EAGAIN)
            break;
    }
    /* Some sandboxes answer EPERM to calls that they do not know. */
    if (descriptor < 0 && (errno == ENOSYS || errno == EPERM))
        return ws_open_beneath_by_parts(folder, path, flags);
    return (int)descriptor;
}

/* What follows `folder` and a slash in `path`, or NULL. */
static const char *behind(const char *folder, const char *path)
{
    gsize length = strlen(folder);
    if (strcmp(folder, ".") == 0)
        return path[0] == '/' ? NULL : path;
    if (strcmp(folder, "/") == 0)
        return path[0] == '/' ? path + 1 : NULL;
    return strncmp(path, folder, length) == 0 && path[length] == '/' ? path + length + 1 : NULL;
}

/* As open(); TRUE in `ret_inside` if it was opened under a folder. */
static int open_in_scope(const WsReadScope *scope, const char *path, int flags,
                         gboolean *ret_inside)
{
    g_autofree char *absolute = g_canonicalize_filename(path, NULL);
    int reason = EXDEV;
    *ret_inside = TRUE;
    for (guint i = 0; scope != NULL && i < scope->folders->len; i++) {
        const Folder *folder = &g_array_index(scope->folders, Folder, i);
        const char *const rests[] = {behind(folder->name, without_dot(path)),
                                     behind(folder->absolute, absolute)};
        for (guint r = 0; r < G_N_ELEMENTS(rests); r++) {
            if (rests[r] == NULL)
                continue;
            int descriptor = open_beneath(folder->descriptor, rests[r], flags);
            if (descriptor >= 0)
                return descriptor;
            /* Another folder may have it; what only fails there is known better from here. */
            reason = errno == EXDEV || errno == ELOOP ? reason : errno;
        }
    }
    *ret_inside = FALSE;
    if (scope == NULL || !scope->confined)
        return open(path, flags);
    errno = reason;
    return -1;
}

/* ---- reading ----------------------------------------------------------------------------------
 */

static WsReadOutcome kind_of(int descriptor, struct stat *status)
{
    if (fstat(descriptor, status) != 0)
        return WS_READ_FAILED;
    if (S_ISREG(status->st_mode))
        return WS_READ_DONE;
    return S_ISDIR(status->st_mode) ? WS_READ_FOLDER : WS_READ_IRREGULAR;
}

static WsReadOutcome failure_of(const WsReadScope *scope)
{
    return errno == EXDEV && scope != NULL && scope->confined ? WS_READ_OUTSIDE : WS_READ_FAILED;
}

/* O_PATH first: opening a device may do something. */
static WsReadOutcome open_regular(const WsReadScope *scope, const char *path, int *ret,
                                  gboolean *ret_inside)
{
    struct stat status;
    int found = open_in_scope(scope, path, O_PATH | O_CLOEXEC, ret_inside);
    if (found < 0)
        return failure_of(scope);
    WsReadOutcome outcome = kind_of(found, &status);
    close(found);
    if (outcome != WS_READ_DONE)
        return outcome;
    *ret = open_in_scope(scope, path, OPEN_FLAGS, ret_inside);
    return *ret < 0 ? failure_of(scope) : WS_READ_DONE;
}

static WsReadOutcome read_all(int descriptor, gsize max_bytes, GBytes **ret)
{
    struct stat status;
    WsReadOutcome outcome = kind_of(descriptor, &status);
    if (outcome != WS_READ_DONE)
        return outcome;
    if ((guint64)status.st_size > max_bytes)
        return WS_READ_TOO_LARGE;
    gsize size = (gsize)status.st_size, done = 0;
    g_autofree char *data = g_try_malloc(size + 1);
    if (data == NULL)
        return WS_READ_NO_MEMORY;
    while (done < size) {
        ssize_t n = read(descriptor, data + done, size - done);
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            return WS_READ_FAILED;
        if (n == 0)
            break;
        done += (gsize)n;
    }
    data[done] = '\0';
    *ret = g_bytes_new_take(g_steal_pointer(&data), done);
    return WS_READ_DONE;
}

static WsReadOutcome read_resource(const WsReadScope *scope, const char *path, gsize max_bytes,
                                   GBytes **ret)
{
    const char *rest = behind(scope->resource_name, path);
    g_autofree char *inside = rest == NULL ? NULL : g_canonicalize_filename(rest, "/r");
    if (inside == NULL || rest[0] == '/' || strncmp(inside, "/r/", 3) != 0)
        return WS_READ_OUTSIDE;
    g_autofree char *name = g_strconcat(scope->resource_folder, inside + strlen("/r"), NULL);
    g_autoptr(GBytes) bytes = g_resource_lookup_data(scope->resource, name, 0, NULL);
    if (bytes == NULL) {
        errno = ENOENT;
        return WS_READ_FAILED;
    }
    gsize size;
    const char *data = g_bytes_get_data(bytes, &size);
    if (size > max_bytes)
        return WS_READ_TOO_LARGE;
    char *copy = g_malloc(size + 1);
    memcpy(copy, data, size);
    copy[size] = '\0';
    *ret = g_bytes_new_take(copy, size);
    return WS_READ_DONE;
}

/* What was put there, or NULL. */
static GBytes *find_put(const WsReadScope *scope, const char *path)
{
    return scope == NULL || scope->put == NULL ? NULL
                                               : g_hash_table_lookup(scope->put, without_dot(path));
}

void ws_read_scope_put(WsReadScope *scope, const char *path, GBytes *contents)
{
    gsize size;
    const char *data = g_bytes_get_data(contents, &size);
    char *copy = g_malloc(size + 1);
    if (size > 0)
        memcpy(copy, data, size);
    copy[size] = '\0';
    if (scope->put == NULL)
        scope->put =
            g_hash_table_new_full(g_str_hash, g_str_equal, g_free, (GDestroyNotify)g_bytes_unref);
    g_hash_table_insert(scope->put, g_strdup(without_dot(path)), g_bytes_new_take(copy, size));
}

void ws_read_scope_digest(WsReadScope *scope, GChecksum *digest)
{
    scope->digest = digest;
}

void ws_read_scope_add_hash(const WsReadScope *scope, const char *hash)
{
    if (scope != NULL && scope->digest != NULL)
        g_checksum_update(scope->digest, (const guchar *)hash, (gssize)strlen(hash) + 1);
}

static void add_to_digest(GChecksum *digest, const char *path, GBytes *bytes)
{
    gsize length;
    const guchar *data = g_bytes_get_data(bytes, &length);
    const guint64 size = length;
    g_checksum_update(digest, (const guchar *)path, (gssize)strlen(path) + 1);
    g_checksum_update(digest, (const guchar *)&size, sizeof size);
    g_checksum_update(digest, data, (gssize)length);
}

WsReadOutcome ws_read_scope_read(const WsReadScope *scope, const char *path, gsize max_bytes,
                                 GBytes **ret, gboolean *ret_inside)
{
    gboolean inside = TRUE;
    int descriptor = -1;
    WsReadOutcome outcome;
    *ret = NULL;
    GBytes *put = find_put(scope, path);
    if (put != NULL) {
        outcome = g_bytes_get_size(put) > max_bytes ? WS_READ_TOO_LARGE : WS_READ_DONE;
        *ret = outcome == WS_READ_DONE ? g_bytes_ref(put) : NULL;
    } else if (scope != NULL && scope->resource != NULL) {
        outcome = read_resource(scope, path, max_bytes, ret);
    } else {
        outcome = open_regular(scope, path, &descriptor, &inside);
        if (outcome == WS_READ_DONE)
            outcome = read_all(descriptor, max_bytes, ret);
        int reason = errno;
        if (descriptor >= 0)
            close(descriptor);
        errno = reason;
    }
    if (ret_inside != NULL)
        *ret_inside = inside && outcome == WS_READ_DONE;
    if (outcome == WS_READ_DONE && scope != NULL && scope->digest != NULL)
        add_to_digest(scope->digest, path, *ret);
    return outcome;
}

WsReadOutcome ws_read_scope_look(const WsReadScope *scope, const char *path)
{
    gboolean inside;
    int descriptor = -1;
    if (find_put(scope, path) != NULL)
        return WS_READ_DONE;
    if (scope != NULL && scope->resource != NULL) {
        g_autoptr(GBytes) bytes = NULL;
        return read_resource(scope, path, G_MAXSIZE, &bytes);
    }
    WsReadOutcome outcome = open_regular(scope, path, &descriptor, &inside);
    int reason = errno;
    if (descriptor >= 0)
        close(descriptor);
    errno = reason;
    return outcome;
}

WsReadScope *ws_read_scope_with(const WsReadScope *scope, const char *const *folders)
{
    WsReadScope *made = ws_read_scope_new(scope != NULL && scope->confined);
    made->digest = scope != NULL ? scope->digest : NULL;
    if (scope != NULL && scope->put != NULL)
        made->put = g_hash_table_ref(scope->put);
    if (scope != NULL && scope->resource != NULL) {
        made->resource = g_resource_ref(scope->resource);
        made->resource_folder = g_strdup(scope->resource_folder);
        made->resource_name = g_strdup(scope->resource_name);
        return made;
    }
    for (guint i = 0; scope != NULL && i < scope->folders->len; i++) {
        const Folder *folder = &g_array_index(scope->folders, Folder, i);
        const Folder copy = {g_strdup(folder->name), g_strdup(folder->absolute),
                             fcntl(folder->descriptor, F_DUPFD_CLOEXEC, 0)};
        g_array_append_val(made->folders, copy);
    }
    for (; folders != NULL && *folders != NULL; folders++) {
        gboolean inside;
        int descriptor = open_in_scope(scope, *folders, O_PATH | O_DIRECTORY | O_CLOEXEC, &inside);
        if (descriptor >= 0)
            add_open(made, *folders, descriptor);
    }
    return made;
}

char *ws_read_outcome_text(const WsReadScope *scope, WsReadOutcome outcome)
{
    const char *folder = scope != NULL && scope->resource != NULL ? scope->resource_name
                         : scope != NULL && scope->folders->len > 0
                             ? g_array_index(scope->folders, Folder, 0).name
                             : "";
    g_autofree char *shown = ws_printable(folder);
    switch (outcome) {
    case WS_READ_OUTSIDE:
        return g_strdup_printf("is outside the target's folder '%s', and only that folder is read",
                               shown);
    case WS_READ_FOLDER:
        return g_strdup("is a folder, not a file");
    case WS_READ_IRREGULAR:
        return g_strdup("is not a regular file");
    case WS_READ_TOO_LARGE:
        return g_strdup("is too large");
    case WS_READ_NO_MEMORY:
        return g_strdup("no memory to read it");
    default:
        return g_strdup_printf("cannot open: %s", g_strerror(errno));
    }
}
