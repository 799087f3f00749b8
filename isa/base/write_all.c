#include "isa/base/write_all.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <unistd.h>

gboolean ws_write_all(int file, const void *data, gsize length)
{
    const char *at = data;
    while (length > 0) {
        ssize_t done = write(file, at, length);
        if (done < 0 && errno == EINTR)
            continue;
        if (done < 0)
            return FALSE;
        at += done;
        length -= (gsize)done;
    }
    return TRUE;
}

gboolean ws_write_renamed(const char *path, int mode, const void *data, gsize length)
{
    g_autofree char *folder = g_path_get_dirname(path);
    g_autofree char *temporary = g_build_filename(folder, ".new-XXXXXX", NULL);
    int file = g_mkstemp_full(temporary, O_WRONLY | O_CLOEXEC, mode);
    if (file < 0)
        return FALSE;
    gboolean written = ws_write_all(file, data, length);
    int number = errno;
    if (close(file) != 0 && written) {
        number = errno;
        written = FALSE;
    }
    if (written && g_rename(temporary, path) == 0)
        return TRUE;
    number = written ? errno : number;
    g_unlink(temporary);
    errno = number;
    return FALSE;
}
