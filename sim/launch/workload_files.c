#include "sim/launch/workload_files.h"

#include "isa/base/error.h"
#include "sim/base/resources.h"
#include "sim/launch/target.h"

#include <errno.h>
#include <glib/gstdio.h>
#include <string.h>

enum { FOLDER_MODE = 0777 };

static const char main_file[] = "launch.yaml";

/* The first line of a file, or NULL. */
static char *first_line(const char *workload, const char *file)
{
    g_autoptr(GResource) resource = ws_workloads_resource();
    g_autofree char *path = g_strdup_printf("/warpstep/workloads/%s/%s", workload, file);
    g_autoptr(GBytes) bytes = g_resource_lookup_data(resource, path, 0, NULL);
    if (bytes == NULL)
        return NULL;
    gsize length;
    const char *text = g_bytes_get_data(bytes, &length);
    const char *end = length == 0 ? NULL : memchr(text, '\n', length);
    return g_strndup(text, end != NULL ? (gsize)(end - text) : length);
}

char *ws_workload_title(const char *workload)
{
    g_autofree char *line = first_line(workload, "notes.md");
    g_autofree char *start = g_strdup_printf("# %s: ", workload);
    if (line == NULL || !g_str_has_prefix(line, start))
        return NULL;
    return g_strdup(line + strlen(start));
}

char **ws_workload_launch_files(const char *workload)
{
    g_autoptr(GResource) resource = ws_workloads_resource();
    g_autofree char *folder = g_strdup_printf("/warpstep/workloads/%s", workload);
    g_auto(GStrv) names = ws_resource_names(resource, folder);
    GPtrArray *files = g_ptr_array_new();
    if (g_strv_contains((const char *const *)names, main_file))
        g_ptr_array_add(files, g_strdup(main_file));
    for (char **name = names; *name != NULL; name++)
        if (g_str_has_suffix(*name, ".yaml") && strcmp(*name, main_file) != 0)
            g_ptr_array_add(files, g_strdup(*name));
    g_ptr_array_add(files, NULL);
    return (char **)g_ptr_array_free(files, FALSE);
}

char *ws_workload_launch_title(const char *workload, const char *file)
{
    g_autofree char *line = first_line(workload, file);
    return line != NULL && g_str_has_prefix(line, "# ") ? g_strdup(line + 2) : NULL;
}

GBytes *ws_workload_study(const char *name)
{
    const char *slash = strchr(name, '/');
    if (slash == NULL)
        return NULL;
    g_autoptr(GResource) resource = ws_workloads_resource();
    g_autofree char *path = g_strdup_printf("/warpstep/workloads/%.*s/studies/%s.yaml",
                                            (int)(slash - name), name, slash + 1);
    return g_resource_lookup_data(resource, path, 0, NULL);
}

/* ---- copies -----------------------------------------------------------------------------------
 */

static gboolean folder_error(const char *folder, const char *text, GError **error)
{
    WsPosition position = {.file = folder};
    ws_set_error_at(error, WS_ERROR_INPUT, &position, "%s", text);
    return FALSE;
}

/* Makes the folder, or sees that it is empty. */
static gboolean prepare_folder(const char *folder, gboolean *ret_made, GError **error)
{
    *ret_made = FALSE;
    if (folder[0] == '\0')
        return folder_error(NULL, "the name of the folder is empty", error);
    if (g_file_test(folder, G_FILE_TEST_EXISTS)) {
        if (!g_file_test(folder, G_FILE_TEST_IS_DIR))
            return folder_error(folder, "exists and is not a folder", error);
        g_autoptr(GDir) entries = g_dir_open(folder, 0, NULL);
        if (entries == NULL)
            return folder_error(folder, "the folder cannot be read", error);
        if (g_dir_read_name(entries) != NULL)
            return folder_error(folder, "the folder is not empty", error);
        return TRUE;
    }
    *ret_made = TRUE;
    if (g_mkdir_with_parents(folder, FOLDER_MODE) == 0)
        return TRUE;
    g_autofree char *text = g_strdup_printf("cannot make the folder: %s", g_strerror(errno));
    return folder_error(folder, text, error);
}

