#include "isa/text/disassembler.h"

#include <math.h>
#include <string.h>

#include "isa/base/float_bits.h"
#include "isa/bytecode/encoding.h"
#include "isa/bytecode/text_form.h"

static void append_number(GString *out, const char *prefix, const char *zero, guint32 zero_index,
                          guint32 index)
{
    if (index == zero_index) {
        g_string_append(out, zero);
    } else {
        g_string_append_printf(out, "%s%u", prefix, index);
    }
}

static void append_register(GString *out, guint32 index, guint word)
{
    if (index >= WS_VIRTUAL_BASE) {
        g_string_append_printf(out, "V%u", index - WS_VIRTUAL_BASE);
        if (word != 0) {
            g_string_append_printf(out, ".%u", word);
        }
        return;
    }
    append_number(out, "R", "RZ", WS_RZ, index);
}

static void append_predicate(GString *out, guint32 index)
{
    if (index >= WS_VIRTUAL_BASE) {
        g_string_append_printf(out, "VP%u", index - WS_VIRTUAL_BASE);
        return;
    }
    append_number(out, "P", "PT", WS_PT, index);
}

static void append_offset(GString *out, guint32 value, gboolean after)
{
    gint64 offset = (gint32)value;
    if (offset == 0 && after) {
        return;
    }
    const char *sign = offset < 0 ? "-" : after ? "+" : "";
    g_string_append_printf(out, "%s0x%" G_GINT64_MODIFIER "x", sign, offset < 0 ? -offset : offset);
}

static void append_address(GString *out, const WsOperand *operand)
{
    gboolean uniform = operand->uniform != WS_URZ;
    gboolean base = operand->index != WS_RZ;
    g_string_append_c(out, '[');
    if (base) {
        append_register(out, operand->index, operand->bank);
    }
    if (uniform) {
        g_string_append_printf(out, "%sUR%u", base ? "+" : "", operand->uniform);
    }
    append_offset(out, operand->value, base || uniform);
    g_string_append_c(out, ']');
}

static void append_constant(GString *out, const WsOperand *operand)
{
    g_string_append_printf(out, "c[0x%x][", operand->bank);
    gboolean base = operand->index != WS_RZ, uniform = operand->uniform < WS_URZ;
    if (base) {
        append_register(out, operand->index, 0);
    }
    if (uniform) {
        g_string_append_printf(out, "%sUR%u", base ? "+" : "", operand->uniform);
    }
    append_offset(out, operand->value, base || uniform);
    g_string_append_c(out, ']');
}

/* The shortest decimal that reads back as exactly `value`. */
static void append_float(GString *out, double value, gboolean single)
{
    char text[G_ASCII_DTOSTR_BUF_SIZE];
    for (int digits = 1; digits <= 17; digits++) {
        char format[8];
        g_snprintf(format, sizeof format, "%%.%dg", digits);
        g_ascii_formatd(text, sizeof text, format, value);
        double back = g_ascii_strtod(text, NULL);
        if (single ? (float)back == (float)value : back == value) {
            break;
        }
    }
    g_string_append(out, text);
}

static void append_immediate(GString *out, guint32 bits, WsLiteral literal)
{
    double value = 0;
    if (literal == WS_LITERAL_FLOAT) {
        value = (double)ws_float(bits);
    } else if (literal == WS_LITERAL_DOUBLE_HIGH) {
        value = ws_double((guint64)bits << 32);
    }
    if (literal == WS_LITERAL_INTEGER || isnan(value)) {
        g_string_append_printf(out, "0x%x", bits);
    } else if (isinf(value)) {
        g_string_append(out, value < 0 ? "-INF" : "+INF");
    } else {
        append_float(out, value, literal == WS_LITERAL_FLOAT);
    }
}

static void append_target(GString *out, guint32 target, char *const *labels)
{
    if (labels != NULL && labels[target] != NULL) {
        g_string_append(out, labels[target]);
    } else {
        g_string_append_printf(out, "0x%" G_GINT64_MODIFIER "x",
                               (guint64)target * WS_INSTRUCTION_BYTES);
    }
}

