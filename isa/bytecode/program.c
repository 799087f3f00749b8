#include "isa/bytecode/program.h"

#include "isa/base/kernel_names.h"
#include "isa/bytecode/shared_variables.h"
#include "isa/bytecode/variables.h"

#include <string.h>

static const struct {
    const char *name;
    guint size;
} type_table[] = {
    [WS_TYPE_S8] = {"s8", 1},     [WS_TYPE_U8] = {"u8", 1},       [WS_TYPE_S16] = {"s16", 2},
    [WS_TYPE_U16] = {"u16", 2},   [WS_TYPE_S32] = {"s32", 4},     [WS_TYPE_U32] = {"u32", 4},
    [WS_TYPE_S64] = {"s64", 8},   [WS_TYPE_U64] = {"u64", 8},     [WS_TYPE_F16] = {"f16", 2},
    [WS_TYPE_BF16] = {"bf16", 2}, [WS_TYPE_F32] = {"f32", 4},     [WS_TYPE_F64] = {"f64", 8},
    [WS_TYPE_B8] = {"b8", 1},     [WS_TYPE_B16] = {"b16", 2},     [WS_TYPE_B32] = {"b32", 4},
    [WS_TYPE_B64] = {"b64", 8},   [WS_TYPE_BYTES] = {"bytes", 0}, [WS_TYPE_TEXREF] = {"texref", 8}};

guint ws_type_size(WsType type)
{
    g_return_val_if_fail(type < G_N_ELEMENTS(type_table), 0);
    return type_table[type].size;
}

const char *ws_type_name(WsType type)
{
    g_return_val_if_fail(type < G_N_ELEMENTS(type_table), NULL);
    return type_table[type].name;
}

gboolean ws_type_by_name(const char *name, WsType *ret)
{
    for (guint type = 0; type < G_N_ELEMENTS(type_table); type++) {
        if (strcmp(type_table[type].name, name) == 0) {
            *ret = type;
            return TRUE;
        }
    }
    return FALSE;
}

void ws_kernel_set_stack(WsKernel *kernel, guint32 bytes)
{
    guint32 rest = kernel->local_bytes - kernel->stack_bytes;
    guint32 first = (rest + WS_STACK_ALIGN - 1) / WS_STACK_ALIGN * WS_STACK_ALIGN;
    guint32 room = WS_MAX_LOCAL_BYTES - MIN(first, WS_MAX_LOCAL_BYTES);
    kernel->stack_bytes = MIN(bytes, room) / WS_STACK_ALIGN * WS_STACK_ALIGN;
    kernel->local_bytes = first + kernel->stack_bytes;
}

WsProgram *ws_program_new(void)
{
    WsProgram *program = g_new0(WsProgram, 1);
    g_atomic_ref_count_init(&program->references);
    program->locations = g_new0(WsLocation, 1);
    program->location_count = 1;
    program->constructs = g_new0(WsConstruct, 1);
    program->construct_count = 1;
    program->files = g_new0(char *, 2);
    program->files[0] = g_strdup("");
    return program;
}

WsProgram *ws_program_ref(WsProgram *program)
{
    g_atomic_ref_count_inc(&program->references);
    return program;
}

static void free_kernel(WsKernel *kernel)
{
    for (guint32 p = 0; p < kernel->parameter_count; p++) {
        g_free(kernel->parameters[p].name);
    }
    g_free(kernel->parameters);
    ws_shared_variables_free(kernel->shared, kernel->shared_count);
    g_free(kernel->name);
    g_free(kernel->display_name);
}

void ws_program_unref(WsProgram *program)
{
    if (program == NULL || !g_atomic_ref_count_dec(&program->references)) {
        return;
    }
    for (guint32 k = 0; k < program->kernel_count; k++) {
        free_kernel(&program->kernels[k]);
    }
    for (guint32 r = 0; r < program->refused_count; r++) {
        g_free(program->refused[r].name);
        g_free(program->refused[r].display_name);
        g_free(program->refused[r].message);
    }
    g_free(program->refused);
    for (guint32 s = 0; s < program->symbol_count; s++) {
        g_free(program->symbols[s].name);
        g_free(program->symbols[s].initial);
    }
    for (guint32 i = 0; program->labels != NULL && i < program->instruction_count; i++) {
        g_free(program->labels[i]);
    }
    g_free(program->labels);
    g_free(program->instructions);
    g_free(program->kernels);
    g_free(program->symbols);
    g_free(program->constants);
    g_free(program->locations);
    ws_constructs_free(program->constructs, program->construct_count);
    g_strfreev(program->files);
    g_strfreev(program->sources);
    g_free(program->path);
    g_free(program->ptx);
    g_free(program->compiler);
    ws_variable_table_free(program->variables);
    g_free(program);
}

guint32 ws_program_construct(const WsProgram *program, guint32 instruction)
{
    const WsInstruction *at = &program->instructions[instruction];
    gboolean may;

    switch (ws_instruction_kind(at)) {
    case WS_KIND_BRA:
    case WS_KIND_BRX:
    case WS_KIND_EXIT:
    case WS_KIND_BSSY:
    case WS_KIND_BSYNC:
        may = TRUE;
        break;
    default:
        may = FALSE;
    }
    return may ? program->locations[at->location].construct : 0;
}