/* The files below a folder of the bundle, with the folders between, sorted. */
static void add_files(GResource *resource, const char *from, const char *below, GPtrArray *files)
{
    g_autofree char *folder = g_strconcat(from, "/", below, NULL);
    g_auto(GStrv) names = ws_resource_names(resource, folder);
    for (char **name = names; *name != NULL; name++) {
        g_autofree char *path = g_strconcat(below, *name, NULL);
        if (g_str_has_suffix(path, "/"))
            add_files(resource, from, path, files);
        else
            g_ptr_array_add(files, g_steal_pointer(&path));
    }
}

static gboolean write_file(GResource *resource, const char *from, const char *name,
                           const char *folder, GError **error)
{
    g_autofree char *source = g_strdup_printf("%s/%s", from, name);
    g_autofree char *path = g_build_filename(folder, name, NULL);
    g_autofree char *around = g_path_get_dirname(path);
    g_autoptr(GBytes) bytes = g_resource_lookup_data(resource, source, 0, error);
    if (bytes == NULL)
        return FALSE;
    g_mkdir_with_parents(around, FOLDER_MODE);
    gsize length;
    const char *data = g_bytes_get_data(bytes, &length);
    g_autoptr(GError) failure = NULL;
    if (g_file_set_contents(path, length == 0 ? "" : data, (gssize)length, &failure))
        return TRUE;
    WsPosition position = {.file = path};
    ws_set_error_at(error, WS_ERROR_INPUT, &position, "cannot write: %s",
                    ws_file_error_text(failure));
    return FALSE;
}

/* Takes away what was written, and the folders that are empty then. */
static void undo(const GPtrArray *files, const char *folder, gboolean made)
{
    for (guint i = files->len; i-- > 0;) {
        g_autofree char *path = g_build_filename(folder, files->pdata[i], NULL);
        g_unlink(path);
        for (char *slash = strrchr(files->pdata[i], '/'); slash != NULL;
             slash = strrchr(files->pdata[i], '/')) {
            *slash = '\0';
            g_autofree char *between = g_build_filename(folder, files->pdata[i], NULL);
            g_rmdir(between);
        }
    }
    if (made)
        g_rmdir(folder);
}

/* The names that can be copied: workloads, then "labs/NAME". Free with g_strfreev. */
static char **copied_names(GResource *resource)
{
    GPtrArray *names = g_ptr_array_new();
    for (const char *const *name = ws_workload_names(); *name != NULL; name++)
        g_ptr_array_add(names, g_strdup(*name));
    g_auto(GStrv) labs = ws_resource_names(resource, "/warpstep/workloads/labs");
    for (char **lab = labs; *lab != NULL; lab++)
        g_ptr_array_add(names, g_strdup_printf("labs/%.*s", (int)strlen(*lab) - 1, *lab));
    g_ptr_array_add(names, NULL);
    return (char **)g_ptr_array_free(names, FALSE);
}

gboolean ws_workload_is_lab(const char *name)
{
    g_autoptr(GResource) resource = ws_workloads_resource();
    g_auto(GStrv) names = copied_names(resource);

    return g_str_has_prefix(name, "labs/") && g_strv_contains((const char *const *)names, name);
}

static gboolean unknown_workload(const char *workload, const char *const *names, GError **error)
{
    g_autofree char *shown = ws_printable(workload);
    const char *nearest = ws_nearest_name(workload, names);
    if (nearest != NULL)
        ws_set_error(error, WS_ERROR_INPUT,
                     "there is no built-in workload '%s'; did you mean '%s'?", shown, nearest);
    else
        ws_set_error(error, WS_ERROR_INPUT,
                     "there is no built-in workload '%s' (warpstep run --list lists them)", shown);
    return FALSE;
}

gboolean ws_workload_copy(const char *workload, const char *folder, GError **error)
{
    g_autoptr(GResource) resource = ws_workloads_resource();
    g_auto(GStrv) names = copied_names(resource);
    if (!g_strv_contains((const char *const *)names, workload))
        return unknown_workload(workload, (const char *const *)names, error);
    gboolean made;
    if (!prepare_folder(folder, &made, error))
        return FALSE;
    g_autofree char *from = g_strdup_printf("/warpstep/workloads/%s", workload);
    g_autoptr(GPtrArray) files = g_ptr_array_new_with_free_func(g_free);
    add_files(resource, from, "", files);
    for (guint i = 0; i < files->len; i++)
        if (!write_file(resource, from, files->pdata[i], folder, error)) {
            undo(files, folder, made);
            return FALSE;
        }
    return TRUE;
}
