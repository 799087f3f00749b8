#include "isa/container/verifier.h"

#include <string.h>

#include "isa/base/error.h"
#include "isa/bytecode/instruction_check.h"
#include "isa/flow/control_flow.h"

enum { MAX_MODULE_BYTES = 64 * 1024 * 1024, MAX_BARRIERS = 16 };

typedef struct {
    const WsProgram *program;
    const WsKernel *kernel;
    GError **error;
} Verifier;

static gboolean fail_at(const Verifier *verifier, guint32 number, const char *format, ...)
    G_GNUC_PRINTF(3, 4);
static gboolean fail_kernel(const Verifier *verifier, const char *format, ...) G_GNUC_PRINTF(2, 3);

static gboolean fail_at(const Verifier *verifier, guint32 number, const char *format, ...)
{
    const WsProgram *program = verifier->program;
    WsPosition position = {program->path, 0, 0};
    guint32 location = program->instructions[number].location;
    if (location != 0 && location < program->location_count) {
        const WsLocation *at = &program->locations[location];
        position = (WsPosition){program->files[at->file], at->line, at->column};
    }
    va_list arguments;
    va_start(arguments, format);
    g_autofree char *text = g_strdup_vprintf(format, arguments);
    va_end(arguments);
    g_autofree char *name = ws_printable(verifier->kernel->name);
    ws_set_error_at(verifier->error, WS_ERROR_INPUT, &position, "kernel %s, instruction 0x%x: %s",
                    name, (number - verifier->kernel->first) * WS_INSTRUCTION_BYTES, text);
    return FALSE;
}

static gboolean fail_kernel(const Verifier *verifier, const char *format, ...)
{
    WsPosition position = {verifier->program->path, 0, 0};
    va_list arguments;
    va_start(arguments, format);
    g_autofree char *text = g_strdup_vprintf(format, arguments);
    va_end(arguments);
    g_autofree char *name =
        verifier->kernel != NULL ? ws_printable(verifier->kernel->name) : g_strdup("");
    ws_set_error_at(verifier->error, WS_ERROR_INPUT, &position, "%s%s%s%s",
                    verifier->kernel != NULL ? "kernel " : "", name,
                    verifier->kernel != NULL ? ": " : "", text);
    return FALSE;
}

/* ---- instructions -----------------------------------------------------------------------------
 */

static gboolean check_registers(const Verifier *verifier, guint32 number)
{
    const WsInstruction *instruction = &verifier->program->instructions[number];
    for (guint n = 0; n < instruction->operand_count; n++) {
        const WsOperand *operand = &instruction->operand[n];
        guint width = ws_operand_width(instruction, n);
        if (width == 0 || operand->kind == WS_OPERAND_UNIFORM_REGISTER || operand->index == WS_RZ) {
            continue;
        }
        if (operand->index + width > verifier->kernel->registers) {
            return fail_at(verifier, number, "register R%u is outside the kernel's %u",
                           operand->index + width - 1, verifier->kernel->registers);
        }
    }
    return TRUE;
}

static gboolean check_target(const Verifier *verifier, guint32 number)
{
    const WsInstruction *instruction = &verifier->program->instructions[number];
    const WsKernel *kernel = verifier->kernel;
    guint32 target = ws_branch_target(instruction);
    if (target == WS_NO_NODE) {
        return TRUE;
    }
    if (target < kernel->first || target - kernel->first >= kernel->count) {
        return fail_at(verifier, number, "the target is outside the kernel");
    }
    const WsInstruction *row = &verifier->program->instructions[target];
    if (ws_is_kind(instruction, WS_KIND_BRX) &&
        (!ws_is_kind(row, WS_KIND_BRA) || ws_branch_is_conditional(row))) {
        return fail_at(verifier, number, "BRX needs a table of unguarded BRA at its target");
    }
    return TRUE;
}

