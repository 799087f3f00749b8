#include "isa/base/temporary_folder.h"

#include <errno.h>
#include <glib/gstdio.h>
#include <pthread.h>
#include <signal.h>

/* What is made here is shallow; deeper folders are not ours. */
enum { MAX_DEPTH = 4 };

struct WsTemporaryFolder {
    char *path;
    sigset_t mask_before;
};

static const int ending_signals[] = {SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGXFSZ};

static sigset_t ending_set(void)
{
    sigset_t set;
    sigemptyset(&set);
    for (guint i = 0; i < G_N_ELEMENTS(ending_signals); i++)
        sigaddset(&set, ending_signals[i]);
    return set;
}

WsTemporaryFolder *ws_temporary_folder_new(GError **error)
{
    g_autofree WsTemporaryFolder *folder = g_new0(WsTemporaryFolder, 1);
    sigset_t set = ending_set();
    folder->path = g_build_filename(g_get_tmp_dir(), "warpstep-XXXXXX", NULL);
    pthread_sigmask(SIG_BLOCK, &set, &folder->mask_before);
    if (g_mkdtemp(folder->path) != NULL)
        return g_steal_pointer(&folder);
    int reason = errno;
    pthread_sigmask(SIG_SETMASK, &folder->mask_before, NULL);
    g_autofree char *shown = ws_printable(g_get_tmp_dir());
    ws_set_error(error, WS_ERROR_INPUT, "cannot make a temporary folder in %s: %s", shown,
                 g_strerror(reason));
    g_free(folder->path);
    return NULL;
}

const char *ws_temporary_folder_path(const WsTemporaryFolder *folder)
{
    return folder->path;
}

/* g_unlink() fails on folders and removes links themselves. */
static void delete_folder(const char *path, guint depth)
{
    g_autoptr(GDir) dir = depth < MAX_DEPTH ? g_dir_open(path, 0, NULL) : NULL;
    const char *name;
    while (dir != NULL && (name = g_dir_read_name(dir)) != NULL) {
        g_autofree char *child = g_build_filename(path, name, NULL);
        if (g_unlink(child) != 0)
            delete_folder(child, depth + 1);
    }
    g_rmdir(path);
}

void ws_temporary_folder_delete(const char *path)
{
    delete_folder(path, 0);
}

void ws_temporary_folder_free(WsTemporaryFolder *folder)
{
    if (folder == NULL)
        return;
    delete_folder(folder->path, 0);
    pthread_sigmask(SIG_SETMASK, &folder->mask_before, NULL);
    g_free(folder->path);
    g_free(folder);
}

void ws_temporary_folder_release_signals(gpointer data)
{
    (void)data;
    sigset_t set = ending_set();
    sigprocmask(SIG_UNBLOCK, &set, NULL);
}

gboolean ws_temporary_file_write(const char *path, GBytes *contents, GError **error)
{
    gsize size;
    const char *data = g_bytes_get_data(contents, &size);
    g_autoptr(GError) failure = NULL;
    if (g_file_set_contents_full(path, data, (gssize)size, G_FILE_SET_CONTENTS_NONE, 0600,
                                 &failure))
        return TRUE;
    ws_set_error(error, WS_ERROR_INPUT, "cannot write a temporary file: %s",
                 ws_file_error_text(failure));
    return FALSE;
}
