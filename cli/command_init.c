/* `warpstep init`: a launch file to start from. */
#include "cli/command.h"
#include "cli/program_launch.h"
#include "cli/program_options.h"

#include <stdio.h>
#include <string.h>

static gboolean check_output(const char *output, gboolean force, GError **error)
{
    WsPosition position = {.file = output};
    if (!force && g_file_test(output, G_FILE_TEST_IS_REGULAR)) {
        ws_set_error_at(error, WS_ERROR_INPUT, &position,
                        "exists already; --force overwrites it, -o names another file");
        return FALSE;
    }
    return ws_outputs_check(&(WsOutput){"--output", output}, 1, error);
}

static int write_starter(const WsStarter *starter, const char *output, GError **error)
{
    if (!ws_write_file(output, starter->text, strlen(starter->text), error))
        return ws_report_error(*error);
    ws_program_launch_report(starter, output);
    if (g_file_test(output, G_FILE_TEST_IS_REGULAR))
        printf("%s launches %s\nRun it: warpstep run %s\n", output, starter->kernel, output);
    return 0;
}

static int run(const WsCommand *command, char **arguments)
{
    g_auto(WsProgramOptions) options = {0};
    g_autofree char *output = NULL;
    gboolean force = FALSE;
    const GOptionEntry entries[] = {
        {"output", 'o', 0, G_OPTION_ARG_FILENAME, &output,
         "file to write (default: the program's name with .yaml)", "FILE"},
        {"force", 0, 0, G_OPTION_ARG_NONE, &force, "overwrite the file if it exists", NULL},
        {NULL, 0, 0, 0, NULL, NULL, NULL},
    };
    if (!ws_program_options_parse_some(&options, command, entries, arguments, 2))
        return WS_ERROR_USAGE;
    if (output == NULL)
        output = ws_program_launch_name(arguments[1]);
    GError *error = NULL;
    if (!check_output(output, force, &error))
        return ws_report_error(error);
    const WsCompileOptions compile = ws_program_options_compile(&options);
    const WsStarterOptions starter_options = {.kernel = arguments[2],
                                              .device = options.device,
                                              .settings = (const char *const *)options.settings,
                                              .compile = &compile,
                                              .output = output};
    g_autoptr(WsStarter) starter = ws_starter_write(arguments[1], &starter_options, &error);
    return starter == NULL ? ws_report_error(error) : write_starter(starter, output, &error);
}

const WsCommand ws_command_init = {
    .name = "init",
    .group = WS_GROUP_PROGRAM,
    .summary = "write a launch file for a program of your own",
    .usage = "PROGRAM [KERNEL]",
    .details =
        "Sizes, buffers and values are guessed from the kernel, so that the launch file runs\n"
        "unchanged. PROGRAM is a .cu, .ptx, .wsasm, .wsbin or .sass; KERNEL is needed if it has "
        "several\n"
        "kernels.\n"
        "\n"
        "Examples:\n"
        "  warpstep init saxpy.cu\n"
        "  warpstep run saxpy.yaml\n"
        "  warpstep init kernels.cu 'reduce<float>' -o reduce.yaml\n",
    .run = run,
};