static void append_operand_core(GString *out, const WsInstruction *instruction, guint n,
                                char *const *labels)
{
    const WsOperand *operand = &instruction->operand[n];
    switch (operand->kind) {
    case WS_OPERAND_REGISTER:
        append_register(out, operand->index, operand->bank);
        break;
    case WS_OPERAND_PREDICATE:
        append_predicate(out, operand->index);
        break;
    case WS_OPERAND_UNIFORM_REGISTER:
        append_number(out, "UR", "URZ", WS_URZ, operand->index);
        break;
    case WS_OPERAND_UNIFORM_PREDICATE:
        append_number(out, "UP", "UPT", WS_PT, operand->index);
        break;
    case WS_OPERAND_BARRIER:
        g_string_append_printf(out, "B%u", operand->index);
        break;
    case WS_OPERAND_IMMEDIATE:
        append_immediate(out, operand->value, ws_operand_literal(instruction, n));
        break;
    case WS_OPERAND_CONSTANT:
        append_constant(out, operand);
        break;
    case WS_OPERAND_ADDRESS:
        append_address(out, operand);
        break;
    case WS_OPERAND_TARGET:
        append_target(out, operand->value, labels);
        break;
    case WS_OPERAND_SPECIAL:
        g_string_append(out, operand->value < WS_SR_COUNT ? ws_special_register_name(operand->value)
                                                          : "SR_?");
        break;
    default:
        g_string_append_c(out, '?');
        break;
    }
}

static void append_operand(GString *out, const WsInstruction *instruction, guint n,
                           char *const *labels)
{
    const WsOperand *operand = &instruction->operand[n];
    gboolean predicate =
        operand->kind == WS_OPERAND_PREDICATE || operand->kind == WS_OPERAND_UNIFORM_PREDICATE;
    gboolean absolute = (operand->flags & WS_OPERAND_ABSOLUTE) != 0;
    if ((operand->flags & WS_OPERAND_NEGATE) != 0) {
        gboolean bits = ws_opcode_info(instruction->opcode)->sources == WS_SOURCES_BITS;
        g_string_append_c(out, predicate ? '!' : bits ? '~' : '-');
    }
    if (absolute) {
        g_string_append_c(out, '|');
    }
    append_operand_core(out, instruction, n, labels);
    if (absolute) {
        g_string_append_c(out, '|');
    }
    if ((operand->flags & WS_OPERAND_REUSE) != 0) {
        g_string_append(out, ".reuse");
    }
    if ((operand->flags & WS_OPERAND_HALVES) != 0) {
        g_string_append(out, operand->flags & WS_OPERAND_LOW ? ".H0_H0" : ".H1_H1");
    }
}

static void append_control(GString *out, const WsControl *control)
{
    if (control->stall == 0 && control->write_barrier == 7 && control->read_barrier == 7 &&
        control->wait_mask == 0) {
        return;
    }
    const char *space = "";
    g_string_append(out, " {");
    if (control->stall != 0) {
        g_string_append_printf(out, "stall=%u", control->stall);
        space = " ";
    }
    if (control->write_barrier != 7) {
        g_string_append_printf(out, "%swr=%u", space, control->write_barrier);
        space = " ";
    }
    if (control->read_barrier != 7) {
        g_string_append_printf(out, "%srd=%u", space, control->read_barrier);
        space = " ";
    }
    if (control->wait_mask != 0) {
        g_string_append_printf(out, "%swait=0x%x", space, control->wait_mask);
    }
    g_string_append_c(out, '}');
}