char *ws_program_construct_text(const WsProgram *program, guint32 instruction)
{
    guint32 construct = ws_program_construct(program, instruction);
    if (construct == 0)
        return NULL;
    g_autofree char *name = ws_construct_name(program->constructs, construct);
    return ws_is_kind(&program->instructions[instruction], WS_KIND_BSYNC) &&
                   program->constructs[construct].kind != WS_CONSTRUCT_REST
               ? g_strdup_printf("end of %s", name)
               : g_steal_pointer(&name);
}

/* Number of kernels that `name` fits best, refused ones counted. The last of them is noted. */
static guint find_kernels(const WsProgram *program, const char *name, const WsKernel **ret_kernel,
                          const WsRefusedKernel **ret_refused)
{
    WsNameMatch best = WS_NAME_DIFFERS;
    guint matches = 0;
    *ret_kernel = NULL;
    *ret_refused = NULL;
    for (guint32 k = 0; k < program->kernel_count + program->refused_count; k++) {
        gboolean good = k < program->kernel_count;
        const WsKernel *kernel = good ? &program->kernels[k] : NULL;
        const WsRefusedKernel *refused = good ? NULL : &program->refused[k - program->kernel_count];
        const char *mangled = good ? kernel->name : refused->name;
        const char *display = good ? kernel->display_name : refused->display_name;
        WsNameMatch match =
            ws_kernel_match_name(mangled, display != NULL ? display : mangled, name);
        if (match == WS_NAME_DIFFERS || match < best)
            continue;
        matches = match > best ? 1 : matches + 1;
        best = match;
        *ret_kernel = kernel;
        *ret_refused = refused;
    }
    return best == WS_NAME_EXACT ? 1 : matches;
}

const WsKernel *ws_program_find_kernel(const WsProgram *program, const char *name)
{
    const WsKernel *kernel;
    const WsRefusedKernel *refused;
    return find_kernels(program, name, &kernel, &refused) == 1 ? kernel : NULL;
}

const WsRefusedKernel *ws_program_find_refused(const WsProgram *program, const char *name)
{
    const WsKernel *kernel;
    const WsRefusedKernel *refused;
    return find_kernels(program, name, &kernel, &refused) == 1 ? refused : NULL;
}

GHashTable *ws_program_shared_names(const WsProgram *program)
{
    GHashTable *shared = g_hash_table_new(g_str_hash, g_str_equal);
    g_autoptr(GHashTable) seen = g_hash_table_new(g_str_hash, g_str_equal);
    for (guint32 k = 0; k < program->kernel_count; k++) {
        char *name = program->kernels[k].display_name;
        if (!g_hash_table_add(seen, name))
            g_hash_table_add(shared, name);
    }
    return shared;
}

gboolean ws_kernel_shows_mangled(const WsKernel *kernel, GHashTable *shared_names)
{
    return g_hash_table_contains(shared_names, kernel->display_name) ||
           (ws_kernel_is_template(kernel->display_name) &&
            strcmp(kernel->display_name, kernel->name) != 0);
}

const WsSymbol *ws_program_find_symbol(const WsProgram *program, const char *name)
{
    for (guint32 s = 0; s < program->symbol_count; s++) {
        if (strcmp(program->symbols[s].name, name) == 0) {
            return &program->symbols[s];
        }
    }
    return NULL;
}

void ws_compile_options_init(WsCompileOptions *ret)
{
    *ret = (WsCompileOptions){.parameter_base = 0x210, .if_convert = TRUE, .schedule = TRUE};
}

/* ---- what the code says -----------------------------------------------------------------------
 */

static void scan_operand(const WsInstruction *instruction, guint n, WsKernel *kernel)
{
    const WsOperand *operand = &instruction->operand[n];
    guint width = ws_operand_width(instruction, n);
    if (operand->kind != WS_OPERAND_UNIFORM_REGISTER && width > 0 && operand->index < WS_RZ) {
        kernel->registers = MAX(kernel->registers, operand->index + width);
    }
    if (operand->kind == WS_OPERAND_CONSTANT && operand->bank == 0 &&
        operand->value == WS_CONSTANT_DYNAMIC_SHARED) {
        kernel->uses_dynamic_shared = TRUE;
    }
    if (operand->kind == WS_OPERAND_SPECIAL && operand->value == WS_SR_DYNAMIC_SHARED_SIZE) {
        kernel->uses_dynamic_shared = TRUE;
    }
}

void ws_kernel_scan_code(const WsProgram *program, WsKernel *kernel)
{
    kernel->registers = 1;
    kernel->barriers = 0;
    kernel->names_lanes = FALSE;
    kernel->uses_dynamic_shared = FALSE;
    for (guint32 i = kernel->first; i < kernel->first + kernel->count; i++) {
        const WsInstruction *instruction = &program->instructions[i];
        kernel->names_lanes = kernel->names_lanes || ws_names_lanes(instruction);
        for (guint n = 0; n < instruction->operand_count; n++) {
            scan_operand(instruction, n, kernel);
        }
        if (ws_is_kind(instruction, WS_KIND_BARRIER)) {
            const WsOperand *number = &instruction->operand[2];
            guint32 used = number->kind == WS_OPERAND_IMMEDIATE ? number->value + 1
                           : number->kind == WS_OPERAND_REGISTER && number->index == WS_RZ ? 1
                                                                                           : 16;
            kernel->barriers = MAX(kernel->barriers, MIN(used, 16));
        }
    }
}

gboolean ws_is_policy_name(const char *path)
{
    return g_str_has_suffix(path, ".c");
}
