#include "cli/output_file.h"

#include "isa/base/write_all.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MAX_LINKS = 40, MAX_TEMPORARY_NAMES = 1000, NEW_FILE_MODE = 0666, MODE_BITS = 07777 };

static gboolean is_stdout(const char *path)
{
    return strcmp(path, "-") == 0 || strcmp(path, "/dev/stdout") == 0 ||
           strcmp(path, "/dev/fd/1") == 0;
}

static gboolean write_error(const char *path, int number, GError **error)
{
    WsPosition position = {.file = path};
    ws_set_error_at(error, WS_ERROR_INPUT, &position, "cannot write: %s", g_strerror(number));
    return FALSE;
}

/* ---- where the file is ------------------------------------------------------------------------
 */

/* The path that symbolic links lead to, which need not exist. */
static char *follow_links(const char *path, GError **error)
{
    g_autofree char *at = g_strdup(path);
    for (guint i = 0; i < MAX_LINKS; i++) {
        GStatBuf status;
        if (g_lstat(at, &status) != 0 || !S_ISLNK(status.st_mode))
            return g_steal_pointer(&at);
        g_autofree char *link = g_file_read_link(at, NULL);
        if (link == NULL)
            break;
        g_autofree char *folder = g_path_get_dirname(at);
        g_free(at);
        at = g_path_is_absolute(link) ? g_strdup(link) : g_build_filename(folder, link, NULL);
    }
    write_error(path, ELOOP, error);
    return NULL;
}

/* Where the data go in the end, or NULL. `ret` is the state of the file, its st_mode 0 if none. To
 * a device of characters, such as /dev/null, they go as they are. */
static char *find_place(const char *path, GStatBuf *ret, GError **error)
{
    WsPosition position = {.file = path};
    *ret = (GStatBuf){0};
    if (path[0] == '\0') {
        ws_set_error(error, WS_ERROR_INPUT, "the name of the file to write is empty");
        return NULL;
    }
    g_autofree char *place = follow_links(path, error);
    if (place == NULL || g_stat(place, ret) != 0)
        return g_steal_pointer(&place);
    if (!S_ISREG(ret->st_mode) && !S_ISCHR(ret->st_mode)) {
        ws_set_error_at(error, WS_ERROR_INPUT, &position, "exists and is not a regular file");
        return NULL;
    }
    if (g_access(place, W_OK) != 0) {
        write_error(path, errno, error);
        return NULL;
    }
    return g_steal_pointer(&place);
}

/* ---- writing ----------------------------------------------------------------------------------
 */

/* A new file beside `place`, open; its name in `ret_name`. -1 with errno. */
static int make_temporary(const char *place, char **ret_name)
{
    g_autofree char *folder = g_path_get_dirname(place);
    for (guint i = 0; i < MAX_TEMPORARY_NAMES; i++) {
        g_autofree char *base = g_strdup_printf(".warpstep-%ld-%u", (long)getpid(), i);
        g_autofree char *name = g_build_filename(folder, base, NULL);
        int file = g_open(name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, NEW_FILE_MODE);
        if (file >= 0)
            *ret_name = g_steal_pointer(&name);
        if (file >= 0 || errno != EEXIST)
            return file;
    }
    return -1;
}

/*
 * The owner first: changing it may clear bits of the mode. It is not an error if it cannot be kept,
 * as the owner of a copy cannot.
 */
static gboolean keep_mode(int file, const GStatBuf *before)
{
    if (before->st_mode == 0)
        return TRUE;
    int ignored = fchown(file, before->st_uid, before->st_gid);
    (void)ignored;
    return fchmod(file, before->st_mode & MODE_BITS) == 0;
}

struct WsOutputStream {
    int file;   /* -1: stdout */
    int number; /* errno of the first write that failed, or 0 */
    char *path, *place;
    char *temporary; /* NULL: written to as it is */
    GStatBuf before;
};

WsOutputStream *ws_output_stream_open(const char *path, GError **error)
{
    WsOutputStream *stream = g_new0(WsOutputStream, 1);
    stream->path = g_strdup(path);
    stream->file = -1;
    if (is_stdout(path))
        return stream;
    stream->place = find_place(path, &stream->before, error);
    if (stream->place != NULL) {
        stream->file = S_ISCHR(stream->before.st_mode)
                           ? g_open(stream->place, O_WRONLY | O_CLOEXEC)
                           : make_temporary(stream->place, &stream->temporary);
        if (stream->file >= 0)
            return stream;
        write_error(path, errno, error);
    }
    ws_output_stream_discard(stream);
    return NULL;
}

