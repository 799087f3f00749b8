#include "cli/program_options.h"

#include "cli/command.h"
#include "cli/spelt_options.h"
#include "sim/launch/launch.h"

#include <string.h>

void ws_program_options_clear(WsProgramOptions *options)
{
    g_free(options->device);
    g_strfreev(options->settings);
    g_strfreev(options->defines);
    g_strfreev(options->includes);
    ws_load_options_clear(&options->load);
}

gboolean ws_program_options_parse(WsProgramOptions *ret, const WsCommand *command,
                                  const GOptionEntry *entries, char **arguments)
{
    return ws_program_options_parse_some(ret, command, entries, arguments, 1);
}

gboolean ws_program_options_parse_some(WsProgramOptions *ret, const WsCommand *command,
                                       const GOptionEntry *entries, char **arguments, guint most)
{
    const GOptionEntry common[] = {
        {"device", 'd', 0, G_OPTION_ARG_FILENAME, &ret->device,
         "device to compile for (default h200)", "DEVICE"},
        {"set", 's', 0, G_OPTION_ARG_FILENAME_ARRAY, &ret->settings, "change a setting, as in run",
         "PATH=VALUE"},
        {"define", 'D', 0, G_OPTION_ARG_FILENAME_ARRAY, &ret->defines,
         "define a macro for a .cu; may be repeated", "NAME[=VALUE]"},
        {"include", 'I', 0, G_OPTION_ARG_FILENAME_ARRAY, &ret->includes,
         "include folder for a .cu; may be repeated", "FOLDER"},
        {"maxreg", 0, 0, G_OPTION_ARG_INT, &ret->max_registers,
         "maximum registers of a thread, for a .cu or .ptx", "N"},
        WS_COMPILE_LIMIT_ENTRY(&ret->load),
        WS_CONFINE_ENTRIES(&ret->load),
        WS_NO_CACHE_ENTRY(&ret->load),
    };
    g_autoptr(GArray) all = g_array_new(TRUE, FALSE, sizeof(GOptionEntry));

    for (; entries != NULL && entries->long_name != NULL; entries++)
        g_array_append_vals(all, entries, 1);
    g_array_append_vals(all, common, G_N_ELEMENTS(common));
    *ret = (WsProgramOptions){0};
    ws_load_options_init(&ret->load);
    if (!ws_parse_compiler_options(command, (const GOptionEntry *)all->data, arguments, 1, most) ||
        !ws_load_options_finish(&ret->load))
        return FALSE;
    ws_load_options_begin_limit(&ret->load); /* for all that the command does */
    return TRUE;
}

WsCompileOptions ws_program_options_compile(const WsProgramOptions *options)
{
    return (WsCompileOptions){.max_registers = (guint32)options->max_registers,
                              .bounds = ws_load_options_bounds(&options->load),
                              .defines = (const char *const *)options->defines,
                              .includes = (const char *const *)options->includes};
}

WsProgram *ws_program_options_load(const WsProgramOptions *options, const char *target,
                                   char ***sources, GError **error)
{
    const WsCompileOptions given = ws_program_options_compile(options);
    g_autoptr(WsDevice) device = ws_device_load(options->device != NULL ? options->device : "h200",
                                                (const char *const *)options->settings, error);

    return device == NULL ? NULL : ws_target_load_program(target, device, &given, sources, error);
}
