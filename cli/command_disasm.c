/* `warpstep disasm`: the bytecode of a program. */
#include "cli/command.h"
#include "cli/program_options.h"
#include "isa/text/disassembler.h"
#include "sim/launch/launch.h"

static int run(const WsCommand *command, char **arguments)
{
    g_auto(WsProgramOptions) options = {0};
    gboolean words = FALSE, control = FALSE, effects = FALSE, plain = FALSE;
    const GOptionEntry entries[] = {
        {"words", 0, 0, G_OPTION_ARG_NONE, &words, "show the 16 bytes of each instruction", NULL},
        {"control", 0, 0, G_OPTION_ARG_NONE, &control, "show the control information", NULL},
        {"effects", 0, 0, G_OPTION_ARG_NONE, &effects, "describe what each instruction does", NULL},
        {"no-sources", 0, 0, G_OPTION_ARG_NONE, &plain, "omit PTX and source lines", NULL},
        {NULL, 0, 0, 0, NULL, NULL, NULL},
    };
    if (!ws_program_options_parse(&options, command, entries, arguments))
        return WS_ERROR_USAGE;
    GError *error = NULL;
    g_autoptr(WsProgram) program = ws_program_options_load(&options, arguments[1], NULL, &error);
    if (program == NULL)
        return ws_report_error(error);
    WsDisassembleOptions shown = {
        .words = words, .sources = !plain, .control = control, .effects = effects};
    g_autofree char *text = ws_disassemble(program, &shown);
    ws_put(text);
    ws_report_refused(program);
    return 0;
}

const WsCommand ws_command_disasm = {
    .name = "disasm",
    .group = WS_GROUP_PROGRAM,
    .summary = "print the bytecode beside its PTX and CUDA lines",
    .usage = "TARGET",
    .details = WS_TARGET_IS ", or a program: .cu, .ptx, .wsasm, .wsbin or .sass.\n"
                            "\n"
                            "Examples:\n"
                            "  warpstep disasm vecadd\n"
                            "  warpstep disasm vecadd --effects --no-sources\n",
    .run = run,
};