gboolean ws_output_stream_write(WsOutputStream *stream, const char *data, gsize length)
{
    if (stream->number != 0)
        return FALSE;
    if (stream->file < 0 ? fwrite(data, 1, length, stdout) != length
                         : !ws_write_all(stream->file, data, length))
        stream->number = errno;
    return stream->number == 0;
}

gboolean ws_output_stream_is_whole(const WsOutputStream *stream)
{
    return stream->number == 0;
}

void ws_output_stream_discard(WsOutputStream *stream)
{
    if (stream == NULL)
        return;
    if (stream->file >= 0)
        close(stream->file);
    if (stream->temporary != NULL)
        g_unlink(stream->temporary);
    g_free(stream->path);
    g_free(stream->place);
    g_free(stream->temporary);
    g_free(stream);
}

gboolean ws_output_stream_commit(WsOutputStream *stream, GError **error)
{
    if (stream->file >= 0) {
        gboolean renamed = stream->temporary != NULL;
        if (stream->number == 0 && renamed && !keep_mode(stream->file, &stream->before))
            stream->number = errno;
        if (close(stream->file) != 0 && stream->number == 0)
            stream->number = errno;
        stream->file = -1;
        if (stream->number == 0 && renamed && g_rename(stream->temporary, stream->place) != 0)
            stream->number = errno;
        if (stream->number == 0)
            g_clear_pointer(&stream->temporary, g_free);
    }
    int number = stream->number;
    gboolean written = number == 0;
    if (!written && is_stdout(stream->path)) {
        ws_set_error(error, WS_ERROR_INPUT, "cannot write the output: %s", g_strerror(number));
        clearerr(stdout); /* said once */
    } else if (!written) {
        write_error(stream->path, number, error);
    }
    ws_output_stream_discard(stream);
    return written;
}

gboolean ws_write_file(const char *path, const char *data, gsize length, GError **error)
{
    WsOutputStream *stream = ws_output_stream_open(path, error);
    if (stream == NULL)
        return FALSE;
    ws_output_stream_write(stream, data, length);
    return ws_output_stream_commit(stream, error);
}

/* ---- before the work --------------------------------------------------------------------------
 */

/* The one name of a place: "-" is stdout, "" a device. NULL if it cannot be written. */
static char *writable_place(const char *path, GError **error)
{
    if (is_stdout(path))
        return g_strdup("-");
    GStatBuf before;
    g_autofree char *place = find_place(path, &before, error);
    if (place == NULL)
        return NULL;
    g_autofree char *temporary = NULL;
    if (S_ISCHR(before.st_mode)) /* which any number may write to */
        return g_strdup("");
    int file = make_temporary(place, &temporary);
    if (file < 0) {
        write_error(path, errno, error);
        return NULL;
    }
    close(file);
    g_unlink(temporary);
    g_autofree char *folder = g_path_get_dirname(place);
    g_autofree char *base = g_path_get_basename(place);
    char real_folder[PATH_MAX];
    if (realpath(folder, real_folder) == NULL) {
        write_error(path, errno, error);
        return NULL;
    }
    return g_build_filename(real_folder, base, NULL);
}

gboolean ws_outputs_check(const WsOutput *outputs, gsize count, GError **error)
{
    g_autoptr(GHashTable) seen = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    for (gsize i = 0; i < count; i++) {
        const WsOutput *output = &outputs[i];
        char *place = output->path == NULL ? NULL : writable_place(output->path, error);
        if (output->path == NULL)
            continue;
        if (place == NULL)
            return FALSE;
        const WsOutput *other = *place == '\0' ? NULL : g_hash_table_lookup(seen, place);
        g_autofree char *shown = ws_printable(output->path);
        g_hash_table_insert(seen, place, (gpointer)output);
        if (other == NULL)
            continue;
        ws_set_error(error, WS_ERROR_USAGE, "%s and %s would both write %s", other->option,
                     output->option, is_stdout(output->path) ? "to stdout" : shown);
        return FALSE;
    }
    return TRUE;
}
