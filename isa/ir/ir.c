#include "isa/ir/ir.h"
#include "isa/bytecode/opcode.h"
#include "isa/bytecode/shared_variables.h"
#include "isa/ir/reference.h"

static void symbol_clear(gpointer data)
{
    WsSymbol *symbol = data;
    g_free(symbol->name);
    g_free(symbol->initial);
}

static void refused_clear(gpointer data)
{
    WsRefusedKernel *refused = data;
    g_free(refused->name);
    g_free(refused->display_name);
    g_free(refused->message);
}

static void block_clear(gpointer data)
{
    WsIrBlock *block = data;
    g_clear_pointer(&block->instructions, g_array_unref);
    g_clear_pointer(&block->table, g_array_unref);
    g_clear_pointer(&block->label, g_free);
    g_clear_pointer(&block->covers, g_array_unref);
}

static void place_clear(gpointer place)
{
    g_free(((WsIrPlace *)place)->name);
}

static void frame_clear(gpointer data)
{
    WsIrFrame *frame = data;
    g_free(frame->kernel);
    g_clear_pointer(&frame->places, g_array_unref);
    g_clear_pointer(&frame->registers, g_hash_table_unref);
}

guint32 ws_ir_new_frame(WsIrModule *module, guint32 caller)
{
    WsIrFrame frame = {.caller = caller};
    frame.places = g_array_new(FALSE, FALSE, sizeof(WsIrPlace));
    g_array_set_clear_func(frame.places, place_clear);
    g_array_append_val(module->frames, frame);
    return module->frames->len - 1;
}

static void construct_clear(gpointer data)
{
    g_clear_pointer(&((WsConstruct *)data)->name, g_free);
}

WsIrModule *ws_ir_module_new(void)
{
    WsIrModule *module = g_new0(WsIrModule, 1);
    module->functions = g_ptr_array_new_with_free_func((GDestroyNotify)ws_ir_function_free);
    module->refused = ws_ir_refused_new();
    module->symbols = g_array_new(FALSE, TRUE, sizeof(WsSymbol));
    g_array_set_clear_func(module->symbols, symbol_clear);
    module->locations = g_array_new(FALSE, TRUE, sizeof(WsLocation));
    g_array_set_size(module->locations, 1);
    module->frames = g_array_new(FALSE, TRUE, sizeof(WsIrFrame));
    g_array_set_clear_func(module->frames, frame_clear);
    g_array_set_size(module->frames, 1);
    module->constructs = g_array_new(FALSE, TRUE, sizeof(WsConstruct));
    g_array_set_clear_func(module->constructs, construct_clear);
    g_array_set_size(module->constructs, 1);
    module->files = g_ptr_array_new_with_free_func(g_free);
    g_ptr_array_add(module->files, g_strdup(""));
    return module;
}

void ws_ir_module_free(WsIrModule *module)
{
    if (module == NULL)
        return;
    g_ptr_array_unref(module->functions);
    g_array_unref(module->refused);
    g_array_unref(module->symbols);
    g_array_unref(module->locations);
    g_array_unref(module->constructs);
    g_ptr_array_unref(module->files);
    g_array_unref(module->frames);
    g_free(module->constants);
    g_free(module->ptx);
    g_free(module->path);
    g_free(module);
}

GArray *ws_ir_refused_new(void)
{
    GArray *refused = g_array_new(FALSE, TRUE, sizeof(WsRefusedKernel));
    g_array_set_clear_func(refused, refused_clear);
    return refused;
}

void ws_ir_refuse(GArray *refused, const WsIrFunction *function, GError *error)
{
    WsRefusedKernel kernel = {.name = g_strdup(function->name),
                              .display_name = g_strdup(function->kernel.display_name),
                              .message = g_strdup(error->message)};
    g_array_append_val(refused, kernel);
    g_error_free(error);
}

WsIrFunction *ws_ir_function_new(const char *name)
{
    WsIrFunction *function = g_new0(WsIrFunction, 1);
    function->name = g_strdup(name);
    function->blocks = g_array_new(FALSE, TRUE, sizeof(WsIrBlock));
    g_array_set_clear_func(function->blocks, block_clear);
    function->registers = g_array_new(FALSE, TRUE, sizeof(WsIrRegister));
    function->sites = g_array_new(FALSE, TRUE, sizeof(WsIrSite));
    return function;
}

