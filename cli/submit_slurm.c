#include "cli/submit_slurm.h"

#include "cli/command.h"
#include "study/run/slurm.h"

#include <errno.h>
#include <gio/gio.h>
#include <glib/gstdio.h>
#include <stdio.h>
#include <string.h>

static gboolean write_script(const char *path, const char *script, GError **error)
{
    g_autofree char *folder = g_path_get_dirname(path);
    g_autofree char *logs = g_build_filename(folder, "slurm", NULL);
    if (g_mkdir_with_parents(logs, 0777) == 0)
        return ws_write_file(path, script, strlen(script), error);
    WsPosition position = {.file = logs};
    ws_set_error_at(error, WS_ERROR_INPUT, &position, "cannot make the folder: %s",
                    g_strerror(errno));
    return FALSE;
}

/* What sbatch prints; NULL after an error. */
static char *submit(const char *path, GError **error)
{
    g_autoptr(GError) failure = NULL;
    WsPosition position = {.file = path};
    g_autofree char *program = g_find_program_in_path("sbatch");
    if (program == NULL) {
        ws_set_error_at(error, WS_ERROR_INPUT, &position,
                        "sbatch is not installed (Debian package slurm-client); the script is "
                        "written, and 'warpstep sweep FOLDER --plan' needs no Slurm");
        return NULL;
    }
    g_autoptr(GSubprocess) process =
        g_subprocess_new(G_SUBPROCESS_FLAGS_STDOUT_PIPE | G_SUBPROCESS_FLAGS_STDERR_PIPE, &failure,
                         program, path, NULL);
    g_autofree char *output = NULL;
    g_autofree char *messages = NULL;
    if (process != NULL &&
        g_subprocess_communicate_utf8(process, NULL, NULL, &output, &messages, &failure) &&
        g_subprocess_get_successful(process))
        return g_steal_pointer(&output);
    g_autofree char *text = ws_printable(failure != NULL ? failure->message : g_strstrip(messages));
    ws_set_error_at(error, WS_ERROR_INPUT, &position, "sbatch failed: %s", text);
    return NULL;
}

int ws_submit_slurm(const char *folder, guint tasks, char *const *options)
{
    GError *error = NULL;
    g_autofree char *absolute = g_canonicalize_filename(folder, NULL);
    g_autofree char *program = g_file_read_link("/proc/self/exe", &error);
    if (program == NULL)
        return ws_report_error(error);
    g_autofree char *script = ws_slurm_script(program, absolute, tasks, options);
    g_autofree char *path = g_build_filename(absolute, "slurm.sh", NULL);
    g_autofree char *said = write_script(path, script, &error) ? submit(path, &error) : NULL;
    if (said == NULL)
        return ws_report_error(error);
    g_autofree char *quoted = g_shell_quote(absolute);
    printf("%sTo see what is there: warpstep sweep %s --collect\n", said, quoted);
    return 0;
}
