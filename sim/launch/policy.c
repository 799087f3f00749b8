/* The scheduling policy of a launch, if it is a file. */
#include <string.h>

#include "sim/base/resources.h"
#include "sim/launch/reader.h"

/*
 * A policy of a built-in workload, named as a launch file of one is: "policies/ccws.c". Its scope,
 * and in `ret_path` where it is in that scope; NULL if there is none, or a file has the name.
 */
static WsReadScope *find_built_in(const char *name, char **ret_path)
{
    const char *slash = strchr(name, '/');
    g_autofree char *workload = g_strndup(name, slash == NULL ? 0 : (gsize)(slash - name));
    g_autoptr(GResource) resource = ws_workloads_resource();
    g_autofree char *folder = g_strdup_printf("/warpstep/workloads/%s", workload);
    g_autofree char *inside = g_strdup_printf("/warpstep/workloads/%s", name);
    g_autofree char *shown = g_strdup_printf("workloads/%s", workload);

    if (slash == NULL || g_file_test(name, G_FILE_TEST_EXISTS) ||
        !g_strv_contains(ws_workloads_names, workload) ||
        !g_resource_get_info(resource, inside, G_RESOURCE_LOOKUP_FLAGS_NONE, NULL, NULL, NULL))
        return NULL;
    *ret_path = g_strdup_printf("workloads/%s", name);
    return ws_read_scope_new_of_resource(resource, folder, shown);
}

/*
 * What a policy's file is read in: the scope of the launch file that names it. One that the command
 * line names is the user's own, and not of the target's folder: then its folder takes that place.
 */
static WsReadScope *scope_of(const WsLaunchReader *reader)
{
    const WsDevice *device = reader->job->device;
    if (!device->policy_file_given)
        return ws_read_scope_with(reader->tree->scope, NULL);
    WsReadScope *scope = ws_read_scope_new(reader->options->bounds.confinement != WS_CONFINE_NOT);
    g_autofree char *folder = g_path_get_dirname(device->policy_file);
    ws_read_scope_add(scope, folder);
    ws_read_scope_digest(scope, reader->options->policy_digest);
    return scope;
}

/*
 * The file is compiled for no machine in particular: how fast a policy would run there is no part
 * of the model. Macros of the command line are for whatever is compiled; those of the launch file
 * belong to the program, whose names a policy does not know.
 */
static WsProgram *load(const WsLaunchReader *reader, GError **error)
{
    const WsJobOptions *given = reader->options;
    const WsDevice *device = reader->job->device;
    g_autofree char *built_in = NULL;
    g_autoptr(WsReadScope) scope =
        device->policy_file_given ? find_built_in(device->policy_file, &built_in) : NULL;
    WsCompileOptions options;
    if (scope == NULL)
        scope = scope_of(reader);
    ws_compile_options_init(&options);
    options.scope = scope;
    options.bounds = given->bounds;
    options.defines = given->defines;
    if (given->policy != NULL)
        return given->policy->load(given->policy->data, device, &options, error);
    return ws_program_store_load(given->programs, built_in != NULL ? built_in : device->policy_file,
                                 &options, error);
}

gboolean ws_launch_load_policy(WsLaunchReader *reader, GError **error)
{
    const WsDevice *device = reader->job->device;
    if (reader->options->policy != NULL && device->policy != WS_POLICY_FILE)
        return ws_yaml_error(reader->tree, reader->tree->root, error,
                             "the submission is a policy, but the launch does not use one: set: "
                             "{policy: FILE.c} is expected");
    if (device->policy != WS_POLICY_FILE)
        return TRUE;
    const WsPosition position = {.file = device->policy_file};
    if (reader->options->policy == NULL && !ws_is_policy_name(device->policy_file)) {
        ws_set_error_at(error, WS_ERROR_INPUT, &position,
                        "a policy is a file in C: its name must end in .c");
        return FALSE;
    }
    reader->job->policy = load(reader, error);
    return reader->job->policy != NULL;
}
