#include "cli/program_options.h"

#include "cli/command.h"
#include "cli/compile_cache.h"
#include "cli/compile_limit.h"
#include "cli/spelt_options.h"
#include "sim/launch/launch.h"

#include <string.h>

void ws_program_options_clear(WsProgramOptions *options)
{
    g_free(options->device);
    g_strfreev(options->settings);
    g_strfreev(options->defines);
    g_strfreev(options->includes);
    g_free(options->cache);
}

gboolean ws_program_options_parse(WsProgramOptions *ret, const char *usage, const char *details,
                                  const GOptionEntry *entries, char **arguments)
{
    return ws_program_options_parse_some(ret, usage, details, entries, arguments, 1);
}

gboolean ws_program_options_parse_some(WsProgramOptions *ret, const char *usage,
                                       const char *details, const GOptionEntry *entries,
                                       char **arguments, guint most)
{
    const GOptionEntry common[] = {
        {"device", 'd', 0, G_OPTION_ARG_FILENAME, &ret->device,
         "device to compile for (default h200)", "DEVICE"},
        {"set", 's', 0, G_OPTION_ARG_FILENAME_ARRAY, &ret->settings, "change a setting, as in run",
         "PATH=VALUE"},
        {"define", 'D', 0, G_OPTION_ARG_FILENAME_ARRAY, &ret->defines,
         "define a macro for a .cu; may be repeated", "NAME[=VALUE]"},
        {"include", 'I', 0, G_OPTION_ARG_FILENAME_ARRAY, &ret->includes,
         "look for headers of a .cu there; may be repeated", "FOLDER"},
        {"maxreg", 0, 0, G_OPTION_ARG_INT, &ret->max_registers,
         "registers of a thread at most, for a .cu or .ptx", "N"},
        {"max-compile-seconds", 0, 0, G_OPTION_ARG_INT64, &ret->compile_seconds,
         WS_COMPILE_LIMIT_HELP, "N"},
        {"confine", 0, 0, G_OPTION_ARG_NONE, &ret->confine,
         "read nothing outside of the target's folder (docs/security.md)", NULL},
        WS_NO_CACHE_ENTRY(&ret->no_cache),
    };
    g_autoptr(GArray) all = g_array_new(TRUE, FALSE, sizeof(GOptionEntry));

    for (; entries != NULL && entries->long_name != NULL; entries++)
        g_array_append_vals(all, entries, 1);
    g_array_append_vals(all, common, G_N_ELEMENTS(common));
    *ret = (WsProgramOptions){.compile_seconds = WS_DEFAULT_COMPILE_SECONDS};
    if (!ws_parse_compiler_options(usage, details, (const GOptionEntry *)all->data, arguments, 1,
                                   most) ||
        !ws_compile_limit_check(ret->compile_seconds))
        return FALSE;
    ret->cache = ws_compile_cache_folder(ret->no_cache);
    ws_compile_limit_begin(ret->compile_seconds); /* for all that the command does */
    return TRUE;
}

WsProgram *ws_program_options_load(const WsProgramOptions *options, const char *target,
                                   char ***sources, GError **error)
{
    WsCompileOptions given = {.max_registers = (guint32)options->max_registers,
                              .confined = options->confine,
                              .cache = options->cache,
                              .clang_seconds = (guint)options->compile_seconds,
                              .defines = (const char *const *)options->defines,
                              .includes = (const char *const *)options->includes};
    g_autoptr(WsDevice) device = ws_device_load(options->device != NULL ? options->device : "h200",
                                                (const char *const *)options->settings, error);

    return device == NULL ? NULL : ws_target_load_program(target, device, &given, sources, error);
}
