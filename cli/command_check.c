/* `warpstep check`: verifies a program, lists its kernels and their branches. */
#include "cli/command.h"
#include "cli/program_options.h"
#include "isa/branch_uniformity.h"
#include "isa/disassembler.h"
#include "sim/launch.h"
#include "sim/line_profile.h"

#include <stdio.h>

/* What a reader of a program needs to know of a branch's condition. */
static const char *const verdicts[] = {
    [WS_UNIFORM] = "uniform", [WS_WARP_UNIFORM] = "warp-uniform", [WS_DIVERGENT] = "may diverge"};

static gboolean can_split(const WsInstruction *instruction)
{
    switch (instruction->opcode) {
    case WS_OP_BRA:
    case WS_OP_BRX:
    case WS_OP_EXIT:
    case WS_OP_RET:
        return ws_branch_is_conditional(instruction) || instruction->opcode == WS_OP_BRX;
    default:
        return FALSE;
    }
}

static void print_branch(const WsProgram *program, char *const *sources, guint32 index,
                         WsUniformity uniformity)
{
    guint32 file, line;
    ws_line_of_instruction(program, index, &file, &line);
    g_autofree char *name = file == 0 ? NULL : g_path_get_basename(program->files[file]);
    g_autofree char *place = file == 0 ? g_strdup("-") : g_strdup_printf("%s:%u", name, line);
    WsInstruction shown = program->instructions[index];
    shown.control = (WsControl){.write_barrier = 7, .read_barrier = 7}; /* none */
    g_autofree char *text = ws_instruction_to_text(&shown, program->labels);
    g_autofree char *source = ws_source_line(sources, file, line);
    g_autofree char *row = g_strdup_printf("  %-18s %-13s %-24s %s", place, verdicts[uniformity],
                                           text, source != NULL ? source : "");
    g_autofree char *cut = g_utf8_substring(row, 0, MIN(g_utf8_strlen(row, -1), 100));
    printf("%s\n", g_strchomp(cut));
}

static void print_kernel(const WsProgram *program, char *const *sources, const WsKernel *kernel)
{
    g_autofree char *name = ws_printable(kernel->display_name);
    printf("%s: %u instructions, %u registers, %u bytes of shared and %u of local memory, "
           "%u parameters\n",
           name, kernel->count, kernel->registers, kernel->static_shared_bytes, kernel->local_bytes,
           kernel->parameter_count);
    g_autoptr(WsControlFlow) flow =
        ws_control_flow_new(program->instructions, kernel->first, kernel->count);
    g_autofree guint8 *uniformity = ws_condition_uniformity(program->instructions, flow);
    guint branches = 0;
    for (guint32 i = 0; i < kernel->count; i++) {
        if (!can_split(&program->instructions[kernel->first + i]))
            continue;
        print_branch(program, sources, kernel->first + i, (WsUniformity)uniformity[i]);
        branches++;
    }
    if (branches == 0)
        ws_put("  no conditional branches\n");
}

int ws_command_check(const char *usage, const char *details, char **arguments)
{
    g_auto(WsProgramOptions) options = {0};
    if (!ws_program_options_parse(&options, usage, details, NULL, arguments))
        return WS_ERROR_USAGE;
    GError *error = NULL;
    g_auto(GStrv) sources = NULL;
    g_autoptr(WsProgram) program =
        ws_program_options_load(&options, arguments[1], &sources, &error);
    if (program == NULL)
        return ws_report_error(error);
    for (guint32 i = 0; i < program->kernel_count; i++)
        print_kernel(program, sources, &program->kernels[i]);
    return ws_report_refused(program);
}