static gboolean check_barriers(const Verifier *verifier, guint32 number)
{
    const WsInstruction *instruction = &verifier->program->instructions[number];
    if (!ws_is_kind(instruction, WS_KIND_BARRIER)) {
        return TRUE;
    }
    const WsOperand *barrier = &instruction->operand[2];
    guint32 last = barrier->kind == WS_OPERAND_IMMEDIATE ? barrier->value : 0;
    if (last >= verifier->kernel->barriers) {
        return fail_at(verifier, number, "barrier %u is outside the kernel's %u", last,
                       verifier->kernel->barriers);
    }
    return TRUE;
}

/* Reads of the parameter area stay inside it; bank 3 ends with the constant variables. */
static gboolean check_constants(const Verifier *verifier, guint32 number)
{
    const WsInstruction *instruction = &verifier->program->instructions[number];
    for (guint n = 0; n < instruction->operand_count; n++) {
        const WsOperand *operand = &instruction->operand[n];
        if (operand->kind != WS_OPERAND_CONSTANT || operand->index != WS_RZ) {
            continue;
        }
        guint bytes = ws_constant_bytes(instruction, n);
        if (operand->value % bytes != 0) {
            return fail_at(verifier, number, "constant offset 0x%x is not a multiple of %u",
                           operand->value, bytes);
        }
        if (operand->value + bytes > WS_CONSTANT_BANK_BYTES) {
            return fail_at(verifier, number, "constant offset 0x%x is past the bank",
                           operand->value);
        }
        guint32 end = verifier->program->parameter_base + verifier->kernel->parameter_bytes;
        if (operand->bank == 0 && operand->value >= verifier->program->parameter_base &&
            operand->value >= end) {
            return fail_at(verifier, number,
                           "c[0x0][0x%x] is past the parameters, which end at 0x%x", operand->value,
                           end);
        }
    }
    return TRUE;
}

static gboolean check_instruction(const Verifier *verifier, guint32 number)
{
    const WsInstruction *instruction = &verifier->program->instructions[number];
    g_autofree char *problem = ws_instruction_problem(instruction);
    if (problem != NULL) {
        return fail_at(verifier, number, "%s", problem);
    }
    if (instruction->location >= verifier->program->location_count) {
        return fail_kernel(verifier, "instruction 0x%x has a location that does not exist",
                           (number - verifier->kernel->first) * WS_INSTRUCTION_BYTES);
    }
    return check_registers(verifier, number) && check_target(verifier, number) &&
           check_barriers(verifier, number) && check_constants(verifier, number);
}

/* ---- kernels ----------------------------------------------------------------------------------
 */

/* Every way through the code ends: no block that is reached goes past the last instruction, and
 * from the entry some EXIT can be reached. */
static gboolean check_flow(const Verifier *verifier)
{
    const WsKernel *kernel = verifier->kernel;
    const WsInstruction *code = verifier->program->instructions;
    g_autoptr(WsControlFlow) flow = ws_control_flow_new(code, kernel->first, kernel->count);
    guint32 last = kernel->first + kernel->count - 1;
    if (flow->falls_off) {
        return fail_at(verifier, last, "control runs past the end of the kernel; EXIT is missing");
    }
    guint32 reached;
    g_autofree guint32 *order = ws_graph_reverse_post_order(flow->graph, 0, &reached);
    gboolean calls = flow->entries->len > 1;
    for (guint32 i = 0; i < reached; i++) {
        const WsBlock *block = &flow->blocks[order[i]];
        WsKind kind = ws_instruction_kind(&code[block->first + block->count - 1]);
        if (kind == WS_KIND_EXIT || ws_kind_is_trap(kind)) {
            return TRUE;
        }
        if (kind == WS_KIND_RET && !calls) {
            return fail_at(verifier, block->first + block->count - 1,
                           "RET in a kernel that calls nothing; it ends with EXIT");
        }
    }
    /* A callee may end the thread for its caller; otherwise no lane could ever end. */
    for (guint32 i = kernel->first; calls && i <= last; i++) {
        if (ws_is_kind(&code[i], WS_KIND_EXIT)) {
            return TRUE;
        }
    }
    return fail_at(verifier, kernel->first, "no EXIT can be reached");
}

