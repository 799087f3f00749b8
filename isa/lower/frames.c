/* Which functions a kernel is made of, and where their variables lie: for the variables' names. */
#include "isa/lower/statement.h"

/* So that a kernel of many calls does not take all memory; calls beyond it have no variables. */
enum { MAX_FRAMES = 1 << 16 };

static WsIrFrame *noted_as(const WsLowerModule *module, const WsPtxFrame *frame)
{
    return &g_array_index(module->ir->frames, WsIrFrame, frame->number);
}

static void add_place(WsIrFrame *noted, const WsPtxVariable *variable, WsPieceKind kind,
                      guint64 value)
{
    const WsIrPlace place = {g_strdup(variable->name), kind, value};
    g_array_append_val(noted->places, place);
}

void ws_lower_note_frame(WsLowerKernel *kernel, WsPtxFrame *frame)
{
    WsLowerModule *module = kernel->module;
    if (!module->options->variables || frame->is_library || kernel->body != NULL ||
        module->ir->frames->len >= MAX_FRAMES)
        return;
    const WsPtxFrame *caller = frame->caller;
    const GArray *statements = frame->function->statements;
    frame->number = ws_ir_new_frame(module->ir, caller == NULL ? 0 : caller->number);
    WsIrFrame *noted = noted_as(module, frame);
    noted->call = caller == NULL ? 0 : caller->location;
    noted->kernel = caller == NULL ? g_strdup(frame->function->name) : NULL;
    if (statements->len > 0)
        noted->ptx_line = g_array_index(statements, WsPtxStatement, 0).position.line;
    for (guint i = 0; i < frame->function->variables->len; i++) {
        const WsPtxVariable *v = g_ptr_array_index(frame->function->variables, i);
        const guint64 *place = g_hash_table_lookup(frame->locals, v);
        if (place != NULL)
            add_place(noted, v, WS_PIECE_LOCAL, *place);
    }
}

void ws_lower_note_kernel(WsLowerKernel *kernel)
{
    const GPtrArray *variables = kernel->module->ptx->variables;
    WsIrFrame *noted = noted_as(kernel->module, kernel->frame);
    if (kernel->frame->number == 0)
        return;
    for (guint i = 0; i < kernel->ptx->parameters->len; i++) {
        const WsPtxVariable *v = g_ptr_array_index(kernel->ptx->parameters, i);
        const guint64 *place = g_hash_table_lookup(kernel->parameters, v);
        add_place(noted, v, WS_PIECE_CONSTANT, *place);
    }
    for (guint i = 0; i < variables->len; i++) {
        const WsPtxVariable *v = g_ptr_array_index(variables, i);
        const guint64 *place = g_hash_table_lookup(kernel->shared, v);
        if (place != NULL)
            add_place(noted, v, WS_PIECE_SHARED, *place);
    }
}

/* Names of registers of the PTX, from the operands that mention them. */
void ws_lower_note_registers(WsLowerModule *module, const WsPtxFrame *frame)
{
    if (frame->number == 0 || !ws_keeps_reference(module->options))
        return;
    WsIrFrame *noted = noted_as(module, frame);
    noted->registers = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    for (guint i = 0; i < frame->function->operands->len; i++) {
        const WsPtxOperand *operand = &g_array_index(frame->function->operands, WsPtxOperand, i);
        const guint32 number =
            operand->kind == WS_PTX_REGISTER ? frame->registers[operand->index] : 0;
        if (number != 0 && operand->name != NULL &&
            g_array_index(frame->function->registers, guint8, operand->index) != WS_PTX_PRED)
            g_hash_table_insert(noted->registers, g_strdup(operand->name),
                                GUINT_TO_POINTER(number));
    }
}
