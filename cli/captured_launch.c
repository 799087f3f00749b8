#include "cli/captured_launch.h"

#include "cli/whole_program.h"

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
    const WsWholeProgram program = {
        .source = target,
        .arguments = (const char *const *)options->arguments,
        .defines = (const char *const *)options->defines,
        .includes = (const char *const *)options->includes,
        .device = options->device,
        .settings = (const char *const *)settings->pdata,
        .kernel = options->kernel,
        .no_cache = options->load.cache == NULL,
    };
    *ret_folder = ws_temporary_folder_new(error);
    return *ret_folder == NULL
               ? NULL
               : ws_whole_program_capture(&program, ws_temporary_folder_path(*ret_folder), error);
}
