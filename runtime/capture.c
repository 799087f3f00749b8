/*
 * WARPSTEP_CAPTURE=FOLDER: launches as launch files, FOLDER/0003-saxpy.yaml, each as it was before
 * it ran. The number is that of the launch in the program, which ends there
 * with WARPSTEP_CAPTURE_END=1.
 */
#include "runtime/runtime.h"

#include <errno.h>
#include <glib/gstdio.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void give_up(WsRuntime *runtime, const char *why)
{
    fprintf(stderr, "warpstep: error: WARPSTEP_CAPTURE: %s; no more launches are captured\n", why);
    g_clear_pointer(&runtime->capture, g_free);
}

/* The folder `data` may be there: who runs a program that may make none has made it. */
static gboolean is_empty(GDir *contents)
{
    const char *name = g_dir_read_name(contents);
    return name == NULL || (strcmp(name, "data") == 0 && g_dir_read_name(contents) == NULL);
}

gboolean ws_capture_begin(WsRuntime *runtime)
{
    const char *folder = getenv("WARPSTEP_CAPTURE");
    if (folder == NULL || runtime->capture != NULL)
        return TRUE;
    g_autoptr(GError) error = NULL;
    g_autoptr(GDir) contents = NULL;
    if (*folder == '\0' || (!g_file_test(folder, G_FILE_TEST_EXISTS) &&
                            g_mkdir_with_parents(folder, 0777) != 0 && errno != EEXIST)) {
        fprintf(stderr, "warpstep: error: WARPSTEP_CAPTURE: %s: %s\n", folder,
                *folder == '\0' ? "a folder is expected" : g_strerror(errno));
        return FALSE;
    }
    contents = g_dir_open(folder, 0, &error);
    if (contents == NULL || !is_empty(contents)) {
        fprintf(stderr, "warpstep: error: WARPSTEP_CAPTURE: %s\n",
                error != NULL ? error->message : "the folder is not empty");
        return FALSE;
    }
    runtime->capture = g_canonicalize_filename(folder, NULL); /* the program may go elsewhere */
    return TRUE;
}

void ws_capture_launch(WsRuntime *runtime, const char *kernel)
{
    enum { MAX_NAME = 40 };
    if (runtime->capture == NULL)
        return;
    g_autofree char *name = g_strndup(kernel, MAX_NAME);
    for (char *at = name; *at != '\0'; at++)
        if (!g_ascii_isalnum(*at))
            *at = '_';
    g_autofree char *path =
        g_strdup_printf("%s/%04u-%s.yaml", runtime->capture, runtime->launch_number, name);
    const gboolean saved = warpstep_save(runtime->gpu, path) == WARPSTEP_OK;
    if (!saved)
        give_up(runtime, warpstep_last_error(runtime->gpu)->text);
    if (getenv("WARPSTEP_CAPTURE_END") != NULL) {
        fflush(NULL);
        _exit(saved ? EXIT_SUCCESS : EXIT_FAILURE);
    }
}
