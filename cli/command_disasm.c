/* `warpstep disasm`: the bytecode of a program. */
#include "cli/command.h"
#include "isa/disassembler.h"
#include "sim/launch.h"

int ws_command_disasm(const char *usage, const char *details, char **arguments)
{
    g_auto(GStrv) settings = NULL;
    g_autofree char *device_name = NULL;
    gboolean words = FALSE, control = FALSE, effects = FALSE, plain = FALSE;
    const GOptionEntry entries[] = {
        {"device", 'd', 0, G_OPTION_ARG_FILENAME, &device_name,
         "device to compile for (default h200)", "NAME"},
        {"set", 's', 0, G_OPTION_ARG_FILENAME_ARRAY, &settings, "change a setting, as in run",
         "PATH=VALUE"},
        {"words", 0, 0, G_OPTION_ARG_NONE, &words, "show the 16 bytes of each instruction", NULL},
        {"control", 0, 0, G_OPTION_ARG_NONE, &control, "show the control information", NULL},
        {"effects", 0, 0, G_OPTION_ARG_NONE, &effects, "say what each instruction does", NULL},
        {"no-sources", 0, 0, G_OPTION_ARG_NONE, &plain, "leave out PTX and source lines", NULL},
        {NULL, 0, 0, 0, NULL, NULL, NULL},
    };
    if (!ws_parse_options(usage, details, entries, arguments, 1, 1))
        return WS_ERROR_USAGE;
    GError *error = NULL;
    g_autoptr(WsDevice) device = ws_device_load(device_name != NULL ? device_name : "h200",
                                                (const char *const *)settings, &error);
    if (device == NULL)
        return ws_report_error(error);
    g_autoptr(WsProgram) program = ws_target_load_program(arguments[1], device, NULL, &error);
    if (program == NULL)
        return ws_report_error(error);
    WsDisassembleOptions options = {
        .words = words, .sources = !plain, .control = control, .effects = effects};
    g_autofree char *text = ws_disassemble(program, &options);
    ws_put(text);
    ws_report_refused(program);
    return 0;
}
