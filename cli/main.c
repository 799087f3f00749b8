/* The program `warpstep`: finds the sub-command and hands over. */
#include "cli/command.h"

#include <locale.h>
#include <stdio.h>
#include <string.h>

static const char target_help[] =
    "TARGET is a launch file, a folder with launch.yaml in it, or the name of a built-in\n"
    "workload (warpstep run --list); for asm, disasm and check also a program: .cu, .ptx,\n"
    ".wsasm or .wsbin.";

static const char occupancy_details[] =
    "The options after --kernel change what the launch file says. Sizes are in bytes.\n"
    "\n"
    "The first line of a batch names its columns, in any order: block and regs, and if wanted\n"
    "device, smem, dynamic_smem and carveout. Other columns are carried over. The answer is each\n"
    "line with blocks_per_sm, warps_per_sm, occupancy, the limits, limiters, registers_per_block\n"
    "and shared_bytes_per_block behind it.\n"
    "\n"
    "Examples:\n"
    "  warpstep occupancy --block 256 --regs 40 --smem 8192 --explain\n"
    "  warpstep occupancy --kernel matmul --regs 48\n"
    "  warpstep occupancy --device a100 --batch queries.csv > answers.csv\n";

static const WsCommand commands[] = {
    {"run", "simulate kernels and say where the cycles went", "TARGET", target_help,
     ws_command_run},
    {"check", "verify a program and list its branches", "TARGET", target_help, ws_command_check},
    {"asm", "write a program in its binary form", "TARGET -o FILE.wsbin", target_help,
     ws_command_asm},
    {"disasm", "print the bytecode beside its PTX and CUDA lines", "TARGET", target_help,
     ws_command_disasm},
    {"occupancy", "say how many blocks an SM holds, and why",
     "--block N --regs N | --kernel TARGET | --batch FILE", occupancy_details,
     ws_command_occupancy},
    {"devices", "list the devices, or print one with all its settings", "[DEVICE]", NULL,
     ws_command_devices},
};

static void print_help(void)
{
    ws_put("Usage: warpstep COMMAND [arguments]\n\n"
           "Runs GPU kernels cycle by cycle on a simulated device.\n\nCommands:\n");
    for (gsize i = 0; i < G_N_ELEMENTS(commands); i++)
        printf("  %-10s %s\n", commands[i].name, commands[i].summary);
    ws_put("\n'warpstep COMMAND --help' tells more; 'warpstep --version' prints the version.\n"
           "Exit codes: 0 done, 1 a check failed, 2 usage, 3 bad input, 4 fault in the kernel,\n"
           "5 deadlock or livelock, 6 a limit was reached, 70 internal error.\n");
}

static int unknown_command(const char *name)
{
    const char *names[G_N_ELEMENTS(commands) + 1] = {NULL};
    for (gsize i = 0; i < G_N_ELEMENTS(commands); i++)
        names[i] = commands[i].name;
    g_autofree char *shown = ws_printable(name);
    const char *nearest = ws_nearest_name(name, names);
    if (nearest != NULL)
        return ws_usage_error("there is no command '%s'; did you mean '%s'?", shown, nearest);
    return ws_usage_error("there is no command '%s' (warpstep --help lists them)", shown);
}

static int run_command(char **arguments)
{
    const char *name = arguments[0];
    if (name == NULL) {
        ws_usage_error("a command is missing (warpstep --help lists them)");
        return WS_ERROR_USAGE;
    }
    if (strcmp(name, "--help") == 0 || strcmp(name, "-h") == 0 || strcmp(name, "help") == 0) {
        print_help();
        return 0;
    }
    if (strcmp(name, "--version") == 0) {
        ws_put("warpstep " WS_VERSION "\n");
        return 0;
    }
    for (gsize i = 0; i < G_N_ELEMENTS(commands); i++) {
        if (strcmp(commands[i].name, name) != 0)
            continue;
        g_autofree char *prgname = g_strdup_printf("warpstep %s", name);
        g_set_prgname(prgname);
        return commands[i].run(commands[i].usage, commands[i].details, arguments);
    }
    return unknown_command(name);
}

int main(int argc, char **argv)
{
    setlocale(LC_CTYPE, "C.UTF-8"); /* help texts are UTF-8 whatever the environment says */
    g_autofree char **arguments = g_memdup2(argv + 1, (gsize)argc * sizeof *argv);
    return ws_finish_output(run_command(argc > 0 ? arguments : argv));
}