static void append_plain_text(GString *out, const WsInstruction *instruction, char *const *labels)
{
    const WsOpcodeInfo *info = ws_opcode_info(instruction->opcode);
    if (ws_is_guarded(instruction)) {
        g_string_append(out, instruction->guard_negated ? "@!" : "@");
        if (ws_is_guarded_uniformly(instruction)) {
            g_string_append_printf(out, "UP%u", instruction->guard - WS_GUARD_UNIFORM);
        } else {
            append_predicate(out, instruction->guard);
        }
        g_string_append_c(out, ' ');
    }
    g_string_append(out, info->mnemonic);
    for (guint m = 0; m < info->modifier_count; m++) {
        const char *name =
            ws_modifier_name(info->modifiers[m], instruction->mod[info->modifiers[m]]);
        if (name == NULL || *name != '\0') {
            g_string_append_printf(out, ".%s", name != NULL ? name : "?");
        }
    }
    if (instruction->control.yield) {
        g_string_append(out, ".yield");
    }
    const char *separator = " ";
    for (guint n = 0; n < instruction->operand_count; n++) {
        if (!ws_operand_is_omitted(instruction, n)) {
            g_string_append(out, separator);
            append_operand(out, instruction, n, labels);
            separator = ", ";
        }
    }
}

void ws_instruction_append_text(GString *out, const WsInstruction *instruction, char *const *labels)
{
    append_plain_text(out, instruction, labels);
    append_control(out, &instruction->control);
}

char *ws_instruction_to_text(const WsInstruction *instruction, char *const *labels)
{
    GString *out = g_string_new(NULL);
    ws_instruction_append_text(out, instruction, labels);
    return g_string_free(out, FALSE);
}

/* ---- whole programs ---------------------------------------------------------------------------
 */

/* A label for every target: the program's own, else .L_<byte address>. NULL-terminated. */
static char **all_labels(const WsProgram *program)
{
    char **labels = g_new0(char *, (gsize)program->instruction_count + 1);
    for (guint32 i = 0; i < program->instruction_count; i++) {
        if (program->labels != NULL && program->labels[i] != NULL && labels[i] == NULL) {
            labels[i] = g_strdup(program->labels[i]);
        }
        const WsInstruction *instruction = &program->instructions[i];
        for (guint n = 0; n < instruction->operand_count; n++) {
            guint32 target = instruction->operand[n].value;
            gboolean named = program->labels != NULL && target < program->instruction_count &&
                             program->labels[target] != NULL;
            if (instruction->operand[n].kind == WS_OPERAND_TARGET &&
                target < program->instruction_count && labels[target] == NULL && !named) {
                labels[target] = g_strdup_printf(".L_%x", target * WS_INSTRUCTION_BYTES);
            }
        }
    }
    return labels;
}

static void free_labels(char **labels, guint32 count)
{
    for (guint32 i = 0; i < count; i++) {
        g_free(labels[i]);
    }
    g_free(labels);
}

static void append_pad(GString *out, gsize line_start, gsize column)
{
    do {
        g_string_append_c(out, ' ');
    } while (out->len - line_start < column);
}

/* TRUE for PTX that was not made from another source: its line is the source line. */
static gboolean is_own_source(const WsProgram *program, const WsLocation *at)
{
    return at->line == at->ptx_line && g_str_has_suffix(program->files[at->file], ".ptx");
}

static void append_sources(GString *out, const WsProgram *program, guint32 number)
{
    guint32 location = program->instructions[number].location;
    if (location == 0 || location >= program->location_count) {
        return;
    }
    const WsLocation *at = &program->locations[location];
    if (at->line != 0) {
        g_autofree char *base = g_path_get_basename(program->files[at->file]);
        g_autofree char *shown = ws_printable(base);
        g_autofree char *construct = ws_program_construct_text(program, number);
        g_string_append_printf(out, " %s:%u", shown, at->line);
        if (construct != NULL) {
            g_string_append_printf(out, " %s", construct);
        }
    }
    if (at->ptx_line != 0 && !is_own_source(program, at)) {
        g_string_append_printf(out, " ptx:%u", at->ptx_line);
    }
}

