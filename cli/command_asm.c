/* `warpstep asm`: a program to its binary form. */
#include "cli/command.h"
#include "cli/program_options.h"
#include "isa/container/binary.h"
#include "sim/launch/launch.h"

#include <string.h>

static int run(const WsCommand *command, char **arguments)
{
    g_auto(WsProgramOptions) options = {0};
    g_autofree char *output = NULL;
    const GOptionEntry entries[] = {
        {"output", 'o', 0, G_OPTION_ARG_FILENAME, &output, "file to write (.wsbin)", "FILE"},
        {NULL, 0, 0, 0, NULL, NULL, NULL},
    };
    if (!ws_program_options_parse(&options, command, entries, arguments))
        return WS_ERROR_USAGE;
    if (output == NULL)
        return ws_usage_error("-o FILE is missing");
    if (!g_str_has_suffix(output, ".wsbin"))
        return ws_usage_error("-o: the name must end in .wsbin, by which the file is recognised");
    GError *error = NULL;
    if (!ws_outputs_check(&(WsOutput){"--output", output}, 1, &error))
        return ws_report_error(error);
    g_autoptr(WsProgram) program = ws_program_options_load(&options, arguments[1], NULL, &error);
    if (program == NULL)
        return ws_report_error(error);
    ws_report_refused(program);
    g_autoptr(GBytes) bytes = ws_program_to_binary(program, &error);
    if (bytes == NULL)
        return ws_report_error(error);
    gsize length;
    const char *data = g_bytes_get_data(bytes, &length);
    if (!ws_write_file(output, data, length, &error))
        return ws_report_error(error);
    return 0;
}

const WsCommand ws_command_asm = {
    .name = "asm",
    .group = WS_GROUP_PROGRAM,
    .summary = "write a program in its binary form",
    .usage = "TARGET -o FILE.wsbin",
    .details = WS_TARGET_IS ", or a program: .cu, .ptx, .wsasm, .wsbin or .sass.\n"
                            "\n"
                            "Examples:\n"
                            "  warpstep asm vecadd -o vecadd.wsbin\n"
                            "  warpstep disasm vecadd.wsbin\n",
    .run = run,
};
