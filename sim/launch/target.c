#include "sim/launch/target.h"

#include "isa/bytecode/program.h"
#include "sim/base/resources.h"

#include <string.h>
#include <sys/stat.h>

enum { MOST_LEVELS = 3 }; /* of folders between an assignment and its launch files */

const char *const *ws_workload_names(void)
{
    return ws_workloads_names;
}

gboolean ws_is_program_name(const char *path)
{
    static const char *const endings[] = {".cu", ".ptx", ".wsasm", ".wsbin", ".sass"};
    for (gsize i = 0; i < G_N_ELEMENTS(endings); i++)
        if (g_str_has_suffix(path, endings[i]))
            return TRUE;
    return FALSE;
}

void ws_target_free(WsTarget *target)
{
    if (target == NULL)
        return;
    ws_read_scope_free(target->scope);
    g_free(target->path);
    g_free(target);
}

/* The file of a workload that is meant, of these: .yaml may be left out. NULL if there is none. */
static char *named_file(const char *const *files, const char *name)
{
    g_autofree char *launch = g_strconcat(name, ".yaml", NULL);
    if (g_strv_contains(files, name))
        return g_strdup(name);
    return g_strv_contains(files, launch) ? g_steal_pointer(&launch) : NULL;
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
    const char *wanted = slash != NULL && slash[1] != '\0' ? slash + 1 : "launch.yaml";
    g_autoptr(GResource) resource = ws_workloads_resource();
    g_autofree char *folder = g_strdup_printf("/warpstep/workloads/%s", workload);
    g_auto(GStrv) names = ws_resource_names(resource, folder);
    g_autofree char *file = named_file((const char *const *)names, wanted);
    if (file == NULL) {
        g_autofree char *valid = g_strjoinv(", ", names);
        ws_set_error_at(error, WS_ERROR_INPUT, &position, "the workload '%s' has the files %s",
                        workload, valid);
        return FALSE;
    }
    g_autofree char *name = g_strdup_printf("workloads/%s", workload);
    target->path = g_build_filename(name, file, NULL);
    target->built_in = TRUE;
    target->scope = ws_read_scope_new_of_resource(resource, folder, name);
    return TRUE;
}

/*
 * The folder of the assignment that a launch file is part of: the nearest one above it, or its own,
 * that holds an assignment.yaml of the same owner. NULL if there is none. A program is handed in,
 * and says nothing of what lies above it.
 */
static char *assignment_folder(const char *launch)
{
    g_autofree char *folder = g_path_get_dirname(launch);
    g_autofree char *levels = g_strdup(folder);
    struct stat own, found;
    if (stat(launch, &own) != 0)
        return NULL;
    for (guint level = 0; level <= MOST_LEVELS; level++) {
        g_autofree char *file = g_build_filename(levels, "assignment.yaml", NULL);
        if (lstat(file, &found) == 0 && S_ISREG(found.st_mode) && found.st_uid == own.st_uid)
            return g_steal_pointer(&levels);
        /* "..", not the text without its last part: the name may be that of a link. */
        char *above = g_build_filename(levels, "..", NULL);
        g_free(levels);
        levels = above;
    }
    return NULL;
}

WsTarget *ws_target_resolve(const char *text, WsConfinement confinement, GError **error)
{
    g_autoptr(WsTarget) target = g_new0(WsTarget, 1);
    if (!g_utf8_validate(text, -1, NULL) || text[0] == '\0') {
        ws_set_error(error, WS_ERROR_INPUT, "the target's name is not valid UTF-8 text");
        return NULL;
    }
    if (g_str_has_suffix(text, ".wsrec")) {
        WsPosition position = {.file = text};
        ws_set_error_at(
            error, WS_ERROR_INPUT, &position,
            "a recording is of one run: run, step, trace, report, diff and dap take it");
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
    target->is_program = ws_is_program_name(target->path) || ws_is_policy_name(target->path);
    if (target->scope == NULL) {
        g_autofree char *folder = g_path_get_dirname(target->path);
        g_autofree char *root = target->is_program ? NULL : assignment_folder(target->path);
        target->scope = ws_read_scope_new(confinement != WS_CONFINE_NOT);
        if (root != NULL)
            ws_read_scope_add(target->scope, root);
        ws_read_scope_add(target->scope, folder);
    }
    return g_steal_pointer(&target);
}