static gboolean check_parameters(const Verifier *verifier)
{
    const WsKernel *kernel = verifier->kernel;
    guint32 end = 0;
    if (kernel->parameter_bytes > WS_MAX_PARAMETER_BYTES ||
        verifier->program->parameter_base > WS_CONSTANT_BANK_BYTES - WS_MAX_PARAMETER_BYTES) {
        return fail_kernel(verifier, "the parameters do not fit their %u bytes",
                           WS_MAX_PARAMETER_BYTES);
    }
    for (guint32 p = 0; p < kernel->parameter_count; p++) {
        const WsParameter *parameter = &kernel->parameters[p];
        guint size = parameter->type <= WS_TYPE_TEXREF ? ws_type_size(parameter->type) : 1;
        if (parameter->type > WS_TYPE_TEXREF || parameter->size == 0 ||
            (parameter->type != WS_TYPE_BYTES && parameter->size != size) ||
            parameter->offset < end || parameter->offset > WS_MAX_PARAMETER_BYTES ||
            parameter->size > WS_MAX_PARAMETER_BYTES ||
            parameter->offset + parameter->size > kernel->parameter_bytes) {
            return fail_kernel(verifier, "parameter %u has no valid place", p + 1);
        }
        end = parameter->offset + parameter->size;
    }
    return TRUE;
}

static gboolean check_limits(const Verifier *verifier)
{
    const WsKernel *kernel = verifier->kernel;
    if (kernel->registers < 1 || kernel->registers > 255) {
        return fail_kernel(verifier, "%u registers (1 to 255)", kernel->registers);
    }
    if (kernel->barriers > MAX_BARRIERS) {
        return fail_kernel(verifier, "%u barriers (at most %u)", kernel->barriers, MAX_BARRIERS);
    }
    guint64 threads = 1;
    for (guint i = 0; i < 3; i++) {
        threads *= MIN(MAX(kernel->required_block[i], 1u), 4096u);
    }
    if (threads > 1024 || kernel->max_threads > 1024) {
        return fail_kernel(verifier, "a block of more than 1024 threads is required");
    }
    if (kernel->static_shared_bytes > 1024 * 1024 || kernel->local_bytes > 512 * 1024 ||
        kernel->system_shared_bytes > kernel->static_shared_bytes ||
        kernel->spill_bytes > kernel->local_bytes || kernel->stack_bytes > kernel->local_bytes) {
        return fail_kernel(verifier, "shared or local memory is out of range");
    }
    return TRUE;
}

static gboolean check_kernel(Verifier *verifier)
{
    const WsProgram *program = verifier->program;
    const WsKernel *kernel = verifier->kernel;
    if (kernel->count == 0 || kernel->first >= program->instruction_count ||
        kernel->count > program->instruction_count - kernel->first) {
        return fail_kernel(verifier, "it has no code");
    }
    if (!check_limits(verifier) || !check_parameters(verifier)) {
        return FALSE;
    }
    for (guint32 i = 0; i < kernel->count; i++) {
        if (!check_instruction(verifier, kernel->first + i)) {
            return FALSE;
        }
    }
    return check_flow(verifier);
}

gboolean ws_verify_kernel(const WsProgram *program, const WsKernel *kernel, GError **error)
{
    Verifier verifier = {.program = program, .kernel = kernel, .error = error};
    return check_kernel(&verifier);
}

/* ---- the program ------------------------------------------------------------------------------
 */