void ws_ir_function_free(WsIrFunction *function)
{
    if (function == NULL)
        return;
    for (guint32 i = 0; i < function->kernel.parameter_count; i++)
        g_free(function->kernel.parameters[i].name);
    g_free(function->kernel.parameters);
    ws_shared_variables_free(function->kernel.shared, function->kernel.shared_count);
    g_free(function->kernel.name);
    g_free(function->kernel.display_name);
    g_array_unref(function->blocks);
    g_array_unref(function->registers);
    g_array_unref(function->sites);
    ws_reference_unref(function->reference);
    if (function->kept != NULL)
        g_array_unref(function->kept);
    g_free(function->name);
    g_free(function);
}

guint32 ws_ir_new_register(WsIrFunction *function, guint words)
{
    WsIrRegister r = {.words = (guint8)words};
    g_array_append_val(function->registers, r);
    return WS_VIRTUAL_BASE + function->registers->len - 1;
}

guint32 ws_ir_new_predicate(WsIrFunction *function)
{
    return WS_VIRTUAL_BASE + function->predicate_count++;
}

guint32 ws_ir_new_block(WsIrFunction *function)
{
    WsIrBlock block = {.taken = WS_IR_NO_BLOCK, .next = WS_IR_NO_BLOCK};
    block.instructions = g_array_new(FALSE, TRUE, sizeof(WsInstruction));
    ws_instruction_init(&block.branch, WS_OP_NOP);
    g_array_append_val(function->blocks, block);
    return function->blocks->len - 1;
}

static void append_register(GString *out, guint32 index, guint bank)
{
    if (index == WS_RZ)
        g_string_append(out, "RZ");
    else if (index < WS_VIRTUAL_BASE)
        g_string_append_printf(out, "R%u", index);
    else
        g_string_append_printf(out, "V%u", index - WS_VIRTUAL_BASE);
    if (bank != 0)
        g_string_append_printf(out, ".%u", bank);
}

static void append_predicate(GString *out, guint32 index)
{
    if (index == WS_PT)
        g_string_append(out, "PT");
    else if (index < WS_VIRTUAL_BASE)
        g_string_append_printf(out, "P%u", index);
    else
        g_string_append_printf(out, "VP%u", index - WS_VIRTUAL_BASE);
}

static void append_offset(GString *out, gint64 offset)
{
    if (offset < 0)
        g_string_append_printf(out, "-0x%" G_GINT64_MODIFIER "x", -offset);
    else
        g_string_append_printf(out, "0x%" G_GINT64_MODIFIER "x", offset);
}

static void append_address(GString *out, const WsOperand *operand)
{
    g_string_append_c(out, '[');
    gboolean first = TRUE;
    if (operand->index != WS_RZ) {
        append_register(out, operand->index, operand->bank);
        first = FALSE;
    }
    if (operand->uniform != WS_URZ) {
        g_string_append_printf(out, "%sUR%u", first ? "" : "+", operand->uniform);
        first = FALSE;
    }
    gint64 offset = (gint32)operand->value;
    if (offset != 0 || first) {
        if (!first && offset >= 0)
            g_string_append_c(out, '+');
        append_offset(out, offset);
    }
    g_string_append_c(out, ']');
}

static void append_constant(GString *out, const WsOperand *operand)
{
    g_string_append_printf(out, "c[%u][", operand->bank);
    if (operand->index != WS_RZ) {
        append_register(out, operand->index, 0);
        g_string_append_c(out, '+');
    }
    g_string_append_printf(out, "0x%x]", operand->value);
}

