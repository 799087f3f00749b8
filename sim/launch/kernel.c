/* The kernel that a launch names, and what to say of a name that means none or several. */
#include "isa/base/kernel_names.h"
#include "sim/launch/reader.h"

#include <string.h>

/*
 * Names to choose from, of char*, NULL-terminated: the display names or, where several kernels have
 * the same, their signatures. With `name` only of kernels that it means.
 */
static GPtrArray *names_of_kernels(const WsProgram *program, const char *name)
{
    guint32 count = program->kernel_count + program->refused_count;
    g_autofree const char **mangled = g_new0(const char *, count + 1);
    g_autofree const char **shown = g_new0(const char *, count + 1);
    g_autoptr(GHashTable) seen = g_hash_table_new(g_str_hash, g_str_equal);
    g_autoptr(GHashTable) shared = g_hash_table_new(g_str_hash, g_str_equal);
    for (guint32 k = 0; k < count; k++) {
        gboolean good = k < program->kernel_count;
        const WsRefusedKernel *refused = good ? NULL : &program->refused[k - program->kernel_count];
        mangled[k] = good ? program->kernels[k].name : refused->name;
        shown[k] = good ? program->kernels[k].display_name : refused->display_name;
        if (!g_hash_table_add(seen, (gpointer)shown[k]))
            g_hash_table_add(shared, (gpointer)shown[k]);
    }
    GPtrArray *names = g_ptr_array_new_with_free_func(g_free);
    for (guint32 k = 0; k < count; k++) {
        if (name == NULL || ws_kernel_match_name(mangled[k], shown[k], name) != WS_NAME_DIFFERS)
            g_ptr_array_add(names, g_hash_table_contains(shared, shown[k])
                                       ? ws_kernel_signature(mangled[k])
                                       : g_strdup(shown[k]));
    }
    g_ptr_array_add(names, NULL);
    return names;
}

static void set_error(const WsLaunchReader *reader, const WsYamlNode *node, const char *name,
                      GError **error)
{
    const WsProgram *program = reader->job->program;
    g_autofree char *shown = ws_printable(name);
    g_autoptr(GPtrArray) meant = names_of_kernels(program, name);
    if (meant->len > 2) {
        g_autofree char *all = g_strjoinv(", ", (char **)meant->pdata);
        ws_yaml_error(reader->tree, node, error, "'%s' names several kernels: %s", shown, all);
        return;
    }
    g_autoptr(GPtrArray) names = names_of_kernels(program, NULL);
    const char *nearest = ws_nearest_name(name, (const char *const *)names->pdata);
    g_autofree char *all = g_strjoinv(", ", (char **)names->pdata);
    if (nearest != NULL)
        ws_yaml_error(reader->tree, node, error,
                      "the program has no kernel '%s'; did you mean '%s'?", shown, nearest);
    else
        ws_yaml_error(reader->tree, node, error, "the program has no kernel '%s' (kernels: %s)",
                      shown, all);
}

const WsKernel *ws_launch_find_kernel(const WsLaunchReader *reader, const WsYamlNode *node,
                                      GError **error)
{
    const WsProgram *program = reader->job->program;
    const char *name = ws_yaml_text(reader->tree, node, "kernel", error);
    const WsKernel *kernel = name == NULL ? NULL : ws_program_find_kernel(program, name);
    if (name == NULL || kernel != NULL)
        return kernel;
    const WsRefusedKernel *refused = ws_program_find_refused(program, name);
    if (refused != NULL)
        g_set_error_literal(error, WS_ERROR, WS_ERROR_INPUT, refused->message);
    else
        set_error(reader, node, name, error);
    return NULL;
}
