#include "isa/base/write_all.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <sys/stat.h>
#include <unistd.h>

static const char unfinished_prefix[] = ".new-";

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

int ws_open_unfinished(const char *path, int mode, char **ret_name)
{
    g_autofree char *folder = g_path_get_dirname(path);
    g_autofree char *name = g_strconcat(unfinished_prefix, "XXXXXX", NULL);
    *ret_name = g_build_filename(folder, name, NULL);
    return g_mkstemp_full(*ret_name, O_WRONLY | O_CLOEXEC, mode);
}

/* A confined program may rename nothing (isa/cuda/confined_run.h). */
static gboolean may_rename(void)
{
    return g_rename("", "") == 0 || errno != ENOSYS;
}

/* A file that is not there yet; what could not be written whole is deleted, if it may be. */
static gboolean write_in_place(const char *path, int mode, const void *data, gsize length)
{
    int file = g_open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode);
    if (file < 0)
        return FALSE;
    gboolean written = ws_write_all(file, data, length);
    int number = errno;
    if (close(file) == 0 && written)
        return TRUE;
    number = written ? errno : number;
    g_unlink(path);
    errno = number;
    return FALSE;
}

gboolean ws_write_renamed(const char *path, int mode, const void *data, gsize length)
{
    g_autofree char *temporary = NULL;
    if (!may_rename())
        return write_in_place(path, mode, data, length);
    int file = ws_open_unfinished(path, mode, &temporary);
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

gboolean ws_is_unfinished(const char *name)
{
    return g_str_has_prefix(name, unfinished_prefix);
}

void ws_remove_unfinished(const char *folder, gint64 seconds)
{
    g_autoptr(GDir) names = g_dir_open(folder, 0, NULL);
    const gint64 now = g_get_real_time() / G_USEC_PER_SEC;
    for (const char *name; names != NULL && (name = g_dir_read_name(names)) != NULL;) {
        g_autofree char *path = g_build_filename(folder, name, NULL);
        struct stat status;
        if (ws_is_unfinished(name) && lstat(path, &status) == 0 && S_ISREG(status.st_mode) &&
            now - status.st_mtim.tv_sec >= seconds)
            g_unlink(path);
    }
}
