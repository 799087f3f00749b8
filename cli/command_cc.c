/* `warpstep cc`: compiles and links whole CUDA programs. */
#include "cli/cc_options.h"
#include "cli/cc_passes.h"
#include "cli/cc_toolkit.h"
#include "cli/command.h"

#include <stdio.h>
#include <string.h>

/* For --help and completion: what is parsed is in the table of cli/cc_options.c. */
static gboolean parse_common(const WsCommand *command, char **arguments)
{
    char *unused_output = NULL;
    gboolean unused = FALSE;
    const GOptionEntry entries[] = {
        {"output-file", 'o', 0, G_OPTION_ARG_FILENAME, &unused_output,
         "output file; default: a.out, NAME.o or NAME.ptx", "FILE"},
        {"compile", 'c', 0, G_OPTION_ARG_NONE, &unused, "compile to objects, do not link", NULL},
        {"ptx", 0, 0, G_OPTION_ARG_NONE, &unused, "write the PTX of the kernels", NULL},
        G_OPTION_ENTRY_NULL};
    char *given[] = {arguments[0], NULL, NULL};
    for (guint i = 1; arguments[i] != NULL; i++)
        if (strcmp(arguments[i], "--help") == 0 || strcmp(arguments[i], "-h") == 0)
            given[1] = "--help";
    if (given[1] == NULL)
        given[1] = arguments[1];
    if (given[1] != NULL && strcmp(given[1], "--help") != 0)
        given[1] = "file"; /* all else is parsed by nvcc's rules */
    return ws_parse_options(command, entries, given, 1, 1);
}

static int run(const WsCommand *command, char **arguments)
{
    g_auto(WsCcOptions) options = {0};
    GError *error = NULL;
    if (!parse_common(command, arguments) || !ws_cc_options_parse(&options, arguments + 1))
        return WS_ERROR_USAGE;
    if (options.action == WS_CC_VERSION) {
        ws_cc_toolkit_print_version();
        return 0;
    }
    if (options.action == WS_CC_LIBRARIES) {
        g_autofree char *folder = ws_cc_libraries(&error);
        return folder != NULL ? puts(folder) < 0 : ws_report_error(error);
    }
    if (options.inputs->len == 0 && options.action != WS_CC_TOOLKIT)
        return ws_usage_error("cc: no file to compile");
    if (options.output != NULL && options.inputs->len > 1 && options.action != WS_CC_LINK &&
        options.action != WS_CC_DEVICE_LINK && options.action != WS_CC_ARCHIVE)
        return ws_usage_error("cc: -o names one file, and there are %u to compile",
                              options.inputs->len);
    return ws_cc_passes(&options, &error) ? 0 : ws_report_error(error);
}

const WsCommand ws_command_cc = {
    .name = "cc",
    .group = WS_GROUP_PROGRAM,
    .summary = "compile a whole CUDA program, host code included",
    .usage = "FILE...",
    .details =
        "Compiles and links whole CUDA programs, host code included, without a CUDA toolkit. Its\n"
        "command line is that of nvcc; 'warpstep help programs' lists the supported options. Host\n"
        "code is compiled with the headers of this system, kernels as for a launch file. The\n"
        "program runs its kernels in the simulator.\n"
        "\n"
        "Examples:\n"
        "  warpstep cc -c saxpy.cu -o saxpy.o\n",
    .run = run,
};
