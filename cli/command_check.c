/* `warpstep check`: verifies a program, lists its kernels and the lines that branch. */
#include "cli/command.h"
#include "cli/program_options.h"
#include "cli/report_layout.h"
#include "cli/terminal.h"
#include "isa/flow/branch_uniformity.h"
#include "sim/launch/launch.h"
#include "sim/report/line_profile.h"

#include <stdio.h>

enum { VERDICTS = WS_DIVERGENT + 1 };

/* The branches of a source line, by what is known of their conditions. */
typedef struct {
    guint32 file, line;
    guint branches[VERDICTS];
} BranchLine;

static gboolean can_split(const WsInstruction *instruction)
{
    switch (ws_instruction_kind(instruction)) {
    case WS_KIND_BRA:
    case WS_KIND_BRX:
    case WS_KIND_EXIT:
    case WS_KIND_RET:
        return ws_branch_is_conditional(instruction) || ws_is_kind(instruction, WS_KIND_BRX);
    default:
        return FALSE;
    }
}

static gint compare_lines(gconstpointer a, gconstpointer b)
{
    const BranchLine *x = a, *y = b;
    if (x->file != y->file)
        return x->file < y->file ? -1 : 1;
    return x->line < y->line ? -1 : x->line > y->line;
}

/* Sorted by `compare_lines`, those of one line together. */
static GArray *branch_lines(const WsProgram *program, const WsKernel *kernel)
{
    g_autoptr(WsControlFlow) flow =
        ws_control_flow_new(program->instructions, kernel->first, kernel->count);
    g_autofree guint8 *uniformity = ws_condition_uniformity(program->instructions, flow);
    GArray *lines = g_array_new(FALSE, FALSE, sizeof(BranchLine));
    for (guint32 i = 0; i < kernel->count; i++) {
        BranchLine line = {0};
        if (!can_split(&program->instructions[kernel->first + i]))
            continue;
        ws_line_of_instruction(program, kernel->first + i, &line.file, &line.line);
        line.branches[uniformity[i]] = 1;
        g_array_append_val(lines, line);
    }
    g_array_sort(lines, compare_lines);
    guint kept = 0;
    for (guint i = 0; i < lines->len; i++) {
        BranchLine *line = &g_array_index(lines, BranchLine, i);
        BranchLine *last = kept > 0 ? &g_array_index(lines, BranchLine, kept - 1) : NULL;
        if (last == NULL || compare_lines(last, line) != 0)
            g_array_index(lines, BranchLine, kept++) = *line;
        else
            for (guint v = 0; v < VERDICTS; v++)
                last->branches[v] += line->branches[v];
    }
    g_array_set_size(lines, kept);
    return lines;
}

static void print_row(const char *row)
{
    g_autofree char *cut = ws_cut(row, ws_terminal_width(stdout));
    printf("%s\n", g_strchomp(cut));
}

static void print_line(const WsProgram *program, const WsSourceIndex *sources,
                       const BranchLine *line)
{
    g_autofree char *name =
        line->file == 0 ? NULL : g_path_get_basename(program->files[line->file]);
    g_autofree char *shown = name == NULL ? NULL : ws_printable(name);
    g_autofree char *place =
        name == NULL ? g_strdup("-") : g_strdup_printf("%s:%u", shown, line->line);
    g_autofree char *source = ws_source_index_line(sources, line->file, line->line);
    g_autofree char *row =
        g_strdup_printf("  %-18s %7u %12u %11u  %s", place, line->branches[WS_UNIFORM],
                        line->branches[WS_WARP_UNIFORM], line->branches[WS_DIVERGENT],
                        source != NULL ? source : "");
    print_row(g_strdelimit(row, "\t\v\f\033", ' '));
}

static void print_kernel(const WsProgram *program, const WsSourceIndex *sources,
                         GHashTable *shared_names, const WsKernel *kernel)
{
    g_autofree char *name = ws_printable(kernel->display_name);
    g_autofree char *mangled = ws_kernel_shows_mangled(kernel, shared_names)
                                   ? g_strdup_printf(" (%s)", kernel->name)
                                   : g_strdup("");
    printf("%s%s: %u instructions, %u registers, %u bytes of shared and %u of local memory, "
           "%u parameters\n",
           name, mangled, kernel->count, kernel->registers, kernel->static_shared_bytes,
           kernel->local_bytes, kernel->parameter_count);
    g_autoptr(GArray) lines = branch_lines(program, kernel);
    if (lines->len == 0) {
        ws_put("  no conditional branches\n");
        return;
    }
    print_row("  branches of           uniform warp-uniform may diverge  source");
    for (guint i = 0; i < lines->len; i++)
        print_line(program, sources, &g_array_index(lines, BranchLine, i));
}

static int run(const WsCommand *command, char **arguments)
{
    g_auto(WsProgramOptions) options = {0};
    if (!ws_program_options_parse(&options, command, NULL, arguments))
        return WS_ERROR_USAGE;
    GError *error = NULL;
    g_auto(GStrv) sources = NULL;
    g_autoptr(WsProgram) program =
        ws_program_options_load(&options, arguments[1], &sources, &error);
    if (program == NULL)
        return ws_report_error(error);
    g_autoptr(WsSourceIndex) index = ws_source_index_new(sources);
    g_autoptr(GHashTable) shared_names = ws_program_shared_names(program);
    for (guint32 i = 0; i < program->kernel_count; i++)
        print_kernel(program, index, shared_names, &program->kernels[i]);
    return ws_report_refused(program);
}

const WsCommand ws_command_check = {
    .name = "check",
    .group = WS_GROUP_PROGRAM,
    .summary = "verify a program and list its branches",
    .usage = "TARGET",
    .details = WS_TARGET_IS ", or a program: .cu, .ptx, .wsasm, .wsbin or .sass.\n"
                            "\n"
                            "Examples:\n"
                            "  warpstep check with_without_divergence\n",
    .run = run,
};
