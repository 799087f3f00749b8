#include "isa/ir/variable_accesses.h"

guint32 ws_predicate_numbers(const WsIrFunction *function)
{
    return function->predicate_count + WS_PT + 1;
}

static guint32 predicate_number(const WsIrFunction *function, guint32 index)
{
    return index >= WS_VIRTUAL_BASE ? index - WS_VIRTUAL_BASE : function->predicate_count + index;
}

static void note(WsVariableAccesses *to, const WsVariables *variables, const WsIrFunction *function,
                 const WsRegisterAccess *access)
{
    WsVariableAccess noted = {.write = access->write, .guard = access->operand == WS_ACCESS_GUARD};
    noted.words = (guint8)ws_variables_of(variables, access, &noted.first);
    if (access->write && access->file == WS_FILE_PREDICATE)
        noted.predicate = predicate_number(function, access->index) + 1;
    if (noted.words > 0 || noted.predicate != 0)
        g_array_append_val(to->list, noted);
}

static guint32 count_instructions(const WsIrFunction *function)
{
    guint32 count = 0;
    for (guint32 b = 0; b < function->blocks->len; b++)
        count += ws_ir_length(ws_ir_block(function, b));
    return count;
}

/* An EXIT reads what is kept: so it lives to the end. */
static void note_kept(WsVariableAccesses *to, const WsVariables *variables,
                      const WsIrFunction *function)
{
    for (guint k = 0; k < function->kept->len; k++) {
        const guint32 number = g_array_index(function->kept, guint32, k) - WS_VIRTUAL_BASE;
        const WsVariableAccess noted = {
            .first = variables->first[number],
            .words = (guint8)(variables->first[number + 1] - variables->first[number])};
        g_array_append_val(to->list, noted);
    }
}

void ws_variable_accesses_init(WsVariableAccesses *ret, const WsVariables *variables,
                               const WsIrFunction *function)
{
    guint32 count = count_instructions(function);
    guint32 number = 0;
    ret->list = g_array_sized_new(FALSE, FALSE, sizeof(WsVariableAccess), 4 * count);
    ret->begin = g_new(guint32, (gsize)count + 1);
    ret->guards = g_new0(guint32, (gsize)count + 1);
    for (guint32 b = 0; b < function->blocks->len; b++) {
        WsIrBlock *block = ws_ir_block(function, b);
        for (guint i = 0; i < ws_ir_length(block); i++, number++) {
            const WsInstruction *instruction = ws_ir_instruction(block, i);
            WsRegisterAccess accesses[WS_MAX_ACCESSES];
            guint found = ws_instruction_accesses(instruction, accesses);
            ret->begin[number] = ret->list->len;
            if (instruction->guard != WS_PT)
                ret->guards[number] = 2 * predicate_number(function, instruction->guard) +
                                      (instruction->guard_negated != 0) + 1;
            for (guint a = 0; a < found; a++)
                note(ret, variables, function, &accesses[a]);
            if (function->kept != NULL && ws_is_kind(instruction, WS_KIND_EXIT))
                note_kept(ret, variables, function);
        }
    }
    ret->begin[count] = ret->list->len;
}

void ws_variable_accesses_clear(WsVariableAccesses *accesses)
{
    g_array_unref(accesses->list);
    g_free(accesses->begin);
    g_free(accesses->guards);
}
