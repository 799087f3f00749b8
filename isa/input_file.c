#include "isa/input_file.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static GBytes *read_all(int descriptor, const char *path, gsize max_bytes, GError **error)
{
    WsPosition position = {.file = path};
    struct stat status;
    if (fstat(descriptor, &status) != 0) {
        ws_set_error_at(error, WS_ERROR_INPUT, &position, "cannot read: %s", g_strerror(errno));
        return NULL;
    }
    if (!S_ISREG(status.st_mode)) {
        ws_set_error_at(error, WS_ERROR_INPUT, &position, "%s",
                        S_ISDIR(status.st_mode) ? "is a folder, not a file"
                                                : "is not a regular file");
        return NULL;
    }
    if ((guint64)status.st_size > max_bytes) {
        ws_set_error_at(error, WS_ERROR_INPUT, &position,
                        "has %" G_GUINT64_FORMAT " bytes, at most %" G_GSIZE_FORMAT " are read",
                        (guint64)status.st_size, max_bytes);
        return NULL;
    }
    gsize size = (gsize)status.st_size, done = 0;
    g_autofree char *data = g_try_malloc(size + 1);
    if (data == NULL) {
        ws_set_error_at(error, WS_ERROR_INPUT, &position, "no memory for %" G_GSIZE_FORMAT " bytes",
                        size);
        return NULL;
    }
    while (done < size) {
        ssize_t n = read(descriptor, data + done, size - done);
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0) {
            ws_set_error_at(error, WS_ERROR_INPUT, &position, "cannot read: %s", g_strerror(errno));
            return NULL;
        }
        if (n == 0)
            break;
        done += (gsize)n;
    }
    data[done] = '\0';
    return g_bytes_new_take(g_steal_pointer(&data), done);
}

GBytes *ws_read_input_file(const char *path, gsize max_bytes, GError **error)
{
    /* O_NONBLOCK: opening a named pipe must not wait for a writer. */
    int descriptor = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY);
    if (descriptor < 0) {
        WsPosition position = {.file = path};
        ws_set_error_at(error, WS_ERROR_INPUT, &position, "cannot open: %s", g_strerror(errno));
        return NULL;
    }
    GBytes *bytes = read_all(descriptor, path, max_bytes, error);
    close(descriptor);
    return bytes;
}
