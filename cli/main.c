/* The program `warpstep`: finds the sub-command and hands over. */
#include "cli/commands.h"

#include <locale.h>
#include <malloc.h>
#include <stdio.h>
#include <string.h>

enum { HELP_COLUMNS = 90 };

static void print_exit_codes(void)
{
    int column = printf("Exit codes:");
    for (const WsExitCode *row = ws_exit_codes; row->meaning != NULL; row++) {
        g_autofree char *text =
            g_strdup_printf("%d %s%s", row->code, row->meaning, row[1].meaning == NULL ? "." : ",");
        if (column + 1 + (int)strlen(text) > HELP_COLUMNS)
            column = printf("\n%s", text) - 1;
        else
            column += printf(" %s", text);
    }
    ws_put("\n");
}

/* The first of the examples that end the command's --help. */
static void print_example(const WsCommand *command)
{
    static const char heading[] = "Examples:\n";
    const char *examples = strstr(command->details, heading);
    if (examples == NULL)
        return;
    examples += strlen(heading) + strspn(examples + strlen(heading), " ");
    printf("    for example: %.*s\n", (int)strcspn(examples, "\n"), examples);
}

static void print_group(WsCommandGroup group)
{
    const WsCommand *first = NULL;
    printf("\n%s\n", ws_command_groups[group]);
    for (const WsCommand *const *command = ws_commands; *command != NULL; command++) {
        if ((*command)->group != group)
            continue;
        if (first == NULL)
            first = *command;
        printf("  %-10s %s\n", (*command)->name, (*command)->summary);
    }
    if (first != NULL)
        print_example(first);
}

static void print_help(void)
{
    ws_put("Usage: warpstep COMMAND [arguments]\n\n"
           "Runs GPU kernels cycle by cycle on a simulated device.\n\nCommands:\n");
    for (WsCommandGroup group = 0; group < WS_GROUP_COUNT; group++)
        print_group(group);
    ws_put("\n'warpstep COMMAND --help' has the options of a command and examples; 'warpstep "
           "--version'\nprints the version.\n");
    print_exit_codes();
}

static int unknown_command(const char *name)
{
    g_autoptr(GPtrArray) names = g_ptr_array_new();
    for (const WsCommand *const *command = ws_commands; *command != NULL; command++)
        g_ptr_array_add(names, (gpointer)(*command)->name);
    g_ptr_array_add(names, NULL);
    g_autofree char *shown = ws_printable(name);
    const char *nearest = ws_nearest_name(name, (const char *const *)names->pdata);
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
    if (strcmp(name, "--help") == 0 || strcmp(name, "-h") == 0 ||
        (strcmp(name, "help") == 0 && arguments[1] == NULL)) {
        print_help();
        return 0;
    }
    if (strcmp(name, "--version") == 0) {
        ws_put("warpstep " WS_VERSION "\n");
        return 0;
    }
    for (const WsCommand *const *command = ws_commands; *command != NULL; command++) {
        if (strcmp((*command)->name, name) != 0)
            continue;
        g_autofree char *prgname = g_strdup_printf("warpstep %s", name);
        g_set_prgname(prgname);
        return (*command)->run(*command, arguments);
    }
    return unknown_command(name);
}

/*
 * Passes of the compiler take and give back the same megabytes again and again. Kept by the process
 * they need not be cleared by the system each time: a fifth of the time of 100,000 instructions.
 */
static void keep_freed_memory(void)
{
    enum { LARGEST_OF_HEAP = 32 << 20, KEPT = 512 << 20 };
    mallopt(M_MMAP_THRESHOLD, LARGEST_OF_HEAP);
    mallopt(M_TRIM_THRESHOLD, KEPT);
}

int main(int argc, char **argv)
{
    keep_freed_memory();
    setlocale(LC_CTYPE, "C.UTF-8"); /* help texts are UTF-8 whatever the environment says */
    g_autofree char **arguments = g_memdup2(argv + 1, (gsize)argc * sizeof *argv);
    return ws_finish_output(run_command(argc > 0 ? arguments : argv));
}
