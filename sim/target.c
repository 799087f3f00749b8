#include "sim/target.h"

#include "sim/resources.h"

#include <errno.h>
#include <glib/gstdio.h>
#include <string.h>

const char *const *ws_workload_names(void)
{
    return ws_workloads_names;
}

gboolean ws_is_program_name(const char *path)
{
    static const char *const endings[] = {".cu", ".ptx", ".wsasm", ".wsbin"};
    for (gsize i = 0; i < G_N_ELEMENTS(endings); i++)
        if (g_str_has_suffix(path, endings[i]))
            return TRUE;
    return FALSE;
}

void ws_target_free(WsTarget *target)
{
    if (target == NULL)
        return;
    ws_temporary_folder_free(target->copied_to);
    g_free(target->path);
    g_free(target->name);
    g_free(target);
}

char *ws_target_clean_text(const WsTarget *target, const char *text)
{
    if (target->copied_to == NULL)
        return g_strdup(text);
    const char *folder = ws_temporary_folder_path(target->copied_to);
    g_auto(GStrv) parts = g_strsplit(text, folder, -1);
    return g_strjoinv("workloads", parts);
}

void ws_target_clean_error(const WsTarget *target, GError **error)
{
    if (error == NULL || *error == NULL)
        return;
    char *message = ws_target_clean_text(target, (*error)->message);
    g_free((*error)->message);
    (*error)->message = message;
}

static void clean(const WsTarget *target, char **text)
{
    char *before = *text;
    if (before == NULL)
        return;
    *text = ws_target_clean_text(target, before);
    g_free(before);
}

void ws_target_clean_program(const WsTarget *target, WsProgram *program)
{
    if (target->copied_to == NULL)
        return;
    for (guint i = 0; program->files != NULL && program->files[i] != NULL; i++)
        clean(target, &program->files[i]);
    clean(target, &program->path);
    clean(target, &program->ptx);
}

/* Copies the files of a built-in workload: the compiler reads files, not memory. */
static gboolean copy_files(const char *workload, const char *folder, GError **error)
{
    g_autoptr(GResource) resource = ws_workloads_resource();
    g_autofree char *from = g_strdup_printf("/warpstep/workloads/%s", workload);
    g_autofree char *to = g_build_filename(folder, workload, NULL);
    if (g_mkdir(to, 0700) != 0) {
        ws_set_error(error, WS_ERROR_INPUT, "cannot make a temporary folder: %s",
                     g_strerror(errno));
        return FALSE;
    }
    g_auto(GStrv) names = ws_resource_names(resource, from);
    for (guint i = 0; names[i] != NULL; i++) {
        g_autofree char *source = g_strdup_printf("%s/%s", from, names[i]);
        g_autofree char *destination = g_build_filename(to, names[i], NULL);
        g_autoptr(GBytes) bytes = g_resource_lookup_data(resource, source, 0, NULL);
        if (bytes != NULL && !ws_temporary_file_write(destination, bytes, error))
            return FALSE;
    }
    return TRUE;
}

static gboolean find_built_in(WsTarget *target, const char *text, GError **error)
{
    const char *slash = strchr(text, '/');
    g_autofree char *workload =
        slash != NULL ? g_strndup(text, (gsize)(slash - text)) : g_strdup(text);
    WsPosition position = {.file = text};
    if (!g_strv_contains(ws_workloads_names, workload)) {
        const char *nearest = ws_nearest_name(workload, ws_workloads_names);
        if (nearest != NULL)
            ws_set_error_at(error, WS_ERROR_INPUT, &position,
                            "no such file, and no built-in workload of this name; did you mean "
                            "'%s'?",
                            nearest);
        else
            ws_set_error_at(error, WS_ERROR_INPUT, &position,
                            "no such file, and no built-in workload of this name");
        return FALSE;
    }
    const char *file = slash != NULL && slash[1] != '\0' ? slash + 1 : "launch.yaml";
    g_autoptr(GResource) resource = ws_workloads_resource();
    g_autofree char *folder = g_strdup_printf("/warpstep/workloads/%s", workload);
    g_auto(GStrv) names = ws_resource_names(resource, folder);
    if (!g_strv_contains((const char *const *)names, file)) {
        g_autofree char *valid = g_strjoinv(", ", names);
        ws_set_error_at(error, WS_ERROR_INPUT, &position, "the workload '%s' has the files %s",
                        workload, valid);
        return FALSE;
    }
    target->copied_to = ws_temporary_folder_new(error);
    if (target->copied_to == NULL)
        return FALSE;
    const char *copied_to = ws_temporary_folder_path(target->copied_to);
    target->path = g_build_filename(copied_to, workload, file, NULL);
    return copy_files(workload, copied_to, error);
}

WsTarget *ws_target_resolve(const char *text, GError **error)
{
    g_autoptr(WsTarget) target = g_new0(WsTarget, 1);
    target->name = g_strdup(text);
    if (!g_utf8_validate(text, -1, NULL) || text[0] == '\0') {
        ws_set_error(error, WS_ERROR_INPUT, "the target's name is not valid UTF-8 text");
        return NULL;
    }
    g_autofree char *inside = g_build_filename(text, "launch.yaml", NULL);
    if (g_file_test(text, G_FILE_TEST_IS_DIR)) {
        if (g_file_test(inside, G_FILE_TEST_EXISTS)) {
            target->path = g_steal_pointer(&inside);
        } else if (!g_strv_contains(ws_workloads_names, text)) {
            WsPosition position = {.file = text};
            ws_set_error_at(error, WS_ERROR_INPUT, &position,
                            "the folder has no launch.yaml in it");
            return NULL;
        }
    } else if (g_file_test(text, G_FILE_TEST_EXISTS)) {
        target->path = g_strdup(text);
    }
    if (target->path == NULL && !find_built_in(target, text, error))
        return NULL;
    target->is_program = ws_is_program_name(target->path);
    return g_steal_pointer(&target);
}
