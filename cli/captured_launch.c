#include "cli/captured_launch.h"

#include <string.h>

WsWholeProgram ws_program_of_options(const WsSimulationOptions *options, const char *source,
                                     const char *const *settings)
{
    return (WsWholeProgram){.source = source,
                            .arguments = (const char *const *)options->arguments,
                            .defines = (const char *const *)options->defines,
                            .includes = (const char *const *)options->includes,
                            .device = options->device,
                            .settings = settings,
                            .kernel = options->kernel,
                            .no_cache = options->load.cache == NULL};
}

/* Those that the program's process takes: a policy in C is for the launch alone. */
static GPtrArray *settings_of(const WsSimulationOptions *options)
{
    GPtrArray *settings = g_ptr_array_new();
    for (guint i = 0; i + 1 < options->all_settings->len; i++)
        if (!g_str_has_prefix(options->all_settings->pdata[i], "policy="))
            g_ptr_array_add(settings, options->all_settings->pdata[i]);
    g_ptr_array_add(settings, NULL);
    return settings;
}

static gboolean check(const WsSimulationOptions *options, gboolean whole, GError **error)
{
    if (!whole && options->kernel != NULL)
        ws_set_error(error, WS_ERROR_USAGE,
                     "--kernel is for whole programs: a .cu with a main(), or a program of nvcc");
    else if (!whole && options->arguments != NULL)
        ws_set_error(error, WS_ERROR_USAGE,
                     "arguments after -- are for whole programs: a .cu with a main(), or a "
                     "program of nvcc");
    else if (whole && (options->load.confine || options->load.strict))
        ws_set_error(error, WS_ERROR_USAGE,
                     "--confine: a whole program runs on this machine, outside of the sandbox");
    else
        return TRUE;
    return FALSE;
}

char *ws_captured_launch(const WsSimulationOptions *options, const char *target,
                         WsTemporaryFolder **ret_folder, GError **error)
{
    const gboolean whole = ws_is_whole_program(target);
    if (!check(options, whole, error) || !whole)
        return NULL;
    g_autoptr(GPtrArray) settings = settings_of(options);
    const WsWholeProgram program =
        ws_program_of_options(options, target, (const char *const *)settings->pdata);
    *ret_folder = ws_temporary_folder_new(error);
    return *ret_folder == NULL
               ? NULL
               : ws_whole_program_capture(&program, ws_temporary_folder_path(*ret_folder), error);
}

static gint compare_paths(gconstpointer a, gconstpointer b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* Their names begin with the number of the launch. */
static GPtrArray *list_launch_files(const char *folder, const char *target, GError **error)
{
    g_autoptr(GPtrArray) paths = g_ptr_array_new_with_free_func(g_free);
    g_autoptr(GDir) directory = g_dir_open(folder, 0, NULL);
    const WsPosition position = {.file = target};

    for (const char *name; directory != NULL && (name = g_dir_read_name(directory)) != NULL;)
        if (g_str_has_suffix(name, ".yaml"))
            g_ptr_array_add(paths, g_build_filename(folder, name, NULL));
    g_ptr_array_sort(paths, compare_paths);
    if (paths->len != 0)
        return g_steal_pointer(&paths);
    ws_set_error_at(error, WS_ERROR_INPUT, &position, "the program ended without a launch");
    return NULL;
}

GPtrArray *ws_captured_launches(const WsSimulationOptions *options, const char *target,
                                WsTemporaryFolder **ret_folder, GError **error)
{
    int code;
    if (!check(options, TRUE, error))
        return NULL;
    *ret_folder = ws_temporary_folder_new(error);
    if (*ret_folder == NULL)
        return NULL;
    const char *folder = ws_temporary_folder_path(*ret_folder);
    g_autofree char *capture = g_strconcat("WARPSTEP_CAPTURE=", folder, NULL);
    const char *const environment[] = {"WARPSTEP_MODE=functional", "WARPSTEP_REPORT=", capture,
                                       NULL};
    g_autoptr(GPtrArray) settings = settings_of(options);
    WsWholeProgram program =
        ws_program_of_options(options, target, (const char *const *)settings->pdata);
    program.environment = environment;
    program.output_to_stderr = TRUE;
    return ws_whole_program_run(&program, &code, error) ? list_launch_files(folder, target, error)
                                                        : NULL;
}