/* Those that are a part of another one are told by its name. */
static gboolean part_fits(const WsProgram *program, const WsConstruct *construct)
{
    WsConstructKind whole = program->constructs[construct->parent].kind;
    if (construct->kind == WS_CONSTRUCT_ROUND) {
        return ws_construct_is_loop(whole);
    }
    return construct->kind != WS_CONSTRUCT_REST || ws_construct_has_sides(whole);
}

static gboolean check_constructs(const Verifier *verifier, guint32 files)
{
    const WsProgram *program = verifier->program;
    for (guint32 i = 0; i < program->construct_count; i++) {
        const WsConstruct *construct = &program->constructs[i];
        if (construct->kind >= WS_CONSTRUCT_KINDS || construct->file >= files ||
            construct->parent >= MAX(i, 1) || !part_fits(program, construct)) {
            return fail_kernel(verifier, "construct %u is not valid", i);
        }
    }
    return program->construct_count > 0 ||
           fail_kernel(verifier, "the table of constructs is missing");
}

static gboolean check_locations(const Verifier *verifier)
{
    const WsProgram *program = verifier->program;
    guint32 files = program->files != NULL ? g_strv_length(program->files) : 0;
    if (program->location_count == 0 || files == 0) {
        return fail_kernel(verifier, "the table of locations is missing");
    }
    for (guint32 i = 0; i < program->location_count; i++) {
        if (program->locations[i].file >= files ||
            program->locations[i].inlined_at >= program->location_count ||
            program->locations[i].construct >= program->construct_count ||
            (i > 0 && program->locations[i].inlined_at == i)) {
            return fail_kernel(verifier, "location %u is not valid", i);
        }
    }
    return check_constructs(verifier, files);
}

static gboolean check_symbols(const Verifier *verifier)
{
    const WsProgram *program = verifier->program;
    if (program->constant_bytes > WS_CONSTANT_BANK_BYTES ||
        program->module_bytes > MAX_MODULE_BYTES) {
        return fail_kernel(verifier, "the variables are too large");
    }
    for (guint32 s = 0; s < program->symbol_count; s++) {
        const WsSymbol *symbol = &program->symbols[s];
        gboolean constant = symbol->space == WS_SYMBOL_CONSTANT;
        guint64 limit = constant ? program->constant_bytes : program->module_bytes;
        guint64 start = constant ? 0 : WS_MODULE_WINDOW;
        if (symbol->space > WS_SYMBOL_CONSTANT || symbol->type > WS_TYPE_TEXREF ||
            symbol->address < start || symbol->address - start > limit ||
            symbol->size > limit - (symbol->address - start)) {
            g_autofree char *name = ws_printable(symbol->name);
            return fail_kernel(verifier, "variable %s is outside its space", name);
        }
    }
    return TRUE;
}

static gboolean check_names(const Verifier *verifier)
{
    g_autoptr(GHashTable) names = g_hash_table_new(g_str_hash, g_str_equal);
    for (guint32 k = 0; k < verifier->program->kernel_count; k++) {
        if (!g_hash_table_add(names, verifier->program->kernels[k].name)) {
            g_autofree char *name = ws_printable(verifier->program->kernels[k].name);
            return fail_kernel(verifier, "there are two kernels %s", name);
        }
    }
    return TRUE;
}

gboolean ws_verify(const WsProgram *program, GError **error)
{
    Verifier verifier = {program, NULL, error};
    if (program->kernel_count == 0) {
        return fail_kernel(&verifier, "the program has no kernel");
    }
    if (!check_locations(&verifier) || !check_symbols(&verifier) || !check_names(&verifier)) {
        return FALSE;
    }
    guint32 end = 0;
    for (guint32 k = 0; k < program->kernel_count; k++) {
        verifier.kernel = &program->kernels[k];
        if (verifier.kernel->first < end) {
            return fail_kernel(&verifier, "its code overlaps that of the kernel before it");
        }
        if (!check_kernel(&verifier)) {
            return FALSE;
        }
        end = verifier.kernel->first + verifier.kernel->count;
    }
    return TRUE;
}