static void append_plain_operand(GString *out, const WsOperand *operand)
{
    switch ((WsOperandKind)operand->kind) {
    case WS_OPERAND_NONE:
        g_string_append_c(out, '_');
        break;
    case WS_OPERAND_REGISTER:
        append_register(out, operand->index, operand->bank);
        break;
    case WS_OPERAND_PREDICATE:
        append_predicate(out, operand->index);
        break;
    case WS_OPERAND_UNIFORM_REGISTER:
        g_string_append_printf(out, operand->index == WS_URZ ? "URZ" : "UR%u", operand->index);
        break;
    case WS_OPERAND_UNIFORM_PREDICATE:
        g_string_append_printf(out, operand->index == WS_PT ? "UPT" : "UP%u", operand->index);
        break;
    case WS_OPERAND_BARRIER:
        g_string_append_printf(out, "B%u", operand->index);
        break;
    case WS_OPERAND_IMMEDIATE:
        g_string_append_printf(out, "0x%x", operand->value);
        break;
    case WS_OPERAND_CONSTANT:
        append_constant(out, operand);
        break;
    case WS_OPERAND_ADDRESS:
        append_address(out, operand);
        break;
    case WS_OPERAND_TARGET:
        g_string_append_printf(out, "->%u", operand->value);
        break;
    case WS_OPERAND_SPECIAL:
        g_string_append(out, ws_special_register_name(operand->value));
        break;
    }
}

static void append_operand(GString *out, const WsOperand *operand, gboolean bits)
{
    gboolean predicate =
        operand->kind == WS_OPERAND_PREDICATE || operand->kind == WS_OPERAND_UNIFORM_PREDICATE;
    if (operand->flags & WS_OPERAND_NEGATE)
        g_string_append_c(out, predicate ? '!' : bits ? '~' : '-');
    if (operand->flags & WS_OPERAND_ABSOLUTE)
        g_string_append_c(out, '|');
    append_plain_operand(out, operand);
    if (operand->flags & WS_OPERAND_ABSOLUTE)
        g_string_append_c(out, '|');
}

static void append_instruction(GString *out, const WsInstruction *instruction)
{
    const WsOpcodeInfo *info = ws_opcode_info(instruction->opcode);
    if (ws_is_guarded(instruction)) {
        g_string_append(out, instruction->guard_negated ? "@!" : "@");
        append_predicate(out, instruction->guard);
        g_string_append_c(out, ' ');
    }
    g_string_append(out, info->mnemonic);
    for (guint i = 0; i < info->modifier_count; i++) {
        WsModifier group = info->modifiers[i];
        const char *name = ws_modifier_name(group, instruction->mod[group]);
        if (name != NULL && *name != '\0')
            g_string_append_printf(out, ".%s", name);
    }
    for (guint i = 0; i < instruction->operand_count; i++) {
        if (info->slots[i] == WS_SLOT_Tg)
            continue;
        g_string_append(out, i == 0 ? " " : ", ");
        append_operand(out, &instruction->operand[i], info->sources == WS_SOURCES_BITS);
    }
}

static void append_block_end(GString *out, const WsIrBlock *block)
{
    if (block->branch.opcode != WS_OP_NOP) {
        g_string_append(out, "    ");
        append_instruction(out, &block->branch);
        if (block->taken != WS_IR_NO_BLOCK)
            g_string_append_printf(out, " -> B%u", block->taken);
        for (guint i = 0; block->table != NULL && i < block->table->len; i++)
            g_string_append_printf(out, "%sB%u", i == 0 ? " -> " : ", ",
                                   g_array_index(block->table, guint32, i));
        g_string_append_c(out, '\n');
    }
    if (block->next != WS_IR_NO_BLOCK)
        g_string_append_printf(out, "    next B%u\n", block->next);
}

char *ws_ir_to_text(const WsIrFunction *function)
{
    GString *out = g_string_new(NULL);
    g_string_append_printf(out, "%s:\n", function->name);
    for (guint b = 0; b < function->blocks->len; b++) {
        const WsIrBlock *block = &g_array_index(function->blocks, WsIrBlock, b);
        g_string_append_printf(out, "B%u:\n", b);
        for (guint i = 0; i < block->instructions->len; i++) {
            g_string_append(out, "    ");
            append_instruction(out, &g_array_index(block->instructions, WsInstruction, i));
            g_string_append_c(out, '\n');
        }
        append_block_end(out, block);
    }
    return g_string_free(out, FALSE);
}