static void append_line(GString *out, const WsProgram *program, guint32 number, char *const *labels,
                        const WsDisassembleOptions *options)
{
    enum { COMMENT_COLUMN = 60 };
    const WsInstruction *instruction = &program->instructions[number];
    gsize start = out->len;
    g_string_append_printf(out, "    /*%04x*/ ", number * WS_INSTRUCTION_BYTES);
    append_plain_text(out, instruction, labels);
    if (options->control) {
        append_control(out, &instruction->control);
    }
    g_string_append(out, " ;");
    gsize end = out->len;
    append_pad(out, start, COMMENT_COLUMN);
    g_string_append(out, "//");
    gsize empty = out->len;
    if (options->sources) {
        append_sources(out, program, number);
    }
    guint8 word[WS_INSTRUCTION_BYTES];
    if (options->words && ws_encode(instruction, word, NULL)) {
        guint64 half[2] = {0, 0};
        for (guint i = 0; i < WS_INSTRUCTION_BYTES; i++) {
            half[i / 8] |= (guint64)word[i] << (8 * (i % 8));
        }
        g_string_append_printf(out, " 0x%016" G_GINT64_MODIFIER "x 0x%016" G_GINT64_MODIFIER "x",
                               half[0], half[1]);
    }
    if (options->effects) {
        g_string_append_printf(out, " %s", ws_opcode_info(instruction->opcode)->effect);
    }
    if (out->len == empty) {
        g_string_truncate(out, end);
    }
    g_string_append_c(out, '\n');
}

static void append_parameter(GString *out, const WsParameter *parameter, guint32 base)
{
    if (parameter->type == WS_TYPE_BYTES) {
        g_string_append_printf(out, ".param bytes %s[%u] align %u", parameter->name,
                               parameter->size, parameter->align);
    } else {
        g_string_append_printf(out, ".param %s %s", ws_type_name(parameter->type), parameter->name);
    }
    g_string_append_printf(out, " // c[0x0][0x%x]\n", base + parameter->offset);
}

static void append_header(GString *out, const WsProgram *program, const WsKernel *kernel)
{
    const struct {
        const char *name;
        guint32 value;
    } lines[] = {{".registers", kernel->registers}, {".shared", kernel->static_shared_bytes},
                 {".local", kernel->local_bytes},   {".stack", kernel->stack_bytes},
                 {".maxntid", kernel->max_threads}, {".minnctapersm", kernel->min_blocks}};
    g_string_append_printf(out, ".kernel %s\n", kernel->name);
    if (strcmp(kernel->name, kernel->display_name) != 0) {
        g_string_append_printf(out, "// %s\n", kernel->display_name);
    }
    for (guint32 p = 0; p < kernel->parameter_count; p++) {
        append_parameter(out, &kernel->parameters[p], program->parameter_base);
    }
    for (guint i = 0; i < G_N_ELEMENTS(lines); i++) {
        if (lines[i].value != 0) {
            g_string_append_printf(out, "%s %u\n", lines[i].name, lines[i].value);
        }
    }
    if (kernel->required_block[0] != 0) {
        g_string_append_printf(out, ".reqntid %u, %u, %u\n", kernel->required_block[0],
                               kernel->required_block[1], kernel->required_block[2]);
    }
    g_string_append(out, ".reconvergence manual\n");
}

char *ws_disassemble(const WsProgram *program, const WsDisassembleOptions *options)
{
    GString *out = g_string_new(NULL);
    char **labels = all_labels(program);
    for (guint32 k = 0; k < program->kernel_count; k++) {
        const WsKernel *kernel = &program->kernels[k];
        if (k > 0) {
            g_string_append_c(out, '\n');
        }
        append_header(out, program, kernel);
        for (guint32 i = kernel->first; i < kernel->first + kernel->count; i++) {
            if (labels[i] != NULL) {
                g_string_append_printf(out, "%s:\n", labels[i]);
            }
            append_line(out, program, i, labels, options);
        }
    }
    free_labels(labels, program->instruction_count);
    return g_string_free(out, FALSE);
}
